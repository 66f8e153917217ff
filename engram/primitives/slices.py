"""Slices of files, as handles that name them: `path:from-to@hash`.

The hash is the first 16 hexadecimal digits of the SHA-256 of the lines themselves, so that a handle holds as long as
its lines stay where they are and as they are.
"""

from __future__ import annotations

from engram.errors import FileUnavailable, InvalidArgument
from engram.journal.digest import sha256_hex
from engram.model import Value
from engram.primitives.check import shown
from engram.primitives.paths import Content, read_file
from engram.primitives.ripgrep import MAX_FILE_BYTES
from engram.primitives.text import is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KEPT_FILES = 32  # read files that are kept: a folder may have more than memory holds, and they come one by one
MAX_SLICE_BYTES = 24 * 1024  # what one request may point to, by the design: some 6,000 tokens to read
HASH_DIGITS = 16


class Slice(Value):
    """Lines `start` to `end` of `path`, their hash and how many bytes they are."""

    path: str
    start: int
    end: int
    digest: str
    size: int

    @property
    def place(self) -> str:
        """Where it is, whatever is there: `path:from-to`."""
        return f"{self.path}:{self.start}-{self.end}"

    @property
    def handle(self) -> str:
        """Where it is and what was there: `path:from-to@hash`."""
        return f"{self.place}@{self.digest}"


class Sources:
    """The files below one root; the last KEPT_FILES are kept as they were read."""

    def __init__(self, root: str, *, secrets: bool) -> None:
        self.root = root
        self.secrets = secrets
        self._read: dict[str, tuple[Content, list[bytes]]] = {}

    def content(self, path: str) -> Content:
        """The file at `path`; raises as `read_file` does, and FileUnavailable for a binary file."""
        return self._load(path)[0]

    def count_lines(self, path: str) -> int:
        """How many lines the file has."""
        return len(self._load(path)[1])

    def cut(self, path: str, start: int, end: int) -> Iterator[Slice]:
        """Lines `start` to `end` in slices of at most MAX_SLICE_BYTES each; a longer line is one of its own.

        Raises InvalidArgument for a range that is none of the file's.
        """
        content, lines = self._load(path)
        if not 1 <= start <= end or start > max(1, len(lines)):
            raise InvalidArgument(f"{shown(path)} has {len(lines)} lines, no {start} to {end}")
        end = min(end, len(lines))
        first, total = start, 0
        for number in range(start, end + 1):
            length = len(lines[number - 1]) + 1
            if total and total + length > MAX_SLICE_BYTES:
                yield _slice(content.path, lines, first, number - 1)
                first, total = number, 0
            total += length
        if first <= end:
            yield _slice(content.path, lines, first, end)

    def holds(self, handle: str) -> bool:
        """Whether the lines of a handle are what they were."""
        place, _, digest = handle.rpartition("@")
        path, span = split_range(place)
        if span is None:
            return False
        try:
            _, lines = self._load(path)
        except (FileUnavailable, InvalidArgument):
            return False
        return span[1] <= len(lines) and _slice(path, lines, *span).digest == digest

    def _load(self, path: str) -> tuple[Content, list[bytes]]:
        if path not in self._read:
            content = read_file(self.root, path, secrets=self.secrets, max_bytes=MAX_FILE_BYTES)
            if is_binary(content.data):
                raise FileUnavailable(f"{shown(path)} is binary")
            lines = content.data.split(b"\n")
            if not lines[-1]:
                lines.pop()
            if len(self._read) == KEPT_FILES:
                del self._read[next(iter(self._read))]
            self._read[path] = (content, lines)
        return self._read[path]


def split_range(text: str) -> tuple[str, tuple[int, int] | None]:
    """`path:from-to` or `path:line` as path and lines; any other text as it is, and None."""
    path, colon, span = text.rpartition(":")
    first, _, last = span.partition("-")
    last = last or first
    if not colon or not path or not _is_number(first) or not _is_number(last):
        return text, None
    return path, (int(first), int(last))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _slice(path: str, lines: list[bytes], start: int, end: int) -> Slice:
    text = b"\n".join(lines[start - 1 : end])
    return Slice(path, start, end, sha256_hex(text)[:HASH_DIGITS], len(text) + 1)
