"""Runs the real Claude Code client with this checkout as its plugin, a scripted model, and nothing of the user's."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.client.model import Model, Request, Rule
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
_INHERITED = ("PATH", "LANG", "LC_ALL", "TERM", "TZ", "USER", "LOGNAME", "SHELL")
# What would reach for the network, or differ from one run to the next.
_QUIET = {
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_FEEDBACK_COMMAND": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
    "NO_PROXY": "127.0.0.1,localhost",
}
_TIMEOUT_S = 300.0  # a run takes 2-4 s on two free cores
_HOOK_S = 120  # seconds after which the client gives a hook up; hooks of the tests are patient


def copy_plugin(folder: Path, *, whole: bool = True) -> Path:
    """The files of the plugin alone, as a user has them, with more time for its hooks; the program, unless `whole`, is
    that of this checkout.
    """
    for part in (".claude-plugin", "commands", "agents", "hooks"):
        shutil.copytree(ROOT / part, folder / part)
    for part in ("bin", "engram"):
        if whole:
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / part).symlink_to(ROOT / part)
    hooks = folder / "hooks" / "hooks.json"
    hooks.write_text(re.sub(r'"timeout": \d+', f'"timeout": {_HOOK_S}', hooks.read_text()))
    return folder


@dataclass
class Run:
    """One run of the client, and what the model was asked in it."""

    code: int
    timed_out: bool
    stdout: str
    stderr: str
    requests: list[Request]
    unmatched: list[Request]
    unused: list[Rule]
    events: list[dict[str, Any]] = field(default_factory=list)

    @property
    def result(self) -> dict[str, Any]:
        """The client's last event, {} where it came to none."""
        return next((event for event in reversed(self.events) if event.get("type") == "result"), {})

    @property
    def answer(self) -> str:
        return self.result.get("result") or ""

    @property
    def session(self) -> str:
        return next((event["session_id"] for event in self.events if event.get("session_id")), "")

    @property
    def denials(self) -> list[dict[str, Any]]:
        """The tool calls that were denied: `tool_name`, `tool_input`."""
        return self.result.get("permission_denials") or []

    def asked(self, asker: str) -> list[Request]:
        """The requests of `main`, `sub` or `aux`, in order."""
        return [request for request in self.requests if request.asker == asker]

    def check(self) -> Run:
        """This run, if the client ended well and the dialogue went as the test had written it."""
        told = [(request.asker, request.news[-1500:]) for request in self.unmatched]
        assert (self.code, self.timed_out, self.stderr) == (0, False, ""), self.stdout[-3000:]
        assert not told, f"no rule for {told}"
        assert not self.unused, f"never used: {self.unused}"
        return self


class Client:
    """A client of one version, with a private home and ENGRAM_HOME, at work in `repository`."""

    def __init__(self, program: str, home: Path, engram_home: str, repository: Path, plugin: Path) -> None:
        self.program = program
        self.home = home
        self.engram_home = engram_home
        self.repository = repository
        self.plugin: tuple[str, ...] = ("--plugin-dir", str(plugin))  # () once the plugin is installed

    def environ(self, url: str = "http://127.0.0.1:9", **changes: str) -> dict[str, str]:
        """The whole environment of the client; no model can be reached at the default `url`."""
        for folder in (".claude", "tmp"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        own = {
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "CLAUDE_CODE_TMPDIR": str(self.home / "tmp"),
            "ANTHROPIC_API_KEY": "sk-ant-of-no-use",
            "ANTHROPIC_BASE_URL": url,
            "ENGRAM_HOME": self.engram_home,
            "ENGRAM_REFINE": "0",
            "ENGRAM_PATIENCE": PATIENCE,
        }
        return {name: value for name, value in {**kept, **_QUIET, **own, **changes}.items() if value}

    def run(
        self,
        prompt: str | list[str | Callable[[], str]],
        rules: list[Rule],
        *,
        resume: str = "",
        allowed: tuple[str, ...] | list[str] = (),
        args: tuple[str, ...] | list[str] = (),
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        timeout: float = _TIMEOUT_S,
    ) -> Run:
        """One `claude -p`; what has no permission is denied without a question.  `env`: "" removes a variable.

        Of several prompts each is given, or made, once the one before is answered.
        """
        argv = [self.program, "-p", "--output-format", "stream-json", "--verbose", *self.plugin, *args]
        argv += ["--input-format", "stream-json"] if isinstance(prompt, list) else []
        argv += ["--resume", resume] if resume else []
        argv += ["--allowedTools", ",".join(allowed)] if allowed else []
        with Model(rules) as model:
            environ = self.environ(model.url, **(env or {}))
            code, late, out, errors = _run(argv, prompt, cwd or self.repository, environ, timeout)
            return Run(code, late, out, errors, model.requests, model.unmatched, model.unused(), _parsed(out))

    def command(self, *args: str, cwd: Path | None = None, **changes: str) -> subprocess.CompletedProcess[str]:
        """`claude ARGS`, for what needs no model: validate, install."""
        argv = [self.program, *args]
        environ = self.environ(**changes)
        return subprocess.run(
            argv, cwd=cwd or self.repository, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=_TIMEOUT_S,
        )  # fmt: skip

    def engram(self, *args: str, session: str = "") -> str:
        """What `engram ARGS` prints in the repository, as the Bash tool of `session` would see it."""
        inside = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session} if session else {}
        argv = [str(ROOT / "bin" / "engram"), *args]
        ran = subprocess.run(
            argv, cwd=self.repository, env=self.environ(**inside), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=_TIMEOUT_S,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        return ran.stdout


def _run(
    argv: list[str],
    prompt: str | list[str | Callable[[], str]],
    cwd: Path,
    environ: dict[str, str],
    timeout: float,
) -> tuple[int, bool, str, str]:
    """The prompt goes in on stdin; past the timeout the client's own process group is killed."""
    late = threading.Event()
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            argv, cwd=cwd, env=environ, stdin=pipe, stdout=pipe, stderr=errors, text=True, start_new_session=True
        ) as process,
    ):

        def kill() -> None:
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, kill)
        timer.start()
        try:
            out = process.communicate(prompt)[0] if isinstance(prompt, str) else _converse(process, prompt)
        finally:
            timer.cancel()
            if process.poll() is None:  # a prompt could not be made
                kill()
        errors.seek(0)
        return process.returncode, late.is_set(), out, errors.read()


def _converse(process: subprocess.Popen[str], prompts: list[str | Callable[[], str]]) -> str:
    """Give one prompt after the other; returns what the client printed to its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    waiting = list(prompts)
    printed = []

    def give() -> None:
        if not waiting:
            process.stdin.close()
            return
        following = waiting.pop(0)
        content = following if isinstance(following, str) else following()
        process.stdin.write(json.dumps({"type": "user", "message": {"role": "user", "content": content}}) + "\n")
        process.stdin.flush()

    give()
    for line in process.stdout:
        printed.append(line)
        if '"type":"result"' in line:
            give()
    process.wait()
    return "".join(printed)


def _parsed(output: str) -> list[dict[str, Any]]:
    events = []
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except ValueError:  # the line on which the client was killed
            continue
        events += [event] if isinstance(event, dict) else []
    return events
