"""What a client's session was shown, kept beside the graph for as long as sessions are resumed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part

KEPT_S = 14 * 86_400  # after which the index of an unused checkout goes as well
OPEN_S = 600  # a subagent that was not started by then never will be: its call was refused
NOTHING = "-"  # in the place of a map: the subagent is to get none, and no other may get its own in its stead
UNKNOWN = "?"  # in the place of a map: there were several, and it is not known whose this was


class SessionNotes:
    """The notes of one session in one checkout.  Writing raises StoreFull on a full disk."""

    def __init__(self, connection: Connection, keys: Keys, session: str) -> None:
        self._connection = connection
        self._shown = keys.side(f"session:{session}:shown")
        self._map = keys.side(f"session:{session}:map")
        self._agents = keys.side(f"session:{session}:agents")
        self._tasks = keys.side(f"session:{session}:tasks")

    def shown(self) -> set[str]:
        """The places that the session was shown."""
        return {place.decode("utf-8", "surrogatepass") for place in self._connection.call("SMEMBERS", self._shown)}

    def note_map(self, text: str, places: Iterable[str]) -> None:
        """Remember a map that is being shown, and its places."""
        commands: list[tuple[Part, ...]] = [("SET", self._map, text, "EX", KEPT_S)]
        names = [*places]
        if names:
            commands += [("SADD", self._shown, *names), ("EXPIRE", self._shown, KEPT_S)]
        self._connection.pipeline(commands)

    def forget_shown(self) -> None:
        """Forget the places: the client has compacted the conversation that held them."""
        self._connection.call("DEL", self._shown)

    def last_map(self) -> str:
        """The map that was shown last; "" before the first."""
        return (self._connection.call("GET", self._map) or b"").decode("utf-8", "surrogatepass")

    def open_agent(self, call_id: str, text: str, now: float) -> None:
        """Keep the map for a subagent that the call is about to start."""
        self._connection.pipeline(
            [("HSET", self._agents, call_id, f"{now:.0f}\n{text}"), ("EXPIRE", self._agents, OPEN_S)]
        )

    def take_agent(self, now: float) -> str | None:
        """The map for the subagent that starts now; "" where it is to get none; None where that is unknown.

        The client does not say which call a subagent belongs to, so it is known only while exactly one is open.
        With several, none of these maps can be told to be the right one any more, for the later ones either.
        """
        flat = self._connection.call("HGETALL", self._agents)
        calls = dict(zip(flat[::2], flat[1::2], strict=True))
        opened = {call: value.decode("utf-8", "surrogatepass").partition("\n") for call, value in calls.items()}
        live = {call: text for call, (at, _, text) in opened.items() if abs(now - float(at)) <= OPEN_S}
        if not live:
            return None
        taken = min(live)
        doomed = [call for call in calls if call not in live or call == taken]
        commands: list[tuple[Part, ...]] = [("HDEL", self._agents, *doomed)]
        text = live.pop(taken)
        if live:
            text = NOTHING if NOTHING in (text, *live.values()) else UNKNOWN
            commands.append(("HSET", self._agents, *[p for call in live for p in (call, f"{now:.0f}\n{text}")]))
        self._connection.pipeline(commands)
        return {NOTHING: "", UNKNOWN: None}.get(text, text)

    def close_agent(self, call_id: str) -> None:
        """The call has ended, whether or not its subagent was seen to start."""
        self._connection.call("HDEL", self._agents, call_id)

    def note_task(self, task_id: str, subject: str) -> None:
        """Remember an open task of the client's list."""
        self._connection.pipeline([("HSET", self._tasks, task_id, subject), ("EXPIRE", self._tasks, KEPT_S)])

    def close_task(self, task_id: str) -> None:
        """The task is done."""
        self._connection.call("HDEL", self._tasks, task_id)

    def set_tasks(self, subjects: Iterable[str]) -> None:
        """Replace the whole list by these open tasks."""
        fields = [part for number, subject in enumerate(subjects) for part in (str(number), subject)]
        commands: list[tuple[Part, ...]] = [("DEL", self._tasks)]
        if fields:
            commands += [("HSET", self._tasks, *fields), ("EXPIRE", self._tasks, KEPT_S)]
        self._connection.pipeline(commands)

    def tasks(self) -> list[str]:
        """The open tasks, the oldest first."""
        flat = self._connection.call("HGETALL", self._tasks)
        found = dict(zip(flat[::2], flat[1::2], strict=True))
        ordered = sorted(found, key=lambda task: (len(task), task))
        return [found[task].decode("utf-8", "surrogatepass") for task in ordered]
