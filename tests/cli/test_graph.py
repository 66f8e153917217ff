"""`engram index`, `callers`, `callees`, `symbols`: what a person or an agent reads, as text and as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engram.config import Config
from tests.patience import LIMIT_S, wait_until

SOURCE = """
class Shape:
    def area(self):
        return self.scale()

    def scale(self):
        return 1


def draw(shape: Shape):
    return shape.area()


def unknown(thing):
    return thing.compute_the_outline()


class Outline:
    def compute_the_outline(self):
        return draw(Shape())
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A folder with one module; no git is needed."""
    folder = tmp_path / "shapes"
    folder.mkdir()
    (folder / ".engram").mkdir()
    (folder / "shapes.py").write_text(SOURCE)
    return folder


def engram(server: Config, folder: Path, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One run of the command line in the folder."""
    root = Path(__file__).resolve().parent.parent.parent
    env = {"PATH": os.environ["PATH"], "HOME": server.home, "ENGRAM_HOME": server.home, "ENGRAM_REFINE": "0", **more}
    command = [sys.executable, "-m", "engram", *args]
    return subprocess.run(
        command, cwd=folder, env={**env, "PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=LIMIT_S
    )


def test_index_says_what_it_holds_and_what_it_did(server, repo):
    first = engram(server, repo, "index")
    assert first.stdout.startswith("indexed: 1 files, 7 symbols, 5 calls")
    assert engram(server, repo, "index").stdout.startswith("up to date: 1 files")
    (repo / "more.py").write_text("def broken(:\n")
    again = engram(server, repo, "index").stdout
    assert again.startswith("updated: 2 files")
    assert "changed: 1, gone: 0" in again
    assert "1 with syntax errors" in again
    wire = json.loads(engram(server, repo, "index", "--json", "--rebuild").stdout)
    assert (wire["mode"], wire["files"], wire["issues"]) == ("built", 2, {"syntax-error": 1})
    assert wire["indexedAt"].endswith("Z")


def test_callers_are_facts_first_and_possible_ones_apart(server, repo):
    facts = engram(server, repo, "callers", "Shape.scale").stdout
    assert facts == "shapes.py:6-7 Shape.scale called by:\n- shapes.py:4 Shape.area\n"
    possible = engram(server, repo, "callers", "compute_the_outline").stdout.splitlines()
    assert possible[0].endswith("Outline.compute_the_outline called by: none seen")
    assert possible[1:] == ["possible, not certain:", "- shapes.py:15 unknown"]


def test_callees_name_the_places_of_what_is_called(server, repo):
    assert engram(server, repo, "callees", "draw").stdout.splitlines()[1:] == ["- shapes.py:3-4 Shape.area (line 11)"]
    wire = json.loads(engram(server, repo, "callees", "draw", "--json").stdout)
    assert wire["symbol"]["id"] == "shapes.py#draw"
    assert [call["callee"]["qualname"] for call in wire["callees"]] == ["Shape.area"]
    assert wire["truncated"] is False


def test_symbols_are_listed_and_the_cut_is_said(server, repo):
    assert engram(server, repo, "symbols", "SHAPE.A").stdout == "shapes.py:3-4 method Shape.area\n"
    cut = engram(server, repo, "symbols", "--limit", "2").stdout.splitlines()
    assert len(cut) == 3
    assert cut[2] == "... cut after 2; --limit shows more"
    assert json.loads(engram(server, repo, "symbols", "--limit", "2", "--json").stdout)["truncated"] is True


def test_an_unknown_or_ambiguous_symbol_is_explained(server, repo):
    nobody = engram(server, repo, "callers", "nobody")
    assert (nobody.returncode, nobody.stdout) == (1, "")
    assert "no symbol is called nobody" in nobody.stderr
    (repo / "twin.py").write_text("def draw():\n    pass\n")
    twins = engram(server, repo, "callers", "draw")
    assert twins.returncode == 1
    assert "shapes.py#draw, twin.py#draw" in twins.stderr
    assert engram(server, repo, "callers", "twin.py#draw").returncode == 0


@pytest.mark.parametrize(
    "args", [["callers"], ["symbols", "--limit", "0"], ["index", "--sideways"], ["no-such-command"]]
)
def test_wrong_usage_ends_with_2(server, repo, args):
    assert engram(server, repo, *args).returncode == 2


@pytest.mark.parametrize("command", [["symbols"], ["callers", "x"], ["index"], ["orient", "x"], ["query", "RETURN 1"]])
def test_inside_a_client_no_other_repository_is_read(server, repo, tmp_path, command):
    other = tmp_path / "other"
    (other / ".engram").mkdir(parents=True)
    refused = engram(server, repo, *command, "--repo", str(other), CLAUDECODE="1")
    assert refused.returncode == 1
    assert "is not this repository" in refused.stderr


def test_a_new_index_is_refined_in_the_background(server, repo):
    (repo / "launch.py").write_text("from shapes import Shape\n\n\ndef measure(form):\n    return form.area()\n")
    (repo / "test_launch.py").write_text(
        "from launch import measure\nfrom shapes import Shape\n\n\ndef test_it():\n    assert measure(Shape()) == 1\n"
    )
    engram(server, repo, "index", ENGRAM_REFINE="1")

    def called() -> list[str]:
        found = json.loads(engram(server, repo, "callees", "measure", "--json").stdout)["callees"]
        return [call["callee"]["qualname"] for call in found if call["confidence"] >= 0.8]

    wait_until(lambda: called() == ["Shape.area"], called)
    assert (Path(server.home) / "refine.log").exists()
    engram(server, repo, "refine")  # where the one in the background has not said yet that it is done
    assert "nothing to refine" in engram(server, repo, "refine").stdout
