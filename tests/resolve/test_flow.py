"""Types of parameters from what is passed for them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pytest

from engram.extract.flow import call_arguments, refine
from engram.extract.parse import language_of
from tests.hash_seeds import printed_by_any
from tests.resolve.projects import calls_of, project, symbol

SHAPES = """
class Round:
    def area(self): pass
class Flat:
    def area(self): pass
class Steep:
    def area(self): pass
def measure(shape):
    shape.area()
def make(kind=None, default=Round):
    if kind is None:
        return default()
    return kind()
"""


def refined(sources: Mapping[str, str]) -> dict[str, float]:
    """`caller -> callee` within files named by their stem, with confidence."""
    files = project(sources)
    arguments = {path: arguments_of(path, source) for path, source in sources.items()}
    return {
        f"{path.rpartition('.')[0]}:{symbol(files[path], call.caller)} -> {symbol(files[call.path], call.callee)}": (
            call.confidence
        )
        for path, calls in refine(files.values(), arguments).items()
        for call in calls
    }


def arguments_of(path: str, source: str) -> list[str]:
    """What the calls of a source pass."""
    text = textwrap.dedent(source).encode()
    language = language_of(path, text)
    assert language is not None
    return call_arguments(text, language)


def areas(calls: Mapping[str, float], caller: str = "m:measure") -> dict[str, bool]:
    """Class -> whether the call of its `area` is a fact."""
    start = f"{caller} -> "
    return {
        call.removeprefix(start).partition(".")[0]: confidence >= 0.8
        for call, confidence in calls.items()
        if call.startswith(start) and call.endswith(".area")
    }


USES: dict[str, tuple[str, dict[str, bool]]] = {
    "an argument by position": ("measure(Round())", {"Round": True}),
    "an argument by name": ("measure(shape=Round())", {"Round": True}),
    "two kinds": ("measure(Round())\nmeasure(Flat())", {"Round": True, "Flat": True}),
    "through a function": ("def pass_on(x):\n    measure(x)\npass_on(Flat())", {"Flat": True}),
    "what a maker makes by default": ("measure(make())", {"Round": True}),
    "what a maker makes for this argument, not for others": (
        "make(Flat)\nmeasure(make(Steep))",
        {"Round": True, "Steep": True},  # branches are not told apart
    ),
    "starred arguments tell nothing": ("measure(*[Round()])", {"Round": False, "Flat": False, "Steep": False}),
    "a seldom case is only possible": ("measure(Round())\n" * 11 + "measure(Flat())", {"Round": True, "Flat": False}),
}


@pytest.mark.parametrize("name", list(USES))
def test_a_parameter_holds_what_is_passed(name: str) -> None:
    use, expected = USES[name]
    assert areas(refined({"m.py": SHAPES + use + "\n"})) == expected


def test_methods_constructors_and_class_methods_take_their_receiver_first() -> None:
    source = SHAPES + (
        "class Box:\n"
        "    def __init__(self, inner): self.inner = inner\n"
        "    def put(self, thing): thing.area()\n"
        "    @classmethod\n"
        "    def of(cls, thing): thing.area()\n"
        "    @staticmethod\n"
        "    def check(thing): thing.area()\n"
        "    def use(self): self.inner.area()\n"
        "Box(Round()).put(Flat())\n"
        "Box.of(Steep())\n"
        "Box.check(Round())\n"
    )
    calls = refined({"m.py": source})
    assert areas(calls, "m:Box.put") == {"Flat": True}
    assert areas(calls, "m:Box.of") == {"Steep": True}
    assert areas(calls, "m:Box.check") == {"Round": True}
    assert areas(calls, "m:Box.use") == {"Round": True}


def test_a_declared_class_is_believed_more_than_what_is_passed() -> None:
    source = SHAPES + "def f(x: Round):\n    x.area()\nf(Flat())\n"
    assert areas(refined({"m.py": source}), "m:f") == {"Round": True}


def test_tests_are_evidence_with_parametrize_and_fixtures() -> None:
    test = """
        import pytest
        from m import Flat, Round, Steep, measure
        @pytest.fixture
        def shape():
            yield Steep()
        @pytest.mark.parametrize("kind, number", [(Round, 1), pytest.param(Flat, 2)])
        def test_kinds(kind, number):
            measure(kind())
        def test_fixture(shape):
            measure(shape)
    """
    calls = refined({"m.py": SHAPES, "tests/test_m.py": test})
    assert areas(calls) == {"Round": True, "Flat": True, "Steep": True}


def test_what_is_expected_to_raise_is_no_evidence() -> None:
    test = """
        import pytest
        from m import Flat, Round, measure
        def test_it():
            measure(Round())
            with pytest.raises(TypeError):
                measure(Flat())
    """
    assert areas(refined({"m.py": SHAPES, "tests/test_m.py": test})) == {"Round": True}


def test_what_is_found_without_evidence_stays() -> None:
    sources = {"m.py": SHAPES + "def f():\n    measure(make())\n"}
    plain = {call.replace("-> m:", "-> ") for call, confidence in calls_of(sources).items() if confidence >= 0.8}
    assert plain <= {call for call, confidence in refined(sources).items() if confidence >= 0.8}


def test_recursion_and_circles_of_arguments_end() -> None:
    source = SHAPES + "def f(x):\n    return g(x)\ndef g(y):\n    y.area()\n    return f(y)\nf(g(Round()))\n"
    assert areas(refined({"m.py": source}), "m:g") == {"Round": True}


def test_equal_input_gives_equal_edges_in_every_process() -> None:
    program = (
        "from tests.resolve.test_flow import SHAPES, USES, refined\n"
        "print(refined({'m.py': SHAPES + ''.join(use + chr(10) for use, _ in USES.values())}))\n"
    )
    assert "area" in printed_by_any(program)


def test_arguments_are_those_of_the_calls_in_the_facts() -> None:
    source = "@plain\n@made(1)\ndef f(): pass\na(b(2), *c)(3)\nd(x for x in y)\ne()\n"
    facts = project({"m.py": source})["m.py"]
    pairs = dict(zip([call.callee for call in facts.calls], arguments_of("m.py", source), strict=True))
    assert pairs == {
        "plain": "",
        "made": "1",
        "b": "2",
        "a": "b(2), *c",
        "a(b(2), *c)": "3",
        "d": "x for x in y",
        "e": "",
    }


def test_a_file_that_changed_gives_no_evidence() -> None:
    files = project({"m.py": SHAPES + "measure(Round())\n"})
    calls = refine(files.values(), {"m.py": ["Round()"]})["m.py"]
    assert not [
        call for call in calls if files["m.py"].definitions[call.callee].name == "area" and call.confidence > 0.8
    ]
