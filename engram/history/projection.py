"""The history as the files of today see it: which commits touched each, and what it changes with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import NamedTuple

from engram.history.cochange import Partner, commit_share, rank_partners, reference_time
from engram.history.facts import Commit
from engram.history.lineage import Lineage, order_of


class FileHistory(NamedTuple):
    """Of one file: ids of the commits that touched it, the newest first; what it changes with, the strongest first."""

    touched: list[str]
    partners: list[Partner]

    def digest(self) -> bytes:
        """Equal for equal histories, and for no others."""
        lines = [*self.touched, *[f"{one.times} {one.weight} {one.path}" for one in self.partners]]
        return blake2b("\0".join(lines).encode("utf-8", "surrogatepass"), digest_size=12).digest()


def project(commits: Sequence[Commit], files: Collection[str], now: int) -> dict[str, FileHistory]:
    """The history of each of the files that has one; `commits` are the newest first, `now` is in epoch seconds."""
    lineage = Lineage(commits, files)
    reference = reference_time([commit.at for commit in commits], now)
    shares: list[int] = []
    found: list[list[str]] = []
    touched: dict[str, list[int]] = {}
    for position, commit in enumerate(commits):
        order = order_of(commits, position)
        today = dict.fromkeys([lineage.today(path, order) for path in commit.paths])
        today.pop(None, None)
        found.append([path for path in today if path is not None])
        shares.append(commit_share(commit.size, commit.at, reference) if len(today) > 1 else 0)
        for path in found[-1]:
            touched.setdefault(path, []).append(position)
    return {
        path: FileHistory(
            [commits[position].sha for position in positions],
            rank_partners(path, [(shares[position], found[position]) for position in positions if shares[position]]),
        )
        for path, positions in touched.items()
    }
