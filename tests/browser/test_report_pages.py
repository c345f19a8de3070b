"""The page of a report in a real Chromium, opened as a file: light, dark, printed, and on a telephone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.report.build import report
from otherwords.analyse.report.compare import compare
from otherwords.demo.page import progress_page
from otherwords.demo.plan import PLAN
from otherwords.demo.progress import DemoProgress
from tests.browser.conftest import Browser, Page, Picture, bound
from tests.browser.test_contrast import faint, misfits
from tests.conftest import EXAMPLES
from tests.shared_folders import shared_folder

QUICK = AnalysisOptions(replicates=20, examples=2)
KINDS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
}
INK_AND_PAPER = "() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
TOO_WIDE = """() => [...document.querySelectorAll("table, svg, p, code, h2")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".wide, .plot"))
    .map((one) => one.textContent.slice(0, 60))"""

OFF_THE_SHEET = """() => [...document.querySelectorAll("table, svg")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.textContent.slice(0, 60))"""
FIGURES_IN_SIGHT = """() => [...document.querySelectorAll(".plot")].map((plot) => {
    const svg = [...plot.querySelectorAll("svg")].find((svg) => svg.checkVisibility());
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const paper = svg.getBoundingClientRect();
    const isCut = ({ left, right }) => left < paper.left - 1 || right > paper.right + 1;
    const texts = [...svg.querySelectorAll("text")].filter((text) => isCut(text.getBoundingClientRect()));
    const cut = texts.map((text) => text.textContent);
    return { name: plot.ariaLabel, hidden: plot.scrollWidth - plot.clientWidth, scale, cut };
})"""
SMALLEST = 0.85  # of the size that a figure is drawn in: its text of 12 px is then 10 px high
Show = Callable[..., Page]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report in three scripts, and a comparison."""
    folder = shared_folder(tmp_path_factory, "report-pages", write_pages)
    return {name: folder / name / "index.html" for name in ("ar", "ja", "en", "compared")}


def write_pages(folder: Path) -> None:
    for lang in ("ar", "ja"):
        report(EXAMPLES / f"pairs.{lang}.jsonl", folder / lang, QUICK)
    report(EXAMPLES / "pairs.jsonl", folder / "en", QUICK, lang="en")
    compare([EXAMPLES / "pairs.jsonl", EXAMPLES / "pairs.fi.jsonl"], folder / "compared", QUICK)


@pytest.fixture
def requests() -> list[str]:
    """The addresses that pages asked for."""
    return []


@pytest.fixture
def show(browser: Browser, requests: list[str]) -> Iterator[Show]:
    """Open a page as a file, and note all that it asks for."""
    contexts = []

    def opened(path: Path, **options: object) -> Page:
        contexts.append(bound(browser.new_context(**{"viewport": {"width": 1100, "height": 900}, **options})))
        shown = contexts[-1].new_page()
        shown.on("request", lambda request: requests.append(request.url))
        shown.goto(path.as_uri())
        return shown

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["ar", "ja", "en", "compared"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wider_than_the_window_and_nothing_is_fetched(
    pages: dict[str, Path], show: Show, requests: list[str], name: str, kind: str
) -> None:
    shown = show(pages[name], **KINDS[kind])
    assert shown.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert shown.evaluate(TOO_WIDE) == []
    assert requests == [pages[name].as_uri()]


@pytest.mark.parametrize("name", ["ar", "ja", "en", "compared"])
@pytest.mark.parametrize("width", [390, 640, 1100])
def test_figures_fit_and_can_be_read_without_moving_them(
    pages: dict[str, Path], show: Show, name: str, width: int
) -> None:
    figures = show(pages[name], viewport={"width": width, "height": 844}).evaluate(FIGURES_IN_SIGHT)
    assert len(figures) > 3
    assert [figure for figure in figures if figure["hidden"] > 0 or figure["cut"] or figure["scale"] < SMALLEST] == []


def test_light_and_dark(pages: dict[str, Path], show: Show) -> None:
    colours = {kind: show(pages["en"], **KINDS[kind]).evaluate(INK_AND_PAPER) for kind in ("light", "dark")}
    assert colours["light"] == ["rgb(29, 35, 39)", "rgb(251, 251, 249)"]
    assert colours["dark"] == ["rgb(230, 232, 231)", "rgb(21, 25, 28)"]


@pytest.mark.parametrize("name", ["ar", "en", "compared"])
def test_printed_on_a4(pages: dict[str, Path], show: Show, tmp_path: Path, name: str) -> None:
    shown = show(pages[name], viewport={"width": 657, "height": 1000}, color_scheme="dark")
    shown.emulate_media(media="print", color_scheme="dark")
    assert shown.evaluate(INK_AND_PAPER) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert shown.evaluate(OFF_THE_SHEET) == []
    shown.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True, print_background=True)
    assert (tmp_path / "page.pdf").read_bytes().count(b"/Type /Page\n") >= 3


def test_arabic_runs_from_right_to_left(pages: dict[str, Path], show: Show) -> None:
    shown = show(pages["ar"])
    text = shown.locator(".example p").first
    assert text.evaluate("(one) => getComputedStyle(one).direction") == "rtl"
    assert text.get_attribute("lang") == "ar"


DARK_ON_DARK = """() => {
  const light = (colour) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, two) => (Math.max(light(one), light(two)) + 0.05) / (Math.min(light(one), light(two)) + 0.05);
  const paper = getComputedStyle(document.querySelector(".plot")).backgroundColor;
  const texts = [...document.querySelectorAll(".plot text")].filter((text) => text.textContent.trim());
  const isFaint = (text) => contrast(getComputedStyle(text).fill, paper) < 4.5;
  const faint = texts.filter(isFaint).map((text) => text.textContent);
  const sheets = [...document.querySelectorAll(".plot svg > rect")].map((rect) => getComputedStyle(rect).fill);
  return { paper, faint, texts: texts.length, sheets: [...new Set(sheets)] };
}"""


@pytest.mark.parametrize(("kind", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(28, 34, 38)")])
@pytest.mark.parametrize("name", ["en", "compared"])
def test_figures_follow_light_and_dark(pages: dict[str, Path], show: Show, name: str, kind: str, paper: str) -> None:
    found = show(pages[name], **KINDS[kind]).evaluate(DARK_ON_DARK)
    assert found["texts"] > 20
    assert (found["paper"], found["sheets"], found["faint"]) == (paper, [paper], [])


def test_every_figure_has_a_caption(pages: dict[str, Path], show: Show) -> None:
    for name in ("en", "compared"):
        captions = show(pages[name]).locator("figcaption").all_inner_texts()
        assert len(captions) > 5
        for number, caption in enumerate(captions, 1):
            words = caption.removeprefix(f"Figure {number}. ").partition("As SVG")[0].strip()
            assert len(words.split()) > 1, caption
            assert words.endswith("."), caption


def test_numbers_come_first_then_figures_and_tables_are_folded(pages: dict[str, Path], show: Show) -> None:
    shown = show(pages["en"])
    section = shown.locator("#similarity")
    tops = [section.locator(selector).first.bounding_box()["y"] for selector in (".headline", "figure", "details")]
    assert tops == sorted(tops)
    table = section.locator("details table").first
    assert not table.is_visible()
    section.locator("summary").first.click()  # by the mouse
    assert table.is_visible()
    section.locator("summary").first.press("Enter")  # and by keys
    assert not table.is_visible()
    assert shown.locator("#provenance details[open]").count() == 1  # where there is no figure, the first table is


def test_folded_tables_are_printed(pages: dict[str, Path], show: Show) -> None:
    shown = show(pages["en"])
    shown.emulate_media(media="print")
    assert all(table.is_visible() for table in shown.locator("details table").all())
    captions = shown.locator("details caption")
    assert captions.first.bounding_box()["height"] > 5


def test_a_picture_of_the_page(pages: dict[str, Path], show: Show, picture: Picture) -> None:
    shown = show(pages["en"], device_scale_factor=1)
    picture(shown, "report.png", clip={"x": 0, "y": 0, "width": 1100, "height": 1500}, full_page=True)
    shown.locator("a[href='#methods']").click()
    assert shown.locator("#methods").is_visible()


def test_reports_and_the_progress_of_the_demo_can_be_read_and_fit(
    pages: dict[str, Path], show: Show, tmp_path: Path
) -> None:
    progress = DemoProgress(tmp_path, PLAN)
    first, second, third = (corpus.name for corpus in PLAN[:3])
    progress.update(first, state="done")
    progress.update(second, state="building", now="otherwords align english news", share=0.5)
    progress.update(third, state="failed", message="a pair has no label")
    (tmp_path / "demo.html").write_text(progress_page(tmp_path, PLAN, "http://127.0.0.1"), encoding="utf-8")
    for path in (tmp_path / "demo.html", pages["en"]):
        page = show(path)
        assert [*faint(page), *misfits(page)] == [], path
