"""The Python environment that `bin/engram` makes and runs in; the standard library alone."""
