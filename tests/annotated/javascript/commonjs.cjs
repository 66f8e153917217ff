'use strict';
// total: definitions 6, imports 8, exports 8
const fs = require('fs');
//    ^ imports: fs = fs -
const { join, resolve: absolute } = require("path");
//      ^ imports: join = path join
//                     ^ imports: absolute = path resolve
var parse = require('./parser').parse;
//  ^ imports: parse = ./parser parse
require('./effect');
//         ^ imports: - = ./effect -
exports.Route = require('./route');
//      ^ reexports: Route = ./route -

function helper() {
//       ^ definition: function helper
//       ^ exported: yes
  const late = require("./late");
//      ^ imports: late = ./late -
  return helper;
}
exports.run = function run(argv) {
//      ^ definition: function run
//      ^ exported: yes
//      ^ exports: run run
  helper(argv);
//^ calls: helper in run
};
exports.alias = helper;
module.exports.walk = (tree) => tree.walk();
//             ^ definition: function walk
//             ^ exports: walk walk

module.exports = {
  parse,
//^ exports: parse parse
  named: absolute,
//^ exports: named absolute
  method() {},
//^ definition: method method
//^ exported: yes
  arrow: () => helper(),
//^ definition: function arrow
//             ^ calls: helper in arrow
};
module.exports = Application;
//               ^ exports: default Application
class Application {}
//    ^ exported: yes
module.exports = require('./lib');
//                          ^ reexports: default = ./lib -
