"""docs/journal.md tells the members, the bounds and the commands as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from engram.journal.content import ARGUMENT_CHARS, ARGUMENT_KEPT, MAX_FILES, PREVIEW_CHARS
from engram.journal.entry import BODY_FIELDS, CHAIN_FIELDS
from engram.journal.log import SEGMENT_BYTES, WAIT_S
from engram.journal.prune import KEEP_BYTES, KEEP_DAYS
from engram.journal.schema import ENTRY_SCHEMA

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "journal.md").read_text("utf-8")


def test_the_members_in_their_order() -> None:
    rows = [line.split("|")[1] for line in TEXT.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in row.replace("`", "").replace(",", " ").split()]
    assert named == [*BODY_FIELDS, *CHAIN_FIELDS] == list(ENTRY_SCHEMA["properties"])


def test_the_bounds() -> None:
    assert f"more than {ARGUMENT_CHARS:,} characters is replaced by its first {ARGUMENT_KEPT}" in TEXT
    assert f"the first {PREVIEW_CHARS} characters" in TEXT
    assert f"at most {MAX_FILES}" in TEXT
    assert f"Past {SEGMENT_BYTES >> 20} MB" in TEXT
    assert f"older than {KEEP_DAYS} days, then the oldest until {KEEP_BYTES >> 20} MB" in TEXT
    assert f"at most {WAIT_S:g} s" in TEXT
    assert ENTRY_SCHEMA["properties"]["preview"]["maxLength"] == PREVIEW_CHARS
    assert ENTRY_SCHEMA["properties"]["files"]["maxProperties"] == MAX_FILES


def test_every_command() -> None:
    run = [sys.executable, "-m", "engram", "journal", "--help"]
    listed = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    commands = [line.split()[0] for line in listed.splitlines() if line.startswith("    ") and line[4:5].isalpha()]
    assert {"tail", "verify", "prune"} <= set(commands)
    for command in commands:
        assert f"engram journal {command}" in TEXT
