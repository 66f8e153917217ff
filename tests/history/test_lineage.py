"""Which file of today an old path leads to."""

from __future__ import annotations

import pytest

from engram.history.facts import Commit
from engram.history.lineage import Lineage, order_of

OLDEST = 1_600_000_000


def history(*steps: dict[str, object]) -> list[Commit]:
    """Commits from the oldest on, a minute apart: `renamed` pairs, `added` paths, `at` minutes for another time."""
    made = [
        Commit(
            f"{number:040x}",
            0,
            OLDEST + 60 * int(str(step.get("at", number))),
            f"number {number}",
            (),
            0,
            (),
            tuple(step.get("added", ())),  # type: ignore[arg-type]
            tuple(step.get("renamed", ())),  # type: ignore[arg-type]
        )
        for number, step in enumerate(steps)
    ]
    return made[::-1]


def today(commits: list[Commit], files: set[str], path: str, number: int) -> str | None:
    """Where `path` of the commit with this number leads."""
    return Lineage(commits, files).today(path, order_of(commits, len(commits) - 1 - number))


def test_a_path_that_nothing_renamed_is_the_file_of_its_name():
    commits = history({}, {})
    assert today(commits, {"a"}, "a", 0) == "a"
    assert today(commits, {"a"}, "b", 0) is None


def test_a_chain_of_renames_is_followed_to_its_end():
    commits = history({}, {"renamed": [("a", "b")]}, {"renamed": [("b", "c")]})
    assert today(commits, {"c"}, "a", 0) == "c"
    assert today(commits, {"c"}, "b", 1) == "c"
    assert today(commits, {"d"}, "a", 0) is None


def test_a_new_file_under_the_old_name_is_another_one():
    commits = history({}, {"renamed": [("a", "b")]}, {"added": ["a"]}, {})
    assert today(commits, {"a", "b"}, "a", 0) == "b"
    assert today(commits, {"a", "b"}, "a", 2) == "a"
    assert today(commits, {"b"}, "a", 3) is None  # it went again, and is not the one that became b


def test_two_files_that_change_names():
    commits = history({}, {"renamed": [("a", "t")]}, {"renamed": [("b", "a")]}, {"renamed": [("t", "b")]})
    assert today(commits, {"a", "b"}, "a", 0) == "b"
    assert today(commits, {"a", "b"}, "b", 0) == "a"


def test_back_and_forth():
    commits = history({}, {"renamed": [("a", "b")]}, {"renamed": [("b", "a")]}, {"renamed": [("a", "b")]})
    for number in range(3):
        assert today(commits, {"b"}, "b" if number == 1 else "a", number) == "b"


def test_a_branch_goes_on_under_the_old_name():
    commits = history({}, {"renamed": [("a", "b")]}, {})
    assert today(commits, {"b"}, "a", 2) == "b"


def test_renames_in_a_circle_end():
    commits = history({"renamed": [("a", "b"), ("b", "a")]}, {})
    assert today(commits, {"c"}, "a", 1) is None


@pytest.mark.parametrize("number", [0, 1])
def test_commits_of_the_same_second_are_told_apart_by_their_order(number):
    commits = history({"at": 0}, {"at": 0, "renamed": [("a", "b")]}, {"at": 0, "added": ["a"]})
    assert today(commits, {"a", "b"}, "a", 0) == "b"
    assert today(commits, {"a", "b"}, "a", 2) == "a"
