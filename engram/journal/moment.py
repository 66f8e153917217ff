"""Points in time as people write them: `02:14`, `2026-03-01T02:14`, `2h`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from engram.errors import InvalidArgument
from engram.journal.content import format_time
from engram.model import Value

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_HINT = "write 02:14 (the last time it was that late here), 2026-03-01T02:14, or 2h for two hours ago"


class Moment(Value):
    """A moment as precise as it was written: from `start` up to, not including, `end`; both as entries tell times."""

    start: str
    end: str


def parse_moment(text: str, now: datetime) -> Moment:
    """What `text` means at `now` (which carries its zone): a time of day is the latest one that is past.

    A day is written as YYYY-MM-DD, a time as HH:MM or HH:MM:SS, both together with `T` or a space between and an
    offset or Z behind; without one they are in the zone of the machine.  N followed by s, m, h, d or w is that
    long ago.  Raises InvalidArgument.
    """
    written = text.strip()
    if written[-1:] in _UNITS and written[:-1].isascii() and written[:-1].isdigit():
        try:
            start = now - timedelta(seconds=int(written[:-1]) * _UNITS[written[-1]])
        except OverflowError:
            raise InvalidArgument(f"{text!r} is too long ago", _HINT) from None
        return _moment(start, timedelta(seconds=1))
    if len(written) in (4, 5, 7, 8) and ":" in written and "-" not in written:
        return _time_of_day(written, now)
    try:
        parsed = datetime.fromisoformat(written)
    except ValueError:
        raise InvalidArgument(f"{text!r} is not a time", _HINT) from None
    has_seconds = written.count(":") >= 2
    step = timedelta(days=1) if len(written) <= len("2026-03-01") else timedelta(seconds=1 if has_seconds else 60)
    try:
        return _moment(parsed.astimezone() if parsed.tzinfo is None else parsed, step)
    except (OverflowError, ValueError, OSError):
        raise InvalidArgument(f"{text!r} is out of range", _HINT) from None


def _time_of_day(written: str, now: datetime) -> Moment:
    parts = written.split(":")
    try:
        hour, minute, second = map(int, parts if len(parts) > 2 else [*parts, "0"])
        naive = now.replace(hour=hour, minute=minute, second=second, microsecond=0, tzinfo=None)
    except ValueError:
        raise InvalidArgument(f"{written!r} is not a time of day", _HINT) from None
    # Through the naive local time and back, so that the offset is the one that holds on that day.
    start = naive.replace(tzinfo=now.tzinfo) if now.tzinfo is UTC else naive.astimezone()
    if start > now:
        day_before = naive - timedelta(days=1)
        start = day_before.replace(tzinfo=UTC) if now.tzinfo is UTC else day_before.astimezone()
    return _moment(start, timedelta(seconds=1 if len(parts) > 2 else 60))


def _moment(start: datetime, step: timedelta) -> Moment:
    first = int(start.timestamp() * 1000)
    return Moment(format_time(first), format_time(first + int(step.total_seconds() * 1000)))
