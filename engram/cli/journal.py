"""`engram journal ...` and `engram session`: read, verify, replay and hand out what was asked."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from engram.config import load_config
from engram.errors import InvalidArgument
from engram.journal.content import format_time
from engram.journal.entry import JournalEntry
from engram.journal.folder import open_state
from engram.journal.follow import Follower
from engram.journal.jsonlight import dumps
from engram.journal.log import Journal
from engram.journal.moment import parse_moment
from engram.journal.prune import KEEP_BYTES, KEEP_DAYS, prune
from engram.journal.segments import Snapshot
from engram.journal.session import session_id
from engram.journal.stats import Count, count
from engram.journal.tail import Head
from engram.journal.verify import Report, parse_head, verify
from engram.primitives.scope import enter_repository, open_scope
from engram.render import journal as render
from engram.worktree import find_worktree

_Command = Callable[[argparse.Namespace, Journal], int]
_FOLLOW_PAUSE_S = 0.25
_NOTHING = "the journal is empty"


def main(name: str, args: list[str]) -> int:
    """Run `engram journal ...` or `engram session`; 1 where a verification failed."""
    if name == "session":
        return _session(args)
    options = _parser().parse_args(args)
    if getattr(options, "receipt", None) is not None:  # is checked anywhere, without a repository
        check: Callable[[argparse.Namespace], int] = import_module("engram.cli.receipt").check
        return check(options)
    run: _Command = options.run
    return run(options, _journal(options))


def _journal(options: argparse.Namespace) -> Journal:
    """That of the checkout around the current folder, or of `--repo`; inside a client the primitives' rule holds."""
    config = load_config()
    if options.repo is not None and config.in_client:
        return Journal.open(enter_repository(config, open_scope(config, folder=os.curdir), options.repo).root)
    return Journal.open(find_worktree(os.curdir if options.repo is None else options.repo).root)


def _parser() -> argparse.ArgumentParser:
    shared = _shared()
    parser = argparse.ArgumentParser(prog="engram journal", description="Read, verify and replay what was asked.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: _Command, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, parents=[shared], help=text, description=text)
        made.set_defaults(run=run)
        return made

    tail = add("tail", _tail, "print the last entries")
    tail.add_argument("-f", "--follow", action="store_true", help="go on with those that are written from now on")
    tail.add_argument("-n", "--lines", type=_count, default=10, metavar="N", help="how many (default 10)")
    tail.add_argument("--session", metavar="ID", help="only those of this session")
    add("show", _show, "print all of one entry").add_argument("id", metavar="ID")
    at = add("at", _at, "print what was asked last at a point in time")
    at.add_argument("time", metavar="TIME", help="02:14 (the latest past), 2026-03-01T02:14, or 2h (ago)")
    at.add_argument("-n", "--lines", type=_count, default=5, metavar="N", help="how many (default 5)")
    add("head", _head, "print the number and the hash of the last entry")
    check = add("verify", _verify, "check every link of the chain, or of a receipt")
    check.add_argument("receipt", nargs="?", metavar="RECEIPT", help="a file that `journal receipt` made")
    check.add_argument("--expected-head", metavar="HEAD", help="what `journal head` printed earlier, or a file of it")
    again = add("replay", _elsewhere("engram.cli.replay"), "run entries again: same, changed, or cannot")
    again.add_argument("ids", nargs="*", metavar="ID")
    again.add_argument("--since", metavar="TIME", help="all from then on")
    receipt = add("receipt", _elsewhere("engram.cli.receipt"), "print a file that proves entries without the journal")
    receipt.add_argument("ids", nargs="+", metavar="ID")
    stats = add("stats", _stats, "count calls, bytes and errors")
    stats.add_argument("--since", metavar="TIME", help="from then on")
    less = add("prune", _prune, "remove old entries and keep their hashes")
    less.add_argument("--days", type=_count, default=KEEP_DAYS, help=f"keep entries this young (default {KEEP_DAYS})")
    less.add_argument("--max-bytes", type=_count, default=KEEP_BYTES, help=f"keep this much (default {KEEP_BYTES})")
    return parser


def _shared() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--repo", metavar="DIR", help="the repository (default: around this folder)")
    form = shared.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--human", action="store_true", help="print text (the default)")
    return shared


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return int(text)


def _elsewhere(module: str) -> _Command:
    """A command whose imports (jsonschema, pygit2, the primitives) the others should not wait for."""

    def run(options: argparse.Namespace, journal: Journal) -> int:
        command: _Command = import_module(module).run
        return command(options, journal)

    return run


def _print(options: argparse.Namespace, text: str, wire: Any) -> None:
    print(dumps(wire) if options.json else text, flush=True)


def _print_entries(options: argparse.Namespace, entries: list[JournalEntry], nothing: str = _NOTHING) -> None:
    if not options.json:
        print(render.entries_text(entries, nothing), flush=True)
        return
    for entry in entries:
        print(dumps(entry.to_wire()), flush=True)


def _tail(options: argparse.Namespace, journal: Journal) -> int:
    def wanted(entry: JournalEntry) -> bool:
        return options.session is None or entry.session == options.session

    entries: list[JournalEntry] = []
    last = 0
    for entry in journal.entries(newest_first=True):
        last = max(last, entry.seq)
        if len(entries) >= options.lines:
            break
        entries += [entry] if wanted(entry) else []
    if entries or not options.follow:
        of_session = options.session is not None and last > 0
        _print_entries(options, entries[::-1], "nothing was asked in that session" if of_session else _NOTHING)
    follower = Follower(journal, last)
    while options.follow:
        new = [entry for entry in follower.new_entries() if wanted(entry)]
        if new:
            _print_entries(options, new)
        time.sleep(_FOLLOW_PAUSE_S)
    return 0


def _show(options: argparse.Namespace, journal: Journal) -> int:
    entry = journal.find(options.id)
    _print(options, render.entry_text(entry), entry.to_wire())
    return 0


def _at(options: argparse.Namespace, journal: Journal) -> int:
    moment = parse_moment(options.time, datetime.now().astimezone())
    entries: list[JournalEntry] = []
    for entry in journal.entries(newest_first=True):
        if len(entries) >= options.lines:
            break
        if entry.at < moment.end:
            entries.append(entry)
    _print_entries(options, entries[::-1], f"nothing was asked up to {render.local_time(moment.start)}")
    return 0


def _head(options: argparse.Namespace, journal: Journal) -> int:
    head = journal.head()
    _print(options, render.head_text(head), {"seq": head.seq, "hash": head.hash} if head else None)
    return 0


def _verify(options: argparse.Namespace, journal: Journal) -> int:
    expected = read_head(options.expected_head) if options.expected_head is not None else None
    folder = open_state(journal.root)
    report = Report(0, 0, Head())
    if folder is not None:
        with folder, Snapshot(folder) as snapshot:
            report = verify(snapshot, expected)
    failed = report.broken is not None or (expected is not None and report.expected is None)
    _print(options, render.report_text(report, expected), _report_wire(report, failed))
    return 1 if failed else 0


def _report_wire(report: Report, failed: bool) -> dict[str, Any]:
    wire = report.asdict()
    for name in ("head", "expected", "broken"):
        wire[name] = wire[name].asdict() if wire[name] is not None else None
    return {"ok": not failed, **wire}


def read_head(text: str) -> Head:
    """The head that `--expected-head` names: as printed, or a file of it.  Raises InvalidArgument."""
    if os.path.isfile(text):
        with open(text, encoding="ascii", errors="replace") as file:
            return parse_head(file.read(4096))
    return parse_head(text)


def entries_since(options: argparse.Namespace, journal: Journal) -> Iterator[JournalEntry]:
    """The entries from `--since` on, in their order; all without it."""
    start = parse_moment(options.since, datetime.now().astimezone()).start if options.since else ""
    return (entry for entry in journal.entries() if entry.at >= start)


def _stats(options: argparse.Namespace, journal: Journal) -> int:
    stats = count(entries_since(options, journal))

    def wire(counts: tuple[Count, ...]) -> list[dict[str, Any]]:
        return [found.asdict() for found in counts]

    found = {"total": stats.total.asdict(), "primitives": wire(stats.primitives), "sessions": wire(stats.sessions)}
    _print(options, render.stats_text(stats), found)
    return 0


def _prune(options: argparse.Namespace, journal: Journal) -> int:
    try:
        before = datetime.now(UTC) - timedelta(days=options.days)
    except OverflowError as error:
        raise InvalidArgument(f"--days {options.days} is out of range") from error
    oldest = format_time(int(before.timestamp() * 1000))
    pruned = prune(journal, before=oldest, keep_bytes=options.max_bytes, session=session_id())
    _print(options, render.pruned_text(pruned), pruned.asdict())
    return 0


def _session(args: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="engram session", parents=[_shared()], description="Print the id of this session and its journal's path."
    )
    options = parser.parse_args(args)
    session, path = session_id(), _journal(options).path
    _print(options, f"{session}\n{path}", {"session": session, "journal": path})
    return 0
