"""Where the plugin and its home may lie, and that the launcher changes nothing but its home."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.launcher.plugin import PYTHON, ROOT, Plugin
from tests.patience import LIMIT_S

NAMES = ["two words", 'it\'s "quoted" $HOME `x`', "line\nbreak", "-n", "ü😀", "100%s\\n"]


def everything_below(folder: Path) -> list[tuple[str, int]]:
    return sorted([(str(path), path.lstat().st_mtime_ns) for path in folder.rglob("*")])


@pytest.mark.parametrize("name", NAMES)
def test_any_name_of_a_folder_will_do(tmp_path: Path, name: str):
    odd = tmp_path / name
    odd.mkdir()
    plugin = Plugin(odd, tmp_path / "wheels", name)
    plugin.real_python()
    ran = plugin.run("setup", "--json", ENGRAM_FALKORDB_URL="redis://127.0.0.1:1/")
    assert "Python packages are ready" in ran.stderr
    assert json.loads(ran.stdout)["packages"][0].startswith(f"{plugin.env}/base/")


@pytest.mark.parametrize("shell", ["dash", "bash --posix", "busybox sh", "ksh", "zsh --emulate sh"])
def test_every_posix_shell_will_do(plugin: Plugin, shell: str):
    program, *options = shell.split()
    found = shutil.which(program)
    if not found:
        pytest.skip(f"{program} is not installed here")
    argv = [found, *options, str(plugin.root / "bin" / "engram")]
    for args in (["setup", "--help"], ["--version"]):
        ran = subprocess.run([*argv, *args], env=plugin.environ(), capture_output=True, text=True, timeout=LIMIT_S)
        assert ran.returncode == 0, ran.stderr


def test_the_plugin_folder_is_only_read(plugin: Plugin):
    for path in [plugin.root, *plugin.root.rglob("*")]:
        path.chmod(0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444)
    before = everything_below(plugin.root)
    assert plugin.run("--version").returncode == 0
    assert plugin.run("setup").returncode == 0
    assert everything_below(plugin.root) == before
    for path in [plugin.root, *plugin.root.rglob("*")]:
        path.chmod(0o755)


def test_the_current_folder_is_not_written(plugin: Plugin, tmp_path: Path):
    here = tmp_path / "repository"
    here.mkdir()
    assert plugin.run("setup", "--help", cwd=here).returncode == 0
    assert list(here.iterdir()) == []


def test_links_to_the_launcher_lead_to_the_plugin(plugin: Plugin, tmp_path: Path):
    (tmp_path / "links").mkdir()
    absolute, relative = tmp_path / "links" / "absolute", tmp_path / "links" / "relative"
    absolute.symlink_to(plugin.root / "bin" / "engram")
    relative.symlink_to(Path("absolute"))
    folder = tmp_path / "links" / "plugin"
    folder.symlink_to(plugin.root)
    for launcher in (absolute, relative, folder / "bin" / "engram"):
        assert plugin.run("--version", launcher=str(launcher)).stdout.startswith("engram "), launcher


@pytest.mark.parametrize("launcher", ["./engram", "../bin/engram", "../../plugin/bin/engram"])
def test_a_relative_launcher_and_home_are_taken_from_the_current_folder(plugin: Plugin, launcher: str):
    cwd = plugin.root / "bin"
    ran = plugin.run("setup", "--help", launcher=launcher, cwd=cwd, ENGRAM_HOME="../../engram-home")
    assert ran.returncode == 0, ran.stderr
    assert plugin.entries() == ["base", "pycache", "python"]


def test_xdg_data_home_is_where_the_home_lies(plugin: Plugin, tmp_path: Path):
    data = tmp_path / "data"
    assert plugin.run("setup", "--help", ENGRAM_HOME="", XDG_DATA_HOME=str(data)).returncode == 0
    assert (data / "engram" / "env").is_dir()
    assert plugin.run("setup", "--help", ENGRAM_HOME="", XDG_DATA_HOME="relative").returncode == 0
    assert (tmp_path / "user-home" / ".local" / "share" / "engram" / "env").is_dir()


def test_what_stands_on_stdin_is_left_for_the_command(plugin: Plugin):
    plugin.program("python3", f'cat >/dev/null; exec "{PYTHON}" "$@"')
    (plugin.root / "engram" / "cli" / "journal.py").write_text(
        "import sys\ndef main(name, args):\n    print(sys.stdin.read())\n    return 0\n"
    )
    assert plugin.run("journal", text="what the user typed").stdout == "what the user typed\n"


def test_an_incomplete_plugin_folder_is_said(plugin: Plugin):
    (plugin.locks / "KEY").unlink()
    ran = plugin.run("--version")
    assert ran.returncode == 1
    assert f"engram: the folder {plugin.root} is not complete: install engram again" in ran.stderr


def test_the_launcher_starts_no_other_program_once_all_is_there(plugin: Plugin):
    assert plugin.run("setup", "--help").returncode == 0
    shutil.rmtree(plugin.path)
    assert plugin.run("--version", PATH="/nonexistent").stdout.startswith("engram ")


def test_the_launcher_is_executable():
    assert os.access(ROOT / "bin" / "engram", os.X_OK)
