"""What a file hands out: lists of names, and exports by another name."""

from __future__ import annotations

import re

from engram.extract.grammar import Captures
from engram.extract.languages import Language
from engram.extract.source import Source

_STRINGS = re.compile(r"(['\"])(\w+)\1")


def find_exports(captured: dict[str, list[Captures]], source: Source, language: Language) -> list[tuple[str, str]]:
    """(exported name, local name) of every export that is more than a marked definition, each once, sorted."""
    found = set()
    for fact, matches in captured.items():
        what, _, variety = fact.partition(".")
        if what == "export":
            for match in matches:
                local = source.node(match[fact][0])
                found.add((variety or source.node(match.get("name", match[fact])[0]), local))
    if language.export_list and language.export_list in source.text:
        found |= {(name, name) for name in _listed(source, language.export_list, language.comment)}
    return sorted(found)


def _listed(source: Source, name: str, comment: str) -> list[str]:
    """The strings in what is assigned or added to the module's list of exported names, up to the first bracket."""
    added = rf"(?ms)^[ \t]*{name}\s*(?:(?::[^=\n]*)?\+?=|\.(?:extend|append)\()([^\])]*)"
    listed = "".join([re.sub(rf"{comment}[^\n]*", "", part) for part in re.findall(added, source.text)])
    return [string[1] for string in _STRINGS.findall(listed)]
