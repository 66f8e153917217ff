"""How well the ranking finds what real fixes changed, with weights fitted without the repository they are tried on.

    python -m benchmarks localisation CASES MIRRORS [--table FILE] [--title] [--history] [--misses]

CASES is a folder of JSON lines: `id`, `set`, `repo`, `base_commit`, `title`, `body`, `gold_files` and `gold_functions`
(`file`, `name`, `start`, `end`); MIRRORS has one bare repository for each `repo`, as OWNER+NAME/repo.  Each case's
commit is checked out and indexed, with --history also what led to it, and the evidence for its candidates written
down, in FILE if one is given: what is there already is not asked for again.  Needs numpy.

Then the weights are fitted, once for each repository to the cases of all others, and once to all.  Printed are the
shares of cases with a right file among the first 1, 3, 5 and 10 and a right function among the first 1, 3, 5, 6 and 10,
with standard errors; the weights in use; how often a level of confidence is given and is right, and what levels the
text of a case of another repository gets; with --misses, for each case without a right file in three or function in
five, which kinds of evidence alone would have had it among ten.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks._checkout import check_out
from engram.config import load_config
from engram.engine import Engram
from engram.model import Symbol
from engram.orient.candidates import Candidates, find_candidates
from engram.orient.confidence import confidence_of
from engram.orient.evidence import called_by, evidence_of_files, evidence_of_functions
from engram.orient.rank import FILE_WEIGHTS, FUNCTION_WEIGHTS, NEVER_SHOWN, asks_for_tests
from engram.orient.signals import Signals
from engram.paths import is_test_path

LIMIT = 10
FILE_RANKS, FUNCTION_RANKS = (1, 3, 5, 10), (1, 3, 5, 6, 10)
SIGNED = frozenset(kind for weights in (FILE_WEIGHTS, FUNCTION_WEIGHTS) for kind in weights if weights[kind] < 0)

type Evidence = dict[str, float]


class Row(NamedTuple):
    """A case as the ranking sees it: candidates with their evidence, and whether the fix changed them.

    `functions` name their files; `wanted` says that the fix changed a function at all.
    """

    id: str
    group: str
    repository: str
    fit: float
    whole_fit: float
    terms: int
    files: list[tuple[str, Evidence, bool]]
    functions: list[tuple[str, str, Evidence, bool]]
    wanted: bool


class Scores(NamedTuple):
    """Of a case: rank of the first right file and function (infinite for none), and the scores of its files, sorted."""

    file: float
    function: float
    scores: list[float]


def read_case(engram: Engram, case: dict[str, Any], text: str) -> Row:
    """The candidates that the product finds for `text`, with the evidence it has for each."""
    found = find_candidates(engram.connection, engram.keys, engram.worktree.root, text, LIMIT)
    lifted = called_by(found.seeds, found.callees)
    with_tests = asks_for_tests(found.query)
    files = [
        (found.paths[number], evidence, found.paths[number] in case["gold_files"])
        for number, evidence in evidence_of_files(found.query, found.signals, found.paths, lifted).items()
        if with_tests or not is_test_path(found.paths[number])
    ]
    functions = _functions(found, lifted, {path for path, _, _ in files}, _changed(case))
    text_says = found.signals.fit, found.signals.whole_fit, len(found.query.terms)
    return Row(case["id"], case["set"], case["repo"], *text_says, files, functions, bool(_changed(case)))


def _functions(
    found: Candidates, lifted: dict[int, float], paths: set[str], changed: Sequence[dict[str, Any]]
) -> list[tuple[str, str, Evidence, bool]]:
    shown = {doc: place for doc, place in found.places.items() if place.kind not in NEVER_SHOWN and place.path in paths}
    longest: dict[tuple[str, str], int] = {}
    for doc, place in sorted(shown.items(), key=lambda item: item[1].start - item[1].end):
        longest.setdefault((place.path, place.qualname), doc)
    shown = {doc: shown[doc] for doc in longest.values()}
    evidence = evidence_of_functions(found.query, found.signals, shown, {}, lifted)
    return [(place.path, place.qualname, evidence[doc], _is_right(place, changed)) for doc, place in shown.items()]


def _changed(case: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in case.get("gold_functions", []) if not one.get("secondary")]


def _is_right(place: Symbol, changed: Iterable[dict[str, Any]]) -> bool:
    """Whether it is a changed definition by name, or at least half of it lies inside of one."""
    for one in changed:
        common = min(place.end, one["end"]) - max(place.start, one["start"]) + 1
        inside = 2 * common >= place.end - place.start + 1
        if place.path == one["file"] and (place.qualname == one["name"] or inside):
            return True
    return False


class Model:
    """Weights fitted to rows: of files first, then of functions, to which the score of their file is evidence."""

    def __init__(self, rows: Sequence[Row]) -> None:
        from benchmarks import _fitting  # numpy is no dependency of the other benchmarks

        self._fitting = _fitting
        self._rows = rows
        sizes = Counter(row.repository for row in rows)
        self._shares = [sizes[row.repository] ** -0.5 for row in rows]  # else one repository would be a third of all
        files = [[(evidence, right) for _, evidence, right in row.files] for row in rows]
        self._files = _fitting.make_table([*FILE_WEIGHTS], files, self._shares)

    def fit(self, used: Callable[[Row], bool]) -> tuple[Evidence, Evidence]:
        """The weights of files and functions, fitted to the rows `used`."""
        import numpy as np

        chosen = np.array([used(row) for row in self._rows])
        of_files = self._fitting.maximise(self._files, chosen, SIGNED)
        functions = [
            [(evidence, right) for _, _, evidence, right in with_shares(row, of_files).functions] for row in self._rows
        ]
        table = self._fitting.make_table([*FUNCTION_WEIGHTS], functions, self._shares)
        return of_files, self._fitting.maximise(table, chosen, SIGNED)


def with_shares(row: Row, weights: Evidence) -> Row:
    """The row with the score of its file, over the best one's, among the evidence of each function."""
    scores = {path: _total(evidence, weights) for path, evidence, _ in row.files}
    best = max(scores.values(), default=0.0)
    shares = {path: max(0.0, score) / best if best > 0 else 0.0 for path, score in scores.items()}
    functions = [
        (path, name, {**evidence, "file": shares[path]}, right) for path, name, evidence, right in row.functions
    ]
    return row._replace(functions=functions)


def score_row(row: Row, of_files: Evidence, of_functions: Evidence) -> Scores:
    """Where the right ones stand with these weights, candidates of equal score by their names."""
    files = sorted([(-_total(evidence, of_files), path, right) for path, evidence, right in row.files])
    functions = sorted(
        [
            (-_total(evidence, of_functions), path, name, right)
            for path, name, evidence, right in with_shares(row, of_files).functions
        ]
    )
    return Scores(
        next((rank for rank, one in enumerate(files, 1) if one[-1]), math.inf),
        next((rank for rank, one in enumerate(functions, 1) if one[-1]), math.inf),
        [-one[0] for one in files],
    )


def _total(evidence: Evidence, weights: Evidence) -> float:
    return sum(weights.get(kind, 0.0) * value for kind, value in evidence.items())


def level_of(row: Row, scores: Scores, of_files: Evidence) -> str:
    """The confidence that the product gives with these weights, scaled to those in use."""
    scale = FILE_WEIGHTS["words"] / of_files["words"]
    files = [score * scale for score in scores.scores if score > 0]
    return confidence_of(files, Signals({}, {}, row.fit, row.whole_fit), row.terms)


def print_scores(title: str, rows: Sequence[Row], scores: Sequence[Scores]) -> None:
    """A line for each set and one for all: shares in per cent, their standard errors in brackets."""
    from benchmarks._fitting import standard_error

    print(f"{title}: file@{'/'.join(map(str, FILE_RANKS))}, function@{'/'.join(map(str, FUNCTION_RANKS))}")
    for group in [*dict.fromkeys(row.group for row in rows), ""]:
        chosen = [(row, one) for row, one in zip(rows, scores, strict=True) if group in ("", row.group)]
        parts = [f"  {group or 'all':<20} {len(chosen):>4}"]
        ranks = [one.file for _, one in chosen], [one.function for row, one in chosen if row.wanted]
        for found, wanted in zip(ranks, (FILE_RANKS, FUNCTION_RANKS), strict=True):
            for rank in wanted if found else ():
                hits = [float(one <= rank) for one in found]
                parts.append(f"{100 * sum(hits) / len(hits):5.1f} ({100 * standard_error(hits):.1f})")
            parts.append("|")
        print(" ".join(parts).rstrip("| "))


def print_confidence(title: str, levels: Sequence[str], scores: Sequence[Scores]) -> None:
    """For each level its share, and how often the first three files hold a right one."""
    for level in ("high", "medium", "low"):
        chosen = [one for is_level, one in zip(levels, scores, strict=True) if is_level == level]
        right = f"right in three {sum(one.file <= 3 for one in chosen) / len(chosen):.0%}" if chosen else ""
        print(f"  {title:<24} {level:<7} {len(chosen) / len(levels):4.0%} {right}")


def print_misses(rows: Sequence[Row], scores: Sequence[Scores]) -> None:
    """For each miss: the ranks of the right candidate by single kinds of evidence, where they are among ten."""
    for row, one in zip(rows, scores, strict=True):
        files = [(evidence, right) for _, evidence, right in row.files]
        functions = [(evidence, right) for _, _, evidence, right in row.functions]
        if one.file > 3:
            print(f"  {row.id} file {one.file}: {_alone(files)}")
        if row.wanted and one.function > 5:
            print(f"  {row.id} function {one.function}: {_alone(functions)}")


def _alone(candidates: Sequence[tuple[Evidence, bool]]) -> str:
    found: list[tuple[int, str]] = []
    for kind in {kind for evidence, right in candidates if right for kind in evidence}:
        best = max(evidence.get(kind, 0.0) for evidence, right in candidates if right)
        rank = 1 + sum(evidence.get(kind, 0.0) >= best for evidence, right in candidates if not right)
        if rank <= 10:
            found.append((rank, kind))
    return ", ".join(f"{kind} {rank}" for rank, kind in sorted(found)) or "no candidate, or no kind of evidence"


def main(args: list[str]) -> int:
    """Collect what is not there yet, fit, and print."""
    parser = argparse.ArgumentParser(prog="benchmarks localisation", description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--table", type=Path, help="where evidence is kept between runs")
    parser.add_argument("--only", help="one repository: no fit then, only the weights in use")
    parser.add_argument("--title", action="store_true", help="the titles alone are the texts")
    parser.add_argument("--history", action="store_true", help="read the git history of each commit first")
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args(args)
    cases = [json.loads(line) for file in sorted(given.cases.glob("*.jsonl")) for line in file.open(encoding="utf-8")]
    wanted = sorted([case for case in cases if given.only in (None, case["repo"])], key=_order)
    own, foreign = [], []
    for row, other in collect(wanted, cases, given):
        own.append(row)
        foreign.append(other)
    report(own, foreign, is_fitted=not given.only, with_misses=given.misses)
    return 0


def _order(case: dict[str, Any]) -> tuple[str, str]:
    return case["repo"], case["id"]


def collect(
    cases: Sequence[dict[str, Any]], others: Sequence[dict[str, Any]], given: argparse.Namespace
) -> Iterator[tuple[Row, Row]]:
    """For each case its row, and that of the text of a case of another repository put to the same index."""
    known: dict[str, Any] = {}
    if given.table and given.table.exists():
        known = {line[0][0]: line for line in map(json.loads, given.table.open(encoding="utf-8"))}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        for case in cases:
            if case["id"] not in known:
                foreign = random.Random(case["id"]).choice([one for one in others if one["repo"] != case["repo"]])
                tree = check_out(given.mirrors, Path(scratch), case["repo"], case["base_commit"])
                known[case["id"]] = _read_both(tree, case, foreign, given)
                if given.table:
                    with given.table.open("a", encoding="utf-8") as table:
                        table.write(json.dumps(known[case["id"]]) + "\n")
            own, other = known[case["id"]]
            yield Row(*own), Row(*other)


def _read_both(tree: Path, case: dict[str, Any], foreign: dict[str, Any], given: argparse.Namespace) -> list[Row]:
    with Engram.open(load_config(), str(tree)) as engram:
        engram.sync()
        if given.history:
            engram.read_history(most_slices=1, wait_s=600)
        texts = [one["title"] + ("" if given.title else f"\n\n{one.get('body') or ''}") for one in (case, foreign)]
        nothing = {**case, "gold_files": [], "gold_functions": []}
        return [read_case(engram, case, texts[0]), read_case(engram, nothing, texts[1])]


def report(own: Sequence[Row], foreign: Sequence[Row], *, is_fitted: bool, with_misses: bool) -> None:
    """Print all tables."""
    in_use = [score_row(row, FILE_WEIGHTS, FUNCTION_WEIGHTS) for row in own]
    print_scores("weights in use", own, in_use)
    if is_fitted:
        model = Model(own)
        repositories = sorted({row.repository for row in own})
        without = {name: model.fit(lambda row, name=name: row.repository != name) for name in repositories}
        held_out = [score_row(row, *without[row.repository]) for row in own]
        print_scores("fitted without the repository", own, held_out)
        of_all = model.fit(lambda row: True)
        print_scores("fitted to all", own, [score_row(row, *of_all) for row in own])
        for weights in of_all:
            shown = [f"{kind} {weight / weights['words']:.2f}" for kind, weight in weights.items()]
            print(f"weights, words {weights['words']:.1f}: {', '.join(shown)}")
        levels = [level_of(row, one, without[row.repository][0]) for row, one in zip(own, held_out, strict=True)]
        print_confidence("own, fitted without", levels, held_out)
        others = [score_row(row, *without[row.repository]) for row in foreign]
        levels = [level_of(row, one, without[row.repository][0]) for row, one in zip(foreign, others, strict=True)]
        print_confidence("texts of others", levels, others)
    else:
        print_confidence(
            "own", [level_of(row, one, FILE_WEIGHTS) for row, one in zip(own, in_use, strict=True)], in_use
        )
    if with_misses:
        print_misses(own, held_out if is_fitted else in_use)
