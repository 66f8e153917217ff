"""Definitions: functions, methods, nesting, decorators, conditions, constants."""
# total: definitions 25, imports 0, exports 0
import_free = True
# ^ definition: constant import_free
LIMIT: int = 3
#^ definition: constant LIMIT
# ^ signature: LIMIT: int = 3
_private = LIMIT
# ^ exported: no
LIMIT = 4


def plain(a, b=2, *args, c: "Thing" = None, **kw) -> list[int]:
#   ^ definition: function plain
#   ^ lines: 13-22
#   ^ parameters: a, b = 2, *args, c: "Thing" = None, **kw
#   ^ returns: list[int]
#   ^ exported: yes
#   ^ doc: First line.
    """First line.

    Not this."""


@register
@app.route("/x", methods=["GET"])
async def decorated(
    # what it takes
    one,  # the first
    /,
    two: dict[str, int] = {},
    *,
    three,
):
    r'''
    Doc on its second line.
    '''
    return one
    # a comment at the end is not its code


class Base:
#     ^ definition: class Base
#     ^ bases: -
#     ^ lines: 42-46
    pass


class Child(Base, mixins.Mixin, Generic[T], metaclass=Meta):
#     ^ definition: class Child
#     ^ bases: Base, mixins.Mixin, Generic[T]
#     ^ signature: class Child(Base, mixins.Mixin, Generic[T], metaclass=Meta)
    attribute = 1

    def method(self):
#       ^ definition: method Child.method
#       ^ exported: yes
        def inner():
#           ^ definition: function Child.method.inner
#           ^ exported: no
            class Deep:
#                 ^ definition: class Child.method.inner.Deep
                def deepest(self): ...
#                   ^ definition: method Child.method.inner.Deep.deepest
#                   ^ exported: no

    def _hidden(self): "Hidden."
#       ^ exported: no
#       ^ doc: Hidden.

    def __init__(self, *, flag): ...
#       ^ exported: yes
#       ^ parameters: self, *, flag

    @property
    def value(self): return self._value
#       ^ decorators: property
#       ^ lines: 75-76

    class Meta:
#         ^ definition: class Child.Meta
        ordering = 1

    if TYPE_CHECKING:
        def conditional(self): ...
#           ^ definition: method Child.conditional


if sys.platform == "win32":
    def stream(): ...
#       ^ definition: function stream
else:
    def stream(): ...
#       ^ definition: function stream

try:
    FALLBACK = make()
#   ^ definition: constant FALLBACK
except ImportError:
    FALLBACK = None


type Alias[T] = list[T]
#    ^ definition: type Alias


def größe(ä): return ä
#   ^ definition: function größe
#   ^ parameters: ä


class Übung(Größe): pass
#     ^ bases: Größe


def takes_a_lambda(key=lambda row: row[0], pair=(1, 2)): pass
#   ^ parameters: key = lambda row: row[0], pair = (1, 2)


def unfinished(): pass; x = lambda: make()
#   ^ definition: function unfinished


for name in names:
    class Looped: pass
#         ^ definition: class Looped
