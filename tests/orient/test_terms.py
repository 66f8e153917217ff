from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.terms import MAX_WORD, gram, split_words, terms_of


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        (b"parse", (b"parse",)),
        (b"Apple", (b"apple",)),
        (b"parseHTMLPage", (b"parse", b"html", b"page", b"parsehtmlpage")),
        (b"normalize_choice", (b"normalize", b"choice", b"normalize_choice")),
        (b"_cstack", (b"cstack",)),
        (b"__init__", (b"init",)),
        (b"Linear1D", (b"linear", b"linear1d")),
        (b"iso8859_1", (b"iso", b"iso8859_1")),
        (b"HTTP2Server", (b"http", b"server", b"http2server")),
        (b"is_the", (b"is_the",)),
        (b"the", ()),
        (b"404", ()),
        (b"x", ()),
        (b"a3f9c2e71b", ()),
        (b"y" * (MAX_WORD + 1), ()),
        ("größe".encode(), ("größe".encode(),)),
    ],
)
def test_words_are_cut_into_parts_and_the_whole(word: bytes, terms: tuple[bytes, ...]) -> None:
    assert terms_of(word) == terms


@given(st.binary(max_size=400))
def test_any_bytes_give_lower_case_terms_that_no_other_field_can_be(text: bytes) -> None:
    for word in split_words(text):
        for term in terms_of(word):
            assert 2 <= len(term) <= MAX_WORD
            assert term == term.lower()
            assert term[:1] not in (b"=", b"/", b'"', b"#")


def test_three_words_meet_whatever_their_case_and_endings() -> None:
    assert gram(b"Invalid", b"value", b"FOR") == gram(b"invali", b"Value", b"for") == b'"invali value for'
