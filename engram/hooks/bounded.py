"""What of a tool's input and response is handed to the journal: values of bounded size, without what nobody saw."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROOM = 1 << 16  # characters: to look for secrets in as many takes 4 ms
_MOST = 500  # members of one list or object; a hunk of a patch is a line each
_DEEPEST = 12
# Of an edit's response: the whole file before and after it.  The model is told that the edit was made, no more.
_UNSEEN = ("originalFile", "content", "oldString", "newString", "old_string", "new_string")


class Cut:
    """Copies values until ROOM characters are used up; `truncated` tells whether something was left out."""

    __slots__ = ("room", "truncated")

    def __init__(self, room: int = ROOM) -> None:
        self.room = room
        self.truncated = False

    def copy(self, value: Any, depth: int = 0) -> Any:
        """The value, or its beginning."""
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool | int | float):
            return value
        if depth >= _DEEPEST or not isinstance(value, dict | list):
            self.truncated = True
            return None
        return self._members(value, depth) if isinstance(value, dict) else self._items(value, depth)

    def _text(self, text: str) -> str:
        kept = text[: self.room]
        self.room -= len(kept)
        self.truncated = self.truncated or len(kept) < len(text)
        return kept

    def _members(self, value: dict[str, Any], depth: int) -> dict[str, Any]:
        self.truncated = self.truncated or len(value) > _MOST
        return {self._text(name): self.copy(item, depth + 1) for name, item in [*value.items()][:_MOST]}

    def _items(self, value: list[Any], depth: int) -> list[Any]:
        kept = []
        for item in value[:_MOST]:
            if self.room <= 0:
                break
            kept.append(self.copy(item, depth + 1))
        self.truncated = self.truncated or len(kept) < len(value)
        return kept


def seen_of_edit(response: Any) -> Any:
    """An edit's response without the file's whole text."""
    if not isinstance(response, dict):
        return response
    return {name: item for name, item in response.items() if name not in _UNSEEN}
