"""The deeper pass: what calls pass for parameters tells the types of parameters that nobody annotated."""

from engram.extract.flow.refine import refine

__all__ = ["refine"]
