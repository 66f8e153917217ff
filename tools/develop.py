"""Make the environment of the tests: the launcher's packages and engine, and on top the tools of tools/dev.txt.

`develop.py TARGET ENVIRONMENT`: TARGET becomes a virtual environment that finds this checkout and the packages of
ENVIRONMENT, a folder that bin/engram made.  Nothing is done where TARGET was made from the same files before.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engram.environment.install import find_installer  # noqa: E402  the script is run from anywhere
from engram.environment.progress import Progress  # noqa: E402


def main(target: Path, environment: Path) -> None:
    """Bring TARGET up to date."""
    lock = ROOT / "tools" / "dev.txt"
    stamp = f"{environment} {hashlib.sha256(lock.read_bytes()).hexdigest()}\n"
    recorded = target / "made-from"
    if recorded.exists() and recorded.read_text() == stamp:
        return
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(sys.stderr)
    progress.begin("setting up the tools of the tests")
    installer = find_installer(sys.executable, str(target), f"{target}.log", progress)
    installer.install(str(lock), "--only-binary", ":all:")
    packages = next(target.glob("lib/python3.*/site-packages"))
    parts = [environment / part / packages.relative_to(target) for part in ("base", "engine")]
    (packages / "engram-checkout.pth").write_text("".join([f"{path}\n" for path in (ROOT, *parts)]))
    recorded.write_text(stamp)
    progress.end("the tools of the tests are ready")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
