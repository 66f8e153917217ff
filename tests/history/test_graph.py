"""What the graph shows of a history: touched files under their names of today, people, and what changes together."""

from __future__ import annotations

import os

import pytest

from engram.errors import IndexBusy
from engram.history.cochange import HALF_LIFE_S, MAX_TOGETHER
from engram.ingest import history as reading
from engram.ingest import history_graph
from engram.store.lock import acquire_lock
from engram.store.schema import Keys
from tests.history.repository import START, git

A, B, C = "a.py", "b.py", "c.py"


def number(value: object) -> str:
    return f"x = {value!r}\n"


def test_commits_people_files_and_pairs(repository):
    repository.commit("first", {A: number(1), B: number(1), "notes.txt": "hello"})
    sha = repository.commit("second", {A: number(2)}, author=("Bob", "Bob@Example.org"))
    assert repository.follow() == (2, 2, True, "")
    assert repository.touched() == {A: ["second", "first"], B: ["first"]}
    assert repository.people() == {("Ann", "ann@example.org"), ("Bob", "bob@example.org")}
    assert repository.authors("second") == {"Bob"}
    # three files were in the commit, one of them not indexed
    assert repository.together() == {(A, B): (1, 0.5), (B, A): (1, 0.5)}
    [[at, subject, files]] = repository.checkout.rows(
        f"MATCH (c:Commit {{sha: '{sha}'}}) RETURN c.at, c.subject, c.files"
    )
    assert (at % 1000, subject, files) == (0, "second", 1)
    assert START * 1000 < at < (START + 3600) * 1000


def test_the_same_commits_again_cost_nothing(repository, monkeypatch):
    repository.commit("first", {A: number(1)})
    assert not repository.is_current()
    repository.follow()
    assert repository.is_current()
    monkeypatch.setattr(reading, "read_commits", None)
    monkeypatch.setattr(reading, "show_history", None)
    assert repository.follow() == (1, 0, True, "")


def test_renames_are_followed(repository):
    repository.commit("first", {A: number(1) * 20, C: number(1)})
    repository.git("mv", A, B)
    repository.commit("moved")
    repository.commit("after", {B: number(1) * 20 + number(2)})
    repository.git("mv", B, "new.py")
    repository.commit("moved again", {C: number(2)})
    repository.follow()
    assert repository.touched() == {
        "new.py": ["moved again", "after", "moved", "first"],
        C: ["moved again", "first"],
    }
    assert repository.together()["new.py", C] == (2, 2.0)


def test_a_rename_that_comes_later_takes_the_history_along(repository):
    repository.commit("first", {A: number(1) * 20, C: number(1)})
    repository.follow()
    repository.git("mv", A, B)
    repository.commit("moved")
    repository.follow()
    assert repository.touched() == {B: ["moved", "first"], C: ["first"]}
    assert repository.together() == {(B, C): (1, 1.0), (C, B): (1, 1.0)}


def test_a_new_file_under_an_old_name_has_a_history_of_its_own(repository):
    repository.commit("first", {A: number(1) * 20})
    repository.git("mv", A, B)
    repository.commit("moved")
    repository.commit("again", {A: "def other():\n    return 7\n"})
    repository.follow()
    assert repository.touched() == {B: ["moved", "first"], A: ["again"]}


def test_a_branch_changes_what_was_renamed_elsewhere(repository):
    repository.commit("first", {A: number(1) * 20})
    repository.git("checkout", "-q", "-b", "side")
    repository.git("checkout", "-q", "main")
    repository.git("mv", A, B)
    repository.commit("moved")
    repository.git("checkout", "-q", "side")
    repository.commit("aside", {A: number(1) * 20 + number(2)})
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-edit", "side")
    repository.follow()
    assert repository.touched()[B] == ["aside", "moved", "first"]


def test_a_deleted_file_gets_no_node_and_one_that_returns_its_history(repository):
    repository.commit("first", {A: number(1), B: number(1)})
    repository.commit("gone", {A: None})
    repository.follow()
    assert repository.checkout.rows("MATCH (f:File) RETURN f.path") == [[B]]
    assert repository.touched() == {B: ["first"]}
    assert repository.together() == {}
    repository.commit("back", {A: number(1)})
    repository.follow()
    assert repository.touched() == {A: ["back", "gone", "first"], B: ["first"]}
    assert repository.together() == {(A, B): (1, 1.0), (B, A): (1, 1.0)}


def test_a_file_that_goes_and_returns_without_a_commit_keeps_its_history(repository):
    repository.commit("first", {A: number(1), B: number(1)})
    repository.follow()
    before = repository.contents()
    repository.checkout.remove(A)
    repository.follow()
    assert repository.touched() == {B: ["first"]}
    repository.checkout.write(A, number(1))
    repository.checkout.sync()
    assert not repository.is_current()
    repository.read()
    assert repository.contents() == before


def test_an_edited_file_keeps_its_edges(repository):
    repository.commit("first", {A: number(1), B: number(1)})
    repository.follow()
    before = repository.contents()
    repository.checkout.write(A, "def other():\n    return 7\n")
    repository.checkout.sync()
    assert repository.contents() == before
    assert repository.is_current()


def test_a_rebuild_of_the_code_carries_the_history_over(repository):
    repository.commit("first", {A: number(1), B: number(1)})
    repository.git("mv", A, C)
    repository.commit("moved", {B: number(2)})
    repository.follow()
    before = repository.contents()
    repository.checkout.sync(rebuild=True)
    assert repository.contents() == before
    assert repository.is_current()
    repository.commit("more", {C: number(2)})
    repository.follow()
    assert repository.touched()[C] == ["more", "moved", "first"]


def test_a_first_index_has_no_history_and_does_not_wait_for_it(repository):
    repository.commit("first", {A: number(1)})
    repository.checkout.sync()
    assert repository.contents()["commits"] == []


def test_an_amended_commit_replaces_the_one_before(repository):
    repository.commit("first", {A: number(1)})
    repository.commit("typo", {B: number(1)})
    repository.follow()
    repository.git("commit", "-q", "--amend", "-m", "corrected")
    assert repository.follow().commits == 2
    assert repository.touched() == {A: ["first"], B: ["corrected"]}


def test_another_branch_shows_its_own_history(repository):
    repository.commit("first", {A: number(1), B: number(1)})
    repository.git("checkout", "-q", "-b", "side")
    repository.commit("aside", {A: number(2), B: number(2)}, author=("Bob", "bob@example.org"))
    repository.follow()
    aside = repository.contents()
    repository.git("checkout", "-q", "main")
    repository.commit("onwards", {A: number(3)})
    repository.follow()
    assert repository.touched() == {A: ["onwards", "first"], B: ["first"]}
    assert repository.people() == {("Ann", "ann@example.org")}
    repository.git("checkout", "-q", "side")
    repository.follow()
    assert repository.contents() == aside


def test_a_rewritten_history_is_read_anew_where_the_old_one_is_gone(repository):
    repository.commit("first", {A: number(1)})
    repository.commit("second", {A: number(2)})
    repository.follow()
    repository.git("checkout", "-q", "--orphan", "other")
    repository.commit("all anew", {B: number(1)})
    repository.git("branch", "-q", "-D", "main")
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.git("gc", "-q", "--prune=now")
    repository.follow()
    assert repository.touched() == {A: ["all anew"], B: ["all anew"]}
    assert len(repository.contents()["commits"]) == 1


def test_a_force_pushed_branch(repository, make_repository):
    repository.commit("first", {A: number(1)})
    repository.commit("second", {A: number(2)})
    git(repository.root.parent, "clone", "-q", str(repository.root), "clone")
    clone = make_repository("clone")
    clone.follow()
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.commit("instead", {A: number(3), B: number(1)})
    clone.git("fetch", "-q")
    clone.git("reset", "-q", "--hard", "origin/main")
    clone.follow()
    assert clone.touched() == {A: ["instead", "first"], B: ["instead"]}


def test_a_rebase_keeps_the_commits_below_and_replaces_the_others(repository):
    repository.commit("first", {A: number(1)})
    repository.git("checkout", "-q", "-b", "side")
    for value in range(3):
        repository.commit(f"aside {value}", {B: number(value)})
    repository.follow()
    repository.git("checkout", "-q", "main")
    repository.commit("second", {A: number(2)})
    repository.git("checkout", "-q", "side")
    repository.git("rebase", "-q", "main")
    repository.follow()
    expected = repository.git("log", "--format=%H").split()
    assert {row[0] for row in repository.contents()["commits"]} == set(expected)
    assert sorted(repository.touched()[B]) == ["aside 0", "aside 1", "aside 2"]


def test_an_unborn_branch_has_no_history(repository):
    repository.checkout.write(A, number(1))
    assert repository.follow() == (0, 0, False, "")
    assert repository.is_current()
    repository.commit("first")
    repository.follow()
    repository.git("checkout", "-q", "--orphan", "empty")
    repository.follow()
    assert repository.contents()["commits"] == []
    assert repository.is_current()


def test_a_folder_without_git_has_no_history(make_repository, tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    (root / ".git").mkdir()  # no repository, as it has no HEAD
    plain = make_repository("plain")
    plain.checkout.write(A, number(1))
    assert plain.follow().commits == 0
    assert plain.is_current()


def test_a_detached_head_and_a_worktree(repository, make_repository, tmp_path):
    first = repository.commit("first", {A: number(1)})
    repository.commit("second", {A: number(2)})
    repository.git("checkout", "-q", "--detach", first)
    repository.follow()
    assert repository.touched() == {A: ["first"]}
    repository.git("worktree", "add", "-q", str(tmp_path / "linked"), "main")
    linked = make_repository("linked")
    linked.follow()
    assert linked.touched() == {A: ["second", "first"]}
    assert repository.touched() == {A: ["first"]}


def test_octopus_merges_and_several_roots(repository):
    repository.commit("root", {A: number(1)})
    for name, path in (("one", B), ("two", C)):
        repository.git("checkout", "-q", "--orphan", name)
        repository.git("rm", "-q", "-rf", ".")
        repository.commit(f"root of {name}", {path: number(1)})
    repository.git("checkout", "-q", "main")
    repository.commit("before", {A: number(2)})
    # what an octopus merge is made of, as git's own strategy takes no unrelated histories
    for path in (B, C):
        repository.checkout.write(path, number(1))
    repository.git("add", "-A")
    tree = repository.git("write-tree")
    parents = [part for name in ("main", "one", "two") for part in ("-p", name)]
    octopus = repository.git("commit-tree", tree, *parents, "-m", "octopus")
    repository.git("reset", "-q", "--hard", octopus)
    repository.follow()
    assert repository.touched() == {A: ["before", "root"], B: ["root of one"], C: ["root of two"]}
    assert len(repository.contents()["commits"]) == 5
    assert repository.together() == {}


def test_slices_follow_one_another(repository, monkeypatch):
    for value in range(12):
        files = {A: number(value), B: number(value)} if value % 2 else {A: number(value)}
        repository.commit(f"number {value}", files)
    repository.follow()
    whole = repository.contents()
    repository.forget()
    repository.checkout.graph.write("MATCH (n) WHERE n:Commit OR n:Person DETACH DELETE n")
    repository.checkout.graph.write("MATCH ()-[e:CO_CHANGES]->() DELETE e")
    monkeypatch.setattr(reading, "FIRST_SLICE", 5)
    monkeypatch.setattr(reading, "NEXT_SLICE", 4)
    assert repository.read(most_slices=1) == (5, 5, False, "")
    assert repository.touched()[A] == [f"number {value}" for value in (11, 10, 9, 8, 7)]
    assert not repository.is_current()
    repository.commit("meanwhile", {B: number(12)})
    assert repository.read(most_slices=1) == (6, 1, False, "")
    assert repository.read() == (13, 7, True, "")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.follow()
    assert repository.contents() == whole


def test_what_was_rewritten_while_older_commits_are_still_to_come_is_read_anew(repository, monkeypatch):
    for value in range(8):
        repository.commit(f"number {value}", {A: number(value)})
    monkeypatch.setattr(reading, "FIRST_SLICE", 3)
    monkeypatch.setattr(reading, "NEXT_SLICE", 3)
    repository.checkout.sync()
    repository.read(most_slices=1)
    repository.git("reset", "-q", "--hard", "HEAD~5")
    repository.follow()
    assert repository.touched()[A] == ["number 2", "number 1", "number 0"]


def test_only_so_many_commits_are_kept(repository, monkeypatch):
    for value in range(9):
        repository.commit(f"number {value}", {A: number(value)})
    monkeypatch.setattr(reading, "FIRST_SLICE", 3)
    monkeypatch.setattr(reading, "NEXT_SLICE", 4)
    monkeypatch.setattr(reading, "MAX_COMMITS", 6)
    assert repository.follow() == (6, 6, True, "")
    assert repository.is_current()


def test_two_readers_do_not_meet(repository):
    repository.commit("first", {A: number(1)})
    repository.checkout.sync()
    own = Keys(repository.keys.side("history-run"))
    with acquire_lock(repository.connection, repository.config, own), pytest.raises(IndexBusy):
        repository.read()
    assert repository.read().commits == 1


def test_an_index_made_anew_while_history_is_shown_gets_it_whole(repository, monkeypatch):
    """The graph is replaced between the moment when its files were looked at and the first write."""
    repository.commit("first", {A: number(1), B: number(1)})
    repository.checkout.sync()
    find_out = history_graph._difference
    left = [1]

    def rebuild_first(*args):
        if left:
            left.pop()
            repository.checkout.sync(rebuild=True)
        return find_out(*args)

    monkeypatch.setattr(history_graph, "_difference", rebuild_first)
    repository.read()
    assert repository.touched() == {A: ["first"], B: ["first"]}
    assert repository.is_current()


def test_what_a_killed_writer_left_is_completed(repository):
    """Commits without their authors and files, as between the two bulk loads."""
    repository.commit("first", {A: number(1), B: number(1)})
    repository.follow()
    whole = repository.contents()
    repository.forget()
    repository.checkout.graph.write("MATCH ()-[e:AUTHORED]->() DELETE e")
    repository.checkout.graph.write("MATCH ()-[e:TOUCHED]->() DELETE e")
    repository.read()
    assert repository.contents() == whole


def test_bulk_commits_say_nothing_of_pairs(repository):
    files = {f"many/{index}.py": number(index) for index in range(MAX_TOGETHER - 1)}
    repository.commit("bulk", {A: number(1), B: number(1), **files})
    repository.follow()
    assert repository.together() == {}
    assert repository.touched()[A] == ["bulk"]


def test_older_commits_weigh_less_and_those_of_the_future_no_more_than_now(repository):
    now = START + 4 * HALF_LIFE_S
    repository.commit("old", {A: number(1), B: number(1)}, at=now - 2 * HALF_LIFE_S)
    repository.commit("new", {C: number(1), "d.py": number(1)}, at=now)
    repository.commit("future", {"e.py": number(1), "f.py": number(1)}, at=now + 60 * HALF_LIFE_S)
    repository.follow()
    together = repository.together()
    assert 0 < together[A, B][1] < together[C, "d.py"][1]
    assert together["e.py", "f.py"][1] == 1.0


def test_a_mailmap_that_changes_renames_people(repository):
    repository.commit("first\n\nCo-authored-by: Ann B <second@example.org>\n", {A: number(1)})
    repository.follow()
    assert repository.people() == {("Ann", "ann@example.org"), ("Ann B", "second@example.org")}
    repository.commit(
        "mapped", {".mailmap": "Ann Brown <ann@example.org>\nAnn Brown <ann@example.org> <second@example.org>\n"}
    )
    repository.follow()
    assert repository.people() == {("Ann Brown", "ann@example.org")}
    assert len(repository.authors("first")) == 1


def test_replaced_and_grafted_commits(repository):
    first = repository.commit("first", {A: number(1)})
    second = repository.commit("second", {B: number(1)})
    repository.commit("third", {C: number(1)})
    repository.follow()
    assert repository.touched() == {A: ["first"], B: ["second"], C: ["third"]}
    repository.git("replace", "--graft", second)  # a root now
    repository.follow()
    assert {row[2] for row in repository.contents()["commits"]} == {"second", "third"}
    assert repository.touched()[A] == ["second"]  # which it brings now, as git shows it
    repository.git("replace", "-d", second)
    grafts = repository.root / ".git" / "info" / "grafts"
    grafts.write_text(f"{repository.git('rev-parse', 'HEAD')} {first}\n")
    repository.follow()
    assert {row[2] for row in repository.contents()["commits"]} == {"first", "third"}
    grafts.unlink()
    repository.follow()
    assert repository.touched() == {A: ["first"], B: ["second"], C: ["third"]}


def test_a_shallow_clone_ends_without_touching_its_whole_tree(repository, make_repository):
    for value in range(4):
        repository.commit(f"number {value}", {A: number(value), **({B: number(1)} if not value else {})})
    git(repository.root.parent, "clone", "-q", "--depth=2", f"file://{repository.root}", "shallow")
    shallow = make_repository("shallow")
    shallow.follow()
    assert shallow.touched() == {A: ["number 3"]}
    assert len(shallow.contents()["commits"]) == 2
    shallow.git("fetch", "-q", "--unshallow")
    shallow.follow()
    assert shallow.touched() == {A: [f"number {value}" for value in (3, 2, 1, 0)], B: ["number 0"]}


def test_where_git_cannot_tell_the_history_the_reason_is_kept(repository):
    repository.commit("first", {A: number(1)})
    second = repository.commit("second", {A: number(2)})
    first = repository.git("rev-parse", "HEAD~1")
    os.unlink(repository.root / ".git" / "objects" / first[:2] / first[2:])
    report = repository.follow()
    assert (report.commits, report.complete) == (0, True)
    assert report.failure
    assert repository.is_current()
    assert second == repository.git("rev-parse", "HEAD")
