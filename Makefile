# make run    set up everything and run the default experiment     make test    set up everything and run the tests
# make lint   style, types and the workflow's own lint             make bench   speed
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml constraints.txt envs/set-up.sh

.PHONY: run test lint bench
.DELETE_ON_ERROR:

run: $(VENV)/set-up
	$(BIN)/snakemake --cores all

test: $(VENV)/set-up-dev
	$(BIN)/pytest -n 2 --dist loadfile

lint: $(VENV)/set-up-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy stone
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

bench: $(VENV)/set-up-dev
	$(BIN)/pytest tests/benchmarks

$(VENV)/set-up: $(SOURCES)
	envs/set-up.sh $(VENV) ""
	touch $@

$(VENV)/set-up-dev: $(SOURCES)
	envs/set-up.sh $(VENV) dev
	touch $@ $(VENV)/set-up
