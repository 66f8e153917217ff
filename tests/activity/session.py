"""A client's session as its hooks see it: each event is a process of its own, as the launcher would start it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from engram.journal.entry import JournalEntry
from engram.journal.log import Journal
from tests.patience import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
_BOOT = (
    "import sys; sys.path[:] = sys.argv[1].split(':'); sys.argv[:2] = ['engram']; "
    "from engram.cli.main import main; raise SystemExit(main())"
)


def hook_command(event: str) -> list[str]:
    """The process that answers an event."""
    path = ":".join([str(ROOT), *[entry for entry in sys.path if entry]])
    return [sys.executable, "-I", "-S", "-c", _BOOT, path, "hook", event]


class Session:
    """Sends events to the hooks; `home` is the ENGRAM_HOME."""

    def __init__(self, root: Path, home: str, name: str) -> None:
        self.root = root
        self.home = Path(home)
        self.name = name
        self._logged = len(self._log())

    def environ(self) -> dict[str, str]:
        inside = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": self.name}
        own = {"ENGRAM_HOME": str(self.home), "ENGRAM_REFINE": "0", "ENGRAM_PATIENCE": PATIENCE}
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), **own, **inside}

    def payload(self, event: str, **fields: object) -> str:
        common = {"session_id": self.name, "cwd": str(self.root), "hook_event_name": event}
        return json.dumps({**common, **fields})

    def send(self, event: str, **fields: object) -> dict[str, str]:
        """What the hook said, {} for nothing; it must end well."""
        return self.send_text(event, self.payload(event, **fields))

    def send_text(self, event: str, text: str) -> dict[str, str]:
        ran = subprocess.run(
            hook_command(event), input=text, cwd=self.root, env=self.environ(), capture_output=True, text=True
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert len(ran.stdout) <= 2000
        if not ran.stdout:
            return {}
        said: dict[str, str] = json.loads(ran.stdout)["hookSpecificOutput"]
        assert said.pop("hookEventName") == event
        return said

    def before_edit(self, path: str, tool: str = "Edit") -> str:
        """The denial, "" where there is none."""
        name = "notebook_path" if tool == "NotebookEdit" else "file_path"
        said = self.send("PreToolUse", tool_name=tool, tool_input={name: str(self.root / path)}, tool_use_id="t")
        assert said.get("permissionDecision") in (None, "deny")
        return said.get("permissionDecisionReason", "")

    def edit(self, path: str, old: str, new: str, **fields: object) -> str:
        """Edit the file as the client does; returns what its hook tells the model."""
        file = self.root / path
        before = file.read_text()
        assert before.count(old) == 1
        file.write_text(before.replace(old, new))
        given = {"file_path": str(file), "old_string": old, "new_string": new}
        response = {
            "filePath": str(file),
            "oldString": old,
            "newString": new,
            "originalFile": before,
            "structuredPatch": [_hunk(before, old, new)],
        }
        said = self.send("PostToolUse", tool_name="Edit", tool_input=given, tool_response=response, **fields)
        return said.get("additionalContext", "")

    def read(self, path: str, **fields: object) -> None:
        file = self.root / path
        content = file.read_text()
        shown = {"filePath": str(file), "content": content, "numLines": 1, "startLine": 1, "totalLines": 1}
        response = {"type": "text", "file": shown}
        given = {"file_path": str(file)}
        assert self.send("PostToolUse", tool_name="Read", tool_input=given, tool_response=response, **fields) == {}

    def bash(self, command: str) -> None:
        """Run the command and tell the hook."""
        ran = subprocess.run(["sh", "-c", command], cwd=self.root, capture_output=True, text=True)
        given, response = {"command": command}, {"stdout": ran.stdout, "stderr": ran.stderr, "interrupted": False}
        assert self.send("PostToolUse", tool_name="Bash", tool_input=given, tool_response=response) == {}

    def entries(self) -> list[JournalEntry]:
        return list(Journal.open(str(self.root)).entries())

    def failures(self) -> str:
        """What was added to `hook.log` since this session was made."""
        return self._log()[self._logged :]

    def _log(self) -> str:
        log = self.home / "hook.log"
        return log.read_text() if log.exists() else ""

    def settle(self) -> None:
        """Wait until the worker that the last event may have started has done its work."""
        mark = self.root / ".engram/activity.wanted"
        wait_until(lambda: not (workers(self.root) or mark.exists()), (self.home / "activity.log").read_text)


def workers(root: Path) -> list[int]:
    """The processes that follow up what hooks journaled in the checkout."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"activity" in words and b"--background" in words and str(root).encode() in words:
            found.append(int(folder.name))
    return found


def _hunk(before: str, old: str, new: str) -> dict[str, object]:
    start = before[: before.index(old)].count("\n") + 1
    removed, added = old.split("\n"), new.split("\n")
    lines = [f"-{line}" for line in removed] + [f"+{line}" for line in added]
    return {"oldStart": start, "oldLines": len(removed), "newStart": start, "newLines": len(added), "lines": lines}
