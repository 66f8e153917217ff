"""Declared types -> values: what an annotation promises."""

from __future__ import annotations

from engram.extract.resolve.expressions import Tree, parse
from engram.extract.resolve.names import Names
from engram.extract.resolve.values import (
    CALLABLE,
    CLASS,
    CONTAINER,
    DECLARED,
    EXTERNAL,
    NOTHING,
    OUTSIDE,
    VARIABLE,
    Value,
    Values,
    union,
)
from engram.extract.resolve.views import FileView

# Names of typing, collections.abc and the built-ins (docs.python.org/3/library/typing.html), and those of TypeScript.
_TRANSPARENT_WORDS = (
    "Optional Union Annotated ClassVar Final Required NotRequired ReadOnly Unpack InitVar Awaitable Coroutine Promise "
    "PromiseLike Partial Readonly Pick Omit NonNullable Exclude Extract Concatenate TypeGuard TypeIs"
)
_TRANSPARENT = frozenset(_TRANSPARENT_WORDS.split())
_CONTAINERS_WORDS = (
    "list List set Set frozenset FrozenSet tuple Tuple dict Dict deque Deque defaultdict DefaultDict OrderedDict "
    "Sequence MutableSequence Iterable Iterator Collection Container Reversible Mapping MutableMapping AbstractSet "
    "MutableSet Generator AsyncIterable AsyncIterator AsyncGenerator ValuesView ItemsView ContextManager "
    "AbstractContextManager AsyncContextManager ChainMap Array ReadonlyArray Map ReadonlyMap WeakMap ReadonlySet "
    "Record IterableIterator WeakSet WeakKeyDictionary WeakValueDictionary"
)
_CONTAINERS = frozenset(_CONTAINERS_WORDS.split())
_FIRST = frozenset(["Generator", "AsyncGenerator", "Annotated", "Pick", "Omit", "Exclude", "Extract"])
_LAST_WORDS = (
    "dict Dict defaultdict DefaultDict OrderedDict Mapping MutableMapping Coroutine Map ReadonlyMap WeakMap Record "
    "WeakKeyDictionary WeakValueDictionary ChainMap"
)
_LAST = frozenset(_LAST_WORDS.split())
# What holds one value, and is used as that value; results, whose first argument counts (doc.rust-lang.org/std).
_POINTERS = frozenset("Box Rc Arc Option Result Cow Ref RefMut RefCell Cell Mutex RwLock Pin Weak OnceCell".split())
# Of Rust and of java.util.
_MORE_CONTAINERS_WORDS = (
    "Vec VecDeque HashSet BTreeSet HashMap BTreeMap IndexMap BinaryHeap ArrayList LinkedList ArrayDeque Queue TreeSet "
    "LinkedHashSet SortedSet TreeMap LinkedHashMap SortedMap ConcurrentHashMap EnumMap Stream"
)
_MORE_CONTAINERS = frozenset(_MORE_CONTAINERS_WORDS.split())
_MAX_DEPTH = 6  # of nested type arguments and aliases


class Annotations:
    """Reads annotations; a class that is named may be a subclass of it at run time: DECLARED."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def read(self, view: FileView, scope: int, text: str, receiver: Values = NOTHING) -> Values:
        """What a value of that annotation may be; `receiver` is what `Self` means."""
        key = ("annotation", view.path, scope, text, receiver)
        return self._names.ledger.remember(
            view.path, key, self.of, view, scope, parse(text, view.typed), receiver, _MAX_DEPTH
        )

    def of(self, view: FileView, scope: int, tree: Tree | None, receiver: Values, depth: int) -> Values:
        """The same for an annotation that was parsed."""
        if tree is None or depth <= 0:
            return NOTHING
        kind = tree[0]
        if kind == "text":
            return self.of(view, scope, parse(tree[1], view.typed), receiver, depth - 1)
        if kind in ("either", "many"):
            inner = union([self.of(view, scope, part, receiver, depth - 1) for part in tree[1]])
            return inner if kind == "either" else (Value(CONTAINER, inner=inner),)
        if kind == "item":
            return self._generic(view, scope, tree, receiver, depth)
        if kind in ("name", "attr"):
            if tree[-1] in ("Self", "this") and kind != "attr" and (receiver or not view.detached):
                return receiver
            return self._named(view, scope, tree, receiver, depth)
        return NOTHING

    def _generic(self, view: FileView, scope: int, tree: Tree, receiver: Values, depth: int) -> Values:
        base, arguments = tree[1], tree[2]
        name = base[-1] if base and base[0] in ("name", "attr") else ""
        if name in ("type", "Type"):
            inner = [self.of(view, scope, part, receiver, depth - 1) for part in arguments]
            return tuple([Value(CLASS, v.path, v.at) for v in union(inner) if v.kind == DECLARED]) or EXTERNAL
        if name == "Callable":
            result = self.of(view, scope, arguments[-1], receiver, depth - 1) if len(arguments) > 1 else NOTHING
            return (Value(CALLABLE, inner=result),)
        if view.language == "rust" and name in _POINTERS:
            return self.of(view, scope, arguments[0] if arguments else None, receiver, depth - 1)
        if name in _TRANSPARENT or name in _CONTAINERS or (view.packaged and name in _MORE_CONTAINERS):
            if name in _FIRST:
                arguments = arguments[:1]
            elif name in _LAST or (view.packaged and name.endswith("Map")):
                arguments = arguments[-1:]
            found = union([self.of(view, scope, part, receiver, depth - 1) for part in arguments])
            return found if name in _TRANSPARENT else (Value(CONTAINER, inner=found),)
        return self.of(view, scope, base, receiver, depth - 1)

    def _named(self, view: FileView, scope: int, tree: Tree, receiver: Values, depth: int) -> Values:
        found = self._names.static(view, scope, tree)
        named = tuple([Value(DECLARED, v.path, v.at) for v in found if v.kind == CLASS])
        if named:
            return named
        if tree[0] == "name":
            _, meanings = self._names.look_up(view, scope, tree[1])
        else:
            modules = self._names.static(view, scope, tree[1])
            meanings = union(
                [self._names.module_attribute(view, module, tree[2]) for module in modules if module.kind == "module"]
            )
        aliases = [self._alias(value, receiver, depth) for value in meanings if value.kind == VARIABLE]
        known = union(aliases)
        outside = not meanings or any(value.kind == OUTSIDE for value in meanings)
        return known or (EXTERNAL if outside else NOTHING)

    def _alias(self, value: Value, receiver: Values, depth: int) -> Values:
        """`Alias = Union[A, B]`, `T = TypeVar("T", bound=A)`."""
        view = self._names.view(value.path)
        if view is None:
            return NOTHING
        binding = view.facts.bindings[value.at]
        tree = parse(binding.value, view.typed)
        if not tree or binding.how != "assign":
            return NOTHING
        if tree[0] == "call":
            bounds = [bound for name, bound in tree[3] if name == "bound"] or tree[2][1:]
            if not tree[1] or tree[1][-1] != "TypeVar":
                return NOTHING
            return union([self.of(view, binding.scope, bound, receiver, depth - 1) for bound in bounds])
        return self.of(view, binding.scope, tree, receiver, depth - 1)
