# Two commands for a fresh machine with Python 3.11 or newer: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed

.PHONY: demo test check snapshots screenshots format benchmarks clean

# Set up again whenever what is to be installed has changed.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "relaybench needs Python 3.11 or newer; run: make PYTHON=python3.11")'
	@echo "Setting up $(VENV) (this takes a minute or two) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(STAMP)

demo: $(STAMP) ## run ten composites on four simulated providers and print the tables
	@$(BIN)/relaybench demo

test: $(STAMP) ## format check, lint, types, import contracts, all tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(STAMP) ## judge the problems of this workspace
	$(BIN)/relaybench check

snapshots: $(STAMP) ## write golden files and pictures of the tests anew; look at the difference
	RELAYBENCH_UPDATE_GOLDEN=1 $(BIN)/python -m pytest tests/reports tests/tui/test_pictures.py
	git diff --stat -- tests

screenshots: $(STAMP) ## draw the pictures of the README anew
	$(BIN)/python -m tests.tui.scenes docs/screenshots

format: $(STAMP) ## format and sort imports
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

benchmarks: $(STAMP) ## ratios, each to something timed in the same run
	$(BIN)/python benchmarks/encoder.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python -m benchmarks.switching

clean: ## remove what was set up and made
	rm -rf $(VENV) build dist .demo .mypy_cache .ruff_cache .hypothesis
