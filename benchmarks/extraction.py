"""What facts cost beyond parsing, and whether the definitions of Python files are those of Python's own parser.

`python -m benchmarks extraction FOLDER [--rounds N]`: parses all files of the folder, then parses them and takes their
facts, in turns in one process; prints CPU seconds (least of the rounds), the size of the facts, and in how many Python
files names, nesting or lines of functions and classes differ from those of the `ast` module.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import time
import warnings
from collections.abc import Callable

from engram.extract.facts import FileFacts
from engram.extract.languages import Language, language_of
from engram.extract.parse import extract_facts, parse_tree

Source = tuple[str, bytes, Language]


def main(args: list[str]) -> int:
    """Print the measurement."""
    parser = argparse.ArgumentParser(prog="benchmarks extraction", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(args)
    sources = list(_sources(given.folder))
    gc.disable()  # as the workers of the indexer do
    parse = facts = float("inf")
    for _ in range(given.rounds):
        parse = min(parse, _seconds(lambda path, source, language: parse_tree(source, language), sources))
        facts = min(facts, _seconds(extract_facts, sources))
    gc.enable()
    size = sum(len(source) for _, source, _ in sources)
    print(f"{len(sources)} files, {size / 1e6:.1f} MB: parse {parse:.2f} s, parse and facts {facts:.2f} s (CPU)")
    print(f"facts beyond the parse: {(facts - parse) / parse:.2f} of the parse")
    all_facts = [extract_facts(*source) for source in sources]
    print(f"facts as stored: {sum(len(row.dump()) for row in all_facts) / 1e6:.1f} MB")
    for field in ("definitions", "imports", "calls", "bindings"):
        print(f"  {sum(len(getattr(row, field)) for row in all_facts)} {field}")
    print(f"  {sum(bool(row.issues) for row in all_facts)} files with issues")
    _print_agreement(sources, all_facts)
    return 0


def _sources(folder: str) -> list[Source]:
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            language = language_of(name)
            if language is not None:
                path = os.path.join(parent, name)
                with open(path, "rb") as file:
                    found.append((path, file.read(), language))
    return found


def _seconds(work: Callable[[str, bytes, Language], object], sources: list[Source]) -> float:
    began = time.process_time()
    for path, source, language in sources:
        work(path, source, language)
    return time.process_time() - began


def _print_agreement(sources: list[Source], all_facts: list[FileFacts]) -> None:
    judged = differing = definitions = 0
    for (path, source, language), facts in zip(sources, all_facts, strict=True):
        expected = definitions_by_ast(source) if language.name == "python" else None
        if expected is not None:
            judged += 1
            definitions += len(expected)
            actual = sorted(
                (row.qualname, row.kind == "class", row.start, row.end, row.line)
                for row in facts.definitions
                if row.kind in ("class", "function", "method")
            )
            if actual != expected:
                differing += 1
                print(f"  differs: {path}: {sorted(set(actual) ^ set(expected))[:3]}")
    print(f"{judged} Python files with {definitions} functions and classes, {differing} differ from ast")


def definitions_by_ast(source: bytes) -> list[tuple[str, bool, int, int, int]] | None:
    """(qualname, is a class, first line with decorators, last, line of the name), sorted; None if `ast` refuses."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    found = []
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, path = pending.pop()
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{path}.{child.name}" if path else child.name
                start = min([child.lineno, *[mark.lineno for mark in child.decorator_list]])
                end = child.end_lineno or child.lineno
                found.append((inner, isinstance(child, ast.ClassDef), start, end, child.lineno))
            pending.append((child, inner))
    return sorted(found)
