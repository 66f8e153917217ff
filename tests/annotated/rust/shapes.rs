// total: definitions 18, imports 10, calls 18, bindings 11
//! Shapes.
use std::collections::{HashMap, BTreeMap as Tree, hash_map::{self, Entry}};
//                     ^ imports: HashMap = std.collections HashMap
//                              ^ imports: Tree = std.collections BTreeMap
//                                                ^ imports: hash_map = std.collections hash_map
//                                                                 ^ imports: Entry = std.collections.hash_map Entry
use crate::draw::Canvas as Paper;
//                         ^ imports: Paper = crate.draw Canvas
pub use self::point::Origin;
//                   ^ reexports: Origin = self.point Origin
pub use super::colors::*;
//             ^ reexports: - = super.colors *
mod point;
//  ^ imports: point = point -
extern crate serde as de;
//           ^ imports: de = serde -

/// A place.
///
/// It has two numbers.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct Point<T> {
//         ^ definition: struct Point
//         ^ doc: A place.
//         ^ exported: yes
//         ^ bases: Shape, fmt.Display
//         ^ decorators: derive(Debug, Clone), repr(C)
//         ^ signature: pub struct Point
//         ^ lines: 22-37
    pub x: T,
    near: Vec<Box<Point<T>>>,
//  ^ declares: near Vec<Box<Point<T>>>
    on: &'static mut Paper,
//  ^ declares: on Paper
}
pub(crate) struct Unit;
//                ^ definition: struct Unit
//                ^ exported: no
/** What colors there are. */
enum Color { Red, Other(u8) }
//   ^ definition: enum Color
//   ^ doc: What colors there are.

pub trait Shape: Base + Send + 'static {
//        ^ definition: trait Shape
//        ^ bases: Base, Send
    const SIDES: usize;
//        ^ definition: constant Shape.SIDES
    fn area(&self) -> f64;
//     ^ definition: method Shape.area
//     ^ exported: yes
    fn double(&self) -> f64 { 2.0 * self.area() }
//     ^ definition: method Shape.double
//                                       ^ calls: self.area in Shape.double
}

impl<T: Copy> Point<T> where T: Into<f64> {
    pub const ZERO: i32 = 0;
//            ^ definition: constant Point.ZERO
    pub fn new(x: T, on: &mut Paper, near: impl Iterator<Item = T>) -> Self {
//         ^ definition: method Point.new
//         ^ exported: yes
//         ^ parameters: x: T, on: Paper, near: Iterator<Item = T>
//         ^ returns: Self
        Self { x, near: vec![], on }
    }
    fn walk(&mut self, (a, b): (i32, i32), to: &dyn Shape) -> Result<Point<T>, Error> {
//     ^ definition: method Point.walk
//     ^ exported: no
//     ^ parameters: self, (a, b): (i32, i32), to: Shape
//     ^ returns: Result<Point<T>, Error>
//     ^ signature: fn walk(&mut self, (a, b): (i32, i32), to: &dyn Shape) -> Result<Point<T>, Error>
        let next = Point { x: self.x, ..other };
//          ^ binds: next assign new Point()
        let mut made: Point<T> = Self::new(1, self.on, None)?;
//              ^ declares: made Point<T>
//              ^ binds: made assign Self.new(1, self.on, None)
//                                     ^ calls: Self.new in Point.walk
        self.on.draw(to)?.fold::<Sheet>().cut();
//              ^ calls: self.on.draw in Point.walk
//                        ^ calls: self.on.draw(to).fold in Point.walk
        crate::draw::line::<u8>(a);
//                   ^ calls: crate.draw.line in Point.walk
        if let Some(found) = self.find(b) { found.touch(); }
//                  ^ binds: found assign self.find(b)
        for one in self.near.iter() { one.walk((1, 2), to); }
//          ^ binds: one for self.near.iter()
        assert_eq!(made.area(), compute(3));
//                      ^ calls: made.area in Point.walk
//                              ^ calls: compute in Point.walk
        let each = |p: &Point<T>| p.area();
//                  ^ declares: p Point<T>
        Ok(next)
    }
}

impl<T> Shape for Point<T> {
    fn area(&self) -> f64 { 0.0 }
//     ^ definition: method Point.area
//     ^ exported: yes
}
impl fmt::Display for Point<u8> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.x.show()) }
//     ^ parameters: self, f: fmt.Formatter
//                                                                                    ^ calls: self.x.show in Point.fmt
}
impl Shape for crate::draw::Sheet {
    fn area(&self) -> f64 { 1.0 }
//     ^ definition: method Sheet.area
}

/// The most.
pub const MAX: usize = 3;
//        ^ definition: constant MAX
//        ^ exported: yes
//        ^ doc: The most.
//        ^ signature: pub const MAX: usize
static SHARED: Point<u8> = make();
//     ^ declares: SHARED Point<u8>
macro_rules! shape { () => {} }
//           ^ definition: macro shape

#[cfg(test)]
mod tests {
//  ^ definition: namespace tests
//  ^ decorators: cfg(test)
    use super::*;
//      ^ imports: - = super *
    #[test]
    fn moves() { Point::new(1).walk(); }
//     ^ definition: function tests.moves
//     ^ decorators: test
//                             ^ calls: Point.new(1).walk in tests.moves
}
