"""The environment that engram runs in, as text and as JSON."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.environment.installed import Installed


def environment_json(installed: Installed) -> str:
    """One line of JSON."""
    return json.dumps({"python": installed.python, "packages": list(installed.packages), "engine": installed.engine})


def environment_text(installed: Installed) -> str:
    """Lines for a person."""
    engine = installed.engine or "not installed"
    return "\n".join(
        [f"python    {installed.python}", *[f"packages  {path}" for path in installed.packages], f"engine    {engine}"]
    )
