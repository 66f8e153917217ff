"""The plugin's files: what the client's own check says of them, and what they promise."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from engram import __version__
from engram.cli.main import COMMANDS
from tests.client.driver import ROOT, Client

MANIFEST = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text())
MARKETPLACE = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())
HOOKS = json.loads((ROOT / "hooks" / "hooks.json").read_text())["hooks"]
PARTS = (".claude-plugin", "commands", "agents", "hooks", "bin")


def front_matter(path: str) -> dict[str, str]:
    """The scalars between the two lines of dashes."""
    lines = (ROOT / path).read_text().split("---\n")[1].splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_names_and_version_agree():
    assert MANIFEST["name"] == MARKETPLACE["name"] == "engram"
    assert MANIFEST["version"] == __version__
    (offered,) = MARKETPLACE["plugins"]
    assert (offered["name"], offered["source"]) == ("engram", "./")
    assert "version" not in offered  # said once


def test_every_hook_goes_through_the_launcher_without_a_shell():
    for event, groups in HOOKS.items():
        for group in groups:
            for hook in group["hooks"]:
                assert hook["command"] == "${CLAUDE_PLUGIN_ROOT}/bin/engram"
                assert hook["args"][:2] == ["hook", event]
                assert 0 < hook["timeout"] <= 120


def test_the_command_allows_the_agent_and_single_subcommands():
    rules = front_matter("commands/engram.md")["allowed-tools"].split(", ")
    bash = {match.group(1) for rule in rules if (match := re.fullmatch(r"Bash\(engram ([a-z ]+):\*\)", rule))}
    primitives = {"grep", "read", "ast", "git", "recurse"}
    assert bash == primitives | {"recurse answer", "recurse collect", "orient", "callers", "callees", "symbols"}
    assert set(rules) - {f"Bash(engram {name}:*)" for name in bash} == {"Agent(engram:recurse)"}
    assert {name.split()[0] for name in bash} <= set(COMMANDS)


def test_the_question_reaches_no_shell():
    body = (ROOT / "commands" / "engram.md").read_text()
    assert body.count("$ARGUMENTS") == 1
    assert "!`" not in body
    assert "```!" not in body
    assert "$ARGUMENTS" not in (ROOT / "commands" / "journal.md").read_text()


def test_every_engram_command_that_the_texts_name_exists():
    for path in ("commands/engram.md", "commands/journal.md", "agents/recurse.md"):
        named = re.findall(r"`engram ([a-z]+)", (ROOT / path).read_text())
        assert named
        assert set(named) <= set(COMMANDS), path


@pytest.mark.parametrize("without", ["", "marketplace.json"])
def test_the_clients_own_check_passes(client: Client, tmp_path: Path, without: str):
    """With the marketplace file the client checks that one; without it, the plugin and all of its parts."""
    for part in PARTS:
        shutil.copytree(ROOT / part, tmp_path / "plugin" / part)
    if without:
        (tmp_path / "plugin" / ".claude-plugin" / without).unlink()
    ran = client.command("plugin", "validate", "--strict", str(tmp_path / "plugin"))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "warning" not in ran.stdout.partition("directory checks")[0].lower()


def test_the_clients_own_check_fails_where_something_is_wrong(client: Client, tmp_path: Path):
    for part in PARTS:
        shutil.copytree(ROOT / part, tmp_path / "plugin" / part)
    (tmp_path / "plugin" / "hooks" / "hooks.json").write_text('{"hooks": {"NoSuchEvent": 3}}')
    (tmp_path / "plugin" / ".claude-plugin" / "marketplace.json").unlink()
    assert client.command("plugin", "validate", "--strict", str(tmp_path / "plugin")).returncode == 1
