from __future__ import annotations

import pytest

from engram.paths import is_aside_path, is_test_path, stem_of


@pytest.mark.parametrize(
    "path",
    [
        "tests/helper.py",
        "pkg/test_io.py",
        "pkg/io_test.go",
        "src/button.spec.tsx",
        "src/__tests__/button.js",
        "conftest.py",
        "src/test/java/org/x/ParserTest.java",
        "test/data/a.js",
        "core/src/integration-test/java/org/x/Registry.java",
        "app/src/functionalTest/kotlin/a.js",
        "internal/testutil/server.go",
        "xds/client/eds_testutil.go",
    ],
)
def test_tests_are_known_by_their_paths(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path", ["src/click/testing.py", "latest.py", "src/contest.py", "src/attest/core.py", "src/_pytest/main.py", "a.py"]
)
def test_names_that_only_contain_test_are_no_tests(path: str) -> None:
    assert not is_test_path(path)


def test_what_stands_beside_the_product() -> None:
    assert is_aside_path("docs/conf.py")
    assert is_aside_path("setup.py")
    assert is_aside_path("examples/a/b.py")
    assert not is_aside_path("src/setup_tools/main.py")
    assert is_aside_path("tools/release.py")
    assert is_aside_path("examples/boot/src/main/java/org/x/App.java")
    assert not is_aside_path("core/src/main/java/org/x/tools/Registry.java")
    assert is_aside_path("src/pkg/_vendor/six.py")


def test_what_was_made_from_another_file_stands_beside_it() -> None:
    for path in ("types/plugin/week.d.ts", "dist/node/index.cjs", "lib/all.min.js", "rpc/api.pb.go", "rpc/api_pb2.py"):
        assert is_aside_path(path), path
    for path in ("lib/dist/table.py", "src/week.ts", "lib/minimal.js"):
        assert not is_aside_path(path), path


def test_a_package_file_has_the_stem_of_its_folder() -> None:
    assert stem_of("src/click/__init__.py") == "click"
    assert stem_of("src/list/index.ts") == "list"
    assert stem_of("index.js") == "index"
    assert stem_of("a/b.test.ts") == "b.test"
    assert stem_of("Makefile") == "Makefile"


def test_copies_of_other_projects_stand_beside_the_product() -> None:
    for path in ("pkg/static/library-3.5.1.js", "pkg/extern/six.py", "pkg/lib-2.0.min.js", "src/pkg/_vendored/a.py"):
        assert is_aside_path(path), path
    for path in ("pkg/http-2.py", "pkg/utf-8.py", "pkg/v1.2/api.py", "pkg/a-b.test.js", "1.2.py"):
        assert not is_aside_path(path), path
