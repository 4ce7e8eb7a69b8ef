"""Every link inside the built docs leads to a page, a file or an endpoint, and every anchor is there."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from posixpath import join, normpath
from urllib.parse import unquote, urlsplit

import pytest

from dev import pages
from dev.api_calls import document


class Page(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self, text):
        super().__init__()
        self.links = set()
        self.anchors = {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.anchors |= {named[name] for name in ("id", "name") if named.get(name)}
        self.links |= {named[name] for name in ("href", "src") if named.get(name) and tag != "meta"}


@pytest.fixture(scope="module")
def site():
    """Return every built file by its address, and the reader of a page."""
    pages.build()
    files = {f"/{file.relative_to(pages.PAGES)}": file for file in pages.PAGES.rglob("*") if file.is_file()}
    return {address.removesuffix("index.html"): file for address, file in files.items()}


def test_every_internal_link_and_anchor_of_the_docs_resolves(site):
    served = {path for path in document()["paths"] if "{" not in path}

    @cache
    def read(address):
        return Page(site[address].read_text(encoding="utf-8"))

    def is_broken(address, link):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return False
        path = unquote(parts.path)
        target = (
            normpath(join(address, path)) + ("/" if path.endswith(("/", "..", ".")) else "")
            if path
            else address
        )
        target = target.replace("//", "/")
        if target in served:
            return False
        if target not in site:
            return True
        is_page = site[target].suffix == ".html"
        return (
            is_page
            and not parts.fragment.startswith("/")
            and unquote(parts.fragment) not in read(target).anchors
        )

    docs = [name for name, file in site.items() if name.startswith("/docs/") and file.suffix == ".html"]
    assert len(docs) > 100
    broken = [(name, link) for name in docs for link in sorted(read(name).links) if is_broken(name, link)]
    assert broken == []
