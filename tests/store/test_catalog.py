"""Indexes that nobody needs leave the server; all others stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram.config import Config
from engram.store.catalog import drop_checkout, drop_unused, list_checkouts, note_used
from engram.store.graph import Graph
from engram.store.keys import graph_keys, machine_id
from engram.store.schema import Keys
from engram.store.wire import Connection
from engram.worktree import Worktree


def _checkout(connection: Connection, config: Config, folder: Path) -> Keys:
    """A checkout with a graph and things beside it."""
    folder.mkdir()
    keys = graph_keys(config, Worktree(str(folder)))
    Graph(connection, keys.graph).write("CREATE (:File)")
    connection.pipeline([("SET", keys.facts, 1), ("SET", keys.side_new("facts"), 1), ("SET", keys.activity, 1)])
    note_used(connection, config, keys, str(folder))
    return keys


def _left(connection: Connection, keys: Keys) -> int:
    return int(connection.call("EXISTS", keys.graph, keys.facts, keys.side_new("facts"), keys.activity))


def test_a_vanished_checkout_is_dropped_with_all_that_belongs_to_it(
    connection: Connection, server: Config, tmp_path: Path
) -> None:
    gone, kept = (_checkout(connection, server, tmp_path / name) for name in ("gone [*]\n", "kept"))
    (tmp_path / "gone [*]\n").rmdir()
    dropped = [checkout.root for checkout in drop_unused(connection, server)]
    assert str(tmp_path / "gone [*]\n") in dropped
    assert str(tmp_path / "kept") not in dropped
    assert (_left(connection, gone), _left(connection, kept)) == (0, 4)
    assert [c.base for c in list_checkouts(connection, server) if c.root.startswith(str(tmp_path))] == [kept.base]


def test_an_unused_checkout_is_dropped_and_a_used_one_is_not(
    connection: Connection, server: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = _checkout(connection, server, tmp_path / "old")
    used = _checkout(connection, server, tmp_path / "used")
    connection.call("HSET", f"engram:{machine_id(server)}:checkouts", old.base, f"1000000000\n{tmp_path / 'old'}")
    assert str(tmp_path / "old") in [checkout.root for checkout in drop_unused(connection, server)]
    assert (_left(connection, old), _left(connection, used)) == (0, 4)


def test_a_checkout_whose_path_begins_like_another_is_left_alone(
    connection: Connection, server: Config, tmp_path: Path
) -> None:
    one = _checkout(connection, server, tmp_path / "a")
    longer = Keys(f"{one.base}0")
    connection.call("SET", longer.facts, 1)
    assert drop_checkout(connection, server, one) == 4
    assert connection.call("EXISTS", longer.facts) == 1


def test_keys_tell_checkouts_apart_and_are_the_same_by_every_way(server: Config, tmp_path: Path) -> None:
    (tmp_path / "x y").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "x y")
    keys = graph_keys(server, Worktree(str(tmp_path / "x y")))
    assert keys.base == graph_keys(server, Worktree(str(tmp_path / "link"))).base
    assert keys.base != graph_keys(server, Worktree(str(tmp_path))).base
    assert keys.base.startswith(f"engram:{machine_id(server)}:x-y-")
