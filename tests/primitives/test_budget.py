"""No primitive's output is ever larger than its budget, whatever the files hold and whatever is asked."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram.budget import MAX_BYTES, MIN_BYTES, Budget, count_fitting
from engram.errors import InvalidArgument
from engram.primitives.base import Scope, run
from engram.primitives.outcome import failure
from engram.primitives.registry import PRIMITIVES
from engram.primitives.wire import encode, size
from engram.render.primitives import render

from .conftest import call, commit, git, write

SHARED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
WILD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
LINES = st.lists(
    st.one_of(WILD, st.sampled_from(["needle", "needle " * 400, "\x01" * 300, "\U0001f600" * 500])), max_size=40
)
BUDGETS = st.one_of(st.sampled_from([MIN_BYTES, 2048, MAX_BYTES]), st.integers(MIN_BYTES, MAX_BYTES))
ARGUMENTS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "grep": st.fixed_dictionaries(
        {"pattern": st.one_of(st.sampled_from(["needle", ".", "", "(", "x*", "\\w"]), st.text(max_size=20))},
        optional={
            "ctx": st.integers(0, 10),
            "max": st.integers(1, 50),
            "path": st.sampled_from([".", "a.txt", "nope"]),
        },
    ),
    "read": st.fixed_dictionaries(
        {
            "file": st.sampled_from(["a.txt", "b.py", "\x01" * 2000, "nope"]),
            "from": st.integers(0, 50),
            "to": st.integers(0, 900),
        }
    ),
    "ast": st.fixed_dictionaries(
        {
            "file": st.sampled_from(["b.py", "a.txt"]),
            "query": st.sampled_from(["functions", "classes", "exports", "imports"]),
        }
    ),
    "git": st.fixed_dictionaries(
        {"view": st.sampled_from(["log", "diff", "blame"])},
        optional={"file": st.just("a.txt"), "ref": st.sampled_from(["HEAD", "HEAD~1..HEAD", "x" * 99])},
    ),
    "recurse": st.fixed_dictionaries(
        {
            "prompt": st.text(min_size=1, max_size=60).map(lambda text: text * 20),
            "over": st.lists(st.sampled_from(["a.txt", "*.txt", "b.py", "nope", "many"]), max_size=3),
        },
        optional={"each": st.booleans()},
    ),
}


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        git(folder, "init", "-q")
        write(folder, {f"many/{'long-name-' * 20}{number}.txt": "needle\n" for number in range(70)})
        commit(folder, "S" * 3000, {"a.txt": "first\n", "b.py": "".join(f"def f{n}(): pass\n" for n in range(300))})
        commit(folder, "\U0001f600" * 300, {"a.txt": "needle\n" * 700})
        yield folder


@pytest.mark.parametrize("name", list(ARGUMENTS))
@given(data=st.data(), lines=LINES, max_bytes=BUDGETS)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
def test_no_output_passes_its_budget(
    name: str, data: st.DataObject, lines: list[str], max_bytes: int, folder: Path
) -> None:
    write(folder, {"a.txt": "\n".join(lines)})
    scope = Scope(str(folder), f"s{max_bytes}", budget=Budget(max_bytes))
    arguments = data.draw(ARGUMENTS[name])
    call(scope, name, arguments)  # asserts that what is printed fits
    text = render(run(PRIMITIVES[name], scope, arguments), max_bytes)
    assert len(text.encode("utf-8", "backslashreplace")) < max_bytes


def test_what_is_cut_is_said_and_the_rest_is_whole(folder: Path) -> None:
    write(folder, {"a.txt": "needle here\n" * 60})
    arguments = {"pattern": "needle", "ctx": 0}
    whole = call(Scope(str(folder), "s"), "grep", arguments)
    part = call(Scope(str(folder), "s", budget=Budget(3000)), "grep", arguments)
    shown = part["data"]["hits"]
    assert 0 < len(shown) < len(whole["data"]["hits"])
    assert shown == whole["data"]["hits"][: len(shown)]
    assert part["leftOut"]["hits"] == whole["leftOut"]["hits"] + len(whole["data"]["hits"]) - len(shown)


def test_an_item_that_does_not_fit_is_an_error_not_an_empty_answer(folder: Path) -> None:
    write(folder, {"a.txt": "x" * 1990 + "\n"})
    wire = call(Scope(str(folder), "s", budget=Budget(MIN_BYTES)), "read", {"file": "a.txt", "from": 1, "to": 1})
    assert wire["error"]["kind"] == "invalid-argument"
    assert "budget" in wire["error"]["hint"]


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(0, 40), st.integers(0, 500))
def test_as_many_items_are_taken_as_fit(sizes: list[int], fixed: int, max_bytes: int) -> None:
    count = count_fitting(sizes, lambda _count: fixed, Budget(max_bytes))
    if count is None:
        assert fixed > max_bytes
        return
    assert sum(sizes[:count]) + fixed <= max_bytes
    assert count == len(sizes) or sum(sizes[: count + 1]) + fixed > max_bytes


@given(st.text(max_size=2000), st.text(max_size=2000))
def test_an_error_always_fits_the_smallest_budget(message: str, hint: str) -> None:
    assert size(failure(InvalidArgument(message, hint))) <= MIN_BYTES - 400


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_what_is_encoded_is_json_on_one_line(value: Any) -> None:
    import json

    text = encode(value)
    assert json.loads(text) == value
    assert len(text.splitlines()) == 1
    assert size(value) == len(text.encode())


@given(st.text(st.characters(categories=["Cs", "L"]), max_size=10))
def test_texts_with_lone_surrogates_are_escaped(text: str) -> None:
    import json

    encode(text).encode()
    assert json.loads(encode(text)).encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")
