"""engram: a map of a repository for coding agents, and bounded, journaled access to it."""

__version__ = "0.1.0"
