"""The facts of one file, arranged for looking things up."""

from __future__ import annotations

import posixpath
from functools import cached_property

from engram.extract.facts import MODULE, Binding, Definition, FileFacts, Import
from engram.paths import is_test_path as is_known_test

CLASSES = frozenset(["class", "interface", "enum", "type", "namespace", "struct", "trait", "record"])
FUNCTIONS = frozenset(["function", "method"])
_RESULTS = frozenset(["return", "yield", "package"])  # bindings without a target
PACKAGED = frozenset(["go", "rust", "java"])  # see `packages`
DETACHED = frozenset(["go", "rust"])  # methods are declared apart from their types, in other files too
_TYPED = frozenset(["typescript", "tsx", *PACKAGED])
# Folders whose code uses the product and is not used by it.
_TEST_FOLDERS = frozenset(["test", "tests", "__tests__", "spec", "e2e"])
_SHOW_FOLDERS = frozenset(["example", "examples", "docs", "doc", "demo", "demos", "sample", "samples", "benchmarks"])


def is_test_path(path: str) -> bool:
    """Whether the path is that of a test or an example: nothing that production code calls."""
    folder, name = posixpath.split(path)
    parts = folder.split("/")
    if not _TEST_FOLDERS.isdisjoint(parts) or parts[0] in _SHOW_FOLDERS:
        return True
    stem = name.split(".", 1)
    return (
        stem[0].startswith("test_")
        or stem[0].endswith(("_test", "_tests"))
        or stem[0] == "conftest"
        or ".test." in name
        or ".spec." in name
        or (name.endswith(".java") and is_known_test(path))
    )


class Local:
    """What one name is bound to in one scope."""

    __slots__ = ("bindings", "definitions", "imports", "parameter")

    def __init__(self) -> None:
        self.definitions: list[int] = []
        self.imports: list[Import] = []
        self.bindings: list[int] = []
        self.parameter = -1


class FileView:
    """One file: names per scope, members per class, attributes set on instances."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.path = facts.path
        self.folder = posixpath.dirname(facts.path)
        self.definitions: list[Definition] = facts.definitions
        self.python = facts.language == "python"
        self.language = facts.language
        self.typed = facts.language in _TYPED
        self.packaged = facts.language in PACKAGED
        self.detached = facts.language in DETACHED
        self.enclosing = facts.language == "java"  # members of the classes around are in scope by their bare names

    @cached_property
    def is_test(self) -> bool:
        return is_test_path(self.path)

    @cached_property
    def scopes(self) -> dict[int, dict[str, Local]]:
        """Scope -> name -> what it is bound to there."""
        scopes: dict[int, dict[str, Local]] = {}
        for index, definition in enumerate(self.definitions):
            if (definition.kind in CLASSES or definition.kind in FUNCTIONS) and not self._is_apart(definition):
                _local(scopes, definition.scope, definition.name).definitions.append(index)
            for position, parameter in enumerate(definition.parameters):
                _local(scopes, index, parameter.name.lstrip("*.")).parameter = position
        for imported in self.facts.imports:
            if imported.name and not (imported.reexport and not (self.python or self.packaged)):
                name = imported.name if imported.symbol else imported.name.partition(".")[0]
                _local(scopes, imported.scope, name).imports.append(imported)
        for index, binding in enumerate(self.facts.bindings):
            if binding.how not in _RESULTS and "." not in binding.target:
                _local(scopes, binding.scope, binding.target).bindings.append(index)
        return scopes

    def _is_apart(self, definition: Definition) -> bool:
        """Whether a method is declared for a type of another file: no name of this one means it."""
        if not self.detached or definition.kind != "method":
            return False
        return definition.scope == MODULE or self.definitions[definition.scope].kind == "namespace"

    def overloads(self, index: int) -> list[int]:
        """All functions that a call by the name of this one may mean, where the language lets them share it."""
        definition = self.definitions[index]
        if not self.enclosing or definition.scope == MODULE:
            return [index]
        same = self.scopes[definition.scope][definition.name].definitions
        return [other for other in same if self.definitions[other].kind in FUNCTIONS]

    @cached_property
    def package(self) -> str:
        """The package that the file says it belongs to; "" where it says none."""
        return next((binding.value for binding in self.facts.bindings if binding.how == "package"), "")

    def shows(self, scope: int, local: Local) -> bool:
        """Whether what stands in it sees by its bare name what a class or module binds."""
        if self.definitions[scope].kind == "namespace":
            return self.detached
        return self.enclosing and any(self.definitions[index].kind in CLASSES for index in local.definitions)

    @cached_property
    def results(self) -> dict[int, list[Binding]]:
        """Function -> what it returns or yields, in order of lines."""
        found: dict[int, list[Binding]] = {}
        for binding in self.facts.bindings:
            if binding.how in _RESULTS:
                found.setdefault(binding.scope, []).append(binding)
        return found

    @cached_property
    def reexports(self) -> dict[str, list[Import]]:
        """Name -> the imports that hand it on."""
        found: dict[str, list[Import]] = {}
        for imported in self.facts.imports:
            if imported.reexport and imported.name:
                found.setdefault(imported.name, []).append(imported)
        return found

    @cached_property
    def stars(self) -> list[Import]:
        """Imports of all names of another module."""
        return [imported for imported in self.facts.imports if imported.symbol == "*" and not imported.name]

    @cached_property
    def exports(self) -> dict[str, list[str]]:
        """Exported name -> the local names behind it, where the file lists what it exports."""
        found: dict[str, list[str]] = {}
        for exported, local in self.facts.exports:
            found.setdefault(exported, []).append(local)
        return found

    @cached_property
    def extending(self) -> frozenset[int]:
        """Functions that call the one of their own name on `super()`."""
        return frozenset(
            call.scope
            for call in self.facts.calls
            if call.callee.startswith("super")
            and call.scope != MODULE
            and call.callee.rpartition(".")[2] == self.definitions[call.scope].name
        )

    @cached_property
    def stubs(self) -> frozenset[int]:
        """Methods that are only declared: marked as abstract, or they do nothing but raise NotImplementedError."""
        abstract = {
            index
            for index, definition in enumerate(self.definitions)
            if any(decorator.rpartition(".")[2].startswith("abstract") for decorator in definition.decorators)
        }
        raising: dict[int, bool] = {}
        for call in self.facts.calls:
            raising[call.scope] = raising.get(call.scope, True) and call.callee == "NotImplementedError"
        busy = {binding.scope for binding in self.facts.bindings}
        return frozenset(abstract | {scope for scope, only in raising.items() if only and scope not in busy})

    @cached_property
    def attributes(self) -> dict[int, dict[str, list[int]]]:
        """Class -> attribute -> where it is set, on the class or on an instance of it."""
        found: dict[int, dict[str, list[int]]] = {}
        for index, binding in enumerate(self.facts.bindings):
            receiver, dot, name = binding.target.partition(".")
            if not dot:
                owner = binding.scope
                if owner == MODULE or not receiver or self.definitions[owner].kind not in CLASSES:
                    continue
                name = receiver
            else:
                owner = self._owner(receiver, binding.scope)
                if owner == MODULE or "." in name:
                    continue
            found.setdefault(owner, {}).setdefault(name, []).append(index)
        return found

    def _owner(self, receiver: str, scope: int) -> int:
        """The class whose attribute `receiver.x` is, written in `scope`; MODULE if it is of none here."""
        method = self.method_around(scope)
        if method != MODULE and receiver in ("this", self.receiver_name(method)):
            return self.definitions[method].scope
        local = self.scopes.get(MODULE, {}).get(receiver)
        if local and local.definitions and self.definitions[local.definitions[-1]].kind in CLASSES:
            return local.definitions[-1]
        return MODULE

    @cached_property
    def inner_names(self) -> frozenset[str]:
        """Names that some function or class of the file binds."""
        return frozenset([name for scope, names in self.scopes.items() if scope != MODULE for name in names])

    def method_around(self, scope: int) -> int:
        """The method that `scope` is, or lies in; MODULE if there is none."""
        while scope != MODULE:
            around = self.definitions[scope].scope
            if around != MODULE and self.definitions[around].kind in CLASSES:
                return scope if self.definitions[scope].kind in FUNCTIONS else MODULE
            scope = around
        return MODULE

    def receiver_name(self, method: int) -> str:
        """The first parameter of a method that gets one; "" for a static method."""
        definition = self.definitions[method]
        if "staticmethod" in definition.decorators or not definition.parameters:
            return ""
        return definition.parameters[0].name

    def member(self, owner: int, name: str) -> int:
        """The definition that `name` means in a class: the last one that is no overload or accessor; MODULE if none."""
        local = self.scopes.get(owner, {}).get(name)
        return self.choose(local.definitions) if local and local.definitions else MODULE

    @cached_property
    def _owners(self) -> dict[str, list[int]]:
        found: dict[str, dict[int, None]] = {}
        for definition in self.definitions:
            around = definition.scope
            if around != MODULE and definition.kind in FUNCTIONS and self.definitions[around].kind in CLASSES:
                found.setdefault(definition.name, {})[around] = None
        return {name: list(owners) for name, owners in found.items()}

    @property
    def method_names(self) -> list[str]:
        """Names of all methods in the file, sorted."""
        return sorted(self._owners)

    def owners_of(self, name: str) -> list[int]:
        """The classes of the file that define a method of that name."""
        return self._owners.get(name, [])

    def choose(self, indexes: list[int]) -> int:
        """Of definitions of one name, the one that a reader means."""
        if len(indexes) == 1:
            return indexes[0]
        plain = [index for index in indexes if not _is_secondary(self.definitions[index])]
        return (plain or indexes)[-1]

    def is_property(self, index: int) -> bool:
        """Whether reading the attribute calls the function."""
        definition = self.definitions[index]
        return bool(definition.decorators) and any(
            decorator.rpartition(".")[2] in ("property", "cached_property") for decorator in definition.decorators
        )


def _is_secondary(definition: Definition) -> bool:
    return any(
        decorator.rpartition(".")[2] in ("overload", "setter", "deleter", "register", "getter")
        for decorator in definition.decorators
    )


def _local(scopes: dict[int, dict[str, Local]], scope: int, name: str) -> Local:
    names = scopes.get(scope)
    if names is None:
        names = scopes[scope] = {}
    local = names.get(name)
    if local is None:
        local = names[name] = Local()
    return local
