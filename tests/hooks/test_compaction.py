from __future__ import annotations

from typing import Any

from engram.journal.entry import Draft
from engram.journal.log import Journal
from tests.hooks.runner import SESSION, Hooks
from tests.ingest.checkout import Checkout
from tests.shop import TASK

EDIT = {
    "file_path": "shop/prices.py",
    "old_string": "    return total - total * discount // 100\n",
    "new_string": "    return total - round(total * discount / 100)\n",
}


def entry(
    checkout: Checkout, tool: str, args: dict[str, Any], *files: str, ok: bool = True, session: str = SESSION
) -> None:
    """Journal a call as the hook of its tool does."""
    shown = dict.fromkeys(files, "0" * 64)
    Journal.open(str(checkout.root)).append(Draft(tool, args, ok, {}, False, shown, 1, session))


def test_after_a_compaction_the_session_is_told_what_it_had_worked_out(hooks: Hooks, indexed: Checkout) -> None:
    entry(indexed, "Edit", {**EDIT, "file_path": "shop/refund.py"}, "shop/refund.py", session="another")
    entry(indexed, "Read", {"file_path": "shop/checkout.py"}, "shop/checkout.py")
    entry(indexed, "Read", {"file_path": "shop/checkout.py"}, "shop/checkout.py")
    entry(indexed, "read", {"file": "shop/prices.py"}, "shop/prices.py")
    source = indexed.root / "shop/prices.py"
    source.write_text(source.read_text().replace(EDIT["old_string"], EDIT["new_string"]))
    entry(indexed, "Edit", EDIT, "shop/prices.py")
    entry(indexed, "Bash", {"command": "pytest -k early"}, ok=False)
    entry(indexed, "Bash", {"command": "pytest -k discount"}, ok=False)
    entry(indexed, "Bash", {"command": "git status"})
    entry(indexed, "recurse", {"action": "answer", "id": "1.1", "text": "Discounts are whole per cents."})
    hooks.run("TaskCreated", task_id="1", task_subject="Round discounts")
    hooks.run("TaskCreated", task_id="2", task_subject="Update the changelog")
    hooks.run("TaskCompleted", task_id="1", task_subject="Round discounts")
    indexed.graph.write(
        "MERGE (s:Session {id: $s}) CREATE (s)-[:DECIDED]->(:Decision {id: 'd', text: 'Round half to even'}) "
        "CREATE (s)-[:LEARNED]->(:Lesson {id: 'l', text: 'Prices are in cents'})",
        {"s": SESSION},
    )
    hooks.prompt("/engram refund_order in shop/refund.py")
    lines = hooks.start("compact").context.splitlines()
    assert lines[:9] == [
        "[engram] This session before the compaction (from its journal):",
        "Edited: shop/prices.py (order_total)",
        "Decision: Round half to even",
        "Lesson: Prices are in cents",
        "Last failing run: pytest -k discount",
        "Open task: Update the changelog",
        "Answered: Discounts are whole per cents.",
        "Most read: shop/checkout.py (2x), shop/prices.py (1x)",
        "Last map:",
    ]
    assert "- shop/refund.py:6-8 refund_order" in lines[9:]


def test_a_run_that_succeeded_since_is_not_the_last_failing_one(hooks: Hooks, indexed: Checkout) -> None:
    entry(indexed, "Bash", {"command": "make lint"}, ok=False)
    entry(indexed, "Bash", {"command": "pytest"}, ok=False)
    entry(indexed, "Bash", {"command": "pytest"})
    assert "Last failing run: make lint" in hooks.start("compact").context


def test_without_a_past_the_card_is_shown(hooks: Hooks, indexed: Checkout) -> None:
    assert hooks.start("compact").context.startswith("[engram] Repository shop, branch main; indexed just now.")


def test_what_the_client_has_forgotten_is_shown_again(hooks: Hooks, indexed: Checkout) -> None:
    first = hooks.prompt(TASK).context
    assert first
    assert hooks.prompt(TASK).context == ""
    hooks.start("compact")
    assert hooks.prompt(TASK).context == first


def test_the_whole_list_of_tasks_replaces_the_one_before(hooks: Hooks, indexed: Checkout) -> None:
    todos = [("Count", "completed"), ("Weigh", "in_progress"), ("Pay", "pending")]
    listed = [{"content": content, "status": status, "activeForm": content} for content, status in todos]
    hooks.run("PostToolUse", tool_name="TodoWrite", tool_input={"todos": [{"content": "Old", "status": "pending"}]})
    hooks.run("PostToolUse", tool_name="TodoWrite", tool_input={"todos": listed})
    lines = hooks.start("compact").context.splitlines()
    assert lines[1:] == ["Open task: Weigh", "Open task: Pay"]


def test_a_long_past_is_cut_from_its_end(hooks: Hooks, indexed: Checkout) -> None:
    for number in range(30):
        entry(indexed, "Edit", {}, f"shop/{'long' * 20}{number:02}.py")
    for number in range(10):
        hooks.run("TaskCreated", task_id=str(number), task_subject=f"{number}: " + "much to do " * 15)
    context = hooks.start("compact").context
    assert 1000 < len(context) <= 1200
    assert context.splitlines()[1].startswith("Edited: shop/long")
    assert context.splitlines()[1].endswith("29.py")
    assert "and 25 more files edited" in context
