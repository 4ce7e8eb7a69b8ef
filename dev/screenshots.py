"""The README's picture of the explorer, taken by Chromium from the stack of `make up`."""

from playwright.sync_api import sync_playwright

from dev import application
from dev.stack import ROOT, Stack

PICTURE = ROOT / "docs" / "assets" / "explorer.png"
_CHROMIUM = "/usr/bin/chromium"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
# The first demo company on the day before it restated its revenue of 2022.
_VIEW = "/#/company/DCHFPV9ZRN9Z1AW?item=revenue&period=2022-01-01..2022-12-31~KES&as_of=2024-03-14"
_SHOWN = "main:not([aria-busy]) .view:not(:has(.reading))"


def take(stack: Stack) -> None:
    """Write the picture: the company view, 1280 by 800, in the light scheme."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS)
        page = browser.new_page(
            viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(f"{application.api(stack).url}{_VIEW}")
        page.wait_for_selector(_SHOWN)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=PICTURE)
        browser.close()
