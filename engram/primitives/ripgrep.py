"""ripgrep: where its binary is, and the searches that are made with it.

Its arguments are fixed here and no configuration of the user or of the checkout changes them.  Its default engine is
linear in the text for every pattern.  Paths come back relative to the root.
"""

from __future__ import annotations

import os
import sys

from engram.errors import ConfigError, InvalidPattern, SearchUnfinished
from engram.journal.secrets import holds_secrets
from engram.model import Value
from engram.primitives.glob import Glob, is_plain
from engram.spawn import NOT_FOUND, find_program, run_bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_FILE_BYTES = 2 << 20
# larger ones are data or generated, and one hit in them is a line that nobody reads
SKIPPED = (
    # what no checkout wrote itself, or wrote for machines; `--path` into such a folder searches it all the same
    *(".git", ".engram", "node_modules", "bower_components", "dist", "build", "__pycache__", ".venv", "venv"),
    *(".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", "**/.claude/worktrees"),
    *("*.min.js", "*.min.mjs", "*.min.css", "*-min.js", "*.bundle.js", "*.js.map", "*.css.map"),
)
FIXED = (
    *("--no-config", "--no-messages", "--color=never", "--no-heading", "--with-filename", "--null", "--hidden"),
    *("--no-ignore-dot", "--no-follow", "--no-mmap", "--crlf", "--engine=default"),
    *("--regex-size-limit=10M", "--dfa-size-limit=64M"),  # a pattern of 20 characters can else take 270 MB and seconds
    # no-mmap: a mapped file that somebody shortens meanwhile would kill the process
    *(f"--max-filesize={MAX_FILE_BYTES}", *(f"--glob=!{pattern}" for pattern in SKIPPED)),
)
TIMEOUT_S = 20.0
_MAX_LIST_BYTES = 64 << 20  # a million paths
_FAILED = 2  # its exit status where something went wrong; 1 is for no hit
_OLDEST = 13  # the major version that brought --no-ignore-dot, and in which the output of --null was settled


class Area(Value):
    """Which files a search goes through: below `path` ("." for all), those that `glob` takes ("" for all).

    Files that hold keys are left out unless `secrets`; nothing says so, since a count would tell of their content.
    """

    root: str
    path: str = "."
    glob: str = ""
    secrets: bool = False


def find_ripgrep() -> str:
    """The path of the `rg` to run: that of the installed package, else one beside this Python or on PATH.

    The latter must be new enough.  Raises ConfigError, which says how to get one.
    """
    found = _from_record()
    if found:
        return found
    for program in (os.path.join(os.path.dirname(sys.executable), "rg"), find_program("rg")):
        if program and os.access(program, os.X_OK) and _is_new_enough(program):
            return program
    raise ConfigError(
        "ripgrep (rg) is not installed",
        f"{sys.executable} -m pip install ripgrep==14.1.0, or install ripgrep {_OLDEST} or newer on PATH",
    )


def count_hits(area: Area, pattern: str, *, case: bool) -> dict[str, int]:
    """Path to number of lines with a match, for every file of `area` with one, in the order of the paths.

    Raises InvalidPattern for what is no regular expression, or too large a one.
    """
    output = _search(area.root, [*_pattern(pattern, case), "--count", *_prune(area)], [area.path])
    counts = {path: int(rest) for path, rest in _records(output, area.root)}
    return {path: counts[path] for path in _taken(counts, area)}


def find_columns(root: str, paths: list[str], pattern: str, *, case: bool, limit: int) -> list[tuple[str, int, int]]:
    """(path, line, column) of the first match on each matching line, at most `limit` lines a file, by path and line.

    Columns are 1-based and count bytes of UTF-8.  The files are searched as text, whatever they are.
    """
    options = ["--line-number", "--column", "--text", "--max-columns=1", f"--max-count={limit}", "--threads=1"]
    found = []
    for path, rest in _records(_search(root, [*_pattern(pattern, case), *options], paths), root):
        line, column, _ = rest.split(b":", 2)
        found.append((path, int(line), int(column)))
    return sorted(found)


def list_files(area: Area) -> list[str]:
    """The files that a search of `area` would go through, sorted; those over MAX_FILE_BYTES are among them."""
    output = _search(area.root, ["--files", *_prune(area)], [area.path])
    return _taken([_relative(raw, area.root) for raw in output.split(b"\0") if raw], area)


def _search(root: str, options: list[str], paths: list[str]) -> bytes:
    scope = [] if os.path.lexists(os.path.join(root, ".git")) else ["--no-require-git", "--no-ignore-parent"]
    targets = [os.path.normpath(os.path.join(root, path)) for path in paths]
    argv = [find_ripgrep(), *FIXED, *scope, *options, "--", *targets]
    ran = run_bounded(argv, _environment(), timeout_s=TIMEOUT_S, max_bytes=_MAX_LIST_BYTES)
    if ran.timed_out or ran.cut:
        what = f"took longer than {TIMEOUT_S:g} s" if ran.timed_out else "finds more than can be listed"
        raise SearchUnfinished(f"the search {what}", "narrow it with --path or --glob")
    if ran.status == NOT_FOUND:
        raise ConfigError(f"{argv[0]} cannot be started")
    if ran.status == _FAILED and ran.errors:  # with --no-messages only complaints about the pattern are left
        raise InvalidPattern(_complaint(ran.errors), "the syntax is that of Rust's regex: no look-around, no \\1")
    if ran.status < 0:
        raise SearchUnfinished(f"ripgrep was ended by signal {-ran.status}")
    return ran.output


def _pattern(pattern: str, case: bool) -> list[str]:
    return [f"--regexp={pattern}", "--case-sensitive" if case else "--ignore-case"]


def _prune(area: Area) -> list[str]:
    """A file type made of a plain glob: ripgrep then opens those files only.

    Its own --glob would bring back what git ignores; a type does not, but sees file names alone.
    """
    return [f"--type-add=asked:{area.glob}", "--type=asked"] if is_plain(area.glob) else []


def _taken(paths: Iterable[str], area: Area) -> list[str]:
    glob = Glob(area.glob) if area.glob else None
    kept = [path for path in paths if glob is None or glob.matches(path)]
    return sorted(path for path in kept if area.secrets or not holds_secrets(path))


def _records(output: bytes, root: str) -> Iterator[tuple[str, bytes]]:
    at = 0
    while (end := output.find(b"\0", at)) >= 0:
        close = output.find(b"\n", end)
        yield _relative(output[at:end], root), output[end + 1 : close]
        at = close + 1


def _relative(raw: bytes, root: str) -> str:
    return os.fsdecode(raw)[len(root.rstrip("/")) + 1 :]


def _complaint(errors: bytes) -> str:
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    reason = next((line for line in lines if line.startswith("error: ")), lines[0])
    return "the pattern is not valid: " + reason.removeprefix("error: ").removeprefix("rg: ")[:300]


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name in ("HOME", "XDG_CONFIG_HOME", "LANG", "PATH")}


def _from_record() -> str:
    """The `rg` that an installed ripgrep package lists among its files."""
    for folder in sys.path:
        try:
            names = os.listdir(folder) if folder.endswith("-packages") else []  # site-packages, Debian's dist-packages
        except OSError:
            continue
        for name in names:
            if name.startswith("ripgrep-") and name.endswith(".dist-info"):
                found = _listed(folder, os.path.join(folder, name, "RECORD"))
                if found:
                    return found
    return ""


def _listed(folder: str, record: str) -> str:
    try:
        with open(record, encoding="utf-8") as lines:
            files = [line.split(",", 1)[0] for line in lines]
    except OSError:
        return ""
    candidates = [os.path.normpath(os.path.join(folder, file)) for file in files if file.endswith("/rg")]
    return next((path for path in candidates if os.access(path, os.X_OK)), "")


def _is_new_enough(program: str) -> bool:
    ran = run_bounded([program, "--version"], _environment(), timeout_s=TIMEOUT_S, max_bytes=4096)
    words = ran.output.split()
    if len(words) < 2 or words[0] != b"ripgrep":
        return False
    major = words[1].split(b".")[0]
    return major.isdigit() and int(major) >= _OLDEST
