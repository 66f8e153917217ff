"""Which file an import means, found through the name index: `module:<last part>` -> paths."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence

from engram.extract.resolve.ledger import Ledger
from engram.extract.resolve.views import FileView

SCRIPT_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts")
# What TypeScript allows: `./x.js` in the source means x.ts on disk.
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_ROOTS = ("", "src/", "lib/", "python/")  # where packages lie, most usual first


def module_key(path: str) -> str:
    """The index key under which a file is found as a module: its stem, or its folder's name if it stands for that."""
    folder, name = posixpath.split(path)
    stem = name.split(".", 1)[0]
    if name.endswith(".go"):
        return "module:" + (posixpath.basename(folder) or "/go")
    if name == "mod.rs" and folder:
        return "module:" + posixpath.basename(folder)
    return "module:" + (posixpath.basename(folder) if stem in ("__init__", "index") and folder else stem)


class ModuleTable:
    """Finds modules; every look into the index is noted in the ledger."""

    def __init__(self, paths_of: Callable[[str], Sequence[str]], ledger: Ledger) -> None:
        self._paths_of, self._ledger = paths_of, ledger
        self._known: dict[str, frozenset[str]] = {}

    def find(self, view: FileView, module: str) -> str:
        """The path of a module as the file writes it; "" if it is none of the repository."""
        return self._ledger.remember("", ("module", view.folder, module, view.python), self._find, view, module)

    def _find(self, view: FileView, module: str) -> str:
        if view.python:
            return self.find_dotted(view, self.absolute(view, module))
        return self._script(view.folder, module)

    def absolute(self, view: FileView, module: str) -> str:
        """A dotted name; from a relative import, a path from the root of the checkout that starts with "/"."""
        if not module.startswith("."):
            return module
        name = module.lstrip(".")
        parts = view.folder.split("/") if view.folder else []
        keep = len(parts) - (len(module) - len(name) - 1)
        if keep < 0:
            return ""
        return "/" + "/".join(parts[:keep] + (name.split(".") if name else []))

    def find_dotted(self, view: FileView, module: str) -> str:
        """The file of an absolute module name, as seen from the file; "" if there is none."""
        if module.startswith("/"):
            return self._ledger.remember("", ("python", module), self._relative, module[1:])
        return self._ledger.remember("", ("python", view.folder, module), self._dotted, view.folder, module)

    def _candidates(self, tail: str) -> frozenset[str]:
        return self.paths("module:" + tail)

    def paths(self, key: str) -> frozenset[str]:
        """The files that have a key of the name index."""
        self._ledger.asked.add(key + "\t")
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = frozenset(self._paths_of(key))
        return known

    def _relative(self, stem: str) -> str:
        paths = self._candidates(posixpath.basename(stem))
        for path in (stem + "/__init__.py", stem + ".py", stem + ".pyi", "__init__.py" if not stem else ""):
            if path in paths:
                return path
        return ""

    def _dotted(self, folder: str, module: str) -> str:
        stem = module.replace(".", "/")
        paths = self._candidates(module.rpartition(".")[2])
        if not paths:
            return ""
        for root in _ROOTS:
            for path in (f"{root}{stem}/__init__.py", f"{root}{stem}.py"):
                if path in paths:
                    return path
        found = [path for path in paths if self._is_root_of(path, stem)]
        return min(
            found,
            key=lambda path: (-len(posixpath.commonpath(["/" + path, "/" + folder])), len(path), path),
            default="",
        )

    def _is_root_of(self, path: str, stem: str) -> bool:
        """Whether the path is the module below a folder that is itself no package."""
        for ending in (".py", "/__init__.py"):
            if path.endswith("/" + stem + ending):
                root = path[: -len(stem + ending) - 1]
                return root + "/__init__.py" not in self._candidates(posixpath.basename(root))
        return False

    def _script(self, folder: str, module: str) -> str:
        if not module.startswith("."):
            return ""
        stem = posixpath.normpath(posixpath.join(folder, module))
        if stem.startswith("../"):
            return ""
        name = posixpath.basename(stem) if stem != "." else "index"
        base, suffix = posixpath.splitext(stem)
        paths = self._candidates(name.split(".", 1)[0])
        tries = [stem] if suffix in SCRIPT_SUFFIXES else []
        tries += [base + other for other in _COMPILED.get(suffix, ())]
        tries += [stem + other for other in SCRIPT_SUFFIXES]
        tries += [posixpath.normpath(f"{stem}/index{other}") for other in SCRIPT_SUFFIXES]
        return next((path for path in tries if path in paths), "")
