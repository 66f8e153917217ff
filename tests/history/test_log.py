"""Reading commits from git: whatever names, messages, dates and kinds of commits it has."""

from __future__ import annotations

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import GitError
from engram.history.facts import pack_slice, unpack_slice
from engram.history.log import MAX_PATHS, parse_log, read_commits
from engram.history.people import parse_contact
from tests.history.repository import START, git

HEAD = ["HEAD"]


def commit(root, message="change", **options):
    git(root, "add", "-A", **options)
    git(root, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message, **options)
    return git(root, "rev-parse", "HEAD")


def read(root, most=100, **options):
    return read_commits(str(root), HEAD, most=most, **options)


@pytest.fixture
def root(tmp_path):
    """An empty repository."""
    git(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


def hand_made(root, author: bytes, message: bytes, *parents: str, headers: bytes = b"") -> str:
    """A commit of the tree that is staged, byte by byte; HEAD is at it."""
    tree = git(root, "write-tree")
    lines = [f"tree {tree}", *[f"parent {parent}" for parent in parents]]
    raw = (
        "\n".join(lines).encode() + b"\nauthor " + author + b"\ncommitter " + author + b"\n" + headers + b"\n" + message
    )
    sha = git(root, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw)
    git(root, "update-ref", "HEAD", sha)
    return sha


def test_what_a_commit_did(root):
    (root / "a.py").write_text("x = 1\n" * 20)
    (root / "b.py").write_text("y = 1\n")
    commit(root, "first\n\nwith a body", at=START)
    git(root, "mv", "a.py", "c.py")
    (root / "b.py").unlink()
    sha = commit(root, "second", at=START + 60, author=("Bob", "BOB@example.org"))
    second, first = read(root)
    assert second.sha == sha
    assert second[1:6] == (START + 60, START + 60, "second", (("bob@example.org", "Bob"),), 2)
    assert set(second.paths) == {"b.py", "c.py"}
    assert second.renamed == (("a.py", "c.py"),)
    assert second.added == ()
    assert first.subject == "first"
    assert first.added == first.paths == ("a.py", "b.py")


def test_slices_keep_everything(root):
    names = ["plain.py", 'quo"ted.py', "new\nline.py", "tab\t.py", "ünï.py", b"latin-\xe4.py", " leading", ":colon"]
    for name in names:
        with open(os.path.join(os.fsencode(root), os.fsencode(name)), "w") as file:
            file.write(f"{name!r}\n")
    commit(root)
    [found] = read(root)
    assert set(found.paths) == {os.fsdecode(name) for name in names}
    assert unpack_slice(pack_slice([found])) == [found]


def test_names_and_messages_that_are_not_utf8(root):
    (root / "a.py").write_text("x = 1\n")
    git(root, "add", "-A")
    hand_made(root, b"J\xf6rg <j\xf6rg@example.org> 1600000000 +0000", b"caf\xe9\n\nbody\n")
    hand_made(
        root,
        b"J\xf6rg <j@example.org> 1600000060 +0000",
        b"caf\xe9\n",
        git(root, "rev-parse", "HEAD"),
        headers=b"encoding ISO-8859-1\n",
    )
    declared, undeclared = read(root)
    assert (declared.subject, declared.authors[0].name) == ("café", "Jörg")
    assert undeclared.subject == "caf\ufffd"
    assert unpack_slice(pack_slice([declared, undeclared])) == [declared, undeclared]


@pytest.mark.parametrize(
    "seconds", ["-1000000000", "0", "31556889864403", "9223372036854775807", "99999999999999999999999", "nonsense"]
)
def test_dates_out_of_range(root, seconds):
    hand_made(root, f"Ann <ann@example.org> {seconds} +0000".encode(), b"when\n")
    [found] = read(root)
    for at in (found.at, found.committed):
        assert 1 <= time.gmtime(at).tm_year <= 9999


def test_a_subject_without_end_is_cut(root):
    commit(root, "x" * 100_000)
    assert len(read(root)[0].subject) == 200


def test_submodules_are_no_files(root):
    first = commit(root, "first")
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{first},inner")
    git(root, "commit", "-q", "-m", "with a submodule")
    (root / "a.py").write_text("x = 1\n")
    git(root, "update-index", "--cacheinfo", f"160000,{'1' * 40},inner")
    git(root, "add", "a.py")
    git(root, "commit", "-q", "-m", "moved")
    git(root, "rm", "-q", "--cached", "inner")
    git(root, "commit", "-q", "-m", "without")
    assert [(one.size, one.paths) for one in read(root)] == [(0, ()), (1, ("a.py",)), (0, ()), (0, ())]


def test_merges_have_no_paths_of_their_own(root):
    (root / "a.py").write_text("x = 1\n")
    commit(root, "first")
    git(root, "checkout", "-q", "-b", "side")
    (root / "b.py").write_text("x = 1\n")
    commit(root, "aside")
    git(root, "checkout", "-q", "main")
    (root / "c.py").write_text("x = 1\n")
    commit(root, "second")
    git(root, "merge", "-q", "--no-edit", "side")
    assert {one.subject.split()[0]: one.paths for one in read(root)} == {
        "Merge": (),
        "second": ("c.py",),
        "aside": ("b.py",),
        "first": ("a.py",),
    }


def test_a_commit_with_very_many_files_names_none_but_its_renames(root):
    (root / "old").mkdir()
    for index in range(MAX_PATHS + 1):
        (root / "old" / f"{index}.py").write_text(f"x = {index}\n")
    commit(root, "import")
    git(root, "mv", "old", "new")
    commit(root, "moved")
    moved, imported = read(root)
    assert (imported.size, imported.paths, imported.added) == (MAX_PATHS + 1, (), ())
    assert (moved.size, moved.paths, len(moved.renamed)) == (MAX_PATHS + 1, (), MAX_PATHS + 1)


def test_the_end_of_a_shallow_clone_has_no_paths(root):
    (root / "a.py").write_text("x = 1\n")
    sha = commit(root)
    assert read(root, boundary={sha})[0].paths == ()


def test_a_repository_with_longer_ids(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256")
    (tmp_path / "a.py").write_text("x = 1\n")
    sha = commit(tmp_path)
    [found] = read(tmp_path)
    assert (found.sha, len(found.sha), found.paths) == (sha, 64, ("a.py",))


def test_a_part_of_a_history(root):
    for number in range(7):
        commit(root, f"number {number}")
    assert [one.subject for one in read(root, most=2, skip=3)] == ["number 3", "number 2"]
    assert read(root, most=2, skip=9) == []


def test_coauthors_are_authors_and_mapped(root):
    (root / ".mailmap").write_text("Ann Brown <ann@example.org>\nBob <bob@example.org> <robert@work.example>\n")
    message = (
        "together\n\nCo-authored-by: Robert <robert@work.example>\nco-authored-by: Cleo <CLEO@example.org>\n"
        "Co-Authored-By: Ann <ann@example.org>\nCo-authored-by: nobody\nCo-authored-by: --help <x@example.org>\n"
    )
    commit(root, message)
    [found] = read(root)
    assert found.authors == (
        ("ann@example.org", "Ann Brown"),
        ("bob@example.org", "Bob"),
        ("cleo@example.org", "Cleo"),
        ("x@example.org", "--help"),
    )


@pytest.mark.parametrize("text", ["", "Ann", "Ann <ann", "<>", "a\nb <x@y>", "x" * 400 + " <x@y>", "a <b> <c>"])
def test_what_is_no_contact(text):
    assert parse_contact(text) is None


def test_a_partial_clone_is_read_without_fetching(root, tmp_path_factory):
    (root / "a.py").write_text("x = 1\n" * 20)
    commit(root, "first")
    git(root, "mv", "a.py", "b.py")
    (root / "b.py").write_text("x = 1\n" * 20 + "y = 2\n")
    commit(root, "second")
    git(root, "config", "uploadpack.allowFilter", "true")
    partial = tmp_path_factory.mktemp("partial") / "clone"
    git(root, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{root}", str(partial))
    second, first = read(partial)
    assert second.renamed == ()  # contents that differ would have had to be fetched
    assert set(second.paths) == {"a.py", "b.py"}
    assert first.paths == ("a.py",)


def test_a_hostile_configuration_changes_nothing(root, tmp_path):
    (root / "a.py").write_text("x = 1\n" * 20)
    commit(root, "first")
    git(root, "mv", "a.py", "b.py")
    (root / "b.py").write_text("x = 1\n" * 20 + "y = 2\n")
    commit(root, "second")
    expected = read(root)
    ran = tmp_path / "ran"
    os.mkfifo(tmp_path / "pipe")
    for name, value in {
        "log.showRoot": "false",
        "log.showSignature": "true",
        "log.follow": "true",
        "log.decorate": "full",
        "log.date": "relative",
        "log.diffMerges": "first-parent",
        "diff.orderFile": str(tmp_path / "pipe"),
        "diff.renames": "false",
        "diff.renameLimit": "1",
        "diff.external": f"touch {ran}; true",
        "diff.relative": "true",
        "diff.noprefix": "true",
        "mailmap.file": str(tmp_path / "pipe"),
        "format.pretty": "raw",
        "format.notes": "*",
        "color.ui": "always",
        "core.quotePath": "true",
        "core.fsmonitor": f"touch {ran}",
        "gpg.program": f"touch {ran}",
        "i18n.logOutputEncoding": "UTF-16",
        "core.pager": f"touch {ran}",
        "trailer.sign.command": f"touch {ran}",
    }.items():
        git(root, "config", name, value)
    assert read(root) == expected
    assert not ran.exists()


def test_a_missing_revision_is_an_error(root):
    with pytest.raises(GitError):
        read(root)


def test_what_breaks_off_is_an_error():
    with pytest.raises(GitError):
        list(parse_log([b"abc\0" + b"0\0" * 6 + b"\n:100644 100644 a b M\0half of a pa"]))


@given(st.lists(st.integers(1, 40), max_size=60))
def test_pieces_may_be_cut_anywhere(cuts):
    header = b"\0".join([b"1" * 40, b"1", b"2", b"Ann", b"ann@example.org", b"subject", b""]) + b"\0"
    entry = b"\n:100644 100644 aa bb M\0a.py\0:100644 100644 aa bb R100\0old\0new\0"
    whole = header + entry + header + header + entry
    pieces, start = [], 0
    for cut in cuts:
        pieces.append(whole[start : start + cut])
        start += cut
    pieces.append(whole[start:])
    assert list(parse_log(pieces)) == list(parse_log([whole]))
    assert [size for _, size, *_ in parse_log(pieces)] == [2, 0, 2]
