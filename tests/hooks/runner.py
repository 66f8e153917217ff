"""The real command in a process of its own, as the client starts it: a bare environment, and JSON in and out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Any, NamedTuple

from engram.config import Config
from engram.store.keys import graph_keys
from engram.store.lock import acquire_lock
from engram.worktree import find_worktree
from tests.ingest.checkout import Checkout
from tests.patience import LIMIT_S, PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
SESSION = "0b5a2c1e-7d1f-4a55-9c0e-3f1d2a4b6c8d"
# As bin/engram starts it; on demand it tells at its end what it has imported.
_BOOT = """
import sys
sys.path += sys.argv[1].split("|")
tell, sys.argv[:3] = sys.argv[2], ["engram"]
from engram.cli.main import main
code = main()
if tell == "tell":
    print(*sorted(sys.modules), file=sys.stderr)
raise SystemExit(code)
"""


class Said(NamedTuple):
    """How a hook ended."""

    code: int
    out: str
    err: str

    @property
    def reply(self) -> dict[str, Any]:
        """The whole object that it printed."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    @property
    def context(self) -> str:
        """What the model is shown; "" for nothing."""
        if not self.out:
            return ""
        context = self.reply["hookSpecificOutput"]["additionalContext"]
        assert isinstance(context, str)
        return context


class Hooks:
    """Hooks of one session in the checkout at `root`."""

    def __init__(self, root: str, home: str) -> None:
        self.root = root
        self.home = home
        self.session = SESSION
        self.environment = ""  # a folder as bin/engram makes it

    def run(self, event: str, *, raw: bytes | None = None, tell: bool = False, **payload: Any) -> Said:
        """`engram hook EVENT`; `raw` is the whole input, else the payload completes what the client always sends."""
        common = {"session_id": self.session, "cwd": self.root, "hook_event_name": event, **payload}
        given = json.dumps({k: v for k, v in common.items() if v is not None}).encode() if raw is None else raw
        packages = [path for path in sys.path if path.endswith("site-packages")]
        own = [f"{self.environment}/base/lib/python3.12/site-packages"] if self.environment else []
        path = "|".join([str(ROOT), *own, *packages])
        argv = [sys.executable, "-I", "-S", "-c", _BOOT, path, "tell" if tell else "", "hook", *event.split()]
        env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "ENGRAM_HOME": self.home, "ENGRAM_REFINE": "0"}
        env |= {"ENGRAM_PATIENCE": PATIENCE, "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": self.session}
        ran = subprocess.run(argv, input=given, env=env, cwd="/", capture_output=True, timeout=LIMIT_S)
        return Said(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def prompt(self, text: str, **payload: Any) -> Said:
        """A prompt of the user."""
        return self.run("UserPromptSubmit", prompt=text, **payload)

    def start(self, source: str = "startup") -> Said:
        """The start of the session."""
        return self.run("SessionStart", source=source)

    def log(self) -> str:
        """The text of hook.log."""
        path = Path(self.home, "hook.log")
        return path.read_text() if path.exists() else ""


def sync_log(home: str, root: str) -> Path:
    """The file that a sync of the checkout, started by a hook, writes to."""
    name = graph_keys(Config(home=home), find_worktree(root)).base.rpartition(":")[2]
    return Path(home, "sync", f"{name}.log")


def settle(home: str, root: str) -> bool:
    """Wait for the sync that a hook has started in the checkout; whether there was one."""
    if not os.path.isdir(root):
        return False
    log = sync_log(home, root)
    wait_until(lambda: not log.exists() or not _is_locked(log), "the sync does not end")
    return log.exists()


def _is_locked(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return True
    return False


@contextmanager
def nobody_indexes(checkout: Checkout) -> Iterator[None]:
    """Hold the index lock of the checkout: what a hook starts meanwhile goes on afterwards only."""
    keys = graph_keys(checkout.config, find_worktree(str(checkout.root)))
    with acquire_lock(checkout.connection, checkout.config, keys):
        yield
