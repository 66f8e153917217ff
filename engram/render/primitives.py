"""Answers of the primitives as text for people, in the shapes that grep, cat -n and git have."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.primitives.outcome import Outcome


_CUT_ROOM = 60  # bytes of the line that says how much was cut
_NO_COUNTS = ("atLeast", "from", "to", "most")


def render(outcome: Outcome, max_bytes: int) -> str:
    """The answer, and what was left out, in less than `max_bytes` of UTF-8.

    No control character of a file gets through.  Where whole lines had to go for that, the last line says how many.
    """
    if not outcome.ok:
        error = outcome.result
        lines = [f"engram {outcome.primitive}: {error['message']}", *([f"  {error['hint']}"] if error["hint"] else [])]
    else:
        lines = _SHAPES[outcome.primitive](outcome.result)
    notes = [f"[left out: {_counts(outcome.left_out)}]"] if outcome.left_out else []
    notes += [f"[{outcome.warning}]"] if outcome.warning else []
    return "\n".join(_fitting([_printable(line) for line in lines], [_printable(line) for line in notes], max_bytes))


def _fitting(lines: list[str], notes: list[str], max_bytes: int) -> list[str]:
    room = max_bytes - sum([_width(note) for note in notes]) - _CUT_ROOM
    sizes = [_width(line) for line in lines]
    if sum(sizes) <= room:
        return lines + notes
    kept = 0
    while kept < len(lines) and sizes[kept] <= room:
        room -= sizes[kept]
        kept += 1
    return [*lines[:kept], f"[{len(lines) - kept} lines of this text are cut]", *notes]


def _width(line: str) -> int:
    return len(line.encode("utf-8", "backslashreplace")) + 1


def _printable(line: str) -> str:
    """`line` with what would steer a terminal made visible; tabs stay."""
    if line.isprintable():
        return line
    return "".join([c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in line])


def _counts(left_out: dict[str, Any]) -> str:
    """`left_out` in words: counts, where to go on, and which files have most of it."""
    counts = [f"{value} {name}" for name, value in left_out.items() if name not in _NO_COUNTS and value]
    parts = ["at least " * bool(left_out.get("atLeast") and counts) + ", ".join(counts)] if counts else []
    if "from" in left_out:
        parts.append(f"go on at line {left_out['from']}")
    if left_out.get("most"):
        parts.append("most in " + ", ".join([f"{one['file']} ({one['hits']})" for one in left_out["most"]]))
    return "; ".join(parts)


def _grep(data: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    file, last = "", 0
    for hit in data["hits"]:
        first = hit["line"] - len(hit["before"])
        if hit["file"] != file:
            lines += ["", hit["file"]] if lines else [hit["file"]]
        elif first > last + 1:
            lines.append("   --")
        lines += [f"{number:>6}- {text}" for number, text in enumerate(hit["before"], first)]
        lines.append(f"{hit['line']:>6}: {hit['text']}")
        lines += [f"{number:>6}- {text}" for number, text in enumerate(hit["after"], hit["line"] + 1)]
        file, last = hit["file"], hit["line"] + len(hit["after"])
    shown = len(data["hits"])
    return [*lines, *([""] if lines else []), f"{shown} of {data['total']} hits in {_files(data['files'])}"]


def _read(data: dict[str, Any]) -> list[str]:
    lines = [f"{row['line']:>6}  {row['text']}" for row in data["lines"]]
    odd = "" if data["encoding"] == "utf-8" else f", {data['encoding']}"
    return [*lines, f"{data['file']}: {data['totalLines']} lines{odd}"]


def _ast(data: dict[str, Any]) -> list[str]:
    lines = [_symbol(data["file"], one) for one in data.get("symbols", [])]
    for one in data.get("imports", []):
        what = f"{one['symbol']} from {one['module']}" if one["symbol"] else one["module"]
        bound = f" as {one['name']}" if one["name"] not in ("", one["symbol"], one["module"]) else ""
        lines.append(f"{data['file']}:{one['line']}  {what}{bound}")
    return lines or [f"{data['file']}: none"]


def _symbol(file: str, one: dict[str, Any]) -> str:
    mark = "  exported" if one.get("exported") else ""
    mark += f" as {one['exportedAs']}" if "exportedAs" in one else ""
    return f"{file}:{one['line']}-{one['endLine']}  {one['kind']} {one.get('qualname', one['name'])}{mark}"


def _git(data: dict[str, Any]) -> list[str]:
    if data["view"] == "log":
        return [_commit(one) for one in data["commits"]] or ["no commits"]
    if data["view"] == "blame":
        return [f"{one['line']:>6}-{one['endLine']:<6} {_commit(one)}" for one in data["spans"]]
    withheld = [f"{data['withheld']} changed files hold keys and are not shown"] if "withheld" in data else []
    return [f"{_files(data['changed'])} changed", *withheld, *data["lines"]]


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _commit(one: dict[str, Any]) -> str:
    return f"{one['sha'][:10]} {one['at'][:10]} {one['author']}: {one['subject']}"


def _recurse(data: dict[str, Any]) -> list[str]:
    lines = []
    for one in data.get("requests", []):
        lines.append(f"{one['id']}  {', '.join(one['slices']) or '(no slices)'}")
        lines += [f"    answered before: {one['answer']}"] if "answer" in one else []
        lines += [f"    stale, a slice has changed: {one['stale']}"] if "stale" in one else []
    for one in data.get("answers", []):
        lines.append(f"{one['id']}  {'(stale) ' if one['stale'] else ''}{one['text']}")
    if "depth" in data:
        return [
            *lines,
            f"batch {data['batch']}, depth {data['depth']}: {data['asked']} asked, {data['answered']} known",
        ]
    return [*lines, f"{data['answered']} of {data['asked']} requests are answered"]


_SHAPES = {"grep": _grep, "read": _read, "ast": _ast, "git": _git, "recurse": _recurse}
