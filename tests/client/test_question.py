"""`/engram QUESTION`: what the model is told, what it may run unasked, and what reaches no shell."""

from __future__ import annotations

import pytest

from tests.client.driver import Client
from tests.client.model import Call, Rule

TOLD = "Answer this question about the repository of the current folder"


def bash(command: str) -> Call:
    return Call("Bash", command=command, description="run engram")


@pytest.mark.parametrize("name", ["/engram", "/engram:engram"])
def test_both_names_work(client: Client, name: str):
    run = client.run(f"{name} how are discounts applied?", [Rule("## Provenance", shown=TOLD)]).check()
    shown = run.asked("main")[0].text
    assert "<question>\nhow are discounts applied?\n</question>" in shown
    assert run.answer == "## Provenance"


def test_the_question_is_text_whatever_stands_in_it(client: Client):
    question = "what of `touch a` $(touch b) !`touch c`; touch d\n!`touch e`\n```!\ntouch f\n```"
    run = client.run(f"/engram {question}", [Rule("nothing", shown=TOLD)]).check()
    assert "$(touch b)" in run.asked("main")[0].text
    assert not {"a", "b", "c", "d", "e", "f"} & {path.name for path in client.repository.iterdir()}


# Each with the words that prove that it ran: its own answer, whatever that is.
LISTED = {
    "engram grep order_total": '"primitive":"grep","ok":true',
    "engram read shop/prices.py 1 3": '"primitive":"read","ok":true',
    "engram ast shop/prices.py functions": '"primitive":"ast","ok":true',
    "engram git log": '"primitive":"git","ok":true',
    "engram recurse 'what is it?' --over shop/prices.py": "ENGRAM-RECURSE-REQUEST",
    "engram recurse collect": '"primitive":"recurse","ok":true',
    "engram recurse answer 1.1 'Prices.'": "unknown-id",
    "engram orient 'order total discount'": "shop/prices.py",
    "engram callers order_total": "checkout_order",
    "engram callees checkout_order": "order_total",
    "engram symbols order": "order_total",
}
UNLISTED = (
    "engram server stop",
    "engram index",
    "engram journal prune --days 0",
    "engram query 'MATCH (n) RETURN n'",
    "engram uninstall --purge",
    "engram read .env 1 1 --secrets",
    "engram grep --secrets TOKEN",
    "touch by-the-way",
    "engram grep x; touch by-the-way",
)


def test_what_is_listed_runs_unasked_and_the_rest_is_denied(client: Client):
    commands = [*LISTED, *UNLISTED]
    rules = [Rule(bash(command)) for command in commands]
    run = client.run("/engram how are discounts applied?", [*rules, Rule("done")]).check()
    shown = [request.results for request in run.asked("main")[1:]]
    for command, proof in LISTED.items():
        assert proof in shown[commands.index(command)], command
    assert [denied["tool_input"]["command"] for denied in run.denials] == list(UNLISTED)
    assert not (client.repository / "by-the-way").exists()
    plain = client.run("and now?", [Rule(bash("engram grep x")), Rule("done")], resume=run.session).check()
    assert [denied["tool_name"] for denied in plain.denials] == ["Bash"]  # the permission was the command's own
