"""The JSON that a primitive prints: in the order of the design, not of the alphabet, and in UTF-8 as it is read.

The package `json` is not imported, since that costs as long as starting Python does; its C half is.
"""

from __future__ import annotations

from _json import encode_basestring, encode_basestring_ascii

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def encode(value: Any) -> str:
    """`value` as compact JSON on one line, keys in their order; every result can be encoded as UTF-8.

    Takes what JSON knows: None, bool, int, float, str, list, tuple and dict with str keys.  A str with lone
    surrogates (a path that is no UTF-8) is escaped as ASCII.
    """
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        return "{" + ",".join([f"{_string(key)}:{encode(inner)}" for key, inner in value.items()]) + "}"
    return "[" + ",".join([encode(inner) for inner in value]) + "]"


def size(value: Any) -> int:
    """The bytes of `encode(value)` in UTF-8."""
    return len(encode(value).encode())


def _string(text: str) -> str:
    if text.isascii():
        return encode_basestring_ascii(text)
    encoded = encode_basestring(text)
    if any("\ud800" <= character <= "\udfff" for character in encoded):
        return encode_basestring_ascii(text)
    # U+2028 and U+2029 end a line for some readers of JSON lines; U+0085 for str.splitlines
    for separator, escape in (("\u2028", "\\u2028"), ("\u2029", "\\u2029"), ("\x85", "\\u0085")):
        encoded = encoded.replace(separator, escape)
    return encoded
