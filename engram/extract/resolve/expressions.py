"""Expressions as written in the facts, read into small trees; what cannot carry a type becomes None.

A tree is a tuple whose first item names its kind:
("name", n)  ("attr", base, n)  ("call", function, arguments, keywords)  ("item", base, index)
("either", parts)  ("many", elements)  ("text", s)  ("literal", word)  ("none",)  ("starred", inner)  ("cast", type)
One grammar serves Python, JavaScript and TypeScript: it knows the tokens of all three, and only the operators that
hand an operand on (`or`, `||`, `??`, `|`, conditionals, `await`, `as`) keep a type.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from engram.extract.facts import CUT

Tree = tuple[Any, ...]

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>[rRbBuUfF]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`))
    |(?P<name>[^\W\d][\w$]*|[$#][\w$]*)
    |(?P<number>\d[\w.]*)
    |(?P<mark>\?\.|\?\?|\|\||&&|=>|\.\.\.|\*\*|//|<<|>>|[=!<>]=+|:=|.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_DOTTED = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
_EITHER = frozenset(["or", "and", "||", "&&", "??", "|"])
_CONSTANTS = {"None": ("none",), "null": ("none",), "undefined": ("none",), "void": ("none",)}
_WORDS = frozenset(["True", "False", "true", "false"])
_PREFIXES = frozenset(["await", "new", "*", "**", "...", "readonly", "!"])
_STARS = frozenset(["*", "**", "..."])
_NEGATIONS = frozenset(["not", "-", "+", "~", "typeof", "delete", "lambda", "yield", "function", "async", "class"])
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MEMO_ENTRIES = 200_000  # as many distinct expressions as 500 k lines hold (about 40 k in 100 k lines)


class _Unreadable(Exception):
    pass


@lru_cache(_MEMO_ENTRIES)
def parse(text: str, types: bool = False) -> Tree | None:
    """The tree of an expression; None if it is empty, cut off, or tells nothing of a type.

    With `types`, `<` opens type arguments and `[]` is an array: a TypeScript annotation.
    """
    if _DOTTED.fullmatch(text):
        return _dotted(text)
    if CUT in text:
        return None
    try:
        reader = _Reader(text, types)
        tree = reader.expression()
    except (_Unreadable, RecursionError):
        return None
    return tree if reader.kind == "end" else None


def _dotted(text: str) -> Tree:
    first, *rest = text.split(".")
    if first in _WORDS:
        return ("literal", first)
    tree: Tree = _CONSTANTS.get(first) or ("name", first)
    for name in rest:
        tree = ("attr", tree, name)
    return tree


class _Reader:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, text: str, types: bool) -> None:
        self.text, self.types, self.at = text, types, 0
        self.kind, self.token = "", ""
        self.advance()

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            self.kind, self.token = "end", ""
            return
        self.at = found.end()
        self.kind = found.lastgroup or "end"
        self.token = found[self.kind]

    def expect(self, token: str) -> None:
        if self.token != token:
            raise _Unreadable
        self.advance()

    def skip_to(self, closing: str) -> None:
        """Leaves the reader on the `closing` bracket of the level it stands in."""
        depth = 0
        while self.kind != "end":
            if self.kind == "mark":
                if depth == 0 and self.token == closing:
                    return
                depth += (self.token in "([{") - (self.token in ")]}")
            self.advance()
        raise _Unreadable

    def expression(self) -> Tree | None:
        tree = self.operands()
        if self.token == "if" and self.kind == "name":
            self.advance()
            self.operands()
            self.expect("else")
            return _either([tree, self.expression()])
        if self.token == "?":
            self.advance()
            first = self.expression()
            self.expect(":")
            return _either([first, self.expression()])
        if self.token in ("as", "satisfies") and self.kind == "name":
            self.types = True
            self.advance()
            return ("cast", self.operands())
        return tree

    def operands(self) -> Tree | None:
        parts, known = [self.operand()], True
        while self.kind != "end" and self.token not in (")", "]", "}", ",", ":", "?", "="):
            if self.kind == "name" and self.token not in ("or", "and", "in", "is", "not", "instanceof", "extends"):
                break
            if self.types and self.token == ">":
                break
            known = known and self.token in _EITHER
            if self.token == "=>":
                raise _Unreadable
            self.advance()
            while self.token in ("not", "in"):
                self.advance()
            parts.append(self.operand())
        return (_either(parts) if known else ("literal", "")) if len(parts) > 1 else parts[0]

    def operand(self) -> Tree | None:
        made_new = starred = False
        while self.token in _PREFIXES and self.kind != "text":
            made_new = self.token == "new"
            starred = starred or self.token in _STARS
            self.advance()
        if self.token in _NEGATIONS and self.kind != "text":
            if self.token in ("not", "-", "+", "~"):
                self.advance()
                self.operand()
                return ("literal", "")
            raise _Unreadable
        tree = self.trailers(self.atom())
        if starred:
            return ("starred", tree)
        if made_new and tree and tree[0] in ("name", "attr"):
            return ("call", tree, (), ())
        return tree

    def atom(self) -> Tree | None:
        kind, token = self.kind, self.token
        if kind == "text":
            return self.texts()
        if kind == "number":
            self.advance()
            return ("literal", token)
        if kind == "name":
            self.advance()
            return ("literal", token) if token in _WORDS else _CONSTANTS.get(token, ("name", token))
        if token in _CLOSING:
            return self.bracketed()
        raise _Unreadable

    def texts(self) -> Tree:
        parts = []
        while self.kind == "text":
            parts.append(self.token.lstrip("rRbBuUfF").strip("\"'`"))
            self.advance()
        return ("text", "".join(parts))

    def bracketed(self) -> Tree | None:
        opening = self.token
        self.advance()
        closing = _CLOSING[opening]
        elements, commas = self.elements(closing, keyed=opening == "{")
        self.expect(closing)
        if opening == "(" and len(elements) == 1 and not commas:
            return elements[0]
        return ("many", tuple(elements))

    def elements(self, closing: str, *, keyed: bool) -> tuple[list[Tree | None], int]:
        found: list[Tree | None] = []
        commas = 0
        while self.token != closing:
            if self.kind == "end":
                raise _Unreadable
            tree = self.expression()
            if keyed and self.token == ":":
                self.advance()
                tree = self.expression()
            if self.kind == "name" and self.token in ("for", "async"):
                self.skip_to(closing)
            found.append(tree)
            if self.token != ",":
                break
            commas += 1
            self.advance()
        return found, commas

    def trailers(self, tree: Tree | None) -> Tree | None:
        while self.kind == "mark":
            if self.token in (".", "?."):
                self.advance()
                if self.kind == "name":
                    tree = ("attr", tree, self.token)
                    self.advance()
            elif self.token == "(":
                tree = self.call(tree)
            elif self.token == "[":
                tree = self.item(tree, "]")
            elif self.token == "<" and self.types:
                tree = self.item(tree, ">")
            elif self.token == "!" and self.text[self.at : self.at + 1] in ".([)":
                self.advance()
            else:
                break
        return tree

    def call(self, function: Tree | None) -> Tree:
        self.advance()
        plain: list[Tree | None] = []
        keywords: list[tuple[str, Tree | None]] = []
        while self.token != ")":
            tree = self.expression()
            if self.token == "=" and tree and tree[0] == "name":
                self.advance()
                keywords.append((tree[1], self.expression()))
            else:
                plain.append(tree)
            if self.kind == "name" and self.token in ("for", "async"):
                self.skip_to(")")
            if self.token != ",":
                break
            self.advance()
        self.expect(")")
        return ("call", function, tuple(plain), tuple(keywords))

    def item(self, base: Tree | None, closing: str) -> Tree:
        self.advance()
        if self.token == ":":  # a slice from the start keeps the kind of thing
            self.skip_to(closing)
        found, _commas = self.elements(closing, keyed=False)
        if self.token == ":":
            self.skip_to(closing)
        self.expect(closing)
        if self.types and closing == "]" and not found:
            return ("many", (base,))
        return ("item", base, tuple(found))


def _either(parts: list[Tree | None]) -> Tree | None:
    kept = tuple([part for part in parts if part is not None])
    return ("either", kept) if len(kept) > 1 else (kept[0] if kept else None)
