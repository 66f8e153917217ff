"""What the model is shown before it looks at anything: the card, the map, and after a compaction what it had found."""

from __future__ import annotations

import re
import time
from threading import Event

import pytest

from tests.client.driver import Client
from tests.client.model import Call, Request, Rule
from tests.patience import LIMIT_S, wait_until
from tests.shop import TASK

OTHER = "checkout_order in shop/checkout.py should know one more coupon"
MAP = "[engram] Likely locations for this task"
PLACE = "- shop/prices.py:9-12 order_total"
AGENT = Call(
    "Agent", description="look", subagent_type="general-purpose", prompt=f"SUBTASK: {TASK}", run_in_background=False
)


def maps(request: Request) -> int:
    """How often a map stands in what the model was shown."""
    return request.text.count(MAP)


def test_a_session_is_shown_the_card_and_the_map_of_its_task_once(client: Client):
    client.engram("index")
    first = client.run(TASK, [Rule("done")]).check()
    shown = first.asked("main")[0]
    assert "[engram] Repository repository, branch " in shown.text
    assert "- shop/prices.py order_total" in shown.text
    assert PLACE in shown.text
    assert "Tests: tests/test_prices.py" in shown.text
    assert maps(shown) == 1
    again = client.run(TASK, [Rule("done")], resume=first.session).check()
    assert maps(again.asked("main")[-1]) == 1  # that of the first prompt


def test_thanks_get_nothing(client: Client):
    client.engram("index")
    shown = client.run("thanks", [Rule("you are welcome")]).check().asked("main")[0]
    assert "[engram] Repository repository" in shown.text
    assert maps(shown) == 0


def test_a_question_to_engram_comes_with_its_map(client: Client):
    client.engram("index")
    run = client.run(f"/engram {TASK}", [Rule("## Provenance")]).check()
    assert PLACE in run.asked("main")[0].text


def test_the_first_session_in_a_repository_is_not_held_up_and_leaves_an_index(client: Client):
    run = client.run(TASK, [Rule("done")]).check()
    # on a busy machine the index may be there before the hook has looked
    assert re.search("the index is being made|indexed just now", run.asked("main")[0].text)
    wait_until(lambda: maps(client.run(TASK, [Rule("done")]).check().asked("main")[0]), "there is no map")


def test_a_subagent_is_shown_the_map_of_its_own_prompt_and_no_card(client: Client):
    client.engram("index")
    rules = [Rule(AGENT), Rule("SUB", asker="sub", shown="SUBTASK"), Rule("done", shown="SUB")]
    run = client.run(OTHER, rules).check()
    shown = run.asked("sub")[0].text
    assert PLACE in shown
    assert maps(run.asked("sub")[0]) == 1
    assert "[engram] Repository" not in shown


def test_of_two_subagents_at_once_each_gets_the_last_map_of_the_session(client: Client):
    client.engram("index")
    rules = [Rule([AGENT, AGENT]), Rule("SUB", asker="sub", times=2, delay=1.0), Rule("done", shown="SUB")]
    run = client.run(OTHER, rules).check()
    for request in run.asked("sub"):
        assert maps(request) == 1
        # one that starts before the client has told of the other call is known to belong to its own
        assert PLACE in request.text or "- shop/checkout.py:6-9 checkout_order" in request.text
        assert PLACE in request.text or "Tests: " not in request.text


def test_a_notification_of_the_client_is_no_task(client: Client):
    client.engram("index")
    background = Call("Agent", **{**AGENT.input, "run_in_background": True})
    asked = Event()

    def go_on(request: Request) -> str:
        asked.set()
        return "waiting"

    def find(request: Request) -> str:
        asked.wait(LIMIT_S)  # the turn that has started it goes on first
        time.sleep(1.5)
        return f"SUB found {TASK}"

    rules = [Rule(background), Rule(find, asker="sub"), Rule("done", shown="SUB found"), Rule(go_on)]
    run = client.run("thanks", rules).check()
    assert maps(run.asked("main")[-1]) == 0


def test_after_a_compaction_the_session_is_told_what_it_had_worked_out(client: Client):
    client.engram("index")
    edit = Call(
        "Edit",
        file_path=str(client.repository / "shop/prices.py"),
        old_string="    return total - total * discount // 100\n",
        new_string="    return total - round(total * discount / 100)\n",
    )
    rules = [
        Rule(Call("Read", file_path=str(client.repository / "shop/prices.py"))),
        Rule(edit),
        Rule(Call("Bash", command="false discount-check", description="run")),
        Rule("edited"),
    ]
    first = client.run(TASK, rules, allowed=["Read", "Edit", "Bash"]).check()
    client.run("/compact", [Rule("a summary of the conversation", asker="aux", times=0)], resume=first.session).check()
    run = client.run(TASK, [Rule("done")], resume=first.session).check()
    shown = run.asked("main")[0].text
    told = shown[shown.index("[engram] This session before the compaction") :]
    assert re.search(r"Edited: shop/prices.py \(order_total\)", told)
    assert told.index("Edited: ") < told.index("Last failing run: false discount-check") < told.index("Most read: ")


def test_the_open_tasks_outlive_a_compaction(client: Client):
    client.engram("index")
    rules = [
        Rule(Call("TaskCreate", subject="Round discounts", description="half to even")),
        Rule(Call("TaskCreate", subject="Tell the changelog", description="one line")),
        Rule(Call("TaskUpdate", taskId="1", status="completed")),
        Rule("one is done"),
    ]
    first = client.run(TASK, rules).check()
    if "No such tool available" in first.asked("main")[1].results:
        pytest.skip("this client keeps no list of tasks in -p")
    client.run("/compact", [Rule("a summary of the conversation", asker="aux", times=0)], resume=first.session).check()
    run = client.run("thanks", [Rule("done")], resume=first.session).check()
    shown = run.asked("main")[0].text
    assert "Open task: Tell the changelog" in shown
    assert "Open task: Round discounts" not in shown
