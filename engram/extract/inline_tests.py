"""Tests that stand in the files of the product, as those of Rust do."""

from __future__ import annotations

import re

from engram.extract.facts import Definition
from engram.extract.languages import language_named


def find_inline_tests(definitions: list[Definition], language: str) -> set[int]:
    """The indexes of the definitions that are marked as tests, and of all that stands in these.

    They say in many words what the product should do, mostly more of them than the function that does it.
    """
    pattern = language_named(language).test_marks
    tests: set[int] = set()
    if pattern:
        is_mark = re.compile(pattern).match
        for index, definition in enumerate(definitions):
            if definition.scope in tests or any(map(is_mark, definition.decorators)):
                tests.add(index)
    return tests
