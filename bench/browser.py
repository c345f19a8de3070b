"""From a key to the next pair in Chromium: how long an annotator waits until the next pair is on the screen.

One annotator classifies in a real browser, on a site with a hundred thousand judgements in its ledger: first with a
label and Enter, then with one key. Timed is from the key until the frame with the next pair has been drawn; the answer
before it is being saved meanwhile. Run it on a quiet machine: the browser, the server and this share its processors.

``OTHERWORDS_BENCH_SMALL=1`` is a short form, to see whether it works; its figures mean little.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.browser.conftest import ARGUMENTS, CHROMIUM, bound, sync_api, until
from tests.serving import Served
from tests.web.load import BATCH, Login, add_history, fill, log_in

from bench.site_table import Table, Target
from otherwords.project import create_project, open_project

SMALL = bool(os.environ.get("OTHERWORDS_BENCH_SMALL"))
JUDGED, PAIRS = (500, 50) if SMALL else (50_000, 300)  # pairs that were judged twice before, and pairs that are timed
WARM_UP = 10
NEXT_MS = Target("≤", 60)
ANNA = "anna"
TIMER = """(key) => {
  let since = null;
  window.waits = [];
  addEventListener("keydown", (event) => (since = event.key === key ? event.timeStamp : since), true);
  new MutationObserver(() => {
    if (since === null) return;
    const start = since;
    since = null;
    requestAnimationFrame(() => {
      const drawn = new MessageChannel(); // a message comes after the frame
      drawn.port1.onmessage = () => window.waits.push(performance.now() - start);
      drawn.port2.postMessage(null);
    });
  }).observe(document.getElementById("text1"), { childList: true });
}"""

WAITING = "Object.keys(localStorage).some((name) => name.includes(':waiting:'))"  # answers that are not saved yet


@contextlib.contextmanager
def opened(folder: Path, login: Login) -> Iterator[Any]:
    """The page on which the batch is classified, served by a process of its own."""
    served = Served(folder)
    served.start()
    try:
        with sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            context = bound(browser.new_context(viewport={"width": 1280, "height": 800}))
            context.add_cookies([{"name": login.cookie, "value": login.secret, "url": served.address}])
            page = context.new_page()
            page.goto(f"{served.address}/classify/{BATCH}")
            page.wait_for_selector("#work:not([hidden])")
            yield page
            browser.close()
    finally:
        served.stop()


def waits(page: Any, keys: list[str]) -> list[float]:
    """Milliseconds from the last of the keys to the next pair, for so many pairs."""
    page.evaluate(TIMER, keys[-1])
    for number in range(1, WARM_UP + PAIRS + 1):
        for key in keys:
            page.keyboard.press(key)
        until(lambda number=number: page.evaluate("window.waits.length") >= number)
    until(lambda: not page.evaluate(WAITING))
    page.wait_for_selector('#saved[data-state="saved"]')
    return list(page.evaluate("window.waits"))[WARM_UP:]


def run() -> bool:
    """Print all figures; whether every target was met."""
    table = Table()
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name) / "corpus"
        create_project(folder, "en", "turku")
        people = {ANNA: "annotator", "ben": "annotator", "carl": "annotator"}
        with open_project(folder) as project:
            fill(project, JUDGED + 3 * (PAIRS + WARM_UP), 2, people)
            add_history(project, JUDGED, ["ben", "carl"])
            [login] = log_in(project, [ANNA])
        with opened(folder, login) as page:
            timed = {"a label and Enter": waits(page, ["3", "Enter"])}
            page.reload()
            page.wait_for_selector("#work:not([hidden])")
            page.keyboard.press("o")
            timed["one key"] = waits(page, ["3"])
    for name, times in timed.items():
        table.line(f"{name}, {len(times)} pairs: median, ms", statistics.median(times))
        table.line("… p95, ms", statistics.quantiles(times, n=20)[-1], NEXT_MS)
        table.line("… max, ms", max(times))
    return table.met
