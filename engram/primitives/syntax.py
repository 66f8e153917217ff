"""ast: the functions, classes, exports or imports of a file, or the symbol at a position, by parsing it now."""

from __future__ import annotations

from engram.errors import FileUnavailable, InvalidArgument
from engram.extract.facts import Definition, FileFacts
from engram.extract.languages import Language, language_of
from engram.extract.parse import extract_facts, extract_outline
from engram.primitives.check import shown
from engram.primitives.generic import Outline, outline
from engram.primitives.outcome import Answer
from engram.primitives.paths import Content, read_file
from engram.primitives.text import decode, is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from engram.primitives.base import Scope

MAX_SYMBOLS = 200  # the bound of the design
MAX_FILE_BYTES = 4 << 20  # larger sources are generated; parsing this much takes about a second
FUNCTIONS = frozenset({"function", "method", "constructor", "macro"})
VALUES = frozenset({"constant", "variable", "field", "property"})
# every other kind of definition is a type: class, interface, enum, struct, trait, namespace, ...
_MAX_LINE = 1 << 31

ARGUMENTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "minLength": 1, "maxLength": 4096, "description": "path from the root"},
        "query": {"type": "string", "enum": ["functions", "classes", "exports", "imports", "symbol-at"]},
        "line": {"type": "integer", "minimum": 1, "maximum": _MAX_LINE, "description": "of symbol-at, 1-based"},
        "column": {"type": "integer", "minimum": 1, "maximum": _MAX_LINE, "description": "of symbol-at, in characters"},
        "secrets": {"type": "boolean", "default": False, "description": "parse a file that holds keys, too"},
    },
    "required": ["file", "query"],
    "additionalProperties": False,
}
_NUMBER = {"type": "integer", "minimum": 1}
_TEXT = {"type": "string"}
_SYMBOL = {
    "name": _TEXT,
    "qualname": _TEXT,
    "kind": _TEXT,
    "line": {**_NUMBER, "description": "decorators included"},
    "endLine": _NUMBER,
    "exported": {"type": "boolean"},
    "exportedAs": {**_TEXT, "description": "of exports: the name it is given outside, where that is another one"},
}
_IMPORT = {
    "module": {**_TEXT, "description": "as written"},
    "symbol": {**_TEXT, "description": "what is taken from it: '' for the module itself, '*' for all"},
    "name": {**_TEXT, "description": "what it is called here, '' where nothing is bound"},
    "line": _NUMBER,
}


def _list(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    item = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"type": "array", "maxItems": MAX_SYMBOLS, "items": item}


DATA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": _TEXT,
        "language": _TEXT,
        "sha256": _TEXT,
        "generic": {"type": "boolean", "description": "true: read by the shape of the grammar alone"},
        "issues": {"type": "array", "items": _TEXT, "description": "what kept the file from being read whole"},
        "symbols": _list(_SYMBOL, ["name", "kind", "line", "endLine"]),
        "imports": _list(_IMPORT, list(_IMPORT)),
    },
    "required": ["file", "language", "sha256"],
    "additionalProperties": False,
}


def run(scope: Scope, arguments: dict[str, Any]) -> Answer:
    """Symbols or imports by line; for symbol-at the tightest symbol first and what encloses it after it."""
    query = arguments["query"]
    content, language = _source(scope.root, arguments)
    position = _position(content, arguments) if query == "symbol-at" else (0, 0)
    facts: FileFacts | None = None
    if language and query in ("functions", "classes"):
        found = Outline(language.name, *extract_outline(content.data, language))
    elif language:
        facts = extract_facts(content.path, content.data, language)
        found = Outline(language.name, facts.definitions, facts.issues)
    else:
        found = outline(content.path, content.data)
    head: dict[str, Any] = {"file": content.path, "language": found.language, "sha256": content.sha256}
    if not language:
        head["generic"] = True
    if found.issues:
        head["issues"] = list(found.issues)
    key = "imports" if query == "imports" else "symbols"
    items = (
        _imports(facts, content, arguments) if key == "imports" else _symbols(query, found, facts, position, content)
    )

    def left_out(count: int) -> dict[str, Any]:
        return {key: len(items) - count} if count < len(items) else {}

    return Answer(head, key, items[:MAX_SYMBOLS], {content.path: content.sha256}, left_out)


def definitions_of(content: Content) -> Sequence[Definition]:
    """The definitions of a file, by where they start; raises UnsupportedLanguage where no grammar reads it."""
    language = language_of(content.path, content.data[:256])
    if language:
        return extract_facts(content.path, content.data, language).definitions
    return outline(content.path, content.data).definitions


def _source(root: str, arguments: dict[str, Any]) -> tuple[Content, Language | None]:
    if (arguments["query"] == "symbol-at") != ("line" in arguments and "column" in arguments):
        raise InvalidArgument("line and column belong to symbol-at, which needs both", "ast FILE symbol-at:LINE:COLUMN")
    content = read_file(root, arguments["file"], secrets=arguments["secrets"], max_bytes=MAX_FILE_BYTES)
    if is_binary(content.data):
        raise FileUnavailable(f"{shown(content.path)} is binary")
    return content, language_of(content.path, content.data[:256])


def _position(content: Content, arguments: dict[str, Any]) -> tuple[int, int]:
    line, column = arguments["line"], arguments["column"]
    lines = decode(content.data).lines
    if line > max(1, len(lines)):
        raise InvalidArgument(f"line {line} is beyond the end: {shown(content.path)} has {len(lines)} lines")
    width = len(lines[line - 1]) if lines else 0
    if column > width + 1:
        raise InvalidArgument(f"column {column} is beyond the end of line {line}, which has {width} characters")
    return line, column


def _symbols(
    query: str, found: Outline, facts: FileFacts | None, position: tuple[int, int], content: Content
) -> list[dict[str, Any]]:
    definitions = found.definitions
    if query == "symbol-at":
        chosen = _around(definitions, *position, content)
    elif query == "functions":
        chosen = [one for one in definitions if one.kind in FUNCTIONS]
    elif query == "classes":
        chosen = [one for one in definitions if one.kind not in FUNCTIONS | VALUES]
    else:
        return _exports(definitions, facts, content)
    if query != "symbol-at":
        chosen = sorted(chosen, key=lambda one: (one.start, -one.end))
    return [_symbol(one) for one in chosen]


def _symbol(one: Definition) -> dict[str, Any]:
    return {
        "name": one.name,
        "qualname": one.qualname,
        "kind": one.kind,
        "line": one.start,
        "endLine": one.end,
        "exported": one.exported,
    }


def _around(definitions: Sequence[Definition], line: int, column: int, content: Content) -> list[Definition]:
    """The tightest definition around the position, then what it lies in.

    Facts know lines; of several definitions that share all of them, the one named last before the column is meant.
    """
    around = [one for one in definitions if one.start <= line <= one.end]
    if not around:
        return []
    tightest = min(one.end - one.start for one in around)
    text = decode(content.data).lines[line - 1]
    same = [one for one in around if one.end - one.start == tightest]
    named = [(_last_word(text, one.name, column), one.scope, one) for one in same if one.line == line]
    named = [row for row in named if row[0] >= 0]
    chosen = max(named, key=lambda row: row[:2])[2] if named else same[0]
    chain = [chosen]
    while chain[-1].scope >= 0:
        chain.append(definitions[chain[-1].scope])
    return chain


def _last_word(text: str, word: str, column: int) -> int:
    """Where `word` begins last at or before the 1-based column, as a word of its own; -1 for nowhere."""
    at = text.rfind(word, 0, column - 1 + len(word))
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(word) : at + len(word) + 1]
        if not any(character.isalnum() or character in "_$" for character in around):
            return at
        at = text.rfind(word, 0, at + len(word) - 1)
    return -1


def _exports(definitions: Sequence[Definition], facts: FileFacts | None, content: Content) -> list[dict[str, Any]]:
    """What others can import: definitions, and imports that are handed on; under the names that they are given."""
    if facts is None:
        raise InvalidArgument(
            f"what {shown(content.path)} exports is not known: its language is read by shape alone",
            "ask for functions or classes",
        )
    given: dict[str, list[str]] = {}
    for exported, local in facts.exports:
        given.setdefault(local, []).append(exported)
    items = []
    for one in definitions:
        if one.exported and one.scope < 0:
            names = given.get(one.name, [one.name])
            items += [_symbol(one) if name == one.name else {**_symbol(one), "exportedAs": name} for name in names]
    defined = {one.name for one in definitions if one.scope < 0}
    for binding in facts.imports:
        names = given.get(binding.name, []) if binding.name and binding.name not in defined else []
        if binding.reexport:
            names = [binding.name or binding.symbol]
        place = {"line": binding.line, "endLine": binding.line, "exported": True}
        items += [{"name": name, "kind": "reexport", **place} for name in names]
    return sorted(items, key=lambda item: (item["line"], item["name"]))


def _imports(facts: FileFacts | None, content: Content, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    if facts is None:
        raise InvalidArgument(
            f"what {shown(arguments['file'])} imports is not known: its language is read by shape alone",
            f"engram grep -- '^\\s*(import|use|include|require)' --path {content.path}",
        )
    rows = sorted(facts.imports, key=lambda one: one.line)
    return [{"module": one.module, "symbol": one.symbol, "name": one.name, "line": one.line} for one in rows]
