"""What the supervisor leaves for others to read: lines in the server's log, and small files with one message each."""

from __future__ import annotations

import os
import time


def report(text: str) -> None:
    """Write a line with the time into the log, which is our stdout; on a full disk it is lost."""
    try:
        os.write(1, f"{utc_now()} supervisor: {text}\n".encode("utf-8", "replace"))
    except OSError:
        pass


def write_note(path: str, text: str) -> None:
    """Replace a small file as a whole; on a full disk it stays as it was, as none of them is worth ending for."""
    draft = f"{path}.draft"
    try:
        with open(draft, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        os.replace(draft, path)
    except OSError as error:
        report(f"{path} was not written: {error}")


def read_note(path: str) -> str:
    """What such a file says; "" where there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""


def utc_now() -> str:
    """The time as ISO 8601, UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
