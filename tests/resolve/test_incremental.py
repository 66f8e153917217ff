"""What an edit makes anew, together with what it leaves, is what resolving everything would give."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram.extract.facts import FileFacts
from engram.extract.resolve import Resolver, resolve
from tests.hash_seeds import printed_by_any
from tests.resolve.indexed import Indexed, edit_at_random
from tests.resolve.projects import facts_of, named_calls, project

NAMES = ["alpha", "beta", "gamma", "run"]
CLASSES = ["Base", "Node", "Leaf"]
PATHS = ["pkg/__init__.py", "pkg/a.py", "pkg/b.py", "pkg/sub/__init__.py", "pkg/sub/c.py", "main.py", "tests/test_a.py"]
MODULES = ["pkg", "pkg.a", "pkg.b", "pkg.sub", "pkg.sub.c", ".", ".a", ".b", "..a", ".c", "main"]


def write_source(chance: random.Random) -> str:
    """A small module of random imports, classes and functions over few names, so that everything meets everything."""
    lines = []
    for _ in range(chance.randrange(4)):
        module, name = chance.choice(MODULES), chance.choice(NAMES + CLASSES)
        lines.append(
            chance.choice(
                [
                    f"from {module} import {name}",
                    f"from {module} import {name} as {chance.choice(NAMES + CLASSES)}",
                    f"from {module} import *",
                    f"import {module.lstrip('.') or 'pkg'}",
                    f"import {module.lstrip('.') or 'pkg'} as {chance.choice(NAMES)}",
                    "from . import a, b",
                ]
            )
        )
    if chance.random() < 0.2:
        lines.append(f"__all__ = ['{chance.choice(NAMES)}', '{chance.choice(CLASSES)}']")
    for _ in range(chance.randrange(3)):
        base = chance.choice(["", "(Base)", "(Node)", "(Leaf, Base)", "(pkg.a.Base)", "(a.Node)"])
        lines.append(f"class {chance.choice(CLASSES)}{base}:")
        lines.append(f"    {chance.choice(NAMES)}: {chance.choice(CLASSES)}")
        for _ in range(chance.randrange(3)):
            lines += ["    " + line for line in write_function(chance, method=True)]
    for _ in range(chance.randrange(3)):
        lines += write_function(chance, method=False)
    if chance.random() < 0.3:
        lines.append(f"{chance.choice(NAMES)} = {chance.choice(CLASSES)}()")
    return "\n".join(lines) + "\n"


def write_function(chance: random.Random, *, method: bool) -> list[str]:
    """A function whose body calls, assigns and returns."""
    parameters = ["self"] if method else []
    parameters += chance.choice([[], ["x"], [f"x: {chance.choice(CLASSES)}"]])
    returns = chance.choice(["", "", f" -> {chance.choice(CLASSES)}"])
    decorator = ["@property"] if method and chance.random() < 0.15 else []
    lines = [*decorator, f"def {chance.choice(NAMES)}({', '.join(parameters)}){returns}:"]
    for _ in range(1 + chance.randrange(3)):
        name, other, cls = chance.choice(NAMES), chance.choice(NAMES), chance.choice(CLASSES)
        statements = [
            f"x = {cls}()",
            f"x = {name}()",
            f"x.{name}()",
            f"{name}().{other}()",
            f"{cls}().{name}.{other}()",
            f"return {cls}()",
            f"return x.{name}()",
            f"return {name}()",
            f"pkg.a.{name}()",
            f"for x in {name}(): x.{other}()",
        ]
        if method:
            statements += [f"self.{name} = {cls}()", f"self.{name}()", f"self.{name}.{other}()", f"super().{name}()"]
            statements += [f"self.{name} = x", "return self"]
        lines.append("    " + chance.choice(statements))
    return lines


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(min_value=0, max_value=1 << 40))
def test_any_sequence_of_edits_equals_a_rebuild(seed: int) -> None:
    edit_at_random(random.Random(seed), PATHS, lambda chance, _path: write_source(chance))


PROJECT = {
    "pkg/__init__.py": "from .a import Base\n",
    "pkg/a.py": "class Base:\n    def run(self):\n        return self.step()\n    def step(self):\n        pass\n",
    "pkg/b.py": "from pkg import Base\nclass Node(Base):\n    def go(self):\n        return self.run()\n",
    "pkg/c.py": "from .b import Node\ndef main():\n    Node().go()\n",
    "other.py": "def alone():\n    return alone()\n",
}


def edited(path: str, old: str, new: str) -> dict[str, FileFacts | None]:
    assert old in PROJECT[path]
    return {path: facts_of(path, PROJECT[path].replace(old, new))}


@pytest.mark.parametrize(
    ("path", "old", "new", "redone"),
    [
        ("pkg/a.py", "pass", "print(1)", ["pkg/a.py"]),
        ("pkg/a.py", "class Base:", "\n\n\nclass Base:", ["pkg/a.py"]),
        ("pkg/c.py", "def main", "def start", ["pkg/c.py"]),
        ("pkg/a.py", "def run", "def walk", ["pkg/a.py", "pkg/b.py"]),
        ("other.py", "def alone", "def step", ["other.py"]),
        ("pkg/b.py", "def go", "def step(self):\n        pass\n    def go", ["pkg/a.py", "pkg/b.py"]),
        ("pkg/b.py", "(Base)", "", ["pkg/b.py", "pkg/c.py"]),
        ("pkg/a.py", "def run(self)", "def run(self, more=None)", ["pkg/a.py"]),
        ("pkg/a.py", "def step(self)", "def added(self):\n        self.step()\n    def step(self)", ["pkg/a.py"]),
    ],
)
def test_an_edit_resolves_only_what_it_concerns(path: str, old: str, new: str, redone: list[str]) -> None:
    indexed = Indexed(project(PROJECT))
    assert indexed.update(edited(path, old, new)) == redone
    indexed.check()


def test_a_file_that_appears_is_found_by_those_who_import_it() -> None:
    indexed = Indexed(project({path: source for path, source in PROJECT.items() if path != "pkg/a.py"}))
    assert "pkg/b.py" in indexed.update({"pkg/a.py": facts_of("pkg/a.py", PROJECT["pkg/a.py"])})
    indexed.check()
    assert ("Node.go", "pkg/a.py", "Base.run", 0.99) in indexed.calls["pkg/b.py"]


def test_the_order_of_files_does_not_matter() -> None:
    chance = random.Random(7)
    files = project({path: write_source(chance) for path in PATHS})
    whole = resolve(files.values())
    for _ in range(5):
        order = list(files)
        chance.shuffle(order)
        assert resolve([files[path] for path in order]) == whole
        resolver = Resolver(files.get, Indexed(files)._paths_of)
        assert {path: resolver.resolve_file(path) for path in order} == whole


def test_equal_input_gives_equal_edges_in_every_process() -> None:
    program = (
        "import random\n"
        "from tests.resolve.test_incremental import PATHS, project, resolve, write_source\n"
        "chance = random.Random(11)\n"
        "print(resolve(project({path: write_source(chance) for path in PATHS}).values()))\n"
    )
    assert "CallEdge" in printed_by_any(program)


def test_calls_are_kept_by_name_when_indexes_shift() -> None:
    indexed = Indexed(project(PROJECT))
    before = named_calls(indexed.files, indexed.edges)
    indexed.update(edited("pkg/a.py", "class Base:", "def first():\n    pass\nclass Base:"))
    indexed.check()
    assert ("pkg/b.py", "Node.go", "pkg/a.py", "Base.run") in before
    assert ("Node.go", "pkg/a.py", "Base.run", 0.99) in indexed.calls["pkg/b.py"]


def test_odd_paths_are_told_apart() -> None:
    files = {"a.py": "def run(): pass\n", "x\ta.py": "import a\ndef g():\n    a.run()\n"}
    indexed = Indexed(project(files))
    assert indexed.update({"a.py": facts_of("a.py", "def walk(): pass\n")}) == ["a.py", "x\ta.py"]
    indexed.check()
    assert indexed.calls["x\ta.py"] == set()
