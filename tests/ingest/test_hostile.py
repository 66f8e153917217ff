"""Folders and files that a stranger's machine may hold: everything readable is indexed, nothing else harms."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from engram.errors import NotARepository
from engram.extract.resolve import Resolver
from engram.ingest import extraction
from engram.worktree import find_worktree
from tests.ingest.checkout import Checkout, git

GOOD = "def good():\n    return 1\n"


def test_an_empty_repository_has_an_empty_index(checkout):
    report = checkout.sync()
    assert (report.mode, report.files, report.symbols) == ("built", 0, 0)
    assert checkout.sync().mode == "fresh"
    checkout.write("first.py", GOOD)
    assert checkout.sync().files == 1


def test_the_last_file_can_go(checkout):
    checkout.write("only.py", GOOD)
    checkout.sync()
    checkout.remove("only.py")
    report = checkout.sync()
    assert (report.files, report.removed) == (0, 1)
    assert checkout.sync(rebuild=True).files == 0


def test_a_repository_without_a_commit_is_indexed(checkout):
    checkout.write("a.py", GOOD)
    assert checkout.sync().files == 1


def test_a_folder_without_git_is_walked(make_checkout):
    checkout = make_checkout("plain", with_git=False)
    checkout.write(".engram/keep", "")
    checkout.write("a.py", GOOD)
    checkout.write("node_modules/x/index.py", GOOD)
    checkout.write("build/b.py", GOOD)
    assert checkout.sync().files == 1


def test_a_bare_repository_is_refused(tmp_path):
    git(tmp_path, "init", "-q", "--bare", "bare")
    with pytest.raises(NotARepository, match="bare"):
        find_worktree(str(tmp_path / "bare"))


def test_what_git_ignores_and_vendored_folders_are_left_out(checkout):
    checkout.write(".gitignore", "secret.py\nout/\n")
    checkout.write("secret.py", GOOD)
    checkout.write("out/b.py", GOOD)
    checkout.write("vendor/lib.py", GOOD)
    checkout.write("static/app.min.js", "f()")
    checkout.write("coverage/tracked.py", GOOD)
    checkout.write("a.py", GOOD)
    checkout.commit()
    report = checkout.sync()
    assert [row[0] for row in checkout.rows("MATCH (f:File) RETURN f.path ORDER BY f.path")] == [
        "a.py",
        "coverage/tracked.py",
    ]
    assert report.skipped["vendored"] == 1


def test_a_nested_repository_is_not_entered(checkout, make_checkout):
    inner = Checkout(checkout.root / "inner", checkout.connection, checkout.config)
    inner.write("deep.py", GOOD)
    inner.commit()
    checkout.write("a.py", GOOD)
    report = checkout.sync()
    assert (report.files, report.skipped) == (1, {"nested-repository": 1})


def test_a_submodule_is_a_checkout_of_its_own(checkout, make_checkout):
    library = make_checkout("library")
    library.write("lib.py", GOOD)
    library.commit()
    checkout.write("a.py", GOOD)
    git(checkout.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "sub")
    checkout.commit()
    assert checkout.sync().files == 1
    assert find_worktree(str(checkout.root / "sub")).root == str(checkout.root / "sub")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"x = 1\0\n", "binary"),
        (b"x = [" + b"1, " * 400_000 + b"]\n", "minified"),
        (b"# " + b"long\n" * 400_000, "too-large"),
    ],
    ids=["binary", "one-line", "large"],
)
def test_what_is_no_hand_written_source_is_left_out(checkout, content, reason):
    checkout.write("odd.py", content)
    checkout.write("a.py", GOOD)
    report = checkout.sync()
    assert (report.files, report.skipped) == (1, {reason: 1})
    assert checkout.sync().mode == "fresh"


def test_a_sparse_file_of_a_terabyte_is_not_read(checkout):
    checkout.write("a.py", GOOD)
    with open(checkout.root / "huge.py", "wb") as huge:
        huge.truncate(1 << 40)
    assert checkout.sync().skipped == {"too-large": 1}


def test_symlinks_are_not_followed(checkout, tmp_path):
    outside = tmp_path / "outside.py"
    outside.write_text(GOOD)
    os.symlink(outside, checkout.root / "link.py")
    os.symlink("loop.py", checkout.root / "loop.py")
    os.symlink(tmp_path, checkout.root / "folder")
    checkout.write("a.py", GOOD)
    report = checkout.sync()
    assert (report.files, report.skipped["symlink"]) == (1, 2)


def test_a_folder_that_becomes_a_symlink_leads_nowhere(checkout, tmp_path):
    checkout.write("pack/a.py", GOOD)
    checkout.commit()
    checkout.sync()
    os.rename(checkout.root / "pack", tmp_path / "moved")
    os.symlink(tmp_path / "moved", checkout.root / "pack")
    assert checkout.sync().files == 0


@pytest.mark.parametrize(
    "name", ["new\nline.py", "quo'te\".py", "sn\u00f6w\u2603\U0001f600.py", "sp ace.py", "-dash.py", "tab\t.py"]
)
def test_names_of_any_kind_are_kept(checkout, name):
    checkout.write(name, GOOD)
    checkout.sync()
    assert checkout.rows("MATCH (s:Symbol {name: 'good'}) RETURN s.path") == [[name]]
    checkout.remove(name)
    assert checkout.sync().files == 0


def test_a_name_that_is_no_utf8_is_kept(checkout):
    path = os.fsencode(str(checkout.root)) + b"/caf\xe9.py"
    with open(path, "wb") as file:
        file.write(GOOD.encode())
    assert checkout.sync().files == 1
    assert checkout.sync().mode == "fresh"
    os.unlink(path)
    assert checkout.sync().files == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_file_is_left_out(checkout):
    checkout.write("closed.py", GOOD)
    checkout.write("a.py", GOOD)
    os.chmod(checkout.root / "closed.py", 0)
    report = checkout.sync()
    assert (report.files, report.skipped) == (1, {"unreadable": 1})
    assert checkout.sync().mode == "fresh"


def test_a_syntax_error_is_marked_and_the_rest_is_indexed(checkout):
    checkout.write("half.py", GOOD + "def broken(:\n    pass\n")
    report = checkout.sync()
    assert report.issues == {"syntax-error": 1}
    assert checkout.rows("MATCH (s:Symbol {name: 'good'}) RETURN s.start") == [[1]]


def test_text_that_is_no_utf8_is_marked(checkout):
    checkout.write("latin.py", b"# caf\xe9\n" + GOOD.encode())
    assert checkout.sync().issues == {"not-utf8": 1}


def test_an_empty_file_is_indexed(checkout):
    checkout.write("empty.py", "")
    report = checkout.sync()
    assert (report.files, report.symbols) == (1, 0)


def test_a_fifo_does_not_hang(checkout):
    os.mkfifo(checkout.root / "pipe.py")
    checkout.write("a.py", GOOD)
    git(checkout.root, "add", "a.py")
    assert checkout.sync().files == 1


@pytest.fixture
def deadly_file(monkeypatch):
    """Makes the parser die on files that say so, as a faulty grammar would."""
    whole = extraction.extract_facts

    def dies(path, source, language):
        if b"die" in source:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(path, source, language)

    monkeypatch.setattr(extraction, "extract_facts", dies)


def test_a_file_that_kills_the_parser_is_left_out_of_a_build(checkout, deadly_file):
    for n in range(60):
        checkout.write(f"m{n}.py", GOOD)
    checkout.write("bad.py", "die = 1\n")
    report = checkout.sync()
    assert (report.files, report.skipped) == (60, {"crashed-the-parser": 1})
    before = checkout.contents()
    assert len(before["words"][b"good"]) >= 60
    assert checkout.sync().mode == "fresh"


def test_a_file_that_kills_the_parser_is_left_out_of_an_update(checkout, deadly_file):
    checkout.write("a.py", GOOD)
    checkout.write("b.py", GOOD)
    checkout.sync()
    checkout.write("a.py", "die = 1\n")
    checkout.write("b.py", GOOD.replace("good", "better"))
    report = checkout.sync()
    assert (report.files, report.skipped) == (1, {"crashed-the-parser": 1})
    assert checkout.rows("MATCH (s:Symbol {name: 'better'}) RETURN count(s)") == [[1]]
    checkout.write("a.py", GOOD)
    assert checkout.sync().files == 2


@pytest.fixture
def fails_on(monkeypatch):
    """Makes the resolver fail of one file, as a fault in it would: by an exception, or by its process's death."""
    whole = Resolver.resolve_file

    def fail(bad: str, *, deadly: bool = False) -> None:
        def resolve(self, path):
            if path == bad:
                if deadly:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise IndexError("a fault")
            return whole(self, path)

        monkeypatch.setattr(Resolver, "resolve_file", resolve)

    return fail


@pytest.mark.parametrize("deadly", [False, True])
def test_a_file_that_the_resolver_fails_of_costs_its_own_edges(checkout, fails_on, capfd, deadly):
    fails_on("bad.py", deadly=deadly)
    for n in range(40):
        checkout.write(f"m{n}.py", f"from bad import good\n\n\ndef f{n}():\n    return good()\n")
    checkout.write("bad.py", GOOD + "\n\ndef better():\n    return good()\n")
    report = checkout.sync()
    assert (report.files, report.issues) == (41, {"not-resolved": 1})
    assert {(f"m{n}.py#f{n}", "bad.py#good") for n in range(40)} == checkout.calls()
    assert deadly or "a fault" in capfd.readouterr().err


def test_an_update_that_the_resolver_fails_of_leaves_what_a_build_leaves(checkout, fails_on, capfd):
    checkout.write("good.py", "def good():\n    return 1\n")
    checkout.write("bad.py", "from good import good\n\n\ndef bad():\n    return good()\n")
    checkout.write("last.py", "from good import good\n\n\ndef last():\n    return good()\n")
    checkout.sync()
    fails_on("bad.py")
    checkout.write("good.py", "def good(): return 1\ndef better(): return good()\nclass good: pass\n")
    report = checkout.sync()
    assert (report.mode, report.issues) == ("updated", {"not-resolved": 1})
    assert "a fault" in capfd.readouterr().err
    assert {caller for caller, _ in checkout.calls()} == {"last.py#last", "good.py#better"}
    updated = checkout.contents()
    checkout.sync(rebuild=True)
    assert checkout.contents() == updated
    fails_on("none.py")
    checkout.write("bad.py", "from good import better\n\n\ndef bad():\n    return better()\n")
    report = checkout.sync()
    assert (report.mode, report.issues) == ("updated", {})
    assert ("bad.py#bad", "good.py#better") in checkout.calls()


_INDEX = "import sys; from tests.ingest.checkout import index_folder; index_folder(sys.argv[1])"


def _index_process(checkout) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _INDEX, str(checkout.root)], stdout=subprocess.PIPE)


def test_a_kill_at_any_moment_leaves_a_usable_graph(checkout):
    for n in range(120):
        checkout.write(f"m{n}.py", f"from m{(n + 1) % 120} import f as g\n\n\ndef f():\n    return g()\n" * 20)
    checkout.sync()
    whole = checkout.contents()
    for delay in (0.05, 0.15, 0.3, 0.45, 0.6):
        for n in range(60):
            checkout.write(f"m{n}.py", (checkout.root / f"m{n}.py").read_text() + "\n")
        process = _index_process(checkout)
        time.sleep(delay)
        process.kill()
        process.communicate()
        assert checkout.rows("MATCH (s:Symbol) RETURN count(s)")[0][0] > 0
    checkout.sync()
    updated = checkout.contents()
    assert updated["calls"] == whole["calls"]
    checkout.sync(rebuild=True)
    assert checkout.contents() == updated


def test_two_indexers_at_once_leave_what_one_leaves(checkout):
    for n in range(60):
        checkout.write(f"m{n}.py", f"from m{(n + 1) % 60} import f as g\n\n\ndef f():\n    return g()\n")
    both = [_index_process(checkout) for _ in range(3)]
    modes = [process.communicate()[0].decode().strip() for process in both]
    assert sorted(modes) == ["built", "fresh", "fresh"]
    assert all(process.returncode == 0 for process in both)
    together = checkout.contents()
    checkout.sync(rebuild=True)
    assert checkout.contents() == together
