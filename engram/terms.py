"""Text to words and words to terms: the index and the query must cut alike, so both come here.

Bytes throughout: `translate` and `split` run in C, and neither side has to decode or to import `re`.
"""

from __future__ import annotations

# Of terms, fields and postings: raise it when the same file would give others.  An index of another is not read.
WORDS_VERSION = 3

_WORD_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_" + bytes(range(0x80, 0x100))
_TO_SPACES = bytes(byte if byte in _WORD_BYTES else 0x20 for byte in range(256))
_KINDS = bytes(
    0x55 if 0x41 <= byte <= 0x5A else 0x64 if 0x30 <= byte <= 0x39 else 0x6C for byte in range(256)
)  # U upper case, d digit, l anything else: bytes of other scripts count as lower-case letters
_DIGITS_ONLY = bytes(byte if 0x30 <= byte <= 0x39 else 0x20 for byte in range(256))

MAX_WORD = 64  # bytes; longer ones are encoded data, not names

# The closed classes of English and the words every program is written with.  A list learned from issues was no
# better than this (measured on 278 issues).
STOP = frozenset(
    (
        b"a an and any are as at be been but by can could did do does doing done each for from get got had has "
        b"have how i if in into is it its itself just like may me might more most my no nor not now of off on "
        b"only or other our out over own same shall she should so some such than that the their them then "
        b"there these they this those through to too under until up us use used using very via was we were "
        b"what when where which while who why will with would you your self cls def return import none true "
        b"false elif else try except finally raise pass lambda const let var null undefined function func fn "
        b"pub mut new void public private static final "
    ).split()
)


def gram(first: bytes, second: bytes, third: bytes) -> bytes:
    """The field of the index for three words in a row: six letters of each keep it small and tell almost as much."""
    return b'"%b %b %b' % (first[:6].lower(), second[:6].lower(), third[:6].lower())


class _Terms(dict[bytes, tuple[bytes, ...]]):
    """Word to terms; what is asked for the first time is cut and kept, for the life of the process."""

    def __missing__(self, word: bytes) -> tuple[bytes, ...]:
        terms = self[word] = _cut(word)
        return terms


_known = _Terms()
terms_of = _known.__getitem__
"""The lower-case terms a word stands for: its parts, then the whole of it if there is more than one part.

`parseHTMLPage` gives parse, html, page, parsehtmlpage; a stop word, a number and what looks like encoded data give
nothing.  A bound method of a dict, because workers send every word of a repository through it.
"""


def split_words(text: bytes) -> list[bytes]:
    """The runs of letters, digits and underscores of `text`, in order; bytes above ASCII count as letters."""
    return text.translate(_TO_SPACES).split()


def _cut(word: bytes) -> tuple[bytes, ...]:
    size = len(word)
    if size < 2 or size > MAX_WORD:
        return ()
    if word.isalpha() and (word.islower() or word.istitle() or word.isupper()):
        word = word.lower()
        return () if word in STOP else (word,)
    if word.isdigit() or _is_data(word):
        return ()
    if word.islower() and word.replace(b"_", b"").isalpha():
        parts = [piece for piece in word.split(b"_") if piece]
    else:
        parts = [part for piece in word.split(b"_") if piece for part in _humps(piece)]
    whole = word.strip(b"_").lower()
    if len(parts) < 2:
        return () if whole in STOP or len(whole) < 2 or whole.isdigit() else (whole,)
    terms = [part for part in parts if len(part) > 1 and part not in STOP and not part.isdigit()]
    return (*terms, whole)


def _is_data(word: bytes) -> bool:
    """Whether it looks like a hash or an encoded id: eight bytes or more, with letters between digits."""
    if len(word) < 8 or b"_" in word:
        return False
    return len(word.translate(_DIGITS_ONLY).split()) > 1


def _humps(piece: bytes) -> list[bytes]:
    """The parts of a camel-case name, in lower case: cut at a rise, before the last capital of a run, around digits."""
    if piece.isalpha() and (piece.islower() or piece.isupper()):
        return [piece.lower()]
    kinds = piece.translate(_KINDS)
    parts = []
    start = 0
    for at in range(1, len(kinds)):
        kind, before = kinds[at], kinds[at - 1]
        if kind == before:
            continue
        cut = at - 1 if before == 0x55 and kind == 0x6C else at
        if cut > start:
            parts.append(piece[start:cut].lower())
            start = cut
    parts.append(piece[start:].lower())
    return parts
