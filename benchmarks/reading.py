"""Characters read until the changed function is on screen: in the order of the map, and of ripgrep's hits.

    python -m benchmarks reading CASES.jsonl MIRRORS [--every N] [--only REPOSITORY]

CASES has one JSON object a line: `repo`, `base_commit`, `title`, `body` and `gold_functions` (`file`, `name`, `start`,
`end`: what the fix changed); MIRRORS one bare repository for each `repo`, as OWNER+NAME/repo.

Both readers see the issue and stop at BOUND characters.  The first reads the map, then the lines of its places in
their order, then those of a longer map.  The second does what a person does without one: takes the names in the text
(code, snake_case, CamelCase), the rarest first, and reads each hit with ten lines around it, as `rg -w -F -C 10 --sort
path NAME` prints them; once in all code, once without the tests and what stands beside the product.  Lines that were
read before cost nothing.  A function counts as found when half of it or twenty lines have been read.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks._checkout import check_out, git
from engram.config import load_config
from engram.engine import Engram
from engram.extract.languages import language_of
from engram.orient.query import parse_query
from engram.paths import is_aside_path, is_test_path
from engram.render.map import render_map

BOUND = 50_000  # characters: some 12,000 tokens; whoever has read so much has given up or changed the plan
SHARES = (8_000, 20_000, BOUND)
CONTEXT = 10  # lines around a hit
ENOUGH = 20  # lines of a function on screen are enough to see what it does
LONG_MAP = 50  # places of the map that is read after the first one
WRITTEN_AS_NAME = 0.6  # weight of a mention: below it stand plain words of the title


class Region(NamedTuple):
    """Lines `start` to `end` of a file, from 1, both included."""

    path: str
    start: int
    end: int


class Reader:
    """Counts what is read, each line once, until the changed function is on screen."""

    def __init__(self, files: dict[str, list[str]], changed: list[Region]) -> None:
        self.characters = 0
        self._files = files
        self._seen: set[tuple[str, int]] = set()
        self._changed = changed

    def read(self, region: Region) -> bool:
        """Whether the function is on screen after these lines."""
        lines = self._files.get(region.path, [])
        for number in range(max(1, region.start), min(region.end, len(lines)) + 1):
            if (region.path, number) not in self._seen:
                self._seen.add((region.path, number))
                self.characters += len(lines[number - 1]) + 1
                if any(self._is_shown(one) for one in self._changed if one.path == region.path):
                    return True
        return False

    def _is_shown(self, region: Region) -> bool:
        shown = sum([(region.path, number) in self._seen for number in range(region.start, region.end + 1)])
        return shown >= min(ENOUGH, (region.end - region.start + 2) // 2)


def characters_until_shown(reader: Reader, regions: Iterable[Region]) -> float:
    """How many were read, infinite where the function is not on screen before BOUND."""
    for region in regions:
        if reader.read(region):
            return reader.characters if reader.characters <= BOUND else float("inf")
        if reader.characters > BOUND:
            break
    return float("inf")


def hits(names: list[str], files: dict[str, list[str]]) -> Iterator[Region]:
    """The surroundings of every line with one of the names, the names with the fewest lines first, files by path."""
    found: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
    if not names:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    for path in sorted(files):
        for number, line in enumerate(files[path], 1):
            for name in dict.fromkeys(pattern.findall(line)):
                found[name].append((path, number))
    for name in sorted(names, key=lambda name: (len(found[name]), names.index(name))):
        for path, number in found[name]:
            yield Region(path, number - CONTEXT, number + CONTEXT)


def places(engram: Engram, text: str, reader: Reader) -> Iterator[Region]:
    """The lines of the map's places, then of a longer map's; the text of both maps is counted, too."""
    for limit in (None, LONG_MAP):
        found = engram.orient(text) if limit is None else engram.orient(text, limit=limit)
        reader.characters += len(render_map(found))
        for place in found.locations:
            yield Region(place.file, place.start, place.end)


def main(args: list[str]) -> int:
    """Print the medians, and the shares found within SHARES characters."""
    parser = argparse.ArgumentParser(prog="benchmarks reading", description=__doc__)
    parser.add_argument("cases")
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--only", help="one repository")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="read each N-th case")
    given = parser.parse_args(args)
    results: dict[str, list[float]] = {"map": [], "hits": [], "hits in the product": []}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        for case in _cases(given.cases, given.only)[:: given.every]:
            tree = check_out(given.mirrors, Path(scratch), case["repo"], case["base_commit"])
            for who, read in _read_case(case, tree).items():
                results[who].append(read)
    for who, counts in results.items():
        shares = "  ".join(f"{sum(one <= most for one in counts) / len(counts):4.0%} in {most}" for most in SHARES)
        print(f"{who:<20} {len(counts)} cases  median {statistics.median(counts):6.0f}  {shares}")
    return 0


def _cases(path: str, only: str | None) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file if line.strip()]
    chosen = [case for case in cases if _changed(case) and only in (None, case["repo"])]
    return sorted(chosen, key=lambda case: (case["repo"], case["id"]))


def _changed(case: dict[str, Any]) -> list[Region]:
    functions = [one for one in case.get("gold_functions", []) if not one.get("secondary")]
    return [Region(one["file"], one["start"], one["end"]) for one in functions]


def _read_case(case: dict[str, Any], tree: Path) -> dict[str, float]:
    text = f"{case['title']}\n\n{case.get('body') or ''}"
    files = {
        path: (tree / path).read_text("utf-8", "replace").split("\n")
        for path in git(tree, "ls-files", "-z").split("\0")
        if path and language_of(path) is not None and (tree / path).is_file()
    }
    product = {path: lines for path, lines in files.items() if not (is_test_path(path) or is_aside_path(path))}
    names = [mention.name for mention in parse_query(text).names if mention.weight >= WRITTEN_AS_NAME]
    with Engram.open(load_config(), str(tree)) as engram:
        engram.sync()
        engram.read_history(most_slices=1)
        reader = Reader(files, _changed(case))
        return {
            "map": characters_until_shown(reader, places(engram, text, reader)),
            "hits": characters_until_shown(Reader(files, _changed(case)), hits(names, files)),
            "hits in the product": characters_until_shown(Reader(files, _changed(case)), hits(names, product)),
        }
