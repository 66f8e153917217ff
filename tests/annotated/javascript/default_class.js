// total: definitions 3, exports 1
export default class extends Base {
//     ^ definition: class default
//     ^ bases: Base
//     ^ exported: yes
  run() { return () => { return hidden; }; }
//^ definition: method default.run
//        ^ binds: - return () => { return hidden; }
  async *stream() {}
//       ^ definition: method default.stream
}
