"""The evidence of a place in words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.orient.rank import Scored

_PHRASES = {
    "words": "its text shares the words",
    "inline": "its text shares the words set as code",
    "name": "its name is written",
    "handler": "a name in the text is a part of its own",
    "private": "it is one of the functions that do the work of others",
    "string": "a string in it is quoted",
    "frame": "it is in the traceback",
    "callee": "a likely place calls it",
    "file": "its file fits",
    "length": "it is long",
    "operator": "an operator in the text calls it",
    "named": "its name shares words with the text",
    "owner": "its class shares words with the text",
    "wrapped": "a likely place only hands on to it",
}
MIN_SHARE = 0.05  # of the weighted score: less decides nothing


def explain(scored: Scored) -> tuple[str, ...]:
    """Why the place stands where it does: `phrase (weight)`, the heaviest first."""
    parts = sorted(scored.evidence.items(), key=lambda item: (-item[1], item[0]))
    return tuple([f"{_PHRASES[kind]} ({weight:.2f})" for kind, weight in parts if weight >= MIN_SHARE])
