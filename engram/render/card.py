"""What a session is told at its start, and after a compaction.  Read by hooks, so nothing slow is imported here."""

from __future__ import annotations

from engram.model import Value
from engram.render.map import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engram.store.core import CoreFile

MAX_CARD = 800
MAX_RECAP = 1200
_MAX_LINE = 160  # characters of one line; what is longer is cut with an ellipsis, a path is left out
_MAX_EDITED = 5
_MAX_LISTED = 8


class Card(Value):
    """A repository at a glance; "" and () for what is not known.  `edited` are files that others are editing now."""

    name: str
    branch: str
    index: str
    core: Sequence[CoreFile] = ()
    test_command: str = ""
    edited: Sequence[str] = ()


class Recap(Value):
    """What a session had worked out; "" and () for what there is none of.

    `edited` and `read` are (path, what of it) and (path, times), `answers` those of recursion.
    """

    edited: Sequence[tuple[str, str]] = ()
    learned: Sequence[str] = ()
    failing: str = ""
    tasks: Sequence[str] = ()
    answers: Sequence[str] = ()
    read: Sequence[tuple[str, int]] = ()
    last_map: str = ""


def render_card(card: Card) -> str:
    """The card, at most MAX_CARD characters; what does not fit is left out from the end of the core files."""
    branch = f", branch {_cut(card.branch, 60)}" if card.branch else ""
    head = f"[engram] Repository {_cut(card.name, 60)}{branch}; {card.index}."
    tail = [f"Tests: {card.test_command}"] if card.test_command else []
    tail += [_cut(line, _MAX_LINE) for line in card.edited[:3]]
    if len(card.edited) > 3:
        tail.append(f"and {len(card.edited) - 3} more being edited by others")
    room = MAX_CARD - len("\n".join([head, *tail]))
    core: list[str] = []
    for line in ["Core files (by how many others use them):", *_core_lines(card.core)] if card.core else []:
        room -= len(line) + 1
        if room < 0:
            break
        core.append(line)
    return "\n".join([head, *(core if len(core) > 1 else []), *tail])[:MAX_CARD]


def render_recap(recap: Recap) -> str:
    """What the session had worked out, at most MAX_RECAP characters, the most needed first; "" where it is nothing."""
    lines = ["[engram] This session before the compaction (from its journal):"]
    room = MAX_RECAP - len(lines[0])
    for line in _recap_lines(recap):
        if len(line) + 1 > room:
            break
        lines.append(line)
        room -= len(line) + 1
    return "\n".join(lines) if len(lines) > 1 else ""


def _recap_lines(recap: Recap) -> Iterable[str]:
    for path, what in recap.edited[:_MAX_EDITED]:
        yield _cut(f"Edited: {path}" + (f" ({what})" if what else ""), _MAX_LINE)
    if len(recap.edited) > _MAX_EDITED:
        yield f"and {len(recap.edited) - _MAX_EDITED} more files edited"
    yield from [_cut(text, _MAX_LINE) for text in recap.learned[:_MAX_LISTED]]
    if recap.failing:
        yield _cut(f"Last failing run: {recap.failing}", 2 * _MAX_LINE)
    yield from [_cut(f"Open task: {task}", _MAX_LINE) for task in recap.tasks[:_MAX_LISTED]]
    yield from [_cut(f"Answered: {answer}", 2 * _MAX_LINE) for answer in recap.answers[:_MAX_LISTED]]
    if recap.read:
        yield _cut("Most read: " + ", ".join([f"{path} ({n}x)" for path, n in recap.read[:5]]), 2 * _MAX_LINE)
    if recap.last_map:
        yield "Last map:"
        yield from [line for line in recap.last_map.split("\n") if line.startswith("- ")]


def _core_lines(core: Iterable[CoreFile]) -> list[str]:
    lines = [f"- {one_line(file.path)} {', '.join(map(one_line, file.symbols))}".rstrip() for file in core]
    return [line for line in lines if len(line) <= _MAX_LINE]


def _cut(text: str, most: int) -> str:
    line = one_line(text)
    return line if len(line) <= most else line[: most - 1] + "…"
