"""Answers of the primitives as text for people, in the shapes that grep, cat -n and git have."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.primitives.outcome import Outcome


def render(outcome: Outcome) -> str:
    """The answer, what was left out, and the id of its journal entry; no control character of a file gets through."""
    if not outcome.ok:
        error = outcome.result
        lines = [f"engram {outcome.primitive}: {error['message']}", *([f"  {error['hint']}"] if error["hint"] else [])]
    else:
        lines = _SHAPES[outcome.primitive](outcome.result)
    if outcome.left_out:
        lines.append(f"[left out: {_counts(outcome.left_out)}]")
    if outcome.warning:
        lines.append(f"[{outcome.warning}]")
    return "\n".join([_printable(line) for line in lines])


def _printable(line: str) -> str:
    """`line` with what would steer a terminal made visible; tabs stay."""
    if line.isprintable():
        return line
    return "".join([c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in line])


def _counts(left_out: dict[str, Any]) -> str:
    parts = []
    for name, value in left_out.items():
        if isinstance(value, list):
            parts += [", ".join([f"{one['file']} {one['hits']}" for one in value])] if value else []
        elif name == "atLeast":
            parts += ["and more"] if value else []
        elif value:
            parts.append(f"{name} {value}")
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
