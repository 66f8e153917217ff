"""A text as a query: weighted terms, and what it names outright: definitions, paths, strings, frames."""

from __future__ import annotations

from engram.model import Value
from engram.orient.operators import methods_behind
from engram.orient.parts import Parts, cut_text
from engram.terms import gram, split_words, terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Weights of the parts of a text (localisation.md section 3): for all of it, for the title alone, for what is set as
# code within a line alone.
TITLE = (1.0, 1.0, 0.0)
INLINE = (0.6, 0.0, 1.0)
PROSE = (0.35, 0.0, 0.0)
CODE = (0.4, 0.0, 0.0)
LINKS = (0.2, 0.0, 0.0)
WHOLE = 1.5  # a compound (`normalize_choice`) beside its parts: without it 3 points fewer, with 3 worse, too
MAX_TF = 2  # how often a term of one part counts

MAX_TERMS = 400  # the heaviest are asked for; the median issue has under 80
MAX_NAMES = 150
MAX_PATHS = 30
MAX_GRAMS = 250
MAX_NAME = 80  # characters

_CODE_ENDINGS = (".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".go", ".rs", ".java")
_EDGES = "`'\"()[]{}<>,;:!?*#=&|"


class Mention(Value):
    """A name written in the text; `weight` tells a title or code from a plain word in passing."""

    name: str
    weight: float
    in_title: bool


class Query(Value):
    """What to look for.

    `terms`: term to its weights in the whole text, in the title alone and in code within a line alone.
    `operators`: the methods that Python calls where the code of the text has operators and built-in functions.
    """

    terms: dict[bytes, tuple[float, float, float]]
    names: tuple[Mention, ...]
    paths: tuple[str, ...]
    frames: tuple[tuple[str, str], ...]
    grams: tuple[bytes, ...]
    title: frozenset[bytes]
    operators: frozenset[str] = frozenset()


def parse_query(text: str) -> Query:
    """The query that `text` makes; an empty one where it says nothing."""
    parts = cut_text(text)
    return Query(
        _weigh_terms(parts),
        tuple(_find_names(parts)),
        tuple(_find_paths(parts)),
        tuple([(_slashed(frame.path), frame.function) for frame in parts.frames]),
        tuple(_find_grams(parts)),
        frozenset([term for word in split_words(_encode(parts.title)) for term in terms_of(word)]),
        methods_behind([*parts.code, *parts.inline]),
    )


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _weigh_terms(parts: Parts) -> dict[bytes, tuple[float, float, float]]:
    weights: dict[bytes, list[float]] = {}
    plain, links = _apart([*parts.prose])
    weighed = ((parts.title,), TITLE), (parts.inline, INLINE), (plain, PROSE), (parts.code, CODE), (links, LINKS)
    for lines, part in weighed:
        counts: dict[bytes, int] = {}
        for word in split_words(_encode("\n".join(lines))):
            terms = terms_of(word)
            for term in terms:
                counts[term] = counts.get(term, 0) + 1
        for term, count in counts.items():
            times = min(count, MAX_TF) * (WHOLE if b"_" in term else 1.0)
            sums = weights.setdefault(term, [0.0] * len(part))
            for at, weight in enumerate(part):
                sums[at] += weight * times
    heaviest = sorted(weights, key=lambda term: (-weights[term][0], term))[:MAX_TERMS]
    return {term: (weights[term][0], weights[term][1], weights[term][2]) for term in heaviest}


def _apart(lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """The lines without web addresses, and these."""
    plain: list[str] = []
    links: list[str] = []
    for line in lines:
        if "://" in line:
            words = line.split()
            links += [word for word in words if "://" in word]
            line = " ".join([word for word in words if "://" not in word])
        plain.append(line)
    return plain, links


def _find_names(parts: Parts) -> list[Mention]:
    """Names as written, the title's first; a plain word counts in code, in prose only where it looks like a name."""
    found: dict[str, Mention] = {}

    def add(words: Iterable[bytes], weight: float, in_title: bool, any_word: bool) -> None:
        for word in words:
            if (
                len(found) < MAX_NAMES
                and 2 < len(word) <= MAX_NAME
                and (any_word or looks_like_name(word))
                and terms_of(word)
            ):
                name = word.decode("utf-8", "replace")
                if name not in found:
                    found[name] = Mention(name, weight, in_title)

    title = split_words(_encode(parts.title))
    add(title, 1.0, True, False)
    add(_called(parts.title), 1.0, True, True)
    add(split_words(_encode(" ".join(parts.inline))), 1.0, False, True)
    prose = "\n".join(parts.prose)
    add(split_words(_encode(prose)), 0.8, False, False)
    add(_called(prose), 0.8, False, True)
    add(split_words(_encode("\n".join(parts.code))), 0.6, False, True)
    add(title, 0.5, True, True)
    return [*found.values()]


def looks_like_name(word: bytes) -> bool:
    """Whether the word is written as only names are: with an underscore, a digit or a capital inside."""
    inner = word.strip(b"_")
    return (
        b"_" in inner
        or not (inner.islower() or inner.isupper() or inner.istitle())
        or (inner.istitle() and not inner.isalpha())
    )


def _called(text: str) -> list[bytes]:
    """Words directly before an opening parenthesis."""
    pieces = [piece for piece in text.split("(")[:-1] if piece and not piece[-1].isspace()]
    return [words[-1] for words in [split_words(_encode(piece[-MAX_NAME:])) for piece in pieces] if words]


def _find_paths(parts: Parts) -> list[str]:
    """Paths written in the text, without what stands around them and without their line numbers."""
    found: dict[str, None] = {}
    for line in (parts.title, *parts.inline, *parts.prose, *parts.errors, *parts.code):
        if "/" not in line and "." not in line and "\\" not in line:
            continue
        for word in line.split():
            path = path_in(word)
            if path and len(found) < MAX_PATHS:
                found[path] = None
    return [*found]


def path_in(word: str) -> str:
    """The path of a code file in a word of text, "" if it holds none."""
    word = _slashed(word).strip(_EDGES)
    for ending in _CODE_ENDINGS:
        at = word.find(ending)
        while at > 0:
            after = word[at + len(ending) : at + len(ending) + 1]
            if not after.isalnum() and after != "_":
                start = max([word.rfind(edge, 0, at) for edge in _EDGES])
                path = word[start + 1 : at + len(ending)]
                return path if path[: -len(ending)].rpartition("/")[2] else ""
            at = word.find(ending, at + 1)
    return ""


def _slashed(path: str) -> str:
    return path.replace("\\", "/")


def _find_grams(parts: Parts) -> list[bytes]:
    found: dict[bytes, None] = {}
    for line in (*parts.errors, parts.title, *parts.inline, *parts.prose, *parts.code):
        words = split_words(_encode(line))
        for first, second, third in zip(words, words[1:], words[2:], strict=False):
            found[gram(first, second, third)] = None
        if len(found) >= MAX_GRAMS:
            break
    return [*found][:MAX_GRAMS]
