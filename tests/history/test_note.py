"""What an agent is told after an edit of a file that changes together with others."""

from __future__ import annotations

from tests.activity.session import Session


def test_the_files_that_change_with_it_are_named_once(repository, server):
    for value in range(2):
        files = dict.fromkeys(("a.py", "b.py", "pack/c.py"), f"x = {value}\n")
        repository.commit(f"number {value}", {**files, "once.py": "x = 0\n"})
    repository.follow()
    session = Session(repository.root, server.home, "one")
    told = "[engram] a.py changed. Changes with it: b.py, pack/c.py."
    assert session.edit("a.py", "x = 1", "x = 7") == told
    session.settle()
    assert session.edit("a.py", "x = 7", "x = 8") == ""
    session.settle()
    assert session.failures() == ""
