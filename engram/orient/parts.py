"""An issue, a prompt or any other text, cut into the parts that say different things about where to look.

Scanned line by line with the methods of `str`: importing `re` would cost a hook as much as the whole ranking.  Every
step is linear in the text, whatever it holds.
"""

from __future__ import annotations

from engram.model import Value

MAX_CHARACTERS = 60_000  # of a text that are read: what matters stands early, and logs have no end
MAX_TITLE = 120  # characters; a longer first line is a paragraph, and its first sentence is the title
MAX_LINE = 2_000  # characters of one line that are read
_FENCES = ("```", "~~~")
_SPACES = dict.fromkeys(
    [0x00, 0x09, 0x0B, 0x0C, 0xA0, *range(0x2000, 0x2070), *range(0x3000, 0x3040), *range(0xFF00, 0xFF10)], " "
)
_VERSION_HEADINGS = (
    "version",
    "environment",
    "system",
    "platform",
    "setup",
    "installed",
    "configuration",
    "specification",
)


class Frame(Value):
    """One line of a traceback: the path as printed there, and the function, "" where none is named."""

    path: str
    function: str


class Parts(Value):
    """The lines of a text by what they are; `errors` are messages and traceback lines, `frames` outermost first."""

    title: str
    prose: tuple[str, ...]
    inline: tuple[str, ...]
    code: tuple[str, ...]
    errors: tuple[str, ...]
    frames: tuple[Frame, ...]


def cut_text(text: str) -> Parts:
    """The parts of `text`; all of them empty for an empty text."""
    clean = _without_comments(text[:MAX_CHARACTERS].translate(_SPACES).replace("\r", "\n"))
    lines = [line[:MAX_LINE] for line in clean.split("\n")]
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if first == len(lines):
        return Parts("", (), (), (), (), ())
    title, rest = _split_title(lines[first].strip().lstrip("#>*- "))
    reader = _Reader()
    if title.startswith(_FENCES):
        title, rest, first = "", "", first - 1
    reader.read([rest, *lines[first + 1 :]])
    reader.take_prose(title, reader.title)
    return Parts(
        " ".join(reader.title),
        tuple(reader.prose),
        tuple(reader.inline),
        tuple(reader.code),
        tuple(reader.errors),
        tuple(reader.frames),
    )


class _Reader:
    def __init__(self) -> None:
        self.title: list[str] = []
        self.prose: list[str] = []
        self.inline: list[str] = []
        self.code: list[str] = []
        self.errors: list[str] = []
        self.frames: list[Frame] = []

    def read(self, lines: list[str]) -> None:
        fence = ""
        in_trace = in_versions = blank_before = False
        for line in lines:
            bare = line.strip()
            mark = bare[:3]
            if mark in _FENCES and (not fence or mark == fence):
                fence = "" if fence else mark
                in_trace = False
                continue
            if not bare:
                blank_before = True
                continue
            in_trace = self._take_trace(line, bare, in_trace)
            if in_trace:
                continue
            if fence:
                if not (in_versions or is_version_line(bare)):
                    self._take_code(bare)
            elif is_heading(bare):
                in_versions = any(word in bare.lower() for word in _VERSION_HEADINGS)
            elif bare.startswith((">>>", "... ", "In [", "Out[")) or (blank_before and line.startswith(("    ", "\t"))):
                self._take_code(bare)
                continue  # an indented block goes on until a line that is not
            elif (
                not in_versions
                and not is_version_line(bare)
                and not bare.startswith(("- [ ]", "- [x]", "- [X]", "* ["))
            ):
                self.take_prose(bare, self.prose)
            blank_before = False

    def take_prose(self, line: str, into: list[str]) -> None:
        """The line to `into`; what stands between backticks in it to `inline` (a title keeps that, too)."""
        pieces = line.split("`")
        if len(pieces) > 2:
            self.inline += pieces[1::2]
            into.append(" ".join(pieces if into is self.title else pieces[::2]))
        else:
            into.append(line)

    def _take_code(self, bare: str) -> None:
        (self.errors if is_error_line(bare) else self.code).append(bare)

    def _take_trace(self, line: str, bare: str, inside: bool) -> bool:
        """Whether the line belongs to a traceback; its frame and its message are kept."""
        frame = frame_of(bare)
        if frame:
            self.frames.append(frame)
            return True
        if bare.startswith("Traceback (most recent"):
            return True
        if inside and not line.startswith((" ", "\t")):
            self.errors.append(bare)
            return False
        return inside


def _split_title(line: str) -> tuple[str, str]:
    if len(line) <= MAX_TITLE:
        return line, ""
    ends = [at for at in (line.find(mark) for mark in (". ", "? ", "! ", ": ")) if at > 0]
    end = min(ends, default=MAX_TITLE) + 1
    return line[:end], line[end:]


def _without_comments(text: str) -> str:
    kept = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        kept.append(text[at:start])
        end = text.find("-->", start)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join([*kept, text[at:]])


def is_heading(bare: str) -> bool:
    """Whether the line is a heading of a form: `# ...`, or all of it bold."""
    return (bare.startswith("#") and bare.lstrip("#")[:1] == " ") or (
        bare.startswith("**")
        and bare.rstrip(":* ") != bare
        and bare.count("**") == 2
        and bare.endswith(("**", "**:", ":**"))
    )


def is_version_line(bare: str) -> bool:
    """Whether the line only says which version of something is installed: few words, one of them a version."""
    words = bare.replace(":", " ").replace("=", " ").replace("-", " ").split()
    return len(words) < 6 and any(_is_version(word.strip("v(),[]`")) for word in words)


def _is_version(word: str) -> bool:
    return (
        word[:1].isdigit()
        and "." in word
        and word.replace(".", "").isalnum()
        and word[2:3] != ""
        and word.count(".") < 5
    )


def is_error_line(bare: str) -> bool:
    """Whether the line is the message of an exception: `SomeError: ...`."""
    name, colon, _ = bare.partition(":")
    last = name.rpartition(".")[2]
    return bool(colon) and " " not in name and last.endswith(("Error", "Exception", "Warning")) and last[:1].isupper()


def frame_of(bare: str) -> Frame | None:
    """The frame that a line of a Python or JavaScript traceback names, or None."""
    if bare.startswith('File "'):
        path, _, after = bare[6:].partition('"')
        return Frame(path, after.partition(", in ")[2].split(" ")[0].strip("<>()"))
    if bare.startswith("at "):
        function, opened, place = bare[3:].rpartition("(")
        path = (place if opened else function or bare[3:]).rstrip(")").rpartition(":")[0].rpartition(":")[0]
        if "/" in path or "\\" in path:
            return Frame(path.removeprefix("file://"), function.strip().rpartition(".")[2] if opened else "")
    path, colon, after = bare.partition(":")
    number, second, _ = after.partition(":")
    if colon and second and number.isdigit() and " " not in path and "." in path and "/" in path:
        return Frame(path, "")
    return None
