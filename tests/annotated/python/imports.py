"""Imports: absolute, relative, aliased, star, late, by name."""
# total: definitions 3, imports 21, calls 5
import os
#      ^ imports: os = os -
import xml.sax as sax, xml.dom
#                 ^ imports: sax = xml.sax -
#                      ^ imports: xml.dom = xml.dom -
from collections import OrderedDict as Ordered, deque
#                                      ^ imports: Ordered = collections OrderedDict
#                                               ^ imports: deque = collections deque
from . import sibling
#             ^ imports: sibling = . sibling
from .. import parent as above
#                        ^ imports: above = .. parent
from .pkg.mod import (
    first,
#   ^ imports: first = .pkg.mod first
    second as renamed,
#             ^ imports: renamed = .pkg.mod second
)
from .everything import *
#     ^ imports: - = .everything *
from .public import name as name
#                           ^ reexports: name = .public name

if TYPE_CHECKING:
    from .types import Shape
#                      ^ imports: Shape = .types Shape

try:
    import json5 as json
#                   ^ imports: json = json5 -
except ImportError:
    import json
#          ^ imports: json = json -


def late():
    from .lazy import load
#                     ^ imports: load = .lazy load
    import importlib
    plugin = importlib.import_module("pkg.plugin")
#   ^ imports: plugin = pkg.plugin -
#            ^ calls: importlib.import_module in late
    importlib.import_module(".relative", __package__)
#                             ^ imports: - = .relative -
    importlib.import_module(computed)
#             ^ calls: importlib.import_module in late
    __import__('dotted.name')
#               ^ imports: - = dotted.name -
    importlib.import_module(f"pkg.{name}")


class Holder:
    from .inside import member
#                       ^ imports: member = .inside member

    def method(self):
        from ..far.away import thing
#                              ^ imports: thing = ..far.away thing
