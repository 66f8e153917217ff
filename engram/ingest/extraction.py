"""Files to facts, in forked workers: what a first index and an update have in common."""

from __future__ import annotations

import time
from typing import NamedTuple

from engram.extract.facts import FileFacts
from engram.extract.languages import language_of
from engram.extract.parse import extract_facts
from engram.extract.words import SegmentBuilder
from engram.ingest.discover import Fingerprint
from engram.ingest.source import read_source
from engram.store.files import FileRecord

CHUNK_FILES = 40
CHUNK_BYTES = 400_000  # small enough that the last chunks of two workers end within 0.1 s of each other
CRASHED = "crashed-the-parser"


# A file whose time of change lies this close to the moment it was read may change again within one tick of the file
# system's clock (FAT: 2 s), and keep its size: until it is looked at once more, its times prove nothing ("racy git").
_TICK_NS = 2_000_000_000


def record_of(fingerprint: Fingerprint, number: int, read_ns: int, sha256: str, skipped: str = "") -> FileRecord:
    """The record of a file that was read at `read_ns`, epoch nanoseconds."""
    settled = fingerprint.mtime_ns < read_ns - _TICK_NS
    size, mtime_ns, ctime_ns, inode = fingerprint
    return FileRecord(int(settled), size, mtime_ns, ctime_ns, inode, number, read_ns, sha256, skipped)


def crashed_record(root: str, path: str, fingerprint: Fingerprint) -> FileRecord:
    """The record of a file that the parser died of: it is not tried again until its content changes."""
    now_ns = time.time_ns()
    source = read_source(root, path)
    known = (source.fingerprint, source.sha256) if source else (fingerprint, "")
    return record_of(known[0], 0, now_ns, known[1], CRASHED)


class Extracted(NamedTuple):
    """A file that was read and, unless it is left out, parsed: `facts` is None then, and the record says why."""

    facts: FileFacts | None
    record: FileRecord


class Extractor:
    """What one worker holds: the root, the files' numbers, and the words it has collected so far."""

    def __init__(self, root: str, numbers: dict[str, int]) -> None:
        self.root = root
        self.numbers = numbers
        self.words = SegmentBuilder()

    def extract(self, path: str) -> Extracted | None:
        """The facts of one file, its words added to the worker's segment; None if the file is gone."""
        began_ns = time.time_ns()
        source = read_source(self.root, path)
        if source is None:
            return None
        language = language_of(path, source.content[:256])
        if source.reason or language is None:
            return Extracted(None, record_of(source.fingerprint, 0, began_ns, source.sha256, source.reason or "other"))
        facts = extract_facts(path, source.content, language)
        number = self.numbers[path]
        self.words.add_file(number, path, source.content, facts)
        return Extracted(facts, record_of(source.fingerprint, number, began_ns, source.sha256))


def chunks_of(files: dict[str, Fingerprint], alone: set[str]) -> list[list[str]]:
    """The paths in chunks of bounded size, those with the largest files first; each path of `alone` has its own."""
    chunks: list[list[str]] = []
    room = 0
    for path in sorted(files.keys() - alone, key=lambda path: (-files[path].size, path)):
        size = files[path].size
        if not chunks or room < size or len(chunks[-1]) >= CHUNK_FILES:
            chunks.append([])
            room = CHUNK_BYTES
        chunks[-1].append(path)
        room -= size
    return [*chunks, *([path] for path in sorted(alone & files.keys()))]
