"""ast: what a file defines, exports and imports; known languages and others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram.primitives.base import Scope
from engram.primitives.generic import GRAMMARS, outline

from .conftest import answer, call, refused, write

SHAPES = '''\
from os import path as p
import sys, json


@decorate
class Shape(Base):
    """A shape."""

    def area(self):
        def inner():
            return 1
        return inner()

    @property
    def name(self): return "x"


def main(): pass
async def later(): pass
_hidden = 1
'''


@pytest.fixture
def shapes(repo: Path) -> str:
    write(repo, {"shapes.py": SHAPES})
    return "shapes.py"


def names(scope: Scope, file: str, query: str) -> list[str]:
    return [one["qualname"] for one in answer(scope, "ast", file=file, query=query)["symbols"]]


def test_functions_and_classes_by_line(scope: Scope, shapes: str) -> None:
    data = answer(scope, "ast", file=shapes, query="functions")
    assert [(one["qualname"], one["line"], one["endLine"]) for one in data["symbols"]] == [
        ("Shape.area", 9, 12),
        ("Shape.area.inner", 10, 11),
        ("Shape.name", 14, 15),
        ("main", 18, 18),
        ("later", 19, 19),
    ]
    assert data["language"] == "python"
    classes = answer(scope, "ast", file=shapes, query="classes")["symbols"]
    assert classes == [
        {"name": "Shape", "qualname": "Shape", "kind": "class", "line": 5, "endLine": 15, "exported": True}
    ]


def test_exports_are_what_others_can_import(scope: Scope, shapes: str) -> None:
    exported = [one["name"] for one in answer(scope, "ast", file=shapes, query="exports")["symbols"]]
    assert {"Shape", "main", "later"} <= set(exported)
    assert not {"area", "inner", "_hidden"} & set(exported)


def test_exports_have_the_names_that_they_are_given(scope: Scope, repo: Path) -> None:
    source = (
        'import { x } from "./x";\nexport { z } from "./z";\nexport * from "./all";\nfunction f() {}\n'
        "export { f as g, x };\nexport default class A {}\nfunction hidden() {}\n"
    )
    write(repo, {"a.ts": source})
    symbols = answer(scope, "ast", file="a.ts", query="exports")["symbols"]
    assert [(one["name"], one["kind"], one["line"], one.get("exportedAs")) for one in symbols] == [
        ("x", "reexport", 1, None),
        ("z", "reexport", 2, None),
        ("*", "reexport", 3, None),
        ("f", "function", 4, "g"),
        ("A", "class", 6, "default"),
    ]


def test_on_one_line_the_symbol_named_last_before_the_column_is_meant(scope: Scope, repo: Path) -> None:
    write(repo, {"a.ts": "class A { m() { return 1 } n() { return 2 } }\n"})
    found = {
        column: answer(scope, "ast", file="a.ts", query="symbol-at", line=1, column=column)["symbols"][0]["qualname"]
        for column in (1, 7, 11, 20, 28, 40)
    }
    assert found == {1: "A", 7: "A", 11: "A.m", 20: "A.m", 28: "A.n", 40: "A.n"}


def test_imports_say_what_comes_from_where(scope: Scope, shapes: str) -> None:
    assert answer(scope, "ast", file=shapes, query="imports")["imports"] == [
        {"module": "os", "symbol": "path", "name": "p", "line": 1},
        {"module": "sys", "symbol": "", "name": "sys", "line": 2},
        {"module": "json", "symbol": "", "name": "json", "line": 2},
    ]


@pytest.mark.parametrize(
    ("line", "column", "chain"),
    [
        (11, 5, ["Shape.area.inner", "Shape.area", "Shape"]),
        (12, 1, ["Shape.area", "Shape"]),
        (5, 1, ["Shape"]),
        (13, 1, ["Shape"]),
        (1, 1, []),
    ],
)
def test_the_symbol_at_a_position_comes_with_those_around_it(
    line: int, column: int, chain: list[str], scope: Scope, shapes: str
) -> None:
    data = answer(scope, "ast", file=shapes, query="symbol-at", line=line, column=column)
    assert [one["qualname"] for one in data["symbols"]] == chain


@pytest.mark.parametrize(("line", "column"), [(99, 1), (1, 99), (0, 1), (1, 0), (-1, 1), ("x", 1)])
def test_positions_outside_of_the_file_are_refused(line: object, column: object, scope: Scope, shapes: str) -> None:
    assert refused(scope, "ast", file=shapes, query="symbol-at", line=line, column=column) == "invalid-argument"


def test_a_position_belongs_to_symbol_at_alone(scope: Scope, shapes: str) -> None:
    assert refused(scope, "ast", file=shapes, query="symbol-at") == "invalid-argument"
    assert refused(scope, "ast", file=shapes, query="functions", line=1, column=1) == "invalid-argument"
    assert refused(scope, "ast", file=shapes, query="methods") == "invalid-argument"


def test_at_most_200_symbols_and_how_many_more(scope: Scope, repo: Path) -> None:
    write(repo, {"many.py": "".join(f"def f{number}(): pass\n" for number in range(250))})
    wire = call(scope, "ast", {"file": "many.py", "query": "functions"})
    assert len(wire["data"]["symbols"]) == 200
    assert wire["leftOut"] == {"symbols": 50}


def test_a_broken_file_gives_what_can_be_read_and_says_so(scope: Scope, repo: Path) -> None:
    write(repo, {"broken.py": "def good(): pass\n\ndef bad(:\n"})
    data = answer(scope, "ast", file="broken.py", query="functions")
    assert data["issues"] == ["syntax-error"]
    assert "good" in [one["name"] for one in data["symbols"]]


def test_files_without_a_grammar_or_without_text(scope: Scope, repo: Path) -> None:
    write(repo, {"notes.xyz": "x\n", "image.py": b"\0\1"})
    assert refused(scope, "ast", file="notes.xyz", query="functions") == "unsupported-language"
    assert refused(scope, "ast", file="image.py", query="functions") == "file-unavailable"


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("a.lua", "local function f()\nend\nfunction M.g() end\n", [("f", 1, 2), ("M.g", 3, 3)]),
        ("a.rb", "class A\n  def f\n  end\nend\n", [("A", 1, 4), ("A.f", 2, 3)]),
        ("a.kt", "class A {\n  fun f() {}\n}\n", [("A", 1, 3), ("A.f", 2, 2)]),
        ("a.c", "struct S {\n  int x;\n};\nint *f(int a) {\n}\n", [("S", 1, 3), ("f", 4, 5)]),
        ("a.dart", "class A {\n  int f() => 1;\n}\n", [("A", 1, 3), ("A.f", 2, 2)]),
        ("a.hs", "f x = x\n", [("f", 1, 1)]),
        ("a.scala", "class A {\n  def f = 1\n}\nobject B\n", [("A", 1, 3), ("A.f", 2, 2), ("B", 4, 4)]),
        ("a.swift", "class A {\n  func f() {}\n}\n", [("A", 1, 3), ("A.f", 2, 2)]),
        ("a.php", "<?php\nfunction f() {}\nclass A { function g() {} }\n", [("f", 2, 2), ("A", 3, 3), ("A.g", 3, 3)]),
    ],
)
def test_other_languages_are_read_by_the_shape_of_their_grammar(
    path: str, source: str, found: list[tuple[str, int, int]]
) -> None:
    assert [(one.qualname, one.start, one.end) for one in outline(path, source.encode()).definitions] == found


def test_a_generic_answer_is_marked_and_does_not_guess(scope: Scope, repo: Path) -> None:
    write(repo, {"a.lua": "local function f()\nend\n"})
    data = answer(scope, "ast", file="a.lua", query="functions")
    assert (data["generic"], data["language"], data["symbols"][0]["name"]) == (True, "lua", "f")
    assert refused(scope, "ast", file="a.lua", query="imports") == "invalid-argument"
    assert refused(scope, "ast", file="a.lua", query="exports") == "invalid-argument"
    at = answer(scope, "ast", file="a.lua", query="symbol-at", line=2, column=1)
    assert [one["name"] for one in at["symbols"]] == ["f"]


def test_every_grammar_of_the_table_is_there() -> None:
    for extension in GRAMMARS:
        assert outline(f"a.{extension}", b"").definitions == []


def test_deep_nesting_does_not_exhaust_the_stack() -> None:
    assert outline("a.lua", b"x = " + b"{" * 20_000 + b"}" * 20_000).language == "lua"


@given(
    source=st.binary(max_size=300),
    extension=st.sampled_from(sorted({"py", "lua", "c", "cpp", "go", "java", "rb", "rs"})),
)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_any_bytes_have_an_outline(source: bytes, extension: str) -> None:
    for one in outline(f"a.{extension}", source).definitions:
        assert 1 <= one.start <= one.end
        assert one.name
