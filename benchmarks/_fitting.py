"""Weights of evidence, fitted to cases: those under which the right candidates are likeliest (numpy, development only).

A candidate's likelihood is its share of all e^score of its case, its score the weighted sum of its evidence.  What
`maximise` finds is the product of these likelihoods over the cases, a ridge keeping single weights from running away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

type Floats = np.ndarray[Any, np.dtype[np.float64]]
type Numbers = np.ndarray[Any, np.dtype[np.int64]]
type Flags = np.ndarray[Any, np.dtype[np.bool_]]

RIDGE = 0.002  # of the squares of weights that lie around 5: flat between a third and three times of it
STEPS, RATE = 300, 0.2  # of Adam (Kingma, Ba 2014); twice the steps move no weight by a tenth


class Table(NamedTuple):
    """Candidates row by row, those of one case together: `values` by `kinds`, the case each is of, whether it is right.

    `shares` are the weights of the cases.
    """

    kinds: tuple[str, ...]
    values: Floats
    cases: Numbers
    right: Flags
    shares: Floats


def make_table(
    kinds: Sequence[str], cases: Sequence[Sequence[tuple[dict[str, float], bool]]], shares: Sequence[float]
) -> Table:
    """The table of cases, each a list of candidates: evidence by kind, and whether it is right."""
    rows = [[evidence.get(kind, 0.0) for kind in kinds] for case in cases for evidence, _ in case]
    numbers = [number for number, case in enumerate(cases) for _ in case]
    right = [is_right for case in cases for _, is_right in case]
    values = np.array(rows, dtype=np.float64).reshape(-1, len(kinds))
    return Table(
        tuple(kinds), values, np.array(numbers, dtype=np.int64), np.array(right, dtype=np.bool_), np.array(shares)
    )


def maximise(table: Table, used: Flags, signed: frozenset[str]) -> dict[str, float]:
    """The weights by kind, fitted to the cases `used`; only those of `signed` kinds may be below 0."""
    has_right = np.zeros(len(table.shares), dtype=np.bool_)
    has_right[table.cases[table.right]] = True
    rows = (has_right & used)[table.cases]
    values, right, cases = table.values[rows], table.right[rows], table.cases[rows]
    starts = np.flatnonzero(np.r_[True, cases[1:] != cases[:-1]])
    sizes = np.diff(np.r_[starts, len(cases)])
    shares = table.shares[cases[starts]]
    shares = np.repeat(shares / shares.sum(), sizes)
    least = np.array([-np.inf if kind in signed else 0.0 for kind in table.kinds])
    weights = np.ones(len(table.kinds))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = values @ weights
        likely = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        among_right = np.where(right, likely, 0.0)
        likely /= np.repeat(np.add.reduceat(likely, starts), sizes)
        among_right /= np.maximum(np.repeat(np.add.reduceat(among_right, starts), sizes), 1e-300)
        gradient = ((likely - among_right) * shares) @ values + 2 * RIDGE * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        change = RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
        weights = np.maximum(weights - change * (1 - step / (STEPS + 1)), least)
    return dict(zip(table.kinds, weights.tolist(), strict=True))


def score(table: Table, weights: dict[str, float]) -> Floats:
    """The scores of all candidates."""
    return table.values @ np.array([weights.get(kind, 0.0) for kind in table.kinds])


def standard_error(hits: Sequence[float]) -> float:
    """Of the mean, by 1,000 draws of as many cases with replacement; the same for equal input."""
    drawn = np.random.default_rng(1).choice(np.array(hits, dtype=np.float64), (1000, len(hits)))
    return float(drawn.mean(axis=1).std())
