"""Progress of a setup on stderr: one line that changes on a terminal, else a line now and then."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

_SILENCE_S = 30.0  # without a terminal: how long nothing is printed before a sign of life


class Progress:
    """What a person sees while the environment is made; `begin`, any number of `tick`s, `end` or `fail`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._title = ""
        self._began = self._printed = time.monotonic()

    def say(self, text: str) -> None:
        """Print a line of its own."""
        clear = "\r\x1b[K" if self._live else ""
        self._stream.write(f"{clear}engram: {text}\n")
        self._stream.flush()
        self._printed = time.monotonic()

    def begin(self, title: str) -> None:
        """Start a step."""
        self._title = title
        self._began = time.monotonic()
        if not self._live:
            self.say(title)

    def tick(self, activity: str) -> None:
        """Show that the step goes on, and with what."""
        now = time.monotonic()
        elapsed = f"{now - self._began:.0f} s"
        if self._live:
            line = f"engram: {self._title}: {elapsed}, {activity}"
            self._stream.write(f"\r\x1b[K{line[:110]}")
            self._stream.flush()
        elif now - self._printed > _SILENCE_S:
            self.say(f"{self._title}: {elapsed}, {activity}")

    def end(self, text: str) -> None:
        """Finish the step well."""
        self.say(f"{text} ({time.monotonic() - self._began:.0f} s)")

    def fail(self, text: str) -> None:
        """Finish with one line that says what to do."""
        self.say(" ".join(text.split("\n")))
