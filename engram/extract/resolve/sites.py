"""The call sites of one file: which of them mean the same, so that each meaning is found once."""

from __future__ import annotations

import re
from typing import NamedTuple

from engram.extract.facts import MODULE as TOP
from engram.extract.facts import CallSite
from engram.extract.resolve.calls import Calls, Target
from engram.extract.resolve.expressions import parse
from engram.extract.resolve.values import EXTERNAL, VARIABLE, Values, union
from engram.extract.resolve.views import FileView

# A *frame* is a number that two scopes share if an expression that begins with a name means the same in both: the
# scope that binds the name plus one, or one of these, or less (the methods of one class share their `self`).
_UNKNOWN, _MODULE, _BUILT_IN = 0, -1, -2
_FIRST_NAME = re.compile(r"(?:await |new |[(])*([^\W\d][\w$]*|)")

Grades = dict[Target, float]


class CallEdge(NamedTuple):
    """A call from definition `caller` of the file to definition `callee` of `path`; -1 is the module itself."""

    caller: int
    path: str
    callee: int
    line: int
    confidence: float


class Sites:
    """Resolves the sites of one file."""

    def __init__(self, calls: Calls, view: FileView) -> None:
        self._calls, self._view = calls, view
        self._names, self._types = calls.names, calls.types
        self._bound = view.scopes.get(TOP, {})
        self._closed = view.python and not view.stars and not view.path.endswith("__init__.py")
        self._frames: dict[tuple[int, str], int | None] = {}
        self._found: dict[tuple[int, str], Grades] = {}
        self._evaluated: dict[tuple[int, str], Values] = {}
        self._named: dict[tuple[int, str], Values] = {}

    def edges(self) -> list[CallEdge]:
        """One edge per caller and callee, by caller, path and callee: the first line, the best confidence."""
        best: dict[tuple[int, Target], tuple[int, float]] = {}
        for site in self._view.facts.calls:
            try:
                found = self.targets(site)
            except RecursionError:  # assignments of long chains of attributes to each other: code to break tools
                continue
            if found:
                scope, line = site.scope, site.line
                for target, confidence in found.items():
                    earlier = best.get((scope, target))
                    if earlier is None:
                        best[scope, target] = line, confidence
                    elif earlier[1] < confidence:
                        best[scope, target] = earlier[0], confidence
        return [CallEdge(scope, *target, *best[scope, target]) for scope, target in sorted(best)]

    def targets(self, site: CallSite) -> Grades:
        """What a site may call, with confidence; empty if that is outside of the repository or unknown."""
        head, _, name = site.callee.rpartition(".")
        key = (site.scope, head or name)
        frame = self._frames.get(key, _UNKNOWN)
        if frame == _UNKNOWN:
            frame = self._frames[key] = self._frame(*key)
        if frame is None:
            return self._find(site, head, name)
        if frame == _BUILT_IN:
            return {}
        found = self._found.get((frame, site.callee))
        if found is None:
            if head and head.isidentifier():
                found = self._calls.methods(self._view, self._receivers(site, frame, head, name), name)
            else:
                found = self._find(site, head, name)
            self._found[frame, site.callee] = found
        return found

    def _frame(self, scope: int, head: str) -> int | None:
        """The frame of an expression; None where it may mean another thing at every line: the function assigns its
        first name more than once."""
        name = head if head.isidentifier() else _FIRST_NAME.match(head)[1]  # type: ignore[index]  # matches everything
        if name in ("super", "this", "") or (name != head and "(" in head):  # arguments may name other things
            return scope + 1 or None
        if name not in self._view.inner_names:
            if self._view.packaged:  # what stands around decides: a class, a module, the type of the method
                return scope + 1 or None
            return _MODULE if name in self._bound or not self._closed else _BUILT_IN
        owner, found = self._names.look_up(self._view, scope, name)
        if owner == TOP:
            return _MODULE
        if len(found) > 1:
            return None
        if name == self._view.receiver_name(owner) and self._view.method_around(owner) == owner:
            return _BUILT_IN - 1 - self._view.definitions[owner].scope
        return owner + 1

    def _find(self, site: CallSite, head: str, name: str) -> Grades:
        view = self._view
        if not head or not name.isidentifier():
            found = self._types.evaluate(view, site.scope, parse(site.callee, view.typed), site.line)
            return self._calls.of_values(view, found)
        head = head.rstrip("?!")
        if self._calls.hierarchy.count_files(name) > 0:
            bases = self._types.evaluate(view, site.scope, parse(head, view.typed), site.line)
        else:
            bases = self._without_evaluation(site.scope, head)
        return self._calls.methods(view, bases, name)

    def _receivers(self, site: CallSite, frame: int, head: str, name: str) -> Values:
        """What a name that stands before `.name()` holds."""
        key = (frame, head)
        known = self._evaluated.get(key)
        may_be_method = self._calls.hierarchy.count_files(name) > 0
        if known is None and (may_be_method or frame < 0):
            tree = parse(head, self._view.typed)
            known = self._evaluated[key] = self._types.evaluate(self._view, site.scope, tree, site.line)
        if known is None:
            known = self._named.get(key)
        if known is None:
            known = self._named[key] = self._without_evaluation(site.scope, head)
        return known

    def _without_evaluation(self, scope: int, head: str) -> Values:
        """Receivers that cost little: modules, classes and `self`; only they can have a function or attribute of a name
        that no class of the repository has for a method."""
        if not head.isidentifier():
            return self._names.static(self._view, scope, parse(head, self._view.typed)) if "(" not in head else EXTERNAL
        if head in ("this", "super") and not self._view.python and not self._view.detached:
            return self._types.evaluate(self._view, scope, ("name", head), 0, 1)
        _, found = self._names.look_up(self._view, scope, head)
        if len(found) == 1 and found[0].kind == VARIABLE:
            return self._names.static(self._view, scope, ("name", head)) or EXTERNAL
        return union([self._types.settle(value, 1) for value in found if value.kind != VARIABLE]) or EXTERNAL
