"""How far the first index of a checkout is: told by the indexer, asked by a hook that might wait for it."""

from __future__ import annotations

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part

_SIDE = "progress"
_FORGOTTEN_S = 60  # after which a dead indexer's last word is gone
_READING = 0.75  # share of a build's time in which files are read (yt-dlp 0.76, click 0.75); then calls are resolved
_BYTE_S = 1.5e-6  # at the slowest seen (2 busy cores); counts until the first files are done
_AROUND_S = 0.3  # what does not grow with the files: starting workers, swapping the index in


class IndexProgress(Value):
    """`done` of `total` bytes were read at `told_at`, since `started_at` (epoch seconds)."""

    done: int
    total: int
    started_at: float
    told_at: float

    def seconds_left(self, now: float) -> float | None:
        """An estimate of what is to come; None where there is none: it is late already, or the clock was set back."""
        elapsed, spent = now - self.started_at, self.told_at - self.started_at
        if elapsed < 0 or spent < 0:
            return None
        reading = spent * self.total / self.done if self.done else self.total * _BYTE_S
        left = _AROUND_S + reading / _READING - elapsed
        return left if left >= 0 else None


def progress_command(keys: Keys, progress: IndexProgress) -> tuple[Part, ...]:
    """The command that tells it."""
    text = f"{progress.done} {progress.total} {progress.started_at:.3f} {progress.told_at:.3f}"
    return ("SET", keys.side(_SIDE), text, "EX", _FORGOTTEN_S)


def finished_command(keys: Keys) -> tuple[Part, ...]:
    """The command that takes it back, for the MULTI that swaps the index in."""
    return ("DEL", keys.side(_SIDE))


def read_progress(connection: Connection, keys: Keys) -> IndexProgress | None:
    """What the indexer told last; None where none is building."""
    kept: bytes | None = connection.call("GET", keys.side(_SIDE))
    if not kept:
        return None
    done, total, started_at, told_at = kept.split()
    return IndexProgress(int(done), int(total), float(started_at), float(told_at))


def tell_progress(connection: Connection, *, keys: Keys, progress: IndexProgress) -> None:
    """Tell it at once."""
    connection.call(*progress_command(keys, progress))
