from __future__ import annotations

from pathlib import Path

import pytest

from tests.launcher.plugin import Plugin


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    """A plugin folder whose launcher finds the Python of the tests as `python3`, and nothing else."""
    made = Plugin(tmp_path, tmp_path / "wheels")
    made.real_python()
    return made
