"""What changed between two states: the files with their counts, and the lines of the patch."""

from __future__ import annotations

from engram.gitrun import run_git
from engram.journal.secrets import holds_secrets
from engram.model import Value
from engram.primitives.text import cut_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_OUTPUT = 16 << 20  # bytes of a patch that are read to count its lines; beyond it "at least" is said
MAX_TEXT = 500  # characters of a line of the patch


class Patch(Value):
    """`files` as {"file", "added", "removed"} (counts None for binary files), `lines` of the patch.

    `complete` is False where git was stopped before the end.  `withheld` counts changed files that hold keys.
    """

    files: list[dict[str, Any]]
    lines: list[str]
    complete: bool
    withheld: int


def diff(root: str, states: list[str], path: str, *, secrets: bool) -> Patch:
    """The difference of `states` (options and ids of `git diff`) below `path` ("" for all)."""
    scope = [f":(top,literal){path}"] if path else [":(top)"]
    files, hidden = _changed_files(run_git(root, "diff", "--numstat", "-z", *states, "--", *scope), secrets)
    if not files:
        return Patch([], [], True, len(hidden))
    excluded = [f":(top,exclude,literal){name}" for names in hidden for name in names]
    patch = run_git(root, "diff", "--patch", *states, "--", *scope, *excluded, max_bytes=MAX_OUTPUT)
    lines = patch.decode("utf-8", "replace").split("\n")
    if not lines[-1]:
        lines.pop()
    return Patch(files, [cut_around(line, 1, MAX_TEXT) for line in lines], len(patch) < MAX_OUTPUT, len(hidden))


def _changed_files(numstat: bytes, secrets: bool) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """The files of `git diff --numstat -z` that may be shown, and the names of each that may not."""
    fields = iter(numstat.decode("utf-8", "surrogateescape").split("\0"))
    files, hidden = [], []
    for field in fields:
        if not field:
            continue
        added, removed, name = field.split("\t", 2)
        names = [name] if name else [next(fields), next(fields)]  # a rename has its two names in fields of their own
        if not secrets and any(holds_secrets(one) for one in names):
            hidden.append(names)
            continue
        entry: dict[str, Any] = {"file": names[-1], "added": _count(added), "removed": _count(removed)}
        files.append({**entry, "from": names[0]} if len(names) == 2 else entry)
    return files, hidden


def _count(text: str) -> int | None:
    return None if text == "-" else int(text)
