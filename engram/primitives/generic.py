"""An outline of a file whose language has a grammar but no queries: named nodes whose type says "definition".

A node counts where its type ends in one of ENDINGS, or is one of TYPES, and it has a name; its kind is what stands
before the ending.  Nothing is known of what such a file exports or imports.
"""

from __future__ import annotations

from tree_sitter import Parser

from engram.errors import UnsupportedLanguage
from engram.extract.facts import MODULE, Definition
from engram.extract.loading import load_grammar
from engram.model import Value
from engram.primitives.check import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

ENDINGS = ("_definition", "_declaration", "_declaration_statement", "_item", "_signature", "_spec", "_specifier")
TYPES = frozenset({"class", "module", "method", "singleton_method", "function"})  # Ruby and Haskell have no ending
NO_SYMBOLS = frozenset({"parameter", "field", "symbol", "import", "package"})  # kinds that nobody looks up
KINDS = {"func": "function", "fn": "function", "proc": "function", "procedure": "function", "subroutine": "function"}
MAX_NAME = 120  # characters; a longer "name" is an expression
# Grammar of tree_sitter_language_pack 0.13 -> extensions of its files, where this rule finds functions and types.
_EXTENSIONS = {
    "bash": "sh bash",
    "c": "c h",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "cuda": "cu cuh",
    "dart": "dart",
    "gdscript": "gd",
    "glsl": "glsl vert frag",
    "go": "go",
    "haskell": "hs",
    "haxe": "hx",
    "java": "java",
    "javascript": "js jsx mjs cjs",
    "kotlin": "kt kts",
    "lua": "lua",
    "luau": "luau",
    "matlab": "matlab",
    "nim": "nim",
    "objc": "m mm",
    "perl": "pl pm",
    "php": "php",
    "python": "py pyi",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala sc",
    "solidity": "sol",
    "swift": "swift",
    "tsx": "tsx",
    "typescript": "ts mts cts",
    "v": "v",
    "vhdl": "vhd vhdl",
    "wgsl": "wgsl",
}
GRAMMARS = {extension: grammar for grammar, extensions in _EXTENSIONS.items() for extension in extensions.split()}


class Outline(Value):
    """The definitions of one file, by where they start; `issues` as in FileFacts."""

    language: str
    definitions: Sequence[Definition]
    issues: Sequence[str] = ()


def outline(path: str, source: bytes) -> Outline:
    """What the grammar for the extension of `path` shows; raises UnsupportedLanguage where there is none."""
    extension = path.rpartition("/")[2].rpartition(".")[2]
    name = GRAMMARS.get(extension.lower())
    if not name:
        raise UnsupportedLanguage(f"no grammar for {shown(path)}", "use grep and read")
    tree = _parser(name).parse(source)
    definitions: list[Definition] = []
    _collect(tree.root_node, definitions)
    return Outline(name, definitions, ["syntax-error"] if tree.root_node.has_error else [])


def _parser(name: str) -> Parser:
    try:
        return Parser(load_grammar(name))
    except LookupError as error:
        raise UnsupportedLanguage(f"the grammar of {name} is not installed", "use grep and read") from error


def _collect(root: Node, definitions: list[Definition]) -> None:
    waiting = [(root, MODULE)]
    while waiting:  # not recursive: generated sources nest deeper than Python's stack
        node, scope = waiting.pop()
        name = _name(node) if node.type in TYPES or node.type.endswith(ENDINGS) else ""
        if name and _kind(node.type) not in NO_SYMBOLS:
            definitions.append(_definition(node, name, scope, definitions))
            scope = len(definitions) - 1
        waiting.extend([(child, scope) for child in reversed(node.named_children)])


def _definition(node: Node, name: str, scope: int, definitions: list[Definition]) -> Definition:
    outer = definitions[scope].qualname + "." if scope >= 0 else ""
    start, end = node.start_point[0] + 1, node.end_point[0] + 1
    return Definition(name, outer + name, _kind(node.type), start, end, start, scope, "", "", False, [], [], [], "")


def _kind(node_type: str) -> str:
    stem = next((node_type.removesuffix(ending) for ending in ENDINGS if node_type.endswith(ending)), node_type)
    word = stem.rpartition("_")[2]
    return KINDS.get(word, word)


def _name(node: Node) -> str:
    named = node.child_by_field_name("name")
    declared = node.child_by_field_name("declarator")
    while named is None and declared is not None:  # C: the name is at the bottom of the declarators
        if declared.type.endswith("identifier"):
            named = declared
        declared = declared.child_by_field_name("declarator")
    if named is None:  # Kotlin and Objective-C: a child without a field
        named = next((child for child in node.named_children if child.type.endswith("identifier")), None)
    text = named.text if named is not None else None
    name = text.decode("utf-8", "replace") if text else ""
    return name if len(name) <= MAX_NAME and "\n" not in name else ""
