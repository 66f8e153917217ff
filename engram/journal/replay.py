"""Running entries of the journal again, to see whether their results still hold.

What runs a primitive is handed in: the journal knows the calls, not how they are answered.
"""

from __future__ import annotations

import os
import tempfile

from engram.errors import EngramError
from engram.journal.blobs import find_content, read_tree
from engram.journal.content import LONG_ARGUMENT, MANY_FILES, redact_result, result_hash
from engram.journal.digest import sha256_hex
from engram.journal.jsonlight import dumps
from engram.journal.redact import SECRET_FILE
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from engram.journal.entry import JournalEntry

    # (root, arguments as journaled) -> the result as it was given to Draft, an error's object included.
    Runner = Callable[[str, dict[str, Any]], Any]

SAME, CHANGED, CANNOT = "same", "changed", "cannot"
# Their results depend on nothing but the file that they name, so that they can run on a copy of it alone.
ON_ONE_FILE = frozenset({"read", "ast"})
# Arguments or a result that are not known whole.
_INCOMPLETE = {
    LONG_ARGUMENT: "its arguments were too long to be kept",
    MANY_FILES: "it showed more files than were kept",
    SECRET_FILE: "it showed a file of secrets, of which nothing is kept",
}


class Replayed(Value):
    """How an entry fared: `verdict` is same, changed or cannot; `on` says what it ran on, `why` the reason.

    `stale` files, by path, are no longer in the tree as they were shown, whatever the verdict.
    """

    entry: JournalEntry
    verdict: str
    on: str = ""
    why: str = ""
    stale: tuple[str, ...] = ()


def replay(root: str, entry: JournalEntry, runners: Mapping[str, Runner]) -> Replayed:
    """The entry, run again: on the tree where its files are as they were, else on the content with their hashes."""
    runner = runners.get(entry.primitive)
    if runner is None:
        return Replayed(entry, CANNOT, why=f"{entry.primitive} is not run again")
    why = next((_INCOMPLETE[name] for name in entry.redacted if name in _INCOMPLETE), "")
    if "[redacted:" in dumps(entry.args):
        why = "its arguments had a secret, which is not kept"
    if why:
        return Replayed(entry, CANNOT, why=why)
    stale = tuple(path for path, sha256 in sorted(entry.files.items()) if _hash_in_tree(root, path) != sha256)
    if stale and entry.primitive in ON_ONE_FILE:
        return _run_on_copies(root, entry, runner, stale)
    return _run(root, entry, runner, "tree", stale)


def _run(root: str, entry: JournalEntry, runner: Runner, on: str, stale: tuple[str, ...]) -> Replayed:
    try:
        result = runner(root, entry.args)
    except EngramError as error:
        return Replayed(entry, CANNOT, on, f"running it failed: {error.message}", stale)
    if result_hash(redact_result(result, entry.files, entry.args).value) == entry.result_hash:
        return Replayed(entry, SAME, on, stale=stale)
    return Replayed(entry, CHANGED, on, _reason(entry, on, stale), stale)


def _reason(entry: JournalEntry, on: str, stale: tuple[str, ...]) -> str:
    if stale and on == "tree":
        return f"{stale[0]} is not what it was" + (f", nor are {len(stale) - 1} more" if len(stale) > 1 else "")
    if entry.files:
        return "the files that were shown are what they were, the result is another"
    return "the result is another"


def _run_on_copies(root: str, entry: JournalEntry, runner: Runner, stale: tuple[str, ...]) -> Replayed:
    with tempfile.TemporaryDirectory(prefix="engram-replay-") as folder:
        commits = set()
        for path, sha256 in entry.files.items():
            content = find_content(root, path, sha256, entry.commit)
            if content is None:
                return Replayed(entry, CANNOT, why=f"no version of {path} with the recorded hash is left", stale=stale)
            if not _put(folder, path, content.data):
                return Replayed(entry, CANNOT, why=f"{path} is not a path inside a checkout", stale=stale)
            commits.add(content.commit)
        return _run(folder, entry, runner, " ".join(sorted(commit[:12] for commit in commits if commit)), stale)


def _put(folder: str, path: str, data: bytes) -> bool:
    target = os.path.normpath(os.path.join(folder, path))
    if os.path.isabs(path) or not target.startswith(os.path.join(folder, "")):
        return False
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(data)
    return True


def _hash_in_tree(root: str, path: str) -> str:
    data = read_tree(root, path)
    return "" if data is None else sha256_hex(data)
