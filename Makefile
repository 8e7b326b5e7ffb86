# make run    set everything up and run the embedded experiment (config/config.yaml)
# make test   set everything up and run the tests
# make bench  run all of tests/benchmarks: against other tools side by side, and the cost of a grid
# make lint   style, types, workflow
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run setup test bench lint

run: setup
	$(BIN)/snakemake --cores all

setup: .venv/ready
	@bash envs/system_packages.sh

.venv/ready: pyproject.toml constraints.txt
	@bash envs/system_packages.sh
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@

test: setup
	$(BIN)/python -m pytest

bench: setup
	for bench in tests/benchmarks/bench_*.py; do echo "== $$bench" && $(BIN)/python $$bench || exit 1; done

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/mypy stone
	$(BIN)/snakemake --lint
