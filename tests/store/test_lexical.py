from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import NotIndexed
from engram.extract.facts import FACTS_VERSION, Definition, FileFacts
from engram.extract.words import SegmentBuilder
from engram.store.graph import transaction
from engram.store.lexical import (
    MAX_FIELDS,
    STATS,
    delta_size,
    publish_commands,
    read_postings,
    segment_commands,
    segment_key,
    unpack,
    update_commands,
)
from engram.store.wire import Connection


def segment(*files: tuple[int, str, str]) -> dict[bytes, bytes]:
    builder = SegmentBuilder()
    for number, path, source in files:
        function = Definition("run", "run", "function", 1, 2, 1, -1, "", "", True, [], [], [], "")
        facts = FileFacts(FACTS_VERSION, path, "python", 2, [], [function], [], [], [], [])
        builder.add_file(number, path, source.encode(), facts)
    return builder.dump()


def publish(connection: Connection, base: str, *segments: dict[bytes, bytes]) -> None:
    for index, built in enumerate(segments):
        connection.pipeline(segment_commands(segment_key(f"{base}:new", index), built))
    transaction(connection, publish_commands(f"{base}:new", base, len(segments)))


def documents(connection: Connection, base: str, field: bytes) -> list[int]:
    return sorted(read_postings(connection, base, [field]).bearers(field))


@pytest.fixture
def base(tmp_path: object) -> str:
    return f"lexical-test:{tmp_path}"


def test_segments_are_read_as_one_index(connection: Connection, base: str) -> None:
    texts = ["def run():\n    alpha(beta)\n", "def run():\n    alpha(gamma)\n", "def run():\n    delta\n"]
    publish(connection, base, *[segment((n, f"p{n}.py", text)) for n, text in enumerate(texts, 1)])
    assert documents(connection, base, b"alpha") == [1 << 12 | 1, 2 << 12 | 1]
    assert documents(connection, base, b"delta") == [3 << 12 | 1]
    postings = read_postings(connection, base, [b"alpha", b"nowhere"])
    assert (postings.files, postings.documents) == (3, 6)
    assert postings.bearers(b"nowhere") == []


def test_a_smaller_index_leaves_nothing_of_a_larger_one(connection: Connection, base: str) -> None:
    publish(connection, base, *[segment((n, f"p{n}.py", "def run():\n    alpha\n")) for n in (1, 2, 3)])
    transaction(connection, update_commands(connection, base, segment((4, "q.py", "def run():\n    alpha\n")), [1]))
    publish(connection, base, segment((5, "p.py", "def run():\n    alpha\n")))
    assert documents(connection, base, b"alpha") == [5 << 12 | 1]
    assert delta_size(connection, base) == (0, 0)


def test_a_changed_file_is_found_by_its_new_number_only(connection: Connection, base: str) -> None:
    publish(connection, base, segment((1, "a.py", "def run():\n    alpha\n"), (2, "b.py", "def run():\n    alpha\n")))
    for number in (3, 4):  # twice, so that the second update meets a delta
        changed = segment((number, "a.py", "def run():\n    alpha(beta)\n"))
        transaction(connection, update_commands(connection, base, changed, [1] if number == 3 else [3]))
    assert documents(connection, base, b"alpha") == [2 << 12 | 1, 4 << 12 | 1]
    assert documents(connection, base, b"beta") == [4 << 12 | 1]
    assert documents(connection, base, b"/a") == [4 << 12]
    assert delta_size(connection, base) == (4, 2)


def test_a_deleted_file_is_gone(connection: Connection, base: str) -> None:
    publish(connection, base, segment((1, "a.py", "def run():\n    alpha\n")))
    transaction(connection, update_commands(connection, base, {}, [1]))
    assert documents(connection, base, b"alpha") == []


def test_no_index_is_said(connection: Connection, base: str) -> None:
    with pytest.raises(NotIndexed):
        read_postings(connection, base, [b"alpha"])


def test_commands_stay_short() -> None:
    commands = segment_commands("key", {b"%d" % n: b"" for n in range(2 * MAX_FIELDS + 1)})
    assert [len(command) for command in commands] == [2 + 2 * MAX_FIELDS, 2 + 2 * MAX_FIELDS, 4]


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 255)), max_size=50))
def test_what_is_packed_is_unpacked(postings: list[tuple[int, int]]) -> None:
    packed = b"".join([bytes([impact]) + doc.to_bytes(4, "little") for doc, impact in postings])
    ids, impacts = unpack(packed)
    assert [*zip(ids, impacts, strict=True)] == postings


def test_an_empty_segment_still_counts() -> None:
    assert SegmentBuilder().dump() == {STATS: bytes(8)}
