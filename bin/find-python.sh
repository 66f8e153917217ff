# Read by bin/engram when no Python is remembered: find_python sets `python`, by running what it finds.
# shellcheck shell=sh disable=SC2034  # `python` is for the reader of this file

# Prints the interpreter beneath any virtual environment, by the name that holds its version where there is one:
# what /usr/bin/python3 means changes with the system.  Distributions split ssl, venv and zlib off, so ask for them.
probe='import os, sys
if sys.version_info < (3, 12): raise SystemExit("%d.%d.%d is older than 3.12" % sys.version_info[:3])
if sys.implementation.name != "cpython" or not sys.maxsize > 2**32: raise SystemExit("is not a 64-bit CPython")
import ctypes, ssl, venv, zlib
found = sys._base_executable
named = os.path.join(os.path.dirname(found), "python%d.%d" % sys.version_info[:2])
found = named if os.access(named, os.X_OK) else found
if "\n" in found: raise SystemExit("has a line break in its path")
print(found)'

# Leaves the absolute folders in PATH: the others would run what the repository brought.
absolute_path() {
    kept=
    separators=$IFS
    IFS=:
    set -f
    for folder in $PATH; do
        case $folder in /*) kept=$kept:$folder ;; esac
    done
    set +f
    IFS=$separators
    PATH=${kept#:}
}

rejected=
try_python() {
    why="there is no such program"
    command -v "$1" >/dev/null 2>&1 || return 1
    # the outer redirection is for what the shell itself says of a program that crashes
    if { python=$("$1" -I -S -c "$probe" 2>&1 </dev/null); } 2>/dev/null && [ -x "$python" ]; then return 0; fi
    why=$(printf '%s\n' "$python" | tail -n 1)
    why=${why:-does not run}
    rejected="$rejected, $1: $why"
    python=
    return 1
}

# uv, started where no repository can configure it, and told to pass over virtual environments, which one could bring.
ask_uv() { (cd / && uv python "$@" </dev/null); }
find_by_uv() { managed=$(ask_uv find --system --no-project "$@" '>=3.12' 2>/dev/null) && try_python "$managed"; }

find_python() {
    absolute_path
    if [ -n "${ENGRAM_PYTHON:-}" ]; then
        case $ENGRAM_PYTHON in
        /*) asked=$ENGRAM_PYTHON ;;
        */*) asked=$PWD/$ENGRAM_PYTHON ;;
        *) asked=$ENGRAM_PYTHON ;;
        esac
        try_python "$asked" && return 0
        say "ENGRAM_PYTHON=$ENGRAM_PYTHON cannot be used ($why): set it to a Python 3.12 or newer, or unset it"
        return 1
    fi
    command -v uv >/dev/null 2>&1 && find_by_uv --no-python-downloads && return 0
    for name in python3.14 python3.13 python3.12 python3 \
        "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/*/bin/python3 \
        /opt/homebrew/bin/python3; do
        # Without the developer tools macOS answers this one with a dialog; with them it is 3.9.
        [ "$name" = python3 ] && [ "$(command -v python3)" = /usr/bin/python3 ] && [ -d /System/Library ] && continue
        try_python "$name" && return 0
    done
    if command -v uv >/dev/null 2>&1; then
        say "no Python 3.12 or newer here: asking uv for one"
        ask_uv install 3.13 >&2 && find_by_uv && return 0
    fi
    say "needs Python 3.12 or newer and found none${rejected:+ (${rejected#, })}: install it, or uv, or set ENGRAM_PYTHON to its path"
    return 1
}
