"""A client of the Redis protocol (RESP2): a Unix socket, or TCP with a password and TLS.

Standard library only, and of that only what starts fast: the whole process of a hook costs as much as bare Python,
where importing `redis` alone costs twenty times that.  Protocol: https://redis.io/docs/latest/develop/reference/protocol-spec/
"""

from __future__ import annotations

import _socket

from engram.errors import NotIndexed, QueryTimedOut, ServerUnavailable, StoreError, StoreFull
from engram.store.url import split_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from socket import socket
    from typing import Any

    type Part = str | bytes | int
    type Reply = Any  # None | int | str (a status) | bytes | list[Reply] | StoreError (inside of lists only)

MAX_BYTES = 1 << 30  # of the replies to one pipeline; Redis itself holds no string beyond 512 MB
_CHUNK = 1 << 16
_REDIRECTED = ("LOADING", "MASTERDOWN", "BUSY")  # the server is there and cannot serve yet


class Connection:
    """One open connection: commands go out and replies come back in order, so it serves one thread at a time.

    Replies of more than `max_bytes` together are an error, and close it.
    """

    __slots__ = ("_at", "_buffer", "_received", "_socket", "max_bytes", "where")

    def __init__(self, opened: socket, where: str) -> None:
        self._socket: socket | None = opened
        self._buffer = b""
        self._at = 0
        self._received = 0
        self.max_bytes = MAX_BYTES
        self.where = where

    def call(self, *parts: Part) -> Reply:
        """The reply to one command: bytes for strings, int, None, list; str for a bare status such as OK.

        Raises StoreError when the server refuses, ServerUnavailable when the connection fails; it is closed then.
        """
        reply = self.pipeline([parts])[0]
        if isinstance(reply, StoreError):
            raise reply
        return reply

    def pipeline(self, commands: Iterable[Sequence[Part]]) -> list[Reply]:
        """The replies to many commands in one round trip, in order; what the server refused stands as a StoreError."""
        packed = [_pack(parts) for parts in commands]
        if self._socket is None:
            raise ServerUnavailable(f"the connection to {self.where} is closed")
        self._received = 0
        try:
            self._socket.sendall(b"".join(packed))
            return [self._reply() for _ in packed]
        except OSError as error:
            self.close()
            raise ServerUnavailable(f"the connection to {self.where} failed: {_reason(error)}") from error
        except BaseException:  # interrupted between two replies: what comes next would answer another question
            self.close()
            raise

    def greet(self) -> None:
        """Return when the server answers; raises ServerUnavailable while it loads its data.

        By a read: PING is refused by a server with a full disk, which can still read, and ECHO answered while it loads.
        """
        self.call("EXISTS", "engram")

    def wait_at_most(self, timeout_s: float) -> None:
        """From now on, a silence of `timeout_s` fails the connection."""
        if self._socket is not None:
            self._socket.settimeout(timeout_s)

    def close(self) -> None:
        """Hang up; a second call does nothing."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _receive(self) -> bytes:
        data = self._socket.recv(_CHUNK) if self._socket else b""
        if not data:
            raise ConnectionResetError("the server hung up")
        self._received += len(data)
        if self._received > self.max_bytes:
            raise StoreError(f"the answer has more than {self.max_bytes >> 20} MB", "ask for less")
        return data

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\r\n", self._at)) < 0:
            self._buffer = self._buffer[self._at :] + self._receive()
            self._at = 0
        line = self._buffer[self._at : end]
        self._at = end + 2
        return line

    def _exactly(self, size: int) -> bytes:
        have = len(self._buffer) - self._at
        if have < size + 2:
            parts = [self._buffer[self._at :]]
            while have < size + 2:
                parts.append(self._receive())
                have += len(parts[-1])
            self._buffer = b"".join(parts)
            self._at = 0
        data = self._buffer[self._at : self._at + size]
        self._at += size + 2
        return data

    def _reply(self) -> Reply:
        line = self._line()
        kind = line[:1]
        if kind == b"$":
            size = int(line[1:])
            return None if size < 0 else self._exactly(size)
        if kind == b":":
            return int(line[1:])
        if kind == b"*":
            size = int(line[1:])
            return None if size < 0 else [self._reply() for _ in range(size)]
        if kind == b"+":
            return line[1:].decode("utf-8", "replace")
        if kind == b"-":
            return server_error(line[1:].decode("utf-8", "replace"))
        raise ConnectionError("what came back is no Redis reply")


def server_error(text: str) -> StoreError:
    """The error that stands for a server's line of refusal (without its leading `-`)."""
    code = text.partition(" ")[0]
    if code in _REDIRECTED:
        return ServerUnavailable(f"the graph server is not ready: {text}")
    if code in ("NOAUTH", "WRONGPASS", "NOPERM"):
        return ServerUnavailable(f"the graph server refuses this login: {code}", "check ENGRAM_FALKORDB_URL")
    if code in ("MISCONF", "OOM"):
        return StoreFull(f"the graph server cannot write: {text}", "free disk space or memory, then try again")
    if "Invalid graph operation on empty key" in text:
        return NotIndexed("this checkout is not indexed yet", "run `engram index`")
    if "Query timed out" in text:
        return QueryTimedOut("the query took too long and was ended", "ask for less: fewer hops, a narrower start")
    return StoreError(text.removeprefix("ERR "))


def connect_unix(path: str, timeout_s: float) -> Connection:
    """A connection to the server behind the socket `path`; no answer within `timeout_s` fails any later call.

    Raises ServerUnavailable when none listens there.
    """
    opened = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    return _connected(opened, path, path, timeout_s)


def connect_url(url: str, timeout_s: float) -> Connection:
    """A connection to `redis[s]://[[user]:password@]host[:port][/database]`, logged in; `rediss` verifies TLS.

    Raises ConfigError for anything else, ServerUnavailable when the server is not there or refuses the login.
    No message holds a part of the URL other than host and port.
    """
    secure, user, password, host, port, database = split_url(url)
    where = f"{host}:{port}"
    opened = _dial(host, port, where, timeout_s)
    connection = Connection(_encrypted(opened, host, where) if secure else opened, where)
    try:
        if password:
            connection.call("AUTH", *([user] if user else []), password)
        if database:
            connection.call("SELECT", database)
    except StoreError:
        connection.close()
        raise
    return connection


def _connected(opened: Any, address: object, where: str, timeout_s: float) -> Connection:
    try:
        opened.settimeout(timeout_s)
        opened.connect(address)
    except OSError as error:
        opened.close()
        raise ServerUnavailable(f"no graph server answers at {where}: {_reason(error)}") from error
    return Connection(opened, where)


def _dial(host: str, port: int, where: str, timeout_s: float) -> Any:
    """An open TCP socket to the first address of `host` that answers."""
    try:
        found = _socket.getaddrinfo(host, port, 0, _socket.SOCK_STREAM)
    except OSError as error:
        raise ServerUnavailable(f"no graph server answers at {where}: {_reason(error)}") from error
    failure: OSError = OSError("no address")
    for family, kind, protocol, _, address in found:
        opened = _socket.socket(family, kind, protocol)
        try:
            opened.settimeout(timeout_s)
            opened.connect(address)
            opened.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
            return opened
        except OSError as error:
            opened.close()
            failure = error
    raise ServerUnavailable(f"no graph server answers at {where}: {_reason(failure)}") from failure


def _encrypted(opened: Any, host: str, where: str) -> Any:
    """The socket under TLS, certificate and host name verified; only here are `ssl` and `socket` imported (30 ms)."""
    import socket
    import ssl

    timeout_s = opened.gettimeout()
    plain = socket.socket(fileno=opened.detach())
    plain.settimeout(timeout_s)
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except OSError as error:
        plain.close()
        raise ServerUnavailable(f"no trusted TLS connection to {where}: {_reason(error)}") from error


def _pack(parts: Sequence[Part]) -> bytes:
    out = [b"*%d\r\n" % len(parts)]
    for part in parts:
        # a file name that is not UTF-8 reaches Python with lone surrogates; they cross the wire as they are
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        out.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(out)


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__
