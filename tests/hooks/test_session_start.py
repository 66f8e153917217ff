from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from engram.hooks.test_command import find_test_command
from tests.hooks.runner import Hooks, nobody_indexes, settle, sync_log
from tests.ingest.checkout import Checkout

CARD = """[engram] Repository shop, branch main; indexed just now.
Core files (by how many others use them):
- shop/prices.py order_total, unit_price
Tests: pytest"""
AGE = r"indexed (just now|\d+ minutes? ago)"


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork"])
def test_the_card_tells_what_the_repository_is(hooks: Hooks, indexed: Checkout, source: str) -> None:
    said = hooks.start(source)
    assert (said.code, said.err) == (0, "")
    context = re.sub(AGE, "indexed just now", said.context)
    assert context == CARD
    assert said.reply == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": said.context}}


def test_the_first_session_starts_an_index_and_does_not_wait(hooks: Hooks, checkout: Checkout) -> None:
    with nobody_indexes(checkout):
        said = hooks.start()
    assert said.context == "[engram] Repository shop, branch main; the index is being made.\nTests: pytest"
    assert settle(hooks.home, hooks.root)
    assert re.search(AGE, hooks.start().context)


def test_a_sync_is_started_once_in_ten_seconds(hooks: Hooks, checkout: Checkout) -> None:
    hooks.start()
    assert settle(hooks.home, hooks.root)
    log = sync_log(hooks.home, hooks.root)
    first = log.stat().st_mtime_ns
    hooks.start()
    assert log.stat().st_mtime_ns == first
    long_ago = time.time() - 3600
    os.utime(log, (long_ago, long_ago))
    hooks.start()
    assert settle(hooks.home, hooks.root)
    assert log.stat().st_mtime > long_ago + 1


def test_a_time_of_the_log_that_is_to_come_does_not_keep_from_syncing(hooks: Hooks, checkout: Checkout) -> None:
    hooks.start()
    assert settle(hooks.home, hooks.root)
    os.utime(sync_log(hooks.home, hooks.root), (time.time() + 86_400,) * 2)
    checkout.write("shop/late.py", "def late_fee(): ...\n")
    hooks.start()
    assert settle(hooks.home, hooks.root)
    assert ["shop/late.py"] in checkout.rows("MATCH (f:File) RETURN f.path")


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"Makefile": "all:\n\ntest: all\n\tpytest\n"}, "make test"),
        ({"Makefile": "all:\n", "pytest.ini": "[pytest]\n"}, "pytest"),
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, "npm test"),
        ({"package.json": '{"scripts": {"test": "vitest"}}', "yarn.lock": ""}, "yarn test"),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, ""),
        ({"package.json": "not json"}, ""),
        ({"Cargo.toml": ""}, "cargo test"),
        ({"go.mod": ""}, "go test ./..."),
        ({"README.md": "run pytest"}, ""),
    ],
)
def test_the_test_command_follows_from_the_files(tmp_path: Path, files: dict[str, str], command: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert find_test_command(str(tmp_path)) == command


def test_a_fifo_in_the_place_of_a_makefile_hangs_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "Makefile")
    assert find_test_command(str(tmp_path)) == ""


def test_the_card_tells_what_others_are_editing(hooks: Hooks, indexed: Checkout) -> None:
    edit = {"tool_name": "Edit", "tool_use_id": "t1", "tool_input": {"file_path": f"{hooks.root}/shop/prices.py"}}
    assert hooks.run("PreToolUse", session_id="aaaaaaaa-1111", **edit).out == ""
    assert "Being edited: shop/prices.py by Claude Code aaaaaaaa (since " in hooks.start().context
    hooks.session = "aaaaaaaa-1111"
    assert "Being edited" not in hooks.start().context
