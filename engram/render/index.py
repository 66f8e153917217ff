"""A run of the indexer as text and as JSON."""

from __future__ import annotations

import time
from typing import Any

from engram.ingest.report import IndexReport

_REASONS = {  # what `skipped` and `issues` count, in words
    "other": "in no language that is indexed",
    "vendored": "vendored",
    "generated": "generated",
    "minified": "minified",
    "untracked-output": "build output",
    "own": "of tools",
    "symlink": "symlinks",
    "submodule": "submodules",
    "nested-repository": "nested repositories",
    "no-regular-file": "no regular files",
    "too-large": "over 1.5 MB",
    "binary": "binary",
    "unreadable": "unreadable",
    "crashed-the-parser": "that crash the parser",
    "syntax-error": "with syntax errors",
    "not-utf8": "not in UTF-8",
    "not-resolved": "whose calls could not be resolved",
}
_MODES = {"built": "indexed", "updated": "updated", "fresh": "up to date"}


def index_text(report: IndexReport) -> str:
    """A few lines: what the index holds, what this run did, what was left out and why."""
    lines = [
        f"{_MODES[report.mode]}: {report.files:,} files, {report.symbols:,} symbols, {report.calls:,} calls"
        f" ({report.seconds:.1f} s)"
    ]
    if report.mode == "updated":
        lines.append(f"changed: {report.changed:,}, gone: {report.removed:,}")
    if report.skipped:
        lines.append("left out: " + _counts(report.skipped))
    if report.issues:
        lines.append("indexed as far as they can be read: " + _counts(report.issues))
    return "\n".join(lines)


def index_wire(report: IndexReport) -> dict[str, Any]:
    """The report as JSON; `indexedAt` in UTC, ISO 8601."""
    return {
        "mode": report.mode,
        "files": report.files,
        "changed": report.changed,
        "removed": report.removed,
        "symbols": report.symbols,
        "calls": report.calls,
        "skipped": report.skipped,
        "issues": report.issues,
        "seconds": report.seconds,
        "indexedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(report.indexed_at)),
    }


def _counts(counts: dict[str, int]) -> str:
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {_REASONS.get(reason, reason)}" for reason, count in listed)
