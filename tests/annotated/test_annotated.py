"""Every caret in the annotated sources holds: `#   ^ word: value` speaks of the nearest line above that is no such comment.

Words, each about what stands at the caret (its word must occur in the value):

definition: KIND QUALNAME      lines: FIRST-LAST         exported: yes|no          signature: TEXT
doc: TEXT                      bases: A, B               decorators: a, b          parameters: a, b: T = default
returns: TYPE                  calls: CALLEE in SCOPE    new: CALLEE in SCOPE
imports: NAME = MODULE SYMBOL  reexports: the same       binds: TARGET HOW VALUE   declares: TARGET ANNOTATION
element: TARGET POSITION       exports: NAME LOCAL

A comment `total: definitions 3, calls 2` and one `issues: syntax-error` speak of the whole file.  Empty is written `-`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from engram.extract.facts import MODULE, CallSite, Definition, FileFacts, Import, load_facts
from engram.extract.languages import LANGUAGES
from engram.extract.parse import extract_facts, language_of

FOLDER = Path(__file__).parent
SOURCES = sorted(path for path in FOLDER.glob("*/*") if path.suffix != ".pyc" and path.parent.name != "__pycache__")
OPENING = r"^\s*(?:#|//|\{?/\*)"
EXPECTATION = re.compile(OPENING + r"\s*\^\s*(\w+):\s*(.*?)\s*(?:\*/\}?)?$")
ABOUT_FILE = re.compile(OPENING + r"\s*(total|issues):\s*(.*?)\s*(?:\*/\}?)?$")


class Expectation(NamedTuple):
    """What one caret says; `line` is the one it speaks of, `at` the word at the caret."""

    written: int
    line: int
    at: str
    word: str
    value: str


def word_at(line: str, column: int) -> str:
    """The word around a column; "" between words."""
    return next((word[0] for word in re.finditer(r"[\w$#]+", line) if word.start() <= column < word.end()), "")


def expectations(text: str) -> list[Expectation]:
    found = []
    lines = text.split("\n")
    subject = 0
    for number, line in enumerate(lines, 1):
        match = EXPECTATION.match(line)
        if match is None:
            subject = number
            continue
        found.append(Expectation(number, subject, word_at(lines[subject - 1], line.index("^")), match[1], match[2]))
    return found


def scope_name(facts: FileFacts, scope: int) -> str:
    return "<module>" if scope == MODULE else facts.definitions[scope].qualname


def definition_at(facts: FileFacts, expected: Expectation) -> Definition:
    named = [row for row in facts.definitions if row.line == expected.line and expected.at in row.name]
    plain = [row for row in named if row.name == expected.at]
    assert expected.at, f"the caret in line {expected.written} points at nothing"
    assert named, f"no definition of {expected.at} in line {expected.line}"
    return (plain or named)[0]


def of_definition(show: Callable[[Definition], str]) -> Callable[[FileFacts, Expectation], list[str]]:
    return lambda facts, expected: [show(definition_at(facts, expected)) or "-"]


def call_text(facts: FileFacts, row: CallSite) -> str:
    return f"{row.callee} in {scope_name(facts, row.scope)}"


def calls(facts: FileFacts, expected: Expectation, new: bool) -> list[str]:
    return [call_text(facts, row) for row in facts.calls if row.line == expected.line and row.new == new]


def import_text(row: Import) -> str:
    return f"{row.name or '-'} = {row.module} {row.symbol or '-'}"


def imports(facts: FileFacts, expected: Expectation, reexport: bool) -> list[str]:
    return [import_text(row) for row in facts.imports if row.line == expected.line and row.reexport == reexport]


def parameter_text(row: Definition) -> str:
    shown = []
    for name, annotation, default in row.parameters:
        shown.append(name + (f": {annotation}" if annotation else "") + (f" = {default}" if default else ""))
    return ", ".join(shown)


WORDS: dict[str, Callable[[FileFacts, Expectation], list[str]]] = {
    "definition": of_definition(lambda row: f"{row.kind} {row.qualname}"),
    "lines": of_definition(lambda row: f"{row.start}-{row.end}"),
    "exported": of_definition(lambda row: "yes" if row.exported else "no"),
    "signature": of_definition(lambda row: row.signature),
    "doc": of_definition(lambda row: row.doc),
    "bases": of_definition(lambda row: ", ".join(row.bases)),
    "decorators": of_definition(lambda row: ", ".join(row.decorators)),
    "parameters": of_definition(parameter_text),
    "returns": of_definition(lambda row: row.returns),
    "calls": lambda facts, expected: calls(facts, expected, False),
    "new": lambda facts, expected: calls(facts, expected, True),
    "imports": lambda facts, expected: imports(facts, expected, False),
    "reexports": lambda facts, expected: imports(facts, expected, True),
    "binds": lambda facts, expected: [
        f"{row.target or '-'} {row.how} {row.value or '-'}" for row in facts.bindings if row.line == expected.line
    ],
    "declares": lambda facts, expected: [
        f"{row.target} {row.annotation}" for row in facts.bindings if row.line == expected.line and row.annotation
    ],
    "element": lambda facts, expected: [
        f"{row.target} {row.element}" for row in facts.bindings if row.line == expected.line
    ],
    "exports": lambda facts, expected: [f"{name} {local}" for name, local in facts.exports],
}
AT_NAME = frozenset({"definition", "calls", "new", "imports", "reexports", "exports", "element", "declares"})


def facts_of(path: Path) -> tuple[FileFacts, str]:
    source = path.read_bytes()
    language = language_of(path.name)
    assert language is not None
    assert language.name == path.parent.name
    return extract_facts(path.name, source, language), source.decode()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_carets_hold(path: Path) -> None:
    facts, text = facts_of(path)
    expected = expectations(text)
    assert len(expected) >= 3, "an annotated source says something"
    wrong = []
    for row in expected:
        if row.word not in WORDS:
            wrong.append(f"{path.name}:{row.written}: unknown word {row.word!r}")
            continue
        actual = WORDS[row.word](facts, row)
        if row.value not in actual:
            wrong.append(f"{path.name}:{row.written}: {row.word}: {row.value!r}, but there is {actual}")
        elif row.word in AT_NAME and (not row.at or row.at not in row.value):
            wrong.append(f"{path.name}:{row.written}: the caret points at {row.at!r}, which is not in {row.value!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_totals_and_issues_hold(path: Path) -> None:
    facts, text = facts_of(path)
    said = dict(match.groups() for match in map(ABOUT_FILE.match, text.split("\n")) if match)
    assert "total" in said, "an annotated source says how much there is, so that what is too much shows"
    for part in said["total"].split(", "):
        field, count = part.split()
        assert len(getattr(facts, field)) == int(count), f"{field}: {len(getattr(facts, field))}"
    assert facts.issues == said.get("issues", "").split()
    assert load_facts(facts.dump()) == facts


def test_every_language_is_annotated() -> None:
    assert {path.parent.name for path in SOURCES} == {language.name for language in LANGUAGES}
