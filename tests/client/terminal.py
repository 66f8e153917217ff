"""The client as people have it: in a terminal, with keys typed into it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from typing import Self

from tests.client.driver import Client
from tests.patience import LIMIT_S

_PROMPT = "\u276f".encode()  # before the line that is being typed
_CLEAR = b"\x15"  # ^U removes what has been typed
_TRIES = 10
_QUIET_S = 1.0  # without new output for so long, the client waits for a key
_SETTLED_S = 10.0  # or draws something that never ends


class Terminal:
    """An interactive session of `client`, in a `with`; `screen` is all that it has written, as bytes."""

    def __init__(self, client: Client, url: str) -> None:
        self._client = client
        self._url = url
        self.screen = b""
        self._written = 0.0

    def __enter__(self) -> Self:
        environ = self._client.environ(self._url, TERM="xterm-256color")
        _skip_the_welcome(self._client, environ["ANTHROPIC_API_KEY"])
        self._fd, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.process = subprocess.Popen(
            [self._client.program, *self._client.plugin], cwd=self._client.repository, env=environ,
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        return self

    def __exit__(self, *_exception: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._fd)

    def type(self, text: str) -> None:
        """Type a line once the client shows where, and the return key once it shows the line: together they would be a
        paste.  What is typed before the client listens is lost, so it is typed again.
        """
        self.wait(lambda: _PROMPT in self.screen)
        self._watch(self._quiet, _SETTLED_S)
        shown = len(self.screen)
        for _ in range(_TRIES):
            os.write(self._fd, text.encode())
            if self._watch(lambda: text.split()[-1].encode() in self.screen[shown:], LIMIT_S / _TRIES):
                break
            os.write(self._fd, _CLEAR)
        self._watch(self._quiet, _SETTLED_S)
        os.write(self._fd, b"\r")

    def wait(self, condition: Callable[[], bool]) -> None:
        """Read what the client writes until the condition holds; fails with the last of it."""
        assert self._watch(condition, LIMIT_S), self.screen[-3000:]

    def _watch(self, condition: Callable[[], bool], limit_s: float) -> bool:
        """Read what the client writes; whether the condition has come to hold in that time."""
        deadline = time.monotonic() + limit_s
        self._written = time.monotonic()
        while not condition():
            if time.monotonic() > deadline:
                return False
            if select.select([self._fd], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self._fd, 1 << 16)
                except OSError:  # the client has ended
                    return condition()
                self._written = time.monotonic()
        return True

    def _quiet(self) -> bool:
        return bool(self.screen) and time.monotonic() - self._written > _QUIET_S


def _skip_the_welcome(client: Client, key: str) -> None:
    """What a user has answered before: theme, the key, and that the folder is trusted."""
    project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    answered = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [key[-20:]], "rejected": []},
        "projects": {str(client.repository): project},
    }
    path = client.home / ".claude" / ".claude.json"
    kept = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**kept, **answered}))
