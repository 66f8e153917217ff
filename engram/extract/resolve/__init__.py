"""Resolution: facts of files -> CALLS, IMPORTS and INHERITS edges (`resolver`), incrementally (`surface`)."""

from engram.extract.resolve.resolver import FileEdges, Inheritance, Resolver, index_files, resolve
from engram.extract.resolve.sites import CallEdge
from engram.extract.resolve.surface import affected_files, asked_rows, index_keys, surface_changes

__all__ = [
    "CallEdge",
    "FileEdges",
    "Inheritance",
    "Resolver",
    "affected_files",
    "asked_rows",
    "index_files",
    "index_keys",
    "resolve",
    "surface_changes",
]
