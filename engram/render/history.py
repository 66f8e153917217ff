"""The history of a file, and how far the reading of a history is, as text and as JSON."""

from __future__ import annotations

import time
from typing import Any

from engram.ingest.history import HistoryReport
from engram.store.file_history import FileHistory

_SHORT = 10  # digits of a commit's id
_WITHOUT_NAME = "(no name)"


def reading_text(report: HistoryReport) -> str:
    """One line: how many commits are in the graph, and what is still to come or went wrong."""
    if report.failure:
        return f"git cannot tell the history: {report.failure}"
    if not report.commits:
        return "no commits" if report.complete else "no commits are read yet"
    return f"{report.commits:,} commits" + ("" if report.complete else ", older ones are still to be read")


def reading_wire(report: HistoryReport) -> dict[str, Any]:
    """The same as JSON; `failure` is empty where nothing went wrong."""
    return {"commits": report.commits, "complete": report.complete, "failure": report.failure}


def file_history_text(history: FileHistory, report: HistoryReport) -> str:
    """Who changed the file, its last commits, what changes with it; a last line where history is not whole."""
    lines = [f"{history.path}: {history.commits:,} commits"]
    if history.authors:
        lines.append("authors:")
        lines += [
            f"  {author.share:4.0%}  {author.name or author.email or _WITHOUT_NAME}" for author in history.authors
        ]
    if history.last:
        lines.append("last commits:")
        lines += [f"  {one.sha[:_SHORT]} {_day(one.at)} {one.subject}" for one in history.last]
    if history.co_changes:
        lines.append("changes with (commits in common, weight):")
        lines += [f"  {one.count:4,}  {one.weight:6.2f}  {one.path}" for one in history.co_changes]
    if not report.complete or report.failure:
        lines.append(f"history: {reading_text(report)}")
    return "\n".join([_printable(line) for line in lines])


def file_history_wire(history: FileHistory, report: HistoryReport) -> dict[str, Any]:
    """All of it as JSON; times in UTC, ISO 8601."""
    return {
        "file": history.path,
        "commits": history.commits,
        "authors": [
            {"name": a.name, "email": a.email, "commits": a.commits, "share": a.share, "last": _moment(a.last)}
            for a in history.authors
        ],
        "last": [
            {"sha": c.sha, "at": _moment(c.at), "subject": c.subject, "files": c.files, "authors": list(c.authors)}
            for c in history.last
        ],
        "coChanges": [one.asdict() for one in history.co_changes],
        "history": reading_wire(report),
    }


def _printable(line: str) -> str:
    """The line without what would move the cursor, or cannot be printed: names and subjects are anybody's."""
    return "".join([c if c.isprintable() else "?" for c in line])


def _day(at_ms: int) -> str:
    return _moment(at_ms)[:10]


def _moment(at_ms: int) -> str:
    # years below 1000 have no leading zeros in strftime on Linux
    moment = time.gmtime(at_ms / 1000)
    return f"{moment.tm_year:04d}-{moment.tm_mon:02d}-{moment.tm_mday:02d}" + time.strftime("T%H:%M:%SZ", moment)
