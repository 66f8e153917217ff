"""Secrets that are known by the name before them: `API_KEY=...`, `"password": "..."`, `--token ...`, `Bearer ...`."""

from __future__ import annotations

from engram.journal.secrets import (
    BASE64,
    DOTTED,
    NAME_STEMS,
    NAME_TAILS,
    PLACEHOLDERS,
    SECRET_NAMES,
    SECRET_PARTS,
    WORD,
)

_NAME = WORD | {"-"}
_QUOTES = "\"'`"
# What may stand between a name and its operator: the closing quote of a JSON key, a subscript.
_CLOSING = "\"'`]\\"
_UNQUOTED_END = frozenset(" \t\n\r\"'`&,;)(<>[]{}|")
_QUOTED_LEAST = 6
_UNQUOTED_LEAST = 8  # and with a digit, or `token = token` in code would be one
_SCHEME_LEAST = 16

Span = tuple[int, int, str]


def names_secret(name: str) -> bool:
    """True if a variable, key or option of that name holds a secret: `DB_PASSWORD`, `apiKey`, `x-auth-token`."""
    plain = name.lower().replace("_", "").replace("-", "").rstrip("0123456789")
    if plain.endswith(SECRET_NAMES) or any(part in plain for part in SECRET_PARTS):
        return True
    return any(plain.endswith(tail) and plain[: -len(tail)].endswith(SECRET_NAMES) for tail in NAME_TAILS)


def find_assigned(text: str) -> list[Span]:
    """The values that stand after the name of a secret, each without its quotes, by position."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters change their length; positions must hold
        lowered = text
    found: dict[int, Span] = {}
    for stem in NAME_STEMS:
        at = lowered.find(stem)
        while at >= 0:
            start, end = _name_around(text, at, at + len(stem))
            if names_secret(text[start:end]):
                span = _value_after(text, start, end) or _compared_before(text, start)
                if span:
                    found[span[0]] = span
            at = lowered.find(stem, max(end, at + 1))
    return sorted(found.values())


def find_authorization(text: str) -> list[Span]:
    """What follows the scheme in an `Authorization` header (RFC 7235), by position."""
    found = []
    for scheme in ("Bearer ", "bearer ", "Basic ", "basic "):
        at = text.find(scheme)
        while at >= 0:
            start = end = at + len(scheme)
            while end < len(text) and (text[end] in BASE64 or text[end] in DOTTED):
                end += 1
            if end - start >= _SCHEME_LEAST and any(map(str.isdigit, text[start:end])):
                found.append((start, end, "authorization"))
            at = text.find(scheme, start)
    return sorted(found)


def _name_around(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and text[start - 1] in _NAME:
        start -= 1
    while end < len(text) and text[end] in _NAME:
        end += 1
    return start, end


def _value_after(text: str, name_start: int, name_end: int) -> Span | None:
    at = name_end
    while at < len(text) and text[at] in _CLOSING:
        at += 1
    operator = _skip_spaces(text, at)
    at = operator
    while at < len(text) and text[at] in "=:>":
        at += 1
    if at == operator:
        if not text.startswith("--", name_start) or operator == name_end:
            return None
        return _unquoted(text, operator, always=False) or _quoted(text, operator)
    value = _skip_spaces(text, at)
    tight = operator == name_end and value == at and text[operator:at] == "="
    loud = text[name_start:name_end].isupper()
    quoted = _quoted(text, value, spaces=loud) or _annotated(text, operator, value)
    return quoted or _unquoted(text, value, always=loud and tight)


def _skip_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _quoted(text: str, at: int, *, spaces: bool = False) -> Span | None:
    """The literal at a position; one with spaces is a secret behind a constant's name, and prose behind others."""
    while at < len(text) and text[at] in "bBfFrRuU\\@" and at + 1 < len(text) and text[at + 1] in _QUOTES + "bBfFrRuU":
        at += 1
    if at >= len(text) or text[at] not in _QUOTES:
        return None
    start = at + 1
    end = text.find(text[at], start)
    line_end = text.find("\n", start)
    if end < 0 or (0 <= line_end < end):
        end = line_end if line_end >= 0 else len(text)  # cut off, or a quote that is part of the secret
    value = text[start:end].rstrip("\\")
    if len(value) < _QUOTED_LEAST or (" " in value and not spaces) or _is_placeholder(value):
        return None
    return start, start + len(value), "assigned-secret"


def _compared_before(text: str, name_start: int) -> Span | None:
    """The literal in `"..." == password`."""
    before = text[:name_start].rstrip(" \t") if text[name_start - 1 : name_start] in (" ", "=") else ""
    literal = before[:-2].rstrip(" \t")
    if not before.endswith(("==", "!=")) or literal[-1:] not in tuple(_QUOTES):
        return None
    start = max(literal.rfind(literal[-1], 0, len(literal) - 1), literal.rfind("\n"))
    return _quoted(text, start) if start >= 0 else None


def _annotated(text: str, operator: int, value: int) -> Span | None:
    """The default in `password: str = "..."`."""
    if text[operator] != ":":
        return None
    end = value
    while end < len(text) and (text[end] in _NAME or text[end] in " .|[]"):
        end += 1
    if end >= len(text) or text[end] != "=":
        return None
    return _quoted(text, _skip_spaces(text, end + 1))


def _unquoted(text: str, start: int, *, always: bool) -> Span | None:
    end = start
    while end < len(text) and text[end] not in _UNQUOTED_END:
        end += 1
    value = text[start:end]
    if len(value) < (1 if always else _UNQUOTED_LEAST) or _is_placeholder(value):
        return None
    if end < len(text) and text[end] in "([{" and not always:
        return None  # a call or a subscript
    if not always and not (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
        return None
    return start, end, "assigned-secret"


def _is_placeholder(value: str) -> bool:
    lowered = value.lower()
    if lowered.startswith(PLACEHOLDERS):
        return True
    identifier = value.replace(".", "_").replace("-", "_").isidentifier()
    return identifier and names_secret(value) and not any(map(str.isdigit, value))
