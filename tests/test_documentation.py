"""The documents name what there is: every command, variable and decision; and no link leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engram import __version__
from engram.cli.main import COMMANDS
from engram.config import KNOWN

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_readme(name: str):
    assert re.search(rf"`(engram )?{name}\b", README), name


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_every_variable_stands_in_the_readme(name: str):
    assert f"`{name}`" in README


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text()):
        assert target.startswith("https://") or (document.parent / target).exists(), target


def test_every_decision_is_listed():
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text())
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_every_dependency_has_a_decision():
    text = "".join([path.read_text() for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")])
    block = re.search(r"^dependencies = \[\n(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE | re.DOTALL)
    assert block is not None
    for name in re.findall(r'"([\w-]+)', block.group(1)):
        assert name in text, name


def test_the_changelog_tells_of_this_version():
    assert __version__ in (ROOT / "CHANGELOG.md").read_text()
