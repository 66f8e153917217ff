from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.orient.confidence import chance_of, confidence_of
from engram.orient.signals import Signals

LEVELS = ("low", "medium", "high")


def signals(fit: float, whole_fit: float = 0.3) -> Signals:
    return Signals({}, {}, fit, whole_fit)


@given(st.lists(st.floats(0.01, 4.0), max_size=30), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_text_that_fits_less_never_makes_it_surer(
    scores: list[float], fit: float, less: float, whole_fit: float
) -> None:
    ordered = sorted(scores, reverse=True)
    surer = confidence_of(ordered, signals(max(fit, less), whole_fit), 20)
    assert LEVELS.index(confidence_of(ordered, signals(min(fit, less), whole_fit), 20)) <= LEVELS.index(surer)


@given(st.lists(st.floats(0.01, 4.0), min_size=1, max_size=30))
def test_the_chance_of_the_first_file_is_a_share(scores: list[float]) -> None:
    ordered = sorted(scores, reverse=True)
    assert 1 / len(ordered) - 1e-9 <= chance_of(ordered) <= 1


def test_the_further_the_first_file_stands_before_all_others_the_surer() -> None:
    chances = [chance_of([2.0, 2.0 - margin, 1.0]) for margin in (0.0, 0.2, 0.5, 1.0)]
    assert chances == sorted(chances)
    assert chance_of([2.0, 1.9, 1.8]) < chance_of([2.0, 1.9, 1.0])
    assert confidence_of([2.0, 0.9], signals(0.6), 20) == "high"
    assert confidence_of([2.0] * 20, signals(0.6), 20) == "medium"


@pytest.mark.parametrize("scores", [[], [2.0], [2.0, 0.1]])
def test_a_text_about_something_else_is_low(scores: list[float]) -> None:
    assert confidence_of(scores, signals(0.05, 0.05), 20) == "low"


def test_few_words_have_to_fit_better() -> None:
    levels = [confidence_of([2.0, 0.9], signals(0.4), terms) for terms in (1, 2, 6, 12, 40)]
    assert levels[0] == "low"
    assert levels[-1] == "high"
    assert [LEVELS.index(level) for level in levels] == sorted(LEVELS.index(level) for level in levels)
