"""What a commit says of its pairs of files, by its size and its age."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.history.cochange import (
    HALF_LIFE_S,
    LEAST_WEIGHT,
    MAX_PARTNERS,
    MAX_TOGETHER,
    commit_share,
    rank_partners,
    reference_time,
)

NOW = 1_700_000_000
WHOLE = commit_share(2, NOW, NOW)


def test_the_larger_the_commit_the_less_it_says():
    shares = [commit_share(size, NOW, NOW) for size in range(2, MAX_TOGETHER + 1)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 2 * shares[1]
    for size in (0, 1, MAX_TOGETHER + 1, 10**6):
        assert commit_share(size, NOW, NOW) == 0


def test_it_says_half_as_much_a_year_later():
    assert commit_share(2, NOW - HALF_LIFE_S, NOW) == WHOLE // 2
    assert commit_share(2, NOW - 4 * HALF_LIFE_S, NOW) / WHOLE > LEAST_WEIGHT
    assert commit_share(2, NOW - 5 * HALF_LIFE_S, NOW) / WHOLE < LEAST_WEIGHT


@given(st.integers(-(1 << 62), 1 << 62))
def test_no_time_makes_it_say_more_than_now(at):
    assert 0 <= commit_share(2, at, NOW) <= WHOLE


@given(st.lists(st.integers(-(1 << 40), 1 << 40)))
def test_ages_are_counted_from_no_later_than_now(times):
    reference = reference_time(times, NOW)
    assert reference <= NOW
    assert all(reference > min(at, NOW) - 91 * 86_400 for at in times)


@given(st.lists(st.tuples(st.integers(1, WHOLE), st.lists(st.sampled_from("abcdefg"), max_size=4, unique=True))))
def test_the_order_of_commits_does_not_show(together):
    assert rank_partners("a", together) == rank_partners("a", reversed(together))


def test_the_strongest_come_first_and_the_weak_not_at_all():
    found = rank_partners("a", [(WHOLE, "ab"), (WHOLE, "abc"), (WHOLE // 2, "ac"), (WHOLE // 100, "ad")])
    assert found == [("b", 2, 2.0), ("c", 2, 1.5)]


def test_there_are_not_too_many():
    assert len(rank_partners("a", [(WHOLE, [f"{number}" for number in range(100)])])) == MAX_PARTNERS


@pytest.mark.parametrize("together", [[], [(WHOLE, [])], [(WHOLE, ["a"])]])
def test_a_file_changes_with_no_other(together):
    assert rank_partners("a", together) == []
