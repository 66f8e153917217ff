"""The estimate by which a prompt decides whether to wait for a first index."""

from __future__ import annotations

import pytest

from engram.store.keys import graph_keys
from engram.store.progress import IndexProgress, progress_command, read_progress
from engram.store.wire import Connection
from engram.worktree import Worktree


@pytest.mark.parametrize(
    ("done", "told_at", "now", "low", "high"),
    [
        (500, 1003.0, 1003.0, 4.0, 6.0),  # half is read after 3 s: the whole takes some 8
        (500, 1003.0, 1005.0, 2.0, 4.0),
        (1000, 1003.0, 1003.5, 0.5, 1.5),
        (0, 1000.0, 1000.0, 0.0, 1.0),
    ],
)
def test_what_is_left_follows_from_what_was_read(
    done: int, told_at: float, now: float, low: float, high: float
) -> None:
    left = IndexProgress(done, 1000, 1000.0, told_at).seconds_left(now)
    assert left is not None
    assert low <= left <= high


@pytest.mark.parametrize(
    ("told_at", "now"), [(1001.0, 999.0), (990.0, 1001.0), (1001.0, 1100.0)], ids=["back", "back meanwhile", "late"]
)
def test_sometimes_nothing_can_be_said(told_at: float, now: float) -> None:
    assert IndexProgress(900, 1000, 1000.0, told_at).seconds_left(now) is None


def test_it_is_read_as_it_was_told(connection: Connection, server, tmp_path) -> None:
    keys = graph_keys(server, Worktree(str(tmp_path)))
    assert read_progress(connection, keys) is None
    progress = IndexProgress(3, 7, 1000.5, 1001.25)
    connection.call(*progress_command(keys, progress))
    assert read_progress(connection, keys) == progress
