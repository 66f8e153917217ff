"""Whether a prompt is a task, which a map can help with; most of what people type in between is none."""

from __future__ import annotations

from engram.orient.query import looks_like_name, path_in

_OWN = ("/engram", "/engram:engram")
_MAX_CHARS = 60_000  # of a prompt that are looked at: as much as a query is made of
_FEWEST = 3  # words of a prompt that names no code; "fix the tests" is the shortest that says something
_SMALL_TALK = frozenset(
    "a again ahead alright and agreed all at awesome back carry commit continue cool correct do done exactly fine go "
    "good got great hello hey hi i is it just k keep lgtm looks make me more nice no nope not now of ok okay on once "
    "perfect please proceed push right same stop sounds sure thank thanks that the then this try very wait well "
    "wonderful yeah yep yes yup you".split()
)
_EDGES = ".,;:!?()[]{}'\"`*"


def asked_text(prompt: str) -> tuple[str, bool]:
    """The part of a prompt to rank, and whether it was asked for with /engram; "" where the prompt is no task.

    Not a task: other slash commands, shell and memory lines (`!`, `#`), the client's own notifications, small talk.
    """
    text = prompt[:_MAX_CHARS].strip()
    command, _, rest = text.partition(" ")
    if command in _OWN:
        return rest.strip(), True
    if text.startswith(("/", "!", "#")) and not path_in(command):
        return "", False
    if text.startswith("<task-notification>") or not says_something(text):
        return "", False
    return text, False


def says_something(text: str) -> bool:
    """Whether the text names code or has three words beyond small talk; long texts always do."""
    words = [word.strip(_EDGES) for word in text.split(None, 40)[:40]]
    if any(path_in(word) or looks_like_name(word.encode("utf-8", "replace")) for word in words if len(word) > 2):
        return True
    telling = [word for word in words if word and word.lower() not in _SMALL_TALK]
    return len(telling) >= _FEWEST or (len(telling) >= _FEWEST - 1 and len(words) > _FEWEST)
