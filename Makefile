# Two commands matter: `make play` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# If this were set, every test process, and every server it starts, would compile all our code
# again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play dev hooks test test-pythons programs snapshots engine-page soak lint format bench screenshots translations lock clean

play: $(VENV)/.play
	@$(BIN)/python app.py

# For developers: Flask's own server, with a traceback on error pages. It reads templates, sheets and scripts
# at each request, and restarts when Python, a rules page or a catalogue changes. PORT=5000.
WATCHED = find kaboom -name '*.md' -o -name '*.mo'
dev: $(VENV)/.test
	@$(BIN)/flask --app wsgi migrate
	@$(BIN)/flask --app wsgi run --debug --port $(or $(PORT),5000) --extra-files "$$($(WATCHED) | paste -sd :)"

# Runs .githooks/pre-commit before each commit of this clone.
hooks:
	@git config core.hooksPath .githooks

# Tests use real servers, browsers and clocks, which may lag on a busy machine. A failed test is
# run again, and the summary names it (RERUN) with the reason, so that flaky tests are noticed and fixed.
# Tests wait for half of their time, so eight processes (6 GB) keep two cores busy.
test: $(VENV)/.test programs tests/__pycache__
	@$(BIN)/python -m pytest -n 8 -m "not nightly" --dist loadfile --no-loadscope-reorder -q --reruns 2 --rerun-show-tracebacks --durations 10 $(ARGS)

programs: | $(VENV)/bin/python
	@sh tests/programs.sh

# In a fresh clone, compile all its tests once; otherwise each of the eight processes would.
tests/__pycache__: $(VENV)/.test
	@$(BIN)/python -m pytest --collect-only -q -m "not nightly" > /dev/null || true

# Rewrites all recorded text; ARGS=PATH rewrites a part. Then review `git diff`.
RECORDED := tests/playthroughs/test_playthroughs.py tests/scenarios/test_scenarios.py tests/pages tests/games/test_told.py \
	tests/tournaments/rules/test_recorded_pairings.py tests/bots/test_reproducible.py
snapshots: $(VENV)/.test
	@$(BIN)/python -m pytest -n 2 --dist loadfile -q --snapshot-update $(or $(ARGS),$(RECORDED))

# All tests with another Debian release's Python, in a chroot: see the script.
test-pythons:
	@sh tests/pythons.sh

# Writes docs/engine.md: the signatures of everything that authors of games import.
engine-page: $(VENV)/.test
	@$(BIN)/python -m tests.support.engine_docs

# The long runs, each with new seeds until time is up: docs/reliability.md.
MINUTES ?= 30
soak: $(VENV)/.test
	@$(BIN)/python -m tests.support.soak $(MINUTES)

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Measures this checkout, or compares it (`make bench BASE=<commit>`); LONG=1 includes the heavy rows.
bench: $(VENV)/.test
	@$(BIN)/python -m bench $(and $(BASE),--base $(BASE)) \
		--minutes $(if $(filter command line environment,$(origin MINUTES)),$(MINUTES),$(if $(LONG),30,4)) $(ARGS)

screenshots: $(VENV)/.test programs
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

# Finds every text, updates the catalogues and compiles them: docs/languages.md. ARGS=--forget drops
# the translations of removed texts.
translations: $(VENV)/.test
	@$(BIN)/python -m kaboom.translations.update $(ARGS)

clean:
	rm -rf $(VENV) instance screenshots .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kaboom needs Python 3.11 or later.")'
	@$(PYTHON) -m venv $(VENV)

# The locks pin our dependencies and all of theirs by hash (pyproject.toml has the reasons).
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

# uv takes a tenth of pip's time for the tests' many packages. It is itself installed from their lock.
# It ignores pip's settings, so where packages can only be reached through those, pip installs them.
UV := $(BIN)/uv
UV_PIP := $(UV) pip install --quiet --python $(BIN)/python
$(UV): requirements-test.lock | $(VENV)/bin/python
	@sed -n '/^uv==/,/[^\\]$$/p' requirements-test.lock > $(VENV)/uv.lock
	@$(PIP) --require-hashes -r $(VENV)/uv.lock
	@touch $@

# This project is installed, too, so that a game in its own package, which requires it, finds it here
# and pip does not look for it elsewhere. It stays in its folder, and nothing is downloaded.
HERE := --no-index --no-deps --no-build-isolation --editable

$(VENV)/.play: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Setting up (once) …"
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) $(HERE) .
	@touch $@

EXAMPLES := $(patsubst %/pyproject.toml,%,$(wildcard examples/*/pyproject.toml))

$(VENV)/.test: requirements-test.lock requirements-judges.lock pyproject.toml $(EXAMPLES:=/pyproject.toml) | $(UV)
	@echo "Setting up for tests (once) …"
	@$(UV_PIP) --require-hashes -r requirements-test.lock \
		|| $(PIP) --require-hashes -r requirements-test.lock
	@$(UV_PIP) --require-hashes --no-deps -r requirements-judges.lock 2> /dev/null \
		|| $(PIP) --require-hashes --no-deps -r requirements-judges.lock \
		|| echo "No outside judge for GOPS here: one test is skipped."
	@$(UV_PIP) $(HERE) . $(EXAMPLES:%=--editable %)
	@touch $@

# Rewrites the locks after a change of pyproject.toml or requirements-judges.txt; ARGS=--upgrade
# takes the newest version of everything that we do not pin ourselves.
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-emit-index-url --custom-compile-command "make lock" $(ARGS)
lock: $(UV)
	@$(LOCK) pyproject.toml --extra build -o requirements.lock
	@$(LOCK) pyproject.toml --extra build --extra test --extra traces -o requirements-test.lock
	@$(LOCK) requirements-judges.txt --no-deps -o requirements-judges.lock
