"""A question split over subagents: who reads what, what comes back, and what the parent is shown of it."""

from __future__ import annotations

import json
import re

import pytest

from tests.client.driver import Client
from tests.client.model import Call, Request, Rule

SENTENCES = "Discounts are cut off in whole cents at shop/prices.py:12. Nothing rounds them up."
REQUEST = r"ENGRAM-RECURSE-REQUEST (\{.*?\})(?:\n|$)"


def bash(command: str) -> Call:
    return Call("Bash", command=command, description="run engram")


def dispatch(line: str) -> Call:
    return Call(
        "Agent",
        description="one slice",
        subagent_type="engram:recurse",
        prompt=f"ENGRAM-RECURSE-REQUEST {line}",
        run_in_background=False,
    )


def dispatch_all(request: Request) -> list[str | Call]:
    """One subagent for each request line that the model has just been shown."""
    return [dispatch(line) for line in re.findall(REQUEST, request.results)]


def read_slice(request: Request) -> Call:
    """The subagent reads the first slice of its request."""
    place = asked(request)["slices"][0]
    path, _, lines = place.partition("@")[0].rpartition(":")
    first, _, last = lines.partition("-")
    return bash(f"engram read {path} {first} {last}")


def asked(request: Request) -> dict:
    """The request that a subagent was given."""
    return json.loads(re.findall(REQUEST, request.text)[0])


def answer(request: Request) -> Call:
    return bash(f"engram recurse answer {asked(request)['id']} '{SENTENCES}'")


def subagents(number: int) -> list[Rule]:
    """What each of that many subagents does, as agents/recurse.md tells it to."""
    return [
        Rule(read_slice, asker="sub", shown="ENGRAM-RECURSE-REQUEST", times=number),
        Rule(answer, asker="sub", shown='"primitive":"read","ok":true', times=number),
        Rule(SENTENCES, asker="sub", shown='"replaced"', times=number),
    ]


def collect(request: Request) -> Call:
    return bash("engram recurse collect")


def test_a_round_trip(client: Client):
    run = client.run(
        "/engram are discounts rounded?",
        [
            Rule(bash("engram recurse 'are discounts rounded?' --over shop/prices.py")),
            Rule(dispatch_all, shown="ENGRAM-RECURSE-REQUEST"),
            *subagents(1),
            Rule(collect, shown="whole cents"),
            Rule("## Provenance", shown='"answers"'),
        ],
    ).check()
    first = run.asked("sub")[0]
    assert {"Bash"} <= set(first.tools) <= {"Bash", "Agent"}  # as agents/recurse.md says
    assert "You answer one request." in first.system
    assert not run.denials
    back, collected = [request.results for request in run.asked("main")[2:4]]
    assert SENTENCES in back
    assert json.loads(collected)["data"]["answers"][0]["text"] == SENTENCES
    entries = [json.loads(line) for line in client.engram("journal", "tail", "-n", "99", "--json").splitlines()]
    assert {entry["session"] for entry in entries} == {run.session}


# What the client puts around a subagent's last message: ids, a count of tokens, on the newer one a warning.
FRAME_CHARS = 900


def test_the_parent_is_shown_the_sentences_only(client: Client):
    """Four slices are read in full by subagents; the parent's conversation grows by sentences."""
    lines = [f"def number_{at}() -> int:\n    return {at}  # the number {at} as agreed on\n\n\n" for at in range(75)]
    text = "".join(lines)
    for part in range(4):
        (client.repository / f"numbers_{part}.py").write_text(text)
    run = client.run(
        "/engram what are these files?",
        [
            Rule(bash("engram recurse 'what is in it?' --over 'numbers_*.py' --batch")),
            Rule(dispatch_all, shown="ENGRAM-RECURSE-REQUEST"),
            *subagents(4),
            Rule("## Provenance", shown="whole cents"),
        ],
    ).check()
    read = sum(len(request.results) for request in run.asked("sub") if '"primitive":"read"' in request.results)
    assert read > 4 * len(text)
    back = run.asked("main")[-1].results
    assert back.count(SENTENCES) == 4
    assert len(back) <= 4 * (len(SENTENCES) + FRAME_CHARS)
    assert "number_" not in back
    assert all("number_7" not in request.text for request in run.asked("main"))


def test_subagents_ask_on_down_to_the_depth_limit(client: Client):
    """Each asks another one about its slice until engram, or the client, lets it ask no more; that one reads it."""

    def begin(request: Request) -> Call:
        given = asked(request)
        if "Agent" not in request.tools:
            return read_slice(request)
        return bash(f"engram recurse 'and below {given['depth']}?' --over shop/prices.py --parent {given['id']}")

    run = client.run(
        "/engram are discounts rounded?",
        [
            Rule(bash("engram recurse 'are discounts rounded?' --over shop/prices.py")),
            Rule(dispatch_all, shown="ENGRAM-RECURSE-REQUEST"),
            Rule(SENTENCES, asker="sub", shown='"replaced"', times=0),
            Rule(dispatch_all, asker="sub", shown='"asked":1', times=0),
            Rule(begin, asker="sub", shown="ENGRAM-RECURSE-REQUEST", times=0),
            Rule(answer, asker="sub", shown='depth-spent|"lines"|whole cents', times=0),
            Rule(collect, shown="whole cents"),
            Rule("## Provenance", shown='"answers"'),
        ],
    ).check()
    began = [request for request in run.asked("sub") if request.turn == 0]
    depths = [asked(request)["depth"] for request in began]
    # 2.1.332 offers the Agent tool to three levels of subagents, 2.1.197 to more than engram asks for
    assert depths in ([4, 3, 2, 1], [4, 3, 2])
    spent = any("depth-spent" in request.results for request in run.asked("sub"))
    assert spent if depths[-1] == 1 else "Agent" not in began[-1].tools
    collected = json.loads(run.asked("main")[-1].results)["data"]
    assert (collected["asked"], collected["answered"]) == (len(depths), len(depths))


@pytest.mark.parametrize("background", [False, True, None])
def test_a_last_message_is_taken_in_where_the_subagent_gave_no_answer(client: Client, background: bool | None):
    """It is waited for, whatever the model or the client's default says."""

    def dispatched(request: Request) -> Call:
        (call,) = dispatch_all(request)
        del call.input["run_in_background"]
        return Call("Agent", **call.input, **({} if background is None else {"run_in_background": background}))

    run = client.run(
        "/engram are discounts rounded?",
        [
            Rule(bash("engram recurse 'are discounts rounded?' --over shop/prices.py")),
            Rule(dispatched, shown="ENGRAM-RECURSE-REQUEST"),
            Rule(SENTENCES, asker="sub", shown="ENGRAM-RECURSE-REQUEST", delay=1.0),
            Rule(collect, shown="whole cents"),
            Rule("## Provenance", shown='"answers"'),
        ],
    ).check()
    answers = json.loads(run.asked("main")[-1].results)["data"]["answers"]
    assert [one["text"] for one in answers] == [SENTENCES]


def test_a_transcript_is_not_taken_in(client: Client):
    long = " ".join([f"Then I read line {line}." for line in range(40)])
    run = client.run(
        "/engram are discounts rounded?",
        [
            Rule(bash("engram recurse 'are discounts rounded?' --over shop/prices.py")),
            Rule(dispatch_all, shown="ENGRAM-RECURSE-REQUEST"),
            Rule(long, asker="sub", shown="ENGRAM-RECURSE-REQUEST"),
            Rule(collect, shown="I read line"),
            Rule("## Provenance", shown='"answers"'),
        ],
    ).check()
    assert json.loads(run.asked("main")[-1].results)["data"]["answers"] == []
