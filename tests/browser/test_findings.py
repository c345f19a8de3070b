"""The pages of the method, the models and mining when there is something to show: they can be read, fit and line up."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest

from otherwords.project import open_project
from otherwords.project.pipeline.progress_note import noting
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.sessions import open_session
from tests.browser.conftest import Browser, Page, Picture, Served, Visit, bound, cookie_of
from tests.browser.findings import put_findings
from tests.browser.test_contrast import SIZES, faint, misfits
from tests.browser.test_report_pages import FIGURES_IN_SIGHT, SMALLEST
from tests.serving import ForkedSite
from tests.shared_folders import shared_folder
from tests.web.test_method import RECIPE, key_of, note_run

PAGES = {
    "method": "/method",
    "models": "/models",
    "model": "/models/overlap",
    "mining": "/mining?confidence=cosine&everything=true",
}
# Where what a page is made of begins; what fills the whole width begins there too.
EDGES = """() => [...new Set([...document.querySelectorAll("main > *, main > section > *")]
    .filter((one) => one.checkVisibility() && !one.matches(".unseen"))
    .map((one) => Math.round(one.getBoundingClientRect().left)))]"""
MESSAGE = "sources/a-file-with-a-long-name.csv, line 4812: the field text2 is missing; every row needs two texts"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """A page of a site with findings, as its curator sees it."""
    folder = shared_folder(tmp_path_factory, "findings", lambda place: put_findings(place / "corpus")) / "corpus"
    with open_project(folder) as project, project.ledger.writing() as connection:
        secret, _ = open_session(connection, account_of(connection, "carl"))
    site = ForkedSite(folder)
    site.start()
    with contextlib.ExitStack() as windows:
        windows.callback(site.stop)

        def open_page(path: str, **options: object) -> Page:
            about = {"viewport": SIZES["desk"], "locale": "en-GB", "reduced_motion": "reduce", **options}
            window = bound(windows.enter_context(contextlib.closing(browser.new_context(**about))))
            window.add_cookies([{"name": cookie_of(folder), "value": secret, "url": site.address}])
            page = window.new_page()
            page.goto(site.address + path)
            return page

        yield open_page


@pytest.mark.parametrize("name", PAGES)
def test_everything_can_be_read_fits_and_lines_up(opened: Open, picture: Picture, name: str) -> None:
    page = opened(PAGES[name])
    if name != "model":
        picture(page, f"{name}.png", full_page=True)
    assert len(page.evaluate(EDGES)) == 1
    assert not (problems := [*faint(page), *misfits(page)]), "\n".join(problems)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["models", "model"])
def test_figures_can_be_read_without_moving_them(opened: Open, name: str, size: str) -> None:
    figures = opened(PAGES[name], viewport=SIZES[size]).evaluate(FIGURES_IN_SIGHT)
    assert len(figures) > 0
    assert [figure for figure in figures if figure["hidden"] > 0 or figure["cut"] or figure["scale"] < SMALLEST] == []


def test_a_recipe_of_ones_own_is_not_named_twice(opened: Open) -> None:
    assert opened("/method").locator("h1").inner_text() == "Recipe"


@pytest.mark.parametrize("state", ["waiting", "running", "failed", "stopped", "no recipe"])
def test_every_state_of_a_step_can_be_read_and_fits(visit: Visit, served: Served, state: str) -> None:
    with contextlib.ExitStack() as stack:
        project = stack.enter_context(open_project(served.folder))
        if state != "no recipe":
            (served.folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
        if state == "running":
            stack.enter_context(project.holding())
            note_run(project, "pairs", "running")
            stack.enter_context(noting(served.folder, "pairs", lambda done, total: None))(3_000, 10_000)
        elif state in ("failed", "stopped"):
            note_run(
                project, "pairs", "failed", MESSAGE if state == "failed" else "was stopped", key_of(project, "pairs")
            )
        page = visit("carl", "/method", reduced_motion="reduce")
        expected = {"waiting": "waiting", "no recipe": "Choose one"}.get(state, state)
        page.locator("main", has_text=expected).wait_for()
        assert not (problems := [*faint(page), *misfits(page)]), "\n".join(problems)


def test_no_english_is_left_of_the_states_of_steps(visit: Visit, served: Served) -> None:
    (served.folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    page = visit("carl", "/method", locale="ru-RU")
    assert page.locator("#step-pairs .state").inner_text() == "предстоит"
    assert page.locator("#step-pairs .words").inner_text() == "Проверяет, есть ли с чего начать"


def test_mining_without_a_pool_says_what_to_do(visit: Visit, served: Served) -> None:
    page = visit("carl", "/mining")
    commands = page.locator("code").all_inner_texts()
    assert [command.split()[:2] for command in commands] == [["otherwords", "mine"]] * 2
    lines = "(code) => Math.round(code.getBoundingClientRect().height / parseFloat(getComputedStyle(code).lineHeight))"
    assert [code.evaluate(lines) for code in page.locator("code").all()] == [1, 1]
    assert served.folder.name in commands[1]
