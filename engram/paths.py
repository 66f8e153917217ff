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
        "spec",
        "specs",
        "fixtures",
        "__mocks__",
        "e2e",
        "testutils",
    ]
)
_TEST_ENDINGS = ("_test", "_tests", ".test", ".spec", "-test", ".e2e", ".cy")
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
        "third_party",
        "vendor",
        "_vendor",
    ]
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
    return folders[:1] == ["testing"] or not _TEST_FOLDERS.isdisjoint(folders)  # deeper, `testing` is a product's own


def is_aside_path(path: str) -> bool:
    """Whether the file stands beside the product: documentation, examples, benchmarks, packaging, compatibility."""
    *folders, name = path.split("/")
    return (name.partition(".")[0] in _ASIDE_NAMES) or not _ASIDE_FOLDERS.isdisjoint(folders)
