"""Path patterns as in .gitignore: `*` and `?` stay within a part of the path, `**` spans parts, `{a,b}` and `[a-z]`.

A pattern without "/" is compared with the last part alone.  The time is bounded by pattern times path, whatever the
pattern: no regular expression is made of it.
"""

from __future__ import annotations

from engram.errors import InvalidPattern
from engram.primitives.check import shown

MAX_ALTERNATIVES = 64  # what the braces of one pattern may multiply to; nobody writes more by hand


class Glob:
    """A compiled pattern; `matches(path)` for a path from the root.  A leading "!" turns the answer around."""

    def __init__(self, pattern: str) -> None:
        self.negated = pattern.startswith("!")
        body = pattern[1:] if self.negated else pattern
        body = body.removeprefix("./")
        if not body:
            raise InvalidPattern("the glob is empty")
        self._alternatives = [_compile(one) for one in _expand(body, pattern)]

    def matches(self, path: str) -> bool:
        parts = path.split("/")
        found = any(
            _match_parts(compiled, parts if anchored else parts[-1:]) for anchored, compiled in self._alternatives
        )
        return found != self.negated


def is_plain(pattern: str) -> bool:
    """Whether the pattern names file names only and means the same to every reader of globs: `*.py`, `test_?.c`."""
    return bool(pattern) and all(c.isascii() and (c.isalnum() or c in "_-.*?") for c in pattern) and "**" not in pattern


def _expand(body: str, pattern: str) -> list[str]:
    done, waiting = [], [body]
    while waiting:
        text = waiting.pop()
        close = text.find("}")
        opened = text.rfind("{", 0, close) if close >= 0 else -1
        if opened < 0:
            done.append(text)
        else:
            head, tail = text[:opened], text[close + 1 :]
            waiting.extend([head + choice + tail for choice in text[opened + 1 : close].split(",")])
        if len(done) + len(waiting) > MAX_ALTERNATIVES:
            raise InvalidPattern(f"the glob {shown(pattern)} has more than {MAX_ALTERNATIVES} alternatives")
    return done


def _compile(body: str) -> tuple[bool, list[str]]:
    anchored = "/" in body.rstrip("/")
    if body.endswith("/"):  # a folder: everything in it
        body += "**"
        anchored = True
    parts = body.lstrip("/").split("/")
    if len(parts) > 1 and parts[-1] == "**":  # what lies in the folder, not the folder
        parts.append("*")
    return anchored, parts


def _match_parts(patterns: list[str], parts: list[str]) -> bool:
    reached = {0}  # how many of the patterns may be used up so far
    for part in parts:
        reached = {end for start in _skipping(reached, patterns) for end in _step(start, patterns, part)}
        if not reached:
            return False
    return len(patterns) in _skipping(reached, patterns)


def _skipping(reached: set[int], patterns: list[str]) -> set[int]:
    out = set(reached)
    for start in reached:
        while start < len(patterns) and patterns[start] == "**":
            start += 1
            out.add(start)
    return out


def _step(start: int, patterns: list[str], part: str) -> list[int]:
    if start == len(patterns):
        return []
    if patterns[start] == "**":
        return [start]
    return [start + 1] if _match_name(patterns[start], part) else []


def _match_name(pattern: str, name: str) -> bool:
    """Wildcards with one point to come back to: the last star; so the time is at most pattern times name."""
    at = spot = 0
    star = resume = -1
    while spot < len(name):
        width = _one(pattern, at, name[spot])
        if at < len(pattern) and pattern[at] == "*":
            star, resume = at, spot
            at += 1
        elif width:
            at += width
            spot += 1
        elif star >= 0:
            resume += 1
            at, spot = star + 1, resume
        else:
            return False
    return not pattern[at:].strip("*")


def _one(pattern: str, at: int, character: str) -> int:
    """The length of the piece at `at` if it takes `character`, else 0."""
    if at >= len(pattern) or pattern[at] == "*":
        return 0
    if pattern[at] == "?":
        return 1
    if pattern[at] == "\\" and at + 1 < len(pattern):
        return 2 if pattern[at + 1] == character else 0
    close = pattern.find("]", at + 2) if pattern[at] == "[" else -1
    if close < 0:
        return 1 if pattern[at] == character else 0
    inner = pattern[at + 1 : close]
    excluded = inner[0] in "!^"
    return close + 1 - at if _in_class(inner[1:] if excluded else inner, character) != excluded else 0


def _in_class(inner: str, character: str) -> bool:
    at = 0
    while at < len(inner):
        if inner[at + 1 : at + 2] == "-" and at + 2 < len(inner):
            if inner[at] <= character <= inner[at + 2]:
                return True
            at += 3
        elif inner[at] == character:
            return True
        else:
            at += 1
    return False
