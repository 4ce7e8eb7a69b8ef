# Every command of the project. `make help` lists them.

# Hundreds of processes are started: each would compile all it imports, if none could leave it for the next.
unexport PYTHONDONTWRITEBYTECODE

python := .venv/bin/python
lock   := --quiet --universal --generate-hashes --no-emit-index-url --no-header

.DEFAULT_GOAL := help
.PHONY: help setup up live down ha ha-down restore-drill image quick check lint unit slow behaviour faults real people client contract bench audit audit-faults lock clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## Install everything that is missing, system packages included
	@dev/setup.sh

up: | $(python) ## Start PostgreSQL, two Redis, S3 and the API with demo data
	@$(python) -m dev up

live: | $(python) ## Feed the stack of `make up` by a demo publisher, a day every few seconds, until Ctrl-C
	@$(python) -m dev.live

down: | $(python) ## Stop what `make up` started; the data stays in .local
	@$(python) -m dev down

ha: | $(python) ## Start everything twice or three times, with failover (Patroni, Sentinels, HAProxy), to lose parts of it
	@$(python) -m dev.ha up

ha-down: | $(python) ## Stop what `make ha` started; the data stays in .local/ha
	@$(python) -m dev.ha down

restore-drill: | $(python) ## Restore a copy of what `make ha` runs to a moment (TO=2026-11-18T10:00:00Z), and verify it
	@$(python) -m dev.drill $(if $(TO),--to $(TO))

image: | $(python) ## Build the image with Docker, or as root with buildah (dev/setup.sh image), and print its size
	@$(python) -m dev image

quick: | $(python) ## After every edit: lint, types, imports, SQL, fast tests; needs only Python
	@$(python) -m ruff format --quiet --check .
	@$(python) -m ruff check --quiet .
	@$(python) -m mypy
	@.venv/bin/lint-imports >/dev/null || .venv/bin/lint-imports
	@.venv/bin/sqruff lint src >/dev/null 2>&1 || .venv/bin/sqruff lint src
	@$(python) -m pytest tests/unit tests/shape --hypothesis-profile quick

check: lint unit slow behaviour faults real people client ## All of the next eight

lint: | $(python) ## Format, lint, types, imports, SQL, secrets left in files
	$(python) -m ruff format --check .
	$(python) -m ruff check .
	$(python) -m mypy
	.venv/bin/lint-imports
	.venv/bin/sqruff lint src
	$(python) -m dev scan

unit: | $(python) ## Tests of parts, and of the shape of the project
	$(python) -m pytest tests/unit tests/shape

slow: | $(python) ## Tests of parts that take long: sizes, bombs, mutants, the demo world
	$(python) -m pytest tests/slow

behaviour: | $(python) ## Tests of the whole
	$(python) -m pytest tests/behaviour

faults: | $(python) ## The whole while stores fail and callers attack; wants a machine that does nothing else
	$(python) -m pytest tests/faults

real: | $(python) ## Tests on real source files, where they are at hand (SANKOFA_REAL_DATA)
	$(python) -m pytest tests/real

people: | $(python) ## Tests of what people meet: explorer, docs, deployment
	$(python) -m pytest tests/pages tests/docs

client: | $(python) ## Tests of the clients for Python and TypeScript, their READMEs and the notebook
	$(python) -m pytest clients/python/tests clients/typescript/tests

contract: | $(python) ## Prove the contract, line by line
	@$(python) -m tests.contract

bench: | $(python) ## Measure, as ratios (BENCH_SIZE=small for a quick look)
	@$(python) -m bench

audit: | $(python) ## Oracle, faults and fuzz at full size (AUDIT_SIZE=small for a quick look)
	@$(python) -m tests.audit

audit-faults: | $(python) ## Break an installation with failover in every way under load (AUDIT_SIZE=small for 30 faults)
	@$(python) -m pytest -q -s tests/audit/test_campaign.py

lock: ## Write the lock files anew
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	python3 -m venv "$$folder" && "$$folder/bin/python" -m pip install --quiet --quiet uv && \
	"$$folder/bin/uv" pip compile $(lock) --group setup --output-file requirements-setup.lock && \
	"$$folder/bin/uv" pip compile $(lock) pyproject.toml --group dev --output-file requirements-dev.lock && \
	"$$folder/bin/uv" pip compile $(lock) pyproject.toml --constraint requirements-dev.lock \
	    --output-file requirements.lock && \
	"$$folder/bin/uv" pip compile $(lock) --python-version 3.11 bench/peers/requirements.in \
	    --output-file bench/peers/requirements.lock

clean: ## Stop the stack and remove its data, the environment and all caches
	@if [ -x $(python) ]; then $(python) -m dev destroy && $(python) -m dev.ha destroy; fi
	@rm -rf .venv .local .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist site
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(python):
	@echo "Run make setup first." >&2; exit 1
