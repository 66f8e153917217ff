"""`engram recurse`: ask about slices, take an answer in, collect the answers."""

from __future__ import annotations

from engram.cli.arguments import Command, Flag, Positional, UsageError, fail, help_text, parse, wants_help
from engram.cli.primitives import COMMON, SHELL_FIELDS, perform, show
from engram.primitives.registry import PRIMITIVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ASK = Command(
    "recurse",
    "Ask subagents about slices of the code: prints one ENGRAM-RECURSE-REQUEST line for each question to be asked.",
    (
        Positional("prompt", "the question, at most 2,000 characters"),
        Positional("handles", "more handles, after --over", many=True, optional=True),
    ),
    (
        Flag(
            "--over",
            "over",
            "path:from-to, path#symbol, a path, a glob, a grep's journalId",
            "HANDLE...",
        ),
        Flag("--parent", "parent", "the request that is being answered: the new one has one level of depth less", "ID"),
        Flag("--batch", "each", "one request for every slice, instead of one for up to 16 slices and 24 KB"),
        Flag("--secrets", "secrets", "point to files that hold keys, too; the journal says so"),
        *COMMON,
    ),
    "engram recurse answer ID TEXT     take in the answer to a request: 1 to 3 sentences\n"
    "engram recurse collect [BATCH]    how many requests are answered, and the answers",
)
ANSWER = Command(
    "recurse answer",
    "Take in the answer to a request: 1 to 3 sentences.",
    (Positional("id", "the id of the request"), Positional("text", "the answer", many=True)),
    COMMON,
)
COLLECT = Command(
    "recurse collect",
    "Print how many requests are answered, and the answers.",
    (Positional("batch", "the batch; without it, all requests of this session", optional=True),),
    COMMON,
)


def main(name: str, args: list[str]) -> int:
    """Run one of the three; returns 0, 1 where the answer is an error, 2 for a wrong use."""
    action = args[0] if args[:1] in (["answer"], ["collect"]) else "ask"
    command = {"ask": ASK, "answer": ANSWER, "collect": COLLECT}[action]
    words = args if action == "ask" else args[1:]
    if wants_help(words):
        print(help_text(command))
        return 0
    try:
        given = parse(command, words)
        arguments = _arguments(action, given)
    except UsageError as error:
        return fail(command, error)
    outcome = perform(PRIMITIVES[name], given, arguments)
    show(outcome, given)
    return 0 if outcome.ok else 1


def _arguments(action: str, given: dict[str, Any]) -> dict[str, Any]:
    arguments = {field: value for field, value in given.items() if field not in SHELL_FIELDS}
    if action == "answer":
        arguments["text"] = " ".join(arguments["text"])
    if action == "ask":
        more = arguments.pop("handles")
        if more and "over" not in arguments:
            raise UsageError(f"{more[0]!r} is one argument too many (quote the question; handles go behind --over)")
        return {**arguments, **({"over": arguments["over"] + more} if "over" in arguments else {})}
    return {"action": action, **arguments}
