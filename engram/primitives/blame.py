"""Who last changed each line of a file: the parsing of `git blame --porcelain`."""

from __future__ import annotations

import time

from engram.gitrun import run_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_OUTPUT = 4 << 20  # bytes; 400 lines of 2,000 characters, each with a commit of its own, are below


def blame(root: str, commit: str, path: str, first: int, last: int) -> tuple[list[dict[str, Any]], int]:
    """The spans of lines `first` to `last` that come from one commit each, by line, and the last line there is.

    `commit` is an id, "" for the file as it is in the work tree.  Raises GitError where git knows no such file.
    """
    revision = [commit] if commit else []
    out = run_git(root, "blame", "--porcelain", "-L", f"{first},{last}", *revision, "--", path, max_bytes=MAX_OUTPUT)
    known: dict[str, dict[str, str]] = {}
    spans: list[dict[str, Any]] = []
    final, sha = first - 1, ""
    for line in out.decode("utf-8", "replace").split("\n"):
        if line.startswith("\t"):
            _extend(spans, final, sha, known[sha])
            continue
        key, _, value = line.partition(" ")
        if len(key) >= 40 and value[:1].isdigit():
            sha, final = key, int(value.split(" ")[1])
            known.setdefault(sha, {})
        elif sha and key:
            known[sha][key] = value
    return spans, final


def _extend(spans: list[dict[str, Any]], line: int, sha: str, commit: dict[str, str]) -> None:
    if spans and spans[-1]["sha"] == sha and spans[-1]["endLine"] == line - 1:
        spans[-1]["endLine"] = line
        return
    spans.append(
        {
            "line": line,
            "endLine": line,
            "sha": sha,
            "at": iso_time(commit.get("author-time", "0"), commit.get("author-tz", "+0000")),
            "author": commit.get("author", "")[:80],
            "subject": commit.get("summary", "")[:200],
        }
    )


def iso_time(seconds: str, zone: str) -> str:
    """Epoch seconds and a zone as git writes it (`+0130`) as an ISO 8601 time of that zone."""
    sign = -1 if zone.startswith("-") else 1
    offset = sign * (int(zone[1:3]) * 3600 + int(zone[3:5]) * 60)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(int(seconds) + offset)) + f"{zone[:3]}:{zone[3:5]}"
