from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest

from engram import paths
from engram.extract.grammar import grammar_of
from engram.extract.languages import LANGUAGES, PYTHON, Language, language_named, language_of
from engram.extract.parse import parse_tree


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_query_compiles_and_every_pattern_finds_one_fact(language: Language) -> None:
    grammar = grammar_of(language)
    assert len(grammar.facts) == grammar.query.pattern_count > 10
    assert {fact.partition(".")[0] for fact in grammar.facts} >= {"definition", "call", "binding", "import"}


def test_every_query_file_is_used() -> None:
    present = {path.name for path in (files("engram.extract") / "queries").iterdir() if path.name.endswith(".scm")}
    assert present == {name for language in LANGUAGES for name in language.queries}


@pytest.mark.parametrize(
    ("path", "head", "name"),
    [
        ("a/b.py", b"", "python"),
        ("a/B.PYI", b"", "python"),
        ("x.mjs", b"", "javascript"),
        ("x.test.jsx", b"", "javascript"),
        ("types.d.ts", b"", "typescript"),
        ("x.cts", b"", "typescript"),
        ("x.tsx", b"", "tsx"),
        ("x.go", b"", "go"),
        ("x.rs", b"", "rust"),
        ("X.java", b"", "java"),
        ("bin/tool", b"#!/usr/bin/env python3\n", "python"),
        ("bin/tool", b"#!/usr/bin/python3.12 -I\nimport os", "python"),
        ("bin/tool", b"#!/usr/bin/env -S node --flag\n", "javascript"),
        ("bin/tool", b"#!/bin/sh\n", None),
        ("bin/tool", b"", None),
        (".py", b"", None),
        ("py", b"", None),
        ("a.py/notes.txt", b"#!/usr/bin/python\n", None),
        ("", b"\xff\xfe", None),
    ],
)
def test_language_by_extension_or_first_line(path: str, head: bytes, name: str | None) -> None:
    language = language_of(path, head)
    assert (language.name if language else None) == name


def test_extensions_and_names_belong_to_one_language() -> None:
    extensions = [extension for language in LANGUAGES for extension in language.extensions]
    assert len(set(extensions)) == len(extensions)
    assert [language_named(language.name) for language in LANGUAGES] == list(LANGUAGES)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("src/test_a.py", True),
        ("src/a_test.py", True),
        ("conftest.py", True),
        ("tests/data/model.py", True),
        ("src/contest.py", False),
        ("src/testing.py", False),
    ],
)
def test_python_tests_are_known_by_name_and_folder(path: str, expected: bool) -> None:
    assert PYTHON.is_test(path) is expected


def test_script_tests_are_known_by_name_and_folder() -> None:
    script = language_named("typescript")
    assert script.is_test("src/a.spec.ts")
    assert script.is_test("src/__tests__/a.ts")
    assert not script.is_test("src/spectrum.ts")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("net/dial_test.go", True),
        ("net/testdata/in.go", True),
        ("net/dial.go", False),
        ("net/testing.go", False),
        ("tests/all.rs", True),
        ("src/parser/tests.rs", True),
        ("src/parser.rs", False),
        ("src/test/java/org/app/Shapes.java", True),
        ("src/main/java/org/app/ShapeTest.java", True),
        ("src/main/java/org/app/TestShape.java", True),
        ("src/main/java/org/app/ShapeIT.java", True),
        ("src/main/java/org/app/Contest.java", False),
        ("src/main/java/org/app/Testament.java", False),
    ],
)
def test_tests_of_go_rust_and_java_are_known_everywhere_alike(path: str, expected: bool) -> None:
    language = language_of(path)
    assert language is not None
    assert language.is_test(path) is expected
    assert paths.is_test_path(path) is expected


def test_the_registry_alone_loads_no_grammar() -> None:
    code = "import sys, engram.extract.languages; print('tree_sitter' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.strip() == "False"


def test_grammars_are_compiled_once_and_trees_cover_the_source() -> None:
    assert grammar_of(PYTHON) is grammar_of(PYTHON)
    assert parse_tree(b"x = 1\n", PYTHON).root_node.end_byte == 6
