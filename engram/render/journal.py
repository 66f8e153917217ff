"""Journal entries, reports and counts as text for people and agents; times are in the zone of the machine."""

from __future__ import annotations

from datetime import datetime

from engram.journal.content import PREVIEW_CHARS
from engram.journal.jsonlight import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.journal.entry import JournalEntry
    from engram.journal.prune import Pruned
    from engram.journal.receipt import ReceiptReport
    from engram.journal.replay import Replayed
    from engram.journal.stats import Count, Stats
    from engram.journal.tail import Head
    from engram.journal.verify import Report

# Enough of an argument to recognise the call in a list of one line each.
_ARGUMENT_CHARS = 60
_ID_CHARS = 8


def entry_line(entry: JournalEntry) -> str:
    """One line: when, number, start of the id, what was asked, how it went."""
    notes = [size_text(entry.bytes), f"{entry.duration_ms} ms"]
    notes += ["cut"] if entry.truncated else []
    notes += [] if entry.ok else ["ERROR"]
    notes += [f"without {', '.join(entry.redacted)}"] if entry.redacted else []
    who = f" [{_printable(entry.agent)}]" if entry.agent else ""
    asked = " ".join([_printable(entry.primitive), *[_argument(name, entry.args[name]) for name in sorted(entry.args)]])
    return f"{local_time(entry.at)} #{entry.seq} {entry.id[:_ID_CHARS]}{who} {asked} ({', '.join(notes)})"


def entry_text(entry: JournalEntry) -> str:
    """Everything that the entry holds, one member a line."""
    rows = [
        ("id", entry.id),
        ("number", str(entry.seq)),
        ("at", f"{entry.at} ({local_time(entry.at)} here)"),
        ("session", _printable(entry.session)),
        ("agent", _printable(entry.agent or "-")),
        ("asked", _printable(entry.primitive)),
        *[(f"  {_printable(name)}", _printable(_plain(value))) for name, value in sorted(entry.args.items())],
        ("ended", "well" if entry.ok else "with an error"),
        ("result", f"{size_text(entry.bytes)}{', cut' if entry.truncated else ''}, {entry.duration_ms} ms"),
        ("result hash", entry.result_hash),
        ("commit", entry.commit or "-"),
        *[("file", f"{_printable(path)} {digest}") for path, digest in entry.files.items()],
        *[("left out", name) for name in entry.redacted],
        ("prev", entry.prev),
        ("hash", entry.hash),
        ("preview", _printable(entry.preview) + ("..." if len(entry.preview) >= PREVIEW_CHARS else "")),
    ]
    return "\n".join(f"{name:<12} {value}" for name, value in rows)


def entries_text(entries: list[JournalEntry], nothing: str) -> str:
    """One line for each entry; `nothing` where there is none."""
    return "\n".join(map(entry_line, entries)) or nothing


def head_text(head: Head | None) -> str:
    """The head in the form that `--expected-head` takes."""
    return f"{head.seq} {head.hash}" if head else "the journal is empty"


def report_text(report: Report, expected: Head | None) -> str:
    """What `journal verify` found, the verdict first."""
    lines = []
    if report.broken is not None:
        at = f"{report.broken.file}:{report.broken.line}" if report.broken.line else report.broken.file
        lines.append(f"BROKEN at {at}: it {report.broken.what}")
        lines.append(f"before that, {report.entries} entries follow one from the other, up to number {report.head.seq}")
    elif expected is not None and report.expected is None:
        lines.append(
            f"BROKEN: no entry has the expected head {expected.hash[:16]}...: entries were removed or made anew"
        )
    else:
        lines.append(f"ok: {report.entries} entries, each follows from the one before; head {head_text(report.head)}")
    if report.expected is not None:
        lines.append(
            f"the expected head is entry {report.expected.seq}; {report.head.seq - report.expected.seq} came after"
        )
    if report.pruned:
        lines.append(f"entries 1 to {report.pruned} were pruned; their digests are kept and belong to the chain")
    if report.torn:
        lines.append(f"{report.torn} torn lines are accounted for")
    if report.torn_tail:
        lines.append(f"the last line was torn off after {report.torn_tail} bytes; the next append accounts for it")
    return "\n".join(lines)


def receipt_text(report: ReceiptReport) -> str:
    """What `journal verify RECEIPT` found."""
    if report.problem:
        return f"BROKEN: the receipt {report.problem}"
    entries = f"{report.entries} {'entry' if report.entries == 1 else 'entries'}"
    return f"ok: {entries} in one chain with {report.links} links; its head is {head_text(report.head)}"


def replayed_line(replayed: Replayed) -> str:
    """One line: the verdict, the call, and the reason."""
    notes = [f"on {replayed.on}"] if replayed.on and replayed.on != "tree" else []
    notes += [f"{', '.join(map(_printable, replayed.stale[:3]))} changed since"] if notes and replayed.stale else []
    notes += [_printable(replayed.why)] if replayed.why else []
    return f"{replayed.verdict:<7} {entry_line(replayed.entry)}" + (f": {'; '.join(notes)}" if notes else "")


def replayed_wire(replayed: Replayed) -> dict[str, Any]:
    """The verdict as a JSON object."""
    entry = replayed.entry
    found = {"verdict": replayed.verdict, "on": replayed.on, "why": replayed.why, "stale": list(replayed.stale)}
    return {"id": entry.id, "seq": entry.seq, "primitive": entry.primitive, **found}


def stats_text(stats: Stats) -> str:
    """A table of the counts by primitive, then one by session."""
    rows = [("", "calls", "errors", "cut", "bytes", "last")]
    rows += [_row(count) for count in stats.primitives]
    rows += [_row(count) for count in stats.sessions]
    rows += [_row(stats.total)]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    out = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *[cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]]
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)


def pruned_text(pruned: Pruned) -> str:
    """What `journal prune` removed."""
    if not pruned.entries:
        return "nothing to prune"
    size = size_text(pruned.bytes)
    return f"pruned {pruned.entries} entries up to number {pruned.last} ({size}); their digests are kept"


def size_text(size: int) -> str:
    """A number of bytes, to two digits or more: `812 B`, `1.2 KB`."""
    if size < 1000:
        return f"{size} B"
    for unit, factor in (("KB", 1e3), ("MB", 1e6)):
        if size < factor * 999.5:
            return f"{size / factor:.1f} {unit}"
    return f"{size / 1e9:.1f} GB"


def local_time(at: str) -> str:
    """A time of an entry, in the zone of the machine, to the second; as it stands if it is none."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return _printable(at)


def _row(count: Count) -> tuple[str, str, str, str, str, str]:
    last = local_time(count.last) if count.last else ""
    return (
        _printable(count.name),
        str(count.calls),
        str(count.errors),
        str(count.truncated),
        size_text(count.bytes),
        last,
    )


def _argument(name: str, value: object) -> str:
    text = _printable(_plain(value))
    return f"{_printable(name)}={text if len(text) <= _ARGUMENT_CHARS else text[:_ARGUMENT_CHARS] + '...'}"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else dumps(value)


def _printable(text: str) -> str:
    """Without control characters: what was asked must not drive the reader's terminal."""
    return "".join([char if char.isprintable() else f"\\x{ord(char):02x}" for char in text])
