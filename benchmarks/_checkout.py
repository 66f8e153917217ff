"""The commit of a case, checked out: the files of code alone, and one work tree for all cases of a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

SPARSE = ("*.py", "*.pyi", "*.js", "*.jsx", "*.mjs", "*.cjs", "*.ts", "*.tsx", "*.go", "*.rs", "*.java")


def check_out(mirrors: Path, root: Path, repo: str, commit: str) -> Path:
    """A clone of `repo` with the files of code that `commit` has, and no later commit; kept for the next case."""
    tree = root / repo.replace("/", "+")
    if not tree.is_dir():
        mirror = mirrors / repo.replace("/", "+") / "repo"
        git(root, "clone", "--quiet", "--shared", "--no-checkout", "--no-tags", str(mirror), str(tree))
        git(tree, "sparse-checkout", "set", "--no-cone", *SPARSE)
    git(tree, "checkout", "--quiet", "--force", "--detach", commit)
    return tree


def git(folder: Path, *args: str) -> str:
    """What git prints in the folder; raises CalledProcessError where it fails."""
    return subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True).stdout
