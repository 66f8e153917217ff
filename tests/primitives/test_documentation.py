"""docs/primitives.md names every command, flag and kind of error of the primitives."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram import errors
from engram.cli.arguments import Command
from engram.cli.primitives import COMMANDS
from engram.cli.recurse import ANSWER, ASK, COLLECT
from engram.primitives.generic import GRAMMARS

from .conftest import SOURCE_ROOT

TEXT = (Path(SOURCE_ROOT) / "docs" / "primitives.md").read_text()


@pytest.mark.parametrize("command", [*COMMANDS.values(), ASK, ANSWER, COLLECT], ids=lambda command: command.name)
def test_every_command_and_flag_is_documented(command: Command) -> None:
    assert f"engram {command.name} " in TEXT
    for flag in command.flags:
        assert flag.name in TEXT


def test_every_error_of_a_request_is_documented() -> None:
    requests = errors.RequestError.__subclasses__()
    assert len(requests) > 8
    for error in (*requests, errors.UnsupportedLanguage, errors.JournalUnwritable, errors.UnsafeState, errors.GitError):
        assert f"`{error.kind}`" in TEXT


def test_the_number_of_other_languages_is_right() -> None:
    assert 25 <= len(set(GRAMMARS.values())) <= 35
