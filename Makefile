# Needs only Python 3.11+ (with venv), make and git. Choose the interpreter with PYTHON=python3.12;
# `make clean` first if .venv was made with another one.
PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore
# pip is told not to compile what it installs: Python keeps what it has compiled once it is imported. Where the
# environment forbids that (many containers do), every process would compile numba and scipy from their sources again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := check
.PHONY: check setup test test-all census implications lint recheck prove ledger bench bench-table docs lock clean

## check: set up .venv and check the shipped schedules
check: setup
	@$(BIN)/toki-verify check schedules/

setup: $(VENV)/installed.stamp

# The locked packages: made anew whenever the lock changes, so nothing stale stays behind.
$(VENV)/locked.stamp: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "toki-verify needs Python 3.11 or newer; '$(PYTHON)' is not. Try: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV) ($$($(PYTHON) --version)), about half a minute"
	@$(PYTHON) -m venv --clear $(VENV) || \
	  { echo "'$(PYTHON) -m venv' failed: install Python's venv module (Debian: python3-venv)" >&2; exit 1; }
	@$(BIN)/python -m pip install -qq --no-compile --require-hashes -r requirements.lock
	@touch $@

# The package itself, editable. `pip check` catches a runtime dependency that the lock lacks.
$(VENV)/installed.stamp: pyproject.toml $(VENV)/locked.stamp
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation -e .
	@$(BIN)/python -m pip check >/dev/null || { $(BIN)/python -m pip check; echo "run 'make lock'" >&2; exit 1; }
	@touch $@

## test: the fast suites (make test ARGS="-k name")
test: setup
	@$(BIN)/pytest -n 2 --dist worksteal $(ARGS)

## test-all: the heavy suites too
test-all: setup
	@$(BIN)/pytest -n 2 --dist worksteal -m "not census" $(ARGS)

## census: the columnar reading against the concrete one on every schedule of six events (over an hour on two cores)
census: setup
	@$(BIN)/pytest -n 2 --dist worksteal -m "heavy or census" tests/agreement/test_columnar.py -k six_events $(ARGS)

## implications: the implication DAG on every schedule of up to six events (some minutes)
implications: setup
	@$(BIN)/pytest -n 2 -m heavy tests/laws/test_implications.py $(ARGS)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

## recheck: check everything in proofs/ again, from the files alone
recheck: setup
	@$(BIN)/toki-verify prove --recheck
	@$(BIN)/toki-verify prove --recheck --proofs proofs/algebra
	@$(BIN)/toki-verify prove --recheck --proofs proofs/bridge
	@$(BIN)/toki-verify prove --recheck --proofs proofs/readings
	@$(BIN)/toki-verify prove --recheck --proofs proofs/designs
	@$(BIN)/toki-verify claims --check proofs/ledger.md --no-cache

## prove: decide the claims anew and write proofs/ (after a change of a definition; a minute, and ten for the readings)
prove: setup
	@rm -rf proofs
	@$(BIN)/toki-verify prove T1.chain T1.sound T1.tight T1.subset T1.carrier "W.P*" "W.A5*" Prop3 Grid.iso T4.iso L2 || test $$? -eq 1
	@$(BIN)/toki-verify prove T2 W.N3 Grid.schema P1 T3 B32 T4.schema T4.allen T4.policy C3 Tab10 Grid.compose P2 Grid.confluence \
	  Prop5 Alg1 --proofs proofs/algebra || test $$? -eq 1
	@$(BIN)/toki-verify prove L1 L3 L4 C1 C2 C4 T5 Prop4 Prop6 Prop7 "W.N1-*" W.LWW-RU W.EVI-RC W.AWAIT-NOCB W.RULE-SI Grid.bridge Grid.n2 \
	  Grid.oracle --proofs proofs/bridge || test $$? -eq 1
	@$(BIN)/toki-verify prove T1.reading --max-events 8 --proofs proofs/readings
	@$(BIN)/toki-verify prove Tab4 --proofs proofs/designs || test $$? -eq 1
	@$(MAKE) --no-print-directory ledger

## ledger: write proofs/ledger.md and its pictures anew, from the proofs that are there
ledger: setup
	@$(BIN)/toki-verify claims --no-cache --plots docs -o markdown > proofs/ledger.tmp || test $$? -eq 1 || { rm -f proofs/ledger.tmp; exit 1; }
	@mv proofs/ledger.tmp proofs/ledger.md

bench: setup
	@$(BIN)/pytest -n 0 -m bench tests/bench $(ARGS)

## bench-table: measure large histories (some minutes, 4 GB of disk, 8 GB of memory), and write the README's table and docs/benchmarks.md
bench-table: setup
	@$(BIN)/python -m tests.bench.table $(ARGS)

## docs: write the generated documents anew
docs: setup
	@$(BIN)/python -m toki_verify.report.docs

## lock: write requirements.lock anew from pyproject.toml; one file serves Python 3.11 to 3.13
# Keeps the versions already locked where they still fit; LOCK_ARGS=--upgrade takes the newest.
lock:
	@tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && \
	$(PYTHON) -m venv "$$tmp" && "$$tmp/bin/python" -m pip install -qq uv && \
	"$$tmp/bin/uv" --no-config pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --all-extras --generate-hashes \
	  --no-header --no-emit-index-url --no-emit-find-links $(LOCK_ARGS) -o requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
