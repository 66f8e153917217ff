from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.extract.facts import FACTS_VERSION, Definition, FileFacts
from engram.extract.languages import language_of
from engram.extract.parse import extract_facts
from engram.extract.words import MAX_NUMBER, MAX_TEXT, SegmentBuilder
from engram.store.lexical import unpack

PYTHON = '''\
"""About modulewide things."""
LIMIT = 3

class Choice:
    """Pick from choices."""
    flavour = "vanilla"

    def convert(self, value):
        """Documented documented documented."""
        # commented
        raise BadParameter("invalid choice given here")

def helper():
    def inner():
        return nested
    return inner
'''


def build(path: str, source: bytes) -> tuple[dict[bytes, bytes], dict[str, int]]:
    language = language_of(path, source[:200])
    assert language is not None
    facts = extract_facts(path, source, language)
    builder = SegmentBuilder()
    builder.add_file(7, path, source, facts)
    slots = {"": 7 << 12, **{d.qualname: 7 << 12 | slot for slot, d in enumerate(facts.definitions, 1)}}
    return builder.dump(), slots


def impacts(segment: dict[bytes, bytes], field: bytes) -> dict[int, int]:
    ids, weights = unpack(segment.get(field, b""))
    return dict(zip(ids, weights, strict=True))


def test_text_belongs_to_the_innermost_document() -> None:
    segment, slots = build("src/types.py", PYTHON.encode())
    assert impacts(segment, b"vanilla").keys() == {slots["Choice"]}
    assert impacts(segment, b"badparameter").keys() == {slots["Choice.convert"]}
    assert impacts(segment, b"modulewide").keys() == {slots[""]}
    assert impacts(segment, b"nested").keys() == {slots["helper"]}


def test_names_and_stems_weigh_more_than_text_and_text_more_than_documentation() -> None:
    segment, slots = build("src/shop/types.py", PYTHON.encode())
    method = slots["Choice.convert"]
    weight = {term: impacts(segment, term)[method] for term in (b"convert", b"types", b"shop", b"commented")}
    assert weight[b"convert"] > weight[b"types"] > weight[b"shop"]
    assert weight[b"convert"] > weight[b"commented"]
    assert impacts(segment, b"pick")[slots["Choice"]] < impacts(segment, b"vanilla")[slots["Choice"]]


def test_exact_names_paths_and_strings_are_fields() -> None:
    segment, slots = build("src/pkg/types.py", PYTHON.encode())
    assert impacts(segment, b"=Choice").keys() == {slots["Choice"]}
    assert impacts(segment, b"=LIMIT").keys() == {slots["LIMIT"]}
    for field in (b"/types", b"/pkg/types", b"/src/pkg/types"):
        assert impacts(segment, field).keys() == {slots[""]}
    assert impacts(segment, b'"invali choice given').keys() == {slots["Choice.convert"]}


def test_tests_are_known_by_path_and_names_only() -> None:
    segment, slots = build("tests/test_types.py", PYTHON.encode())
    assert impacts(segment, b"=Choice").keys() == {slots["Choice"]}
    assert impacts(segment, b"/test_types").keys() == {slots[""]}
    assert b"vanilla" not in segment


def test_documentation_above_a_definition_belongs_to_it_where_braces_are() -> None:
    source = b"/** Sums the squares. */\nexport function total(list) {\n  return fold(list);\n}\n"
    total = Definition("total", "total", "function", 2, 4, 2, -1, "", "", True, [], [], [], "")
    builder = SegmentBuilder()
    builder.add_file(
        7, "src/sum.ts", source, FileFacts(FACTS_VERSION, "src/sum.ts", "typescript", 4, [], [total], [], [], [], [])
    )
    assert impacts(builder.dump(), b"squares").keys() == {7 << 12 | 1}


def test_postings_do_not_depend_on_other_files() -> None:
    alone, _ = build("src/types.py", PYTHON.encode())
    builder = SegmentBuilder()
    language = language_of("a.py", b"")
    assert language is not None
    for number, path in ((1, "src/other.py"), (7, "src/types.py")):
        builder.add_file(number, path, PYTHON.encode(), extract_facts(path, PYTHON.encode(), language))
    both = builder.dump()
    for field in alone:
        if field != b"#":
            assert impacts(alone, field).items() <= impacts(both, field).items()


@pytest.mark.parametrize("number", [0, MAX_NUMBER])
def test_a_number_that_does_not_fit_is_refused(number: int) -> None:
    language = language_of("a.py", b"")
    assert language is not None
    with pytest.raises(ValueError, match="file number"):
        SegmentBuilder().add_file(number, "a.py", b"", extract_facts("a.py", b"", language))


def test_huge_and_deep_texts_are_cut() -> None:
    source = b"def big():\n    return '''" + b"abcdef " * MAX_TEXT + b" lastword'''\n"
    segment, _ = build("big.py", source)
    assert b"abcdef" in segment
    assert b"lastword" not in segment


@given(st.text(max_size=300))
def test_any_source_can_be_indexed(text: str) -> None:
    segment, slots = build("a.py", text.encode("utf-8", "surrogatepass"))
    known = {*slots.values(), 7 << 12}
    for field, packed in segment.items():
        if field != b"#":
            ids, weights = unpack(packed)
            assert set(ids) <= known
            assert min(weights) > 0


RUST = b"""\
pub fn parse(text: &str) -> Tree { build(text) }

#[cfg(not(test))]
fn released() { sealed() }

#[cfg(all(unix, test))]
mod checks {
    struct Sample { marmalade: u8 }
    fn helper() { marmalade() }
}

#[tokio::test]
async fn parses() { marmalade() }

#[cfg(feature = "test")]
fn optional() { sealed() }
"""


def test_tests_in_a_file_of_the_product_are_known_by_name_only() -> None:
    segment, slots = build("src/tree.rs", RUST)
    assert impacts(segment, b"marmalade") == {}
    assert impacts(segment, b"=helper").keys() == {slots["checks.helper"]}
    assert impacts(segment, b"sealed").keys() == {slots["released"], slots["optional"]}
