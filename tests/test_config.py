"""Settings come from the environment once, are checked, and give no secret away."""

from __future__ import annotations

import pytest

from engram.config import Config, load_config, unknown_variables
from engram.errors import ConfigError


def test_an_empty_variable_counts_as_unset():
    assert load_config({"HOME": "/h", "ENGRAM_WORKERS": "", "ENGRAM_IDLE_MINUTES": ""}) == load_config({"HOME": "/h"})


def test_a_relative_data_folder_is_ignored(monkeypatch):
    monkeypatch.setenv("HOME", "/home/someone")
    assert load_config({"XDG_DATA_HOME": "data"}).home == "/home/someone/.local/share/engram"
    assert load_config({"XDG_DATA_HOME": "/data"}).home == "/data/engram"


@pytest.mark.parametrize(
    "variable", ["ENGRAM_WORKERS", "ENGRAM_IDLE_MINUTES", "ENGRAM_RECURSE_DEPTH", "ENGRAM_REFINE", "ENGRAM_PATIENCE"]
)
@pytest.mark.parametrize("value", ["many", "-1", "1e9", "nan"])
def test_a_value_that_cannot_be_used_is_an_error(variable, value):
    with pytest.raises(ConfigError, match=variable):
        load_config({variable: value})


def test_variables_of_other_tools_are_no_error_and_are_listed():
    environ = {"ENGRAM_VECTOR_STORE": "x", "ENGRAM_HOME": "/h", "PATH": "/bin"}
    assert load_config(environ).home == "/h"
    assert unknown_variables(environ) == ["ENGRAM_VECTOR_STORE"]


def test_the_password_of_a_server_is_not_shown():
    shown = repr(Config(home="/h", falkordb_url="redis://me:pa'ss@host:1"))
    assert "pa'ss" not in shown
    assert "/h" in shown
