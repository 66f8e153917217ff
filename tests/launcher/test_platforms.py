"""Where the engine runs, where it is compiled, and what is said where neither is possible."""

from __future__ import annotations

import pytest

from engram.environment.causes import explain
from engram.environment.platforms import Platform, engine_problem, missing_tools, must_compile_engine, this_platform
from engram.environment.setup import require_room, require_tools
from engram.errors import ConfigError

DEBIAN_12 = Platform("Linux", "x86_64", (2, 36))
FEDORA = Platform("Linux", "x86_64", (2, 41))
GRAVITON = Platform("Linux", "aarch64", (2, 39))
TAHOE = Platform("Darwin", "arm64", (), (26, 1))


@pytest.mark.parametrize("machine", [DEBIAN_12, FEDORA, GRAVITON, TAHOE])
def test_supported(machine: Platform):
    assert engine_problem(machine) == ""


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        (Platform("Linux", "aarch64", (2, 36)), "glibc 2.38"),
        (Platform("Linux", "x86_64"), "Alpine"),
        (Platform("Linux", "riscv64", (2, 41)), "riscv64"),
        (Platform("Darwin", "x86_64", (), (26, 0)), "Apple silicon"),
        (Platform("Darwin", "arm64", (), (15, 5)), "macOS 26"),
        (Platform("FreeBSD", "amd64"), "FreeBSD"),
    ],
)
def test_unsupported(machine: Platform, said: str):
    assert said in engine_problem(machine)


def test_only_an_old_glibc_takes_a_compiler():
    assert [must_compile_engine(machine) for machine in (DEBIAN_12, FEDORA, GRAVITON, TAHOE)] == [True] + [False] * 3


def test_this_platform_is_one_that_runs_the_tests():
    assert engine_problem(this_platform()) == ""


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing_tools() == "gcc and make"
    with pytest.raises(ConfigError, match="gcc and make cannot be found") as caught:
        require_tools(missing_tools())
    assert "apt-get install gcc make" in caught.value.hint


def test_too_little_room_is_said_before_it_runs_out():
    require_room("/home", 600 << 20, 600 << 20)
    with pytest.raises(ConfigError, match="has 599 MB left and 600 MB are needed"):
        require_room("/home", 599 << 20, 600 << 20)


@pytest.mark.parametrize(
    ("printed", "meaning"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        ("WARNING: Retrying (Retry(total=0 ...)) after connection broken by 'NewConnectionError(...", "be reached"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "not the one"),
        ("error: Request failed after 3 retries\n  cause: dns error", "cannot be reached"),
        ("ERROR: No matching distribution found for pygit2==1.21.0", "is not to be had"),
        (
            "zmalloc.h:30:10: fatal error: stdio.h: No such file or directory\nmake: *** [all] Error 2",
            "compiling failed",
        ),
        ("ERROR: [Errno 13] Permission denied: '/x'", "cannot be written"),
        ("Traceback ...\nValueError: never seen before", "ValueError: never seen before"),
    ],
)
def test_what_an_installer_prints_is_explained(printed: str, meaning: str):
    error = explain(printed, "/home/env/base.log")
    assert meaning in error.message
    assert error.hint.endswith("/home/env/base.log")
