"""What a person sees of a setup, on a terminal and without one."""

from __future__ import annotations

import io

from engram.environment.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_one_line_that_changes():
    stream = Terminal()
    progress = Progress(stream)
    progress.begin("compiling")
    progress.tick("1 files compiled")
    progress.tick("x" * 500)
    progress.end("ready")
    first, second, last = stream.getvalue().split("\r\x1b[K")[1:]
    assert first == "engram: compiling: 0 s, 1 files compiled"
    assert len(second) <= 110
    assert last == "engram: ready (0 s)\n"


def test_without_a_terminal_there_are_whole_lines_and_few_of_them():
    stream = io.StringIO()
    progress = Progress(stream)
    progress.begin("compiling")
    for number in range(1000):
        progress.tick(f"{number} files compiled")
    progress.fail("it failed:\nsee the log")
    assert stream.getvalue() == "engram: compiling\nengram: it failed: see the log\n"
