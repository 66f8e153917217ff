"""The one place that starts git: fixed arguments, no shell, nothing of the repository's own configuration runs.

A repository is not trusted: its config may name programs for the file system monitor, external diffs, text
conversion, filters and signatures, hooks, transports of a lazy fetch and another folder as its work tree, and `GIT_*`
variables of the caller may point anywhere.  See `git help git`, section "Environment", and `git help config`.
"""

from __future__ import annotations

import os

from engram.errors import GitError, InvalidArgument, NotARepository
from engram.spawn import NOT_FOUND, run_bounded, stream_bounded
from engram.worktree import Worktree, find_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from engram.spawn import Finished

FIXED = (
    *("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "safe.bareRepository=explicit", "-c", "core.quotePath=false", "-c", "log.showSignature=false"),
    *("-c", "diff.autoRefreshIndex=false", "-c", "diff.ignoreSubmodules=dirty", "-c", "diff.submodule=short"),
    # files that the configuration names and git would read, a pipe that nobody writes to among them
    *("-c", "diff.orderFile=/dev/null", "-c", "mailmap.file=/dev/null", "-c", "log.showRoot=true"),
)
SAFE = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",  # known to git 2.44 and later; before that, the next line refuses what a fetch runs
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
NO_PROGRAMS = {
    # a submodule that is looked into would be read by its own configuration
    "log": ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=dirty"),
    "show": ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=dirty"),
    "diff": ("--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"),
    "blame": ("--no-textconv",),
    "status": ("--ignore-submodules=dirty",),
}
_MAX_CONFIG_BYTES = 1 << 20  # a config is some kB; a larger one is taken to hold filters


def git_environment() -> dict[str, str]:
    """The caller's environment without any `GIT_*`, and with the variables that keep git from writing or asking."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, **SAFE}


def run_git(root: str, command: str, *args: str, timeout_s: float = 30.0, max_bytes: int = 1 << 30) -> bytes:
    """What `git command args` prints in `root`, at most `max_bytes` of it.

    Raises GitError, with git's first line of complaint, when it fails, takes too long or is not installed, and
    InvalidArgument for an argument with a NUL.
    """
    argv, environment = _prepared(root, command, args)
    ran = run_bounded(argv, environment, timeout_s=timeout_s, max_bytes=max_bytes)
    _check(ran, command, timeout_s)
    return ran.output


def is_reached(root: str, commit: str) -> bool:
    """Whether the commit is HEAD's or one before it; False also where git cannot tell."""
    try:
        run_git(root, "merge-base", "--is-ancestor", commit, "HEAD", timeout_s=1.0)
    except GitError:
        return False
    return True


def stream_git(root: str, command: str, *args: str, timeout_s: float = 600.0) -> Generator[bytes, None, None]:
    """What `git command args` prints in `root`, in pieces as they come; git waits while nobody asks for the next.

    Raises what `run_git` raises, GitError also after pieces that have been given.
    """
    argv, environment = _prepared(root, command, args)
    _check((yield from stream_bounded(argv, environment, timeout_s=timeout_s)), command, timeout_s)


def _prepared(root: str, command: str, args: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    if any("\0" in argument for argument in args):
        raise InvalidArgument("an argument of git has a NUL in it")
    argv = [*FIXED, "-C", root, command, *NO_PROGRAMS.get(command, ()), *args]
    return argv, {**git_environment(), **_own_folder(root)}


def _check(ran: Finished, command: str, timeout_s: float) -> None:
    if ran.status == NOT_FOUND:
        raise GitError("git is not installed", "install git, or use engram on a folder without a repository")
    if ran.timed_out:
        raise GitError(f"git {command} took longer than {timeout_s:g} s")
    if ran.status and not ran.cut:
        complaint = ran.errors.decode("utf-8", "replace").strip().splitlines()
        raise GitError(f"git {command}: {complaint[0] if complaint else f'exit status {ran.status}'}")


def first_commit(worktree: Worktree) -> str:
    """The id of the oldest commit without parents, which all clones of a repository share; "" where there is none."""
    if not worktree.git_dir:
        return ""
    try:
        listed = run_git(worktree.root, "rev-list", "--max-parents=0", "HEAD").split()
    except GitError:  # before the first commit
        return ""
    return listed[-1].decode("ascii") if listed else ""


def _own_folder(root: str) -> dict[str, str]:
    """Variables that tie git to the files of `root`, whatever `core.worktree` says, and switch its filters off."""
    try:
        worktree = find_worktree(root)
    except NotARepository:
        return {}
    if not worktree.git_dir:
        return {}
    names = _filter_settings(worktree) if _may_filter(worktree) else []
    settings = [(name, "false" if name.endswith(".required") else "") for name in names]
    out = {"GIT_WORK_TREE": worktree.root, "GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings):
        out[f"GIT_CONFIG_KEY_{number}"] = name
        out[f"GIT_CONFIG_VALUE_{number}"] = value
    return out


def _may_filter(worktree: Worktree) -> bool:
    """Whether the repository's own config can name a filter: a look at its bytes, which costs no process."""
    for path in (os.path.join(worktree.common_dir, "config"), os.path.join(worktree.git_dir, "config.worktree")):
        try:
            with open(path, "rb") as config:
                text = config.read(_MAX_CONFIG_BYTES + 1).lower()
        except OSError:
            continue
        if b"filter" in text or b"include" in text or len(text) > _MAX_CONFIG_BYTES:
            return True
    return False


def _filter_settings(worktree: Worktree) -> list[str]:
    """Names of the filter settings that this repository makes itself; those of the user stay (Git LFS)."""
    argv = [*FIXED, "-C", worktree.root, "config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter[.]"]
    ran = run_bounded(argv, git_environment(), timeout_s=30.0, max_bytes=_MAX_CONFIG_BYTES)
    if ran.cut or ran.timed_out:
        raise GitError("the repository's configuration is too large to be read safely")
    fields = ran.output.decode("utf-8", "surrogateescape").split("\0")[:-1]
    pairs = zip(fields[::2], fields[1::2], strict=False)
    kinds = (".clean", ".smudge", ".process", ".required")
    return sorted({name for scope, name in pairs if scope in ("local", "worktree") and name.endswith(kinds)})
