// total: definitions 20, imports 7
import type { Point } from "./point";
//            ^ imports: Point = ./point Point
import { type Size, Box as Rect } from "./size";
//            ^ imports: Size = ./size Size
//                         ^ imports: Rect = ./size Box
import old = require("./old");
//     ^ imports: old = ./old -
export type { Color } from "./color";
//            ^ reexports: Color = ./color Color
import type Whole from "./whole";
//          ^ imports: Whole = ./whole default
export * from "./star";
//               ^ reexports: - = ./star *

/** A thing with a name. */
export interface Named<T> extends Base, Other<T> {
//               ^ definition: interface Named
//               ^ bases: Base, Other<T>
//               ^ exported: yes
//               ^ doc: A thing with a name.
  name: string;
//^ declares: name string
  rename(to: string): void;
//^ definition: method Named.rename
//^ returns: void
}

export type Pair = { left: Point; right: Point };
//          ^ definition: type Pair
enum Level { Low = 1, High }
//   ^ definition: enum Level
//   ^ exported: no

namespace Tools.Inner {
//              ^ lines: 35-41
  export const size = 1;
  export function make(): Rect { return new Rect(); }
//                ^ definition: function Tools.Inner.make
//                                          ^ new: Rect in Tools.Inner.make
}
declare module "ambient" {
  function outside(a: string): number;
//         ^ definition: function ambient.outside
}
declare const DECLARED: Point;
//            ^ definition: constant DECLARED
//            ^ declares: DECLARED Point

@Component({ selector: "x" })
// ^ calls: Component in <module>
export abstract class Widget<T> extends View<T> implements Named<T>, Sized {
//                    ^ definition: class Widget
//                    ^ bases: View, Named<T>, Sized
//                    ^ decorators: Component({ selector: "x" })
//                    ^ lines: 50-97
  private readonly store: Store = new Store();
//                 ^ declares: store Store
//                 ^ binds: store assign new Store()
  static shared?: Widget<any>;
//       ^ declares: shared Widget<any>

  constructor(private http: Http, public label?: string, plain = 3) {
//^ definition: method Widget.constructor
//                    ^ declares: this.http Http
//                                       ^ declares: this.label string
    super();
  }

  @Input() title: string;
// ^ calls: Input in Widget
  @Once @Listen("click")
// ^ calls: Once in Widget
  @Last
  @Final()
  onClick<E>(this: Widget<E>, event: E, count: number = 3, ...rest: string[]): Promise<void> {
//^ definition: method Widget.onClick
//^ decorators: Last, Final()
//^ parameters: this: Widget<E>, event: E, count: number = 3, ...rest: string[]
//^ returns: Promise<void>
//^ lines: 74-86
    this.http!.send<E>(event)!.done();
//             ^ calls: this.http.send in Widget.onClick
    return (this.store as Other).load();
//                               ^ calls: (this.store as Other).load in Widget.onClick
  }
  abstract paint(): void;
//         ^ definition: method Widget.paint
  get size(): Size { return this.store.size; }
//    ^ returns: Size
  private later = (event: Event): void => { event.stop(); };
//        ^ definition: method Widget.later
//        ^ exported: no
//        ^ parameters: event: Event
//        ^ returns: void
//                                                ^ calls: event.stop in Widget.later
}

export function over(a: string): string;
export function over(a: number): number;
export function over(a: any): any {
//              ^ definition: function over
//              ^ lines: 101-106
//              ^ parameters: a: any
  return a;
}
const generic = <T,>(x: T): x is T => true;
//    ^ definition: function generic
//    ^ returns: x is T
let typed: Point = make() as Point;
//  ^ declares: typed Point
const checked = value satisfies Shape;
//    ^ definition: constant checked
for (const item of items as Item[]) { item.use(); }
//         ^ binds: item for items as Item[]
export default interface Standard {}
//                       ^ definition: interface Standard
//                       ^ exports: default Standard
