"""Go, Rust and Java: names that several files share, methods apart from their types, types told by declarations."""

from __future__ import annotations

import pytest

from engram.extract.resolve import resolve
from tests.resolve.projects import calls_of, facts_only, project

GO = {
    "shape/shape.go": """
        package shape

        import "example.org/app/paint"

        type Base struct { name string }
        type Shape struct {
            Base
            brush *paint.Brush
            parts []*Part
        }
        type Sizer interface { Size() int }

        func New() *Shape { return &Shape{} }
        func (s *Shape) Draw(all map[string]*Part) error {
            s.rename()
            s.brush.Stroke()
            for _, part := range s.parts { part.Draw() }
            for _, part := range all { part.Grow() }
            made, err := Make(1)
            made.Grow()
            helper()
            paint.Mix()
            return err
        }
        func ask(one Sizer, x interface{}) {
            one.Size()
            x.(*Part).Grow()
            sized := x.(*Part)
            sized.Draw()
            Draw()
        }
        """,
    "shape/part.go": """
        package shape

        type Part struct{}
        func (p *Part) Draw() { helper() }
        func Make(n int) (*Part, error) { return &Part{}, nil }
        func helper() {}
        """,
    "shape/more.go": """
        package shape

        func (b *Base) rename() {}
        func (p Part) Grow() { p.Draw() }
        """,
    "shape/shape_test.go": """
        package shape_test

        import (
            "testing"
            s "example.org/app/shape"
        )
        func helper() {}
        func TestDraw(t *testing.T) {
            helper()
            one := s.New()
            one.Draw(nil)
            strings.Mix()
        }
        """,
    "paint/paint.go": """
        package paint

        type Brush struct{}
        func Mix() {}
        func (b Brush) Stroke() {}
        """,
}


def test_go_finds_what_a_folder_shares_and_what_types_tell() -> None:
    assert facts_only(GO) == {
        "shape/shape:Shape.Draw -> shape/more:Base.rename",
        "shape/shape:Shape.Draw -> paint/paint:Brush.Stroke",
        "shape/shape:Shape.Draw -> shape/part:Part.Draw",
        "shape/shape:Shape.Draw -> shape/more:Part.Grow",
        "shape/shape:Shape.Draw -> shape/part:Make",
        "shape/shape:Shape.Draw -> shape/part:helper",
        "shape/shape:Shape.Draw -> paint/paint:Mix",
        "shape/shape:ask -> shape/shape:Sizer.Size",
        "shape/shape:ask -> shape/part:Part.Draw",
        "shape/part:Part.Draw -> shape/part:helper",
        "shape/more:Part.Grow -> shape/part:Part.Draw",
        "shape/shape_test:TestDraw -> shape/shape_test:helper",
        "shape/shape_test:TestDraw -> shape/shape:New",
        "shape/shape_test:TestDraw -> shape/shape:Shape.Draw",
    }


def test_go_does_not_take_a_package_of_others_for_its_own() -> None:
    sources = {
        "errors/errors.go": "package errors\nfunc Own() {}\n",
        "main.go": (
            'package main\nimport (\n"errors"\nlog "github.com/other/log"\n)\n'
            "func main() { errors.New(); errors.Own(); log.Own() }\n"
        ),
    }
    assert calls_of(sources) == {}


def test_go_imports_the_root_folder_and_embeds_across_packages() -> None:
    sources = {
        "gin.go": "package gin\ntype Engine struct{}\nfunc (e *Engine) Run() {}\n",
        "inner/sub.go": (
            'package inner\nimport "github.com/gin-gonic/gin"\ntype App struct { *gin.Engine }\n'
            "func start(a App) { a.Run() }\n"
        ),
    }
    assert facts_only(sources) == {"inner/sub:start -> gin:Engine.Run"}
    edges = resolve(project(sources).values())["inner/sub.go"]
    assert edges.imports == ["gin.go"]
    assert [(edge.path, edge.base) for edge in edges.inherits] == [("gin.go", 0)]


RUST = {
    "src/lib.rs": """
        pub mod draw;
        mod shapes;
        pub use shapes::Point as Place;

        pub fn make() -> Place { Place::new() }
        """,
    "src/shapes/mod.rs": """
        mod walk;
        use crate::draw::{self, Canvas};
        use super::make as build;

        pub trait Shape { fn area(&self) -> f64; fn double(&self) -> f64 { self.area() } }
        pub struct Point { on: Box<Canvas>, near: Vec<Point> }
        impl Point {
            pub fn new() -> Self { Self { on: draw::open(), near: vec![] } }
            fn all(&mut self, other: &Option<Canvas>) -> Result<Point, Error> {
                self.on.line();
                self.step();
                self.double();
                for one in self.near.iter() { one.area(); }
                let next = Self::new();
                next.area();
                let second = build()?;
                second.area();
                if let Some(canvas) = other { canvas.line(); }
                assert_eq!(crate::draw::count(), 1);
                Ok(next)
            }
        }
        impl Shape for Point { fn area(&self) -> f64 { helper() } }
        fn helper() -> f64 { 0.0 }

        #[cfg(test)]
        mod tests {
            use super::*;
            #[test]
            fn adds() { inner(); helper(); Point::new().area(); }
            fn inner() { super::helper(); }
        }
        """,
    "src/shapes/walk.rs": """
        use super::Point;
        impl Point { pub fn step(&self) { self.area(); super::super::draw::count(); } }
        """,
    "src/draw.rs": """
        pub struct Canvas;
        impl Canvas { pub fn line(&self) {} }
        pub fn open() -> Box<Canvas> { Box::new(Canvas) }
        pub fn count() -> usize { std::mem::count() }
        """,
}


def test_rust_follows_paths_modules_and_implementations() -> None:
    assert facts_only(RUST) == {
        "src/lib:make -> src/shapes/mod:Point.new",
        "src/shapes/mod:Shape.double -> src/shapes/mod:Shape.area",
        "src/shapes/mod:Shape.double -> src/shapes/mod:Point.area",
        "src/shapes/mod:Point.new -> src/draw:open",
        "src/shapes/mod:Point.all -> src/draw:Canvas.line",
        "src/shapes/mod:Point.all -> src/shapes/walk:Point.step",
        "src/shapes/mod:Point.all -> src/shapes/mod:Shape.double",
        "src/shapes/mod:Point.all -> src/shapes/mod:Point.area",
        "src/shapes/mod:Point.all -> src/shapes/mod:Point.new",
        "src/shapes/mod:Point.all -> src/lib:make",
        "src/shapes/mod:Point.all -> src/draw:count",
        "src/shapes/mod:Point.area -> src/shapes/mod:helper",
        "src/shapes/mod:tests.adds -> src/shapes/mod:tests.inner",
        "src/shapes/mod:tests.adds -> src/shapes/mod:helper",
        "src/shapes/mod:tests.adds -> src/shapes/mod:Point.new",
        "src/shapes/mod:tests.adds -> src/shapes/mod:Point.area",
        "src/shapes/mod:tests.inner -> src/shapes/mod:helper",
        "src/shapes/walk:Point.step -> src/shapes/mod:Point.area",
        "src/shapes/walk:Point.step -> src/draw:count",
    }


def test_rust_knows_the_crates_of_a_workspace() -> None:
    sources = {
        "crates/my-core/src/lib.rs": "pub mod parts;\npub fn run() {}\n",
        "crates/my-core/src/parts.rs": "pub struct Part;\nimpl Part { pub fn go(&self) {} }\n",
        "crates/cli/src/main.rs": (
            "use my_core::parts::Part;\nuse serde::run as other;\n"
            "fn main() { my_core::run(); other(); let p: Part = read(); p.go(); }\n"
        ),
    }
    assert facts_only(sources) == {
        "crates/cli/src/main:main -> crates/my-core/src/lib:run",
        "crates/cli/src/main:main -> crates/my-core/src/parts:Part.go",
    }


JAVA = {
    "src/main/java/org/app/Shape.java": """
        package org.app;
        import org.app.draw.Canvas;
        import static org.app.draw.Checks.notNull;
        import org.app.text.*;

        public class Shape extends Base implements Sized {
            private final Canvas canvas = new Canvas(1);
            public int draw(java.util.List<Part> parts) {
                canvas.line();
                this.canvas.fold();
                rename();
                helper();
                for (Part part : parts) { part.grow(); }
                var made = Part.of(1);
                made.grow();
                notNull(made);
                new Words().count();
                Inner inner = new Inner();
                inner.run();
                super.rename();
                return size();
            }
            private static void helper() {}
            public int size() { return 0; }
            class Inner { void run() { helper(); canvas.line(); } }
        }
        """,
    "src/main/java/org/app/Base.java": """
        package org.app;
        abstract class Base { protected void rename() {} }
        """,
    "src/main/java/org/app/Part.java": """
        package org.app;
        class Part {
            Part(int n) {}
            static Part of(int n) { return new Part(n); }
            void grow() {}
        }
        """,
    "src/main/java/org/app/Sized.java": "package org.app;\npublic interface Sized { int size(); }\n",
    "src/main/java/org/app/draw/Canvas.java": """
        package org.app.draw;
        public class Canvas { public Canvas(int n) {} public void line() {} public void fold() {} }
        """,
    "src/main/java/org/app/draw/Checks.java": """
        package org.app.draw;
        public class Checks { public static void notNull(Object x) {} }
        """,
    "src/main/java/org/app/text/Words.java": """
        package org.app.text;
        public class Words { public int count() { return 1; } }
        """,
    "src/test/java/org/app/ShapeTest.java": """
        package org.app;
        class ShapeTest { void draws(Sized one) { new Shape().draw(null); one.size(); missing(); } }
        """,
}
_MAIN = "src/main/java/org/app"


def test_java_finds_packages_members_and_what_declarations_tell() -> None:
    found = {call.replace(f"{_MAIN}/", "") for call in facts_only(JAVA)}
    test = "src/test/java/org/app/ShapeTest:ShapeTest.draws"
    assert found == {
        "Shape:Shape -> draw/Canvas:Canvas.Canvas",
        "Shape:Shape.draw -> draw/Canvas:Canvas.line",
        "Shape:Shape.draw -> draw/Canvas:Canvas.fold",
        "Shape:Shape.draw -> Base:Base.rename",
        "Shape:Shape.draw -> Shape:Shape.helper",
        "Shape:Shape.draw -> Part:Part.grow",
        "Shape:Shape.draw -> Part:Part.of",
        "Shape:Shape.draw -> draw/Checks:Checks.notNull",
        "Shape:Shape.draw -> text/Words:Words",
        "Shape:Shape.draw -> text/Words:Words.count",
        "Shape:Shape.draw -> Shape:Shape.Inner",
        "Shape:Shape.draw -> Shape:Shape.Inner.run",
        "Shape:Shape.draw -> Shape:Shape.size",
        "Shape:Shape.Inner.run -> Shape:Shape.helper",
        "Shape:Shape.Inner.run -> draw/Canvas:Canvas.line",
        "Part:Part.of -> Part:Part.Part",
        f"{test} -> Shape:Shape",
        f"{test} -> Shape:Shape.draw",
        f"{test} -> Sized:Sized.size",
        f"{test} -> Shape:Shape.size",
    }


@pytest.mark.parametrize("sources", [GO, RUST, JAVA], ids=["go", "rust", "java"])
def test_every_file_of_a_package_imports_what_it_names(sources: dict[str, str]) -> None:
    edges = resolve(project(sources).values())
    assert any(found.imports for found in edges.values())
    assert all(path in sources for found in edges.values() for path in found.imports)


def test_methods_of_a_type_elsewhere_are_no_names_of_their_file() -> None:
    sources = {
        "net/conn.go": "package net\ntype conn struct{}\n",
        "net/more.go": "package net\nfunc (c *conn) close() {}\nfunc end(c chan int) { close(c) }\n",
    }
    assert calls_of(sources) == {}


def test_java_takes_all_overloads_of_a_name_together() -> None:
    source = """
        class A {
            void run() { grow(1); ((B<String>) other).step(); }
            void grow() {}
            void grow(int by) { grow(); }
        }
        class B<T> { void step() { new A().grow(2); } }
        """
    assert calls_of({"A.java": source}) == {
        "A:A.run -> A:A.grow": 0.85,
        "A:A.run -> A:A.grow~2": 0.85,
        "A:A.run -> A:B.step": 0.99,
        "A:A.grow~2 -> A:A.grow": 0.85,
        "A:A.grow~2 -> A:A.grow~2": 0.85,
        "A:B.step -> A:A": 0.99,
        "A:B.step -> A:A.grow": 0.85,
        "A:B.step -> A:A.grow~2": 0.85,
    }


def test_one_of_many_overloads_is_only_possible() -> None:
    overloads = " ".join([f"static void put({kind} x) {{}}" for kind in ("int", "long", "byte", "char", "short")])
    calls = calls_of({"A.java": f"class A {{ {overloads} void run() {{ put(1); }} }}\n"})
    assert len(calls) == 5
    assert set(calls.values()) == {0.5}


def test_a_name_of_the_standard_library_tells_nothing() -> None:
    assert calls_of({"src/lib.rs": "struct A;\nimpl A { fn unwrap(&self) {} }\nfn f() { g().unwrap(); }\n"}) == {}
