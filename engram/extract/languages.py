"""The languages that can be extracted: one row each, beside one or more capture queries in `queries/`.

A new language is a row here, a `.scm` file that uses the vocabulary of `queries/README.md`, and annotated sources under
`tests/annotated/`; there is no code per language.  Nothing here loads a grammar.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple


class Language(NamedTuple):
    """One language: how to know its files, which grammar and queries read them, and how it names things."""

    name: str
    grammar: str  # as tree_sitter_language_pack calls it
    queries: tuple[str, ...]  # files in queries/, read as one query
    extensions: tuple[str, ...]
    interpreters: tuple[str, ...] = ()  # last part of a `#!` line
    comment: str = "//"  # begins a comment that ends with its line
    receivers: tuple[str, ...] = ("this",)  # what a method calls its own object
    parameter_fields: tuple[str, str, str] = ("pattern", "type", "value")  # name, annotation, default in the grammar
    return_types: tuple[str, ...] = ()  # node types that annotate the result where they follow the parameters
    chain_marks: tuple[str, ...] = ()  # what may stand for `.` in a path: `a?.b` is called `a.b` in facts
    doc_in_body: bool = False  # documentation is the first string of a body, not the comment above
    public_by_name: bool = False  # what has no leading underscore is handed out, else only what says so
    private_words: tuple[str, ...] = ()  # a member whose text begins with one of these is not handed out
    export_list: str = ""  # the module-level name whose strings are all that is handed out
    runs_defaults: bool = True  # defaults run in the function's own scope, not in the one around it
    importers: tuple[str, ...] = ()  # functions that import the module their first argument names
    spelling: tuple[tuple[str, str], ...] = ()  # patterns and what stands for them in expressions of facts
    typed_by_colon: bool = True  # parameters are written `name: type = default`, or without a type
    line_docs: str = ""  # begins a comment of one line that documents what stands below it
    public_name: str = ""  # pattern of names that are handed out
    public_head: str = ""  # pattern of the heads that are handed out, in addition to what interfaces hold
    overloads: bool = False  # of signatures of one name, each is a method of its own
    module_name: str = ""  # pattern of an imported module whose group is what it is called where no alias says so
    path_mark: str = ""  # between the parts of an imported path whose last part is the symbol
    test_files: tuple[str, ...] = ()  # patterns of file names
    test_folders: tuple[str, ...] = ("test", "tests")
    test_marks: str = ""  # pattern of the decorators of tests that stand in a file of the product

    def is_test(self, path: str) -> bool:
        """Whether a file of this language is one of the tests, by its name or by a folder above it."""
        *folders, name = path.split("/")
        return any(folder in self.test_folders for folder in folders) or any(
            fnmatchcase(name, pattern) for pattern in self.test_files
        )


PYTHON = Language(
    name="python",
    grammar="python",
    queries=("python.scm",),
    extensions=(".py", ".pyi", ".pyw"),
    interpreters=("python", "python3", "pypy", "pypy3"),
    comment="#",
    receivers=("self", "cls"),
    parameter_fields=("name", "type", "value"),
    doc_in_body=True,
    public_by_name=True,
    export_list="__all__",
    runs_defaults=False,
    importers=("importlib.import_module", "import_module", "__import__"),
    test_files=("test_*.py", "*_test.py", "conftest.py"),
)

_SCRIPT_TESTS = ("*.test.*", "*.spec.*")

JAVASCRIPT = Language(
    name="javascript",
    grammar="javascript",
    queries=("ecmascript.scm", "commonjs.scm", "javascript.scm", "jsx.scm"),
    extensions=(".js", ".jsx", ".mjs", ".cjs"),
    interpreters=("node", "nodejs"),
    parameter_fields=("left", "type", "right"),
    chain_marks=("?.",),
    importers=("require", "import"),
    test_files=_SCRIPT_TESTS,
    test_folders=("test", "tests", "__tests__", "spec", "specs"),
)

TYPESCRIPT = JAVASCRIPT._replace(
    name="typescript",
    grammar="typescript",
    queries=("ecmascript.scm", "typescript.scm"),
    extensions=(".ts", ".mts", ".cts"),
    interpreters=("ts-node", "tsx", "deno", "bun"),
    parameter_fields=("pattern", "type", "value"),
    chain_marks=("?.", "!."),
    private_words=("private ", "protected "),
    return_types=("type_annotation", "type_predicate_annotation", "asserts_annotation"),
)

TSX = TYPESCRIPT._replace(
    name="tsx",
    grammar="tsx",
    queries=("ecmascript.scm", "typescript.scm", "jsx.scm"),
    extensions=(".tsx",),
    interpreters=(),
)

# Pointers and references say nothing of what a type is; a slice, an array or a channel of T is spelled `T[]`, a map as
# in TypeScript, so that the resolver reads one spelling.
GO = Language(
    name="go",
    grammar="go",
    queries=("go.scm",),
    extensions=(".go",),
    receivers=(),
    parameter_fields=("name", "type", "value"),
    spelling=(
        (r"(?<![\w)])[*&]+(?=[\w(\[])", ""),
        (r"\. (?=\w)", "."),
        (r"<-\s*chan |\bchan<- |\bchan ", "[]"),
        (r"\.\((\w[\w.]*)\)$", r" as \1"),
        (r"^((?:\[\w*\])+)([\w.]+)(?:\[[^\]]*\])?$", r"\2[]"),
        (r"^map\[[^\]]*\](?:\[\])*([\w.]+)$", r"Map<\1>"),
    ),
    typed_by_colon=False,
    line_docs="//",
    public_name=r"[^\W\d_a-z]",
    module_name=r"(?:^|/)(?:go-)?([\w-]+?)(?:[.-]go)?(?:\.v\d+)?(?:/v\d+)?$",
    test_files=("*_test.go",),
    test_folders=("test", "tests", "testdata"),
)

RUST = Language(
    name="rust",
    grammar="rust",
    queries=("rust.scm",),
    extensions=(".rs",),
    receivers=("self",),
    parameter_fields=("pattern", "type", "value"),
    spelling=(
        (r"::(?!<)", "."),
        (r"(?:::)?<'\w+>", ""),
        (r"\?(?=$|[.;,)])", ""),
        (r"&+(?:'\w+ )?(?:mut )?|'\w+ (?=\w)|\b(?:mut|dyn|impl) |\*(?:const|mut) ", ""),
        (r"::<[^<>()]*>", ""),
        (r"\.(?:await|unwrap\(\)|clone\(\)|as_ref\(\)|as_mut\(\)|borrow\(\)|borrow_mut\(\))(?![\w(])", ""),
    ),
    line_docs="///",
    public_head=r"pub\b(?!\()",
    path_mark=".",
    test_files=("tests.rs", "test.rs", "*_test.rs", "*_tests.rs", "test_*.rs"),
    test_folders=("tests",),
    test_marks=r"(?:\w+\.)*(?:test|rstest|test_case)\b|cfg\((?:all\((?:[^()\"]|\"[^\"]*\")*?\b)?test\b",
)

JAVA = Language(
    name="java",
    grammar="java",
    queries=("java.scm",),
    extensions=(".java",),
    parameter_fields=("name", "type", "value"),
    spelling=(
        (r"\bfinal ", ""),
        (r"\? (?:extends|super) ", ""),
        (r"\((\w[\w.]*)(?:<[^()]*>)?\) ?(\w+)(?=\)|$)", r"\2 as \1"),
    ),
    typed_by_colon=False,
    public_head=r"(?:\w+ )*?public\b",
    overloads=True,
    test_files=("Test[A-Z]*.java", "*Test.java", "*Tests.java", "*TestCase.java", "*IT.java"),
    test_folders=("test", "tests"),
)

LANGUAGES = (PYTHON, JAVASCRIPT, TYPESCRIPT, TSX, GO, RUST, JAVA)

_BY_NAME = {language.name: language for language in LANGUAGES}
_BY_EXTENSION = {extension: language for language in LANGUAGES for extension in language.extensions}
_BY_INTERPRETER = {program: language for language in LANGUAGES for program in language.interpreters}


def language_of(path: str, head: bytes = b"") -> Language | None:
    """The language of a file by its extension, or, where it has none, by the `#!` line that `head` begins with.

    None for a file of no known language.
    """
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        return _BY_EXTENSION.get(f".{extension.lower()}")
    if not head.startswith(b"#!"):
        return None
    for word in head.partition(b"\n")[0][2:].decode("ascii", "replace").split():
        program = word.rpartition("/")[2].rstrip("0123456789.")
        if program in _BY_INTERPRETER:
            return _BY_INTERPRETER[program]
    return None


def language_named(name: str) -> Language:
    """The language whose facts carry `name`; KeyError for a name that no row has."""
    return _BY_NAME[name]
