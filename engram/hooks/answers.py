"""The answer of a subagent to a recursion request, taken in when the subagent did not call `engram recurse answer`."""

from __future__ import annotations

import os

from engram.errors import InvalidArgument
from engram.journal.commit import current_commit
from engram.journal.jsonlight import loads
from engram.primitives.base import Scope, run
from engram.primitives.recurse import MARKER
from engram.primitives.registry import PRIMITIVES
from engram.primitives.requests import RequestLog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.hooks.context import HookContext

_MAX_FIRST = 1 << 20  # bytes of a transcript in which its first message is looked for; a prompt has some kB
_ID = '"id":"'


def take_answer_in(prompt: str, answer: str, context: HookContext) -> None:
    """Store the answer if `prompt` is a request that has none yet; nothing happens where it is no request.

    Raises UnknownRequest, JournalError, and InvalidArgument for what is no answer of 1 to 3 sentences: a transcript.
    """
    request_id = find_request(prompt)
    if not request_id:
        return
    root = os.path.realpath(context.worktree.root)
    with RequestLog(root) as log:
        log.find(request_id)
        if log.answer(request_id) is not None:
            return
    agent = "/".join([part for part in (context.text("agent_type"), context.agent) if part]) or None
    scope = Scope(root, context.session or "unknown", agent, current_commit(context.worktree))
    outcome = run(PRIMITIVES["recurse"], scope, {"action": "answer", "id": request_id, "text": answer})
    if not outcome.ok:
        raise InvalidArgument(f"the answer to {request_id} was not taken in: {outcome.result.get('message')}")


def find_request(prompt: str) -> str:
    """The id of the first recursion request in a prompt; "" if there is none."""
    _, marker, rest = prompt.partition(MARKER)
    line = rest.partition("\n")[0]
    at = line.find(_ID)
    return line[at + len(_ID) :].partition('"')[0] if marker and at >= 0 else ""


def first_message(path: str) -> str:
    """The text of the first message of a transcript; "" where there is none.  Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        lines = file.read(_MAX_FIRST).splitlines()
    for line in lines:
        try:
            entry = loads(line.decode("utf-8", "replace"))
        except ValueError:  # torn, or longer than what is read
            continue
        message = entry.get("message") if isinstance(entry, dict) else None
        if isinstance(message, dict) and message.get("role") == "user":
            return text_of(message.get("content"))
    return ""


def text_of(content: Any) -> str:
    """The text of a message's content: itself, or its text blocks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n".join([text for text in texts if isinstance(text, str)])
