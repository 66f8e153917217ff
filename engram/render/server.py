"""The graph server's state as text and as JSON."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.status import ServerStatus

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def status_json(status: ServerStatus) -> str:
    """One line of JSON; `moduleVersion` is FalkorDB's, as it gives it itself (42201 for 4.22.1)."""
    return json.dumps(
        {
            "running": status.running,
            "remote": status.remote,
            "where": status.where,
            "state": status.state,
            "pid": status.pid,
            "uptimeSeconds": status.uptime_s,
            "memoryBytes": status.memory_bytes,
            "graphs": status.graphs,
            "redisVersion": status.redis_version,
            "moduleVersion": status.module_version,
            "recovered": status.recovered,
        }
    )


def status_text(status: ServerStatus) -> str:
    """Lines for a person."""
    if not status.running:
        return f"the graph server is not running ({status.where})"
    lines = [
        f"the graph server runs at {status.where}",
        f"  process   {status.pid}, for {_duration(status.uptime_s)}, {status.memory_bytes / 1e6:.0f} MB",
        f"  graphs    {status.graphs}",
        f"  versions  Redis {status.redis_version}, FalkorDB {_dotted(status.module_version)}",
    ]
    if status.state:
        lines.append(f"  data      {status.state}")
    if status.recovered:
        lines.append(f"  repaired  {status.recovered}")
    return "\n".join(lines)


def _duration(seconds: int) -> str:
    size, unit = next((pair for pair in _UNITS if seconds >= pair[0]), _UNITS[-1])
    return f"{seconds // size} {unit}"


def _dotted(version: int) -> str:
    return f"{version // 10_000}.{version // 100 % 100}.{version % 100}"
