"""How strongly files change together, by the commits that changed both.

Co-change as evidence of coupling: Gall, Hajek, Jazayeri, "Detection of logical coupling based on product release
history" (ICSM 1998).  A commit with n files says 1 / (n - 1) of each pair, as Newman weighs the authors of one paper in
"Scientific collaboration networks II" (Phys. Rev. E 64, 2001): so it says 1 of each file in all.  One with more than
MAX_TOGETHER files says nothing, as in Zimmermann et al., "Mining version histories to guide software changes" (ICSE
2004), who leave out transactions with more than 30 entities.  Old evidence fades: Graves et al., "Predicting fault
incidence using software change history" (TSE 2000), found a change to weigh half as much as one a year younger.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MAX_TOGETHER = 30  # files of a commit that counts (Zimmermann et al., above)
HALF_LIFE_S = 365 * 86_400
LEAST_WEIGHT = 0.05  # one commit of two files, four years old; less is chance, and most pairs have less
MAX_PARTNERS = 20  # of one file: more than anybody reads, and it bounds the edges of a repository
_QUARTER_S = 90 * 86_400
_UNIT = 1 << 30  # weights are summed as integers, so that the order of commits does not show in the sum
_MAX_HALVINGS = 60  # past this a commit weighs nothing in such units


class Partner(NamedTuple):
    """A file that changed together with another: in how many commits that count, and what they weigh in all."""

    path: str
    times: int
    weight: float


def reference_time(times: Iterable[int], now: int) -> int:
    """From when ages are counted (epoch seconds): the start of the 90 days in which the newest commit was made.

    Not from now, because then every weight would change with every day.  A commit from the future is one of now.
    """
    newest = max((min(at, now) for at in times), default=now)
    return newest // _QUARTER_S * _QUARTER_S


def commit_share(size: int, at: int, reference: int) -> int:
    """What a commit of `size` files says of each pair of them: 2^(-age / HALF_LIFE_S) / (size - 1), in 2^-30.

    0 for fewer than two files and for more than MAX_TOGETHER.  What is newer than the reference has no age.
    """
    if not 2 <= size <= MAX_TOGETHER:
        return 0
    halvings = max(0, reference - at) / HALF_LIFE_S
    return int(_UNIT * 2.0**-halvings) // (size - 1) if halvings < _MAX_HALVINGS else 0


def rank_partners(path: str, together: Iterable[tuple[int, Iterable[str]]]) -> list[Partner]:
    """The files that change with `path` the most, the strongest first, at most MAX_PARTNERS.

    `together` are the commits that changed it and count: what each says of a pair, and which files it changed.  Two old
    names of one file in one commit are one file.
    """
    counts: dict[str, int] = {}
    weights: dict[str, int] = {}
    for share, files in together:
        for other in files:
            counts[other] = counts.get(other, 0) + 1
            weights[other] = weights.get(other, 0) + share
    least = int(LEAST_WEIGHT * _UNIT)
    kept = [(-weight, other) for other, weight in weights.items() if weight >= least and other != path]
    return [Partner(other, counts[other], round(-weight / _UNIT, 4)) for weight, other in sorted(kept)[:MAX_PARTNERS]]
