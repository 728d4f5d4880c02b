# Two commands matter: `make play` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Where this is set, every test process and every server it starts would compile all our code anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play dev hooks test test-pythons programs snapshots engine-page soak lint format bench screenshots translations lock clean

play: $(VENV)/.play
	@$(BIN)/python app.py

# For developers: Flask's own server, with a trace on an error page. It reads templates, sheets and scripts
# at each request, and restarts when Python, a rules page or a catalogue changes. PORT=5000.
WATCHED = find kaboom -name '*.md' -o -name '*.mo'
dev: $(VENV)/.test
	@$(BIN)/flask --app wsgi migrate
	@$(BIN)/flask --app wsgi run --debug --port $(or $(PORT),5000) --extra-files "$$($(WATCHED) | paste -sd :)"

# Runs .githooks/pre-commit before each commit of this clone.
hooks:
	@git config core.hooksPath .githooks

# Servers, browsers and clocks run for real: on a busy machine one may be late. A test that fails is
# asked again, and the summary names it (RERUN) and says why, so that a flaky one is seen and mended.
# They often wait for each other, so four processes keep two cores busy.
test: $(VENV)/.test programs tests/__pycache__
	@$(BIN)/python -m pytest -n 4 -m "not nightly" --dist loadfile --no-loadscope-reorder -q --reruns 2 --rerun-show-tracebacks --durations 10 $(ARGS)

programs: | $(VENV)/bin/python
	@sh tests/programs.sh

# In a fresh clone tests are compiled once, where else each of the four processes would do it.
tests/__pycache__: $(VENV)/.test
	@$(BIN)/python -m pytest --collect-only -q > /dev/null || true

# Writes all recorded text anew; ARGS=PATH writes less. Then read what git says differs.
RECORDED := tests/playthroughs/test_playthroughs.py tests/scenarios/test_scenarios.py tests/pages tests/games/test_told.py \
	tests/tournaments/rules/test_recorded_pairings.py tests/bots/test_reproducible.py
snapshots: $(VENV)/.test
	@$(BIN)/python -m pytest -n 2 --dist loadfile -q --snapshot-update $(or $(ARGS),$(RECORDED))

# All tests with another Debian's Python, in a folder with a root of its own: see the script.
test-pythons:
	@sh tests/pythons.sh

# Writes docs/engine.md: what authors of games import, by its signatures.
engine-page: $(VENV)/.test
	@$(BIN)/python -m tests.support.engine_docs

# The long runs, each with new seeds until the time is over: docs/reliability.md.
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

# Measures this checkout, or compares it: `make bench BASE=<commit>`, with LONG=1 the heavy rows, too.
bench: $(VENV)/.test
	@$(BIN)/python -m bench $(and $(BASE),--base $(BASE)) \
		--minutes $(if $(filter command line environment,$(origin MINUTES)),$(MINUTES),$(if $(LONG),30,4)) $(ARGS)

screenshots: $(VENV)/.test programs
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

# Finds every text, brings the catalogues up to date and compiles them: docs/languages.md. With
# ARGS=--forget translations of texts that are gone are dropped.
translations: $(VENV)/.test
	@$(BIN)/python -m kaboom.translations.update $(ARGS)

clean:
	rm -rf $(VENV) instance screenshots .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kaboom needs Python 3.11 or later.")'
	@$(PYTHON) -m venv $(VENV)

# The locks pin what we need and all that it needs in turn, by hash (pyproject.toml says why each).
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

# uv needs a tenth of pip's time for the many packages of the tests. It is taken from their lock, too.
# It does not read pip's settings: where only those lead to packages, pip installs them.
UV := $(BIN)/uv
UV_PIP := $(UV) pip install --quiet --python $(BIN)/python
$(UV): requirements-test.lock | $(VENV)/bin/python
	@sed -n '/^uv==/,/[^\\]$$/p' requirements-test.lock > $(VENV)/uv.lock
	@$(PIP) --require-hashes -r $(VENV)/uv.lock
	@touch $@

# This project is installed, too: so that a game in a package of its own, which needs it, finds it
# here, and pip does not look for it elsewhere. It stays in its folder, and nothing is asked for.
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

# Writes the locks anew after a change of pyproject.toml or requirements-judges.txt; with
# ARGS=--upgrade what we do not pin ourselves comes in its newest version.
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-emit-index-url --custom-compile-command "make lock" $(ARGS)
lock: $(UV)
	@$(LOCK) pyproject.toml --extra build -o requirements.lock
	@$(LOCK) pyproject.toml --extra build --extra test --extra traces -o requirements-test.lock
	@$(LOCK) requirements-judges.txt --no-deps -o requirements-judges.lock
