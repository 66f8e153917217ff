"""What Python calls resolve to: one small project per rule."""

from __future__ import annotations

import pytest

from tests.resolve.projects import calls_of, facts_only

CASES: dict[str, tuple[dict[str, str], set[str]]] = {
    "a nested function hides the one of the module": (
        {"m.py": "def f(): pass\ndef g():\n    def f(): pass\n    f()\n"},
        {"m:g -> m:g.f"},
    ),
    "a method does not see the names of its class": (
        {"m.py": "def f(): pass\nclass A:\n    def f(self): pass\n    def g(self): f()\n"},
        {"m:A.g -> m:f"},
    ),
    "the body of a class sees them": (
        {"m.py": "class A:\n    def f(): pass\n    x = f()\n"},
        {"m:A -> m:A.f"},
    ),
    "a parameter hides a function": ({"m.py": "def f(): pass\ndef g(f):\n    f()\n"}, set()),
    "a global statement leads to the module": (
        {"m.py": "class A:\n    def run(self): pass\nx = A()\ndef g():\n    global x\n    x = A()\n    x.run()\n"},
        {"m:<module> -> m:A", "m:g -> m:A", "m:g -> m:A.run"},
    ),
    "relative, renamed and re-exported imports": (
        {
            "p/__init__.py": "from .a import run as start\n",
            "p/a.py": "def run(): pass\n",
            "p/b/__init__.py": "",
            "p/b/c.py": "from .. import start\nfrom ..a import run as walk\ndef g():\n    start()\n    walk()\n",
        },
        {"p/b/c:g -> p/a:run"},
    ),
    "a star hands on what __all__ names": (
        {
            "p/__init__.py": "from .a import *\n",
            "p/a.py": "__all__ = ['one']\ndef one(): pass\ndef two(): pass\n",
            "m.py": "from p import one, two\ndef g():\n    one()\n    two()\n",
        },
        {"m:g -> p/a:one"},
    ),
    "modules: as a whole, dotted, from a package, below src": (
        {
            "src/p/__init__.py": "",
            "src/p/a.py": "def run(): pass\n",
            "src/p/b.py": "import p.a\nimport p.a as q\nfrom p import a\n"
            "def g():\n    p.a.run()\ndef h():\n    q.run()\ndef i():\n    a.run()\n",
        },
        {f"src/p/b:{f} -> src/p/a:run" for f in "ghi"},
    ),
    "an import inside of a function": (
        {"a.py": "def run(): pass\n", "m.py": "def g():\n    from a import run\n    run()\ndef h():\n    run()\n"},
        {"m:g -> a:run"},
    ),
    "imports in a circle end": (
        {"a.py": "from b import x\ndef g():\n    x()\n", "b.py": "from a import x\n"},
        set(),
    ),
    "a module of the standard library is not one of a package": (
        {"p/__init__.py": "", "p/types.py": "def new(): pass\n", "m.py": "import types\ndef g():\n    types.new()\n"},
        set(),
    ),
    "self, inherited, super and the order of C3": (
        {
            "m.py": """
                class Root:
                    def run(self): pass
                    def stop(self): pass
                class Left(Root):
                    def go(self):
                        self.run()
                        self.stop()
                class Right(Root):
                    def run(self): pass
                class Both(Left, Right):
                    def run(self):
                        super().run()
            """
        },
        {
            "m:Left.go -> m:Root.run",
            "m:Left.go -> m:Root.stop",
            "m:Both.run -> m:Right.run",
        },
    ),
    "a class is complete before its members are looked up": (
        {
            "a.py": "from b import Base\nclass A(Base):\n    def go(self):\n        self.run()\n",
            "b.py": "import c\nclass Base(c.Deep):\n    def more(self):\n        self.run()\n",
            "c.py": "class Deep:\n    def run(self): pass\n",
        },
        {"a:A.go -> c:Deep.run", "b:Base.more -> c:Deep.run"},
    ),
    "a class that inherits itself, and two in a circle": (
        {"m.py": "class A(A):\n    def f(self):\n        self.f()\nclass B(C): pass\nclass C(B): pass\n"},
        {"m:A.f -> m:A.f"},
    ),
    "constructors: own, inherited, none": (
        {
            "m.py": """
                class A:
                    def __init__(self): pass
                class B(A): pass
                class C: pass
                def g():
                    A()
                    B()
                    C()
            """
        },
        {"m:g -> m:A.__init__", "m:g -> m:C"},
    ),
    "constructed locals, attributes of self and of the class": (
        {
            "m.py": """
                class Engine:
                    def run(self): pass
                class Car:
                    spare = Engine()
                    def __init__(self):
                        self.engine = Engine()
                    def drive(self):
                        self.engine.run()
                    def repair(self):
                        self.spare.run()
                def g():
                    x = Engine()
                    x.run()
                def h():
                    Car().engine.run()
            """
        },
        {
            "m:Car -> m:Engine",
            "m:Car.__init__ -> m:Engine",
            "m:Car.drive -> m:Engine.run",
            "m:Car.repair -> m:Engine.run",
            "m:g -> m:Engine",
            "m:g -> m:Engine.run",
            "m:h -> m:Car.__init__",
            "m:h -> m:Engine.run",
        },
    ),
    "annotations: plain, quoted, optional, of containers": (
        {
            "a.py": "class A:\n    def run(self): pass\n",
            "m.py": """
                from __future__ import annotations
                import typing as t
                if t.TYPE_CHECKING:
                    from a import A
                def plain(x: A): x.run()
                def quoted(x: 'A | None'): x.run()
                def optional(x: t.Optional[A]): x.run()
                def many(xs: list[A]):
                    for x in xs: x.run()
                def table(xs: t.Dict[str, A]): xs['k'].run()
                def table_get(xs: dict[str, A]): xs.get('k').run()
                def kind(x: type[A]): x().run()
                def called(f: t.Callable[[], A]): f().run()
            """,
        },
        {
            f"m:{name} -> a:A.run"
            for name in ("plain", "quoted", "optional", "many", "table", "table_get", "kind", "called")
        }
        | {"m:kind -> a:A"},
    ),
    "type variables and aliases": (
        {
            "m.py": """
                from typing import TypeVar, Union
                class A:
                    def run(self): pass
                class B:
                    def run(self): pass
                T = TypeVar('T', bound='A')
                U = Union[A, B]
                def f(x: T): x.run()
                def g(x: U): x.run()
            """
        },
        {"m:f -> m:A.run", "m:g -> m:A.run", "m:g -> m:B.run"},
    ),
    "what functions return, declared or not, with their receiver": (
        {
            "m.py": """
                class A:
                    def run(self): pass
                    def chain(self): return self
                    @classmethod
                    def make(cls): return cls()
                class B(A):
                    def more(self): pass
                def declared() -> A: ...
                def built():
                    x = A()
                    return x
                def f():
                    declared().run()
                def g():
                    built().run()
                def h():
                    B.make().more()
                def i():
                    B().chain().more()
            """
        },
        {
            "m:A.make -> m:A",
            "m:built -> m:A",
            "m:f -> m:declared",
            "m:f -> m:A.run",
            "m:g -> m:built",
            "m:g -> m:A.run",
            "m:h -> m:A.make",
            "m:h -> m:B.more",
            "m:i -> m:B",
            "m:i -> m:A.chain",
            "m:i -> m:B.more",
        },
    ),
    "with, for, except, unpacking, properties": (
        {
            "m.py": """
                from contextlib import contextmanager
                class A:
                    def __enter__(self): return self
                    def run(self): pass
                    @property
                    def twin(self) -> 'A': ...
                class Oops(Exception):
                    def show(self): pass
                @contextmanager
                def opened():
                    yield A()
                def a():
                    with A() as x: x.run()
                def b():
                    with opened() as x: x.run()
                def c():
                    try: pass
                    except Oops as error: error.show()
                def d(x: A): x.twin.run()
                def e():
                    x, y = A(), 1
                    x.run()
                def f():
                    for x in [A()]: x.run()
            """
        },
        {f"m:{f} -> m:A.run" for f in "abdef"}
        | {f"m:{f} -> m:A" for f in ("a", "e", "f", "opened")}
        | {"m:b -> m:opened", "m:c -> m:Oops.show"},
    ),
    "overloads and setters do not stand for the function": (
        {
            "m.py": """
                from typing import overload
                @overload
                def f(x: int) -> int: ...
                def f(x): return x
                def g(): f(1)
            """
        },
        {"m:g -> m:f~2"},
    ),
    "a local name that is a variable of another file, or of this one": (
        {
            "far.py": "class A:\n    def go(self): pass\n\n\none = 1\ntwo = 2\nthing = A()\n",
            "m.py": "def g(x):\n    if x:\n        from far import thing\n"
            "    else:\n        thing = None\n    thing.go()\n",
        },
        {"far:<module> -> far:A", "m:g -> far:A.go"},
    ),
    "production code never calls a test": (
        {
            "p.py": "class A:\n    def go(self): self.step()\n    def step(self): pass\ndef g(x):\n    x.fake_it()\n",
            "tests/test_p.py": "from p import A\nclass B(A):\n    def step(self): pass\n    def fake_it(self): pass\n",
        },
        {"p:A.go -> p:A.step"},
    ),
}


@pytest.mark.parametrize("name", list(CASES))
def test_facts(name: str) -> None:
    sources, expected = CASES[name]
    assert facts_only(sources) == expected


def family(count: int, body: str = "pass") -> str:
    """A base whose method calls `step`, and so many subclasses that define it."""
    subclasses = [f"class S{i}(A):\n    def step(self):\n        {body}\n" for i in range(count)]
    return "class A:\n    def go(self):\n        self.step()\n    def step(self): pass\n" + "".join(subclasses)


def test_few_overrides_are_facts_and_many_are_possible() -> None:
    few, many = calls_of({"m.py": family(3)}), calls_of({"m.py": family(5)})
    assert {few[f"m:A.go -> m:S{i}.step"] >= 0.8 for i in range(3)} == {True}
    assert {many[f"m:A.go -> m:S{i}.step"] < 0.8 for i in range(5)} == {True}
    assert many["m:A.go -> m:A.step"] == 0.99


def test_an_override_that_extends_is_only_possible() -> None:
    calls = calls_of({"m.py": family(2, "super().step()")})
    assert calls["m:A.go -> m:S0.step"] < 0.8


def test_an_exact_instance_reaches_no_override() -> None:
    calls = calls_of({"m.py": family(2) + "def g():\n    A().step()\n"})
    assert [call for call in calls if call.startswith("m:g")] == ["m:g -> m:A", "m:g -> m:A.step"]


def test_a_telling_name_is_possible_and_a_common_one_is_nothing() -> None:
    methods = "    def calibrate_it(self): pass\n    def get(self): pass\n"
    source = f"class A:\n{methods}def g(x):\n    x.calibrate_it()\n    x.get()\n"
    calls = {call: confidence for call, confidence in calls_of({"m.py": source}).items() if "g ->" in call}
    assert list(calls) == ["m:g -> m:A.calibrate_it"]
    assert 0 < calls["m:g -> m:A.calibrate_it"] < 0.8


def test_a_receiver_of_another_library_is_no_guess() -> None:
    source = "import numpy\nclass A:\n    def calibrate_it(self): pass\ndef g():\n    numpy.calibrate_it()\n"
    assert calls_of({"m.py": source}) == {}


def test_broken_code_and_cut_expressions_resolve_what_they_can() -> None:
    long = "f(" + ", ".join(f"'{i}'" for i in range(100)) + ")"
    source = f"def f(): pass\ndef g(:\n    pass\ndef h():\n    {long}.strip()\n    f()\n"
    assert "m:h -> m:f" in calls_of({"m.py": source})


def test_a_chain_of_a_thousand_classes_is_no_problem() -> None:
    source = "class C0:\n    def run(self): pass\n" + "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, 1000))
    source += "class D(C50):\n    def go(self):\n        self.run()\n"
    assert facts_only({"m.py": source}) == {"m:D.go -> m:C0.run"}


@pytest.mark.parametrize("body", ["raise NotImplementedError", "raise NotImplementedError('no')", "abstract"])
def test_a_method_that_is_only_declared_is_no_fact_where_it_is_overridden(body: str) -> None:
    decorator = "    @abc.abstractmethod\n" if body == "abstract" else ""
    step = f"{decorator}    def step(self): {'...' if body == 'abstract' else body}\n"
    source = "import abc\nclass A:\n    def go(self): self.step()\n" + step
    assert facts_only({"m.py": source}) >= {"m:A.go -> m:A.step"}
    source += "class B(A):\n    def step(self): pass\n"
    assert {call for call in facts_only({"m.py": source}) if "go" in call} == {"m:A.go -> m:B.step"}
    assert calls_of({"m.py": source})["m:A.go -> m:A.step"] < 0.8


def test_raising_a_class_constructs_it() -> None:
    source = "class Oops(Exception):\n    def __init__(self): pass\n"
    source += "def f(error):\n    raise Oops\ndef g(error):\n    raise error\n"
    assert facts_only({"m.py": source}) == {"m:f -> m:Oops.__init__"}


def test_chains_that_would_exhaust_the_stack_are_left_out() -> None:
    chain = ".a" * 70
    source = "class A:\n    a: 'A'\n    def run(self): pass\nx0 = A()\n"
    source += "".join(f"x{i} = x{i - 1}{chain}\n" for i in range(1, 30))
    source += "def f():\n    x29.run()\ndef g(x: A):\n    x.run()\n"
    assert "m:g -> m:A.run" in facts_only({"m.py": source})
