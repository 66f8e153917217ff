"""What the messages of commits say about a text: their words as postings, and the files that they bring to a map."""

from __future__ import annotations

from engram.history.facts import Commit
from engram.history.messages import MOST_COMMITS, MOST_PATHS, pack_messages
from engram.orient.commits import MOST, similar_commits, touched_files
from engram.orient.map import find_map
from engram.orient.query import parse_query
from engram.store.lexical import unpack
from engram.store.messages import message_head, name_commits, read_messages

LEDGER = "def settle(rows):\n    return [row for row in rows if row]\n"
LABELS = "def paint(rows):\n    return str(rows)\n"
ISSUE = "Rounding of halfpennies differs between invoices"


def commit(sha: str, subject: str, paths: tuple[str, ...] = ("a.py",), size: int = 1) -> Commit:
    return Commit(sha, 1, 1, subject, (), size, paths, (), ())


def test_postings_number_the_commits_that_say_something_of_a_file():
    postings, commits = pack_messages(
        [
            commit("c", "Round halfpennies, and only halfpennies"),
            commit("m", "Merge halfpennies", paths=(), size=0),
            commit("w", "Format halfpennies everywhere", size=MOST_PATHS + 1),
            commit("b", "Fix parse_amount: halfpennies"),
        ]
    )
    assert commits == ["c", "b"]
    numbers, impacts = unpack(postings[b"halfpennies"])
    assert numbers.tolist() == [0, 1]
    assert impacts[0] > impacts[1] > 0
    assert {b"parse", b"amount", b"parse_amount"} <= postings.keys()
    assert b"and" not in postings


def test_only_the_newest_commits_have_postings():
    _, commits = pack_messages([commit(str(at), "halfpennies") for at in range(MOST_COMMITS + 1)])
    assert commits[-1] == str(MOST_COMMITS - 1)


def test_a_commit_is_shared_by_its_files_and_tests_have_none_of_it():
    paths = {1: "a.py", 2: "b.py", 3: "tests/test_a.py"}
    touched = [("x", 1), ("x", 3), ("y", 1), ("y", 2), ("y", 3)]
    scores = touched_files({"x": 1.0, "y": 0.5}, touched, paths)
    share = 0.25 / 2**0.5
    assert scores == {1: 1.0, 2: share / (1.0 + share)}
    assert touched_files({"x": 1.0}, [("x", 3)], paths) == {}


def test_a_map_knows_what_was_changed_under_such_words(repository):
    repository.commit("Rounding of halfpennies in invoices", {"ledger.py": LEDGER})
    repository.commit("Paint labels", {"labels.py": LABELS})
    repository.checkout.sync()
    before = find_map(repository.connection, repository.keys, str(repository.root), ISSUE)
    assert "ledger.py" not in [file.path for file in before.files]
    repository.follow()
    after = find_map(repository.connection, repository.keys, str(repository.root), ISSUE)
    assert after.files[0].path == "ledger.py"
    assert "labels.py" not in [file.path for file in after.files]


def test_the_words_follow_the_head(repository):
    first = repository.commit("Rounding of halfpennies", {"ledger.py": LEDGER})
    repository.follow()
    query = parse_query(ISSUE)
    assert message_head(repository.connection, repository.keys) == first
    second = repository.commit("Rounding of invoices, halfpennies", {"labels.py": LABELS})
    repository.follow()
    messages = read_messages(repository.connection, repository.keys, [*query.terms])
    fitting = similar_commits(query, messages)
    assert name_commits(repository.connection, repository.keys, messages, [*fitting]) == [second, first]
    assert messages.commits == 2
    assert next(iter(fitting.values())) == 1.0


def test_a_bounded_number_of_commits_counts(repository):
    for at in range(MOST + 5):
        repository.commit(f"Halfpennies again {at}", {"ledger.py": LEDGER + f"\n\nVALUE = {at}\n"})
    repository.follow()
    query = parse_query("halfpennies")
    messages = read_messages(repository.connection, repository.keys, [*query.terms])
    assert sorted(similar_commits(query, messages)) == list(range(MOST))


def test_what_another_branch_did_is_no_evidence(repository):
    first = repository.commit("Start", {"labels.py": LABELS, "ledger.py": LEDGER})
    second = repository.commit("Rounding of halfpennies in invoices", {"ledger.py": LEDGER + "\n\nVALUE = 1\n"})
    repository.follow()

    def found() -> list[str]:
        repository.checkout.sync()
        root = str(repository.root)
        return [file.path for file in find_map(repository.connection, repository.keys, root, ISSUE).files]

    repository.commit("Paint labels", {"labels.py": LABELS + "\n\nVALUE = 2\n"})  # and not followed yet
    assert found() == ["ledger.py"]
    repository.git("checkout", "-q", "-b", "other", first)
    assert found() == []
    repository.git("checkout", "-q", "--detach", second)
    assert found() == ["ledger.py"]
