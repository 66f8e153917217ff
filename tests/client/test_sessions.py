"""Sessions that are resumed, forked and cleared, commands of other plugins, and sessions without a working engram."""

from __future__ import annotations

import json
from pathlib import Path

from engram.config import Config
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.server import open_connection
from engram.worktree import find_worktree
from tests.activity.session import Session
from tests.client.driver import Client
from tests.client.model import Call, Request, Rule
from tests.leftovers import kill_server, settle
from tests.shop import TASK

OTHER = "checkout_order in shop/checkout.py should know one more coupon"
CARD = "[engram] Repository repository, branch "
MAP = "[engram] Likely locations for this task"
FILE = "shop/prices.py"


def edit(root: Path, old: str = "discount // 100", new: str = "discount // 200") -> list[Rule]:
    return [
        Rule(Call("Read", file_path=str(root / FILE))),
        Rule(Call("Edit", file_path=str(root / FILE), old_string=old, new_string=new)),
        Rule("done", shown="has been updated"),
    ]


def watch_starts(client: Client, file: Path) -> tuple[str, str]:
    """Arguments for the client that let a hook of the test's own keep what SessionStart is given."""
    hook = {"type": "command", "command": f"cat >>'{file}'; echo >>'{file}'"}
    return "--settings", json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})


def sources(file: Path) -> list[str]:
    return [json.loads(line)["source"] for line in file.read_text().splitlines() if line]


def test_a_resumed_and_a_forked_session_get_a_new_card_and_no_place_twice(client: Client, tmp_path: Path):
    client.engram("index")
    watch = watch_starts(client, tmp_path / "starts")
    first = client.run(TASK, [Rule("done")], args=watch).check()
    assert "Being edited" not in first.asked("main")[0].text
    Session(client.repository, client.engram_home, "0ther-5e55-10n").before_edit(FILE)
    resumed = client.run(OTHER, [Rule("done")], args=watch, resume=first.session).check().asked("main")[0]
    forked = client.run("thanks", [Rule("done")], args=[*watch, "--fork-session"], resume=first.session).check()
    assert forked.session != first.session
    for shown in (resumed, forked.asked("main")[0]):
        assert "Being edited: shop/prices.py by Claude Code 0ther-5e (since " in shown.text
        assert "- shop/checkout.py:6-9 checkout_order" in shown.text
        assert shown.text.count("- shop/prices.py:9-12 order_total") == 1  # in the first map only
    started, again, copied = sources(tmp_path / "starts")
    assert (started, again) == ("startup", "resume")
    assert copied in ("resume", "fork"), copied  # an older client knows no fork


def test_a_cleared_session_gets_the_card_anew(client: Client, tmp_path: Path):
    client.engram("index")
    watch = watch_starts(client, tmp_path / "starts")
    run = client.run([TASK, "/clear", TASK], [Rule("done", times=0)], args=watch).check()
    last = run.asked("main")[-1]
    assert last.text.count(CARD) == 1
    assert last.text.count(MAP) == 1
    assert "clear" in sources(tmp_path / "starts")


def test_a_command_of_somebody_else_gets_no_map(client: Client):
    client.engram("index")
    commands = client.repository / ".claude" / "commands"
    commands.mkdir(parents=True)
    (commands / "repair.md").write_text("Repair this: $ARGUMENTS\n")
    shown = client.run(f"/repair {TASK}", [Rule("done", shown="Repair this: order_total")]).check().asked("main")[0]
    assert CARD in shown.text
    assert MAP not in shown.text


def test_a_place_in_a_changed_file_is_shown_once_it_is_indexed_again(client: Client):
    client.engram("index")
    file = client.repository / FILE

    def change() -> str:
        settle(client.engram_home, client=client.program)  # the sync that the session has started
        file.write_text("# one more line\n" + file.read_text())
        return TASK

    def wait() -> str:
        settle(client.engram_home, client=client.program)
        return TASK

    run = client.run(["thanks", change, wait], [Rule("done", times=3)]).check()
    _, stale, fresh = run.asked("main")
    assert "shop/prices.py:" not in stale.text
    assert "- shop/prices.py:10-13 order_total" in fresh.text


def test_what_bash_and_edits_change_is_indexed(client: Client):
    client.engram("index")
    make = "printf 'def late_fee(): pass\\n' >shop/late.py"
    new = "discount // 100\n\n\ndef refund() -> int:\n    return 0"
    root = client.repository
    rules = [*edit(root, new=new)[:2], Rule(Call("Bash", command=make, description="make")), Rule("done")]

    def wait() -> str:
        settle(client.engram_home, client=client.program)
        return "thanks"

    client.run([wait, "add fees"], [Rule("done", shown="thanks"), *rules], allowed=["Edit", "Bash"]).check()
    settle(client.engram_home, client=client.program)
    config = Config(home=client.engram_home)
    with open_connection(config) as connection:
        graph = Graph(connection, graph_keys(config, find_worktree(str(root))).graph)
        named = "MATCH (s:Symbol) WHERE s.name IN ['late_fee', 'refund'] RETURN s.id ORDER BY s.id"
        assert graph.read(named) == [["shop/late.py#late_fee"], ["shop/prices.py#refund"]]


def test_a_server_killed_in_the_middle_of_a_session_holds_nothing_up(client: Client):
    client.engram("index")

    def kill(request: Request) -> Call:
        settle(client.engram_home, client=client.program)
        kill_server(client.engram_home)
        return change

    read, rule, done = edit(client.repository)
    change, rule.reply = rule.reply, kill
    run = client.run([TASK, OTHER], [read, rule, done, Rule("done")], allowed=["Edit"]).check()
    assert run.denials == []
    assert "discount // 200" in (client.repository / FILE).read_text()
    assert "PreToolUse: ServerUnavailable" in Path(client.engram_home, "hook.log").read_text()
    journal = (client.repository / ".engram/journal.jsonl").read_text()
    assert [json.loads(line)["primitive"] for line in journal.splitlines()] == ["Read", "Edit"]


def test_a_session_works_where_engram_has_no_home(client: Client):
    run = client.run(TASK, edit(client.repository), allowed=["Edit"], env={"ENGRAM_HOME": "/proc/no-home"}).check()
    assert run.denials == []
    assert "discount // 200" in (client.repository / FILE).read_text()


def test_a_session_works_where_nothing_can_be_written_in_the_home(client: Client):
    """Something lies where the folders of server and sync would be made, which keeps root out as well."""
    taken = [Path(client.engram_home, name) for name in ("server", "sync")]
    for path in taken:
        path.write_text("in the way")
    run = client.run(TASK, edit(client.repository), allowed=["Edit"]).check()
    settle(client.engram_home)
    for path in taken:
        path.unlink()
    assert run.denials == []
    assert "discount // 200" in (client.repository / FILE).read_text()
    assert "SessionStart: FileExistsError" in Path(client.engram_home, "hook.log").read_text()
    journal = (client.repository / ".engram/journal.jsonl").read_text()
    assert [json.loads(line)["primitive"] for line in journal.splitlines()] == ["Read", "Edit"]
