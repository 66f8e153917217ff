"""Which checkout a path belongs to, found by looking at folders, without starting git."""

from __future__ import annotations

import os

from engram.errors import NotARepository, PathOutsideRoot
from engram.model import Value


class Worktree(Value):
    """A checkout: `git_dir` is its own git folder, `common_dir` the one shared by all worktrees; "" where no git is."""

    root: str
    git_dir: str = ""
    common_dir: str = ""


def find_worktree(start: str) -> Worktree:
    """The checkout around `start`: the nearest git worktree, else the nearest folder with `.engram`, else `start`.

    A submodule and a linked worktree are checkouts of their own.  Raises NotARepository for a folder that does
    not exist, a bare repository, the home folder and the root of the file system.
    """
    try:
        here = os.path.realpath(start)
    except FileNotFoundError as error:  # relative, and somebody has removed the current folder
        raise NotARepository(
            "the current folder does not exist any more", "go to another one, or use --repo"
        ) from error
    if not os.path.isdir(here):
        raise NotARepository(f"{start} is not a folder")
    found = _git_worktree(here) or Worktree(_engram_folder(here) or here)
    if found.root in (os.path.realpath(os.path.expanduser("~")), os.path.realpath("/")) and not found.git_dir:
        raise NotARepository(
            f"{found.root} is not a repository",
            "run engram inside a repository or a project folder, or name one with --repo",
        )
    return found


def permitted_worktree(repository: str, *, in_client: bool, own: str = ".") -> Worktree:
    """The checkout around `repository`, as `find_worktree` finds it.

    Raises PathOutsideRoot inside a client unless it is the checkout of the folder `own` or one of its worktrees:
    there, who asks is a model, and the person has opened this repository to it and no other.
    """
    wanted = find_worktree(repository)
    if in_client:
        mine = find_worktree(own)
        if wanted.root != mine.root and wanted.root not in linked_worktrees(mine):
            raise PathOutsideRoot(
                f"{repository!a} is not this repository: {mine.root} is",
                "start the client there, or ask without --repo",
            )
    return wanted


def _parents(path: str) -> list[str]:
    out = [path]
    while (parent := os.path.dirname(path)) != path:
        out.append(path := parent)
    return out


def _git_worktree(here: str) -> Worktree | None:
    for folder in _parents(here):
        dot_git = os.path.join(folder, ".git")
        git_dir = dot_git if os.path.isdir(dot_git) else _linked_git_dir(dot_git)
        if git_dir and os.path.exists(os.path.join(git_dir, "HEAD")):
            return Worktree(folder, git_dir, _common_dir(git_dir))
        if _is_bare(folder):
            raise NotARepository(
                f"{folder} is a bare repository: it has no files to index", "use a clone of it, or add a worktree"
            )
    return None


def _linked_git_dir(dot_git: str) -> str:
    try:
        with open(dot_git, encoding="utf-8", errors="surrogateescape") as pointer:
            line = pointer.readline(8192)
    except OSError:
        return ""
    if not line.startswith("gitdir:"):
        return ""
    return os.path.realpath(os.path.join(os.path.dirname(dot_git), line[len("gitdir:") :].strip()))


def _common_dir(git_dir: str) -> str:
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8", errors="surrogateescape") as pointer:
            return os.path.realpath(os.path.join(git_dir, pointer.readline(8192).strip()))
    except OSError:
        return git_dir


def _is_bare(folder: str) -> bool:
    names = ("HEAD", "objects", "refs", "config")
    return all(os.path.exists(os.path.join(folder, name)) for name in names)


def _engram_folder(here: str) -> str:
    for folder in _parents(here):
        if os.path.isdir(os.path.join(folder, ".engram")) and not os.path.islink(os.path.join(folder, ".engram")):
            return folder
    return ""


def linked_worktrees(worktree: Worktree) -> frozenset[str]:
    """The roots of all checkouts that share the repository of `worktree`, its own among them.

    Only what the repository itself lists counts, and it must list `worktree` as well: a `.git` file alone can point
    to any repository.  Layout: gitrepository-layout(5), "worktrees".
    """
    common = worktree.common_dir
    roots = {os.path.dirname(common)} if os.path.basename(common) == ".git" else set()
    folder = os.path.join(common, "worktrees")
    try:
        names = os.listdir(folder) if common else []
    except OSError:
        names = []
    for name in names:
        try:
            with open(os.path.join(folder, name, "gitdir"), encoding="utf-8", errors="surrogateescape") as pointer:
                roots.add(os.path.dirname(os.path.realpath(os.path.join(folder, name, pointer.readline(8192).strip()))))
        except OSError:
            continue
    return frozenset(roots) if worktree.root in roots else frozenset([worktree.root])
