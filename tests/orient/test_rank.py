from __future__ import annotations

import random

from engram.model import RankedFile, Symbol
from engram.orient.confidence import confidence_of
from engram.orient.query import parse_query
from engram.orient.rank import Ranking, Scored, choose_places, rank, shortlist
from engram.orient.signals import Signals, idf, read_signals, suffixes_of
from engram.store.lexical import Postings

WORDS = {1 << 12 | 1: 1.0, 1 << 12 | 2: 0.6, 2 << 12 | 1: 0.8, 3 << 12 | 1: 0.9}
SIGNALS = Signals({"words": WORDS}, {"words": {1: 1.0, 2: 0.8, 3: 0.9}})
PATHS = {1: "src/a.py", 2: "src/b.py", 3: "tests/test_a.py"}


def place(doc: int, name: str, kind: str = "function", start: int = 1, end: int = 30) -> Symbol:
    path = PATHS[doc >> 12]
    return Symbol(f"{path}#{name}", name, name, kind, path, start, end)


PLACES = {
    1 << 12 | 1: place(1 << 12 | 1, "first"),
    1 << 12 | 2: place(1 << 12 | 2, "second", start=40, end=50),
    2 << 12 | 1: place(2 << 12 | 1, "third"),
    3 << 12 | 1: place(3 << 12 | 1, "test_first"),
}


def order(ranking: Ranking) -> list[str]:
    return [scored.place.name for scored in ranking.functions]


def test_tests_are_no_places_unless_the_title_is_about_them() -> None:
    ranking = rank(parse_query("first fails"), SIGNALS, PLACES, PATHS, {}, {})
    assert order(ranking) == ["first", "third", "second"]
    assert [file.path for file in ranking.files] == ["src/a.py", "src/b.py"]
    asked = rank(parse_query("the test in tests/test_a.py is flaky"), SIGNALS, PLACES, PATHS, {}, {})
    assert "test_first" in order(asked)


def test_the_order_does_not_depend_on_the_order_of_what_comes_in() -> None:
    expected = rank(parse_query("x"), SIGNALS, PLACES, PATHS, {1 << 12 | 1: [2 << 12 | 1]}, {})
    for seed in range(20):
        shuffled = random.Random(seed)
        docs, words, numbers = [*PLACES], [*WORDS], [*PATHS]
        for keys in (docs, words, numbers):
            shuffled.shuffle(keys)
        signals = Signals({"words": {doc: WORDS[doc] for doc in words}}, SIGNALS.of_files)
        mixed = {doc: PLACES[doc] for doc in docs}
        paths = {number: PATHS[number] for number in numbers}
        assert rank(parse_query("x"), signals, mixed, paths, {1 << 12 | 1: [2 << 12 | 1]}, {}) == expected
        assert shortlist(signals, 6) == shortlist(SIGNALS, 6)


def test_a_thin_wrapper_hands_its_place_to_what_it_calls() -> None:
    places = {**PLACES, 1 << 12 | 1: place(1 << 12 | 1, "first", end=3)}
    signals = Signals({"words": {**WORDS, 1 << 12 | 2: 0.1}}, SIGNALS.of_files)
    ranking = rank(parse_query("x"), signals, places, PATHS, {1 << 12 | 1: [1 << 12 | 2]}, {})
    assert order(ranking)[:2] == ["second", "first"]
    thick = rank(parse_query("x"), signals, PLACES, PATHS, {1 << 12 | 1: [1 << 12 | 2]}, {})
    assert order(thick)[0] == "first"


def test_a_class_stands_behind_its_methods_and_constants_are_no_places() -> None:
    places = {
        1 << 12 | 1: place(1 << 12 | 1, "Outer", kind="class"),
        1 << 12 | 2: place(1 << 12 | 2, "inner", kind="method"),
        2 << 12 | 1: place(2 << 12 | 1, "LIMIT", kind="constant"),
    }
    signals = Signals({"words": dict.fromkeys(places, 1.0)}, SIGNALS.of_files)
    assert order(rank(parse_query("x"), signals, places, PATHS, {}, {})) == ["inner", "Outer"]


def test_what_the_graph_no_longer_knows_is_left_out() -> None:
    ranking = rank(parse_query("x"), SIGNALS, {}, {2: "src/b.py"}, {}, {})
    assert ranking.functions == ()
    assert [file.path for file in ranking.files] == ["src/b.py"]


def test_nothing_found_is_low_confidence() -> None:
    empty = read_signals(parse_query("anything"), Postings(0, 0, {}, frozenset()))
    ranking = rank(parse_query("anything"), empty, {}, {}, {}, {})
    assert confidence_of([file.score for file in ranking.files], empty, 1) == "low"


def test_idf_is_the_logarithm_and_never_negative() -> None:
    assert abs(idf(1000, 1) - 6.5037) < 0.01  # ln(1 + 999.5 / 1.5)
    assert 0 < idf(1000, 1000) < 0.01


def test_paths_are_asked_for_by_their_ends() -> None:
    assert suffixes_of("/usr/lib/site-packages/click/types.py") == [
        b"/site-packages/click/types",
        b"/click/types",
        b"/types",
    ]
    assert suffixes_of("./types.py") == [b"/types"]


def test_the_best_file_has_a_place_of_its_own() -> None:
    files = (RankedFile("src/b.py", 2.0), RankedFile("src/a.py", 1.0))
    in_a = [Scored(place(1 << 12 | 1, f"a{n}"), 3.0 - n / 10, {}) for n in range(4)]
    in_b = Scored(place(2 << 12 | 1, "b"), 1.0, {})
    module = place(2 << 12, "<module>", kind="module")
    paths = {"src/a.py", "src/b.py"}

    def names(functions: list[Scored], current: set[str], modules: dict[str, Symbol]) -> list[str]:
        chosen = choose_places(Ranking(tuple(functions), files), modules, current, 3)
        return [scored.place.name for scored in chosen]

    assert names([*in_a, in_b], paths, {}) == ["a0", "a1", "b"]
    assert names(in_a, paths, {"src/b.py": module}) == ["a0", "a1", "<module>"]
    assert names(in_a, paths, {}) == ["a0", "a1", "a2"]
    assert names([*in_a, in_b], {"src/a.py"}, {}) == ["a0", "a1", "a2"]
    assert names([], paths, {"src/b.py": module}) == ["<module>"]


def test_what_a_likely_function_calls_comes_up_with_its_file() -> None:
    places = {1 << 12 | 1: PLACES[1 << 12 | 1], 2 << 12 | 1: PLACES[2 << 12 | 1]}
    signals = Signals({"words": {1 << 12 | 1: 1.0, 2 << 12 | 1: 0.1}}, {"words": {1: 1.0, 2: 0.1}})
    alone = rank(parse_query("x"), signals, places, PATHS, {}, {})
    called = rank(parse_query("x"), signals, places, PATHS, {1 << 12 | 1: [2 << 12 | 1]}, {1 << 12 | 1: 2.0})
    assert order(called) == order(alone) == ["first", "third"]
    assert called.functions[1].score > alone.functions[1].score
    assert called.files[1].score > alone.files[1].score
    assert called.functions[1].evidence["callee"] > 0


def test_names_and_classes_that_the_text_speaks_of_come_before_others() -> None:
    places = {
        1 << 12 | 1: place(1 << 12 | 1, "other"),
        1 << 12 | 2: place(1 << 12 | 2, "parse_date"),
        2 << 12 | 1: place(2 << 12 | 1, "__len__"),
    }
    signals = Signals({"words": dict.fromkeys(places, 1.0)}, {"words": {1: 1.0, 2: 1.0}})
    ranking = rank(parse_query("date is wrong\n\n`len(x)`"), signals, places, PATHS, {}, {})
    assert order(ranking) == ["__len__", "parse_date", "other"]


def test_the_handler_of_a_name_that_is_written_comes_before_its_like() -> None:
    names = ("visit_Tuple", "visit_List", "visit_tuple_of", "Tuple")
    places = {1 << 12 | slot: place(1 << 12 | slot, name) for slot, name in enumerate(names, 1)}
    signals = Signals({"words": dict.fromkeys(places, 0.5)}, SIGNALS.of_files)
    ranking = rank(parse_query("Annotations are wrong\n\nIt fails for `Tuple`."), signals, places, PATHS, {}, {})
    evidence = {scored.place.name: scored.evidence.get("handler", 0.0) for scored in ranking.functions}
    assert evidence["visit_Tuple"] > 0
    assert evidence["visit_List"] == evidence["visit_tuple_of"] == evidence["Tuple"] == 0
    assert order(ranking).index("visit_Tuple") < order(ranking).index("visit_List")


def test_a_name_counts_without_its_underscores_but_less() -> None:
    names = ("_settle", "__settle__", "print_settle", "_other", "other")
    places = {1 << 12 | slot: place(1 << 12 | slot, name) for slot, name in enumerate(names, 1)}
    signals = Signals({"words": dict.fromkeys(places, 0.5)}, SIGNALS.of_files)
    ranking = rank(parse_query("Wrong sums\n\nIt fails in `settle`."), signals, places, PATHS, {}, {})
    evidence = {scored.place.name: scored.evidence for scored in ranking.functions}
    assert evidence["_settle"]["handler"] == evidence["__settle__"]["handler"]
    assert 0 < evidence["_settle"]["handler"] < evidence["print_settle"]["handler"]
    assert "handler" not in evidence["_other"]
    assert [name for name in names if "private" in evidence[name]] == ["_settle", "_other"]
