"""Globs mean what git makes of them in .gitignore, and never take long."""

from __future__ import annotations

import fnmatch
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import InvalidPattern
from engram.primitives.glob import Glob, is_plain


@pytest.mark.parametrize(
    ("pattern", "taken", "left"),
    [
        ("*.py", ["a.py", "x/y/a.py"], ["a.pyc", "py"]),
        ("src/*.py", ["src/a.py"], ["a.py", "src/x/a.py", "lib/src/a.py"]),
        ("src/**/*.py", ["src/a.py", "src/x/y/a.py"], ["a.py", "lib/src/a.py"]),
        ("**/test_*", ["test_a.py", "x/test_b.py"], ["x/a_test.py"]),
        ("src/**", ["src/a.py", "src/x/a.py"], ["src", "lib/a.py"]),
        ("src/", ["src/a.py", "src/x/a.py"], ["lib/src/a.py"]),
        ("/a.py", ["a.py"], ["x/a.py"]),
        ("./src/*.py", ["src/a.py"], ["a.py"]),
        ("*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.t", "a.ts.map"]),
        ("{src,lib}/{a,b}.py", ["src/a.py", "lib/b.py"], ["src/c.py"]),
        ("[a-c]?.py", ["ab.py", "cz.py"], ["dz.py", "a.py"]),
        ("[!a]x", ["bx"], ["ax"]),
        ("!*.py", ["a.ts"], ["a.py", "x/a.py"]),
        ("a\\*b", ["a*b"], ["axb"]),
        ("a[b", ["a[b"], ["ab"]),
        ("a}b", ["a}b"], ["ab"]),
    ],
)
def test_patterns(pattern: str, taken: list[str], left: list[str]) -> None:
    glob = Glob(pattern)
    assert [path for path in taken + left if glob.matches(path)] == taken


@given(st.text("ab*?.", min_size=1, max_size=8), st.text("ab.", min_size=1, max_size=10))
def test_names_match_as_fnmatch_says(pattern: str, name: str) -> None:
    if pattern != "." and "**" not in pattern and not pattern.startswith("./"):
        assert Glob(pattern).matches(name) == fnmatch.fnmatchcase(name, pattern)


@pytest.mark.parametrize("pattern", ["*a" * 200, "**/" * 200 + "x", "[" * 400, "a*" * 100 + "/" + "**/a" * 50])
def test_no_pattern_takes_long(pattern: str) -> None:
    started = time.process_time()
    Glob(pattern).matches("a/" * 200 + "a" * 250)
    assert time.process_time() - started < 2


@given(st.text("a*?{},[]!/\\", min_size=1, max_size=30))
@settings(deadline=None)
def test_every_pattern_is_answered_or_refused(pattern: str) -> None:
    try:
        glob = Glob(pattern)
    except InvalidPattern:
        return
    assert glob.matches("a/a") in (True, False)


def test_braces_that_multiply_are_refused() -> None:
    with pytest.raises(InvalidPattern, match="alternatives"):
        Glob("{a,b}" * 7)


def test_plain_globs_are_those_of_names_alone() -> None:
    assert is_plain("*.py")
    assert not any(is_plain(pattern) for pattern in ("", "src/*.py", "*.{a,b}", "!x", "include:x", "**", "[ab]"))
