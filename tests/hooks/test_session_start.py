from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from engram.hooks.test_command import find_test_command
from engram.journal.entry import Draft
from engram.journal.log import Journal
from engram.processes import started
from tests.hooks.runner import Hooks, nobody_indexes, settle, sync_log
from tests.ingest.checkout import Checkout
from tests.leftovers import workers_of
from tests.patience import wait_until

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


def syncs(hooks: Hooks) -> list[int]:
    """The processes that bring the index of the checkout up to date, which hooks have started."""
    running = workers_of(hooks.home).items()
    return [
        process for process, command in running if b" index --background " in command and hooks.root.encode() in command
    ]


def test_one_sync_at_a_time_is_started(hooks: Hooks, checkout: Checkout) -> None:
    with nobody_indexes(checkout):
        for _ in range(3):
            hooks.start()
        assert len(syncs(hooks)) == 1
    assert settle(hooks.home, hooks.root)
    assert re.search("2 .*files|files.*", sync_log(hooks.home, hooks.root).read_text())


def test_the_next_one_is_started_as_soon_as_the_last_has_ended(hooks: Hooks, indexed: Checkout) -> None:
    for number in range(2):
        indexed.write(f"shop/late{number}.py", "def late_fee(): ...\n")
        hooks.start()
        assert settle(hooks.home, hooks.root)
        assert [f"shop/late{number}.py"] in indexed.rows("MATCH (f:File) RETURN f.path")


def test_a_sync_that_was_killed_keeps_nobody_from_the_next(hooks: Hooks, checkout: Checkout) -> None:
    with nobody_indexes(checkout):
        hooks.start()
        [process] = syncs(hooks)
        os.kill(process, signal.SIGKILL)
        wait_until(lambda: not started(process), "it lives on")
        assert settle(hooks.home, hooks.root)
        hooks.start()
        assert len(syncs(hooks)) == 1
    assert settle(hooks.home, hooks.root)
    assert checkout.rows("MATCH (f:File) RETURN count(f)")[0][0] > 0


def test_a_session_start_prunes_the_journal_where_that_is_due(hooks: Hooks, indexed: Checkout) -> None:
    journal = Journal(str(indexed.root), segment_bytes=1)
    for _ in range(3):
        journal.append(Draft("read", {}, True, {}, False, {}, 1, "one"))
    first = indexed.root / ".engram" / "journal.1.jsonl"
    first.write_text(first.read_text())
    hooks.start()
    assert settle(hooks.home, hooks.root)
    looked = indexed.root / ".engram" / "journal.looked"
    assert looked.exists()
    assert first.exists()  # it is young


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
