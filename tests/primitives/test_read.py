"""read: ranges, encodings, long lines."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.primitives.base import Scope
from engram.primitives.text import cut_around, decode

from .conftest import answer, call, refused, write


def read(scope: Scope, file: str, first: int, last: int) -> dict[str, Any]:
    return answer(scope, "read", **{"file": file, "from": first, "to": last})


def test_a_range_has_its_numbers_the_hash_of_the_file_and_its_length(scope: Scope, repo: Path) -> None:
    data = read(scope, "src/app.py", 4, 5)
    assert data["lines"] == [{"line": 4, "text": "class App:"}, {"line": 5, "text": "    def run(self):"}]
    assert data["sha256"] == hashlib.sha256((repo / "src/app.py").read_bytes()).hexdigest()
    assert (data["totalLines"], data["encoding"]) == (10, "utf-8")


@pytest.mark.parametrize(
    ("first", "last"), [(5, 4), (0, 3), (-1, 3), (1, 0), (11, 20), (10**9, 10**9), ("1", 2), (1.5, 2)]
)
def test_ranges_that_are_none_are_refused(first: object, last: object, scope: Scope) -> None:
    assert refused(scope, "read", **{"file": "src/app.py", "from": first, "to": last}) == "invalid-argument"


def test_a_range_that_ends_behind_the_file_ends_with_it(scope: Scope) -> None:
    assert [row["line"] for row in read(scope, "src/app.py", 9, 400)["lines"]] == [9, 10]


def test_at_most_400_lines_are_shown_and_the_rest_is_said(scope: Scope, repo: Path) -> None:
    write(repo, {"long.txt": "".join(f"{number}\n" for number in range(1, 1001))})
    wire = call(scope, "read", {"file": "long.txt", "from": 101, "to": 900})
    assert [row["text"] for row in wire["data"]["lines"]] == [str(number) for number in range(101, 501)]
    assert wire["truncated"]
    assert wire["leftOut"] == {"lines": 400, "from": 501, "to": 900}


def test_long_lines_are_cut_and_their_length_is_said(scope: Scope, repo: Path) -> None:
    write(repo, {"wide.txt": "x" * 5000 + "\nshort\n"})
    wide, short = read(scope, "wide.txt", 1, 2)["lines"]
    assert (len(wide["text"]), wide["length"]) == (2001, 5000)
    assert short == {"line": 2, "text": "short"}


def test_an_empty_file_has_no_lines(scope: Scope, repo: Path) -> None:
    write(repo, {"empty.py": ""})
    assert read(scope, "empty.py", 1, 10)["lines"] == []
    assert refused(scope, "read", **{"file": "empty.py", "from": 2, "to": 3}) == "invalid-argument"


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        (b"na\xefve\n", "not utf-8", "na\ufffdve"),
        (b"\xef\xbb\xbfna\xc3\xafve\n", "utf-8", "na\u00efve"),
        ("na\u00efve\n".encode("utf-16"), "utf-16", "na\u00efve"),
        ("na\u00efve\r\n".encode(), "utf-8", "na\u00efve"),
        ("a\u2028b\x0cc\n".encode(), "utf-8", "a\u2028b\x0cc"),
    ],
)
def test_encodings_are_shown_and_named(content: bytes, encoding: str, text: str, scope: Scope, repo: Path) -> None:
    write(repo, {"text.txt": content})
    data = read(scope, "text.txt", 1, 1)
    assert (data["encoding"], data["lines"][0]["text"]) == (encoding, text)


def test_a_binary_file_has_no_lines(scope: Scope, repo: Path) -> None:
    write(repo, {"image.png": b"\x89PNG\0\0\0"})
    assert refused(scope, "read", **{"file": "image.png", "from": 1, "to": 1}) == "file-unavailable"


def test_names_that_are_not_utf8_can_be_read(scope: Scope, repo: Path) -> None:
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    write(repo, {name: "x\n"})
    assert read(scope, name, 1, 1)["lines"] == [{"line": 1, "text": "x"}]


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_lines_are_as_many_as_git_and_ripgrep_count(data: bytes) -> None:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data.startswith(b"\xef\xbb\xbf"):
        return
    assert len(decode(data).lines) == data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


@given(st.text(max_size=80), st.integers(1, 90), st.integers(1, 40))
def test_a_cut_line_keeps_what_stands_at_the_column(line: str, column: int, width: int) -> None:
    cut = cut_around(line, column, width)
    assert len(cut) <= width + 2
    if len(line) > width and column <= len(line):
        assert line[column - 1] in cut
