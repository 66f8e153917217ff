"""No output is longer than its bound, whatever the values in it."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from engram.hooks.context import Reply
from engram.hooks.main import MAX_OUTPUT, render_reply
from engram.render.card import MAX_CARD, MAX_RECAP, Card, Recap, render_card, render_recap
from engram.render.map import shorten_map
from engram.store.core import CoreFile

texts = st.text(max_size=300) | st.text('\0\n"\\é\U0001f600x', max_size=3000) | st.just("long" * 900)
many = st.lists(texts, max_size=12)


@settings(max_examples=200, deadline=None)
@given(context=texts, deny=texts, notice=st.text(max_size=80))
def test_what_a_hook_prints_is_one_bounded_object(context: str, deny: str, notice: str) -> None:
    output = render_reply("PreToolUse", Reply(context, deny, notice))
    assert len(output) <= MAX_OUTPUT
    if output:
        told = json.loads(output)["hookSpecificOutput"]
        assert told["hookEventName"] == "PreToolUse"
        assert context.startswith(told.get("additionalContext", ""))
        assert (told.get("permissionDecision") == "deny") == bool(deny)
        assert deny.startswith(told.get("permissionDecisionReason", ""))
    else:
        assert not deny


@settings(max_examples=200, deadline=None)
@given(names=st.tuples(texts, texts), core=many, edited=many)
def test_a_card_keeps_to_its_bound(names: tuple[str, str], core: list[str], edited: list[str]) -> None:
    files = [CoreFile(path, (path, path)) for path in core]
    card = render_card(Card(*names, "indexed just now", files, "make test", edited))
    assert len(card) <= MAX_CARD
    assert card.startswith("[engram] Repository ")
    assert all(line.isprintable() for line in card.split("\n"))


@settings(max_examples=200, deadline=None)
@given(values=st.tuples(many, many, texts, many, many, many, texts))
def test_a_recap_keeps_to_its_bound(
    values: tuple[list[str], list[str], str, list[str], list[str], list[str], str],
) -> None:
    edited, learned, failing, tasks, answers, read, last_map = values
    recap = render_recap(
        Recap([(path, path) for path in edited], learned, failing, tasks, answers, [(p, 2) for p in read], last_map)
    )
    assert len(recap) <= MAX_RECAP


def test_a_short_map_has_three_places_and_no_tests() -> None:
    places = [f"- a.py:{line}-{line} f" for line in range(6)]
    assert shorten_map("\n".join(["head", *places, "Tests: t.py"])) == "\n".join(["head", *places[:3]])
    assert shorten_map("") == ""
