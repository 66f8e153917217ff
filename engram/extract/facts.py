"""What one file says by itself: everything that resolving across files needs, and nothing of any other file.

Facts are tuples all the way down, so that they cross process borders and rest beside the graph as one JSON array
each (`FileFacts.dump`), the rows of a list by columns.  A *scope* is an index into `FileFacts.definitions`, or MODULE
for the top level of the file.  Expressions are slices of the source with white space folded, cut at MAX_EXPRESSION
characters; one that was cut ends in CUT.  Long values and callees lose their arguments first (`f(g(x), ...).h` becomes
`f().h`).  Lists are in the order of the source.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import repeat
from typing import Any, NamedTuple

FACTS_VERSION = (
    3  # raise it with every change of a field or of its meaning: stored facts of another version are extracted anew
)
MODULE = -1
WHOLE = -1
MAX_EXPRESSION = 160  # longer receivers and values are cut: they are never resolved, only shown
CUT = "…"


class Parameter(NamedTuple):
    """One parameter of a function: `annotation` and `default` are expressions, "" where there is none.

    `*args`, `**kw` and `...rest` keep their dots and stars in `name`, a bare `*` stays, a bare `/` is left out;
    a destructured parameter has its pattern for a name (`{a, b}`).
    """

    name: str
    annotation: str
    default: str


class Definition(NamedTuple):
    """A function, method, class, struct, record, interface, trait, enum, type, namespace, macro or constant (`kind`).

    A constant is a simple name assigned at the top level (the first assignment, where no function or class of the
    file has that name there); it comes after all other definitions.  `start` to `end` are its lines, decorators and
    `export` included; `line` is where its name stands.  `scope` is the definition around it, of a lower index;
    of a method declared apart from its type (Go, `impl` of Rust) it is that type, wherever it stands in the file,
    or what is around it where the type is not of this file (its qualname begins with the type all the same);
    a definition under `if` or `try` is one like any other, so a qualname may occur twice.  `bases` are the
    expressions of a class's bases without keywords, `decorators` those above it without their `@`.
    """

    name: str
    qualname: str
    kind: str
    start: int
    end: int
    line: int
    scope: int
    signature: str
    doc: str
    exported: bool
    bases: list[str]
    decorators: list[str]
    parameters: list[Parameter]
    returns: str


class Import(NamedTuple):
    """A name bound by an import.

    `module` is as written (`..utils`, `./list`), a path of Rust with dots (`crate.a`).  `symbol` is the name taken from
    it: "" for the module itself, "*" for all of it, "default" for a default import.  `name` is what it is called here,
    "" where nothing is bound (`import "./x"`, a star, `importlib.import_module("x")`); Python's `import a.b` is called
    `a.b` here, as it is written at its uses.  `reexport`: the file hands it on as `name` (`export {a} from "./a"`,
    `import a as a`, `pub use`).
    """

    scope: int
    name: str
    module: str
    symbol: str
    line: int
    reexport: bool


class CallSite(NamedTuple):
    """A call as written: `callee` is the expression before the parentheses (`self.x.parse`), `new` is for `new X()`.

    A decorator without parentheses, a JSX element (`<Foo/>`) and Python's `raise Foo` are calls too.
    Defaults, decorators and bases are called by the scope around the definition, lambdas and anonymous functions
    belong to the definition around them.  `line` is where the callee ends.
    """

    scope: int
    callee: str
    line: int
    new: bool


class Binding(NamedTuple):
    """What may tell the type of a name: an assignment or annotation of `target` (`x`, `self.x`, `this.x`, `Class.x`).

    `value` is the expression assigned ("" for a bare annotation, `""` for a string, `[]` or `{}` for a long display),
    `annotation` the declared type ("" without).
    `how` is "assign", "with" (`with value as target`), "for" (`for target in value`, comprehensions too), "except",
    "return" and "yield" (of the scope, no target), "global" or "nonlocal" (no value), "package" (the value is the
    package that the file says it belongs to).
    `element` is the position of the target in what is unpacked (`a, b = value`), WHOLE where nothing is; a nested or
    starred target has no value.
    """

    scope: int
    target: str
    value: str
    annotation: str
    line: int
    how: str
    element: int


class FileFacts(NamedTuple):
    """All facts of one file; `issues` names what was wrong with it ("syntax-error", "not-utf8", ...).

    `exports` maps what the file hands out by another name, or by a list: (exported name, local name).  The default
    export is called "default", that of CommonJS (`module.exports = x`) too.
    """

    version: int
    path: str
    language: str
    lines: int
    issues: list[str]
    definitions: list[Definition]
    imports: list[Import]
    calls: list[CallSite]
    bindings: list[Binding]
    exports: list[tuple[str, str]]

    def dump(self) -> bytes:
        """The facts as one JSON array, UTF-8."""
        packed = self._replace(
            definitions=_columns(self.definitions),
            imports=_columns(self.imports),
            calls=_columns(self.calls),
            bindings=_columns(self.bindings),
        )
        return json.dumps(packed, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def load_facts(packed: bytes) -> FileFacts | None:
    """The facts that `dump` wrote; None if they are of another version."""
    row = json.loads(packed)
    if not row or row[0] != FACTS_VERSION:
        return None
    version, path, language, lines, issues, definitions, imports, calls, bindings, exports = row
    if definitions:
        parameters = Definition._fields.index("parameters")
        definitions[parameters] = [[Parameter(*one) for one in listed] for listed in definitions[parameters]]
    return FileFacts(
        version,
        path,
        language,
        lines,
        issues,
        _rows(Definition, definitions),
        _rows(Import, imports),
        _rows(CallSite, calls),
        _rows(Binding, bindings),
        [(exported, local) for exported, local in exports],
    )


def _columns(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The columns of equally long rows; [] of none.  JSON writes few long lists 20 % faster than many short ones."""
    return list(zip(*rows, strict=True))


def _rows[T: tuple[Any, ...]](kind: type[T], columns: list[list[Any]]) -> list[T]:
    """The rows of columns; to make them in C takes half the time of calling the class for each."""
    return list(map(tuple.__new__, repeat(kind), zip(*columns, strict=True)))
