"""What the parts of the inference ask of one another; `engram.extract.resolve.inference` puts them together."""

from __future__ import annotations

from abc import ABC, abstractmethod

from engram.extract.resolve.annotations import Annotations
from engram.extract.resolve.expressions import Tree
from engram.extract.resolve.hierarchy import Hierarchy
from engram.extract.resolve.names import Names
from engram.extract.resolve.values import ANY_CALL, Context, Value, Values
from engram.extract.resolve.views import FileView

Arguments = tuple[Values | None, ...]  # by position of the parameter, None where nothing is known


class Evaluation(ABC):
    """The questions, each in a class of its own: `Types` answers them all.

    Every step that follows a value spends depth.
    """

    def __init__(self, names: Names, hierarchy: Hierarchy) -> None:
        self._names, self._ledger, self._hierarchy = names, names.ledger, hierarchy
        self._annotations = Annotations(names)

    @abstractmethod
    def evaluate(
        self,
        view: FileView,
        scope: int,
        tree: Tree | None,
        line: int,
        depth: int | None = None,
        context: Context = ANY_CALL,
    ) -> Values:
        """The values of an expression read at a line of a scope; empty if nothing is known.

        `context` tells of the call for which the function around the scope is read.
        """

    @abstractmethod
    def settle(self, value: Value, depth: int, context: Context = ANY_CALL) -> Values:
        """A value, or what a variable or parameter may hold."""

    @abstractmethod
    def attribute(self, view: FileView, base: Value, name: str, depth: int) -> Values:
        """`base.name` as read in the file."""

    @abstractmethod
    def attribute_of_class(self, owner: Value, name: str) -> Values:
        """A member read off a class."""

    @abstractmethod
    def returns(self, function: Value, depth: int, arguments: Arguments = ()) -> Values:
        """What a function returns, `function.inner` being its receiver."""

    @abstractmethod
    def elements(self, values: Values, depth: int, method: str) -> Values:
        """What iterating or subscripting gives."""

    @abstractmethod
    def entered(self, value: Value, depth: int) -> Values:
        """What `with value as name` binds."""
