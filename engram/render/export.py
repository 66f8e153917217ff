"""Call edges as JSON lines."""

from __future__ import annotations

import json

from engram.store.callgraph import CallRow


def call_line(row: CallRow) -> str:
    """One JSON object, without a line end; the ends of the call are [file, qualname]."""
    wire = {
        "caller": [row.caller_path, row.caller],
        "callee": [row.callee_path, row.callee],
        "line": row.line,
        "confidence": row.confidence,
    }
    return json.dumps(wire, ensure_ascii=False)
