"""Any sequence of commits, renames, merges, deletions and rewritings: bit by bit it is read as it is at once."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram.ingest import history_writing
from tests.history.repository import Repository

PATHS = ("a.py", "b.py", "pack/c.py", "pack/d.py", "notes.txt")
BRANCHES = ("main", "side")
PEOPLE = (("Ann", "ann@example.org"), ("Ann Other", "ann@example.org"), ("Bob", "bob@example.org"))

path = st.sampled_from(PATHS)
step = st.one_of(
    st.tuples(st.just("edit"), st.lists(path, min_size=1, max_size=3), st.sampled_from(PEOPLE)),
    st.tuples(st.just("rename"), path, path),
    st.tuples(st.just("delete"), path),
    st.tuples(st.just("switch"), st.sampled_from(BRANCHES)),
    st.tuples(st.just("merge"), st.sampled_from(BRANCHES)),
    st.tuples(st.just("amend")),
    st.tuples(st.just("reset")),
    st.tuples(st.just("touch without a commit"), path),
    st.tuples(st.just("read")),
)


class Story:
    """Carries steps out; one that is not possible just now does nothing."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.edits = 0

    def tell(self, name: str, *details: object) -> None:
        getattr(self, f"_{name.split()[0]}")(*details)

    def _edit(self, paths: list[str], author: tuple[str, str]) -> None:
        self.edits += 1
        # long and alike enough for a rename with a change to be seen as one
        files = {path: f"# {path}\n" * 10 + f"x = {self.edits}\n" for path in paths}
        self.repository.commit(f"edit {self.edits}", files, author=author)

    def _rename(self, old: str, new: str) -> None:
        if old != new and self._tracks(old):
            (self.repository.root / new).parent.mkdir(exist_ok=True)
            self.repository.git("mv", "-f", old, new)
            self.repository.commit(f"{old} to {new}")

    def _delete(self, doomed: str) -> None:
        if self._tracks(doomed):
            self.repository.git("rm", "-q", "-f", doomed)
            self.repository.commit(f"without {doomed}")

    def _switch(self, branch: str) -> None:
        self.repository.git("checkout", "-q", "-f", "-B" if not self._exists(branch) else "-f", branch)

    def _merge(self, branch: str) -> None:
        if self._exists(branch):
            self.repository.git("merge", "-q", "--no-edit", "-s", "ort", "-X", "ours", branch, check=False)
            self.repository.commit(f"with {branch}")

    def _amend(self) -> None:
        self.edits += 1
        self.repository.checkout.write("a.py", f"x = {self.edits}\n")
        self.repository.git("add", "-A")
        self.repository.git("commit", "-q", "--amend", "-m", f"amended {self.edits}")

    def _reset(self) -> None:
        if int(self.repository.git("rev-list", "--count", "--first-parent", "HEAD")) > 1:
            self.repository.git("reset", "-q", "--hard", "HEAD~1")

    def _touch(self, changed: str) -> None:
        """Take a file away, or put one there, and leave it so for the next commit."""
        file = self.repository.root / changed
        if file.exists():
            file.unlink()
        else:
            self.repository.checkout.write(changed, "x = 0\n")

    def _read(self) -> None:
        self.repository.follow()

    def _tracks(self, wanted: str) -> bool:
        return bool(self.repository.git("ls-files", wanted)) and (self.repository.root / wanted).exists()

    def _exists(self, branch: str) -> bool:
        return bool(self.repository.git("branch", "--list", branch))


@pytest.mark.parametrize("way", ["query by query", "by bulk loads"])
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.lists(step, min_size=4, max_size=16))
def test_bit_by_bit_is_as_at_once(connection, server, way, steps):
    folder = Path(tempfile.mkdtemp(prefix="eg-story-"))
    patch = pytest.MonkeyPatch()
    patch.setattr(history_writing, "_MANY", 1 if way == "by bulk loads" else 10**9)
    try:
        repository = Repository(folder, connection, server)
        repository.commit("first", {"a.py": "# a\n" * 10, "b.py": "# b\n" * 10})
        repository.follow()
        story = Story(repository)
        for one in steps:
            story.tell(*one)
        repository.follow()
        bit_by_bit = repository.contents()
        repository.forget()
        repository.read()
        at_once = repository.contents()
        for part, expected in at_once.items():
            assert bit_by_bit[part] == expected, part
        repository.checkout.sync(rebuild=True)
        assert repository.contents() == at_once
    finally:
        patch.undo()
        shutil.rmtree(folder)
