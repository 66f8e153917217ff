"""The index follows the files: edits, additions, deletions, renames and reverts, and nothing else is touched."""

from __future__ import annotations

import os
import threading

from engram.store.graph import Graph
from engram.store.server import open_connection
from tests.ingest.checkout import Checkout, git
from tests.patience import wait_until

SHAPES = '''
class Shape:
    """Something with an area."""

    def area(self):
        return self.scale()

    def scale(self):
        return 1


class Square(Shape):
    def scale(self):
        return helper()


def helper():
    return 2
'''
MAIN = """
from shapes import Square


def main():
    square = Square()
    return square.area()


main()
"""


def fill(checkout: Checkout) -> None:
    checkout.write("shapes.py", SHAPES)
    checkout.write("main.py", MAIN)
    checkout.commit()


def test_a_first_run_builds_the_graph(checkout):
    fill(checkout)
    report = checkout.sync()
    assert (report.mode, report.files) == ("built", 2)
    assert ("main.py#main", "shapes.py#Shape.area") in checkout.calls()
    assert ("main.py#<module>", "main.py#main") in checkout.calls()
    assert ("shapes.py#Square.scale", "shapes.py#helper") in checkout.calls()
    assert checkout.rows("MATCH (a)-[:INHERITS]->(b) RETURN a.id, b.id") == [["shapes.py#Square", "shapes.py#Shape"]]
    assert checkout.rows("MATCH (a)-[:IMPORTS]->(b) RETURN a.path, b.path") == [["main.py", "shapes.py"]]


def test_nothing_changed_means_nothing_written(checkout):
    fill(checkout)
    checkout.sync()
    report = checkout.sync()
    assert (report.mode, report.changed, report.removed) == ("fresh", 0, 0)


def test_an_edit_moves_the_edges_of_other_files(checkout):
    fill(checkout)
    checkout.sync()
    checkout.write("shapes.py", SHAPES.replace("def area", "def surface"))
    report = checkout.sync()
    assert (report.mode, report.changed) == ("updated", 1)
    assert not any(callee == "shapes.py#Shape.area" for _, callee in checkout.calls())
    checkout.write("shapes.py", SHAPES)
    checkout.sync()
    assert ("main.py#main", "shapes.py#Shape.area") in checkout.calls()


def test_a_new_file_is_found_and_a_deleted_one_goes(checkout):
    fill(checkout)
    checkout.sync()
    checkout.write("extra.py", "from shapes import helper\n\n\ndef extra():\n    return helper()\n")
    assert checkout.sync().changed == 1
    assert ("extra.py#extra", "shapes.py#helper") in checkout.calls()
    checkout.remove("extra.py")
    report = checkout.sync()
    assert (report.changed, report.removed, report.files) == (0, 1, 2)
    assert checkout.rows("MATCH (s:Symbol {path: 'extra.py'}) RETURN s.id") == []


def test_a_rename_is_a_deletion_and_an_addition(checkout):
    fill(checkout)
    checkout.sync()
    os.rename(checkout.root / "shapes.py", checkout.root / "forms.py")
    checkout.write("main.py", MAIN.replace("from shapes", "from forms"))
    report = checkout.sync()
    assert (report.changed, report.removed) == (2, 1)
    assert ("main.py#main", "forms.py#Shape.area") in checkout.calls()


def test_a_revert_by_git_is_noticed(checkout):
    fill(checkout)
    checkout.write("main.py", MAIN + "\n\ndef more():\n    main()\n")
    checkout.sync()
    git(checkout.root, "checkout", "-q", "--", "main.py")
    checkout.sync()
    assert checkout.rows("MATCH (s:Symbol {name: 'more'}) RETURN s.id") == []


def test_an_edit_of_the_same_size_within_a_tick_is_noticed(checkout):
    fill(checkout)
    checkout.sync()
    before = os.stat(checkout.root / "main.py")
    checkout.write("main.py", MAIN.replace("square.area", "square.arch"))
    os.utime(checkout.root / "main.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert checkout.sync().changed == 1


def test_a_touched_file_is_not_parsed_again(checkout):
    fill(checkout)
    checkout.sync()
    number = checkout.rows("MATCH (f:File {path: 'main.py'}) RETURN f.number")
    os.utime(checkout.root / "main.py")
    report = checkout.sync()
    assert (report.mode, report.changed) == ("fresh", 0)
    assert checkout.rows("MATCH (f:File {path: 'main.py'}) RETURN f.number") == number


def test_a_whole_rebuild_gives_the_same(checkout):
    fill(checkout)
    checkout.sync()
    before = checkout.contents()
    assert checkout.sync(rebuild=True).mode == "built"
    assert checkout.contents() == before


def test_an_index_of_another_version_is_built_anew(checkout, connection):
    fill(checkout)
    checkout.sync()
    key = checkout.graph.key
    connection.call("HSET", f"{key}:meta", "version", "0.0.0")
    assert checkout.sync().mode == "built"


def test_a_lost_graph_is_built_anew(checkout, connection):
    fill(checkout)
    checkout.sync()
    connection.call("DEL", checkout.graph.key)
    assert checkout.sync().mode == "built"
    assert checkout.calls()


def test_many_changes_at_once_are_built_not_updated(checkout):
    for n in range(80):
        checkout.write(f"m{n}.py", f"def f{n}():\n    return {n}\n")
    checkout.sync()
    for n in range(60):
        checkout.write(f"m{n}.py", f"def g{n}():\n    return {n}\n")
    assert checkout.sync().mode == "built"


def test_worktrees_have_graphs_of_their_own(checkout, make_checkout):
    fill(checkout)
    other = make_checkout("other", with_git=False)
    git(checkout.root, "worktree", "add", "-q", str(other.root / "tree"))
    tree = Checkout(other.root / "tree", checkout.connection, checkout.config, with_git=False)
    checkout.sync()
    assert tree.sync().mode == "built"
    assert tree.graph.key != checkout.graph.key


def test_a_reader_sees_the_old_graph_until_the_new_one_is_whole(checkout, connection):
    """Every answer while rebuilds run is that of a whole graph."""
    fill(checkout)
    checkout.sync()
    stop = threading.Event()
    seen: set[int] = set()

    def read() -> None:
        with open_connection(checkout.config) as own:
            graph = Graph(own, checkout.graph.key)
            while not stop.is_set():
                seen.add(graph.read("MATCH (s:Symbol) RETURN count(s)")[0][0])

    reader = threading.Thread(target=read)
    key = checkout.graph.key
    assert key
    reader.start()
    try:
        wait_until(lambda: seen, "nothing is read")
        for _ in range(5):
            checkout.sync(rebuild=True)
    finally:
        stop.set()
        reader.join()
    assert len(seen) == 1
