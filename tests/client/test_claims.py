"""Claims as the sessions of real clients meet them: on every tool that edits, by subagents, and in other worktrees."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.activity.session import Session
from tests.client.driver import Client
from tests.client.model import Call, Request, Rule

FILE = "shop/prices.py"
NOTEBOOK = {
    "cells": [{"cell_type": "code", "id": "one", "metadata": {}, "outputs": [], "execution_count": None, "source": ""}],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
OTHER = "0ther-5e55-10n"


def edit(root: Path, old: str, new: str) -> Call:
    return Call("Edit", file_path=str(root / FILE), old_string=old, new_string=new)


def claims(client: Client) -> list[tuple[str, str]]:
    """Path and session of each open claim."""
    return sorted((claim["path"], claim["session"]) for claim in json.loads(client.engram("claims", "--json")))


def test_write_and_notebook_edit_claim_and_are_denied_too(client: Client):
    root = client.repository
    (root / "sums.ipynb").write_text(json.dumps(NOTEBOOK))
    client.engram("index")
    other = Session(root, client.engram_home, OTHER)
    seen = []

    def look(request: Request) -> str:
        seen.extend(claims(client))
        return "done"

    rules = [
        Rule(Call("Read", file_path=str(root / "sums.ipynb"))),
        Rule(Call("NotebookEdit", notebook_path=str(root / "sums.ipynb"), cell_id="one", new_source="1 + 1")),
        Rule(Call("Write", file_path=str(root / "new.py"), content="def late_fee(): ...\n")),
        Rule(look),
    ]
    for path in ("sums.ipynb", "new.py"):
        assert other.before_edit(path) == ""
    denied = client.run("sum up", rules, allowed=["Write", "NotebookEdit"]).check()
    assert [one["tool_name"] for one in denied.denials] == ["NotebookEdit", "Write"]
    for request, path in zip(denied.asked("main")[2:], ("sums.ipynb", "new.py"), strict=True):
        assert f"Engram: {path} is being edited by Claude Code 0ther-5e right now" in request.results
    assert not (root / "new.py").exists()
    other.send("SessionEnd", reason="other")
    for rule in rules:
        rule.used = 0
    seen.clear()
    run = client.run("sum up", rules, allowed=["Write", "NotebookEdit"]).check()
    assert seen == [("new.py", run.session), ("sums.ipynb", run.session)]
    assert "1 + 1" in (root / "sums.ipynb").read_text()
    assert (root / "new.py").exists()


def test_a_subagent_edits_what_its_session_has_claimed(client: Client):
    root = client.repository
    client.engram("index")
    other = Session(root, client.engram_home, OTHER)
    said = []

    def dispatch(request: Request) -> Call:
        said.append(other.before_edit(FILE))
        return Call(
            "Agent", description="edit", subagent_type="general-purpose", prompt="SUBTASK", run_in_background=False
        )

    def finish(request: Request) -> str:
        said.append(other.before_edit(FILE))
        return "SUB is done"

    rules = [
        Rule(Call("Read", file_path=str(root / FILE))),
        Rule(edit(root, "discount // 100", "discount // 200")),
        Rule(dispatch, shown="has been updated"),
        Rule(Call("Read", file_path=str(root / FILE)), asker="sub", shown="SUBTASK"),
        Rule(edit(root, "discount // 200", "discount // 300"), asker="sub"),
        Rule(finish, asker="sub"),
        Rule("done", shown="SUB is done"),
    ]
    run = client.run("other discounts", rules, allowed=["Edit"]).check()
    assert run.denials == []
    assert "discount // 300" in (root / FILE).read_text()
    assert all(f"is being edited by Claude Code {run.session[:8]} right now" in denial for denial in said)
    assert len(said) == 2
    assert claims(client) == []


def test_a_release_by_the_model_frees_the_file(client: Client):
    root = client.repository
    client.engram("index")
    assert Session(root, client.engram_home, OTHER).before_edit(FILE) == ""
    change = edit(root, "discount // 100", "discount // 200")
    rules = [
        Rule(Call("Read", file_path=str(root / FILE))),
        Rule(change),
        Rule(Call("Bash", command=f"engram claims release {FILE}", description="free it"), shown="is being edited by"),
        Rule(change),
        Rule("done", shown="has been updated"),
    ]
    run = client.run("halve the discount", rules, allowed=["Edit", "Bash(engram claims release:*)"]).check()
    assert [denied["tool_name"] for denied in run.denials] == ["Edit"]
    assert "discount // 200" in (root / FILE).read_text()
    assert Session(root, client.engram_home, OTHER).before_edit(FILE) == ""


def test_a_session_in_another_worktree_is_told_and_not_blocked(client: Client, plugin: Path, tmp_path: Path):
    first, second = client.repository, tmp_path / "second"
    subprocess.run(["git", "worktree", "add", "-q", str(second)], cwd=first, check=True)
    elsewhere = Client(client.program, client.home, client.engram_home, second, plugin)
    for one in (client, elsewhere):
        one.engram("index")
        one.engram("refine")  # what the index starts in the background
    runs = []

    def meanwhile(request: Request) -> str:
        """While the session in the first worktree holds its claim, another one works in the second."""
        rules = [
            Rule(Call("Read", file_path=str(second / FILE))),
            Rule(edit(second, "discount // 100", "discount // 300")),
            Rule("done", shown="has been updated"),
        ]
        runs.append(elsewhere.run("other discounts", rules, allowed=["Edit"]).check())
        return "done"

    rules = [
        Rule(Call("Read", file_path=str(first / FILE))),
        Rule(edit(first, "discount // 100", "discount // 200")),
        Rule(meanwhile, shown="has been updated"),
    ]
    run = client.run("halve the discount", rules, allowed=["Edit"]).check()
    [inner] = runs
    assert inner.denials == []
    assert "discount // 300" in (second / FILE).read_text()
    card, _, after = inner.asked("main")
    holder = f"{first}: {FILE} by Claude Code {run.session[:8]} (since "
    assert f"Being edited in {holder}" in card.text
    assert f"Also being edited in {first} by Claude Code {run.session[:8]} (since " in after.text
