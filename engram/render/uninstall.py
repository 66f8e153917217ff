"""What `engram uninstall` found or removed, as text and as JSON."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.uninstall import Remains


def remains_json(remains: Remains, purged: bool, failed: list[str]) -> str:
    """One line of JSON; sizes in bytes."""
    return json.dumps({**remains.asdict(), "purged": purged, "failed": failed})


def remains_text(remains: Remains, purged: bool, failed: list[str]) -> str:
    """Lines for a person."""
    lines = ["the graph server was stopped" if remains.stopped else "no graph server was running"]
    if remains.remote:
        lines = ["the server of ENGRAM_FALKORDB_URL is left as it is, with the graphs on it"]
    if remains.unknown:
        lines.append(f"other checkouts may have an .engram folder; the server could not tell: {remains.unknown}")
    found = {**remains.home, **remains.states}
    if found:
        lines.append("removed:" if purged else "left, `engram uninstall --purge` removes it:")
        lines += [f"  {size / 1e6:8.1f} MB  {path}" for path, size in found.items()]
    if remains.strangers:
        lines.append("not made by engram, left alone:")
        lines += [f"  {path}" for path in remains.strangers]
    if failed:
        lines += ["could not be removed:", *[f"  {line}" for line in failed]]
    lines.append("the plugin itself: `claude plugin uninstall engram`")
    return "\n".join(lines)
