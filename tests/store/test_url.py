"""Addresses of other FalkorDB nodes."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.store.url import split_url


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("redis://host", (False, "", "", "host", 6379, 0)),
        ("rediss://host:1/2", (True, "", "", "host", 1, 2)),
        ("redis://:pw@host/", (False, "", "pw", "host", 6379, 0)),
        ("redis://me:p%40w%@[::1]:7/0", (False, "me", "p@w%", "::1", 7, 0)),
        ("redis://me:p@w@10.0.0.1", (False, "me", "p@w", "10.0.0.1", 6379, 0)),
        ("redis://[fe80::1]", (False, "", "", "fe80::1", 6379, 0)),
    ],
)
def test_the_parts_of_a_url(url: str, parts: tuple[object, ...]) -> None:
    assert split_url(url) == parts


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_a_quoted_login_comes_back(user: str, password: str) -> None:
    url = f"redis://{quote(user, safe='')}:{quote(password, safe='')}@host:1"
    assert split_url(url) == (False, user, password, "host", 1, 0)
