// total: definitions 17
class Shape extends geometry.Base {
//    ^ definition: class Shape
//    ^ bases: geometry.Base
//    ^ exported: no
  static count = new Counter();
//       ^ binds: count assign new Counter()
//                   ^ new: Counter in Shape
  #hidden = 1;
  handler = (event) => this.go(event);
//^ definition: method Shape.handler
//                          ^ calls: this.go in Shape.handler
  constructor(x) {
//^ definition: method Shape.constructor
    super(x);
//  ^ calls: super in Shape.constructor
    this.canvas = new Canvas(x);
//       ^ binds: this.canvas assign new Canvas(x)
    this.late = () => this.go();
//       ^ definition: method Shape.late
//                         ^ calls: this.go in Shape.late
  }
  get area() { return this.canvas?.width.valueOf(); }
//    ^ definition: method Shape.area
//                                       ^ calls: this.canvas.width.valueOf in Shape.area
  #secret() {}
// ^ definition: method Shape.#secret
// ^ exported: no
  static create(options = defaults()) {
//       ^ definition: method Shape.create
//                        ^ calls: defaults in Shape.create
    return new this(options);
//             ^ new: this in Shape.create
  }
  draw() {
    super.draw(1, 2);
//        ^ calls: super.draw in Shape.draw
    const { pen, ink: color, ...others } = this.tools;
//          ^ binds: pen assign this.tools.pen
//                    ^ binds: color assign this.tools.ink
//                              ^ binds: others assign -
    const [first, second] = pair();
//         ^ element: first 0
//                ^ element: second 1
    tag`text ${inner()}`;
//  ^ calls: tag in Shape.draw
//             ^ calls: inner in Shape.draw
    new pkg.Deep().go();
//          ^ new: pkg.Deep in Shape.draw
//                 ^ calls: new pkg.Deep().go in Shape.draw
  }
  [Symbol.iterator]() {}
//        ^ lines: 52-52
}

const Mixin = (Base) => class extends Base {};
//    ^ definition: function Mixin
const Named = class extends Shape {
//    ^ definition: class Named
//    ^ bases: Shape
  method() {}
//^ definition: method Named.method
};

function Old(name) {
//       ^ definition: function Old
  this.name = name;
//     ^ binds: this.name assign name
}
Old.prototype.speak = function () { return this.name; };
//            ^ definition: method Old.speak
Old.create = function () { return new Old(); };
//  ^ definition: function Old.create
Old.prototype = Object.create(Shape.prototype);
Object.assign(Old.prototype, { mixed() {} });
//                             ^ definition: method mixed

if (flag) {
  function conditional() {}
//         ^ definition: function conditional
}
