from __future__ import annotations

from typing import Any

from tests.hooks.runner import Hooks, Said
from tests.ingest.checkout import Checkout
from tests.shop import TASK

OTHER = "refund_order in shop/refund.py gives back too much"


def call(hooks: Hooks, call_id: str, prompt: str, **given: Any) -> Said:
    tool_input = {"prompt": prompt, "description": "look", **given}
    return hooks.run("PreToolUse", tool_name="Agent", tool_use_id=call_id, tool_input=tool_input)


def start(hooks: Hooks, kind: str = "general-purpose") -> Said:
    return hooks.run("SubagentStart", agent_id="a1", agent_type=kind)


def test_a_subagent_gets_the_map_of_its_own_prompt(hooks: Hooks, indexed: Checkout) -> None:
    hooks.prompt(OTHER)
    assert call(hooks, "t1", TASK) == Said(0, "", "")
    said = start(hooks)
    assert said.reply["hookSpecificOutput"]["hookEventName"] == "SubagentStart"
    assert "order_total" in said.context
    assert "Tests: tests/test_prices.py" in said.context
    assert said.context.count("\n- ") <= 3


def test_of_two_open_calls_each_gets_the_last_map_of_the_session(hooks: Hooks, indexed: Checkout) -> None:
    shown = hooks.prompt(OTHER).context
    call(hooks, "t1", TASK)
    call(hooks, "t2", TASK)
    for said in (start(hooks), start(hooks)):
        assert "refund_order" in said.context
        assert set(said.context.splitlines()) <= set(shown.splitlines())
        assert said.context.count("\n- ") <= 3
        assert "Tests:" not in said.context
    call(hooks, "t3", TASK)
    assert "- shop/prices.py" in start(hooks).context.splitlines()[1]


def test_without_any_map_a_subagent_gets_nothing(hooks: Hooks, indexed: Checkout) -> None:
    assert start(hooks) == Said(0, "", "")


def test_a_recurse_request_gets_nothing(hooks: Hooks, indexed: Checkout) -> None:
    hooks.prompt(OTHER)
    call(hooks, "t1", f"{TASK}\nENGRAM-RECURSE-REQUEST {{}}", subagent_type="engram:recurse")
    assert start(hooks, "engram:recurse").out == ""
    call(hooks, "t2", f"{TASK}\nENGRAM-RECURSE-REQUEST {{}}", subagent_type="general-purpose")
    assert start(hooks).out == ""


def test_a_call_without_a_prompt_is_no_error(hooks: Hooks, indexed: Checkout) -> None:
    before = hooks.log()
    said = hooks.run("PreToolUse", tool_name="Agent", tool_use_id="t1", tool_input={"prompt": 7})
    assert (said, hooks.log()) == (Said(0, "", ""), before)
