"""The lexical documents of a file and their weighted terms, packed as postings.

A document is a function, a method, a class without the text of its members, or what stands outside of all these (the
document of the file itself).  What a query adds per posting is `idf * impact`: the term-frequency part of BM25F
(Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields, 2004) is computed here and rests as
one byte.  The average length in it is a constant, so that a document's postings follow from its file alone: an index
brought up to date equals one built anew, and workers need not meet.

Files have no postings of their text as a whole: their best document for each word ranks them as well, within the
noise of 232 issues, at two thirds of the size and time.

Terms are those of engram/terms.py.  Beside them stand fields that begin with a byte no term begins with: `=name` (the
definitions so called), `/path` without its last ending and the suffixes of it (the files so placed), `"` and three
words (the functions with a string in which they follow each other), `#` (STATS).
"""

from __future__ import annotations

import re
from collections import _count_elements, defaultdict  # type: ignore[attr-defined]
from itertools import accumulate, chain
from typing import NamedTuple

from engram.extract.facts import MODULE, Definition, FileFacts
from engram.extract.inline_tests import find_inline_tests
from engram.paths import is_test_path, stem_of
from engram.terms import gram, split_words, terms_of

SLOT_BITS = 12
MAX_SLOTS = 1 << SLOT_BITS
MAX_NUMBER = 1 << (32 - SLOT_BITS)  # document ids are 32 bits wide

# Field weights of localisation.md section 3; `place` is the directory, whose removal cost functions 1.3 points.
NAME, CLASS, STEM, PLACE, DOC = 2.5, 1.0, 1.5, 0.5, 0.6
FILE_STEM = 5.0  # in the document of what stands outside of all definitions
K, B = 0.75, 0.6
AVERAGE_WORDS = 70.0  # terms of a function's text; the means of five Python repositories lie between 45 and 90

MAX_TEXT = 32_000  # bytes of a function's text that are read
MAX_OUTER_TEXT = 4_000  # of a class without its members, or of a module: beyond stands data (fixtures, tables)
MAX_SUFFIX = 3  # parts of a path by which it can be found
MAX_TF = 48  # above it the saturated frequency hardly grows
MAX_TERMS = 400  # per function or class, the heaviest; half of all documents have under 40
MAX_POSTINGS = 3_000  # per term and segment: whatever more than so many documents hold tells little; the heaviest stay
OUTLINE_LINES = 150  # a function longer than this is cut into the functions inside of it, as a class is

STATS = b"#"
_TEXTLESS = frozenset(["constant", "variable"])
_CONTAINERS = frozenset(["class", "interface", "enum", "struct", "trait", "record", "impl", "module", "namespace"])

# Strings and comments, so that a quote within one does not open another.
_PYTHON = re.compile(
    rb'("""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"""|\Z)|' + rb"'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:'''|\Z)|"
    rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|' + rb"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'|#[^\n]*+)",
    re.DOTALL,
)
_BRACES = re.compile(
    rb"(/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|//[^\n]*+|`[^`\\]*+(?:\\.[^`\\]*+)*+`|"
    rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|' + rb"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')",
    re.DOTALL,
)
_LEADING_COMMENTS = re.compile(rb"\s*+(?:(?:/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/|//[^\n]*+)\s*+)*+")


class _Text(NamedTuple):
    """What one document says: the terms of its text and of its documentation, and its strings' words in threes."""

    body: list[bytes]
    doc: list[bytes]
    grams: set[bytes]


class SegmentBuilder:
    """Collects the postings of files; `dump` packs them."""

    def __init__(self) -> None:
        self._postings: defaultdict[bytes, list[bytes]] = defaultdict(list)
        self._files = 0
        self._documents = 0

    def add_file(self, number: int, path: str, source: bytes, facts: FileFacts) -> None:
        """Add the documents of one file; `number` must be new to the index, and under MAX_NUMBER."""
        if not 0 < number < MAX_NUMBER:
            raise ValueError(f"file number {number} does not fit a document id")
        base = number << SLOT_BITS
        definitions = facts.definitions[: MAX_SLOTS - 1]
        self._files += 1
        self._add_names(base, path, definitions)
        if is_test_path(path):
            return
        stem = _terms(stem_of(path))
        place = _terms("/".join(path.split("/")[1:-1]))  # the outermost folder is that of nearly all files
        tests = find_inline_tests(definitions, facts.language)
        for slot, text in _documents(source, definitions, facts.language):
            if slot - 1 in tests:
                continue
            fields = [(place, PLACE)]
            if slot == 0:
                fields.append((stem, FILE_STEM))
            else:
                definition = definitions[slot - 1]
                fields += [(stem, STEM), (_terms(definition.name), NAME)]
                if definition.scope != MODULE:
                    fields.append((_terms(definitions[definition.scope].qualname), CLASS))
            self._add_document(base | slot, text, fields)

    def dump(self) -> dict[bytes, bytes]:
        """Field to packed postings, as engram/store/lexical.py describes them; STATS is always there."""
        out = {STATS: self._files.to_bytes(4, "little") + self._documents.to_bytes(4, "little")}
        for field, records in self._postings.items():
            out[field] = b"".join(records if len(records) <= MAX_POSTINGS else _heaviest(records))
        return out

    def _add_names(self, base: int, path: str, definitions: list[Definition]) -> None:
        postings = self._postings
        for slot, definition in enumerate(definitions, 1):
            postings[b"=" + _bytes(definition.name)].append(_record(base + slot, 1.0))
        record = _record(base, 1.0)
        parts = _bytes(path.rpartition(".")[0] or path).split(b"/")
        for start in range(max(0, len(parts) - MAX_SUFFIX), len(parts)):
            postings[b"/" + b"/".join(parts[start:])].append(record)

    def _add_document(self, doc: int, text: _Text, fields: list[tuple[list[bytes], float]]) -> None:
        """Add a document under each of its terms: BM25F's `tf / (k + tf)`.

        Only the frequencies of the text are divided by the length norm; the whole fraction is multiplied by it here.
        """
        self._documents += 1
        norm = 1 - B + B * (len(text.body) - (1 - DOC) * len(text.doc)) / AVERAGE_WORDS
        extra: dict[bytes, float] = {}
        for terms, weight in fields:
            lifted = weight * norm
            for term in terms:
                extra[term] = extra.get(term, 0.0) + lifted
        for term in text.doc:
            extra[term] = extra.get(term, 0.0) - (1 - DOC)  # `body` holds them, too
        counts: dict[bytes, int] = {}
        _count_elements(counts, text.body)
        if len(counts) > MAX_TERMS:
            counts = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_TERMS])
        self._append(doc << 8, counts, extra, K * norm)
        record = _record(doc, 1.0)
        for field in text.grams:
            self._postings[field].append(record)

    def _append(self, packed: int, counts: dict[bytes, int], extra: dict[bytes, float], k: float) -> None:
        postings = self._postings
        for term, weight in extra.items():
            weight += counts.pop(term, 0)
            if weight > 0:  # a term of the documentation alone, of a document with too many terms, has lost its count
                postings[term].append((packed | (int(255 * weight / (k + weight)) or 1)).to_bytes(5, "little"))
        most = max(counts.values(), default=0)
        impacts = [int(255 * tf / (k + tf)) or 1 for tf in range(min(MAX_TF, most) + 1)]
        records = [(packed | impact).to_bytes(5, "little") for impact in impacts]
        records += records[-1:] * (most - MAX_TF)
        of_terms = map(records.__getitem__, counts.values())
        for listed, record in zip(map(postings.__getitem__, counts), of_terms, strict=True):
            listed.append(record)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _terms(name: str) -> list[bytes]:
    return list(chain.from_iterable(map(terms_of, split_words(_bytes(name)))))


def _record(doc: int, impact: float) -> bytes:
    """A posting: one byte of impact (1 to 255 for 0 to 1), then the document id, little end first."""
    return (doc << 8 | (int(255 * impact) or 1)).to_bytes(5, "little")


def _heaviest(records: list[bytes]) -> list[bytes]:
    if len(records) <= MAX_POSTINGS:
        return records
    return sorted(records, key=lambda record: (-record[0], record))[:MAX_POSTINGS]


def _documents(source: bytes, definitions: list[Definition], language: str) -> list[tuple[int, _Text]]:
    """Slot and text of every document, by slot; the text of slot 0 is what stands outside of all definitions."""
    is_python = language == "python"
    return [
        (slot, _read(b"".join(pieces), is_python, slot > 0 and definitions[slot - 1].kind not in _CONTAINERS))
        for slot, pieces in sorted(_pieces(source, definitions, language).items())
    ]


def _read(text: bytes, is_python: bool, is_function: bool) -> _Text:
    text = text[: MAX_TEXT if is_function else MAX_OUTER_TEXT]
    body = list(chain.from_iterable(map(terms_of, split_words(text))))
    documentation = _docstring(text) if is_python else _LEADING_COMMENTS.match(text)[0]  # type: ignore[index]
    doc = list(chain.from_iterable(map(terms_of, split_words(documentation)))) if documentation else []
    grams: set[bytes] = set()
    if is_function:
        for literal in (_PYTHON if is_python else _BRACES).findall(text):
            if literal.count(b" ") > 1 and literal[0] not in b"#/" and literal[:3] not in (b'"""', b"'''"):
                words = split_words(literal)
                grams.update(map(gram, words, words[1:], words[2:]))
    return _Text(body, doc, grams)


def _docstring(text: bytes) -> bytes:
    """The string that documents the module, class or function of which `text` is the source, b"" without one."""
    for quotes in (b'"""', b"'''"):
        start = text.find(quotes)
        if start >= 0 and _opens_block(text[:start]):
            end = text.find(quotes, start + 3)
            return text[start : end if end > 0 else len(text)]
    return b""


def _opens_block(code: bytes) -> bool:
    """Whether a string after `code` documents: nothing but comments stands before it, or a colon and a line end."""
    bare = code.rstrip(b" \t\r\nrRuUbB")
    if bare.endswith(b":"):
        return b"\n" in code[len(bare) :]
    return not bare or bare.rpartition(b"\n")[2].startswith(b"#")


def _pieces(source: bytes, definitions: list[Definition], language: str) -> dict[int, list[bytes]]:
    """Slot to the pieces of its own text: what no inner document takes."""
    lines = source.split(b"\n")
    offsets = [0, *accumulate([len(line) + 1 for line in lines])]
    last = len(lines)
    spans = []
    for slot, definition in enumerate(definitions, 1):
        if definition.kind not in _TEXTLESS and not _is_inner(definition, definitions):
            start = definition.start if language == "python" else _above(lines, definition.start)
            spans.append((start, -definition.end, slot))
    spans.sort()
    out: dict[int, list[bytes]] = {0: []}
    open_spans = [(last, 0)]
    at = 1

    def take(until: int) -> None:
        nonlocal at
        if until >= at:
            out.setdefault(open_spans[-1][1], []).append(source[offsets[at - 1] : offsets[min(until, last)]])
            at = until + 1

    for start, negative_end, slot in spans:
        while open_spans[-1][0] < start:
            take(open_spans[-1][0])
            open_spans.pop()
        take(start - 1)
        open_spans.append((min(-negative_end, open_spans[-1][0]), slot))
    while open_spans:
        take(open_spans[-1][0])
        open_spans.pop()
    return out


def _is_inner(definition: Definition, definitions: list[Definition]) -> bool:
    """Whether the definition stands in a function: then it is part of that one's text, unless that one is very long."""
    scope = definition.scope
    while scope != MODULE and scope < len(definitions):
        outer = definitions[scope]
        if outer.kind not in _CONTAINERS and outer.end - outer.start < OUTLINE_LINES:
            return True
        scope = outer.scope
    return False


def _above(lines: list[bytes], start: int) -> int:
    """The first line of the comment directly above line `start`, or `start`: with braces, documentation is there."""
    while start > 1 and lines[start - 2].lstrip().startswith((b"//", b"/*", b"*")):
        start -= 1
    return start
