// ES modules: every form of import and export.
// total: definitions 12, imports 13, exports 3
import whole, { first as renamed, second } from "./list";
//     ^ imports: whole = ./list default
//                       ^ imports: renamed = ./list first
//                                ^ imports: second = ./list second
import * as space from '../space.js';
//          ^ imports: space = ../space.js -
import "./effect";
//         ^ imports: - = ./effect -
export { x as y, z } from "./again";
//            ^ reexports: y = ./again x
//               ^ reexports: z = ./again z
export * from "./all";
//               ^ reexports: - = ./all *
export * as part from "./part";
//          ^ reexports: part = ./part -
export { default } from "./one";
//       ^ reexports: default = ./one default
export { default as Other } from "./one";
//                  ^ reexports: Other = ./one default

/**
 * Says what it does.
 * And more.
 */
export default function main(a, { b, c } = {}, ...rest) {
//                      ^ definition: function main
//                      ^ exports: default main
//                      ^ exported: yes
//                      ^ lines: 27-40
//                      ^ doc: Says what it does.
//                      ^ parameters: a, { b, c } = {}, ...rest
//                      ^ signature: function main(a, { b, c } = {}, ...rest)
  const lazy = await import("./lazy");
//      ^ imports: lazy = ./lazy -
  import("./later").then(run);
//           ^ imports: - = ./later -
  return first;
}

// no documentation
export const LIMIT = 10, shout = (text) => text.toUpperCase();
//           ^ definition: constant LIMIT
//           ^ exported: yes
//                       ^ definition: function shout
//                       ^ exported: yes
//                                              ^ calls: text.toUpperCase in shout

/** One line. */
const internal = async x => {
//    ^ definition: function internal
//    ^ exported: no
//    ^ parameters: x
//    ^ doc: One line.
  await second(x);
//      ^ calls: second in internal
};

let listed = { name: "x" };
//  ^ exported: yes
function* numbers() { yield 1; }
//        ^ definition: function numbers
//        ^ exported: yes
export { listed, numbers as counted };
//       ^ exports: listed listed
//                          ^ exports: counted numbers

export const api = {
//           ^ definition: constant api
  get(url) { return fetch(url); },
//^ definition: method api.get
//^ exported: yes
//                  ^ calls: fetch in api.get
  post: async (url) => fetch(url),
//^ definition: function api.post
  nested: {
    deep() {},
//  ^ definition: method api.nested.deep
  },
  "quoted-name": function () {},
//  ^ lines: 81-81
};

describe("callbacks", () => {
  const local = make();
//              ^ calls: make in <module>
  it("has no symbols of its own", function () { check(local); });
//                                              ^ calls: check in <module>
});

outer: for (const item of items) { item.run(); }
//                ^ binds: item for items
//                                      ^ calls: item.run in <module>
const $dollar = jQuery("x");
//    ^ definition: constant $dollar
