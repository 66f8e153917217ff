"""Python's own parser is the judge: functions and classes, their nesting and lines, over the standard library."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from benchmarks.extraction import definitions_by_ast
from engram.extract.languages import PYTHON
from engram.extract.parse import extract_facts

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
# Packages with many styles of code, in two seconds; benchmarks/extraction.py takes any folder.
SAMPLE = ("asyncio/*.py", "email/*.py", "unittest/*.py", "[a-e]*.py")


def test_definitions_of_the_standard_library_equal_those_of_ast() -> None:
    differing = []
    total = 0
    for path in sorted({path for pattern in SAMPLE for path in LIBRARY.glob(pattern)}):
        source = path.read_bytes()
        expected = definitions_by_ast(source)
        assert expected is not None
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
