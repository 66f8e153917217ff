"""What of a call goes into its entry: redacted, hashed, and bounded in size."""

from __future__ import annotations

import os
import time

from engram.journal.digest import sha256_hex
from engram.journal.entry import VERSION, Draft
from engram.journal.jsonlight import dumps
from engram.journal.redact import Redacted, mentions_secret_file, redact, redact_whole
from engram.journal.secrets import holds_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Long enough to recognise an answer, short enough for a usual line to stay under 2 KB.
PREVIEW_CHARS = 500
# A search pattern, a command line or a prompt (2,000 characters) is kept whole; a file that a client writes is not.
ARGUMENT_CHARS = 4_096
ARGUMENT_KEPT = 500
# Together with the files below: an entry stays under 64 KB, so that the last one is found with one read.
ARGS_BYTES = 16_384
MAX_FILES = 128  # a grep shows at most 50 hits, a recurse request 16 slices
MAX_NAME = 256

LONG_ARGUMENT = "long-argument"
MANY_FILES = "many-files"


def result_hash(result: Any) -> str:
    """The SHA-256 of a redacted result: over its canonical JSON."""
    return sha256_hex(dumps(result).encode("ascii"))


def redact_result(result: Any, files: dict[str, str], args: dict[str, Any]) -> Redacted:
    """The result as it may be journaled; nothing of it where it was shown from a file of secrets."""
    if any(map(holds_secrets, files)) or mentions_secret_file(args):
        return redact_whole(result)
    return redact(result)


def wire_of(draft: Draft) -> dict[str, Any]:
    """The members of the draft's entry, without those that its place decides: `seq`, `at`, `prev`, `hash`.

    Raises TypeError or ValueError for a result or arguments without a JSON form.
    """
    result = redact_result(draft.result, draft.files, draft.args)
    text = dumps(result.value)
    args, args_left_out = bounded_args(draft.args)
    files = dict(sorted(draft.files.items())[:MAX_FILES])
    left_out = {*result.names, *args_left_out, *([MANY_FILES] if len(files) < len(draft.files) else [])}
    return {
        "v": VERSION,
        "id": new_id(),
        "session": draft.session[:MAX_NAME],
        "agent": draft.agent[:MAX_NAME] if draft.agent else None,
        "primitive": draft.primitive[:MAX_NAME],
        "args": args,
        "ok": bool(draft.ok),
        "resultHash": sha256_hex(text.encode("ascii")),
        "bytes": draft.bytes if draft.bytes >= 0 else len(text),
        "truncated": bool(draft.truncated),
        "preview": text[:PREVIEW_CHARS],
        "durationMs": max(0, int(draft.duration_ms)),
        "commit": draft.commit or None,
        "files": files,
        "redacted": sorted(left_out),
    }


def bounded_args(args: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """The arguments as they may be journaled, and the names of what was left out of them."""
    clean = redact(args)
    cut = _cut_strings(clean.value)
    text = dumps(cut)
    if len(text) > ARGS_BYTES:
        cut = {"sha256": sha256_hex(text.encode("ascii")), "bytes": len(text)}
    return cut, {*clean.names, *([LONG_ARGUMENT] if dumps(cut) != dumps(clean.value) else [])}


def _cut_strings(value: Any) -> Any:
    if isinstance(value, str) and len(value) > ARGUMENT_CHARS:
        whole = sha256_hex(value.encode("utf-8", "surrogatepass"))
        return f"{value[:ARGUMENT_KEPT]}... [{len(value)} characters, sha256 {whole}]"
    if isinstance(value, dict):
        return {key: _cut_strings(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cut_strings(item) for item in value]
    return value


def new_id() -> str:
    """A random identifier, RFC 9562 version 4; without `uuid`, whose import costs more than an append."""
    random = bytearray(os.urandom(16))
    random[6] = random[6] & 0x0F | 0x40
    random[8] = random[8] & 0x3F | 0x80
    digits = random.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def utc_now() -> str:
    """The time as entries tell it: UTC, ISO 8601, milliseconds."""
    return format_time(time.time_ns() // 1_000_000)


def format_time(milliseconds: int) -> str:
    """Milliseconds since 1970 as entries tell them; texts sort as the times do."""
    seconds, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03d}Z"
