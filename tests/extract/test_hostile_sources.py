"""Whatever the bytes are, there are facts, they are well formed, and they are the same every time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.extract.facts import MAX_EXPRESSION, MODULE, FileFacts, load_facts
from engram.extract.languages import LANGUAGES, PYTHON, Language, language_named
from engram.extract.parse import extract_facts, tightest_symbol
from engram.extract.shortening import LONG
from tests.hash_seeds import printed_by_any

JAVASCRIPT = language_named("javascript")
ANNOTATED = Path(__file__).parents[1] / "annotated"

# Pieces that mean something to one of the grammars, so that what is generated gets past their first line.
PIECES = [
    *[
        "def f(a, *b):",
        "class A(B):",
        "return x",
        "x = y.z()",
        "import a.b as c",
        "from . import d",
        "@dec",
        "lambda: 0",
    ],
    *[
        "for a, (b, *c) in d:",
        "with a as b:",
        "async ",
        "yield",
        "global g",
        "__all__ = ['f']",
        "if x:",
        "type T = int",
    ],
    *[
        "function f(a, {b}) {",
        "class A extends B {",
        "export default ",
        "module.exports = {",
        "=> ",
        "const {a, b: c} = ",
    ],
    *[
        "require('x')",
        "import('y')",
        "new X()",
        "<A b={c}/>",
        "a?.b!.c",
        "interface I {",
        "enum E {",
        "namespace N.M {",
    ],
    *[
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\n",
        "\n    ",
        "\t",
        "\r\n",
        "'",
        '"',
        '"""',
        "`",
        "${",
        ":",
        ",",
        "=",
        ";",
        "#",
        "//",
    ],
    *[
        "/**",
        "*/",
        "\ufeff",
        "ä",
        "\u2028",
        "\x00",
        "\U0001f600",
        "constructor(private a: B)",
        "this.x = ",
        "A.prototype.b = ",
    ],
]
sources = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from(PIECES), max_size=40).map(lambda parts: " ".join(parts).encode()),
    st.lists(st.one_of(st.sampled_from(PIECES).map(str.encode), st.binary(max_size=4)), max_size=30).map(b"".join),
)


def check(facts: FileFacts, source: bytes) -> None:
    assert load_facts(facts.dump()) == facts
    count = len(facts.definitions)
    lines = source.count(b"\n") + 1
    for index, row in enumerate(facts.definitions):
        assert 1 <= row.start <= row.line <= row.end <= lines
        assert MODULE <= row.scope < index
        assert row.name
        assert row.qualname.endswith(row.name)
        assert "\n" not in row.signature + row.doc
    for fact in [*facts.imports, *facts.calls, *facts.bindings]:
        assert MODULE <= fact.scope < count
        assert 1 <= fact.line <= lines
    for call in facts.calls:
        assert len(call.callee) <= MAX_EXPRESSION + 2 * LONG
    assert [call.line for call in facts.calls] == sorted([call.line for call in facts.calls])
    assert [row.line for row in facts.bindings] == sorted([row.line for row in facts.bindings])


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
@settings(max_examples=150, deadline=None)
@given(source=sources)
def test_any_bytes_have_facts(language: Language, source: bytes) -> None:
    facts = extract_facts("a/b", source, language)
    check(facts, source)
    assert extract_facts("a/b", source, language) == facts


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_damaged_source_has_facts(language: Language, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sorted(ANNOTATED.glob(f"{language.name}/*.*")))).read_bytes()
    start = data.draw(st.integers(0, len(source)))
    length = data.draw(st.integers(0, 200))
    damaged = source[:start] + data.draw(st.binary(max_size=5)) + source[start + length :]
    check(extract_facts("a", damaged, language), damaged)


def test_an_empty_file_has_no_lines_and_no_facts() -> None:
    facts = extract_facts("a.py", b"", PYTHON)
    assert facts == FileFacts(facts.version, "a.py", "python", 0, [], [], [], [], [], [])


def test_bytes_that_are_no_utf8_are_said_and_replaced() -> None:
    facts = extract_facts("a.py", b"def caf\xe9(): pass\n\ndef fine(): pass\n", PYTHON)
    assert "not-utf8" in facts.issues
    assert facts.definitions[-1].name == "fine"
    check(facts, b"\n\n\n")


def test_a_byte_order_mark_and_dos_lines_change_nothing() -> None:
    source = "class Ä:\n    def f(self,\n          a):\n        '''Doc.\n        More.'''\n        return g(\n  a)\n"
    plain = extract_facts("a.py", source.encode(), PYTHON)
    dos = extract_facts("a.py", ("\ufeff" + source).replace("\n", "\r\n").encode(), PYTHON)
    assert dos == plain
    assert plain.definitions[1].signature == "def f(self, a)"
    assert plain.definitions[1].doc == "Doc."
    assert not plain.issues


def test_tabs_and_a_missing_last_newline_are_fine() -> None:
    facts = extract_facts("a.py", b"class A:\n\tdef f(self):\n\t\treturn g()", PYTHON)
    assert facts.lines == 3
    assert [(row.qualname, row.start, row.end) for row in facts.definitions] == [("A", 1, 3), ("A.f", 2, 3)]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        (PYTHON, b"x = " + b"(" * 20_000 + b")" * 20_000),
        (PYTHON, b"x = " + b"f(" * 5_000 + b")" * 5_000),
        (PYTHON, b"x = a" + b".b()" * 20_000),
        (PYTHON, b"x = [" + b"{'a': [1, 2, 3], 'b': 'text'}, " * 20_000 + b"]"),
        (PYTHON, b"".join([b" " * depth + b"def f():\n" for depth in range(300)]) + b" " * 300 + b"pass\n"),
        (PYTHON, b"x = '" + b"a" * 3_000_000 + b"'\n"),
        (PYTHON, b"a, " * 20_000 + b"b = c\n"),
        (PYTHON, b"a = " * 3_000 + b"b\n"),
        (JAVASCRIPT, b"a => " * 2_000 + b"1"),
        (JAVASCRIPT, b"x = a" + b"?.b()" * 20_000),
        (JAVASCRIPT, b"function a() {" * 20_000),
        (JAVASCRIPT, b"f(function () {" * 2_000 + b"})" * 2_000),
        (JAVASCRIPT, b"x = " + b"{a: " * 2_000 + b"1" + b"}" * 2_000),
    ],
    ids=lambda value: value.name if isinstance(value, Language) else value[:12].decode(),
)
def test_deep_or_long_sources_are_read_without_recursion(language: Language, source: bytes) -> None:
    check(extract_facts("a", source, language), source)


def test_symbols_around_a_line_are_the_tightest_chain() -> None:
    facts = extract_facts("a.py", b"class A:\n    def f(self):\n        pass\n\n    x = 1\n\ny = 2\n", PYTHON)
    assert [row.qualname for row in tightest_symbol(facts, 3)] == ["A", "A.f"]
    assert [row.qualname for row in tightest_symbol(facts, 5)] == ["A"]
    assert [row.qualname for row in tightest_symbol(facts, 7)] == ["y"]
    assert tightest_symbol(facts, 99) == []


def test_facts_are_the_same_under_any_hash_seed() -> None:
    code = (
        "import sys, hashlib, pathlib\n"
        "from engram.extract.parse import extract_facts, language_of\n"
        "digest = hashlib.sha256()\n"
        "for path in sorted(pathlib.Path(sys.argv[1]).glob('*/*.*')):\n"
        "    language = language_of(path.name)\n"
        "    if language:\n"
        "        digest.update(extract_facts(path.name, path.read_bytes(), language).dump())\n"
        "print(digest.hexdigest())\n"
    )
    assert len(printed_by_any(code, str(ANNOTATED))) == 65  # a digest and a newline
