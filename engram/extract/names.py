"""What a definition is called, where its name is more than an identifier."""

from __future__ import annotations

import re
from typing import NamedTuple

_PATH = re.compile(r"[\w$#]+(?:\.[\w$#]+)+")
_OWNER = re.compile(r"\w[\w.]*")
_EXPORTED = re.compile(r"(?:module\.)?exports(?:\.|$)")


class Named(NamedTuple):
    """A name, the containers written before it, and whether these begin with the object of the method around it.

    `Foo.prototype.run` is `run` in Foo; `exports.run` and `module.exports.run` are `run`; `module.exports` is "".
    """

    name: str
    owners: tuple[str, ...] = ()
    of_receiver: bool = False
    of_prototype: bool = False


def read_owner(text: str) -> str:
    """The name of the type that a method is declared for, without package, type arguments and pointers."""
    found = _OWNER.search(text)
    return found[0].rpartition(".")[2] if found else ""


def read_name(text: str, receivers: tuple[str, ...]) -> Named:
    """The name that a definition is given by `text`: an identifier, a string, or a path of attributes."""
    if "." not in text or not _PATH.fullmatch(text):
        return Named(text.strip("'\"`"))
    *owners, name = _EXPORTED.sub("", text, count=1).split(".")
    of_receiver = bool(owners) and owners[0] in receivers
    of_prototype = bool(owners) and owners[-1] == "prototype"
    return Named(name, tuple(owners[of_receiver : len(owners) - of_prototype]), of_receiver, of_prototype)
