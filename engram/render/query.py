"""The rows of a query as text and as JSON."""

from __future__ import annotations

import json
import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.store.guard import Answer


def answer_json(answer: Answer) -> str:
    """One line of JSON; `truncated` says that there were more rows than the limit."""
    return json.dumps(
        {"columns": list(answer.columns), "rows": [_plain(row) for row in answer.rows], "truncated": answer.cut}
    )


def answer_text(answer: Answer) -> str:
    """A line of column names, one line for each row, tabs between; and a last line where rows were cut."""
    lines = ["\t".join([_cell(name) for name in answer.columns])] if answer.columns else []
    lines += ["\t".join([_cell(value) for value in row]) for row in answer.rows]
    if answer.cut:
        lines.append(f"... cut after {len(answer.rows)} rows; --limit shows more")
    return "\n".join(lines) or "no rows"


def _cell(value: Any) -> str:
    """Text as it is, where it fits on a line and into a column; everything else as JSON."""
    if isinstance(value, str) and value.isprintable():
        return value
    return json.dumps(_plain(value))


def _plain(value: Any) -> Any:
    """The value with names for the numbers that JSON does not know."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
