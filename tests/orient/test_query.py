from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.orient.query import MAX_GRAMS, MAX_NAMES, MAX_PATHS, MAX_TERMS, parse_query, path_in
from engram.orient.signals import fields_of

HOSTILE = [
    "",
    "\x00\x01\x02" * 1000,
    bytes(range(256)).decode("latin-1"),
    b"\xff\xfe\x80".decode("utf-8", "surrogateescape"),
    "(a+)+$ [z-a] (?P<x>.*) \\",
    "MATCH (n) DETACH DELETE n RETURN n; ' OR 1=1 -- CYPHER a=`b` \"",
    "`" * 10_000,
    "<!--" * 10_000,
    "a.py" * 5_000,
    "(" * 10_000,
    "/" * 10_000 + ".py",
    'File "' * 1_000,
    "\n".join(["```"] * 999),
    "   \u2028\u2029\x85\x0b\x0c word \u200b",
    "中文标题 解析器错误 parser",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_too_strange(text: str) -> None:
    query = parse_query(text)
    assert len(query.terms) <= MAX_TERMS
    assert len(query.names) <= MAX_NAMES
    assert len(query.paths) <= MAX_PATHS
    assert len(query.grams) <= MAX_GRAMS
    assert all(isinstance(field, bytes) for field in fields_of(query))


@given(st.text(max_size=2_000))
def test_equal_texts_give_equal_queries(text: str) -> None:
    assert parse_query(text) == parse_query(text)


@pytest.mark.parametrize(
    "piece", ["word ", "a_b.c(d) `x` 1.2.3 http://x.y/z.py\n", "\n", "x" * 999 + " ", "a/b.py:1:", "Foo1 "]
)
def test_a_megabyte_is_read_in_the_time_of_what_counts_of_it(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()
    parse_query(text)
    assert time.process_time() - began < 0.5  # 60,000 characters take some 10 ms; a quadratic scan would take minutes


def test_the_title_weighs_more_than_code_and_code_more_than_prose() -> None:
    query = parse_query("alpha fails\n\nbravo does `charlie` and\n\n```\ndelta()\n```")
    weights = {term: query.terms[term] for term in (b"alpha", b"bravo", b"charlie", b"delta")}
    assert weights[b"alpha"][0] > weights[b"charlie"][0] > weights[b"delta"][0] > weights[b"bravo"][0]
    assert weights[b"alpha"][1] > 0
    assert weights[b"bravo"][1] == 0
    assert weights[b"charlie"][2] > 0
    assert weights[b"delta"][2] == 0


def test_names_are_found_as_they_are_written() -> None:
    query = parse_query("Choice.normalize_choice is wrong\n\nthe parser calls resolve(x), see `Plain` and MixedCase")
    names = {mention.name: mention for mention in query.names}
    assert names["normalize_choice"].in_title
    assert {"resolve", "Plain", "MixedCase"} <= names.keys()
    assert "parser" not in names


def test_a_web_address_is_no_prose_but_its_words_count_a_little() -> None:
    query = parse_query("site broken\n\nsee https://www.example-site.org/watch/video today")
    assert query.terms[b"video"][0] < query.terms[b"today"][0]


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("src/click/types.py:406,", "src/click/types.py"),
        ("`types.py`", "types.py"),
        ("(lib/a.js)", "lib/a.js"),
        ('File="C:\\code\\app.py"', "/code/app.py"),
        ("https://host/x/y.py#L3", "//host/x/y.py"),
        ("node.json", ""),
        ("a.pyx", ""),
        (".py", ""),
        ("e.g.", ""),
    ],
)
def test_paths_are_freed_of_what_stands_around_them(word: str, path: str) -> None:
    assert path_in(word) == path


def test_operators_and_built_in_functions_name_the_methods_that_they_call() -> None:
    query = parse_query("wrong length of sums\n\n`len(a + b)`, but not 2 - 1 in prose\n\n```\nprint(c[0])\n```")
    assert query.operators == {"__len__", "__add__", "__str__", "__getitem__"}
    assert parse_query("nothing set as code: a + b").operators == frozenset()
