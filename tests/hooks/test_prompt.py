from __future__ import annotations

import threading
import time

import pytest

from engram.hooks.prompt import MAX_WAIT_S
from engram.hooks.task import asked_text
from engram.store.keys import graph_keys
from engram.store.progress import IndexProgress, progress_command
from engram.worktree import find_worktree
from tests.hooks.runner import Hooks, nobody_indexes, settle
from tests.ingest.checkout import Checkout
from tests.patience import PATIENCE
from tests.shop import TASK


def test_a_task_gets_its_map_once(hooks: Hooks, indexed: Checkout) -> None:
    said = hooks.prompt(TASK)
    assert (said.code, said.err) == (0, "")
    assert said.reply["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    lines = said.context.splitlines()
    assert lines[0].startswith("[engram] Likely locations for this task (code graph, confidence ")
    assert "- shop/prices.py:9-12 order_total" in lines
    assert lines[-1] == "Tests: tests/test_prices.py"
    assert hooks.prompt(TASK).out == ""


def test_another_session_is_shown_it_again(hooks: Hooks, indexed: Checkout) -> None:
    assert hooks.prompt(TASK).context
    assert hooks.prompt(TASK, session_id="another").context


@pytest.mark.parametrize(
    "prompt",
    [
        "thanks",
        "Yes, please continue.",
        "ok",
        "",
        "   ",
        "go ahead",
        "/compact",
        "/review shop/prices.py order_total",
        "<task-notification>\n<task-id>a</task-id>order_total in shop/prices.py is done</task-notification>",
        "!pytest tests",
        "Write a poem about the sea in autumn and the gulls above the harbour",
    ],
)
def test_what_is_no_task_gets_nothing(hooks: Hooks, indexed: Checkout, prompt: str) -> None:
    said = hooks.prompt(prompt)
    assert (said.code, said.out, said.err) == (0, "", "")


@pytest.mark.parametrize("command", ["/engram", "/engram:engram"])
def test_a_question_to_engram_gets_its_map_each_time(hooks: Hooks, indexed: Checkout, command: str) -> None:
    first = hooks.prompt(f"{command} {TASK}").context
    assert "order_total" in first
    assert hooks.prompt(f"{command} {TASK}").context == first


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("/engram where is x?", ("where is x?", True)),
        ("/engram", ("", True)),
        ("/engrams where", ("", False)),
        ("/src/app.py crashes at start", ("/src/app.py crashes at start", False)),
        ("fix parse_header", ("fix parse_header", False)),
        ("make the parser faster", ("make the parser faster", False)),
        ("yes do it", ("", False)),
    ],
)
def test_the_asked_text_of_a_prompt(prompt: str, asked: tuple[str, bool]) -> None:
    assert asked_text(prompt) == asked


def test_a_changed_file_is_left_out_and_indexed_for_the_next_prompt(hooks: Hooks, indexed: Checkout) -> None:
    indexed.write("shop/prices.py", "\n\n\n" + (indexed.root / "shop/prices.py").read_text())
    assert "shop/prices.py" not in hooks.prompt(TASK).context
    assert settle(hooks.home, hooks.root)
    assert "- shop/prices.py:12-15 order_total" in hooks.prompt(f"/engram {TASK}").context


def test_without_an_index_the_prompt_gets_nothing_at_once_and_one_is_made(hooks: Hooks, checkout: Checkout) -> None:
    with nobody_indexes(checkout):
        assert hooks.prompt(TASK).out == ""
    assert settle(hooks.home, hooks.root)
    assert hooks.prompt(TASK).context


def test_a_first_prompt_waits_for_an_index_that_is_nearly_done(hooks: Hooks, checkout: Checkout) -> None:
    checkout.sync()
    meta = graph_keys(checkout.config, find_worktree(str(checkout.root))).meta
    checkout.connection.call("RENAME", meta, f"{meta}-aside")  # as if it had not been swapped in yet
    _tell(checkout, IndexProgress(50, 100, time.time() - 18, time.time()))  # 30 seconds are left
    later = threading.Timer(0.4, checkout.connection.call, ["RENAME", f"{meta}-aside", meta])
    later.start()
    try:
        assert "order_total" in hooks.prompt(TASK).context
    finally:
        later.join()


@pytest.mark.parametrize("progress", [(1, 1000, -20.0), (10, 100, 3600.0)], ids=["long", "clock set back"])
def test_it_does_not_wait_for_one_that_takes_longer(
    hooks: Hooks, checkout: Checkout, progress: tuple[int, int, float]
) -> None:
    done, total, since = progress
    _tell(checkout, IndexProgress(done, total, time.time() + since, time.time()))
    began = time.monotonic()
    assert hooks.prompt(TASK).out == ""
    assert time.monotonic() - began < MAX_WAIT_S * float(PATIENCE)  # a hook that waits does so for that long


def test_the_indexer_tells_how_far_it_is_and_takes_it_back(checkout: Checkout) -> None:
    key = graph_keys(checkout.config, find_worktree(str(checkout.root))).side("progress")

    checkout.connection.call("SET", key, "left by a dead one")
    checkout.sync()
    assert checkout.connection.call("EXISTS", key) == 0


def _tell(checkout: Checkout, progress: IndexProgress) -> None:
    keys = graph_keys(checkout.config, find_worktree(str(checkout.root)))
    checkout.connection.call(*progress_command(keys, progress))
