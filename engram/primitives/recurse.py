"""recurse: questions about slices of the code for subagents to answer, and the taking in of their answers.

The slices are named, never copied: who answers reads them.  An answer is kept under the question and the content of
its slices, and given back at once while that holds.
"""

from __future__ import annotations

from engram.errors import DepthSpent, InvalidArgument, TooManyOpen, UnknownRequest
from engram.primitives.check import shown
from engram.primitives.groups import MAX_SLICES, Groups
from engram.primitives.handles import expand
from engram.primitives.outcome import Answer
from engram.primitives.requests import Request, RequestLog, new_batch
from engram.primitives.slices import Sources
from engram.primitives.wire import encode, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.primitives.base import Scope

MARKER = "ENGRAM-RECURSE-REQUEST"
MAX_PROMPT = 2000
MAX_DEPTH = 4
MAX_OPEN = 64  # these three are bounds of the design
MAX_HANDLES = 64
MAX_EXPANDED = 4096  # slices that are counted before "at least" is said
MAX_SENTENCES = 3
MAX_ANSWER = 1000  # characters of three sentences, long ones
_ROOM = 900  # bytes of the envelope around the requests, with what was left out
_BULLETS = ("-", "*", "+", "\u2022")
_WIDE_ENDS = (
    "\u3002",
    "\uff01",
    "\uff1f",
)  # Chinese and Japanese full stop, exclamation and question mark: no space follows
_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "cf.", "vs.", "approx.", "resp.", "no.", "fig.", "al.")

_ID = {"type": "string", "minLength": 1, "maxLength": 64}
ARGUMENTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["ask", "answer", "collect"], "default": "ask"},
        "prompt": {"type": "string", "minLength": 1, "maxLength": MAX_PROMPT, "description": "of ask: the question"},
        "over": {
            "type": "array",
            "maxItems": MAX_HANDLES,
            "items": {"type": "string", "minLength": 1, "maxLength": 4096},
            "default": [],
            "description": "of ask: path:from-to, path#symbol, paths, globs, journal ids of greps",
        },
        "parent": {**_ID, "description": "of ask: the request that is being answered"},
        "each": {"type": "boolean", "default": False, "description": "of ask: one request for every slice"},
        "secrets": {"type": "boolean", "default": False, "description": "of ask: files that hold keys, too"},
        "id": {**_ID, "description": "of answer: the request"},
        "text": {"type": "string", "minLength": 1, "maxLength": 10_000, "description": "of answer: 1 to 3 sentences"},
        "batch": {**_ID, "description": "of collect: one batch, in place of all of the session"},
    },
    "required": [],
    "additionalProperties": False,
}
_TEXT = {"type": "string"}
_HANDLES = {"type": "array", "maxItems": MAX_SLICES, "items": _TEXT}
_GIVEN = {"id": _TEXT, "text": _TEXT, "stale": {"type": "boolean", "description": "a slice is not what it was"}}


def _list(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    item = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"type": "array", "items": item}


DATA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "batch": _TEXT,
        "depth": {"type": "integer", "minimum": 1, "maximum": MAX_DEPTH},
        "asked": {"type": "integer"},
        "answered": {"type": "integer"},
        "replaced": {"type": "boolean", "description": "of answer: there was one before"},
        "requests": _list(
            {
                "id": {**_TEXT, "description": "of the request, or of the one whose answer is given back"},
                "slices": _HANDLES,
                "answer": {**_TEXT, "description": "kept from before; nothing is to be asked"},
                "stale": {**_TEXT, "description": "what was answered before a slice changed"},
            },
            ["id", "slices"],
        ),
        "answers": _list(_GIVEN, list(_GIVEN)),
    },
    "additionalProperties": False,
}


def run(scope: Scope, arguments: dict[str, Any]) -> Answer:
    """The requests asked; or the answer taken in; or the answers of a batch or of the session."""
    actions = {"ask": _ask, "answer": _take_in, "collect": _collect}
    belonging = {"ask": ("prompt", "parent"), "answer": ("id", "text"), "collect": ("batch",)}
    action = arguments["action"]
    for other, names in belonging.items():
        wrong = [name for name in names if name in arguments and other != action]
        if wrong:
            raise InvalidArgument(f"{wrong[0]} belongs to {other}, not to {action}")
    return actions[action](scope, arguments)


def _ask(scope: Scope, arguments: dict[str, Any]) -> Answer:
    if not arguments.get("prompt", "").strip():
        raise InvalidArgument("the prompt is empty")
    sources = Sources(scope.root, secrets=arguments["secrets"])
    expanded = (one for handle in arguments["over"] for one in expand(scope, sources, handle))
    groups = Groups(expanded, each=arguments["each"]) if arguments["over"] else Groups.of_nothing()
    with RequestLog(scope.root) as log:
        opened = log.open_ones(scope.session)
        depth = _depth(scope, log, opened, arguments.get("parent", ""))
        awaited = len(log.awaited(scope.session))
        if awaited >= MAX_OPEN:
            raise TooManyOpen(
                f"{awaited} requests of this session are open, the most there may be",
                "answer them (engram recurse answer ID TEXT), or wait for the next prompt, or ten minutes",
            )
        answer = _compose(scope, log, arguments["prompt"], depth, groups, MAX_OPEN - awaited)
        rest, complete = groups.rest(MAX_EXPANDED)
        log.apply(scope.session, {**arguments, **answer.recorded})
    left = {"slices": rest, **({} if complete else {"atLeast": True})} if rest else {}
    return answer.replace(left_out=lambda _count: left)


def _compose(scope: Scope, log: RequestLog, prompt: str, depth: int, groups: Groups, free: int) -> Answer:
    """As many requests as are free and fit the budget; `groups` is left at what was not taken."""
    batch = new_batch()
    items: list[dict[str, Any]] = []
    asked: list[Request] = []
    left = scope.budget.max_bytes - _ROOM
    while len(asked) < free and (group := groups.take()) is not None:
        handles = tuple([one.handle for one in group])
        request = Request(f"{batch}.{len(asked) + 1}", batch, scope.session, prompt, handles, depth)
        kept = log.kept(prompt, handles) if handles else None  # about no place: nothing tells whether it still holds
        item: dict[str, Any] = {"id": kept.id if kept else request.id, "slices": list(handles)}
        if kept:
            item["answer"] = kept.text
        elif handles and (outdated := log.at_places(prompt, handles)):
            item["stale"] = outdated.text
        left -= size(item) + 1 + (0 if kept else len(_line(request).encode()) + 1)
        if left < 0:
            groups.give_back(group)
            break
        items.append(item)
        asked += [] if kept else [request]
    if not items:
        if groups.take() is None:
            raise InvalidArgument("the handles name no lines")
        raise InvalidArgument("not one request fits into the budget", "ask with a larger --budget, or a shorter prompt")
    rows = [{"id": one.id, "slices": list(one.slices), "depth": one.depth} for one in asked]
    head = {"batch": batch, "depth": depth, "asked": len(asked), "answered": len(items) - len(asked)}
    return Answer(head, "requests", items, recorded={"batch": batch, "requests": rows}, lines=tuple(map(_line, asked)))


def _line(request: Request) -> str:
    return f"{MARKER} {encode(request.to_wire())}"


def _depth(scope: Scope, log: RequestLog, opened: list[Request], parent: str) -> int:
    """One less than the parent's, or than the deepest open request's, which the subagent that asks is answering."""
    limit = min(scope.depth, MAX_DEPTH)
    if parent:
        limit = min(limit, log.find(parent).depth - 1)
    elif opened:
        limit = min(limit, min(one.depth for one in opened) - 1)
    if limit < 1:
        raise DepthSpent(
            f"the depth of {shown(parent)} is spent" if parent else "the depth of recursion is spent",
            "answer from what you can read yourself; ENGRAM_RECURSE_DEPTH and open requests set the depth",
        )
    return limit


def _take_in(scope: Scope, arguments: dict[str, Any]) -> Answer:
    if "id" not in arguments or "text" not in arguments:
        raise InvalidArgument("answer needs the id of a request and a text", "engram recurse answer ID TEXT")
    text = " ".join(arguments["text"].split())
    sentences = count_sentences(arguments["text"])
    with RequestLog(scope.root) as log:
        request = log.find(arguments["id"])
        if not 1 <= sentences <= MAX_SENTENCES or len(text) > MAX_ANSWER:
            raise InvalidArgument(
                f"the answer has {sentences} sentences and {len(text)} characters",
                f"give 1 to {MAX_SENTENCES} sentences, at most {MAX_ANSWER} characters: the conclusion, with path:line",
            )
        replaced = log.answer(request.id) is not None
        log.apply(scope.session, {"action": "answer", "id": request.id, "text": text})
        batch = log.of_batch(request.batch)
        answered = sum(log.answer(one.id) is not None for one in batch)
    sources = Sources(scope.root, secrets=True)
    item = {"id": request.id, "text": text, "stale": _is_stale(sources, request)}
    head = {"batch": request.batch, "asked": len(batch), "answered": answered, "replaced": replaced}
    return Answer(head, "answers", [item])


def _collect(scope: Scope, arguments: dict[str, Any]) -> Answer:
    sources = Sources(scope.root, secrets=True)  # to compare hashes; nothing of the files is shown
    with RequestLog(scope.root) as log:
        batch = arguments.get("batch", "")
        requests = log.of_batch(batch) if batch else list(log.of_session(scope.session))
        if batch and not requests:
            raise UnknownRequest(f"no batch {shown(batch)} was asked here", "engram recurse collect lists the answers")
        given = [(request, log.answer(request.id)) for request in requests]
    items = [
        {"id": request.id, "text": answer.text, "stale": _is_stale(sources, request)}
        for request, answer in given
        if answer
    ]

    def left_out(count: int) -> dict[str, Any]:
        return {"answers": len(items) - count} if count < len(items) else {}

    return Answer({"asked": len(given), "answered": len(items)}, "answers", items, left_out=left_out)


def _is_stale(sources: Sources, request: Request) -> bool:
    return not all(sources.holds(handle) for handle in request.slices)


def count_sentences(text: str) -> int:
    """How many sentences a text has.  A point ends at a blank line and before a list item; within it, `.`, `!` and `?`
    end a sentence before a space that no small letter follows, unless they end a common abbreviation.
    """
    count = 0
    for point in _points(text):
        words = "".join([f"{character} " if character in _WIDE_ENDS else character for character in point]).split()
        for word, following in zip(words, [*words[1:], ""], strict=False):
            ends = word.rstrip("\"')]`*_").endswith((".", "!", "?", *_WIDE_ENDS))
            ends = ends and word.lower() not in _ABBREVIATIONS
            if not following or (ends and not following.lstrip("\"'([`*_")[:1].islower()):
                count += 1
    return count


def _points(text: str) -> list[str]:
    """The paragraphs and list items of a text, each on one line."""
    points = [""]
    for line in text.splitlines():
        words = line.split()
        item = bool(words) and (words[0] in _BULLETS or (words[0][:-1].isdigit() and words[0][-1] in ".)"))
        if item or not words:
            points.append("")
        points[-1] += " " + " ".join(words[1:] if item else words)
    return points
