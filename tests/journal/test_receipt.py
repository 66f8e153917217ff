"""Receipts: they hold elsewhere, and no change to one goes unseen."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engram.errors import BrokenChain, UnknownRequest
from engram.journal.folder import open_state
from engram.journal.log import Journal
from engram.journal.receipt import make_receipt, verify_receipt
from engram.journal.schema import RECEIPT_SCHEMA
from engram.journal.segments import Snapshot

from .conftest import draft, state


def _receipt(journal: Journal, ids: list[str]) -> dict[str, Any]:
    folder = open_state(journal.root)
    assert folder is not None
    with folder, Snapshot(folder) as snapshot:
        return make_receipt(snapshot, ids)


@pytest.fixture(scope="module")
def receipt(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    journal = Journal(str(tmp_path_factory.mktemp("receipt")), segment_bytes=2000)
    entries = [journal.append(draft(number, args={"n": number, "deep": [{"b": 1, "a": "é"}]})) for number in range(9)]
    return _receipt(journal, [entries[2].id, entries[5].id, entries[6].id])


def test_holds_without_the_journal(receipt: dict[str, Any]) -> None:
    Draft202012Validator(RECEIPT_SCHEMA).validate(receipt)
    assert [entry["seq"] for entry in receipt["entries"]] == [3, 6, 7]
    assert [link["seq"] for link in receipt["links"]] == [4, 5, 8, 9]
    report = verify_receipt(json.loads(json.dumps(receipt)))
    assert (report.problem, report.entries, report.links, report.head.seq) == ("", 3, 4, 9)


def test_gives_nothing_away_of_other_entries(receipt: dict[str, Any]) -> None:
    assert {tuple(link) for link in receipt["links"]} == {("seq", "digest")}


def test_holds_after_a_tool_sorted_its_members(receipt: dict[str, Any]) -> None:
    sorted_text = json.dumps(receipt, sort_keys=True, indent=2, ensure_ascii=False)
    assert verify_receipt(json.loads(sorted_text)).problem == ""


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [place for key, item in value.items() for place in _places(item, (*path, key))]
    if isinstance(value, list):
        return [place for index, item in enumerate(value) for place in _places(item, (*path, index))]
    return [path]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_changed_value_is_found(receipt: dict[str, Any], data: st.DataObject) -> None:
    changed = copy.deepcopy(receipt)
    *way, last = data.draw(st.sampled_from([place for place in _places(receipt) if place != ("at",)]))
    inner = changed
    for step in way:
        inner = inner[step]
    value = inner[last]
    if isinstance(value, str):
        at = data.draw(st.integers(0, max(0, len(value) - 1)))
        inner[last] = (
            value[:at] + data.draw(st.sampled_from("0f1Z ").filter(lambda c: c != value[at : at + 1])) + value[at + 1 :]
        )
    elif isinstance(value, bool):
        inner[last] = not value
    elif isinstance(value, int):
        inner[last] = value + data.draw(st.sampled_from([-1, 1, 7]))
    else:
        inner[last] = "x"
    assert verify_receipt(changed).problem


@pytest.mark.parametrize("part", ["entries", "links"])
@pytest.mark.parametrize("change", ["remove first", "remove last", "double"])
def test_removed_and_doubled_parts_are_found(receipt: dict[str, Any], part: str, change: str) -> None:
    items = receipt[part]
    changed = {"remove first": items[1:], "remove last": items[:-1], "double": [*items, items[0]]}[change]
    assert verify_receipt({**receipt, part: changed}).problem


@pytest.mark.parametrize("what", [None, [], {}, "x", {"format": "engram-receipt"}, 1])
def test_something_else_is_no_receipt(what: object) -> None:
    assert "is no receipt" in verify_receipt(what).problem


def test_only_of_a_journal_that_verifies(tmp_path: Path) -> None:
    journal = Journal.open(str(tmp_path))
    entry = journal.append(draft(1))
    journal.append(draft(2))
    with pytest.raises(UnknownRequest):
        _receipt(journal, ["00000000-0000-4000-8000-000000000000"])
    path = state(journal) / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b"s-1", b"s-2", 1))
    with pytest.raises(BrokenChain):
        _receipt(journal, [entry.id])
