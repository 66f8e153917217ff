"""`hook.log` in ENGRAM_HOME: one line for each hook that could not do its work."""

from __future__ import annotations

import os
import time

MAX_BYTES = 1 << 17  # some 1,000 lines; then the file becomes hook.log.1, in the place of the one before
_MAX_LINE = 400
_NAME = "hook.log"


def log_failure(home: str, event: str, error: BaseException) -> None:
    """Append the line; where nothing can be written, it is lost, as a hook has nobody else to tell."""
    text = f"{event[:60]}: {type(error).__name__}: {error}"
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = f"{stamp} {ascii(text)[1:-1]}"[:_MAX_LINE] + "\n"
    path = os.path.join(home, _NAME)
    try:
        if not os.path.isdir(home):
            os.makedirs(home, mode=0o700)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        try:
            if os.fstat(descriptor).st_size > MAX_BYTES:
                os.replace(path, path + ".1")  # the open file is the old one now: this line is its last
            os.write(descriptor, line.encode("ascii"))
        finally:
            os.close(descriptor)
    except OSError:
        return
