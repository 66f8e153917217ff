"""The lock files fit pyproject.toml, name no index, and pin everything by hash."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from engram import __version__
from engram.environment.key import LOCKS, PARTS, environment_key, recorded_key
from tests.launcher.plugin import ROOT

LOCK_FILES = [*(ROOT / LOCKS / part for part in PARTS), ROOT / "tools" / "dev.txt"]


def pinned() -> dict[str, Version]:
    found = {}
    for path in LOCK_FILES:
        for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", path.read_text(), re.MULTILINE):
            assert found.setdefault(name, Version(version)) == Version(version), f"{name} is locked twice"
    return found


def requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lines = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    return [Requirement(line) for line in lines]


def test_the_ranges_admit_the_locked_versions():
    locked = pinned()
    for requirement in requirements():
        assert locked[requirement.name] in requirement.specifier, f"{requirement}: run make lock"


@pytest.mark.parametrize("path", LOCK_FILES, ids=lambda path: path.name)
def test_every_line_pins_a_version_with_hashes_and_nothing_else(path):
    for entry in path.read_text().replace("\\\n", " ").splitlines():
        assert re.fullmatch(r"[\w.-]+==\S+( ; [^#]+?)?( +--hash=sha256:[0-9a-f]{64})+", entry), entry


def test_the_locked_packages_need_nothing_that_is_not_locked():
    locked = pinned()
    environment = {"extra": ""}
    for part in ("wheels.txt", "build.txt"):
        for name in re.findall(r"^([\w.-]+)==[^\s;]+ \\", (ROOT / LOCKS / part).read_text(), re.MULTILINE):
            try:
                needed = metadata.requires(name) or []
            except metadata.PackageNotFoundError:  # of the build, where a wheel of the engine served
                continue
            for requirement in map(Requirement, needed):
                if requirement.marker is None or requirement.marker.evaluate(environment):
                    assert locked[requirement.name.lower()] in requirement.specifier, f"{name} needs {requirement}"


def test_the_key_is_that_of_the_version_and_the_locks():
    assert recorded_key(str(ROOT)) == environment_key(str(ROOT)), "run make lock, or tools/lock.py --key"
    assert recorded_key(str(ROOT)).startswith(f"{__version__}-")
