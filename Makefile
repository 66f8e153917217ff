# Needs git, a C compiler, make, and a Python 3.12 or newer that bin/engram finds (or uv).
# Everything that is made lies in build/.

HOME_FOLDER = build/home
ENVIRONMENT = $(HOME_FOLDER)/env/$$(cat engram/locks/KEY)
BIN = build/dev/bin

# The Claude Code clients that the tests of the plugin drive: the newest that runs with Node 18, and a recent one.
CLIENTS = 2.1.197 2.1.332

.PHONY: test check bench lock wheel develop clients clean

# Compiled first: a process that a test gives a full disk would leave half a compiled module to all others.
test: develop
	$(BIN)/python -m compileall -q engram
	$(BIN)/python -m pytest -n auto

check: develop
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

# make bench NAME=index runs one benchmark; without a name all are listed.
bench: develop
	$(BIN)/python -m benchmarks $(NAME)

develop:
	@ENGRAM_HOME="$(CURDIR)/$(HOME_FOLDER)" sh bin/engram setup >/dev/null
	@"$$(head -n 1 "$(ENVIRONMENT)/python")" tools/develop.py build/dev "$(ENVIRONMENT)"

# Each takes 240 to 400 MB; the client's own program is in a package of the platform and runs without Node.
clients:
	@for version in $(CLIENTS); do \
		folder=build/claude/$$version; \
		ls $$folder/node_modules/@anthropic-ai/claude-code-*/claude >/dev/null 2>&1 && continue; \
		command -v npm >/dev/null || { echo "no npm here: the tests that drive Claude Code are skipped" >&2; exit 0; }; \
		mkdir -p $$folder; \
		npm install --prefix $$folder --ignore-scripts --no-audit --no-fund --no-save --loglevel=silent --fetch-retries=1 \
			@anthropic-ai/claude-code@$$version >&2 || \
		echo "Claude Code $$version cannot be installed: the tests that drive it are skipped" >&2; \
	done

wheel: develop
	$(BIN)/python -m hatchling build -t wheel -d build/wheel

# Resolves the ranges of pyproject.toml anew; takes uv.
lock:
	@command -v uv >/dev/null || { echo "make lock takes uv: install it first" >&2; exit 1; }
	uv run --no-project --python '>=3.12' python tools/lock.py

clean:
	rm -rf build
