"""Journal entries as activity: folding them in one piece or in several comes to the same counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram.activity.folding import fold, milliseconds
from engram.journal.content import format_time, wire_of
from engram.journal.entry import Draft, from_wire

ROOT = "/checkout"
calls = st.lists(
    st.tuples(
        st.sampled_from(["Read", "read", "Edit", "Write", "Bash", "grep", "Agent"]),
        st.sampled_from(["one", "two", "term-3"]),
        st.sampled_from([None, "engram:recurse/a1", "worker/b"]),
        st.sampled_from(["a.py", "b/c.py"]),
        st.booleans(),
        st.integers(0, 10**12),
    ),
    max_size=30,
)


def entries(calls):
    """The calls as entries, numbered from 1."""
    made = []
    for number, (tool, session, agent, path, ok, at) in enumerate(calls, 1):
        draft = Draft(tool, {}, ok, {}, False, {path: "0" * 64}, 0, session, agent)
        wire = {**wire_of(draft), "seq": number, "at": format_time(at), "prev": "", "hash": ""}
        made.append(from_wire(wire))
    return made


@given(calls, st.integers(0, 30))
def test_the_whole_is_the_sum_of_its_parts(calls, cut):
    made = entries(calls)
    whole, first, second = fold(made, ROOT), fold(made[:cut], ROOT), fold(made[cut:], ROOT)
    counts = {}
    for one in (*first.touches, *second.touches):
        count, at = counts.get((one.session, one.path, one.kind), (0, 0))
        counts[one.session, one.path, one.kind] = (count + one.count, max(at, one.at))
    assert {(one.session, one.path, one.kind): (one.count, one.at) for one in whole.touches} == counts
    assert whole.swept == (first.swept or second.swept)
    assert whole.last == len(made)
    assert set(whole.edited) == {*first.edited, *second.edited}
    assert fold(reversed(made), ROOT) == whole


@given(calls)
def test_only_what_succeeded_counts(calls):
    folded = fold(entries(calls), ROOT)
    expected = sum(ok and tool in ("Read", "read", "Edit", "Write") for tool, _, _, _, ok, _ in calls)
    assert sum(one.count for one in folded.touches) == expected
    assert {stint.session for stint in folded.stints} == {session for _, session, *_ in calls}


@given(st.integers(0, 4_000_000_000_000))
def test_times_come_back(at):
    assert milliseconds(format_time(at)) == at


def test_who_was_at_work():
    made = entries([("Read", "one", None, "a.py", True, 1), ("read", "one", "engram:recurse/a1", "a.py", True, 5)])
    assert [(s.agent, s.began, s.at) for s in fold(made, ROOT).stints] == [
        ("Claude Code", 1, 5), ("engram:recurse", 5, 5)
    ]  # fmt: skip
    assert [s.agent for s in fold(entries([("read", "term-3", None, "a.py", True, 1)]), ROOT).stints] == ["terminal"]
