"""A person at Debian's Chromium: what the page asks for is written down, and what the console says."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache

from playwright.sync_api import sync_playwright

from dev import node
from dev.stack import ROOT
from support.waiting import until

CHROMIUM = "/usr/bin/chromium"
# As root, as on a machine of CI, Chromium has no sandbox of its own.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
SCREENSHOTS = ROOT / ".local" / "screenshots"
HEIGHTS = {1440: 900, 390: 844}
# Evaluated again and again from here: the policy of the pages forbids Playwright to do that inside them.
_ARE_CHARTS_LAID_OUT = """() => [...document.querySelectorAll('.chart')].every(
    one => +one.querySelector('svg').getAttribute('width') === Math.max(one.clientWidth, 280))"""


@contextmanager
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Visitor:
    """One tab of its own, with the key of a paying caller unless it is told otherwise."""

    def __init__(self, browser, site, *, width=1440, scheme="light", sandbox=False, touch=False):
        self.site = site
        self.requests = []
        self.heard = []
        self.forgiven = []
        self._context = browser.new_context(
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme=scheme,
            reduced_motion="reduce",
            has_touch=touch,
        )
        self._context.grant_permissions(["clipboard-read", "clipboard-write"])
        if not sandbox:
            # As if it had been entered in the dialog: the same place of this tab.
            place = f"sessionStorage.setItem('sankofa-key', '{site.own_key}')"
            self._context.add_init_script(f"if (location.protocol === 'http:') {place}")
        self.page = self._context.new_page()
        self.page.on("request", lambda request: self.requests.append(request))  # noqa: PLW0108 - Playwright marks it
        self.page.on("console", lambda said: self.heard.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))

    def go(self, place="#/"):
        """Open a place of the explorer and wait until it is shown."""
        self.page.goto("about:blank")
        self.open(f"{self.site.address}/{place}")
        return self.page

    def open(self, address):
        self.page.goto(address)
        self.page.wait_for_selector("main:not([aria-busy]) .view:not(:has(.reading))")
        # A chart takes its width from the page once it is laid out, and the slider from the chart.
        if self.page.locator(".chart").count():
            until(lambda: self.page.evaluate(_ARE_CHARTS_LAID_OUT))

    def calls(self):
        """Return the addresses of the API that were asked."""
        return [request.url for request in self.requests if "/v1/" in request.url]

    def forgive(self, part):
        """Chromium tells every answer that is a problem on the console; here it was asked for."""
        self.forgiven.append(part)

    def shoot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)

    def is_too_wide(self):
        """Tell whether the page scrolls sideways."""
        root = "document.documentElement"
        return self.page.evaluate(f"{root}.scrollWidth > {root}.clientWidth")

    def barriers(self):
        """Return what axe-core calls serious or critical, with the places."""
        self.page.evaluate(_axe())
        found = self.page.evaluate("axe.run({resultTypes: ['violations']})")
        return [
            (one["id"], one["impact"], [place["html"] for place in one["nodes"]])
            for one in found["violations"]
            if one["impact"] in {"serious", "critical"}
        ]

    def close(self):
        self._context.close()

    def judge(self):
        """Nothing was asked of another host, and the console was silent."""
        elsewhere = [one.url for one in self.requests if not one.url.startswith(f"{self.site.address}/")]
        assert elsewhere == []
        heard = [said for said in self.heard if not any(part in said for part in self.forgiven)]
        assert heard == []


@cache
def _axe():
    tools = node.installed(ROOT / "tests" / "page-tools")
    return (tools / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
