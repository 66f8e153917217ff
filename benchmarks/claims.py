"""What the hooks around an edit cost: the whole process of each, against `python -I -S -c pass`.

Wall time from the client's side, median of 50, everything warm and in one run, with the same interpreter: the claim
(PreToolUse of Edit; the aim: at most 3), and the journal entry of a read, of an edit with its note, and of a command
(PostToolUse; at most 5).  The launcher `bin/engram` comes first where an environment is found under ENGRAM_TEST_HOME
(see tests/client), as in the client.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engram.config import load_config
from engram.engine import Engram
from engram.store.server import stop_server

ROOT = Path(__file__).resolve().parents[1]
_BOOT = (
    "import sys; sys.path.append(sys.argv[1]); sys.argv[:2] = ['engram']; "
    "from engram.cli.main import main; raise SystemExit(main())"
)
_TIMES = 50
_SOURCE = "def total(prices):\n    return sum(prices)\n"
_CALLER = "from prices import total\n\n\ndef bill(prices):\n    return total(prices)\n"


def main(_args: list[str] | None = None) -> int:
    """Print the numbers as one line of JSON; milliseconds and ratios."""
    with tempfile.TemporaryDirectory(prefix="eg-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        home, repository = Path(folder, "home"), Path(folder, "repository")
        os.environ.update({"ENGRAM_HOME": str(home), "ENGRAM_REFINE": "0"})
        launcher = _with_environment(home)
        _make(repository)
        try:
            with Engram.open(load_config(), str(repository)) as engram:
                engram.sync()
                print(json.dumps(_measure(repository, launcher)))
                engram.follow(wait_s=60)  # else what the hooks started would start the server again
        finally:
            stop_server(load_config())
    return 0


def _with_environment(home: Path) -> bool:
    """Whether the launcher finds an environment in `home`: the one under ENGRAM_TEST_HOME."""
    made = Path(os.environ.get("ENGRAM_TEST_HOME") or ROOT / "build" / "home") / "env"
    home.mkdir()
    key = (ROOT / "engram" / "locks" / "KEY").read_text().strip()
    if not (made / key / "engine").is_dir():
        return False
    (home / "env").symlink_to(made)
    return True


def _make(repository: Path) -> None:
    repository.mkdir()
    (repository / "prices.py").write_text(_SOURCE)
    (repository / "bill.py").write_text(_CALLER)
    subprocess.run(["git", "init", "-q", str(repository)], check=True)


def _measure(repository: Path, launcher: bool) -> dict[str, object]:
    python = os.path.realpath(sys.executable)
    cache = f"pycache_prefix={repository.parent}/pycache"
    start = [python, "-I", "-S", "-X", cache, "-c", _BOOT, str(ROOT)]
    if launcher:
        home = Path(os.environ["ENGRAM_HOME"])
        key = (ROOT / "engram" / "locks" / "KEY").read_text().strip()
        python = (home / "env" / key / "python").read_text().splitlines()[0]
        start = [str(ROOT / "bin" / "engram")]
    commands = {"bare": ([python, "-I", "-S", "-c", "pass"], "")}
    for name, (event, fields) in _events(repository).items():
        payload = {"session_id": "one", "cwd": str(repository), "hook_event_name": event, **fields}
        commands[name] = ([*start, "hook", event], json.dumps(payload))
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(_TIMES + 5):
        for name, (command, text) in commands.items():
            seconds = _seconds(command, text, repository)
            if turn >= 5:
                times[name].append(seconds)
    medians = {name: statistics.median(found) * 1000 for name, found in times.items()}
    numbers: dict[str, object] = {"launcher": launcher, "bare_ms": round(medians["bare"], 1)}
    for name in [*commands][1:]:
        numbers[name] = round(medians[name] / medians["bare"], 2)
    return numbers


def _events(repository: Path) -> dict[str, tuple[str, dict[str, object]]]:
    path = str(repository / "prices.py")
    patch = [
        {"oldStart": 2, "oldLines": 1, "newStart": 2, "newLines": 1, "lines": ["-    return sum(prices)", "+    0"]}
    ]
    response = {"filePath": path, "originalFile": _SOURCE, "structuredPatch": patch}
    seen = {"type": "text", "file": {"filePath": path, "content": _SOURCE * 50, "numLines": 100}}
    return {
        "claim": ("PreToolUse", {"tool_name": "Edit", "tool_input": {"file_path": path}}),
        "read": ("PostToolUse", {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_response": seen}),
        "edit": ("PostToolUse", {"tool_name": "Edit", "tool_input": {"file_path": path}, "tool_response": response}),
        "command": ("PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {}}),
    }


def _seconds(command: list[str], text: str, folder: Path) -> float:
    inside = {"CLAUDECODE": "1", "HOME": str(folder), "PATH": os.environ["PATH"]}
    settings = {name: value for name, value in os.environ.items() if name.startswith("ENGRAM_")}
    environ = {**inside, **settings}
    started = time.perf_counter()
    subprocess.run(command, input=text.encode(), env=environ, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    raise SystemExit(main())
