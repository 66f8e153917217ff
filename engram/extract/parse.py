"""Source text -> `FileFacts`: one parse, one query, whatever the language."""

from __future__ import annotations

from tree_sitter import Tree

from engram.extract.bindings import find_bindings
from engram.extract.calls import find_calls
from engram.extract.definitions import add_constants, find_definitions
from engram.extract.exports import find_exports
from engram.extract.facts import FACTS_VERSION, Definition, FileFacts
from engram.extract.grammar import grammar_of, parse_tree
from engram.extract.imports import find_imports, join_imports
from engram.extract.languages import Language, language_of
from engram.extract.source import Source

__all__ = ["extract_facts", "extract_outline", "language_of", "parse_tree", "tightest_symbol"]

_OUTLINE = (
    "definition",
    "holder",
    "implementation",
    "base",
    "wrapper",
    "export",
)  # what find_definitions and find_exports read


def extract_facts(path: str, source: bytes, language: Language) -> FileFacts:
    """The facts of any bytes read as `language`; never raises for what the bytes are.

    What cannot be parsed is left out and `issues` says so: "syntax-error" (the rest is there), "not-utf8" (bytes that
    are none stand as U+FFFD).  Equal input gives equal facts in every process.
    """
    tree = parse_tree(source, language)
    text = Source(source, language)
    captured = grammar_of(language).find(tree.root_node)
    exports = find_exports(captured, text, language)
    definitions = find_definitions(captured, text, language, exports)
    scopes = definitions.scopes
    declared = find_imports(captured, text, scopes, language)
    calls, called = find_calls(captured, text, scopes, language)
    bindings, bound = find_bindings(captured, text, definitions, language)
    add_constants(definitions, captured, text, {row.name for row in bound})
    return FileFacts(
        FACTS_VERSION,
        path,
        language.name,
        source.count(b"\n") + (not source.endswith(b"\n") and bool(source)),
        _issues(tree, text),
        definitions.found,
        join_imports(declared, bound, called),
        calls,
        bindings,
        exports,
    )


def extract_outline(source: bytes, language: Language) -> tuple[list[Definition], list[str]]:
    """The definitions and issues that `extract_facts` finds, in two thirds of its time.

    Constants of the top level are left out. For a process that reads one file: what is not asked for is not compiled.
    """
    grammar = grammar_of(language, _OUTLINE)
    tree = grammar.parser.parse(source)
    text = Source(source, language)
    captured = grammar.find(tree.root_node)
    definitions = find_definitions(captured, text, language, find_exports(captured, text, language))
    return definitions.found, _issues(tree, text)


def _issues(tree: Tree, text: Source) -> list[str]:
    issues = []
    if tree.root_node.has_error:
        issues.append("syntax-error")
    if not text.is_utf8:
        issues.append("not-utf8")
    return issues


def tightest_symbol(facts: FileFacts, line: int) -> list[Definition]:
    """The definitions around a line (1-based), the outermost first, the tightest last; [] outside of all."""
    around: list[Definition] = []
    for definition in facts.definitions:
        if definition.start <= line <= definition.end and (not around or definition.end <= around[-1].end):
            around.append(definition)
    return around
