"""git's log as commits: which command is asked, and how its answer is read, piece by piece."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from engram.errors import GitError
from engram.gitrun import run_git, stream_git
from engram.history.facts import Commit, Person
from engram.history.people import map_people, parse_contact

MAX_PATHS = 1000  # of one commit that are kept: a commit with more is an import or a clean-up, and tells of no file
_MAX_RENAMES = 10_000  # of one commit; moving a whole tree is worth following, and this bounds what is kept of it
_MAX_AUTHORS = 20
_SUBJECT, _NAME = 200, 100  # characters
_FIRST, _LAST = -62_135_596_800, 253_402_300_799  # years 1 to 9999: any other time cannot be shown as a date

_HEADER = 7  # fields before the changed paths
_FORMAT = "%H%x00%at%x00%ct%x00%aN%x00%aE%x00%s%x00%(trailers:key=Co-authored-by,valueonly,separator=%x1f)"
# Names of objects in full, because to shorten them takes a search for each.  The bound on inexact renames is git's own
# default; a repository's configuration could raise it to hours.
_OPTIONS = ("-z", "--raw", "--no-abbrev", "-l1000", "--no-notes", "--no-color", "--encoding=UTF-8")
# Finding renames by content needs the contents, which a partial clone lacks; equal contents show in the ids.
_RENAMES = ("--find-renames", "--find-renames=100%", "--no-renames")

type _Raw = tuple[list[str], int, list[str], list[str], list[tuple[str, str]]]


def read_commits(
    root: str, revisions: Sequence[str], *, most: int, skip: int = 0, boundary: Collection[str] = ()
) -> list[Commit]:
    """The commits of `git log REVISIONS`, the newest first, at most `most` after the first `skip`.

    Those in `boundary` come without paths: a shallow clone ends there, and git shows their whole tree as new.
    Raises GitError.
    """
    options = [*_OPTIONS, f"--format={_FORMAT}", f"--max-count={most}", f"--skip={skip}"]
    failure: GitError | None = None
    for renames in _RENAMES:
        try:
            raw = list(parse_log(stream_git(root, "log", *options, renames, *revisions, "--")))
        except GitError as error:
            failure = failure or error
            continue
        return _with_people(root, raw, boundary)
    assert failure is not None
    raise failure


def list_commits(root: str, revisions: Sequence[str], *, most: int) -> list[str]:
    """The ids of `git rev-list REVISIONS`, at most `most`.  Raises GitError, also where a revision is not there."""
    return run_git(root, "rev-list", f"--max-count={most}", *revisions, "--").decode("ascii").split()


def parse_log(pieces: Iterable[bytes]) -> Iterator[_Raw]:
    """The commits in what git prints: header, count of changed paths, these, the added ones, the renames.

    A field of the answer ends with NUL.  A header is followed by one `:modes ids status` for each changed path and then
    the path, or two for a rename; the next header begins where a field does not start with a colon.
    """
    fields = _fields(pieces)
    field = next(fields, None)
    while field is not None:
        header = [field, *[next(fields, b"") for _ in range(_HEADER - 1)]]
        size, paths, added = 0, [], []
        renamed: list[tuple[str, str]] = []
        while (field := next(fields, None)) is not None and field.lstrip(b"\n")[:1] == b":":
            status = field[field.rindex(b" ") + 1 :][:1]
            path = _path(next(fields, b""))
            new = _path(next(fields, b"")) if status in b"RC" else path
            if _is_submodule(field):
                continue
            size += 1
            paths.append(new)
            if status == b"A":
                added.append(new)
            elif status == b"R" and len(renamed) < _MAX_RENAMES:
                renamed.append((path, new))
        if size > MAX_PATHS:
            paths, added = [], []
        yield [part.decode("utf-8", "replace") for part in header], size, paths, added, renamed


def _fields(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        parts = (rest + piece).split(b"\0")
        rest = parts.pop()
        yield from parts
    if rest.strip():
        raise GitError("the answer of git log broke off")


def _is_submodule(field: bytes) -> bool:
    """Whether what stands at the path, or stood there before it went, is a commit of another repository."""
    old, new = field.lstrip(b"\n:").split(b" ", 2)[:2]
    return (old if new == b"000000" else new) == b"160000"


def _path(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")  # as the indexer names files: os.fsdecode


def _with_people(root: str, raw: Sequence[_Raw], boundary: Collection[str]) -> list[Commit]:
    contacts: dict[str, Person | None] = {}
    for header, *_ in raw:
        for text in _coauthors(header):
            contacts.setdefault(text, parse_contact(text))
    people = map_people(root, [person for person in contacts.values() if person is not None])
    commits = []
    for header, size, paths, added, renamed in raw:
        sha, at, committed, name, email, subject, _ = header
        changes = (size, tuple(paths), tuple(added), tuple(renamed))
        others = [people[person] for text in _coauthors(header) if (person := contacts[text]) is not None]
        authors: dict[str, Person] = {}
        for person in [_person(email, name), *[_person(other.email, other.name) for other in others]]:
            authors.setdefault(person.key, person)
        head = (sha, _time(at), _time(committed), subject[:_SUBJECT], tuple(authors.values()))
        commits.append(Commit(*head, *((0, (), (), ()) if sha in boundary else changes)))
    return commits


def _coauthors(header: Sequence[str]) -> list[str]:
    trailers = header[_HEADER - 1]
    return [text for text in trailers.split("\x1f") if text][: _MAX_AUTHORS - 1] if trailers else []


def _person(email: str, name: str) -> Person:
    return Person(email.strip().lower()[:_NAME], name.strip()[:_NAME])


def _time(text: str) -> int:
    """Seconds since 1970, within the years that a date can have; what is no number counts as 1970."""
    try:
        return min(max(int(text), _FIRST), _LAST)
    except ValueError:
        return 0
