"""The log of commits beside the graph: what is stored is what was put, in its order, slice by slice."""

from __future__ import annotations

import pytest

from engram.history.facts import Commit, Person, unpack_slice
from engram.store import history_log
from engram.store.graph import transaction
from engram.store.history_log import HistoryLog, LogState, read_log_state
from engram.store.keys import graph_keys
from engram.worktree import Worktree


def commit(number: int) -> Commit:
    person = Person("ann@example.org", "Ann")
    path = f"pack/{number}.py"
    renamed = (("old.py", path),) if number % 3 == 0 else ()
    return Commit(f"{number:040x}", number, -number, f"number {number} \ud7ff", (person,), 1, (path,), (path,), renamed)


def commits(first: int, last: int) -> list[Commit]:
    """The newest, with the higher number, first."""
    return [commit(number) for number in range(last, first - 1, -1)]


@pytest.fixture
def keys(server, tmp_path):
    return graph_keys(server, Worktree(str(tmp_path)))


@pytest.fixture
def store(connection, keys):
    """Stores a log and loads it again."""

    def stored(log: HistoryLog) -> HistoryLog:
        transaction(connection, log.commands(keys))
        return HistoryLog.load(connection, keys)

    return stored


def test_nothing_is_an_empty_log(connection, keys):
    log = HistoryLog.load(connection, keys)
    assert (log.commits(), log.state, read_log_state(connection, keys)) == ([], LogState(), None)


def test_newer_ones_come_before_and_older_ones_behind(store, connection, keys):
    log = store(HistoryLog.empty())
    log.begin(LogState(head="b"), commits(20, 29))
    log = store(log)
    log.add_newer(log.state._replace(head="c"), commits(30, 32), set())
    log.add_older(log.state, commits(10, 19))
    log = store(log)
    log.add_newer(log.state._replace(head="d"), commits(33, 33), set())
    log.add_older(log.state._replace(complete=True), commits(0, 9))
    log = store(log)
    assert log.commits() == commits(0, 33)
    state = read_log_state(connection, keys)
    assert state == log.state
    assert (state.head, state.commits, state.complete) == ("d", 34, True)


def test_a_large_newest_slice_is_not_packed_again(store, connection, keys, monkeypatch):
    monkeypatch.setattr(history_log, "_SMALL", 3)
    log = HistoryLog.empty()
    log.begin(LogState(), commits(0, 5))
    log.commands(keys)
    for number in range(6, 12):
        log.add_newer(log.state, commits(number, number), set())
        [_, (_, _, written, packed)] = log.commands(keys)  # the state, and one slice
        assert (written, len(unpack_slice(packed))) == {6: (1, 1), 7: (1, 2), 8: (1, 3)}.get(number, (2, number - 8))
    assert log.commits() == commits(0, 11)


def test_what_is_gone_is_forgotten_wherever_it_stands(store):
    log = HistoryLog.empty()
    log.begin(LogState(), commits(10, 14))
    log.add_older(log.state, commits(5, 9))
    log = store(log)
    log.add_newer(log.state, commits(20, 20), {commit(number).sha for number in (7, 12, 14)})
    assert [one.at for one in store(log).commits()] == [20, 13, 11, 10, 9, 8, 6, 5]


def test_what_begins_anew_leaves_nothing_behind(store, connection, keys):
    log = HistoryLog.empty()
    log.begin(LogState(), commits(10, 14))
    log.add_older(log.state, commits(5, 9))
    log = store(log)
    log.begin(LogState(head="z"), commits(50, 51))
    assert store(log).commits() == commits(50, 51)
    assert connection.call("HLEN", keys.side("history")) == 2


def test_the_step_from_one_edition_to_the_next_is_told_if_it_is_small(monkeypatch):
    monkeypatch.setattr(history_log, "_SMALL", 3)
    log = HistoryLog.empty()
    log.begin(LogState(), commits(0, 5))
    assert (log.state.edition, log.state.since) == (1, -1)
    log.add_newer(log.state, commits(6, 7), {commit(5).sha})
    assert (log.state.edition, log.state.since) == (2, 1)
    assert (log.state.new, log.state.gone) == ((commit(7).sha, commit(6).sha), (commit(5).sha,))
    log.add_newer(log.state, commits(8, 11), set())
    assert (log.state.edition, log.state.since, log.state.new) == (3, -1, ())


def test_another_version_counts_as_nothing(store, connection, keys, monkeypatch):
    log = HistoryLog.empty()
    log.begin(LogState(version=0), commits(0, 1))
    assert store(log).commits() == []
    assert read_log_state(connection, keys) is None
