# Every command of the project. `make help` lists them.

python := .venv/bin/python
lock   := --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help setup up down check contract bench audit lock clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## Install everything that is missing, system packages included
	@dev/setup.sh

up: | $(python) ## Start PostgreSQL, two Redis, S3 and the API with demo data
	@$(python) -m dev up

down: | $(python) ## Stop what `make up` started; the data stays in .local
	@$(python) -m dev down

check: | $(python) ## Format, lint, types, imports, SQL, tests
	$(python) -m ruff format --check .
	$(python) -m ruff check .
	$(python) -m mypy
	.venv/bin/lint-imports
	$(python) -m sqlfluff lint src
	$(python) -m pytest tests --ignore tests/contract --ignore tests/audit

contract: | $(python) ## Prove the contract, line by line
	@$(python) -m tests.contract

bench: | $(python) ## Measure, as ratios (BENCH_SIZE=small for a quick look)
	@$(python) -c 'import fastapi' 2>/dev/null || \
	$(python) -m pip install --quiet --require-hashes --requirement requirements-bench.lock
	@$(python) -m bench

audit: | $(python) ## Oracle, faults and fuzz at full size (AUDIT_SIZE=small for a quick look)
	@$(python) -m tests.audit

lock: ## Write the lock files anew from pyproject.toml
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	python3 -m venv "$$folder" && "$$folder/bin/python" -m pip install --quiet --quiet uv && \
	"$$folder/bin/uv" pip compile $(lock) --output-file requirements.lock && \
	"$$folder/bin/uv" pip compile $(lock) --group dev --output-file requirements-dev.lock && \
	"$$folder/bin/uv" pip compile $(lock) --group bench --constraint requirements-dev.lock \
	    --output-file requirements-bench.lock

clean: ## Stop the stack and remove its data, the environment and all caches
	@if [ -x $(python) ]; then $(python) -m dev destroy; fi
	@rm -rf .venv .local .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist site
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(python):
	@echo "Run make setup first." >&2; exit 1
