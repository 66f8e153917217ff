"""Times `engram read|git|grep|ast` as whole processes against `python -I -S -c pass`, all in one run.

    python -m benchmarks primitives --repo CHECKOUT [--file FILE] [--pattern REGEX] [--runs N] [--cpu]

prints, for each command, the least time of N warm runs, its ratio to bare Python, the bound and what else it may take
(the own time of git, twice that of ripgrep).  Exits 1 if a bound is passed.  The least of several runs is taken,
because every other process on the machine only ever adds to it.  On a machine with other work, --cpu judges by
processor time, children included, in place of the clock's.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from engram.primitives.ripgrep import FIXED, find_ripgrep

ROOT = Path(__file__).resolve().parents[1]
LOG = ("log", "-z", "--max-count=31", "--format=%H%x00%aI%x00%an%x00%s")


def least_time(commands: dict[str, list[str]], folder: str, runs: int, *, cpu: bool) -> dict[str, float]:
    """Milliseconds of the fastest of `runs` runs of each command; they take turns, so that all meet the same load."""
    best = dict.fromkeys(commands, float("inf"))
    for turn in range(runs + 2):
        for name, command in commands.items():
            started = time.perf_counter()
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            took = 1000 * (used.ru_utime + used.ru_stime if cpu else time.perf_counter() - started)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise SystemExit(f"{name} failed: {command}")
            if turn >= 2:  # the first ones fill the caches
                best[name] = min(best[name], took)
    return best


def engram(*args: str) -> list[str]:
    """The command line of one call, started as the launcher starts it: isolated, without `site`."""
    packages = [path for path in sys.path if path.endswith("site-packages")]
    boot = (
        f"import sys\nsys.path += {[str(ROOT), *packages]!r}\nsys.argv[:1] = ['engram']\n"
        "from engram.cli.main import main\nraise SystemExit(main())"
    )
    return [sys.executable, "-I", "-S", "-c", boot, *args]


def largest_source(folder: str) -> str:
    """The largest Python file below 50 kB that git tracks: nine in ten sources are shorter (style of the field)."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=folder, capture_output=True, check=True, text=True).stdout
    sizes = {name: os.path.getsize(os.path.join(folder, name)) for name in listed.splitlines()}
    return max((name for name, size in sizes.items() if size < 50_000), key=lambda name: sizes[name])


def main(args: list[str]) -> int:
    """Run all, print a table; 1 if a bound is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", required=True, help="a checkout with Python files, such as yt-dlp's")
    parser.add_argument("--file", help="what read and ast look at; else the largest Python file below 50 kB")
    parser.add_argument("--pattern", default="def ", help="what grep looks for; it must be there")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--cpu", action="store_true", help="judge by processor time")
    options = parser.parse_args(args)
    file = options.file or largest_source(options.repo)
    search = ["--count", "--ignore-case", f"--regexp={options.pattern}", "--", "."]
    commands = {
        "python": [sys.executable, "-I", "-S", "-c", "pass"],
        "git": ["git", *LOG],
        "ripgrep": [find_ripgrep(), *FIXED, *search],
        "engram read": engram("read", file, "1", "200"),
        "engram git log": engram("git", "log"),
        "engram grep": engram("grep", options.pattern),
        "engram ast": engram("ast", file, "functions"),
    }
    took = least_time(commands, options.repo, options.runs, cpu=options.cpu)
    base = took["python"]
    bounds = {  # ratio to bare Python, and what comes on top
        "engram read": (5, 0.0),
        "engram git log": (6, took["git"]),
        "engram grep": (5, 2 * took["ripgrep"]),
        "engram ast": (10, 0.0),
    }
    print(f"{file}: {os.path.getsize(os.path.join(options.repo, file))} bytes")
    for name in ("python", "git", "ripgrep"):
        print(f"{name:<16}{took[name]:>8.1f} ms")
    passed = True
    for name, (ratio, extra) in bounds.items():
        kept = took[name] <= ratio * base + extra
        passed &= kept
        allowed = f"at most {ratio} x" + (f" + {extra:.1f} ms" if extra else "")
        without = (took[name] - extra) / base
        print(f"{name:<16}{took[name]:>8.1f} ms {without:>6.2f} x   {allowed}{'' if kept else '  PASSED'}")
    return 0 if passed else 1
