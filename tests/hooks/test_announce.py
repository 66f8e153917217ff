"""The line that says that the environment has been made, once, by whichever hook comes first."""

from __future__ import annotations

from pathlib import Path

from engram.hooks.announce import READY
from tests.hooks.runner import Hooks, Said, settle
from tests.ingest.checkout import Checkout
from tests.shop import TASK


def made(hooks: Hooks, folder: Path) -> Path:
    """Have the hooks run in an environment that a setup has just finished; returns its mark."""
    folder.mkdir()
    hooks.environment = str(folder)
    mark = folder / "announce"
    mark.touch()
    return mark


def test_a_session_says_it_before_its_card(hooks: Hooks, indexed: Checkout, tmp_path: Path) -> None:
    mark = made(hooks, tmp_path / "env")
    said = hooks.start()
    assert said.context.startswith(f"{READY}\n[engram] Repository shop, branch main;")
    assert said.reply["systemMessage"] == READY
    assert not mark.exists()
    assert READY not in hooks.start().out


def test_a_prompt_without_a_map_says_it_and_starts_the_first_index(
    hooks: Hooks, checkout: Checkout, tmp_path: Path
) -> None:
    made(hooks, tmp_path / "env")
    assert hooks.prompt("thanks").context == READY
    assert settle(hooks.home, hooks.root)
    assert hooks.prompt("thanks") == Said(0, "", "")
    assert "order_total" in hooks.prompt(TASK).context


def test_a_prompt_with_a_map_says_both(hooks: Hooks, indexed: Checkout, tmp_path: Path) -> None:
    made(hooks, tmp_path / "env")
    lines = hooks.prompt(TASK).context.splitlines()
    assert lines[0] == READY
    assert lines[1].startswith("[engram] Likely locations")


def test_other_events_leave_it_to_them(hooks: Hooks, indexed: Checkout, tmp_path: Path) -> None:
    mark = made(hooks, tmp_path / "env")
    assert hooks.run("SubagentStart", agent_id="a", agent_type="general-purpose").out == ""
    assert mark.exists()
