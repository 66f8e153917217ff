"""`engram grep|read|ast|git`: words to arguments, one run, one line of JSON (or text for people)."""

from __future__ import annotations

import os
import sys

from engram.budget import MAX_BYTES, MIN_BYTES
from engram.cli.arguments import Command, Flag, Positional, UsageError, fail, help_text, parse, wants_help, whole_number
from engram.config import load_config
from engram.errors import EngramError
from engram.primitives.base import Primitive, Scope, run
from engram.primitives.outcome import Outcome, failure
from engram.primitives.registry import PRIMITIVES
from engram.primitives.scope import budget_of, enter_repository, open_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMMON = (
    Flag("--repo", "repo", "the repository, in place of that of the current folder", "DIR"),
    Flag("--budget", "budget", f"bytes of the answer, {MIN_BYTES} to {MAX_BYTES}", "BYTES"),
    Flag("--strict", "strict", "no answer unless it could be journaled"),
    Flag("--json", "json", "one line of JSON (the default)"),
    Flag("--human", "human", "text for people"),
)
SECRETS = Flag("--secrets", "secrets", "show files that hold keys, too; the journal says so")
SHELL_FIELDS = ("repo", "budget", "strict", "json", "human")  # of this shell, not of the primitive

COMMANDS = {
    "grep": Command(
        "grep",
        "Search the text of files; at most 50 hits, and how many more there are.",
        (Positional("pattern", "regular expression (syntax of Rust's regex), in upper or lower case"),),
        (
            Flag("--path", "path", "search this file or folder only", "P"),
            Flag("--glob", "glob", "search paths like this only: '*.py', 'src/**/*.ts', '!tests/**'", "G"),
            Flag("--ctx", "ctx", "lines shown around each hit, 0 to 10 (2)", "N"),
            Flag("--case", "case", "tell upper from lower case"),
            Flag("--max", "max", "hits, 1 to 50 (50)", "N"),
            SECRETS,
            *COMMON,
        ),
        "Skipped: what git ignores, node_modules, dist, build and the like (unless --path names one), minified and\n"
        "binary files, files over 2 MB, and files that hold keys.",
    ),
    "read": Command(
        "read",
        "Read lines FROM to TO of a file, both included; at most 400.",
        (
            Positional("file", "path from the root of the repository"),
            Positional("from", "first line, counted from 1"),
            Positional("to", "last line"),
        ),
        (SECRETS, *COMMON),
    ),
    "ast": Command(
        "ast",
        "List what a file defines, exports or imports, by parsing it; at most 200.",
        (
            Positional("file", "path from the root of the repository"),
            Positional("query", "functions, classes, exports, imports or symbol-at:LINE:COLUMN"),
        ),
        (SECRETS, *COMMON),
    ),
    "git": Command(
        "git",
        "See the log (30 commits), the blame of a file or a diff (400 lines).",
        (Positional("view", "log, blame or diff"),),
        (
            Flag("--file", "file", "only this file (log and diff: or folder)", "F"),
            Flag("--since", "since", "log from this date on: 2024-05-31, '2 weeks ago'", "S"),
            Flag("--max", "max", "commits of a log, else lines", "N"),
            Flag("--ref", "ref", "a branch, tag or commit, or A..B; diff REF compares the files as they are now", "R"),
            Flag("--from", "from", "blame from this line on", "N"),
            SECRETS,
            *COMMON,
        ),
        "What one commit changed: engram git diff --ref SHA~..SHA",
    ),
}


def main(name: str, args: list[str]) -> int:
    """Run one primitive; returns 0, 1 where the answer is an error, 2 for a wrong use."""
    command = COMMANDS[name]
    if wants_help(args):
        print(help_text(command))
        return 0
    try:
        given = parse(command, args)
    except UsageError as error:
        return fail(command, error)
    outcome = perform(PRIMITIVES[name], given, _arguments(name, given))
    show(outcome, given)
    return 0 if outcome.ok else 1


def perform(primitive: Primitive, given: dict[str, Any], arguments: dict[str, Any]) -> Outcome:
    """Run it in the repository that the flags and the current folder say.

    A repository that may not be asked is journaled in that of the current folder; without any, nothing is.
    """
    refusal: EngramError | None = None
    try:
        config = load_config()
        scope = _start(config, given)
    except EngramError as error:
        return Outcome(primitive.name, False, failure(error), {})
    try:
        if "budget" in given:
            scope = scope.replace(budget=budget_of(whole_number(given["budget"])))
        if "repo" in given and config.in_client:
            scope = enter_repository(config, scope, given["repo"])
    except EngramError as error:
        refusal = error
    return run(primitive, scope, arguments, refusal)


def show(outcome: Outcome, given: dict[str, Any]) -> None:
    """Print the answer as UTF-8, whatever the locale says; as text it keeps to the budget, too."""
    if "human" in given:
        from engram.render.primitives import render  # for people alone: they can wait for the import

        budget = whole_number(given.get("budget", MAX_BYTES))
        text = render(outcome, budget if isinstance(budget, int) else MAX_BYTES)
    else:
        text = "\n".join([*outcome.lines, outcome.to_line()])
    if sys.stdout is None:  # closed by whoever started this process
        raise EngramError("there is nowhere to print the answer: standard output is closed")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise  # the reader has seen enough
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - else Python tries again at its end, and exits with 120
        raise EngramError(f"the answer cannot be printed: {error.strerror}") from error


def _start(config: Any, given: dict[str, Any]) -> Scope:
    folder = given["repo"] if "repo" in given and not config.in_client else os.curdir
    return open_scope(config, folder=folder, strict="strict" in given)


def _arguments(name: str, given: dict[str, Any]) -> dict[str, Any]:
    arguments = {field: value for field, value in given.items() if field not in SHELL_FIELDS}
    if name == "ast" and arguments["query"].startswith("symbol-at:"):
        query, _, position = arguments["query"].partition(":")
        line, _, column = position.partition(":")
        arguments.update(query=query, line=line, column=column)
    numbers = ("ctx", "max", "from", "to", "line", "column")
    return {field: whole_number(value) if field in numbers else value for field, value in arguments.items()}
