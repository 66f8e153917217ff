"""What calls of JavaScript and TypeScript resolve to."""

from __future__ import annotations

import pytest

from tests.resolve.projects import facts_only

CASES: dict[str, tuple[dict[str, str], set[str]]] = {
    "named, renamed, default and namespace imports": (
        {
            "lib/a.js": "export function one() {}\nexport default function two() {}\n",
            "m.js": "import two, { one as uno } from './lib/a';\nimport * as lib from './lib/a.js';\n"
            "function f() { two(); uno(); }\nfunction g() { lib.one(); }\n",
        },
        {"m:f -> lib/a:one", "m:f -> lib/a:two", "m:g -> lib/a:one"},
    ),
    "re-exports, stars, index files": (
        {
            "lib/index.ts": "export { one } from './a';\nexport * from './b';\n",
            "lib/a.ts": "export function one() {}\n",
            "lib/b.ts": "export function two() {}\n",
            "m.ts": "import { one, two } from './lib';\nfunction f() { one(); two(); }\n",
        },
        {"m:f -> lib/a:one", "m:f -> lib/b:two"},
    ),
    "an import of .js finds the .ts": (
        {
            "a.ts": "export function one() {}\n",
            "m.ts": "import { one } from './a.js';\nfunction f() { one(); }\n",
        },
        {"m:f -> a:one"},
    ),
    "re-exports in a circle end": (
        {
            "a.js": "export { x } from './b';\n",
            "b.js": "export { x } from './a';\n",
            "m.js": "import { x } from './a';\nfunction f() { x(); }\n",
        },
        set(),
    ),
    "require": (
        {
            "a.js": "function one() {}\nmodule.exports = { one };\n",
            "m.js": "const a = require('./a');\nconst { one } = require('./a');\n"
            "function f() { a.one(); }\nfunction g() { one(); }\n",
        },
        {"m:f -> a:one", "m:g -> a:one"},
    ),
    "this, super, new, fields": (
        {
            "m.js": """
                class Engine { run() {} }
                class Base { constructor() {} stop() {} }
                class Van extends Base { constructor() { super(); } }
                class Car extends Base {
                  engine = new Engine();
                  go() { this.engine.run(); this.stop(); }
                  stop() { super.stop(); }
                }
                function f() { const car = new Car(); car.go(); }
            """
        },
        {
            "m:Car -> m:Engine",
            "m:Car.go -> m:Engine.run",
            "m:Car.go -> m:Car.stop",
            "m:Car.stop -> m:Base.stop",
            "m:Van.constructor -> m:Base.constructor",
            "m:f -> m:Base.constructor",
            "m:f -> m:Car.go",
        },
    ),
    "annotated receivers": (
        {
            "m.ts": """
                class Engine { run(): void {} }
                function f(engine: Engine) { engine.run(); }
                function g(engines: Engine[]) { for (const one of engines) { one.run(); } }
                function h(engine?: Engine | null) { engine?.run(); }
                function make(): Engine { return new Engine(); }
                function i() { make().run(); }
                async function j(p: Promise<Engine>) { (await p).run(); }
            """
        },
        {f"m:{f} -> m:Engine.run" for f in "fghij"} | {"m:make -> m:Engine", "m:i -> m:make"},
    ),
}


@pytest.mark.parametrize("name", list(CASES))
def test_facts(name: str) -> None:
    sources, expected = CASES[name]
    assert facts_only(sources) == expected
