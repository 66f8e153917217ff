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
    ],
)
def test_tests_are_known_by_their_paths(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize("path", ["src/click/testing.py", "latest.py", "src/contest.py", "src/attest/core.py", "a.py"])
def test_names_that_only_contain_test_are_no_tests(path: str) -> None:
    assert not is_test_path(path)


def test_what_stands_beside_the_product() -> None:
    assert is_aside_path("docs/conf.py")
    assert is_aside_path("setup.py")
    assert is_aside_path("examples/a/b.py")
    assert not is_aside_path("src/setup_tools/main.py")


def test_a_package_file_has_the_stem_of_its_folder() -> None:
    assert stem_of("src/click/__init__.py") == "click"
    assert stem_of("src/list/index.ts") == "list"
    assert stem_of("index.js") == "index"
    assert stem_of("a/b.test.ts") == "b.test"
    assert stem_of("Makefile") == "Makefile"
