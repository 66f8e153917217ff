"""Grammars, parsers and compiled queries, one of each per language and process."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import NamedTuple

from tree_sitter import Node, Parser, Query, QueryCursor, Tree

from engram.extract.languages import Language
from engram.extract.loading import load_grammar

Captures = dict[str, list[Node]]

# The capture that says what a pattern finds, and of which variety; `queries/README.md` explains each.
_FACT = re.compile(
    r"@((?:definition|holder|implementation|base|wrapper|anonymous|call|binding|import|export)(?:\.\w+)?)(?!\w)"
)


class Grammar(NamedTuple):
    """What reads one language: its parser, and its query with the fact capture of each pattern."""

    parser: Parser
    query: Query
    facts: list[str]

    def find(self, root: Node) -> dict[str, list[Captures]]:
        """Fact capture -> the captures of its matches, in the order in which the cursor finished them."""
        found: list[list[Captures]] = [[] for _ in self.facts]
        for pattern, captures in QueryCursor(self.query).matches(root):
            found[pattern].append(captures)
        by_fact: dict[str, list[Captures]] = {}
        for fact, matches in zip(self.facts, found, strict=True):
            if matches:
                by_fact.setdefault(fact, []).extend(matches)
        return by_fact


@cache
def grammar_of(language: Language, families: tuple[str, ...] = ()) -> Grammar:
    """The compiled grammar of a language; with `families` (the part of a fact before its dot), only with these.

    A pattern costs 0.3 to 1.5 ms to compile, in every process.  A pattern without exactly one fact capture is a
    ValueError: a bug in its query file.
    """
    compiled = load_grammar(language.grammar)
    patterns, facts = [], []
    for name in language.queries:
        for pattern in split_patterns(_read_query(name)):
            names = set(_FACT.findall(pattern))
            if len(names) != 1:
                raise ValueError(f"{name}: a pattern needs one fact capture, this has {sorted(names)}: {pattern}")
            fact = names.pop()
            if not families or fact.partition(".")[0] in families:
                patterns.append(pattern)
                facts.append(fact)
    return Grammar(Parser(compiled), Query(compiled, "\n".join(patterns)), facts)


def split_patterns(text: str) -> list[str]:
    """The patterns of a query file, each with the captures behind it and without comments on lines of their own."""
    text = re.sub(r"(?m)^\s*;.*$", "", text)
    starts, depth = [], 0
    for token in re.finditer(r'"(?:\\.|[^"\\])*"|[()\[\]]', text):
        if token[0] in "([":
            if not depth:
                starts.append(token.start())
            depth += 1
        elif token[0] in ")]":
            depth -= 1
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _read_query(name: str) -> str:
    """The text of a file in queries/; importlib.resources would cost 15 ms to import."""
    with open(os.path.join(os.path.dirname(__file__), "queries", name), encoding="utf-8") as query:
        return query.read()


def parse_tree(source: bytes, language: Language) -> Tree:
    """The syntax tree of any bytes, however broken; columns are bytes, rows count from 0."""
    return grammar_of(language).parser.parse(source)
