from __future__ import annotations

import pytest

from engram.hooks.main import EVENTS
from tests.hooks.runner import Hooks
from tests.ingest.checkout import Checkout
from tests.shop import TASK

SLOW = set(
    "dataclasses typing re json subprocess socket functools collections argparse pathlib contextlib enum signal "
    "datetime logging tempfile shutil random hashlib inspect".split()
)
BUILT_UPON = {
    "engram.hooks.compaction": {"engram.hooks.session_start"},
    "engram.hooks.subagent_start": {"engram.hooks.dispatch"},
    "engram.hooks.agent_use": {"engram.hooks.tool_use"},
}
PAYLOADS = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": TASK},
    "SubagentStart": {"agent_id": "a1", "agent_type": "general-purpose"},
    "PreToolUse": {"tool_use_id": "t1", "tool_input": {"prompt": TASK, "file_path": "shop/prices.py"}},
}


@pytest.mark.parametrize(("event", "detail"), sorted(EVENTS), ids=" ".join)
def test_a_hook_imports_one_handler_and_nothing_slow(hooks: Hooks, indexed: Checkout, event: str, detail: str) -> None:
    payload = {**PAYLOADS.get(event, {}), ("source" if event == "SessionStart" else "tool_name"): detail or None}
    said = hooks.run(event, tell=True, **payload)
    modules = set(said.err.split())
    assert EVENTS[event, detail] in modules
    assert SLOW.isdisjoint(modules), SLOW & modules
    others = set(EVENTS.values()) - {EVENTS[event, detail]}
    assert (others & modules) <= BUILT_UPON.get(EVENTS[event, detail], set())
