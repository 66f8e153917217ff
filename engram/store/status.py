"""What there is to tell of the graph server, without starting one."""

from __future__ import annotations

from engram.errors import ServerUnavailable
from engram.model import Value
from engram.store.address import current_socket, server_address
from engram.store.notes import read_note
from engram.store.server import open_connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.config import Config

STATUS_S = 20.0  # whoever asks wants to be told that it does not answer, too


class ServerStatus(Value):
    """What `engram server status` tells; zeros and "" where no server answers.

    `where` is the socket, or host and port.  `recovered` says what the last repair of the data did, "" for none.
    """

    running: bool
    remote: bool
    where: str
    state: str = ""
    pid: int = 0
    uptime_s: int = 0
    memory_bytes: int = 0
    graphs: int = 0
    redis_version: str = ""
    module_version: int = 0
    recovered: str = ""


def server_status(config: Config) -> ServerStatus:
    """The state of the server, without starting one."""
    address = None if config.falkordb_url else server_address(config)
    try:
        connection = open_connection(config, start=False, wait_s=STATUS_S, timeout_s=STATUS_S)
    except ServerUnavailable:
        where = current_socket(address) if address else "the server of ENGRAM_FALKORDB_URL"
        return ServerStatus(False, address is None, where, address.state if address else "")
    with connection:
        raw, graphs, modules = connection.pipeline([("INFO",), ("GRAPH.LIST",), ("MODULE", "LIST")])
    info = parse_info(raw)
    return ServerStatus(
        True,
        address is None,
        connection.where,
        address.state if address else "",
        int(info.get("process_id", 0)),
        int(info.get("uptime_in_seconds", 0)),
        int(info.get("used_memory_rss", 0)),
        len(graphs) if isinstance(graphs, list) else 0,
        info.get("redis_version", ""),
        _module_version(modules),
        read_note(address.recovery).strip() if address else "",
    )


def parse_info(raw: bytes) -> dict[str, str]:
    """The fields of a reply to INFO."""
    lines = raw.decode("utf-8", "replace").splitlines()
    return dict([line.split(":", 1) for line in lines if ":" in line and not line.startswith("#")])


def _module_version(modules: object) -> int:
    for module in modules if isinstance(modules, list) else []:
        fields = dict(zip(module[::2], module[1::2], strict=False))
        if fields.get(b"name") == b"graph":
            return int(fields[b"ver"])
    return 0
