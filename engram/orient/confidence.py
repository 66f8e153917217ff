"""How sure a map is, in three steps that say how often its first files hold the right one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram.orient.signals import Signals

SHARPNESS = 4.7  # of scores whose words weigh 1: the fit of the weights gives it, as the weight of the words
FIT_OF_WHOLE, CHANCE = 0.4, 0.2  # beside the fit of the title
ABOUT = 0.48
HIGH, MEDIUM = 0.45, 0.2


def chance_of(scores: Sequence[float]) -> float:
    """How likely the first file is the right one, by the model the weights were fitted with: its share of all e^score.

    `scores` are those of the files, the best first; 0 for none.
    """
    if not scores:
        return 0.0
    shares = [float(_EULER ** (SHARPNESS * (score - scores[0]))) for score in scores]
    return 1 / sum(shares)


def confidence_of(scores: Sequence[float], signals: Signals) -> str:
    """high, medium or low."""
    chance = chance_of(scores)
    if signals.fit + FIT_OF_WHOLE * signals.whole_fit + CHANCE * chance < ABOUT:
        return "low"
    return "high" if chance >= HIGH else "medium" if chance >= MEDIUM else "low"


_EULER = 2.718281828459045
