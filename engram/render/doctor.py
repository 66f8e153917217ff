"""What `engram doctor` found, as text and as JSON."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.doctor import Check

_MARKS = {"ok": "ok", "warning": "note", "failed": "FAIL"}


def checks_json(checks: list[Check]) -> str:
    """One line of JSON; `ok` is false if any check failed."""
    rows = [{"name": c.name, "state": c.state, "found": c.found, "hint": c.hint} for c in checks]
    return json.dumps({"ok": all(check.state != "failed" for check in checks), "checks": rows})


def checks_text(checks: list[Check]) -> str:
    """One line for each check, and below it what to do."""
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        lines.append(f"{_MARKS[check.state]:<4}  {check.name:<{width}}  {check.found}")
        if check.hint:
            lines.append(f"{'':<{width + 8}}{check.hint}")
    return "\n".join(lines)
