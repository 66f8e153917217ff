"""Times the hooks as the client sees them: whole processes through bin/engram, against `python -I -S -c pass`.

    python -m benchmarks hooks --repo CHECKOUT [--runs N] [--prompts N] [--cpu]

prints the median of N runs of each hook in the indexed CHECKOUT, its ratio to bare Python in the same run and the
bound, then median and 95th percentile of UserPromptSubmit over prompts that are the subjects of the last commits.
Exits 1 if a bound is passed.  ENGRAM_HOME must hold an environment (`make develop`: build/home).  On a machine with
other work, --cpu judges by processor time, children included, in place of the clock's.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

from engram.config import load_config

ROOT = Path(__file__).resolve().parents[1]
LAUNCHER = str(ROOT / "bin" / "engram")
SESSION = "b3e9c0de-0000-4000-8000-00000000"  # of a benchmark; each hook appends its number
BOUNDS = {"PreToolUse Edit": 3, "SessionStart": 5, "PostToolUse Read": 5}
PROMPT_S = 0.150


def timed(argv: list[str], given: bytes, folder: str, *, cpu: bool) -> float:
    """Seconds that one process takes from its start to its end, with `given` on its standard input."""
    started = time.perf_counter()
    process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(given)
    process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{argv} failed")
    return used.ru_utime + used.ru_stime if cpu else took


def payload(folder: str, event: str, number: int, **members: Any) -> bytes:
    """The input of a hook as the client writes it."""
    common = {"session_id": f"{SESSION}{number:04}", "transcript_path": "/nonexistent/t.jsonl", "cwd": folder}
    return json.dumps({**common, "hook_event_name": event, **members}).encode()


def hook_inputs(folder: str, file: str, number: int) -> dict[str, tuple[str, bytes]]:
    """Name -> event and input of the hooks that are compared to bare Python."""
    path = os.path.join(folder, file)
    text = "\n".join([f"{line}\tvalue_{line} = compute(token, key, {line})" for line in range(200)])
    shown = {"type": "text", "file": {"filePath": path, "content": text, "numLines": 200, "startLine": 1}}
    tool = {"tool_use_id": f"toolu_{number:04}", "tool_input": {"file_path": path}}
    edit = {**tool, "tool_input": {"file_path": path, "old_string": "a", "new_string": "b"}}
    return {
        "PreToolUse Edit": ("PreToolUse", payload(folder, "PreToolUse", 0, tool_name="Edit", **edit)),
        "SessionStart": ("SessionStart", payload(folder, "SessionStart", number, source="startup")),
        "PostToolUse Read": (
            "PostToolUse",
            payload(folder, "PostToolUse", number, tool_name="Read", tool_response=shown, **tool),
        ),
    }


def measure(folder: str, python: str, runs: int, *, cpu: bool) -> dict[str, list[float]]:
    """Seconds of each run by name; they take turns, so that all meet the same load, and the first two do not count."""
    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=folder, capture_output=True, check=True, text=True)
    file = tracked.stdout.split("\n")[0]
    took: dict[str, list[float]] = {"python": []}
    for number in range(runs + 2):
        turn = {"python": timed([python, "-I", "-S", "-c", "pass"], b"", folder, cpu=cpu)}
        for name, (event, given) in hook_inputs(folder, file, number).items():
            turn[name] = timed([LAUNCHER, "hook", event], given, folder, cpu=cpu)
        for name, seconds in turn.items() if number >= 2 else ():
            took.setdefault(name, []).append(seconds)
    return took


def measure_prompts(folder: str, count: int, *, cpu: bool) -> list[float]:
    """Seconds of UserPromptSubmit for the last `count` subjects of commits, a session each; sorted."""
    log = ["git", "log", f"--max-count={count}", "--no-merges", "--format=%s"]
    subjects = subprocess.run(log, cwd=folder, capture_output=True, check=True, text=True).stdout.splitlines()
    inputs = [payload(folder, "UserPromptSubmit", number, prompt=text) for number, text in enumerate(subjects)]
    timed([LAUNCHER, "hook", "UserPromptSubmit"], inputs[0], folder, cpu=cpu)
    return sorted([timed([LAUNCHER, "hook", "UserPromptSubmit"], given, folder, cpu=cpu) for given in inputs])


def main(args: list[str]) -> int:
    """Run all, print a table; 1 if a bound is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", required=True, help="a checkout, such as yt-dlp's")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--prompts", type=int, default=200)
    parser.add_argument("--cpu", action="store_true", help="judge by processor time")
    options = parser.parse_args(args)
    folder = os.path.realpath(options.repo)
    recorded = Path(load_config().home, "env", (ROOT / "engram/locks/KEY").read_text().strip(), "python")
    python = recorded.read_text().splitlines()[0]
    subprocess.run([LAUNCHER, "index", "--repo", folder], check=True, stdout=subprocess.DEVNULL)
    took = measure(folder, python, options.runs, cpu=options.cpu)
    base = statistics.median(took["python"])
    print(f"{'python -I -S -c pass':<22}{1000 * base:>8.1f} ms")
    passed = True
    for name, bound in BOUNDS.items():
        middle = statistics.median(took[name])
        passed &= middle <= bound * base
        print(f"{name:<22}{1000 * middle:>8.1f} ms {middle / base:>6.2f} x   at most {bound} x")
    prompts = measure_prompts(folder, options.prompts, cpu=options.cpu)
    late = prompts[min(len(prompts) - 1, int(len(prompts) * 0.95))]
    passed &= late <= PROMPT_S
    print(
        f"{'UserPromptSubmit':<22}{1000 * statistics.median(prompts):>8.1f} ms, p95 {1000 * late:.1f} ms"
        f"   at most {1000 * PROMPT_S:.0f} ms ({len(prompts)} prompts)"
    )
    return 0 if passed else 1
