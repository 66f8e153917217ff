"""A map as text for people and agents, and as the object that `--json` prints."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.model import Location, Map

MAX_LINES = 8
MAX_CHARACTERS = 800
_SHORT = 3  # places of a shortened map: a subagent has a narrower task than its session
MAX_LINE = 160  # characters of one place; a longer one is left out: half a path helps nobody
_NOTHING = "[engram] No place in this repository fits the text."


def render_map(found: Map) -> str:
    """The map, facts only: a head, one line per place, the tests to run; no newline at its end.

    Never more than MAX_LINES and MAX_CHARACTERS: places that do not fit are left out, from the end.
    """
    places = [line for line in map(place_line, found.locations) if len(line) <= MAX_LINE]
    if not places:
        places = [f"- {one_line(file.path)}" for file in found.files if len(file.path) <= MAX_LINE]
    if not places:
        return _NOTHING
    head = f"[engram] Likely locations for this task (code graph, confidence {one_line(found.confidence)[:20]}):"
    tests = _tests_line(found.tests)
    lines = [head]
    room = MAX_CHARACTERS - len(head) - (len(tests) + 1 if tests else 0)
    for line in places[: MAX_LINES - 1 - bool(tests)]:
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return "\n".join([*lines, tests] if tests else lines)


def shorten_map(rendered: str) -> str:
    """The first three places of a rendered map under its head; "" for one without places."""
    head, *lines = rendered.split("\n")
    places = [line for line in lines if line.startswith("- ")][:_SHORT]
    return "\n".join([head, *places]) if places else ""


def explain_map(found: Map) -> str:
    """All places of the map with their evidence, for people."""
    lines = [f"confidence {found.confidence}"]
    for place in found.locations:
        lines.append(f"{place_line(place)}  {place.score:.2f}")
        lines += [f"    {one_line(reason)}" for reason in place.why]
    lines += [f"test: {one_line(path)}" for path in found.tests]
    lines += [f"changed since it was indexed, left out: {one_line(path)}" for path in found.stale]
    return "\n".join(lines)


def map_to_wire(found: Map) -> dict[str, Any]:
    """The object that `engram orient --json` prints; times are UTC, ISO 8601."""
    return {
        "confidence": found.confidence,
        "locations": [
            {
                "file": place.file,
                "start": place.start,
                "end": place.end,
                "qualname": place.qualname,
                "kind": place.kind,
                "score": round(place.score, 4),
                "why": list(place.why),
            }
            for place in found.locations
        ],
        "files": [{"path": file.path, "score": round(file.score, 4)} for file in found.files],
        "tests": list(found.tests),
        "indexedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(found.indexed_at)) if found.indexed_at else None,
        "stale": list(found.stale),
    }


def place_line(place: Location) -> str:
    """`- path:start-end qualname`."""
    return one_line(f"- {place.file}:{place.start}-{place.end} {place.qualname}")


def one_line(text: str) -> str:
    """The text with control characters and line separators written out, so that it stays on its line."""
    if text.isprintable():
        return text
    return "".join(
        [c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode("ascii") for c in text]
    )


def _tests_line(tests: tuple[str, ...]) -> str:
    line = ""
    for path in map(one_line, tests):
        longer = f"{line}, {path}" if line else f"Tests: {path}"
        if len(longer) <= 2 * MAX_LINE:
            line = longer
    return line
