"""What the index says about a query: for every function and every file, one score per kind of evidence.

Pure: postings in, scores out.  The scores of one kind are divided by the best of them, so each lies between 0 and 1.
"""

from __future__ import annotations

from engram.model import Value
from engram.store.lexical import RECORD, SLOT_BITS, SLOT_MASK, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram.orient.query import Query
    from engram.store.lexical import Postings

MAX_READ = 20_000  # postings of words that one query reads, rarest words first: three times as many find nothing more
MAX_DOCUMENTS = 4_000  # found by the rarer words of a text: beyond, none comes in by a more common word alone
MAX_SUFFIX = 3  # parts of a path under which the index knows a file
SECOND_AND_THIRD = 0.3  # of a file's next two functions beside its best one
MAX_BEARERS = 40  # a name that more definitions bear points nowhere


class Signals(Value):
    """Kind of evidence -> document id -> score (`of_functions`), or -> file number -> score (`of_files`).

    `fit` tells how much of the title one document can hold: 1 if some document were all of it, in words that no other
    has; words that are nowhere count as the rarest.  `whole_fit` tells the same of the whole text.  Both are low for
    texts about something else.
    """

    of_functions: dict[str, dict[int, float]]
    of_files: dict[str, dict[int, float]]
    fit: float = 1.0
    whole_fit: float = 1.0


def fields_of(query: Query) -> list[bytes]:
    """The fields of the index that `read_signals` looks at."""
    names = [b"=" + name for mention in query.names for name in [mention.name.encode("utf-8", "replace")]]
    paths = [field for path in _all_paths(query) for field in suffixes_of(path)]
    return [*dict.fromkeys([*query.terms, *names, *paths, *query.grams])]


def read_signals(query: Query, postings: Postings) -> Signals:
    """All evidence that the postings hold."""
    words = _Words(query, postings)
    by_path = _paths(query, postings)
    names = _names(query, postings)
    framed, framed_files = _frames(query, postings)
    strings = _grams(query, postings)
    of_functions = {
        "words": _normal(_definitions(words.documents)),
        "inline": _normal(_definitions(words.inline)),
        "name": names,
        "string": _normal(strings),
        "frame": framed,
    }
    of_files = {
        "words": _normal(best_of_files(words.documents)),
        "title": _normal(words.title_files),
        "inline": _normal(words.inline_files),
        "name": _normal(_best_by_file(names)),
        "string": _normal(_best_by_file(strings)),
        "path": by_path,
        "frame": framed_files,
    }
    return Signals(of_functions, of_files, words.fit(words.title, 1), words.fit(words.documents, 0))


class _Words:
    """BM25F sums over the words of the text, over those of its title and over those that it sets as code; what is `of a
    file` counts its best document for each word, wherever that stands."""

    def __init__(self, query: Query, postings: Postings) -> None:
        self.documents: dict[int, float] = {}
        self.title: dict[int, float] = {}
        self.inline: dict[int, float] = {}
        self.title_files: dict[int, float] = {}
        self.inline_files: dict[int, float] = {}
        self._query = query
        self._postings = postings
        sizes = {term: sum([len(packed) for packed in postings.lists.get(term, ())]) // RECORD for term in query.terms}
        left = MAX_READ
        for term in sorted(query.terms, key=lambda term: (sizes[term], term)):
            if left < sizes[term] < MAX_READ:  # the longest lists are of words that tell least
                break
            left -= sizes[term]
            if sizes[term]:
                self._add(term, sizes[term], query.terms[term])

    def fit(self, scores: dict[int, float], part: int) -> float:
        """How much of that part of the text the best document holds, of what one could; 1 where it says nothing."""
        most = 0.0
        for term, weights in self._query.terms.items():
            if weights[part]:
                bearers = sum([len(packed) for packed in self._postings.lists.get(term, ())]) // RECORD
                most += weights[part] * idf(self._postings.documents, max(1, bearers))
        return max(scores.values(), default=0.0) / most if most else 1.0

    def _add(self, term: bytes, bearers: int, weights: tuple[float, float, float]) -> None:
        best: dict[int, int] = {}
        weight = idf(self._postings.documents, bearers)
        dead = self._postings.dead
        for packed in self._postings.lists[term]:
            ids, impacts = unpack(packed)
            docs = ids.tolist()
            if dead or len(self.documents) > MAX_DOCUMENTS:
                alive = [at for at, doc in enumerate(docs) if doc >> SLOT_BITS not in dead]
                if len(self.documents) > MAX_DOCUMENTS:
                    alive = [at for at in alive if docs[at] in self.documents]
                docs, impacts = [docs[at] for at in alive], bytes([impacts[at] for at in alive])
            _accumulate(self.documents, docs, impacts, weight * weights[0])
            if weights[1]:
                _accumulate(self.title, docs, impacts, weight * weights[1])
            if weights[2]:
                _accumulate(self.inline, docs, impacts, weight * weights[2])
            if not (weights[1] or weights[2]):
                continue
            for doc, impact in zip(docs, impacts, strict=True):
                number = doc >> SLOT_BITS
                if impact > best.get(number, 0):
                    best[number] = impact
        numbers, highest = [*best], bytes(best.values())
        of_files = idf(self._postings.files, len(numbers))
        for scores, part in ((self.title_files, weights[1]), (self.inline_files, weights[2])):
            if part:
                _accumulate(scores, numbers, highest, of_files * part)


def idf(documents: int, bearers: int) -> float:
    """Robertson's inverse document frequency, never negative; `math` costs 1 ms to import, so ln x = (x**h - 1) / h."""
    ratio = 1 + max(0.5, documents - bearers + 0.5) / (bearers + 0.5)
    return float((ratio**1e-6 - 1) * 1e6)


def _accumulate(scores: dict[int, float], ids: list[int], impacts: bytes, weight: float) -> None:
    step = weight / 255
    get = scores.get
    for doc, impact in zip(ids, impacts, strict=True):
        scores[doc] = get(doc, 0.0) + impact * step


def _normal(scores: dict[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {key: score / best for key, score in scores.items()} if best > 0 else {}


def _definitions(documents: dict[int, float]) -> dict[int, float]:
    """Those that are no files."""
    return {doc: score for doc, score in documents.items() if doc & SLOT_MASK}


def best_of_files(documents: dict[int, float]) -> dict[int, float]:
    """File number -> its best document's score, and a part of its next two."""
    top: dict[int, tuple[float, float, float]] = {}
    for doc, score in documents.items():
        number = doc >> SLOT_BITS
        first, second, third = top.get(number, (0.0, 0.0, 0.0))
        if score > third:
            if score > first:
                top[number] = (score, first, second)
            elif score > second:
                top[number] = (first, score, second)
            else:
                top[number] = (first, second, score)
    return {number: first + SECOND_AND_THIRD * (second + third) for number, (first, second, third) in top.items()}


def _best_by_file(functions: dict[int, float]) -> dict[int, float]:
    """File number -> the sum over the distinct pieces of evidence would favour long files: the best one counts."""
    best: dict[int, float] = {}
    for doc, score in functions.items():
        number = doc >> SLOT_BITS
        if score > best.get(number, 0.0):
            best[number] = score
    return best


def _names(query: Query, postings: Postings) -> dict[int, float]:
    """Definitions whose exact name stands in the text: 1 for a name in the title or as code that no other bears."""
    found: dict[int, float] = {}
    for mention in query.names:
        bearers = postings.bearers(b"=" + mention.name.encode("utf-8", "replace"))
        if not 0 < len(bearers) <= MAX_BEARERS:
            continue
        score = mention.weight / len(bearers) ** 0.5
        for doc in bearers:
            found[doc] = max(score, found.get(doc, 0.0))
    return found


def suffixes_of(path: str) -> list[bytes]:
    """The fields under which the index may know the file that a text calls `path`, the longest first."""
    stem = path.rpartition(".")[0] or path
    parts = [part for part in stem.split("/") if part not in ("", ".", "..")][-MAX_SUFFIX:]
    return [("/" + "/".join(parts[start:])).encode("utf-8", "replace") for start in range(len(parts))]


def _all_paths(query: Query) -> Iterable[str]:
    return dict.fromkeys([*query.paths, *[path for path, _ in query.frames]])


def _located(path: str, postings: Postings) -> tuple[list[int], float]:
    """Numbers of the files that `path` can mean, by the longest suffix that any file has, and how sure that is."""
    fields = suffixes_of(path)
    for parts, field in zip(range(len(fields), 0, -1), fields, strict=True):
        numbers = [doc >> SLOT_BITS for doc in postings.bearers(field)]
        if numbers:
            sure = 1.0 if parts > 1 or len(fields) == 1 else 0.5  # of a longer path, the name alone may be another's
            return numbers, sure / len(numbers)
    return [], 0.0


def _paths(query: Query, postings: Postings) -> dict[int, float]:
    scores: dict[int, float] = {}
    for path in query.paths:
        numbers, score = _located(path, postings)
        for number in numbers:
            scores[number] = max(score, scores.get(number, 0.0))
    return scores


def _frames(query: Query, postings: Postings) -> tuple[dict[int, float], dict[int, float]]:
    """Functions and files of the traceback, the innermost frame 1, each outer one less."""
    functions: dict[int, float] = {}
    files: dict[int, float] = {}
    score = 1.0
    for path, function in reversed(query.frames):
        numbers, sure = _located(path, postings)
        if sure < 0.5:
            continue
        for number in numbers:
            files.setdefault(number, score)
            for doc in postings.bearers(b"=" + function.encode("utf-8", "replace")) if function else ():
                if doc >> SLOT_BITS == number and doc & SLOT_MASK:
                    functions.setdefault(doc, score)
        score *= 0.7
    return functions, files


def _grams(query: Query, postings: Postings) -> dict[int, float]:
    scores: dict[int, float] = {}
    for field in query.grams:
        bearers = postings.bearers(field)
        for doc in bearers if len(bearers) <= MAX_BEARERS else ():
            scores[doc] = scores.get(doc, 0.0) + 1 / len(bearers)
    return {doc: min(score, 3.0) for doc, score in scores.items()}
