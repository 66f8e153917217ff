"""`/engram:journal` shows the session's entries and whether the chain holds; it runs before the model is asked."""

from __future__ import annotations

from tests.client.driver import Client
from tests.client.model import Call, Rule

ASK = "/engram where is the discount?"


def looked(client: Client, pattern: str) -> str:
    """A session in which the model has run one grep; its id."""
    grep = Call("Bash", command=f"engram grep {pattern}", description="look")
    return client.run(ASK, [Rule(grep), Rule("found", shown='"primitive":"grep"')]).check().session


def test_it_shows_the_entries_of_this_session(client: Client):
    looked(client, "pear")
    session = looked(client, "discount")
    run = client.run("/engram:journal", [Rule("so it is", shown="Show the entries as they stand")], resume=session)
    shown = run.check().asked("main")[-1].news
    assert "grep" in shown
    assert "pattern=discount" in shown
    assert "pattern=pear" not in shown
    assert "each follows from the one before" in shown


def test_it_shows_a_broken_chain(client: Client):
    session = looked(client, "discount")
    journal = client.repository / ".engram" / "journal.jsonl"
    journal.write_text(journal.read_text().replace("discount", "nothing"))
    run = client.run("/engram:journal", [Rule("it is broken", shown="Show the entries")], resume=session).check()
    assert "BROKEN at journal.jsonl:" in run.asked("main")[-1].news


def test_it_works_where_nothing_was_asked(client: Client):
    run = client.run("/engram:journal", [Rule("nothing yet", shown="Show the entries")]).check()
    assert "the journal is empty" in run.asked("main")[0].news
