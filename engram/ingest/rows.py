"""Facts of one file -> the rows that stand for it in the graph."""

from __future__ import annotations

from engram.extract.facts import Definition, FileFacts
from engram.store.files import FileRecord

type Cell = str | int | bool

MODULE_NAME = "<module>"
SLOT_BITS = 12  # 4,095 definitions of a file can be told apart in the lexical index; those after them are not ranked


def document_id(number: int, slot: int) -> int:
    """The id of a document: slot 0 is the file itself, slot i + 1 its definition i; -1 where slots have run out."""
    return number << SLOT_BITS | slot if slot < 1 << SLOT_BITS else -1


def symbol_ids(path: str, definitions: list[Definition]) -> list[str]:
    """The id of each definition, in order: `path#qualname`, from its second definition on with `~2`, `~3` behind."""
    seen: dict[str, int] = {}
    ids = []
    for definition in definitions:
        times = seen[definition.qualname] = seen.get(definition.qualname, 0) + 1
        ids.append(f"{path}#{definition.qualname}" + (f"~{times}" if times > 1 else ""))
    return ids


def module_id(path: str) -> str:
    """The id of the symbol that stands for a file's top level."""
    return f"{path}#{MODULE_NAME}"


def symbol_rows(number: int, facts: FileFacts) -> list[list[Cell]]:
    """One row per symbol, in the order of `schema.SYMBOL_PROPERTIES`: the module first, then the definitions."""
    path = facts.path
    stem = path.rsplit("/", 1)[-1]
    rows: list[list[Cell]] = [
        [
            module_id(path),
            stem,
            MODULE_NAME,
            "module",
            path,
            1,
            max(facts.lines, 1),
            "",
            "",
            True,
            document_id(number, 0),
        ]
    ]
    for slot, (symbol_id, d) in enumerate(zip(symbol_ids(path, facts.definitions), facts.definitions, strict=True), 1):
        document = document_id(number, slot)
        rows.append(
            [symbol_id, d.name, d.qualname, d.kind, path, d.start, d.end, d.signature, d.doc, d.exported, document]
        )
    return rows


def file_row(facts: FileFacts, record: FileRecord) -> list[Cell]:
    """The file's row, in the order of `schema.FILE_PROPERTIES`."""
    status = "+".join(facts.issues) or "ok"
    at_ms = record.indexed_ns // 1_000_000
    stat = (record.mtime_ns, record.ctime_ns, record.inode)
    return [facts.path, facts.language, facts.lines, record.size, record.sha256, *stat, status, at_ms, record.number]
