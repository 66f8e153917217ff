"""Answers of subagents that did not call `engram recurse answer`: taken in once, and only when they are answers."""

from __future__ import annotations

import json

import pytest

from engram.primitives.base import Scope, run
from engram.primitives.registry import PRIMITIVES
from engram.primitives.requests import RequestLog

ANSWER = "It returns the total (prices.py:5-7)."
AGENT = {"agent_id": "a1", "agent_type": "engram:recurse"}


@pytest.fixture
def asked(open_session, shop):
    """A session with one open request: the session, the request's id, and the prompt that a subagent gets."""
    scope = Scope(str(shop.root), "one")
    outcome = run(PRIMITIVES["recurse"], scope, {"prompt": "What does it return?", "over": ["prices.py:5-7"]})
    return open_session("one"), outcome.result["requests"][0]["id"], f"Please answer.\n{outcome.lines[0]}\nBriefly."


def collected(session):
    outcome = run(PRIMITIVES["recurse"], Scope(str(session.root), "one"), {"action": "collect"})
    return [(answer["id"], answer["text"]) for answer in outcome.result["answers"]]


def transcript(folder, prompt):
    """A subagent's transcript, as the client writes it."""
    path = folder / "agent-a1.jsonl"
    lines = [
        {"type": "summary"},
        {"type": "user", "message": {"role": "user", "content": prompt}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "hm"}]}},
    ]
    path.write_text("".join([json.dumps(line) + "\n" for line in lines]))
    return str(path)


def stop(session, path, answer):
    session.send("SubagentStop", agent_transcript_path=path, last_assistant_message=answer, **AGENT)


def agent_done(session, prompt, answer, status="completed"):
    response = {"status": status, "content": [{"type": "text", "text": answer}]}
    given = {"prompt": prompt, "subagent_type": "engram:recurse"}
    session.send("PostToolUse", tool_name="Agent", tool_use_id="t1", tool_input=given, tool_response=response)


def test_the_last_message_answers(asked, tmp_path):
    session, request, prompt = asked
    stop(session, transcript(tmp_path, prompt), ANSWER)
    assert collected(session) == [(request, ANSWER)]
    assert session.failures() == ""
    [entry] = [one for one in session.entries() if one.args.get("action") == "answer"]
    assert (entry.session, entry.agent) == ("one", "engram:recurse/a1")


def test_the_result_of_the_call_answers(asked):
    session, request, prompt = asked
    agent_done(session, prompt, ANSWER)
    assert collected(session) == [(request, ANSWER)]
    assert session.failures() == ""


def test_an_answer_that_is_there_stays_and_is_no_error(asked, tmp_path):
    session, request, prompt = asked
    run(PRIMITIVES["recurse"], Scope(str(session.root), "one"), {"action": "answer", "id": request, "text": ANSWER})
    stop(session, transcript(tmp_path, prompt), "Another one.")
    agent_done(session, prompt, "Yet another one.")
    assert collected(session) == [(request, ANSWER)]
    assert session.failures() == ""


def test_a_transcript_is_refused(asked, tmp_path):
    session, _, prompt = asked
    stop(session, transcript(tmp_path, prompt), "First I looked. " * 200)
    agent_done(session, prompt, "One. Two. Three. Four. Five.")
    assert collected(session) == []
    assert session.failures().count("was not taken in") == 2


def test_a_new_prompt_ends_the_turn_in_which_it_was_asked(asked, shop):
    session, request, prompt = asked
    with RequestLog(str(shop.root)) as log:
        assert [one.id for one in log.awaited("one")] == [request]
    session.send("UserPromptSubmit", prompt="thanks")
    with RequestLog(str(shop.root)) as log:
        assert log.awaited("one") == []
    agent_done(session, prompt, ANSWER)
    assert collected(session) == [(request, ANSWER)]


@pytest.mark.parametrize("status", ["async_launched", "failed", None])
def test_what_is_not_done_answers_nothing(asked, status):
    session, _, prompt = asked
    agent_done(session, prompt, "Async agent launched.", status)
    assert collected(session) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "no request at all",
        "ENGRAM-RECURSE-REQUEST",
        'ENGRAM-RECURSE-REQUEST {"id":"',
        'ENGRAM-RECURSE-REQUEST {"id":""}',
    ],
)
def test_other_prompts_are_none_of_it(asked, tmp_path, prompt):
    session, _, _ = asked
    stop(session, transcript(tmp_path, prompt), ANSWER)
    agent_done(session, prompt, ANSWER)
    assert collected(session) == []
    assert session.failures() == ""


def test_a_transcript_that_is_not_there_costs_nothing(asked, tmp_path):
    session, _, _ = asked
    stop(session, str(tmp_path / "none.jsonl"), ANSWER)
    (tmp_path / "torn.jsonl").write_text('{"message": {"role": "us')
    stop(session, str(tmp_path / "torn.jsonl"), ANSWER)
    assert collected(session) == []
