"""Pages for people: each file at its own address, loading from nowhere else."""

from __future__ import annotations

import base64
import hashlib

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from sankofa.web import site

SCRIPT = "document.documentElement.dataset.ready = 'yes'"
HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
FILES = {
    "index.html": f'<meta name="sandbox-key" content=""><script>{SCRIPT}</script><script src="a"></script>',
    "llms.txt": "text",
    "assets/app-Bq3_x9Zk.js": "export {}",
    "docs/index.html": "<h1>Docs</h1>",
    "docs/404.html": "<h1>Page not found</h1>",
}


@pytest.fixture
def client(tmp_path):
    for name, content in FILES.items():
        file = tmp_path / "pages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (tmp_path / "secret").write_text("secret")
    pages = site.pages(tmp_path / "pages", sandbox_key='k"1')
    app = Starlette(routes=[Route(path, page) for path, page in pages.items()])
    app.router.redirect_slashes = False
    return TestClient(app)


def test_a_page_may_load_what_is_ours_and_its_own_inline_script_and_nothing_else(client):
    policy = client.get("/").headers["content-security-policy"]
    assert f"script-src 'self' 'sha256-{HASH}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_a_page_is_told_the_sandbox_key(client):
    assert '<meta name="sandbox-key" content="k&quot;1">' in client.get("/").text


def test_an_index_answers_at_its_folder(client):
    assert client.get("/docs/").text == "<h1>Docs</h1>"
    moved = client.get("/docs", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (308, "/docs/")
    asked = client.get("/docs?from=limit&to=%2F", follow_redirects=False)
    assert (asked.status_code, asked.headers["location"]) == (308, "/docs/?from=limit&to=%2F")


@pytest.fixture
def missing(tmp_path):
    """Return the answer to an unknown path for an `Accept` header; None where a problem document is due."""

    def respond(request):
        return site.missing(tmp_path / "pages")(request)

    def ask(path, accept):
        return respond(
            Request({"type": "http", "method": "GET", "path": path, "headers": [(b"accept", accept)]})
        )

    return ask


def test_a_browser_under_docs_gets_an_html_page_for_an_unknown_path(client, missing):
    browser = b"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    page = missing("/docs/nothing/", browser)
    assert (page.status_code, page.body) == (404, b"<h1>Page not found</h1>")
    assert page.headers["content-security-policy"].startswith("default-src 'none';")
    assert page.headers["cache-control"] == "no-store"
    assert missing("/docs/nothing/", b"*/*") is None
    assert missing("/docs/nothing/", b"application/json, text/html;q=0.5") is None
    assert missing("/v1/nothing", browser) is None
    assert client.get("/docs/404.html").status_code == 404


def test_a_file_whose_name_is_its_content_may_be_kept_for_ever(client):
    assert "immutable" in client.get("/assets/app-Bq3_x9Zk.js").headers["cache-control"]
    assert client.get("/").headers["cache-control"] == "public, max-age=300"
    assert client.get("/llms.txt").headers["content-type"] == "text/plain; charset=utf-8"


def test_who_has_a_page_gets_304(client):
    etag = client.get("/").headers["etag"]
    assert client.get("/", headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize(
    "path", ["/assets", "/assets/", "/../secret", "/%2e%2e/secret", "/assets/..%2f..%2fsecret", "/pages"]
)
def test_only_built_files_are_found(client, path):
    assert client.get(path).status_code == 404
