"""recurse: handles, grouping, depth, answers, and the state that follows from the journal."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.activity.prompted import note_prompt
from engram.primitives import requests
from engram.primitives.base import Scope, run
from engram.primitives.groups import MAX_SLICES, Groups
from engram.primitives.recurse import MARKER, count_sentences
from engram.primitives.registry import PRIMITIVES
from engram.primitives.slices import MAX_SLICE_BYTES, Slice, Sources
from tests.patience import LIMIT_S

from .conftest import SOURCE_ROOT, answer, call, refused, with_budget, write


def ask(scope: Scope, prompt: str = "What is it?", *over: str, **others: Any) -> dict[str, Any]:
    return answer(scope, "recurse", prompt=prompt, over=list(over), **others)


def ids(data: dict[str, Any]) -> list[str]:
    return [one["id"] for one in data["requests"]]


def places(data: dict[str, Any]) -> list[str]:
    return [handle.partition("@")[0] for one in data["requests"] for handle in one["slices"]]


def give(scope: Scope, request: str, text: str = "It is so.") -> dict[str, Any]:
    return answer(scope, "recurse", action="answer", id=request, text=text)


def test_a_request_is_printed_on_a_line_of_its_own(scope: Scope) -> None:
    outcome = run(PRIMITIVES["recurse"], scope, {"prompt": "Why?", "over": ["src/app.py:4-6"]})
    (line,) = outcome.lines
    marker, _, text = line.partition(" ")
    request = json.loads(text)
    assert marker == MARKER == "ENGRAM-RECURSE-REQUEST"
    assert (request["prompt"], request["depth"], request["id"]) == ("Why?", 4, outcome.result["requests"][0]["id"])
    assert request["slices"] == outcome.result["requests"][0]["slices"]
    place, _, digest = request["slices"][0].partition("@")
    assert (place, len(digest)) == ("src/app.py:4-6", 16)
    assert "class App" not in line


@pytest.mark.parametrize(
    ("handle", "expected"),
    [
        ("src/app.py:4-6", ["src/app.py:4-6"]),
        ("src/app.py:4", ["src/app.py:4-4"]),
        ("src/app.py:9-500", ["src/app.py:9-10"]),
        ("src/app.py#App.run", ["src/app.py:5-6"]),
        ("src/app.py#main", ["src/app.py:9-10"]),
        ("src/app.py", ["src/app.py:1-10"]),
        ("src", ["src/app.py:1-10", "src/web/list.ts:1-1"]),
        ("src/**/*.ts", ["src/web/list.ts:1-1"]),
        ("*.{py,md}", ["README.md:1-3", "src/app.py:1-10"]),
    ],
)
def test_handles_name_ranges_symbols_files_folders_and_globs(handle: str, expected: list[str], scope: Scope) -> None:
    assert places(ask(scope, "Why?", handle)) == expected


@pytest.mark.parametrize(
    ("handle", "kind"),
    [
        *(("../x:1-2", "path-outside-root"), ("nothing.py:1-2", "file-unavailable"), ("nothing", "file-unavailable")),
        *(
            ("src/app.py:6-4", "invalid-argument"),
            ("src/app.py:0-4", "invalid-argument"),
            ("src/app.py:11-12", "invalid-argument"),
        ),
        *(
            ("src/app.py#nope", "unknown-symbol"),
            ("README.md#x", "unsupported-language"),
            ("*.nope", "file-unavailable"),
        ),
        *(("abcdef123456", "unknown-id"), ("a\0b", "invalid-argument"), (".env", "secret-refused")),
    ],
)
def test_handles_that_name_nothing_are_refused(handle: str, kind: str, scope: Scope, repo: Path) -> None:
    write(repo, {".env": "A=b\n"})
    assert refused(scope, "recurse", prompt="Why?", over=[handle]) == kind


def test_a_file_with_the_look_of_a_range_or_a_symbol_is_that_file(scope: Scope, repo: Path) -> None:
    write(repo, {"a:1-2": "x\n", "a#b": "x\n", "deadbeef": "x\n"})
    assert places(ask(scope, "Why?", "a:1-2", "a#b", "deadbeef")) == ["a:1-2:1-1", "a#b:1-1", "deadbeef:1-1"]


def test_a_grep_expands_to_its_hits_and_neighbours_join(scope: Scope, repo: Path) -> None:
    write(repo, {"n.txt": "x\n2\n3\nx\n5\n6\n7\n8\n9\n10\nx\n"})
    found = call(scope, "grep", {"pattern": "^x", "path": "n.txt", "ctx": 1})
    expected = ["n.txt:1-5", "n.txt:10-11"]
    assert places(ask(scope, "Why?", found["journalId"])) == expected
    assert places(ask(scope, "Why again?", found["journalId"][:8])) == expected
    read = call(scope, "read", {"file": "n.txt", "from": 1, "to": 1})
    assert refused(scope, "recurse", prompt="Why?", over=[read["journalId"]]) == "unknown-id"


def test_a_handle_can_be_given_back_with_its_hash(scope: Scope) -> None:
    handle = ask(scope, "Why?", "src/app.py:4-6")["requests"][0]["slices"][0]
    assert ask(scope, "And?", handle)["requests"][0]["slices"] == [handle]


def test_requests_hold_16_slices_and_24_kilobytes(scope: Scope, repo: Path) -> None:
    write(repo, {f"small/{number:02}.txt": "x\n" for number in range(20)})
    assert [len(one["slices"]) for one in ask(scope, "Why?", "small")["requests"]] == [16, 4]
    write(repo, {"large.txt": ("y" * 99 + "\n") * 600})
    assert places(ask(scope, "Why not?", "large.txt")) == ["large.txt:1-245", "large.txt:246-490", "large.txt:491-600"]


def test_batch_makes_one_request_for_every_slice(scope: Scope, repo: Path) -> None:
    write(repo, {f"small/{number}.txt": "x\n" for number in range(3)})
    assert [len(one["slices"]) for one in ask(scope, "Why?", "small", each=True)["requests"]] == [1, 1, 1]


def test_a_question_about_no_place_is_one_request(scope: Scope) -> None:
    assert [one["slices"] for one in ask(scope)["requests"]] == [[]]


@pytest.mark.parametrize("prompt", ["", " \n", "x" * 2001])
def test_prompts_are_1_to_2000_characters(prompt: str, scope: Scope) -> None:
    assert refused(scope, "recurse", prompt=prompt) == "invalid-argument"


def test_depth_belongs_to_the_request(scope: Scope) -> None:
    parent = ""
    depths = []
    for _ in range(4):
        data = ask(scope, "Why?", **({"parent": parent} if parent else {}))
        depths.append(data["depth"])
        parent = ids(data)[0]
    assert depths == [4, 3, 2, 1]
    assert refused(scope, "recurse", prompt="Why?", parent=parent) == "depth-spent"


def test_without_a_parent_the_deepest_open_request_is_the_parent(scope: Scope) -> None:
    first = ids(ask(scope))[0]
    second = ask(scope, "And?")
    assert second["depth"] == 3
    give(scope, ids(second)[0])
    assert ask(scope, "Or?")["depth"] == 3
    other = scope.replace(session="other")
    assert ask(other)["depth"] == 4
    assert first


def test_the_variable_only_lowers_the_depth(scope: Scope) -> None:
    assert ask(scope.replace(depth=2))["depth"] == 2
    assert ask(scope.replace(session="b", depth=9))["depth"] == 4
    assert refused(scope.replace(session="c", depth=0), "recurse", prompt="Why?") == "depth-spent"
    parent = ids(ask(scope.replace(session="d")))[0]
    assert ask(scope.replace(session="d", depth=1), parent=parent)["depth"] == 1


def test_at_most_64_requests_of_a_session_are_open(scope: Scope, repo: Path) -> None:
    write(repo, {f"small/{number:03}.txt": "x\n" for number in range(70)})
    wire = call(scope, "recurse", {"prompt": "Why?", "over": ["small"], "each": True})
    assert wire["data"]["asked"] == 64
    assert wire["leftOut"] == {"slices": 6}
    assert refused(scope, "recurse", prompt="And?") == "too-many-open"
    give(scope, wire["data"]["requests"][0]["id"])
    assert ask(scope, "And?")["depth"] == 3
    assert refused(scope, "recurse", prompt="Or?") == "too-many-open"
    assert ask(scope.replace(session="other"))["depth"] == 4


def test_many_processes_at_once_keep_the_bound(scope: Scope, repo: Path) -> None:
    write(repo, {f"small/{number:03}.txt": "x\n" for number in range(30)})
    script = (
        "from engram.primitives.base import Scope, run\nfrom engram.primitives.registry import PRIMITIVES\nimport sys\n"
        "for n in range(5): run(PRIMITIVES['recurse'], Scope(sys.argv[1], 's'), "
        "{'prompt': f'{sys.argv[2]} {n}', 'over': ['small'], 'each': True})\n"
    )
    environment = {**os.environ, "PYTHONPATH": SOURCE_ROOT}
    running = [subprocess.Popen([sys.executable, "-c", script, str(repo), str(n)], env=environment) for n in range(3)]
    assert [one.wait(timeout=LIMIT_S) for one in running] == [0, 0, 0]
    with requests.RequestLog(str(repo)) as log:
        assert len(log.open_ones("s")) == 64


def test_requests_older_than_an_hour_are_not_open(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    old = ids(ask(scope))[0]
    now = time.time() + requests.OPEN_FOR_S + 1
    monkeypatch.setattr(requests.time, "time", lambda: now)
    assert ask(scope, "And?")["depth"] == 4
    assert give(scope, old)["answered"] == 1


@pytest.mark.parametrize("ended", ["a new prompt", "ten minutes"])
def test_what_nobody_waits_for_any_more_keeps_nobody_from_asking(
    ended: str, scope: Scope, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repo, {f"small/{number:03}.txt": "x\n" for number in range(70)})
    old = ids(ask(scope, "Why?", "small", each=True))
    assert refused(scope, "recurse", prompt="And?") == "too-many-open"
    note_prompt(str(repo), "other")
    assert refused(scope, "recurse", prompt="And?") == "too-many-open"
    if ended == "a new prompt":
        note_prompt(str(repo), scope.session)
    else:
        now = time.time() + requests.AWAITED_FOR_S + 1
        monkeypatch.setattr(requests.time, "time", lambda: now)
    fresh = answer(scope, "recurse", prompt="And?", over=["small"], each=True)
    assert (fresh["asked"], fresh["depth"]) == (64, 3)  # the old ones are unanswered all the same
    assert refused(scope, "recurse", prompt="Or?") == "too-many-open"
    assert give(scope, old[-1])["answered"] == 1
    assert answer(scope, "recurse", action="collect")["asked"] == 128


def test_a_prompt_makes_nothing_where_nobody_has_asked(scope: Scope, repo: Path) -> None:
    note_prompt(str(repo), scope.session)
    assert not (repo / ".engram").exists()


def test_a_prompt_to_come_counts_as_none(scope: Scope, repo: Path) -> None:
    """The clock was set back."""
    write(repo, {f"small/{number:03}.txt": "x\n" for number in range(64)})
    ask(scope, "Why?", "small", each=True)
    note_prompt(str(repo), scope.session)
    later = str(int((time.time() + 3600) * 1000))
    (repo / ".engram" / "recurse" / "turns" / scope.session).write_text(later)
    assert refused(scope, "recurse", prompt="And?") == "too-many-open"


def test_answers_are_collected_by_batch_and_by_session(scope: Scope, repo: Path) -> None:
    batch = ask(scope, "Why?", "src/app.py:1-2", "src/app.py:4-6", each=True)
    first, second = ids(batch)
    taken = give(scope, first, "  It starts\nthe app. ")
    assert (taken["asked"], taken["answered"], taken["replaced"]) == (2, 1, False)
    assert answer(scope, "recurse", action="collect", batch=batch["batch"]) == {
        "asked": 2,
        "answered": 1,
        "answers": [{"id": first, "text": "It starts the app.", "stale": False}],
    }
    give(scope, second, "Two.")
    assert give(scope, second, "Three.")["replaced"]
    ask(scope, "Else?")
    everything = answer(scope, "recurse", action="collect")
    assert (everything["asked"], [one["text"] for one in everything["answers"]]) == (
        3,
        ["It starts the app.", "Three."],
    )
    assert answer(scope.replace(session="other"), "recurse", action="collect")["asked"] == 0


@pytest.mark.parametrize("request_id", ["nope", "1a2b3c4d5e6f7a8b9.1", "../x", "a\0b", ".", "x" * 64])
def test_ids_that_were_never_asked_are_errors_and_journaled(request_id: str, scope: Scope) -> None:
    assert refused(scope, "recurse", action="answer", id=request_id, text="It is.") == "unknown-id"
    assert refused(scope, "recurse", prompt="Why?", parent=request_id) == "unknown-id"
    assert refused(scope, "recurse", action="collect", batch=request_id) == "unknown-id"


def test_what_belongs_to_another_action_is_refused(scope: Scope) -> None:
    assert refused(scope, "recurse", action="answer", id="x") == "invalid-argument"
    assert refused(scope, "recurse", action="collect", text="x") == "invalid-argument"
    assert refused(scope, "recurse", prompt="Why?", id="x") == "invalid-argument"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One.", 1),
        ("One", 1),
        ("One. Two! Three?", 3),
        ("See src/a.py:3, e.g. the loop in v1.2.", 1),
        ("It returns `None`. Nobody checks (see i.e. b.py). So it fails.", 3),
        ("- one\n- two\n\n- three\n1. four\n2) five", 5),
        ("It reads the file,\nsplits it and\nreturns both. Then\nit ends.", 2),
        ("One paragraph\n\nAnother", 2),
        ("\u5b83\u8bfb\u3002\u5b83\u5199\uff01\u597d\uff1f", 3),
        ("", 0),
        ("Is it? (Yes.) Fine.", 3),
    ],
)
def test_sentences_are_counted_as_people_do(text: str, count: int) -> None:
    assert count_sentences(text) == count


@pytest.mark.parametrize("text", ["One. Two. Three. Four.", "- a\n- b\n- c\n- d", " ", "x" * 1001])
def test_answers_are_1_to_3_sentences(text: str, scope: Scope) -> None:
    request = ids(ask(scope))[0]
    wire = call(scope, "recurse", {"action": "answer", "id": request, "text": text})
    assert wire["error"]["kind"] == "invalid-argument"
    assert "sentences" in wire["error"]["message"]


def test_an_answer_is_given_back_while_its_slices_hold(scope: Scope, repo: Path) -> None:
    request = ids(ask(scope, "Why?", "src/app.py:4-6"))[0]
    give(scope, request, "Because.")
    again = call(scope, "recurse", {"prompt": "Why?", "over": ["src/app.py:4-6"]})["data"]
    assert again["requests"][0]["answer"] == "Because."
    assert (again["asked"], again["answered"]) == (0, 1)
    other = ask(scope, "Why not?", "src/app.py:4-6")
    assert "answer" not in other["requests"][0]
    lines = (repo / "src/app.py").read_text().splitlines()
    write(repo, {"src/app.py": "\n".join([*lines[:4], "    def walk(self):", *lines[5:], ""])})
    changed = ask(scope, "Why?", "src/app.py:4-6")["requests"][0]
    assert "answer" not in changed
    assert changed["stale"] == "Because."
    collected = answer(scope, "recurse", action="collect")["answers"]
    assert [(one["id"], one["stale"]) for one in collected] == [(request, True)]


def test_an_answer_about_no_place_is_not_given_back(scope: Scope) -> None:
    give(scope, ids(ask(scope, "What is the plan?"))[0], "To wait.")
    assert list(ask(scope, "What is the plan?")["requests"][0]) == ["id", "slices"]


def test_a_change_elsewhere_in_the_file_leaves_an_answer_fresh(scope: Scope, repo: Path) -> None:
    give(scope, ids(ask(scope, "Why?", "src/app.py:4-6"))[0], "Because.")
    write(repo, {"src/app.py": (repo / "src/app.py").read_text() + "\n\nx = 1\n"})
    assert ask(scope, "Why?", "src/app.py:4-6")["requests"][0]["answer"] == "Because."


def test_the_state_is_rebuilt_from_the_journal(scope: Scope, repo: Path) -> None:
    batch = ask(scope, "Why?", "src/app.py:1-2", "src/app.py:4-6", each=True)
    give(scope, ids(batch)[0], "Because.")
    before = answer(scope, "recurse", action="collect")
    shutil.rmtree(repo / ".engram" / "recurse")
    assert answer(scope, "recurse", action="collect") == before
    assert ask(scope, "Why?", "src/app.py:1-2")["requests"][0]["answer"] == "Because."
    assert ask(scope, "And?")["depth"] == 3


def test_what_does_not_fit_the_budget_is_not_asked(scope: Scope, repo: Path) -> None:
    write(repo, {f"small/{number:03}.txt": "x\n" for number in range(30)})
    small = with_budget(scope, 4096)
    wire = call(small, "recurse", {"prompt": "Why? " * 50, "over": ["small"], "each": True})
    asked = wire["data"]["asked"]
    assert 1 <= asked < 30
    assert wire["leftOut"] == {"slices": 30 - asked}
    with requests.RequestLog(str(repo)) as log:
        assert len(log.open_ones(scope.session)) == asked
    tiny = with_budget(scope.replace(session="t"), 1024)
    assert call(tiny, "recurse", {"prompt": "x" * 2000})["error"]["kind"] == "invalid-argument"


def test_an_empty_file_is_nothing_to_ask_about(scope: Scope, repo: Path) -> None:
    write(repo, {"empty.py": ""})
    wire = call(scope, "recurse", {"prompt": "Why?", "over": ["empty.py"]})
    assert "no lines" in wire["error"]["message"]


def test_state_that_was_lost_in_a_crash_is_as_if_it_were_not_there(scope: Scope, repo: Path) -> None:
    batch = ask(scope)
    (repo / ".engram" / "recurse" / "batches" / batch["batch"]).write_text("")
    assert refused(scope, "recurse", action="answer", id=ids(batch)[0], text="It is.") == "unknown-id"
    assert ask(scope, "And?")["depth"] == 4


def test_more_files_than_are_kept_are_read_again(scope: Scope, repo: Path) -> None:
    write(repo, {f"small/{number:02}.txt": "x\n" for number in range(40)})
    give(scope, ids(ask(scope, "Why?", "small"))[0])
    assert not answer(scope, "recurse", action="collect")["answers"][0]["stale"]


def test_state_that_is_a_link_is_not_used(scope: Scope, repo: Path) -> None:
    (repo.parent / "elsewhere").mkdir()
    (repo / ".engram").mkdir()
    (repo / ".engram" / "recurse").symlink_to(repo.parent / "elsewhere")
    assert call(scope, "recurse", {"prompt": "Why?"})["error"]["kind"] == "unsafe-state"
    assert os.listdir(repo.parent / "elsewhere") == []


SLICES = st.lists(
    st.builds(lambda n, size: Slice("a", n, n, "0", size), st.integers(1, 500), st.integers(1, 9000)), max_size=60
)


@given(SLICES, st.booleans())
def test_groups_keep_every_slice_once_and_in_bounds(slices: list[Slice], each: bool) -> None:
    groups = Groups(iter(slices), each=each)
    made = []
    while (group := groups.take()) is not None:
        made.append(group)
        assert 1 <= len(group) <= (1 if each else MAX_SLICES)
        assert sum(one.size for one in group) <= MAX_SLICE_BYTES
    assert [one.handle for group in made for one in group] == list(dict.fromkeys(one.handle for one in slices))
    assert groups.rest(10) == (0, True)


@given(st.lists(st.integers(0, 30_000), min_size=1, max_size=30), st.integers(1, 40), st.integers(0, 40))
def test_cut_slices_cover_a_range_without_gaps(lengths: list[int], start: int, more: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"a.txt": "".join("x" * length + "\n" for length in lengths)})
        if start > len(lengths):
            return
        cut = list(Sources(folder, secrets=False).cut("a.txt", start, start + more))
    covered = [number for one in cut for number in range(one.start, one.end + 1)]
    assert covered == list(range(start, min(start + more, len(lengths)) + 1))
    assert all(one.size <= MAX_SLICE_BYTES or one.start == one.end for one in cut)
