"""Edits in projects of Go, Rust and Java end in what resolving everything would give."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.resolve.indexed import edit_at_random

NAMES = ["Alpha", "Beta", "run"]
TYPES = ["Base", "Node", "Leaf"]


def write_go(chance: random.Random, path: str) -> str:
    """A file of Go over few names: types, embedded types, methods of types that other files declare."""
    folder = path.split("/")[0] if "/" in path else "main"
    lines = [f"package {folder}{chance.choice(['', '', '_test']) if path.endswith('_test.go') else ''}"]
    for _ in range(chance.randrange(3)):
        alias = chance.choice(["", "", "other ", ". "])
        lines.append(f'import {alias}"example.org/app/{chance.choice(["one", "two"])}"')
    for _ in range(chance.randrange(3)):
        held = chance.choice([chance.choice(TYPES), f"*two.{chance.choice(TYPES)}", f"part {chance.choice(TYPES)}"])
        lines.append(f"type {chance.choice(TYPES)} struct {{ {held} }}")
    if chance.random() < 0.3:
        lines.append(f"var {chance.choice(NAMES)} = &{chance.choice(TYPES)}{{}}")
    for _ in range(chance.randrange(4)):
        name, other, kind = chance.choice(NAMES), chance.choice(NAMES), chance.choice(TYPES)
        head = chance.choice(["", "", f"(s *{chance.choice(TYPES)}) "])
        result = chance.choice(["", f" *{kind}", f" (*{kind}, error)"])
        body = chance.choice(
            [
                f"x := {kind}{{}}; x.{name}()",
                f"x, err := {name}(); x.{other}()",
                f"one.{name}(); two.{other}()",
                f"s.{name}(); s.part.{other}()",
                f"{name}(); {other}().{name}()",
                f"var x two.{kind}; x.{name}()",
                f"for _, x := range {name}() {{ x.{other}() }}",
            ]
        )
        lines.append(f"func {head}{name}(x {kind}){result} {{ {body} }}")
    return "\n".join(lines) + "\n"


def write_rust(chance: random.Random, path: str) -> str:
    """A file of Rust over few names: modules, use trees, implementations of types that other files declare."""
    lines = [f"mod {name};" for name in ("one", "two", "deep") if chance.random() < 0.5]
    for _ in range(chance.randrange(3)):
        start = chance.choice(["crate::one", "crate::two", "super", "self::deep", "crate::two::deep", "crate"])
        end = chance.choice([*TYPES, *NAMES, "*", "{self, Base, Node as Leaf}"])
        lines.append(f"{chance.choice(['', 'pub '])}use {start}::{end};")
    for _ in range(chance.randrange(3)):
        lines.append(f"pub struct {chance.choice(TYPES)} {{ part: Box<{chance.choice(TYPES)}> }}")
    if chance.random() < 0.4:
        lines.append(f"pub trait {chance.choice(TYPES)} {{ fn {chance.choice(NAMES)}(&self) {{ self.run(); }} }}")
    for _ in range(chance.randrange(4)):
        name, other, kind = chance.choice(NAMES), chance.choice(NAMES), chance.choice(TYPES)
        body = chance.choice(
            [
                f"self.{name}(); self.part.{other}();",
                f"let x = {kind}::{name}(); x.{other}();",
                f"crate::one::{name}(); super::{other}();",
                f"Self::{name}(); {other}();",
                f"let x: {kind} = read(); x.{name}();",
            ]
        )
        function = f"fn {name}(&self) -> {kind} {{ {body} }}"
        around = chance.choice(
            ["{}", "impl Base {{ {} }}", "impl Node for Leaf {{ {} }}", "mod inner {{ use super::*; {} }}"]
        )
        lines.append(around.format(function))
    return "\n".join(lines) + "\n"


def write_java(chance: random.Random, path: str) -> str:
    """A file of Java over few names: packages, imports, nested classes, inherited members by their bare names."""
    own = path.rpartition("/")[2].removesuffix(".java")
    lines = [f"package {chance.choice(['org.one', 'org.one', 'org.two'])};"]
    for _ in range(chance.randrange(3)):
        package, name = chance.choice(["org.one", "org.two"]), chance.choice(TYPES)
        lines.append(
            chance.choice([f"import {package}.{name};", f"import {package}.*;", f"import static {package}.{name}.*;"])
        )
    base = chance.choice(["", f" extends {chance.choice(TYPES)}", f" implements {chance.choice(TYPES)}"])
    lines.append(f"public class {own}{base} {{ {chance.choice(TYPES)} part;")
    for _ in range(chance.randrange(4)):
        name, other, kind = chance.choice(NAMES), chance.choice(NAMES), chance.choice(TYPES)
        body = chance.choice(
            [
                f"{name}(); this.{other}();",
                f"part.{name}(); super.{other}();",
                f"{kind} x = new {kind}(); x.{name}();",
                f"var x = {kind}.{name}(); x.{other}();",
                f"{name}().{other}();",
            ]
        )
        lines.append(f"  {kind} {name}({kind} y) {{ {body} }}")
    if chance.random() < 0.3:
        lines.append(f"  class {chance.choice(TYPES)} {{ void run() {{ {chance.choice(NAMES)}(); }} }}")
    return "\n".join([*lines, "}"]) + "\n"


PROJECTS: dict[str, tuple[Callable[[random.Random, str], str], list[str]]] = {
    "go": (write_go, ["one/a.go", "one/b.go", "one/a_test.go", "two/c.go", "two/d.go", "main.go"]),
    "rust": (
        write_rust,
        ["src/lib.rs", "src/one.rs", "src/two/mod.rs", "src/two/deep.rs", "src/one/deep.rs", "tests/t.rs"],
    ),
    "java": (write_java, ["src/one/Base.java", "src/one/Node.java", "src/two/Leaf.java", "src/two/Base.java"]),
}


@pytest.mark.parametrize("language", sorted(PROJECTS))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(min_value=0, max_value=1 << 40))
def test_any_sequence_of_edits_equals_a_rebuild(language: str, seed: int) -> None:
    write, paths = PROJECTS[language]
    edit_at_random(random.Random(seed), paths, write)
