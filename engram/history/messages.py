"""The subjects of commits as postings: what was changed before under words like those of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engram.history.facts import Commit
from engram.terms import split_words, terms_of

MOST_COMMITS = 5_000  # the newest; what is older was about code that has changed since
MOST_PATHS = 20  # of a commit: one that changed more says little of each
K, B, AVERAGE_TERMS = 1.0, 0.6, 12.0  # BM25; the length is a constant, as those of the lexical index are


def pack_messages(commits: Sequence[Commit]) -> tuple[dict[bytes, bytes], list[str]]:
    """Term to packed postings as store/lexical.py describes them, and the ids of the commits that they number.

    A posting's document is the position of the commit in that list.  `commits` are the newest first.
    """
    chosen = [commit for commit in commits[:MOST_COMMITS] if commit.paths and commit.size <= MOST_PATHS]
    postings: dict[bytes, list[bytes]] = {}
    for number, commit in enumerate(chosen):
        counts = Counter(term for word in split_words(_encode(commit.subject)) for term in terms_of(word))
        norm = K * (1 - B + B * counts.total() / AVERAGE_TERMS)
        for term, tf in counts.items():
            impact = int(255 * tf / (tf + norm)) or 1
            postings.setdefault(term, []).append((number << 8 | impact).to_bytes(5, "little"))
    return {term: b"".join(records) for term, records in postings.items()}, [commit.sha for commit in chosen]


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")
