"""Installing the plugin from its folder and from a git host, and the first session after that."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram import __version__
from tests.client.driver import Client, copy_plugin
from tests.client.git_host import GitHost
from tests.client.model import Call, Rule
from tests.launcher.plugin import PYTHON, Plugin
from tests.leftovers import settle, take_down
from tests.patience import wait_until


def publish(source: Path, bare: Path) -> None:
    """Commit a folder and make a bare repository of it."""
    git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "engram"]):
        subprocess.run([*git, *words], cwd=source, check=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(source), str(bare)], check=True)


def install(client: Client, source: str) -> None:
    """Add the marketplace and install the plugin, as a user does it, without a question."""
    for words in (["marketplace", "add", source], ["install", "engram@engram"]):
        ran = client.command("plugin", *words)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    client.plugin = ()


def installed(client: Client) -> Path:
    """Where the client runs the plugin from."""
    ran = client.command("plugin", "list", "--json")
    (found,) = [one for one in json.loads(ran.stdout) if one["id"] == "engram@engram"]
    assert (found["version"], found["enabled"]) == (__version__, True)
    return Path(found["installPath"])


def works(client: Client) -> None:
    """The command, its permission, bin/ on the PATH of the Bash tool, and the hooks."""
    grep = Call("Bash", command="engram grep order_total", description="look")
    run = client.run("/engram where?", [Rule(grep, shown="<question>"), Rule("found", shown='"ok":true')]).check()
    assert "engram:recurse" in run.asked("main")[0].text
    assert not run.denials
    asked = [json.loads(line) for line in client.engram("journal", "tail", "--json").splitlines()]
    assert asked[0]["session"] == run.session


def test_from_the_folder(client: Client, tmp_path: Path):
    folder = copy_plugin(tmp_path / "plugin")
    install(client, str(folder))
    works(client)


def test_from_a_git_host(client: Client, tmp_path: Path):
    publish(copy_plugin(tmp_path / "plugin"), tmp_path / "host" / "engram.git")
    with GitHost(tmp_path / "host") as host:
        install(client, f"{host.url}/engram.git")
    shutil.rmtree(tmp_path / "plugin")
    assert str(client.home) in str(installed(client))
    works(client)
    ran = client.command("plugin", "uninstall", "engram@engram")
    assert ran.returncode == 0, ran.stderr
    run = client.run("/engram where?", [Rule("no such command", times=0)])
    assert not any("<question>" in request.text for request in run.requests)


@pytest.fixture
def fresh(client: Client, tmp_path: Path) -> Iterator[Plugin]:
    """The plugin installed where nothing was set up before, with packages that are made in seconds.

    Nothing is set up until the file `go` is there.
    """
    fresh = Plugin(tmp_path / "fresh", tmp_path / "wheels")
    source = copy_plugin(tmp_path / "source")
    for part in (".claude-plugin", "commands", "agents", "hooks"):
        shutil.copytree(source / part, fresh.root / part)
    wait = f'while [ ! -e "{fresh.path}/go" ]; do sleep 0.05; done'
    fresh.program("python3", f'{wait}; exec "{PYTHON}" "$@"')
    install(client, str(fresh.root))
    client.engram_home = str(fresh.home)
    yield fresh
    (fresh.path / "go").touch()
    take_down(str(fresh.home))


READY = "[engram] Ready"


def test_sessions_work_while_the_environment_is_made(client: Client, fresh: Plugin):
    """The setup goes on beside and beyond the first session, and the next one says in one line that all is ready."""
    env = {name: value for name, value in fresh.environ().items() if name.startswith("PIP_")}
    env["ENGRAM_PYTHON"] = str(fresh.path / "python3")
    read = Call("Read", file_path=str(client.repository / "shop" / "prices.py"))
    first = client.run("what is the discount?", [Rule(read), Rule("ten", shown="def order_total")], env=env).check()
    assert "[engram]" not in "".join([request.text for request in first.requests])
    assert fresh.entries() == []
    (fresh.path / "go").touch()
    settle(client.engram_home)
    second = client.run("and the price?", [Rule("forty")], env=env, resume=first.session).check()
    assert second.asked("main")[0].news.count(READY) == 1
    third = client.run("of pears?", [Rule("fifty-five")], env=env).check()
    assert READY not in third.asked("main")[0].text


def test_the_next_prompt_says_that_the_environment_is_ready(client: Client, fresh: Plugin):
    env = {name: value for name, value in fresh.environ().items() if name.startswith("PIP_")}
    env["ENGRAM_PYTHON"] = str(fresh.path / "python3")

    def once_ready() -> str:
        (fresh.path / "go").touch()
        wait_until((fresh.env / "announce").exists, "the environment is not made")
        return "and the price?"

    prompts = ["what is the discount?", once_ready, "of pears?"]
    rules = [Rule("ten", shown="the discount"), Rule("forty", shown="and the price"), Rule("55", shown="of pears")]
    run = client.run(prompts, rules, env=env).check()
    assert [request.news.count(READY) for request in run.asked("main")] == [0, 1, 0]
