"""git: the log, the blame of a file, a diff; each as a bounded view.

Every revision is turned into the id of a commit first, and ids are what the commands get: no name of the caller
reaches git where it could be an option.
"""

from __future__ import annotations

import os

from engram.budget import Budget, count_fitting
from engram.errors import FileUnavailable, InvalidArgument, NotARepository
from engram.gitrun import run_git
from engram.primitives.blame import blame
from engram.primitives.check import shown
from engram.primitives.diff import diff
from engram.primitives.outcome import Answer
from engram.primitives.paths import resolve
from engram.primitives.revisions import MAX_REVISION, Range, check_date, find_range, has_commits
from engram.primitives.wire import size
from engram.worktree import find_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from engram.primitives.base import Scope

MAX_COMMITS = 30
MAX_LINES = 400
MAX_VIEW = Budget(32 * 1024)  # the three bounds of the design
MAX_NAMED = 50  # changed files that a diff lists; their number is given in any case
_EMPTY_TREE = ("hash-object", "-t", "tree", "/dev/null")

ARGUMENTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "view": {"type": "string", "enum": ["log", "blame", "diff"]},
        "file": {"type": "string", "minLength": 1, "maxLength": 4096, "description": "path from the root"},
        "since": {"type": "string", "minLength": 1, "maxLength": 60, "description": "of log: a date, '2 weeks ago'"},
        "max": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_LINES,
            "description": "commits of log (30), else lines",
        },
        "ref": {
            "type": "string",
            "minLength": 1,
            "maxLength": 2 * MAX_REVISION,
            "description": "branch, tag, commit or A..B; diff with one of them compares the files as they are now",
        },
        "from": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1 << 31,
            "default": 1,
            "description": "of blame: first line",
        },
        "secrets": {"type": "boolean", "default": False, "description": "diff files that hold keys, too"},
    },
    "required": ["view"],
    "additionalProperties": False,
}
_COMMIT = {
    "sha": {"type": "string"},
    "at": {"type": "string"},
    "author": {"type": "string"},
    "subject": {"type": "string"},
}
_LINE = {"type": "integer", "minimum": 1}
_COUNT = {"type": ["integer", "null"], "description": "null: binary"}
_NAME = {"type": "string"}
_CHANGED = {"file": _NAME, "from": _NAME, "added": _COUNT, "removed": _COUNT}


def _entries(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    item = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"type": "array", "items": item}


DATA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "view": {"enum": ["log", "blame", "diff"]},
        "file": _NAME,
        "commits": _entries(_COMMIT, list(_COMMIT)),
        "spans": _entries({"line": _LINE, "endLine": _LINE, **_COMMIT}, ["line", "endLine", *_COMMIT]),
        "changed": {"type": "integer", "description": "files that differ"},
        "files": _entries(_CHANGED, ["file", "added", "removed"]),
        "withheld": {"type": "integer", "description": "changed files that hold keys"},
        "lines": {"type": "array", "maxItems": MAX_LINES, "items": {"type": "string"}},
    },
    "required": ["view"],
    "additionalProperties": False,
}


def run(scope: Scope, arguments: dict[str, Any]) -> Answer:
    """The commits, newest first; or the spans of a file by line; or the lines of a patch."""
    if not find_worktree(scope.root).git_dir:
        raise NotARepository(f"{scope.root} is not a git repository")
    if "file" in arguments:
        arguments = {**arguments, "file": _tracked_name(scope.root, arguments["file"])}
    answer = _VIEWS[arguments["view"]](scope, arguments)
    sizes = [size(item) + 1 for item in answer.items]
    fitting = count_fitting(sizes, lambda count: size(answer.data(0)) + size(answer.left_out(count)), MAX_VIEW)
    return answer.replace(items=answer.items[: fitting or 0])


def _log(scope: Scope, arguments: dict[str, Any]) -> Answer:
    limit = arguments.get("max", MAX_COMMITS)
    if limit > MAX_COMMITS:
        raise InvalidArgument(f"log shows at most {MAX_COMMITS} commits, not {limit}")
    options = [f"--max-count={limit + 1}", "--format=%H%x00%aI%x00%an%x00%s"]
    if "since" in arguments:
        options.append(f"--since={check_date(arguments['since'])}")
    revisions = _as_revisions(find_range(scope.root, arguments["ref"])) if "ref" in arguments else []
    if not revisions and not has_head(scope):
        return Answer({"view": "log"}, "commits", [])
    path = arguments.get("file", "")
    follow = ["--follow"] if path and not os.path.isdir(os.path.join(scope.root, path)) else []
    scoped = ["--", *([f":(top,literal){path}"] if path else [])]
    out = run_git(scope.root, "log", "-z", *follow, *options, *revisions, *scoped, max_bytes=1 << 20)
    commits = _commits(out.decode("utf-8", "replace").split("\0"))
    everything = not revisions and "since" not in arguments
    if not commits and everything and not os.path.lexists(os.path.join(scope.root, path)):
        raise FileUnavailable(f"{shown(path)} is in no commit of this branch, and not in the folder")

    def left_out(count: int) -> dict[str, Any]:
        return {"commits": len(commits) - count, "atLeast": len(commits) > limit} if count < len(commits) else {}

    return Answer({"view": "log"}, "commits", commits[:limit], left_out=left_out)


def has_head(scope: Scope) -> bool:
    """Whether there is a commit; `scope.commit` tells it without starting git."""
    return bool(scope.commit) or has_commits(scope.root)


def _blame(scope: Scope, arguments: dict[str, Any]) -> Answer:
    if "file" not in arguments:
        raise InvalidArgument("blame needs a file", "engram git blame --file PATH")
    found = find_range(scope.root, arguments["ref"]) if "ref" in arguments else Range("")
    if found.start:
        raise InvalidArgument("blame takes one revision, not a range")
    first, limit = arguments["from"], arguments.get("max", MAX_LINES)
    spans, last = blame(scope.root, found.end, arguments["file"], first, first + limit)
    more = last == first + limit
    if more:  # the line asked for beyond the limit only tells that there are more
        spans[-1]["endLine"] -= 1
        if spans[-1]["endLine"] < spans[-1]["line"]:
            spans.pop()

    def left_out(count: int) -> dict[str, Any]:
        following = spans[count - 1]["endLine"] + 1 if count else first
        if following > last:
            return {}
        return {"from": following, "atLeast": True} if more else {"from": following, "to": last}

    return Answer({"view": "blame", "file": arguments["file"]}, "spans", spans, left_out=left_out)


def _diff(scope: Scope, arguments: dict[str, Any]) -> Answer:
    if "since" in arguments:
        raise InvalidArgument("since belongs to log", "diff takes --ref A..B")
    path, secrets = arguments.get("file", ""), arguments["secrets"]
    patch = diff(scope.root, _states(scope, arguments.get("ref", "")), path, secrets=secrets)
    limit = arguments.get("max", MAX_LINES)
    head = {"view": "diff", "changed": len(patch.files), "files": patch.files[:MAX_NAMED]}
    if patch.withheld:
        head["withheld"] = patch.withheld

    def left_out(count: int) -> dict[str, Any]:
        unnamed = max(0, len(patch.files) - MAX_NAMED)
        missing = len(patch.lines) - count
        if not missing and not unnamed:
            return {}
        counts = {"lines": missing, "files": unnamed, "atLeast": not patch.complete}
        return {name: value for name, value in counts.items() if value}

    return Answer(head, "lines", patch.lines[:limit], left_out=left_out)


_VIEWS: dict[str, Callable[[Scope, dict[str, Any]], Answer]] = {"log": _log, "blame": _blame, "diff": _diff}


def _tracked_name(root: str, path: str) -> str:
    """The path as git names it: relative to the root, and of a link the link itself."""
    resolve(root, path)
    name = os.path.relpath(path, root) if os.path.isabs(path) else os.path.normpath(path)
    if name.startswith("../"):  # absolute, and inside only by the real name of the root
        name = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    if name == "." or name.split("/")[0] == ".git":
        raise InvalidArgument(f"{shown(path)} is not a file of the repository")
    return name


def _as_revisions(found: Range) -> list[str]:
    if not found.start:
        return [found.end]
    return [f"{found.start}...{found.end}"] if found.symmetric else [f"^{found.start}", found.end]


def _states(scope: Scope, ref: str) -> list[str]:
    if ref:
        found = find_range(scope.root, ref)
        if not found.start:
            return [found.end]
        return [f"{found.start}...{found.end}"] if found.symmetric else [found.start, found.end]
    if has_head(scope):
        return ["HEAD"]
    return [run_git(scope.root, *_EMPTY_TREE).decode("ascii").strip()]


def _commits(fields: list[str]) -> list[dict[str, str]]:
    whole = len(fields) // 4 * 4
    rows = zip(fields[0:whole:4], fields[1:whole:4], fields[2:whole:4], fields[3:whole:4], strict=True)
    return [
        {"sha": sha, "at": at, "author": author[:80], "subject": subject[:200]} for sha, at, author, subject in rows
    ]
