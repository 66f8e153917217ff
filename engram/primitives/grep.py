"""grep: lines that match a regular expression, with the lines around them."""

from __future__ import annotations

import os
import stat

from engram.errors import FileUnavailable, InvalidArgument, InvalidPattern, RequestError
from engram.model import Value
from engram.primitives.check import shown
from engram.primitives.outcome import Answer
from engram.primitives.paths import Content, read_file, refuse_secret, resolve, unchanged
from engram.primitives.ripgrep import MAX_FILE_BYTES, Area, count_hits, find_columns
from engram.primitives.text import cut_around, decode, is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.primitives.base import Scope

MAX_HITS = 50  # the bound of the design: more is not read, it is asked again, narrower
MAX_CONTEXT = 10
MAX_TEXT = 240  # characters of a line; formatters keep code below 120
MAX_MINIFIED_LINE = 5000  # characters; no hand writes such a line of JavaScript or CSS
MOST_FILES = 5  # how many files with hits that are not shown are named

ARGUMENTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string", "maxLength": 1000, "description": "regular expression, syntax of Rust's regex"},
        "path": {"type": "string", "minLength": 1, "maxLength": 4096, "description": "file or folder to search in"},
        "glob": {
            "type": "string",
            "minLength": 1,
            "maxLength": 500,
            "description": "paths to search, as in .gitignore",
        },
        "ctx": {"type": "integer", "minimum": 0, "maximum": MAX_CONTEXT, "default": 2, "description": "lines around"},
        "case": {"type": "boolean", "default": False, "description": "tell upper from lower case"},
        "max": {"type": "integer", "minimum": 1, "maximum": MAX_HITS, "default": MAX_HITS, "description": "hits"},
        "secrets": {"type": "boolean", "default": False, "description": "search files that hold keys, too"},
    },
    "required": ["pattern"],
    "additionalProperties": False,
}
_LINES = {"type": "array", "items": {"type": "string"}}
DATA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "hits": {
            "type": "array",
            "maxItems": MAX_HITS,
            "items": {
                "type": "object",
                "properties": {
                    "file": {"type": "string"},
                    "line": {"type": "integer", "minimum": 1},
                    "column": {"type": "integer", "minimum": 1},
                    "text": {"type": "string"},
                    "before": {**_LINES, "description": "the lines just above, unless another hit shows them"},
                    "after": _LINES,
                },
                "required": ["file", "line", "column", "text", "before", "after"],
                "additionalProperties": False,
            },
        },
        "total": {"type": "integer", "description": "matching lines in all files"},
        "files": {"type": "integer", "description": "files with a match"},
        "skipped": {"type": "object", "description": "files with a match that are not shown, by reason"},
    },
    "required": ["total", "files", "hits"],
    "additionalProperties": False,
}


class _Found(Value):
    contents: dict[str, Content]
    positions: list[tuple[str, int, int]]
    counts: dict[str, int]
    skipped: dict[str, int]


def run(scope: Scope, arguments: dict[str, Any]) -> Answer:
    """Hits by path and line, at most `max`, with what more there is."""
    pattern = arguments["pattern"]
    if not pattern or "\0" in pattern:
        raise InvalidPattern(f"the pattern is {'empty' if not pattern else 'one with a NUL in it'}")
    area = search_area(scope.root, arguments)
    found = _find(area, pattern, arguments["case"], arguments["max"])
    hits = _hits(found, arguments["ctx"])
    head: dict[str, Any] = {"total": sum(found.counts.values()), "files": len(found.counts)}
    if any(found.skipped.values()):
        head["skipped"] = {reason: count for reason, count in found.skipped.items() if count}
    digests = {path: content.sha256 for path, content in found.contents.items()}
    return Answer(head, "hits", hits, digests, lambda count: _left_out(found.counts, hits[:count]))


def search_area(root: str, arguments: dict[str, Any]) -> Area:
    """The Area that `path`, `glob` and `secrets` describe; raises for a path that is no file or folder inside."""
    if "\0" in arguments.get("glob", ""):
        raise InvalidArgument("the glob has a NUL in it")
    asked = arguments.get("path", ".")
    inside = resolve(root, asked)
    refuse_secret(asked, inside, arguments["secrets"])
    try:
        mode = os.stat(os.path.join(root, inside), follow_symlinks=False).st_mode
    except OSError as error:
        raise FileUnavailable(f"{shown(asked)} does not exist", "paths start at the root of the repository") from error
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise FileUnavailable(f"{shown(asked)} is neither a folder nor a regular file")
    return Area(root, inside, arguments.get("glob", ""), arguments["secrets"])


def _find(area: Area, pattern: str, case: bool, limit: int) -> _Found:
    counts = count_hits(area, pattern, case=case)
    skipped = {"binary": 0, "minified": 0, "unreadable": 0, "changed": 0}
    contents: dict[str, Content] = {}
    for path in list(counts):
        if sum(counts[done] for done in contents) >= limit:
            break
        reason, content = _readable(area, path)
        if content is None:
            skipped[reason] += 1
            del counts[path]
        else:
            contents[path] = content
    positions = find_columns(area.root, list(contents), pattern, case=case, limit=limit) if contents else []
    for path, content in list(contents.items()):
        if not unchanged(area.root, content):  # the positions may be those of another text
            skipped["changed"] += 1
            del counts[path], contents[path]
    return _Found(contents, [p for p in positions if p[0] in contents][:limit], counts, skipped)


def _readable(area: Area, path: str) -> tuple[str, Content | None]:
    try:
        content = read_file(area.root, path, secrets=area.secrets, max_bytes=MAX_FILE_BYTES)
    except RequestError:  # gone meanwhile, not to be read by this user, or of a name that nobody could ask for
        return "unreadable", None
    if is_binary(content.data):
        return "binary", None
    if path.endswith((".js", ".mjs", ".cjs", ".css")):
        longest = max(map(len, content.data.split(b"\n")), default=0)
        if longest > MAX_MINIFIED_LINE:
            return "minified", None
    return "", content


def _hits(found: _Found, context: int) -> list[dict[str, Any]]:
    lines = {path: decode(content.data).lines for path, content in found.contents.items()}
    hits = []
    ended: tuple[str, int] = ("", 0)  # the last line that is shown already
    for index, (path, line, byte) in enumerate(found.positions):
        text = lines[path]
        if line > len(text):
            continue
        following = found.positions[index + 1] if index + 1 < len(found.positions) else ("", 0, 0)
        last = min(line + context, len(text), following[1] - 1 if following[0] == path else len(text))
        first = max(1, line - context, ended[1] + 1 if ended[0] == path else 1)
        column = len(text[line - 1].encode("utf-8")[: byte - 1].decode("utf-8", "replace")) + 1
        hits.append(
            {
                "file": path,
                "line": line,
                "column": column,
                "text": cut_around(text[line - 1], column, MAX_TEXT),
                "before": [cut_around(one, 1, MAX_TEXT) for one in text[first - 1 : line - 1]],
                "after": [cut_around(one, 1, MAX_TEXT) for one in text[line:last]],
            }
        )
        ended = (path, last)
    return hits


def _left_out(counts: dict[str, int], hits: list[dict[str, Any]]) -> dict[str, Any]:
    missing = dict(counts)
    for hit in hits:
        missing[hit["file"]] -= 1
    more = {path: count for path, count in missing.items() if count > 0}
    if not more:
        return {}
    most = sorted(more, key=lambda path: (-more[path], path))[:MOST_FILES]
    named = [{"file": path, "hits": more[path]} for path in most if len(path) <= 200]
    return {"hits": sum(more.values()), "files": len(more), "most": named}
