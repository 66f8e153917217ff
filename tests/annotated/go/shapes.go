// total: definitions 13, imports 5, calls 10, bindings 23
// Package shapes draws.
package shapes

import (
    "fmt"
//   ^ imports: fmt = fmt -
    draw "example.org/canvas/v2"
//  ^ imports: draw = example.org/canvas/v2 -
    "example.org/go-colors.v1"
//                  ^ imports: colors = example.org/go-colors.v1 -
    . "math"
//     ^ imports: - = math *
    _ "image/png"
//           ^ imports: - = image/png -
)

// Limit is how many there may be.
const Limit = 3
//    ^ definition: constant Limit
//    ^ doc: Limit is how many there may be.
//    ^ exported: yes
const (
    first, second = 1, 2
//         ^ definition: constant second
//         ^ exported: no
)

var origin = &Point{X: 1}
//  ^ binds: origin assign new Point()

// Point is a place.
//
// It has two numbers.
type Point struct {
//   ^ definition: struct Point
//   ^ doc: Point is a place.
//   ^ bases: Base, draw.Mark
//   ^ lines: 35-50
    Base
    *draw.Mark
    X, Y   int
//     ^ declares: Y int
    near   []*Point
//  ^ declares: near Point[]
    byName map[string]*Point
//  ^ declares: byName Map<Point>
    done   chan Point
//  ^ declares: done Point[]
}

// Not documentation: a line is between.

type Shape interface {
//   ^ definition: interface Shape
//   ^ doc: -
//   ^ bases: fmt.Stringer
    fmt.Stringer
    Area(scale float64, names ...string) (size float64, err error)
//  ^ definition: method Shape.Area
//  ^ parameters: scale: float64, ...names: string
//  ^ returns: (float64, error)
//  ^ exported: yes
}

type (
    alias = Point
//  ^ definition: type alias
    visit func(p *Point) error
//  ^ definition: type visit
)

// Move goes elsewhere.
func (p *Point) Move(dx, dy int, on draw.Canvas) (*Point, error) {
//              ^ definition: method Point.Move
//              ^ signature: func (p *Point) Move(dx, dy int, on draw.Canvas) (*Point, error)
//              ^ parameters: p: Point, dx: int, dy: int, on: draw.Canvas
//              ^ returns: (Point, error)
//              ^ lines: 74-117
//              ^ doc: Move goes elsewhere.
    next := Point{X: p.X + dx}
//  ^ binds: next assign new Point()
    made, err := NewPoint(1, 2)
//  ^ binds: made assign NewPoint(1, 2)
//               ^ calls: NewPoint in Point.Move
    for _, other := range p.near {
//         ^ binds: other for p.near
        other.Move(1, 2, on)
//            ^ calls: other.Move in Point.Move
    }
    walk := func(q *Point) int {
//               ^ declares: q Point
        return q.size()
//               ^ calls: q.size in Point.Move
    }
    switch kind := on.(type) {
//         ^ binds: kind assign -
    case *draw.Paper:
        kind.Fold()
//           ^ calls: kind.Fold in Point.Move
    }
    paper := on.(*draw.Paper)
//  ^ binds: paper assign on as draw.Paper
    fresh := new(Point)
//  ^ binds: fresh assign new(Point)
    defer p.close()
//          ^ calls: p.close in Point.Move
    go walk(fresh)
//     ^ calls: walk in Point.Move
    p.Mark = paper.Sheet().
        Mark(next)
//      ^ calls: paper.Sheet().Mark in Point.Move
    var left, right *Point = made, fresh
//            ^ declares: right Point
    return Map[Point](left, right), err
//         ^ calls: Map in Point.Move
}

func (s *stack[T]) push(item T) {}
//                 ^ definition: method stack.push
//                 ^ exported: no

func NewPoint(int, int) (p *Point, err error) { return }
//   ^ definition: function NewPoint
//   ^ parameters: _: int, _: int
//   ^ returns: (Point, error)
func Écrit() {}
//   ^ exported: yes
