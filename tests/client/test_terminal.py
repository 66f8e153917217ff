"""The commands as people type them, in the interactive client."""

from __future__ import annotations

import pytest

from tests.client.driver import Client
from tests.client.model import Call, Model, Rule
from tests.client.terminal import Terminal


@pytest.mark.parametrize("name", ["/engram", "/engram:engram"])
def test_a_question_is_typed(client: Client, name: str):
    grep = Call("Bash", command="engram grep order_total", description="look")
    with (
        Model(
            [Rule(grep, shown="<question>"), Rule("It is in prices.", shown='"ok":true'), Rule("hm", times=0)]
        ) as model,
        Terminal(client, model.url) as terminal,
    ):
        terminal.type(f"{name} where is the total?")
        terminal.wait(lambda: any('"primitive":"grep"' in request.results for request in model.requests))
    asked = next(request for request in model.requests if "<question>" in request.news)
    assert "<question>\nwhere is the total?\n</question>" in asked.text
