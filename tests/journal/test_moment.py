"""Points in time as people write them."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from engram.errors import InvalidArgument
from engram.journal.moment import Moment, parse_moment


@pytest.fixture(params=["UTC", "Europe/Berlin", "Asia/Kolkata"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def _local(*parts: int) -> datetime:
    return datetime(*parts).astimezone()  # type: ignore[arg-type]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_a_time_of_day_is_the_latest_past(zone: str) -> None:
    now = _local(2026, 3, 10, 9, 30)
    assert parse_moment("02:14", now) == Moment(_utc(_local(2026, 3, 10, 2, 14)), _utc(_local(2026, 3, 10, 2, 15)))
    assert parse_moment("9:30", now).start == _utc(now)
    assert parse_moment("9:31", now).start == _utc(_local(2026, 3, 9, 9, 31))
    assert parse_moment("23:59:58", now) == Moment(
        _utc(_local(2026, 3, 9, 23, 59, 58)), _utc(_local(2026, 3, 9, 23, 59, 59))
    )


def test_yesterdays_time_has_yesterdays_offset(zone: str) -> None:
    now = _local(2026, 3, 29, 12, 0)  # summer time began at 02:00 in Berlin
    assert parse_moment("13:00", now).start == _utc(_local(2026, 3, 28, 13, 0))
    assert parse_moment("01:00", now).start == _utc(_local(2026, 3, 29, 1, 0))


def test_dates(zone: str) -> None:
    now = _local(2026, 3, 10, 9, 30)
    assert parse_moment("2026-03-01T02:14", now).start == _utc(_local(2026, 3, 1, 2, 14))
    assert parse_moment("2026-03-01 02:14", now).start == _utc(_local(2026, 3, 1, 2, 14))
    assert parse_moment("2026-03-01", now) == Moment(_utc(_local(2026, 3, 1)), _utc(_local(2026, 3, 2)))
    exact = Moment("2026-03-01T02:14:05.000Z", "2026-03-01T02:14:06.000Z")
    assert parse_moment("2026-03-01T02:14:05Z", now) == exact
    assert parse_moment("2026-03-01T04:14:05+02:00", now) == exact


def test_times_ago(zone: str) -> None:
    now = _local(2026, 3, 10, 9, 30)
    assert parse_moment("2h", now).start == _utc(_local(2026, 3, 10, 7, 30))
    assert parse_moment("3d", now).start == _utc(_local(2026, 3, 7, 9, 30))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "25:00",
        "12:60",
        "1:2:3:4",
        "12",
        "h",
        "-1h",
        "99999999999w",
        "2026-13-01",
        "0001-01-01",
        "\u0661h",
        ":",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse_moment(text, datetime(2026, 3, 10, 9, 30, tzinfo=UTC))
