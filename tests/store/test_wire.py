"""The client against the real server: replies, errors, addresses."""

from __future__ import annotations

import pytest

from engram.config import Config
from engram.errors import ConfigError, ServerUnavailable, StoreError
from engram.store.server import open_connection
from engram.store.wire import Connection, connect_unix, connect_url


def test_strings_come_back_as_bytes_whatever_they_hold(connection: Connection) -> None:
    value = bytes(range(256)) * 1000
    assert connection.call("SET", "bytes", value) == "OK"
    assert connection.call("GET", "bytes") == value
    assert connection.call("GET", "no such key") is None
    assert connection.call("STRLEN", "bytes") == 256_000


def test_a_pipeline_keeps_the_order_and_holds_refusals_in_place(connection: Connection) -> None:
    replies = connection.pipeline([("ECHO", "a"), ("NO-SUCH-COMMAND",), ("ECHO", "b"), ("LRANGE", "nothing", 0, -1)])
    assert [replies[0], replies[2], replies[3]] == [b"a", b"b", []]
    assert isinstance(replies[1], StoreError)
    assert connection.call("PING") == "PONG"


def test_a_refusal_of_a_single_command_is_raised_and_the_connection_goes_on(connection: Connection) -> None:
    with pytest.raises(StoreError, match="unknown command"):
        connection.call("NO-SUCH-COMMAND")
    assert connection.call("PING") == "PONG"


def test_many_large_replies_in_one_round_trip(connection: Connection) -> None:
    replies = connection.pipeline([("ECHO", str(i) * 50_000) for i in range(40)])
    assert [reply[:2] for reply in replies] == [(str(i) * 2)[:2].encode() for i in range(40)]


def test_a_silent_server_is_reported_and_the_connection_closed(server: Config) -> None:
    with open_connection(server) as connection:
        connection.wait_at_most(0.05)
        with pytest.raises(ServerUnavailable, match="timed out"):
            connection.call("BLPOP", "nothing", 0)
        with pytest.raises(ServerUnavailable, match="closed"):
            connection.call("PING")


def test_nobody_listens(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(ServerUnavailable, match="no graph server answers"):
        connect_unix("/tmp/engram-no-such-socket", 1.0)
    with pytest.raises(ServerUnavailable, match="no graph server answers"):
        connect_url("redis://127.0.0.1:1", 1.0)


@pytest.mark.parametrize(
    "url",
    ["", "http://host", "redis:/host", "redis://", "redis://:geheim@", "redis://:geheim@h:port", "redis://h:0/0/x"],
)
def test_a_url_of_another_form_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        connect_url(url, 1.0)
    assert "geheim" not in f"{caught.value.message} {caught.value.hint}"
