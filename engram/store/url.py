"""The address of another FalkorDB node, `redis[s]://[[user]:password@]host[:port][/database]`.

Taken apart by hand: importing `urllib.parse` would cost a hook 10 ms.
"""

from __future__ import annotations

from engram.errors import ConfigError

_DEFAULT_PORT = 6379


def split_url(url: str) -> tuple[bool, str, str, str, int, int]:
    """Whether TLS, user, password, host, port and database.

    Raises ConfigError for a URL of another form, without repeating any of it: it holds a password.
    """
    scheme, separator, rest = url.partition("://")
    authority, _, database = rest.partition("/")
    login, _, place = authority.rpartition("@")
    user, _, password = login.partition(":")
    host, port = _host_and_port(place)
    good = separator and scheme in ("redis", "rediss") and host and (database or "0").isdecimal() and port.isdecimal()
    if not good or not 0 < int(port) < 65536:
        raise ConfigError(
            "ENGRAM_FALKORDB_URL is not of the form redis[s]://[[user]:password@]host[:port][/database]",
            "characters such as / and @ in a password are written as %2F and %40",
        )
    return scheme == "rediss", _unquoted(user), _unquoted(password), host, int(port), int(database or "0")


def _host_and_port(place: str) -> tuple[str, str]:
    if place.startswith("["):  # an IPv6 address
        host, _, after = place[1:].partition("]")
        return host, after.removeprefix(":") or str(_DEFAULT_PORT)
    host, separator, port = place.partition(":")
    return host, port if separator else str(_DEFAULT_PORT)


def _unquoted(text: str) -> str:
    """The text with its `%XX` escapes resolved; what is no escape stays as it is."""
    first, *rest = text.encode().split(b"%")
    out = [first]
    for piece in rest:
        try:
            out.append(bytes.fromhex(piece[:2].decode("ascii")) + piece[2:] if len(piece) > 1 else b"%" + piece)
        except ValueError:
            out.append(b"%" + piece)
    return b"".join(out).decode("utf-8", "replace")
