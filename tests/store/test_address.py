"""Where the socket is, and when its folder is not trusted."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram.config import Config, load_config
from engram.errors import ConfigError
from engram.store.address import current_socket, server_address
from engram.store.server import open_connection, stop_server
from engram.store.status import server_status


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A short folder that is XDG_RUNTIME_DIR."""
    with tempfile.TemporaryDirectory(prefix="er-", dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


@pytest.fixture
def config(runtime: Path, engram_home: str) -> Config:
    return load_config()


def _folder(runtime: Path) -> Path:
    return runtime / f"engram-{os.getuid()}"


def test_the_socket_is_private(config: Config, runtime: Path) -> None:
    open_connection(config).close()
    path = server_address(config).socket
    assert Path(path).parent == _folder(runtime)
    assert os.lstat(path).st_mode & 0o777 == 0o600
    assert os.lstat(_folder(runtime)).st_mode & 0o777 == 0o700
    assert os.lstat(os.path.join(config.home, "server")).st_mode & 0o777 == 0o700
    with open_connection(config) as connection:
        ports = connection.call("CONFIG", "GET", "*port")
    assert dict(zip(ports[::2], ports[1::2], strict=True))[b"port"] == b"0"


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o750, 0o705, 0o1777])
def test_a_socket_folder_that_others_can_enter_is_refused(config: Config, runtime: Path, mode: int) -> None:
    _folder(runtime).mkdir()
    _folder(runtime).chmod(mode)
    with pytest.raises(ConfigError, match="open to other users") as caught:
        open_connection(config)
    assert "mode 700" in caught.value.hint
    assert list(_folder(runtime).iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_socket_folder_of_another_user_is_refused(config: Config, runtime: Path) -> None:
    _folder(runtime).mkdir(0o700)
    os.chown(_folder(runtime), 12345, -1)
    with pytest.raises(ConfigError, match="belongs to user 12345"):
        open_connection(config)


def test_a_link_in_the_place_of_the_socket_folder_is_refused(config: Config, runtime: Path) -> None:
    (runtime / "elsewhere").mkdir(0o700)
    _folder(runtime).symlink_to(runtime / "elsewhere")
    with pytest.raises(ConfigError, match="is not a folder"):
        open_connection(config)


def test_a_folder_that_is_opened_to_others_later_is_refused_too(config: Config, runtime: Path) -> None:
    open_connection(config).close()
    _folder(runtime).chmod(0o777)
    with pytest.raises(ConfigError, match="open to other users"):
        open_connection(config)
    _folder(runtime).chmod(0o700)
    open_connection(config).close()


def test_a_state_folder_that_others_can_enter_is_refused(config: Config) -> None:
    os.mkdir(os.path.join(config.home, "server"))
    os.chmod(os.path.join(config.home, "server"), 0o755)
    with pytest.raises(ConfigError, match="the server's folder"):
        open_connection(config)
    os.chmod(os.path.join(config.home, "server"), 0o700)


def test_what_a_dead_server_left_at_the_socket_is_replaced(config: Config, runtime: Path) -> None:
    path = server_address(config).socket
    _folder(runtime).mkdir(0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(path)
    open_connection(config).close()
    stop_server(config)
    Path(path).write_text("a file")
    open_connection(config).close()


def test_processes_with_another_runtime_folder_find_the_same_server(
    config: Config, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_connection(config).close()
    pid = server_status(config).pid
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert current_socket(server_address(config)) != server_address(config).socket
    assert server_status(config).pid == pid
    open_connection(config).close()
    stop_server(config)
    open_connection(config).close()
    assert current_socket(server_address(config)) == server_address(config).socket


def test_long_and_odd_paths_serve(engram_home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    home = os.path.join(engram_home, "x" * 200, "a b'c\"d\\e\nf", "ü☂")
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.path.join(engram_home, "x" * 200))
    os.makedirs(home)
    config = Config(home=os.path.realpath(home))
    with open_connection(config) as connection:
        assert connection.call("CONFIG", "GET", "dir")[1].decode() == os.path.join(config.home, "server")
        assert connection.where.startswith(f"/tmp/engram-{os.getuid()}/")
        connection.call("SET", "a", 1)
    assert stop_server(config)
    with open_connection(config) as connection:
        assert connection.call("GET", "a") == b"1"
    stop_server(config)


def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be made"):
        open_connection(Config(home=str(tmp_path / "file" / "home")))
