"""Python's own parser is the judge: functions and classes, their nesting and lines, over the standard library."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

from engram.extract.languages import PYTHON
from engram.extract.parse import extract_facts

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
# Packages with many styles of code, in two seconds; benchmarks/agreement.py takes any folder.
SAMPLE = ("asyncio/*.py", "email/*.py", "unittest/*.py", "[a-e]*.py")

Row = tuple[str, bool, int, int, int]


def definitions_by_ast(source: bytes) -> list[Row]:
    """(qualname, is a class, first line with decorators, last line, line of the name), sorted."""
    found: list[Row] = []
    pending: list[tuple[ast.AST, str]] = [(ast.parse(source), "")]
    while pending:
        node, path = pending.pop()
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{path}.{child.name}" if path else child.name
                start = min([child.lineno, *[mark.lineno for mark in child.decorator_list]])
                assert child.end_lineno is not None
                found.append((inner, isinstance(child, ast.ClassDef), start, child.end_lineno, child.lineno))
            pending.append((child, inner))
    return sorted(found)


def test_definitions_of_the_standard_library_equal_those_of_ast() -> None:
    differing = []
    total = 0
    for path in sorted({path for pattern in SAMPLE for path in LIBRARY.glob(pattern)}):
        source = path.read_bytes()
        with warnings.catch_warnings(action="ignore"):
            expected = definitions_by_ast(source)
        facts = extract_facts(path.name, source, PYTHON)
        actual = sorted(
            (row.qualname, row.kind == "class", row.start, row.end, row.line)
            for row in facts.definitions
            if row.kind in ("class", "function", "method")
        )
        total += len(expected)
        if actual != expected or "syntax-error" in facts.issues:
            differing.append((path.name, facts.issues, sorted(set(actual) ^ set(expected))[:3]))
    assert not differing
    assert total > 3_000
