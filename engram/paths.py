"""What a path alone says about its file."""

from __future__ import annotations

_TEST_FOLDERS = frozenset(
    [
        "test",
        "tests",
        "__tests__",
        "testing_data",
        "testdata",
        "test_data",
        "testutil",
        "spec",
        "specs",
        "fixtures",
        "__mocks__",
        "e2e",
        "testutils",
    ]
)
_SOURCE_SETS = ("-test", "-tests", "Test", "Tests", "testFixtures")  # src/integration-test, src/functionalTest (Gradle)
_TEST_ENDINGS = ("_test", "_tests", ".test", ".spec", "-test", ".e2e", ".cy", "testutil", "testutils")
_TEST_NAMES = frozenset(["conftest", "tests", "test"])
_JAVA_TESTS = ("Test", "Tests", "TestCase", "IT")  # what Maven runs (maven.apache.org/surefire, failsafe)
_ASIDE_FOLDERS = frozenset(
    [
        "doc",
        "docs",
        "example",
        "examples",
        "benchmark",
        "benchmarks",
        "benches",
        "bench",
        "demo",
        "demos",
        "tutorial",
        "tutorials",
        "samples",
        "scripts",
        "tools",
        "ci",
        "devscripts",
        "release",
        "asv_bench",
        "extras",
    ]
)
_FOREIGN_FOLDERS = frozenset(
    ["third_party", "thirdparty", "vendor", "vendored", "_vendor", "_vendored", "extern", "externals", "node_modules"]
)
_BUILT_FOLDER = "dist"  # at the top only: deeper, it may be a product's own
# Made by a program, or declarations without a body: what they say, another file does.
_MADE_ENDINGS = (
    ".d.ts",
    ".d.cts",
    ".d.mts",
    ".min.js",
    ".min.mjs",
    ".pb.go",
    ".pb.gw.go",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
)
_ASIDE_NAMES = frozenset(["setup", "conf", "noxfile", "tasks", "fabfile", "compat", "_compat", "version", "_version"])


def stem_of(path: str) -> str:
    """The file's name without its last ending; the folder's name for `__init__.py`, `index.js` and the like."""
    folders, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    if stem in ("__init__", "index", "mod", "__main__") and folders:
        return folders.rpartition("/")[2]
    return stem


def is_test_path(path: str) -> bool:
    """Whether the file belongs to the tests, by the names that test runners and their users give to such files."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    if stem.startswith(("test_", "test-")) or stem in _TEST_NAMES or stem.endswith(_TEST_ENDINGS):
        return True
    if name.endswith(".java") and (stem.endswith(_JAVA_TESTS) or (stem.startswith("Test") and stem[4:5].isupper())):
        return True
    if folders[:1] == ["testing"] or not _TEST_FOLDERS.isdisjoint(folders):  # deeper, `testing` is a product's own
        return True
    return "src" in folders[:-1] and folders[folders.index("src") + 1].endswith(_SOURCE_SETS)


def is_aside_path(path: str) -> bool:
    """Whether the file stands beside the product: documentation, examples, benchmarks, packaging, what was generated.

    Below `src`, folders are named after what the product does: `tools` is a part of it there.
    """
    *folders, name = path.split("/")
    if name.partition(".")[0] in _ASIDE_NAMES or name.endswith(_MADE_ENDINGS) or folders[:1] == [_BUILT_FOLDER]:
        return True
    if _is_named_after_a_release(name):
        return True
    own = folders[: folders.index("src")] if "src" in folders else folders
    return not (_ASIDE_FOLDERS.isdisjoint(own) and _FOREIGN_FOLDERS.isdisjoint(folders))


def _is_named_after_a_release(name: str) -> bool:
    """Whether the file is a copy of a library's release, as `name-1.2.3.js` says."""
    library, _, rest = name.rpartition("-")
    numbers = rest.split(".")[:-1]
    return library != "" and len(numbers) > 1 and numbers[0].isdigit() and numbers[1].isdigit()
