"""Which Python the launcher settles on, and what it says where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launcher.plugin import PYTHON, Plugin

BASE = os.path.realpath(sys._base_executable)
HOMEBREW = pytest.mark.skipif(os.path.exists("/opt/homebrew/bin/python3"), reason="this machine has one there")
OLD = f"""shift 3; exec "{PYTHON}" -I -S -c "import sys; sys.version_info = (3, 11, 7, 'final', 0)
$1" """


def remembered(plugin: Plugin) -> str:
    return os.path.realpath((plugin.env / "python").read_text().splitlines()[0])


@HOMEBREW
def test_no_python_is_said_in_one_line(plugin: Plugin):
    (plugin.path / "python3").unlink()
    ran = plugin.run("setup")
    assert ran.returncode == 1
    assert ran.stderr.splitlines() == [
        "engram: needs Python 3.12 or newer and found none: install it, or uv, or set ENGRAM_PYTHON to its path"
    ]
    assert not plugin.home.exists()


@HOMEBREW
def test_an_old_python_is_named_with_its_version(plugin: Plugin):
    plugin.program("python3", OLD)
    ran = plugin.run("--version")
    assert ran.returncode == 1
    assert "found none (python3: 3.11.7 is older than 3.12)" in ran.stderr


@HOMEBREW
def test_an_old_python_reached_as_pyenvs_is_passed_over(plugin: Plugin, tmp_path: Path):
    plugin.program("python3", OLD)
    for version in ("3.11.7", "3.13.0"):
        (tmp_path / "pyenv" / "versions" / version / "bin").mkdir(parents=True)
    script = tmp_path / "pyenv" / "versions" / "3.11.7" / "bin" / "python3"
    script.write_text(f"#!/bin/sh\n{OLD}\n")
    script.chmod(0o755)
    (tmp_path / "pyenv" / "versions" / "3.13.0" / "bin" / "python3").symlink_to(PYTHON)
    assert plugin.run("setup", "--help", PYENV_ROOT=str(tmp_path / "pyenv")).returncode == 0
    assert remembered(plugin) == BASE


@pytest.mark.parametrize("broken", ["kill -SEGV $$", "echo 'command not found' >&2; exit 127", "exit 0", "cat"])
def test_a_broken_candidate_is_passed_over(plugin: Plugin, broken: str):
    plugin.program("python3.12", broken)
    ran = plugin.run("--version", text="not for a candidate to read\n")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_uv_is_asked_first(plugin: Plugin):
    (plugin.path / "python3").unlink()
    plugin.program("uv", f'[ "$1 $2" = "python find" ] && echo "{PYTHON}"')
    assert plugin.run("setup", "--help").returncode == 0
    assert remembered(plugin) == BASE


def test_nothing_that_the_repository_brought_is_run(plugin: Plugin, tmp_path: Path):
    repository = tmp_path / "hostile"
    (repository / ".venv" / "bin").mkdir(parents=True)
    trace = tmp_path / "trace"
    for path in ("python3", "python3.12", "uv", ".venv/bin/python"):
        (repository / path).write_text(f"#!/bin/sh\n: >'{trace}'\nexit 1\n")
        (repository / path).chmod(0o755)
    # as uv does: an environment of the current folder comes first, unless it is told otherwise
    plugin.program(
        "uv",
        f"""case "$*" in *--system*) ;; *) exit 1 ;; esac
        [ -e .venv ] && .venv/bin/python; echo '{PYTHON}'""",
    )
    for path in (f".:{plugin.path}", f":{plugin.path}", f"{plugin.path}:."):
        ran = plugin.run("--version", cwd=repository, PATH=path)
        assert ran.returncode == 0, ran.stderr
    assert not trace.exists()


@HOMEBREW
def test_uv_without_a_python_is_asked_to_install_one(plugin: Plugin, tmp_path: Path):
    (plugin.path / "python3").unlink()
    installed = tmp_path / "installed"
    plugin.program(
        "uv",
        f"""
        case "$1 $2" in
        "python install") : > "{installed}" ;;
        "python find") [ -e "{installed}" ] && echo "{PYTHON}" ;;
        esac""",
    )
    ran = plugin.run("--version")
    assert ran.returncode == 0
    assert ran.stderr == "engram: no Python 3.12 or newer here: asking uv for one\n"


def test_engram_python_decides(plugin: Plugin, tmp_path: Path):
    inside = tmp_path / "venv"
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", inside], check=True)
    plugin.program("python3", "exit 1")
    assert plugin.run("setup", "--help", ENGRAM_PYTHON=str(inside / "bin" / "python")).returncode == 0
    assert remembered(plugin) == BASE  # the virtual environment may go away


@pytest.mark.parametrize(
    ("value", "why"), [("/no/such/python", "there is no such program"), ("{old}", "3.11.7 is older")]
)
def test_a_useless_engram_python_is_an_error_not_a_hint(plugin: Plugin, value: str, why: str):
    old = plugin.program("old-python", OLD)
    ran = plugin.run("setup", ENGRAM_PYTHON=value.format(old=old))
    assert ran.returncode == 1
    assert why in ran.stderr
    assert "set it to a Python 3.12 or newer, or unset it" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_the_choice_is_remembered(plugin: Plugin):
    assert plugin.run("setup", "--help").returncode == 0
    for tool in plugin.path.iterdir():
        tool.unlink()
    ran = plugin.run("setup", "--help")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_remembered_python_that_is_gone_is_searched_anew(plugin: Plugin):
    assert plugin.run("setup", "--help").returncode == 0
    record = plugin.env / "python"
    record.write_text(record.read_text().replace(record.read_text().splitlines()[0], "/gone/python3.12"))
    assert plugin.run("setup", "--help").returncode == 0
    assert remembered(plugin) == BASE
