"""Revisions that a caller names, as ids of commits."""

from __future__ import annotations

from engram.errors import GitError, InvalidArgument, UnknownRevision
from engram.gitrun import run_git
from engram.model import Value
from engram.primitives.check import shown

MAX_REVISION = 200  # characters; names of branches are below
# Words of git's own dates: git takes any text for one, and answers "nothing" for a typing error.
_DATE_WORDS = (
    *("now", "today", "yesterday", "midnight", "noon", "tea", "ago", "last", "am", "pm", "never"),
    *("second", "minute", "hour", "day", "week", "month", "year", "utc", "gmt", "z", "t"),
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    *("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
)
_LONG_DATE_WORDS = (
    *("january", "february", "march", "april", "june", "july", "august", "september", "october", "november"),
    *("december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
)


class Range(Value):
    """What `ref` names: a commit (`start` is "") or what leads from `start` to `end`, both ids.

    `symmetric`: from where the two parted, as `A...B` says.
    """

    end: str
    start: str = ""
    symmetric: bool = False


def find_range(root: str, ref: str) -> Range:
    """The commits behind `REF`, `A..B` or `A...B`; a missing side is HEAD.

    Raises InvalidArgument for what no revision looks like, and UnknownRevision for what is none here.
    """
    if ref.startswith("-") or not ref.isprintable() or len(ref) > MAX_REVISION:
        raise InvalidArgument(f"{shown(ref)} is not a revision", "name a branch, a tag, a commit id, or A..B")
    separator = "..." if "..." in ref else ".."
    start, found, end = ref.partition(separator)
    if not found:
        return Range(_commit(root, ref))
    return Range(_commit(root, end or "HEAD"), _commit(root, start or "HEAD"), separator == "...")


def has_commits(root: str) -> bool:
    """Whether HEAD is a commit: not so in a new repository."""
    try:
        return bool(_commit(root, "HEAD"))
    except UnknownRevision:
        return False


def check_date(since: str) -> str:
    """`since` as it is, if git can make a date of it; else InvalidArgument."""
    words = "".join([c if c.isalpha() else " " for c in since.lower()]).split()
    known = all(word.removesuffix("s") in _DATE_WORDS or word in _LONG_DATE_WORDS for word in words)
    if not known or not since.isprintable() or not (words or any(c.isdigit() for c in since)):
        raise InvalidArgument(f"since {shown(since)} is not a date", "as in 2024-05-31, '2 weeks ago' or yesterday")
    return since


def _commit(root: str, name: str) -> str:
    if name.startswith("-") or not name:
        raise InvalidArgument(f"{shown(name)} is not a revision")
    try:
        out = run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}", max_bytes=256)
    except GitError as error:
        raise UnknownRevision(f"no commit {shown(name)} here", _shallow_hint(root)) from error
    commit = out.decode("ascii", "replace").strip()
    if len(commit) < 40 or any(c not in "0123456789abcdef" for c in commit):
        raise UnknownRevision(f"no commit {shown(name)} here")
    return commit


def _shallow_hint(root: str) -> str:
    shallow = run_git(root, "rev-parse", "--is-shallow-repository", max_bytes=16).strip() == b"true"
    return "this clone is shallow: older commits are not here (git fetch --unshallow)" if shallow else ""
