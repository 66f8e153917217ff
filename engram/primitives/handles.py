"""What may be asked about: a range, a symbol, a file, a folder, a glob, or the journal id of a grep, as slices."""

from __future__ import annotations

import os

from engram.errors import FileUnavailable, InvalidArgument, RequestError, UnknownRequest, UnknownSymbol
from engram.journal.log import Journal
from engram.primitives.check import checked, shown
from engram.primitives.grep import ARGUMENTS as GREP_ARGUMENTS
from engram.primitives.grep import run as run_grep
from engram.primitives.paths import resolve
from engram.primitives.ripgrep import Area, list_files
from engram.primitives.slices import HASH_DIGITS, Sources, split_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from engram.primitives.base import Scope
    from engram.primitives.slices import Slice

_WILDCARDS = frozenset("*?[{")
_ID_CHARACTERS = frozenset("0123456789abcdef-")


def expand(scope: Scope, sources: Sources, handle: str) -> Iterator[Slice]:
    """The slices of one handle, by path and line; each has at most MAX_SLICE_BYTES unless it is one line.

    A name that exists as it stands is that file or folder, whatever it looks like.  Raises RequestError for a handle
    that names nothing.
    """
    place = _without_hash(handle)
    kind = _kind_at(scope.root, place)
    path, span = split_range(place)
    if kind == "file":
        yield from _whole(sources, place)
    elif kind == "folder":
        yield from _files(scope, sources, Area(scope.root, resolve(scope.root, place)), handle)
    elif span is not None:
        yield from sources.cut(path, *span)
    elif "#" in place:
        yield from sources.cut(*_lines_of_symbol(sources, place))
    elif _WILDCARDS & set(place):
        yield from _files(scope, sources, Area(scope.root, glob=place), handle)
    elif len(place) >= 6 and set(place.lower()) <= _ID_CHARACTERS:
        yield from _hits(scope, sources, place)
    else:
        raise FileUnavailable(
            f"{shown(handle)} names nothing here",
            "a handle is path:from-to, path#symbol, a path, a glob, or the journal id of a grep",
        )


def _without_hash(handle: str) -> str:
    place, mark, digest = handle.rpartition("@")
    is_hash = mark and len(digest) == HASH_DIGITS and set(digest) <= _ID_CHARACTERS
    return place if is_hash else handle


def _kind_at(root: str, place: str) -> str:
    path = os.path.join(root, resolve(root, place))
    return "folder" if os.path.isdir(path) else "file" if os.path.lexists(path) else ""


def _whole(sources: Sources, path: str) -> Iterator[Slice]:
    lines = sources.count_lines(path)
    if lines:
        yield from sources.cut(path, 1, lines)


def _files(scope: Scope, sources: Sources, area: Area, handle: str) -> Iterator[Slice]:
    found = False
    for path in list_files(area.replace(secrets=sources.secrets)):
        try:
            yield from _whole(sources, path)
            found = True
        except RequestError:  # binary, too large, gone or kept back: a glob takes what can be read
            continue
    if not found:
        raise FileUnavailable(f"{shown(handle)} matches no file that can be read")


def _lines_of_symbol(sources: Sources, place: str) -> tuple[str, int, int]:
    from engram.primitives.syntax import definitions_of  # parsing costs 50 ms to import, for this way alone

    path, _, name = place.partition("#")
    qualname, _, ordinal = name.partition("~")
    definitions = definitions_of(sources.content(path))
    same = [one for one in definitions if one.qualname == qualname] or [
        one for one in definitions if one.name == qualname
    ]
    place_in_file = int(ordinal) if ordinal.isascii() and ordinal.isdigit() and len(ordinal) < 6 else 1
    if not 1 <= place_in_file <= len(same):
        last = qualname.rpartition(".")[2].lower()
        close = sorted({one.qualname for one in definitions if one.name.lower() == last})[:5]
        hint = f"there are: {', '.join(close)}" if close else f"engram ast {path} functions lists them"
        raise UnknownSymbol(f"no symbol {shown(name)} in {shown(path)}", hint)
    return path, same[place_in_file - 1].start, same[place_in_file - 1].end


def _hits(scope: Scope, sources: Sources, entry_id: str) -> Iterator[Slice]:
    """The lines that a journaled grep shows now, neighbours in one slice."""
    entry = Journal.open(scope.root).find(entry_id)
    if entry.primitive != "grep" or not entry.ok:
        raise UnknownRequest(f"{shown(entry_id)} is no grep that found something, but {entry.primitive}")
    arguments = {name: value for name, value in entry.args.items() if name != "budget"}
    hits = run_grep(scope, checked(GREP_ARGUMENTS, arguments)).items
    if not hits:
        raise InvalidArgument(f"the grep {shown(entry_id)} finds nothing now")
    spans: list[tuple[str, int, int]] = []
    for hit in hits:
        first, last = hit["line"] - len(hit["before"]), hit["line"] + len(hit["after"])
        if spans and spans[-1][0] == hit["file"] and first <= spans[-1][2] + 1:
            spans[-1] = (hit["file"], spans[-1][1], last)
        else:
            spans.append((hit["file"], first, last))
    for span in spans:
        yield from sources.cut(*span)
