"""The method in a real browser: a recipe is run from the page, which shows how it gets on while it stays open."""

from __future__ import annotations

from otherwords.project import open_project
from otherwords.project.importing.import_file import import_file
from otherwords.web.background_run import is_site_running
from tests.browser.conftest import SECONDS, Served, Visit, no_overflow, until
from tests.conftest import EXAMPLES
from tests.steps.test_mining import RECIPE

POOL = EXAMPLES / "sources/sentences/harbour.txt"
STATES = """() => Object.fromEntries(
  [...document.querySelectorAll(".step")].map((box) => [box.id.slice(5), box.dataset.state]))"""


def test_a_recipe_runs_to_the_point_where_people_are_needed(visit: Visit, served: Served) -> None:
    with open_project(served.folder) as project:
        import_file(project, "sentences", POOL, licence="CC0-1.0")
        (served.folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
        page = visit("carl", "/method")
        assert page.evaluate(STATES) == dict.fromkeys(
            ("neighbours", "strata", "judge", "negatives", "classifier"), "new"
        )
        loaded: list[str] = []
        page.keyboard.press("n")
        page.wait_for_selector("#step-neighbours[data-state='done']", timeout=4000 * SECONDS)
        until(lambda: not is_site_running(project), 4 * SECONDS)
        page.wait_for_selector("button[data-key=r] kbd")  # its key is printed on what came without a reload, too
        page.keyboard.press("r")
        page.wait_for_selector("text=A run that carl started is going on")
        page.on("load", lambda _: loaded.append(page.url))
        page.wait_for_selector("#step-neighbours[data-state='done']", timeout=4000 * SECONDS)
        page.wait_for_selector("#step-judge[data-state='waiting']", timeout=4000 * SECONDS)
        until(lambda: not is_site_running(project), 4 * SECONDS)
    page.wait_for_selector("text=People come first")
    assert page.evaluate(STATES) == {
        **{"neighbours": "done", "strata": "done", "judge": "waiting"},
        **{"negatives": "new", "classifier": "new"},
    }
    assert loaded == []
    assert "100 in" in page.locator("#step-neighbours .numbers").inner_text()
    assert page.locator("#now").text_content() == "Nothing is running"
    no_overflow(page)
    page.locator("#step-judge a").click()
    page.wait_for_url("**/batches/strata")
