"""`engram hook EVENT [MODE]`: finds the event's handler, imports it alone, and never stands in the user's way.

Whatever goes wrong, the exit code is 0, nothing is printed, and one line in `hook.log` says why.  A handler is

    handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None
"""

from __future__ import annotations

import os
import time
from _json import encode_basestring
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]

from engram.config import home_folder, load_config
from engram.errors import EngramError, InvalidArgument
from engram.hooks.context import HookContext
from engram.hooks.log import log_failure
from engram.journal.jsonlight import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from engram.config import Config
    from engram.hooks.context import Reply

# (event and mode, tool or source) -> module; "" stands for all others.  A mode is a second line of hooks.json for one
# event.
EVENTS: dict[tuple[str, str], str] = {
    ("SessionStart", ""): "engram.hooks.session_start",
    ("SessionStart", "compact"): "engram.hooks.compaction",
    ("UserPromptSubmit", ""): "engram.hooks.prompt",
    ("PreToolUse", "Agent"): "engram.hooks.dispatch",
    ("SubagentStart", ""): "engram.hooks.subagent_start",
    ("PostToolUse", "TodoWrite"): "engram.hooks.tasks",
    ("TaskCreated", ""): "engram.hooks.tasks",
    ("TaskCompleted", ""): "engram.hooks.tasks",
    ("PreToolUse", "Edit"): "engram.hooks.claim",
    ("PreToolUse", "Write"): "engram.hooks.claim",
    ("PreToolUse", "NotebookEdit"): "engram.hooks.claim",
    ("PostToolUse", "Agent"): "engram.hooks.agent_use",
    ("PostToolUse", ""): "engram.hooks.tool_use",
    ("PostToolUseFailure", ""): "engram.hooks.tool_use",
    ("SubagentStop", ""): "engram.hooks.subagent_stop",
    ("PreCompact", ""): "engram.hooks.pre_compact",
    ("SessionEnd", ""): "engram.hooks.session_end",
}
MAX_OUTPUT = 2000  # characters on standard output; the client itself cuts at 10,000
MAX_INPUT = 32 << 20  # bytes; a prompt of 5 MB is read in 20 ms, beyond this nobody has typed anything
_MAX_REASON = 1700  # characters with their escapes, which leaves room for the names around it
_SHORT_REASON = 280  # characters, of which each may take six as an escape
# Seconds, below those of hooks.json unless ENGRAM_PATIENCE multiplies them.
# The client gives all SessionEnd hooks 1.5 s together (reference: events).
DEADLINE_S = 4.0
DEADLINES_S = {"SessionEnd": 0.8, "UserPromptSubmit": 5.0}
LATER_S = 120.0  # of an asynchronous line, which nobody waits for


class DeadlinePassed(EngramError):
    """The hook took longer than it may."""

    kind = "deadline"


def main(name: str, args: list[str]) -> int:
    """Answer the event on standard input; returns 0."""
    event = " ".join(args)
    try:
        config = load_config()
        deadline_s = config.patience * (LATER_S if len(args) > 1 else DEADLINES_S.get(event, DEADLINE_S))
        signal(SIGALRM, _stop)
        setitimer(ITIMER_REAL, deadline_s)
        output = answer(event, config, time.monotonic() + deadline_s)
        setitimer(ITIMER_REAL, 0)
        if output:
            _write(output.encode("utf-8", "replace"))
    except Exception as error:  # the one broad handler of this shell: a hook fails open
        setitimer(ITIMER_REAL, 0)
        log_failure(home_folder(os.environ), event, error)
    return 0


def answer(event: str, config: Config, deadline: float) -> str:
    """What the hook prints for the JSON object on standard input, "" for nothing."""
    payload = loads(_read().decode("utf-8", "replace"))
    if not isinstance(payload, dict):
        raise InvalidArgument("the input is no JSON object")
    detail = payload.get("tool_name") or payload.get("source")
    module = EVENTS.get((event, detail if isinstance(detail, str) else "")) or EVENTS.get((event, ""))
    if module is None:
        raise InvalidArgument(f"nothing handles {event!r} of {detail!r}")
    context = HookContext(event, payload, config, deadline)
    handle = __import__(module, fromlist=["handle"]).handle
    reply: Reply | None = handle(payload, context)
    return "" if reply is None else render_reply(event.partition(" ")[0], reply)


def render_reply(event: str, reply: Reply) -> str:
    """The reply as the client's JSON, at most MAX_OUTPUT characters: the context loses lines from its end; an input
    that does not fit is not replaced.
    """
    if not reply.context and not reply.deny and not reply.input:
        return ""
    notice = f'"systemMessage":{encode_basestring(reply.notice)},' if reply.notice else ""
    members = [f'"hookEventName":{encode_basestring(event)}']
    if reply.deny:
        reason = encode_basestring(reply.deny)
        if len(reason) > _MAX_REASON:
            reason = encode_basestring(reply.deny[:_SHORT_REASON])
        members += ['"permissionDecision":"deny"', f'"permissionDecisionReason":{reason}']
    if reply.input:
        output = f'{{"hookSpecificOutput":{{{members[0]},"updatedInput":{reply.input}}}}}'
        return output if len(output) <= MAX_OUTPUT else ""
    context = reply.context
    while True:
        said = [f'"additionalContext":{encode_basestring(context)}'] if context else []
        output = f'{{{notice}"hookSpecificOutput":{{' + ",".join(members + said) + "}}"
        if len(output) <= MAX_OUTPUT:
            return output if said or reply.deny else ""
        context = context.rpartition("\n")[0]


def _read() -> bytes:
    parts, size = [], 0
    while data := os.read(0, 1 << 20):
        parts.append(data)
        size += len(data)
        if size > MAX_INPUT:
            raise InvalidArgument(f"the input has more than {MAX_INPUT >> 20} MB")
    return b"".join(parts)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def _stop(_number: int, _frame: Any) -> NoReturn:
    raise DeadlinePassed("the hook took too long and was stopped")
