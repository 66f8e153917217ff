"""What an agent is told after an edit, in one short text.  Read by hooks, so nothing slow is imported here."""

from __future__ import annotations

from engram.activity.claims import agent_name
from engram.render.claims import clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram.activity.claims import Claim
    from engram.store.impact import Impact

MAX_NOTE = 400  # characters
_MOST_SITES = 6
_LONG_NAME = 60


def note_text(path: str, impact: Impact, tests: Sequence[str], claims: Sequence[Claim]) -> str:
    """At most MAX_NOTE characters: calls of what was changed, what changes with it, tests, claims in other checkouts.

    "" where there is nothing of it.  As many of each are named as there is room for.
    """
    for most in range(_MOST_SITES, 0, -1):
        text = _compose(path, impact, tests[: max(1, most // 2)], claims[:1], most)
        if len(text) <= MAX_NOTE:
            return text
    return text[: MAX_NOTE - 1] + "…"


def _compose(path: str, impact: Impact, tests: Sequence[str], claims: Sequence[Claim], most: int) -> str:
    said = [*_calls(impact, most)]
    partners = [other for other in impact.partners if other not in tests][: max(1, most // 2)]
    if partners:
        said.append(f"Changes with it: {', '.join(partners)}.")
    if tests:
        said.append(f"Tests: {', '.join(tests)}.")
    for one in claims:
        said.append(f"Also being edited in {one.checkout} by {agent_name(one.session)} (since {clock(one.since)}).")
    return f"[engram] {path} changed. {' '.join(said)}" if said else ""


def _calls(impact: Impact, most: int) -> list[str]:
    """One sentence for each changed symbol that is called elsewhere."""
    out = []
    left = most
    for symbol in impact.symbols:
        sites = [site for site in impact.sites if site.callee == symbol.id]
        if sites and left > 0:
            shown = [f"{site.path}:{site.line}" for site in sites[:left]]
            rest = f" and {len(sites) - len(shown)} more" if len(shown) < len(sites) else ""
            out.append(f"{symbol.qualname[:_LONG_NAME]} is called at {', '.join(shown)}{rest}.")
            left -= len(shown)
    return out
