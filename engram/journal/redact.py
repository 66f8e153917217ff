"""Takes secrets out of what is about to be journaled; works through the tables of `engram.journal.secrets`.

All strings of a value are looked at as the lines of one text, so that a private key is found too when every line
of it is a string of its own.
"""

from __future__ import annotations

from engram.journal.assignments import find_assigned, find_authorization, names_secret
from engram.journal.secrets import BASE64, HEXADECIMAL, TOKENS, WORD, holds_secrets
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# A string of the value, with what is put around it for the search alone.
_Leaf = tuple[str, str, str]

SECRET_FILE = "secret-file"
# What stands around a path in a command line: quotes, what ends a word of the shell, `host:path`, `--option=path`.
_AROUND_PATHS = str.maketrans(dict.fromkeys("'\"`();,<>|&=:", " "))
# A line of a PEM file is 64 characters long, 76 in MIME; the last one, which is shorter, is found with its BEGIN only.
_KEY_LINE = range(60, 77)
# Larger than any private key block (an RSA key of 16,384 bits takes 12,700 characters).
_MAX_BLOCK = 20_000


class Redacted(Value):
    """A value without its secrets; `names` says what was taken out, sorted, empty if nothing was."""

    value: Any
    names: tuple[str, ...]


class Found(Value):
    """A secret in a text, as a half-open range of characters."""

    start: int
    end: int
    name: str


def redact(value: Any) -> Redacted:
    """`value` (anything with a JSON form) with `[redacted:NAME]` in the place of every secret in its strings."""
    leaves: list[_Leaf] = []
    _collect(value, leaves, {})
    found = find_secrets("\n".join([before + text + after for before, text, after in leaves]))
    if not found:
        return Redacted(value, ())
    texts, names = _replaced(leaves, found)
    return Redacted(_rebuild(value, iter(texts)), tuple(sorted(names)))


def redact_whole(value: Any) -> Redacted:
    """What stands for a value shown from a file of secrets: only its kind is kept."""
    return Redacted({"redacted": SECRET_FILE, "kind": type(value).__name__}, (SECRET_FILE,))


def mentions_secret_file(value: Any) -> bool:
    """True if a string in `value` names a file of secrets: as a path, or as a word of a command line."""
    leaves: list[_Leaf] = []
    _collect(value, leaves, {})
    words = " ".join([text for _, text, _ in leaves]).translate(_AROUND_PATHS).split()
    return any(map(holds_secrets, words))


def find_secrets(text: str) -> list[Found]:
    """The secrets in a text, by position; ranges do not overlap, and of two that would the first and longer stays."""
    found = [*_find_blocks(text), *_find_tokens(text), *_find_key_lines(text)]
    found += [Found(*span) for span in (*find_assigned(text), *find_authorization(text), *_find_url_passwords(text))]
    found.sort(key=lambda secret: (secret.start, -secret.end))
    kept: list[Found] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end > kept[-1].end:
            kept[-1] = kept[-1].replace(end=secret.end)
    return kept


def _find_tokens(text: str) -> list[Found]:
    found = []
    for shape in TOKENS:
        at = text.find(shape.prefix)
        while at >= 0:
            end = start = at + len(shape.prefix)
            while end < len(text) and text[end] in shape.alphabet:
                end += 1
            first = at
            while shape.before and first > 0 and text[first - 1] in shape.alphabet:
                first -= 1
            inside_word = first > 0 and text[first - 1] in WORD and text[first] in WORD
            if end - start >= shape.least and at - first >= shape.before and not inside_word:
                found.append(Found(first, end, shape.name))
            at = text.find(shape.prefix, max(end, at + 1))
    return found


def _find_blocks(text: str) -> list[Found]:
    found = []
    at = text.find("-----BEGIN ")
    while at >= 0:
        header_end = text.find("-----", at + 11)
        if header_end >= 0 and "PRIVATE KEY" in text[at:header_end] and "\n" not in text[at:header_end]:
            found.append(Found(at, _block_end(text, header_end + 5), "private-key"))
        at = text.find("-----BEGIN ", at + 11)
    return found


def _block_end(text: str, start: int) -> int:
    end = text.find("-----END ", start, start + _MAX_BLOCK)
    if end >= 0:
        close = text.find("-----", end + 9, end + 80)
        return close + 5 if close >= 0 else end
    end = start  # cut off before its end: as far as the lines look like a key
    for line in text[start : start + _MAX_BLOCK].splitlines(keepends=True):
        body = line.strip().replace("\\n", "")
        if not BASE64.issuperset(body) and ":" not in body:
            break
        end += len(line)
    return end


def _find_key_lines(text: str) -> list[Found]:
    found = []
    at = 0
    for line in text.split("\n"):
        if len(line) in _KEY_LINE and BASE64.issuperset(line) and _is_mixed(line):
            found.append(Found(at, at + len(line), "key-line"))
        at += len(line) + 1
    return found


def _is_mixed(line: str) -> bool:
    """Upper and lower case and a digit, and not written in hexadecimal: no word, no path, no checksum."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return all(any(map(kind, line)) for kind in kinds) and not HEXADECIMAL.issuperset(line.lower())


def _find_url_passwords(text: str) -> list[tuple[int, int, str]]:
    found = []
    at = text.find("://")
    while at >= 0:
        end = start = at + 3
        while end < len(text) and text[end] not in " \t\n\"'`<>/\\,;":
            end += 1
        user, colon, _ = text[start:end].partition(":")
        host = text.rfind("@", start, end)
        password = start + len(user) + 1
        if colon and host > password and text[password] not in "{$<%":
            found.append((password, host, "url-password"))
        at = text.find("://", start)
    return found


def _replaced(leaves: list[_Leaf], found: list[Found]) -> tuple[list[str], set[str]]:
    """The strings of a value in the order of the walk, each with its secrets replaced, and the names of these."""
    texts = []
    names = set()
    offset = 0
    for before, text, after in leaves:
        start = offset + len(before)
        end = start + len(text)
        inside = [secret for secret in found if secret.start < end and secret.end > start]
        names.update([secret.name for secret in inside])
        texts.append(_replace(text, start, inside))
        offset = end + len(after) + 1
    return texts, names


def _replace(text: str, offset: int, found: list[Found]) -> str:
    parts = []
    at = 0
    for secret in found:
        parts += [text[at : max(0, secret.start - offset)], f"[redacted:{secret.name}]"]
        at = min(len(text), secret.end - offset)
    return "".join([*parts, text[at:]])


def _collect(value: Any, leaves: list[_Leaf], secret_keys: dict[object, bool]) -> None:
    """Append the strings of the value; `secret_keys` remembers what is known of keys, of which there are few."""
    if isinstance(value, str):
        leaves.append(("", value, ""))
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(item, str):
                _collect(item, leaves, secret_keys)
                continue
            is_secret = secret_keys.get(key)
            if is_secret is None:
                is_secret = secret_keys[key] = isinstance(key, str) and names_secret(key)
            leaves.append((f'{key}="', item, '"') if is_secret else ("", item, ""))
    elif isinstance(value, list | tuple):
        for item in value:
            _collect(item, leaves, secret_keys)


def _rebuild(value: Any, texts: Iterator[str]) -> Any:
    if isinstance(value, str):
        return next(texts)
    if isinstance(value, dict):
        return {key: _rebuild(item, texts) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rebuild(item, texts) for item in value]
    return value
