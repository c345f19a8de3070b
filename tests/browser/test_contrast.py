"""Every page of the site in light and dark, on a desk, on a phone and at 200 %: it can be read, and it fits.

A page is opened once and taken through its states. Each is measured in both schemes, text, fields and focus rings by
WCAG AA, by ``contrast.js``; the first and the last are measured in windows of every size, by ``layout.js``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from otherwords.project import create_project, open_project
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.sessions import open_session
from tests.browser.conftest import Browser, Page, bound, cookie_of
from tests.browser.every_page import LOOKS, Look, put_everything
from tests.serving import ForkedSite, Served
from tests.web.people import PEOPLE, seat

MEASURE = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
FIT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
# A page takes another shape in the frame after its window has.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SIZES = {
    "phone": {"width": 390, "height": 844},
    "200 %": {"width": 640, "height": 400},
    "desk": {"width": 1280, "height": 800},
}
Open = Callable[[Look], Page]


@pytest.fixture(scope="module")
def opened_by(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """One site with something on every page, and its public twin; each page is opened in a window of its own."""
    folder = tmp_path_factory.mktemp("site") / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        seat(project)
    join = put_everything(folder)
    with contextlib.ExitStack() as stack:
        site, twin = (stack.enter_context(_running(folder, public)) for public in (False, True))
        secrets = {name: _secret(folder, name) for name in PEOPLE}
        errors: list[str] = []

        def open_page(look: Look) -> Page:
            address = (twin if look.public else site).address
            window = bound(browser.new_context(viewport=SIZES["desk"], locale="en-GB", reduced_motion="reduce"))
            if look.who:
                window.add_cookies([{"name": cookie_of(folder), "value": secrets[look.who], "url": address}])
            page = window.new_page()
            page.on("pageerror", lambda problem: errors.append(f"{look.path}: {problem}"))
            page.goto(address + look.path.format(join=join))
            page.wait_for_selector(look.ready)
            return page

        yield open_page
        assert errors == []


@contextlib.contextmanager
def _running(folder: Path, public: bool) -> Iterator[Served]:
    site = ForkedSite(folder, public=public)
    site.start()
    yield site
    site.stop()


def _secret(folder: Path, name: str) -> str:
    with open_project(folder) as project, project.ledger.writing() as connection:
        return open_session(connection, account_of(connection, name))[0]


def faint(page: Page) -> list[str]:
    """What is too faint in either scheme."""
    problems = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        measured = page.evaluate(MEASURE)
        assert measured["count"] > 2, "there is hardly any text on the page"
        problems += [f"{scheme}: {problem}" for problem in measured["problems"]]
    return problems


def misfits(page: Page) -> list[str]:
    """What does not fit into a window of some size; on a phone, fingers do the work."""
    problems = []
    emulation = page.context.new_cdp_session(page)
    for size, viewport in SIZES.items():
        emulation.send("Emulation.setTouchEmulationEnabled", {"enabled": size == "phone"})
        page.set_viewport_size(viewport)
        page.evaluate(TWO_FRAMES)
        problems += [f"{size}: {problem}" for problem in page.evaluate(FIT)]
    emulation.detach()
    return problems


@pytest.mark.parametrize("name", LOOKS)
def test_everything_can_be_read_and_fits(opened_by: Open, name: str) -> None:
    look = LOOKS[name]
    page = opened_by(look)
    with contextlib.closing(page.context):
        problems = [*faint(page), *misfits(page)]
        for state in look.states:
            for key in state.split():
                page.keyboard.press(key)
            problems += [f"{problem} (after {state})" for problem in faint(page)]
        problems += [f"{problem} (at last)" for problem in misfits(page)] if look.states else []
        assert not problems, "\n".join(problems)


MISFITS = [
    ("<div style='width:2000px'>wide</div>", "the page is"),
    ("<p style='overflow:hidden;white-space:nowrap;width:50px'>words that are cut</p>", "is cut off"),
    ("<button style='height:20px;padding:0'>low</button>", "× 20 px"),
    ("<input placeholder='a long example of what to type here' size='8'>", "is cut off"),
    ("<input placeholder='a long example of what to type here' style='width:300px;height:30px'>", None),
    ("<button>Undo <kbd>u</kbd></button>", "“u” is for keys"),
    ("<button style='min-height:24px'>4 <kbd class='letter'>4</kbd></button>", None),
    ("<p style='overflow:hidden;white-space:nowrap;text-overflow:ellipsis;width:50px'>words that are cut</p>", None),
]


@pytest.mark.parametrize(("body", "problem"), MISFITS)
def test_what_does_not_fit_is_found(browser: Browser, body: str, problem: str | None) -> None:
    with contextlib.closing(bound(browser.new_context())) as window:
        page = window.new_page()
        page.set_content(f"<meta name='viewport' content='width=device-width'>{body}")
        found = misfits(page)
    assert bool(found) == bool(problem), found
    assert problem is None or problem in found[0]


FAINT = [
    ("<p style='color:#777'>grey</p>", "text p: #777777 on #ffffff is 4.48, not 4.5"),
    ("<p style='color:#767676'>grey</p>", None),
    ("<p style='color:#949494;font-size:24px'>large</p>", None),
    ("<p style='color:#949494;font-size:19px'>not bold</p>", "text p: #949494 on #ffffff is 3.03, not 4.5"),
    ("<p style='color:#949494;font-size:19px;font-weight:700'>bold</p>", None),
    ("<p style='opacity:0.5;color:#000'>half</p>", "text p: #808080 on #ffffff is 3.98, not 4.5"),
    ("<i style='background:#0008'><b style='color:#fff'>x</b></i>", "text i > b: #ffffff on #777777 is 4.47, not 4.5"),
    ("<button disabled style='color:#ddd'>off</button>", None),
    ("<p hidden style='color:#eee'>hidden</p>", None),
    ("<p>a <input style='border:1px solid #ccc'></p>", "border of p > input: #cccccc on #ffffff is 1.61, not 3"),
    ("<label>a <input style='border-color:#666' placeholder='b'></label>", None),
    ("<a href='#' style='outline:none'>go</a>", "ring of a: there is none"),
    ("<a href='#' style='outline:2px solid #ddd'>go</a>", "ring of a: #dddddd on #ffffff is 1.36, not 3"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "problem"), FAINT)
def test_what_is_too_faint_is_found(browser: Browser, body: str, problem: str | None) -> None:
    with contextlib.closing(bound(browser.new_context())) as window:
        page = window.new_page()
        page.set_content(
            f"<style>:focus-visible {{ outline: 2px solid #000 }} body {{ background: #fff }}</style>{body}"
        )
        assert page.evaluate(MEASURE)["problems"] == ([problem] if problem else [])
