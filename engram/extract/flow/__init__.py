"""The deeper pass: what calls pass for parameters tells the types of parameters that nobody annotated."""

from engram.extract.flow.arguments import call_arguments
from engram.extract.flow.refine import refine

__all__ = ["call_arguments", "refine"]
