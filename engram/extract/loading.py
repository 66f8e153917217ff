"""Compiled grammars out of tree_sitter_language_pack, without the package's own start.

Importing the package loads pathlib, ctypes and three further grammars, twice the time in which Python starts, for a
table of names; the compiled module of one grammar is a file in its folder `bindings`.
"""

from __future__ import annotations

from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, cast

from tree_sitter import Language

if TYPE_CHECKING:
    from tree_sitter_language_pack import SupportedLanguage

_PACK = "tree_sitter_language_pack"


def load_grammar(name: str) -> Language:
    """The grammar that the pack calls `name`; raises LookupError where it has none."""
    pack = PathFinder.find_spec(_PACK)
    folders = [f"{folder}/bindings" for folder in (pack.submodule_search_locations or [])] if pack else []
    spec = PathFinder.find_spec(f"{_PACK}.bindings.{name}", folders)
    if spec is None or spec.loader is None:
        return _from_pack(name)
    module = spec.loader.create_module(spec)
    if module is None:
        return _from_pack(name)
    spec.loader.exec_module(module)
    return Language(module.language())


def _from_pack(name: str) -> Language:
    """For the few grammars that the pack takes from packages of their own (C#, YAML)."""
    from tree_sitter_language_pack import get_language

    return get_language(cast("SupportedLanguage", name))
