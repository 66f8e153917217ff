# Needs git, a C compiler, make, and a Python 3.12 or newer that bin/engram finds (or uv).
# Everything that is made lies in build/.

HOME_FOLDER = build/home
ENVIRONMENT = $(HOME_FOLDER)/env/$$(cat engram/locks/KEY)
BIN = build/dev/bin

.PHONY: test check bench lock wheel develop clean

test: develop
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

wheel: develop
	$(BIN)/python -m hatchling build -t wheel -d build/wheel

# Resolves the ranges of pyproject.toml anew; takes uv.
lock:
	@command -v uv >/dev/null || { echo "make lock takes uv: install it first" >&2; exit 1; }
	uv run --no-project --python '>=3.12' python tools/lock.py

clean:
	rm -rf build
