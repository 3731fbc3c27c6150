# Each target makes its own virtual environment first. Needed beforehand: Python 3.11 or later, and make.
#   make report ARGS="--rounds 20000"    more options for the command
#   make test PYTHON=python3.13          another Python (after `make clean`)

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

RUN := $(VENV)/bin/python -m
PIP := $(RUN) pip install --quiet --disable-pip-version-check --constraint constraints.txt
READY := $(VENV)/ready
WATCHING := $(VENV)/watching

.DEFAULT_GOAL := help
.PHONY: help report test slow browser lint clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

report: $(READY)  ## play all variants and write report/index.html
	$(RUN) basra_sim report --output report $(ARGS)

test: $(READY)  ## the fast tests
	$(RUN) pytest -m "not slow" --numprocesses auto --maxprocesses 8 $(ARGS)

slow: $(READY)  ## the tests that take long
	$(RUN) pytest -m "slow and not browser" --numprocesses auto --maxprocesses 4 --durations 15 $(ARGS)

browser: $(WATCHING)  ## the tests of pages in a browser; needed: chromium and a Java
	$(RUN) pytest -m browser --durations 10 tests/browser $(ARGS)

lint: $(READY)  ## style, format and types
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy

clean:  ## remove the environment, caches and what was built or written
	rm -rf $(VENV) dist report .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The mark stands only while the environment is whole: one that was cut short while being made or refreshed is made anew.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, this is " + sys.version.split()[0])'
	@echo "Preparing $(VENV) (the first time this takes a minute or two)"
	@test -e $@ || $(PYTHON) -m venv --clear $(VENV)
	@rm -f $@
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation --editable ".[dev]"
	@touch $@

$(WATCHING): $(READY)
	@$(PIP) --no-build-isolation --editable ".[browser]"
	@touch $@
