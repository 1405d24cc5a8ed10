# The two commands a newcomer types: `make verdict` and `make test`. Both do all set-up.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: verdict test lint fix screenshots test-agents bench-evaluate bench-first-line bench-hooks bench-window bench-replay bench-quality bench-redaction clean

verdict: $(VENV)/.evaluator  ## judge your own audit log, or rehearse on the recorded one
	@$(BIN)/python flows/verdict.py

test: $(VENV)/.dev lint  ## everything but the real agents
	$(BIN)/python -m tests.tools
	$(BIN)/pytest -m "not agents" -n 2 -q

lint: $(VENV)/.dev  ## ruff, mypy --strict, sqlfluff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint -q sql

fix: $(VENV)/.dev  ## let ruff and sqlfluff mend what they can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/sqlfluff fix -q sql

screenshots: $(VENV)/.dev  ## docs/screenshots, from a real run, by a real browser
	$(BIN)/python -m tests.tools
	$(BIN)/python -m tests.browser.screenshots

test-agents: $(VENV)/.dev  ## the real agents against a model server of our own, on loopback
	$(BIN)/python -m tests.agents.prepare
	$(BIN)/pytest -m agents -q

bench-hooks: $(VENV)/.dev  ## CPU of each hook against a bare interpreter, same run
	$(BIN)/python -m tests.bench.hooks

bench-evaluate: $(VENV)/.dev  ## CPU of an evaluation of a million rows against bare DuckDB, same run
	$(BIN)/python -m tests.bench.evaluate

bench-first-line: $(VENV)/.dev  ## what a verdict on 171 rows waits for: imports, gate, Prefect
	$(BIN)/python -m tests.bench.first_line

bench-window: $(VENV)/.dev  ## CPU and memory of the window study against cat and ccusage, same run
	$(BIN)/python -m tests.bench.window

bench-replay: $(VENV)/.dev  ## CPU and memory of a replay, and of find, against cat, grep and DuckDB, same run
	$(BIN)/python -m tests.bench.replay

bench-quality: $(VENV)/.dev  ## what a checkpoint keeps of planted statements, ours and peers
	$(BIN)/python -m tests.bench.quality

bench-redaction: $(VENV)/.dev  ## CPU of redacting hostile repetitions against ordinary text, same run
	$(BIN)/python -m tests.bench.redaction

# PIP_CONSTRAINT also pins what builds the package. One stamp per extra: a verdict needs no test tools.
$(VENV)/.evaluator: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("compact-guard needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@echo "Setting up $(VENV) (once, a minute or two)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@PIP_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet --editable '.[evaluator]'
	@touch $@

$(VENV)/.dev: $(VENV)/.evaluator
	@PIP_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet --editable '.[evaluator,dev]'
	@touch $@

clean:
	rm -rf $(VENV) .cache dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
