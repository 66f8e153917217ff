"""An outline is what the facts say, with less work."""

from __future__ import annotations

from pathlib import Path

import pytest
from tree_sitter import Query

from engram.extract.grammar import grammar_of, split_patterns
from engram.extract.languages import LANGUAGES, Language, language_of
from engram.extract.loading import load_grammar
from engram.extract.parse import extract_facts, extract_outline

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    path
    for folder in ("tests/annotated", "engram/extract", "engram/primitives")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.is_file() and language_of(path.name)
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_an_outline_has_the_definitions_of_the_facts(path: Path) -> None:
    language = language_of(path.name)
    assert language is not None
    source = path.read_bytes()
    facts = extract_facts(path.name, source, language)
    definitions, issues = extract_outline(source, language)
    assert definitions == facts.definitions[: len(definitions)]
    assert {one.kind for one in facts.definitions[len(definitions) :]} <= {"constant"}
    assert issues == facts.issues


def test_there_are_sources_of_every_language() -> None:
    assert {language_of(path.name) for path in SOURCES} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_patterns_are_split_as_the_engine_reads_them(language: Language) -> None:
    files = [(ROOT / "engram/extract/queries" / name).read_text() for name in language.queries]
    whole = Query(load_grammar(language.grammar), "\n".join(files))
    assert sum(len(split_patterns(text)) for text in files) == whole.pattern_count
    assert grammar_of(language).query.pattern_count == whole.pattern_count
    assert grammar_of(language, ("import",)).facts == [
        fact for fact in grammar_of(language).facts if fact.startswith("import")
    ]


def test_quoted_brackets_and_comments_split_nothing() -> None:
    text = '; a (comment)\n(a "(" @x\n  ; another\n  (b)) @y\n["c" "\\"]"] @z\n'
    assert [pattern.split() for pattern in split_patterns(text)] == [
        ["(a", '"("', "@x", "(b))", "@y"],
        ['["c"', '"\\"]"]', "@z"],
    ]
