"""A FalkorDB node elsewhere in the place of the own server: over TCP with a password, and under TLS."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram.config import Config, load_config
from engram.engine import Engram
from engram.errors import ServerUnavailable, StoreError
from engram.store.binaries import find_binaries
from engram.store.graph import Graph
from engram.store.server import open_connection, stop_server
from engram.store.status import server_status
from engram.store.wire import connect_url
from tests.patience import LIMIT_S, wait_until

PASSWORD = "p@ss:w/o?rd #ü"
QUOTED = "p%40ss%3Aw%2Fo%3Frd%20%23%C3%BC"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a second server on loopback that wants a password."""
    for _ in range(20):
        port = _free_port()  # until the server listens there, somebody else may do so
        process = _start_node(port, tmp_path_factory.mktemp("node"))
        wait_until(lambda port=port, process=process: process.poll() is not None or _answers(port), "no node answers")
        if process.poll() is None:
            break
    yield port
    process.kill()
    process.wait()


def _start_node(port: int, folder: Path) -> subprocess.Popen[bytes]:
    binaries = find_binaries()
    settings = ["--port", str(port), "--bind", "127.0.0.1", "--requirepass", PASSWORD, "--dir", str(folder)]
    command = [binaries.server, *settings, "--save", "", "--loadmodule", binaries.module]
    with (folder / "log").open("w") as log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def _answers(port: int) -> bool:
    try:
        with connect_url(f"redis://:{QUOTED}@127.0.0.1:{port}", 5.0) as connection:
            connection.greet()
    except StoreError:
        return False
    return True


@pytest.fixture
def remote(node: int, engram_home: str, monkeypatch: pytest.MonkeyPatch) -> Config:
    monkeypatch.setenv("ENGRAM_FALKORDB_URL", f"redis://:{QUOTED}@localhost:{node}")
    return load_config()


def test_a_checkout_is_indexed_and_asked_on_a_remote_node(remote: Config, tmp_path: Path) -> None:
    (tmp_path / ".engram").mkdir()
    (tmp_path / "paint.py").write_text(
        "def mix_colours(a, b):\n    return a + b\n\n\ndef main():\n    mix_colours(1, 2)\n"
    )
    with Engram.open(remote, str(tmp_path)) as engram:
        assert engram.sync().mode == "built"
        assert [call.caller.qualname for call in engram.callers(engram.find_symbol("mix_colours"), limit=5)] == ["main"]
        assert engram.orient("the function mix_colours adds up").locations[0].qualname == "mix_colours"
        (tmp_path / "paint.py").write_text("def blend_colours(a, b):\n    return a + b\n")
        assert engram.sync().mode == "updated"
        assert [symbol.qualname for symbol in engram.symbols("colours", limit=5)] == ["blend_colours"]
    assert not os.path.exists(os.path.join(remote.home, "server"))


def test_a_remote_node_takes_the_place_of_the_own_server(remote: Config) -> None:
    with open_connection(remote) as connection:
        graph = Graph(connection, "remote")
        graph.write("MERGE (n:Row {name: $name})", {"name": 'a"b'})
        assert graph.read("MATCH (n:Row) RETURN n.name") == [['a"b']]
    assert not os.path.exists(os.path.join(remote.home, "server"))


def test_a_user_and_a_database_can_be_named(node: int) -> None:
    with connect_url(f"redis://default:{QUOTED}@[::ffff:127.0.0.1]:{node}/3", LIMIT_S) as connection:
        assert b"db=3" in connection.call("CLIENT", "INFO")


@pytest.mark.parametrize("login", ["", ":geheim@", "nobody:geheim@"])
def test_a_refused_login_is_told_without_the_password(node: int, login: str) -> None:
    with (
        pytest.raises(ServerUnavailable, match="refuses this login") as caught,
        connect_url(f"redis://{login}127.0.0.1:{node}", LIMIT_S) as connection,
    ):
        connection.call("GET", "a")
    assert "geheim" not in f"{caught.value.message}{caught.value.hint}{caught.value.__cause__}"


def test_status_shows_where_and_hides_the_password(remote: Config) -> None:
    status = server_status(remote)
    assert (status.running, status.remote, status.where.startswith("localhost:")) == (True, True, True)
    command = [sys.executable, "-m", "engram", "server"]
    for action in ("status", "start", "stop"):
        ran = subprocess.run([*command, action], capture_output=True, text=True)
        assert PASSWORD not in ran.stdout + ran.stderr
        assert QUOTED not in ran.stdout + ran.stderr
    with pytest.raises(ServerUnavailable, match="not engram's to stop"):
        stop_server(remote)


def test_a_node_that_is_gone_is_told(engram_home: str) -> None:
    with socket.socket() as silent:  # bound, so that nobody else gets the port, and not listening
        silent.bind(("127.0.0.1", 0))
        gone = Config(home=engram_home, falkordb_url=f"redis://:geheim@127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(ServerUnavailable, match=r"127\.0\.0\.1:\d+: Connection refused"):
            open_connection(gone)
        assert not server_status(gone).running


@pytest.fixture
def encrypted(node: int, tmp_path: Path) -> Iterator[tuple[int, str]]:
    """The port of a TLS front of the node, and the path of the only certificate that signs it."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(LIMIT_S)  # a test that fails before it connects must not hold up the rest
    front = threading.Thread(target=_forward_one, args=(listener, context, node))
    front.start()
    yield listener.getsockname()[1], certificate
    listener.close()
    front.join()


def _forward_one(listener: socket.socket, context: ssl.SSLContext, node: int) -> None:
    """Hand one client's requests to the node, reply by reply, until either hangs up."""
    client, _ = listener.accept()
    with client, socket.create_connection(("127.0.0.1", node)) as behind:
        try:
            with context.wrap_socket(client, server_side=True) as plain:
                while request := plain.recv(1 << 16):
                    behind.sendall(request)
                    plain.sendall(behind.recv(1 << 16))
        except OSError:
            pass


def test_tls_serves_where_the_certificate_is_trusted(
    encrypted: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, certificate = encrypted
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    with connect_url(f"rediss://:{QUOTED}@localhost:{port}", LIMIT_S) as connection:
        assert connection.call("SET", "tls", "yes") == "OK"
        assert connection.call("GET", "tls") == b"yes"


def test_tls_refuses_a_certificate_that_nobody_trusts(encrypted: tuple[int, str]) -> None:
    with pytest.raises(ServerUnavailable, match="no trusted TLS connection"):
        connect_url(f"rediss://:{QUOTED}@localhost:{encrypted[0]}", LIMIT_S)


def test_tls_refuses_another_host_name(encrypted: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", encrypted[1])
    with pytest.raises(ServerUnavailable, match="no trusted TLS connection"):
        connect_url(f"rediss://:{QUOTED}@127.0.0.1:{encrypted[0]}", LIMIT_S)


def test_the_wire_knows_no_error_but_its_own(node: int) -> None:
    with connect_url(f"redis://:{QUOTED}@127.0.0.1:{node}", LIMIT_S) as connection, pytest.raises(StoreError):
        connection.call("GRAPH.QUERY", "remote", "THIS IS NO CYPHER")
