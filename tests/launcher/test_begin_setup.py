"""A hook that finds no environment: it starts the setup, once, waits for nothing and says nothing."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.launcher.plugin import Plugin
from tests.patience import LIMIT_S, wait_until

WHOLE = ["announce", "base", "engine", "pycache", "python"]


LATE = "it did not come to that in time"


def started(plugin: Plugin) -> Path:
    """The file that names the process of a setup that a hook has started."""
    return plugin.home / "env" / f"setup-{plugin.env.name}.started"


def log(plugin: Plugin) -> str:
    path = plugin.home / "hook.log"
    return path.read_text() if path.exists() else ""


def hook(plugin: Plugin, event: str = "SessionStart") -> None:
    """Run a hook, which prints nothing and ends well."""
    ran = plugin.run("hook", event, text="{}")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def slow_python(plugin: Plugin) -> None:
    """Hold the setup up until the file `go` is there."""
    real = plugin.real_python("real-python")
    plugin.program("python3", f'while [ ! -e "{plugin.path}/go" ]; do sleep 0.05; done; exec "{real}" "$@"')


def test_a_hook_starts_the_setup_and_leaves_word_when_all_is_ready(plugin: Plugin):
    slow_python(plugin)
    hook(plugin)  # it would wait for ever
    assert not (plugin.env / "base").exists()
    (plugin.path / "go").touch()
    wait_until((plugin.env / "announce").exists, LATE)
    assert plugin.entries() == WHOLE
    assert not started(plugin).exists()
    assert "no environment yet: engram setup started" in log(plugin)
    assert "engram setup is done" in log(plugin)
    assert plugin.home.stat().st_mode & 0o077 == 0


def test_one_setup_is_started_by_many_hooks(plugin: Plugin):
    slow_python(plugin)
    argv = [str(plugin.root / "bin" / "engram"), "hook", "SessionStart"]
    running = [subprocess.Popen(argv, env=plugin.environ(), stdin=subprocess.DEVNULL) for _ in range(10)]
    assert [process.wait(timeout=LIMIT_S) for process in running] == [0] * 10
    wait_until(lambda: "setup started" in log(plugin), LATE)
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse"):
        hook(plugin, event)
    (plugin.path / "go").touch()
    wait_until((plugin.env / "announce").exists, LATE)
    assert log(plugin).count("setup started") == 1


def test_a_failed_setup_is_tried_again_by_the_next_session_only(plugin: Plugin):
    plugin.lock("wheels.txt", "no_such_thing==1.0 --hash=sha256:" + "0" * 64 + "\n")
    hook(plugin)
    wait_until(lambda: "setup failed" in log(plugin), LATE)
    wait_until(lambda: not Path(f"/proc/{started(plugin).read_text().strip()}").exists(), LATE)
    hook(plugin, "UserPromptSubmit")
    hook(plugin, "PostToolUse")
    assert log(plugin).count("setup started") == 1
    hook(plugin, "SessionStart")
    wait_until(lambda: log(plugin).count("setup failed") == 2, LATE)
    assert not (plugin.env / "announce").exists()


def test_the_setup_outlives_the_client(plugin: Plugin):
    slow_python(plugin)
    argv = [str(plugin.root / "bin" / "engram"), "hook", "SessionStart"]
    client = subprocess.Popen(
        ["sh", "-c", '"$@"; sleep 3600', "sh", *argv], env=plugin.environ(), stdin=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    wait_until(lambda: "setup started" in log(plugin), LATE)
    os.killpg(client.pid, signal.SIGKILL)
    client.wait()
    (plugin.path / "go").touch()
    wait_until((plugin.env / "announce").exists, LATE)


def test_a_missing_engine_is_made_while_hooks_run_without_it(plugin: Plugin):
    plugin.run("setup", "--help")
    assert plugin.entries() == ["base", "pycache", "python"]
    hook(plugin, "UnknownEvent")
    wait_until((plugin.env / "announce").exists, LATE)
    assert plugin.entries() == WHOLE


def test_another_server_makes_the_engine_unnecessary(plugin: Plugin):
    plugin.run("setup", "--help")
    ran = plugin.run("hook", "UnknownEvent", text="{}", ENGRAM_FALKORDB_URL="redis://127.0.0.1:1/")
    assert (ran.returncode, ran.stdout) == (0, "")
    assert not started(plugin).exists()
    assert "setup started" not in log(plugin)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_home_that_cannot_be_written_is_left_alone(plugin: Plugin):
    plugin.home.mkdir(mode=0o500)
    hook(plugin)
    assert not list(plugin.home.iterdir())


def test_a_home_below_a_file_is_left_alone(plugin: Plugin):
    plugin.home.write_text("not a folder")
    hook(plugin)
    assert plugin.home.read_text() == "not a folder"


def test_programs_of_the_repository_are_not_run(plugin: Plugin, tmp_path: Path):
    brought = tmp_path / "repository"
    brought.mkdir()
    for name in ("mkdir", "rm", "date", "setsid", "sh", "python3"):
        (brought / name).write_text(f"#!/bin/sh\necho {name} >>{tmp_path}/ran\n")
        (brought / name).chmod(0o755)
    ran = plugin.run("hook", "SessionStart", cwd=brought, PATH=f".:{plugin.path}", text="{}")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    wait_until((plugin.env / "announce").exists, LATE)
    assert not (tmp_path / "ran").exists()
