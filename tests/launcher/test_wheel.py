"""The wheel carries all that the package reads, and installs a command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from engram import __version__
from tests.launcher.plugin import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    argv = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(argv, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a fresh virtual environment with the wheel; what it depends on comes from the tests' own."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel]
    subprocess.run(pip, check=True, env={"PATH": os.environ["PATH"], "HOME": str(folder)})
    packages = [path for path in sys.path if path.endswith("site-packages")]
    (next(folder.glob("lib/python3.*/site-packages")) / "tests.pth").write_text("\n".join(packages))
    return folder / "bin"


def run(*argv: object, cwd: Path, home: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": str(cwd / "user"), "ENGRAM_HOME": home}
    return subprocess.run([str(part) for part in argv], cwd=cwd, env=env, capture_output=True, text=True)


def test_its_name_and_contents(wheel: Path):
    assert wheel.name == f"engram_graph-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as inside:
        names = set(inside.namelist())
    package = ROOT / "engram"
    kept = [path.relative_to(ROOT) for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {str(path) for path in kept} <= names
    assert {path.suffix for path in kept} >= {".py", ".scm", ".txt"}
    assert not [name for name in names if name.startswith(("tests/", "tools/", "build/"))]


def test_the_installed_command_works_outside_of_the_checkout(installed: Path, tmp_path: Path, engram_home: str):
    assert run(installed / "engram", "--version", cwd=tmp_path, home=engram_home).stdout == f"engram {__version__}\n"
    assert "usage: engram" in run(installed / "python", "-m", "engram", "--help", cwd=tmp_path, home=engram_home).stdout
    (tmp_path / "greet.py").write_text("def greet(name):\n    return name\n")
    found = run(installed / "engram", "ast", "greet.py", "functions", "--repo", ".", cwd=tmp_path, home=engram_home)
    assert [symbol["name"] for symbol in json.loads(found.stdout)["data"]["symbols"]] == ["greet"], found
