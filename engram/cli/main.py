"""`engram COMMAND ...`: finds the command's module, imports it alone, and turns errors into exit codes.

0 done, 1 an error that is explained, 2 wrong usage, 3 a bug, 130 interrupted.
"""

from __future__ import annotations

import sys

from engram import __version__
from engram.errors import EngramError

COMMANDS: dict[str, tuple[str, str]] = {
    # name: (module, one line of help), in the order in which help lists them
    "orient": ("engram.cli.orient", "print the places of this repository that a text is about"),
    "index": ("engram.cli.index", "bring the graph of this repository up to date"),
    "refine": ("engram.cli.refine", "sharpen the call graph, read the git history; runs by itself"),
    "callers": ("engram.cli.graph", "who calls a symbol"),
    "callees": ("engram.cli.graph", "what a symbol calls"),
    "symbols": ("engram.cli.graph", "list symbols"),
    "history": ("engram.cli.history", "who changed a file, when, and what changes with it"),
    "query": ("engram.cli.query", "run a read-only Cypher query on the graph"),
    "export": ("engram.cli.export", "print the call graph as JSON lines"),
    "grep": ("engram.cli.primitives", "search the text of files"),
    "read": ("engram.cli.primitives", "read a range of lines of a file"),
    "ast": ("engram.cli.primitives", "list the symbols, imports or exports of a file"),
    "git": ("engram.cli.primitives", "read the log, the blame or a diff"),
    "recurse": ("engram.cli.recurse", "ask subagents about slices of the code"),
    "journal": ("engram.cli.journal", "read, verify and replay what was asked"),
    "session": ("engram.cli.journal", "print the id of this session and the path of its journal"),
    "activity": ("engram.cli.activity", "what the sessions of this repository read and edited"),
    "claims": ("engram.cli.activity", "which files are being edited right now; release one"),
    "hook": ("engram.hooks.main", "answer an event of the client; reads its JSON from standard input"),
    "server": ("engram.cli.server", "start, stop or look at the graph server"),
    "setup": ("engram.cli.setup", "install what is missing now, and say where it is"),
    "doctor": ("engram.cli.doctor", "check that everything works, and say what to do where it does not"),
    "uninstall": ("engram.cli.uninstall", "stop the server and list or remove what engram keeps"),
}


def usage() -> str:
    """The text of `engram --help`."""
    width = max(len(name) for name in COMMANDS)
    rows = [f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(["usage: engram COMMAND [options]   (engram COMMAND --help tells more)", "", *rows])


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code of the process."""
    args = sys.argv[1:] if argv is None else argv
    if args in (["--version"], ["-V"]):
        print(f"engram {__version__}")
        return 0
    if not args or args[0] in ("-h", "--help", "help"):
        print(usage())
        return 0 if args else 2
    if args[0] not in COMMANDS:
        print(f"engram: no command {args[0]!r}\n\n{usage()}", file=sys.stderr)
        return 2
    return _hook(args[1:]) if args[0] == "hook" else _run(args[0], args[1:])


def _hook(args: list[str]) -> int:
    """A hook of the client: any other code than 0 would be shown to its user, and 2 would stop what they do."""
    try:
        _call("hook", args)
    except BaseException:  # what is broken before the hooks' own shell is reached cannot be told to anybody
        return 0
    return 0


def _call(name: str, args: list[str]) -> int:
    # not importlib.import_module: to import that costs a hook 0.5 ms
    code: int = __import__(COMMANDS[name][0], fromlist=["main"]).main(name, args)
    return code


def _run(name: str, args: list[str]) -> int:
    try:
        return _call(name, args)
    except EngramError as error:
        print(f"engram: {error.message}" + (f"\n  {error.hint}" if error.hint else ""), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception:  # the one broad handler of this shell: a bug is shown whole, with its own exit code
        import traceback

        traceback.print_exc()
        print(f"engram {__version__}: this is a bug; the lines above say where", file=sys.stderr)
        return 3
