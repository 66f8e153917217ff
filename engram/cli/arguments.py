"""Arguments of the primitives by table: argparse costs more than starting Python does (10 ms to 8 ms).

The rules are argparse's: `--flag VALUE`, `--flag=VALUE`, flags anywhere, `--` ends them, a wrong use is exit 2.
A lone `-` and negative numbers are values.
"""

from __future__ import annotations

import sys

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Flag(Value):
    """`--name`: sets `field` to True, or to the text after it where `value` names that text."""

    name: str
    field: str
    help: str
    value: str = ""


class Positional(Value):
    """A value by its place; `many` takes one or more, `optional` may be missing."""

    field: str
    help: str
    many: bool = False
    optional: bool = False


class Command(Value):
    """What one command takes; `notes` are printed below its help."""

    name: str
    summary: str
    positionals: tuple[Positional, ...]
    flags: tuple[Flag, ...]
    notes: str = ""


class UsageError(Exception):
    """The words do not fit the command: for exit 2."""


def parse(command: Command, words: list[str]) -> dict[str, Any]:
    """Field to str, True, or a list of str for what may be given many times; raises UsageError.

    A flag that takes a value and is given twice is an error unless its value's name ends in "...".
    """
    places, given = _split(command, words)
    for positional in command.positionals:
        if positional.many:
            given[positional.field] = places
            places = []
        elif places:
            given[positional.field] = places.pop(0)
        if not given.get(positional.field) and positional.field not in given and not positional.optional:
            raise UsageError(f"{positional.field.upper()} is missing")
        if positional.many and not given[positional.field] and not positional.optional:
            raise UsageError(f"{positional.field.upper()} is missing")
    if places:
        raise UsageError(f"{places[0]!r} is one argument too many")
    return given


def wants_help(words: list[str]) -> bool:
    """Whether `-h` or `--help` stands before any `--`."""
    end = words.index("--") if "--" in words else len(words)
    return any(word in ("-h", "--help") for word in words[:end])


def fail(command: Command, error: UsageError) -> int:
    """Print how the command is used and what was wrong; returns the exit code 2."""
    print(f"{usage(command)}\nengram {command.name}: {error}", file=sys.stderr)
    return 2


def usage(command: Command) -> str:
    """One line: `usage: engram NAME ...`."""
    places = [_place(one) for one in command.positionals]
    return " ".join(["usage: engram", command.name, *places, *[f"[{_spelled(flag)}]" for flag in command.flags]])


def help_text(command: Command) -> str:
    """The text of `--help`."""
    rows = [(one.field.upper(), one.help) for one in command.positionals]
    rows += [(_spelled(flag), flag.help) for flag in command.flags]
    width = max(len(left) for left, _ in rows)
    lines = [f"  {left:<{width}}  {text}" for left, text in rows]
    parts = [usage(command), "", command.summary, "", *lines]
    return "\n".join(parts + (["", command.notes] if command.notes else []))


def whole_number(text: Any) -> Any:
    """The int that a text spells in decimal digits; any other value as it is, for the check to refuse by name."""
    if isinstance(text, str) and len(text) <= 20 and text.isascii() and text.removeprefix("-").isdigit():
        return int(text)
    return text


def _split(command: Command, words: list[str]) -> tuple[list[str], dict[str, Any]]:
    flags = {flag.name: flag for flag in command.flags}
    places: list[str] = []
    given: dict[str, Any] = {}
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            return places + waiting, given
        if not _is_flag(word):
            places.append(word)
            continue
        name, separator, value = word.partition("=")
        flag = flags.get(name)
        if flag is None:
            raise UsageError(f"no flag {name!r} (a value that begins with '-' goes behind '--')")
        _set(given, flag, _value(flag, value if separator else None, waiting))
    return places, given


def _value(flag: Flag, attached: str | None, waiting: list[str]) -> Any:
    if not flag.value:
        if attached is not None:
            raise UsageError(f"{flag.name} takes no value")
        return True
    if attached is not None:
        return attached
    if not waiting:
        raise UsageError(f"{flag.name} needs a value")
    return waiting.pop(0)


def _set(given: dict[str, Any], flag: Flag, value: Any) -> None:
    if flag.value.endswith("..."):
        given.setdefault(flag.field, []).append(value)
    elif flag.field in given and flag.value:
        raise UsageError(f"{flag.name} is given twice")
    else:
        given[flag.field] = value


def _is_flag(word: str) -> bool:
    return word.startswith("-") and word != "-" and not (word[1:].isascii() and word[1:].isdigit())


def _place(positional: Positional) -> str:
    name = positional.field.upper() + ("..." if positional.many else "")
    return f"[{name}]" if positional.optional else name


def _spelled(flag: Flag) -> str:
    return f"{flag.name} {flag.value}" if flag.value else flag.name
