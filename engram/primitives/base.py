"""The one runner of all primitives: argument check, answer, budget, journal entry, envelope.  No other way leads in."""

from __future__ import annotations

import time

from engram.budget import MAX_BYTES, Budget, count_fitting
from engram.errors import EngramError, InvalidArgument, JournalUnwritable
from engram.journal.entry import Draft
from engram.journal.log import Journal
from engram.model import Value
from engram.primitives.check import checked
from engram.primitives.outcome import MAX_WARNING, Answer, Outcome, failure
from engram.primitives.wire import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_ENVELOPE_ROOM = 64 + 2 * MAX_WARNING
# digits of the time, the journal's id in place of null, and a warning, none of which is known when cutting
_MAX_RECORDED = 4096  # characters of one argument that are journaled; valid ones are shorter


class Scope(Value):
    """For whom and where a primitive runs: `root` is the real path of a checkout, `commit` its HEAD ("" without).

    `strict`: no answer without a journal entry.  `depth` is how deep recursion may go.
    """

    root: str
    session: str
    agent: str | None = None
    commit: str = ""
    budget: Budget = Budget()
    strict: bool = False
    depth: int = 4


class Primitive(Value):
    """A row of the registry.

    `arguments` is the JSON Schema of what `run` gets, `data` that of what it answers.  `run` raises EngramError.
    """

    name: str
    summary: str
    arguments: Mapping[str, Any]
    data: Mapping[str, Any]
    run: Callable[[Scope, dict[str, Any]], Answer]


def run(primitive: Primitive, scope: Scope, arguments: object, refusal: EngramError | None = None) -> Outcome:
    """Answer one call and journal it, whatever comes of it; an EngramError becomes an Outcome that is not ok.

    `refusal` is an error that the shell found before (a repository that may not be asked); it is journaled as well.
    """
    started = time.monotonic()
    answer, outcome = _attempt(primitive, scope, arguments, refusal)
    outcome = outcome.replace(duration_ms=int((time.monotonic() - started) * 1000))
    shown = len(outcome.result[answer.key]) if answer else 0
    recorded = {**_recordable(arguments, scope.budget), **(answer.recorded if answer else {})}
    files = answer.shown_files(shown) if answer else {}
    return _journaled(scope, outcome, recorded, files)


def replay(primitive: Primitive, scope: Scope, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The data, or the error, that the journaled arguments give now; nothing is journaled."""
    budget = Budget(arguments.get("budget", MAX_BYTES))
    asked = {name: value for name, value in arguments.items() if name != "budget"}
    return _attempt(primitive, scope.replace(budget=budget), asked, None)[1].result


def _attempt(
    primitive: Primitive, scope: Scope, arguments: object, refusal: EngramError | None
) -> tuple[Answer | None, Outcome]:
    try:
        if refusal:
            raise refusal
        answer = primitive.run(scope, checked(primitive.arguments, arguments))
        return answer, _cut(primitive.name, answer, scope.budget)
    except EngramError as error:
        return None, Outcome(primitive.name, False, failure(error), {})


def _cut(name: str, answer: Answer, budget: Budget) -> Outcome:
    def around(count: int) -> int:
        empty = Outcome(name, True, answer.data(0), answer.left_out(count))
        return size(empty.to_wire()) + _ENVELOPE_ROOM + printed

    printed = sum([len(line.encode()) + 1 for line in answer.lines])
    count = count_fitting([size(item) + 1 for item in answer.items], around, budget)
    if count is None or (answer.items and not count):
        raise InvalidArgument(
            f"not one item of the answer fits into {budget.max_bytes} bytes", "ask with a larger --budget"
        )
    return Outcome(name, True, answer.data(count), answer.left_out(count), lines=answer.lines)


def _journaled(scope: Scope, outcome: Outcome, recorded: dict[str, Any], files: dict[str, str]) -> Outcome:
    draft = Draft(
        primitive=outcome.primitive,
        args=recorded,
        ok=outcome.ok,
        result=outcome.result,
        truncated=bool(outcome.left_out),
        files=files,
        duration_ms=outcome.duration_ms,
        session=scope.session,
        agent=scope.agent,
        commit=scope.commit,
        bytes=size(outcome.result),
    )
    try:
        return outcome.replace(journal_id=Journal.open(scope.root).append(draft).id)
    except JournalUnwritable as error:
        if not scope.strict:
            return outcome.replace(warning=f"not journaled: {error.message}")
        return _withheld(outcome, error)
    except EngramError as error:  # a state folder that is not ours: to answer all the same would switch the journal off
        return _withheld(outcome, error)


def _withheld(outcome: Outcome, error: EngramError) -> Outcome:
    return outcome.replace(ok=False, result=failure(error), left_out={}, lines=())


def _recordable(arguments: object, budget: Budget) -> dict[str, Any]:
    """The arguments as the journal keeps them, wrong ones included, in bounds; with the budget where it was lowered."""
    given = arguments if isinstance(arguments, dict) else {}
    lowered = {"budget": budget.max_bytes} if budget.max_bytes != MAX_BYTES else {}
    return {**{str(name)[:64]: _bounded(value) for name, value in list(given.items())[:32]}, **lowered}


def _bounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_bounded(item) for item in value[:64]]
    if value is None or isinstance(value, bool | int):
        return value
    return value[:_MAX_RECORDED] if isinstance(value, str) else ascii(value)[:_MAX_RECORDED]
