"""Symbols and calls as text and as JSON."""

from __future__ import annotations

from typing import Any

from engram.model import Call, Symbol
from engram.store.code import FACT


def symbols_text(symbols: list[Symbol], *, more: bool) -> str:
    """One line per symbol: place, kind, qualified name."""
    lines = [f"{_place(s)} {s.kind} {s.qualname}" for s in symbols]
    return "\n".join([*lines, *_cut_line(len(symbols), more)]) or "no symbol"


def callers_text(symbol: Symbol, calls: list[Call], *, more: bool) -> str:
    """Who calls the symbol: facts first, then, apart from them, what is only possible."""
    return _calls_text(symbol, calls, "called by", "caller", more)


def callees_text(symbol: Symbol, calls: list[Call], *, more: bool) -> str:
    """What the symbol calls: facts first, then, apart from them, what is only possible."""
    return _calls_text(symbol, calls, "calls", "callee", more)


def _calls_text(symbol: Symbol, calls: list[Call], verb: str, end: str, more: bool) -> str:
    facts = [call for call in calls if call.confidence >= FACT]
    possible = [call for call in calls if call.confidence < FACT]
    lines = [
        f"{_place(symbol)} {symbol.qualname} {verb}:"
        if facts
        else f"{_place(symbol)} {symbol.qualname} {verb}: none seen"
    ]
    lines += [_call_line(call, end) for call in facts]
    if possible:
        lines += ["possible, not certain:", *[_call_line(call, end) for call in possible]]
    return "\n".join([*lines, *_cut_line(len(calls), more)])


def _call_line(call: Call, end: str) -> str:
    symbol: Symbol = getattr(call, end)
    written = f"{call.caller.path}:{call.line}"
    return (
        f"- {written} {symbol.qualname}"
        if end == "caller"
        else f"- {_place(symbol)} {symbol.qualname} (line {call.line})"
    )


def symbol_wire(symbol: Symbol) -> dict[str, Any]:
    """A symbol as JSON."""
    return {
        "id": symbol.id,
        "file": symbol.path,
        "start": symbol.start,
        "end": symbol.end,
        "qualname": symbol.qualname,
        "kind": symbol.kind,
        "signature": symbol.signature,
        "exported": symbol.exported,
    }


def call_wire(call: Call) -> dict[str, Any]:
    """A call as JSON."""
    return {
        "caller": symbol_wire(call.caller),
        "callee": symbol_wire(call.callee),
        "line": call.line,
        "confidence": call.confidence,
    }


def _place(symbol: Symbol) -> str:
    return f"{symbol.path}:{symbol.start}-{symbol.end}"


def _cut_line(shown: int, more: bool) -> list[str]:
    return [f"... cut after {shown:,}; --limit shows more"] if more else []
