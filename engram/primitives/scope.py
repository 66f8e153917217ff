"""Which repository a call is about, and for whom."""

from __future__ import annotations

import os

from engram.budget import MAX_BYTES, MIN_BYTES, Budget
from engram.config import Config
from engram.errors import InvalidArgument
from engram.journal.commit import current_commit
from engram.journal.session import CLIENT_VARIABLE, session_id
from engram.primitives.base import Scope
from engram.primitives.check import shown
from engram.worktree import Worktree, find_worktree, permitted_worktree


def open_scope(config: Config, *, folder: str, strict: bool = False, agent: str | None = None) -> Scope:
    """The Scope of the checkout around `folder`; raises NotARepository where there is none."""
    return _scope(config, find_worktree(folder), strict, agent)


def enter_repository(config: Config, scope: Scope, repository: str) -> Scope:
    """`scope` for another checkout, as `--repo` asks.

    Raises PathOutsideRoot inside a client unless it is the checkout of `scope` or one of its worktrees.
    """
    if "\0" in repository or not repository:
        raise InvalidArgument(f"{shown(repository)} cannot be a folder")
    wanted = permitted_worktree(repository, in_client=config.in_client, own=scope.root)
    return _scope(config, wanted, scope.strict, scope.agent).replace(budget=scope.budget)


def budget_of(value: object) -> Budget:
    """The Budget that `--budget` asks for; raises InvalidArgument where it is none, or more than MAX_BYTES."""
    if not isinstance(value, int) or not MIN_BYTES <= value <= MAX_BYTES:
        raise InvalidArgument(f"budget must be {MIN_BYTES} to {MAX_BYTES} bytes, not {shown(value)}")
    return Budget(value)


def _scope(config: Config, worktree: Worktree, strict: bool, agent: str | None) -> Scope:
    return Scope(
        os.path.realpath(worktree.root),
        session_id({CLIENT_VARIABLE: config.session}),
        agent,
        current_commit(worktree),
        strict=strict,
        depth=config.recurse_depth,
    )
