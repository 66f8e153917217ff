from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from engram.config import Config
from engram.hooks.log import MAX_BYTES
from engram.store.server import open_connection, stop_server
from tests.hooks.runner import Hooks, Said, nobody_indexes, settle
from tests.ingest.checkout import Checkout
from tests.shop import TASK

EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart"]
NOTHING = Said(0, "", "")


@pytest.mark.parametrize("event", [*EVENTS, "Unknown", "", "Unknown mode"])
@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b"null", b'"text"', b"\xff\xfe", b'{"prompt": "a', b"[" * 100_000, b'{"a": NaN}'],
    ids=["empty", "brace", "list", "null", "string", "no UTF-8", "truncated", "deep", "NaN"],
)
def test_input_that_is_no_object_says_nothing_but_a_line_in_the_log(tmp_path: Path, event: str, raw: bytes) -> None:
    hooks = Hooks(str(tmp_path), str(tmp_path / "home"))
    assert hooks.run(event, raw=raw) == NOTHING
    [line] = hooks.log().splitlines()
    assert event in line


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("wrong", [7, None, [], {}, "x\0y", "\ud800"])
def test_members_of_another_type_are_no_error_of_the_user(
    hooks: Hooks, indexed: Checkout, event: str, wrong: object
) -> None:
    names = ("session_id", "prompt", "source", "tool_name", "tool_input", "tool_use_id", "agent_type", "agent_id")
    raw = json.dumps({"cwd": hooks.root, **dict.fromkeys(names, wrong)}).encode()
    said = hooks.run(event, raw=raw)
    assert (said.code, said.err) == (0, "")


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("cwd", [None, "/nonexistent/folder", "", "/"])
def test_a_missing_folder_says_nothing(hooks: Hooks, event: str, cwd: str | None) -> None:
    payload = (
        {"tool_name": "Agent", "tool_use_id": "t", "tool_input": {"prompt": TASK}} if event == "PreToolUse" else {}
    )
    assert hooks.run(event, cwd=cwd, prompt=TASK, **payload) == NOTHING


@pytest.mark.parametrize("event", ["", "PreToolUse and more words", "--help"])
def test_wrong_arguments_are_no_error_either(hooks: Hooks, event: str) -> None:
    assert hooks.run(event) == NOTHING


def test_an_unknown_event_leaves_a_line(hooks: Hooks) -> None:
    assert hooks.run("NoSuchEvent") == NOTHING
    assert "NoSuchEvent: InvalidArgument: nothing handles" in hooks.log()


def test_a_prompt_of_5_MB_is_ranked_in_time(hooks: Hooks, indexed: Checkout) -> None:
    before = getrusage(RUSAGE_CHILDREN)
    said = hooks.prompt(TASK + "\n" + "filler words of a log file\n" * 200_000)
    assert (said.code, said.err) == (0, "")
    assert len(said.out) <= 2000
    after = getrusage(RUSAGE_CHILDREN)  # processor time, which other work lengthens little
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 4


def test_a_folder_without_git_has_a_card_and_a_map(hooks: Hooks, checkout: Checkout) -> None:
    shutil.rmtree(checkout.root / ".git")
    with nobody_indexes(checkout):
        assert hooks.start().context.startswith("[engram] Repository shop; the index is being made.")
    assert settle(hooks.home, hooks.root)
    assert "order_total" in hooks.prompt(TASK).context


def test_a_large_folder_without_git_is_not_indexed_unasked(tmp_path: Path, engram_home: str) -> None:
    for folder in range(11):
        made = tmp_path / "all" / str(folder)
        made.mkdir(parents=True)
        for number in range(1000):
            (made / f"{number}.py").touch()
    hooks = Hooks(str(tmp_path / "all"), engram_home)
    assert hooks.start() == NOTHING
    assert hooks.prompt(TASK) == NOTHING
    assert "a folder without git" in hooks.log()
    assert not Path(engram_home, "sync").exists()


def test_a_deleted_repository_says_nothing(hooks: Hooks, indexed: Checkout) -> None:
    shutil.rmtree(indexed.root)
    assert hooks.prompt(TASK) == NOTHING
    assert hooks.start() == NOTHING


def test_a_server_that_was_killed_between_two_hooks_is_started_again(engram_home: str, tmp_path: Path) -> None:
    config = Config(home=engram_home)
    with open_connection(config) as connection:
        checkout = Checkout(tmp_path / "shop", connection, config, with_git=False)
        checkout.write("shop/prices.py", "def order_total(articles, discount): ...\n")
        checkout.sync()
    hooks = Hooks(str(checkout.root), engram_home)
    question = f"/engram {TASK}"
    assert "order_total" in hooks.prompt(question).context
    stop_server(config)
    assert hooks.prompt(question) == NOTHING
    assert settle(engram_home, hooks.root)
    assert "order_total" in hooks.prompt(question).context


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    for event in EVENTS:
        assert Hooks(str(tmp_path), str(home)).run(event, prompt=TASK) == NOTHING


def test_a_home_that_cannot_be_made_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for event in EVENTS:
        assert Hooks(str(tmp_path), str(tmp_path / "file" / "home")).run(event, prompt=TASK) == NOTHING


def test_where_no_sync_can_be_started_the_card_is_shown_all_the_same(hooks: Hooks, indexed: Checkout) -> None:
    shutil.rmtree(Path(hooks.home, "sync"), ignore_errors=True)
    Path(hooks.home, "sync").write_text("in the way")
    try:
        assert "- shop/prices.py order_total" in hooks.start().context
        assert "SessionStart: FileExistsError" in hooks.log()
    finally:
        Path(hooks.home, "sync").unlink()


def test_the_log_does_not_grow_beyond_its_bound(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "hook.log").write_bytes(b"x" * (MAX_BYTES + 1))
    hooks = Hooks(str(tmp_path), str(home))
    hooks.run("Unknown")
    hooks.run("Unknown")
    assert (home / "hook.log").stat().st_size < 1000
    assert (home / "hook.log.1").stat().st_size > MAX_BYTES


def test_a_line_of_the_log_is_one_line(tmp_path: Path) -> None:
    hooks = Hooks(str(tmp_path), str(tmp_path / "home"))
    hooks.run("SessionStart", cwd="/no\nsuch\u2028folder" + "x" * 5000)
    assert len(hooks.log().splitlines()) == 1
    assert len(hooks.log()) <= 401
