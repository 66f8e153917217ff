"""Resolution: facts of files -> CALLS, IMPORTS and INHERITS edges (`resolver`), incrementally (`surface`)."""

from engram.extract.resolve.calls import CallEdge
from engram.extract.resolve.resolver import FileEdges, Inheritance, Resolver, resolve
from engram.extract.resolve.surface import index_keys, is_affected, surface_changes

__all__ = [
    "CallEdge",
    "FileEdges",
    "Inheritance",
    "Resolver",
    "index_keys",
    "is_affected",
    "resolve",
    "surface_changes",
]
