"""An environment made on a disk that is full: one line says so, nothing half made is used, and with room it works.

The disk is a tmpfs in a mount namespace of its own, which runs out of files: that can be had at any step.
"""

from __future__ import annotations

import shutil
import subprocess
from typing import NamedTuple

import pytest

from tests.launcher.plugin import Plugin
from tests.patience import LIMIT_S

_MANY = 100_000
# Once on the full disk, a command that needs the packages, and once more with room.  Each part is closed by its status.
_SCRIPT = """
mount -t tmpfs -o "size=$SIZE,nr_inodes=$FILES" tmpfs "$ENGRAM_HOME" || exit 99
export PATH="$TOOLS"
"$ENGRAM" setup; echo "status $?"
"$ENGRAM" journal head; echo "status $?"
echo ":$(cd "$ENGRAM_HOME/env" 2>/dev/null && echo */* setup-*)"
PATH="$SYSTEM" mount -o "remount,size=2g,nr_inodes=$MANY" "$ENGRAM_HOME" || exit 99
"$ENGRAM" setup >/dev/null; echo "status $?"
"$ENGRAM" journal head; echo "status $?"
echo ":$(cd "$ENGRAM_HOME/env" && echo */*)"
"""


def _namespace() -> list[str]:
    """The command that gives what follows mounts of its own; [] where this system or this user may not have them."""
    for options in (["-m"], ["-Urm"]):
        command = ["unshare", *options]
        if (
            shutil.which("unshare")
            and not subprocess.run(
                [*command, "mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=10", "tmpfs", "/mnt"], capture_output=True
            ).returncode
        ):
            return command
    return []


NAMESPACE = _namespace()
pytestmark = pytest.mark.skipif(not NAMESPACE, reason="takes mounts of its own: unshare(1) and tmpfs")


class Ended(NamedTuple):
    """What was printed, and what lay in the environment after the full disk, and after there was room."""

    statuses: list[int]
    complaints: list[str]
    left: list[str]
    made: list[str]


def set_up(plugin: Plugin, *, files: int, size: str = "2g") -> Ended:
    """Make the environment on a disk with room for so many files, then with more room."""
    plugin.home.mkdir()
    environ = plugin.environ(SIZE=size, FILES=str(files), MANY=str(_MANY), ENGRAM=str(plugin.root / "bin" / "engram"))
    environ |= {"TOOLS": environ["PATH"], "SYSTEM": "/usr/sbin:/usr/bin:/sbin:/bin"}
    environ["PATH"] = environ["SYSTEM"]
    ran = subprocess.run(
        [*NAMESPACE, "sh", "-c", _SCRIPT], env=environ, cwd=plugin.home.parent, capture_output=True, text=True,
        timeout=2 * LIMIT_S,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    left, made = [line[1:].split() for line in lines if line.startswith(":")]
    said = [line for line in ran.stderr.splitlines() if "the disk" in line or "No space" in line]
    assert "Traceback" not in ran.stderr
    return Ended([int(line.split()[1]) for line in lines if line.startswith("status ")], said, left, made)


@pytest.mark.parametrize("files", [2, 4, 6, 12, 30], ids=lambda files: f"{files} files")
def test_a_full_disk_is_said_in_one_line_and_leaves_nothing_that_is_used(plugin: Plugin, files: int):
    ended = set_up(plugin, files=files)
    assert ended.statuses == [1, 1, 0, 0]
    assert len(ended.complaints) == 2  # one of each command
    for line in ended.complaints:
        assert line.startswith("engram: ")
        assert "make room and start again" in line
    assert not [path for path in ended.left if path.endswith(("/base", "/engine"))]
    assert {path.rpartition("/")[2] for path in ended.made} == {"base", "engine", "pycache", "python"}


def test_what_was_complete_before_the_disk_was_full_is_used(plugin: Plugin):
    ended = set_up(plugin, files=60)  # enough for the packages
    assert ended.statuses == [1, 0, 0, 0]
    assert len(ended.complaints) == 1
    assert (
        f"setup failed, the disk is full: make room and start again. Log: {plugin.home}/env/engine.log"
        in (ended.complaints[0])
    )
    assert [path.rpartition("/")[2] for path in ended.left if path.endswith(("/base", "/engine"))] == ["base"]


def test_too_little_room_is_said_before_anything_is_made(plugin: Plugin):
    ended = set_up(plugin, files=_MANY, size="1m")
    assert ended.statuses == [1, 1, 0, 0]
    for line in ended.complaints:
        assert line.startswith(f"engram: the disk of {plugin.home} has 0 MB left and 400 MB are needed: make room")


def test_a_hook_on_a_full_disk_prints_nothing(plugin: Plugin):
    plugin.home.mkdir()
    environ = plugin.environ(ENGRAM=str(plugin.root / "bin" / "engram"))
    script = (
        'mount -t tmpfs -o size=4k,nr_inodes=2 tmpfs "$ENGRAM_HOME" || exit 99; "$ENGRAM" hook SessionStart </dev/null'
    )
    environ["PATH"] += ":/usr/sbin:/usr/bin:/sbin:/bin"
    ran = subprocess.run([*NAMESPACE, "sh", "-c", script], env=environ, capture_output=True, text=True, timeout=LIMIT_S)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
