"""Scores the call graph of a folder without a server: `python -m benchmarks calls FOLDER [--truth FILE --scorer PATH]`.

Extracts and resolves the folder's files, prints how long each took in CPU seconds, and writes the edges as JSON lines
(`engram export calls` prints the same from the graph).  With a truth file and a scorer, runs the scorer on them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from engram.extract.facts import MODULE, FileFacts
from engram.extract.flow import call_arguments, refine
from engram.extract.parse import extract_facts, language_of
from engram.extract.resolve import CallEdge, resolve

SKIPPED_FOLDERS = frozenset([".git", "node_modules", "__pycache__", ".venv", "build", "dist"])


def facts_of_folder(folder: Path) -> list[FileFacts]:
    """The facts of every file of a known language, by path."""
    found = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        for name in names:
            file = Path(at, name)
            path = file.relative_to(folder).as_posix()
            source = file.read_bytes() if file.is_file() and not file.is_symlink() else b""
            language = language_of(path, source[:200])
            if language is not None:
                found.append(extract_facts(path, source, language))
    return sorted(found, key=lambda facts: facts.path)


def arguments_of_folder(folder: Path, paths: list[str]) -> dict[str, list[str]]:
    """What the calls of each file pass."""
    found = {}
    for path in paths:
        source = (folder / path).read_bytes()
        language = language_of(path, source[:200])
        if language is not None:
            found[path] = call_arguments(source, language)
    return found


def write_edges(edges: Mapping[str, list[CallEdge]], files: Mapping[str, FileFacts], out: Path) -> None:
    """One JSON object per call, by path and position of the caller."""

    def end(path: str, index: int) -> list[str]:
        return [path, files[path].definitions[index].qualname if index != MODULE else "<module>"]

    with out.open("w", encoding="utf-8") as lines:
        for path, calls in edges.items():
            for call in calls:
                caller, callee = end(path, call.caller), end(call.path, call.callee)
                row = {"caller": caller, "callee": callee, "line": call.line, "confidence": call.confidence}
                lines.write(json.dumps(row) + "\n")


def main(given: list[str]) -> int:
    """Print the scores."""
    cli = argparse.ArgumentParser(prog="benchmarks calls", description="Score the call graph of a folder.")
    cli.add_argument("folder", type=Path)
    cli.add_argument("--truth", type=Path, help="calls that were observed, as the scorer reads them")
    cli.add_argument("--scorer", type=Path, help="program called with the truth and the edges")
    cli.add_argument("--out", type=Path, help="where the edges go (default: a file that is removed)")
    cli.add_argument("--refine", action="store_true", help="with the pass that follows arguments")
    cli.add_argument("--misses", type=int, default=0, help="how many misses the scorer lists")
    args = cli.parse_args(given)
    started = time.process_time()
    files = {facts.path: facts for facts in facts_of_folder(args.folder)}
    extracted = time.process_time()
    edges = {path: found.calls for path, found in resolve(files.values()).items()}
    resolved = time.process_time()
    if args.refine:
        edges = refine(files.values(), arguments_of_folder(args.folder, list(files)))
    refined = time.process_time()
    count = sum(len(calls) for calls in edges.values())
    print(f"{len(files)} files, {count} calls; CPU seconds: extract {extracted - started:.2f}", end="")
    print(f", resolve {resolved - extracted:.2f}, refine {refined - resolved:.2f}")
    with tempfile.TemporaryDirectory() as scratch:
        out = args.out or Path(scratch, "calls.jsonl")
        write_edges(edges, files, out)
        if args.truth and args.scorer:
            command = [sys.executable, args.scorer, args.truth, out, "--misses", str(args.misses)]
            return subprocess.run(command, check=False).returncode
    return 0
