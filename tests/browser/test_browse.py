"""Browsing in a real browser: in several scripts, by keys alone, by the mouse alone, on a phone, in public."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from otherwords.annotate.discussion.threads import load_thread
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Document, Judgement, Pair, Passage
from tests.browser.conftest import Browser, Page, Picture, Served, Visit, bound, until
from tests.browser.filled_project import ABOUT, LABELS, execute, fill_project, insert_pairs, judgement_row
from tests.serving import ForkedSite

MARKED = "[...CSS.highlights.get('found')].map(one => one.startContainer.data.slice(one.startOffset, one.endOffset))"
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
STILL = {"reduced_motion": "reduce"}


def shown_ids(page: Page) -> list[str]:
    return page.locator("#rows a.permalink").all_inner_texts()


@pytest.mark.parametrize(
    ("words", "pairs", "marked"),
    [
        ("MYÖHÄSTYI taas", ["p2"], ["myöhästyi", "taas"]),
        ("フェリー", ["p3"], ["フェリー", "フェリー"]),
        ("العبّارة", ["p4"], ["العبّارة", "العبّارة"]),
        ('"till the café"', ["p5"], ["till the cafe\u0301"]),
    ],
)
def test_a_search_finds_and_marks_words_of_any_script(
    visit: Visit, words: str, pairs: list[str], marked: list[str]
) -> None:
    page = visit("anna", "/browse")
    page.keyboard.press("/")
    page.keyboard.insert_text(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse?query=*")
    assert shown_ids(page) == pairs
    assert page.evaluate(MARKED) == marked
    assert page.locator("#query").input_value() == words


def test_from_the_search_to_a_remark_by_keys_alone(visit: Visit, served: Served) -> None:
    page = visit("carl", "/browse")
    for key in ("j", "j", "j", "k", "k", "k", "j"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent") == "p1"
    page.keyboard.press("/")
    page.keyboard.type("rain")
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse?query=rain")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pairs/p6")
    page.wait_for_selector("#remark:not([hidden])")
    page.keyboard.press("d")
    assert page.locator("#differences").get_attribute("aria-pressed") == "true"
    page.keyboard.press("c")
    page.wait_for_selector("#context .reading")
    assert "The river rose quickly" in page.locator("#context .reading").first.inner_text()
    page.keyboard.press("t")
    page.keyboard.type("Three days, or three nights?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#thread .remark")
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        assert [remark.text for remark in load_thread(connection, "pair", "p6").remarks] == [
            "Three days, or three nights?"
        ]
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.wait_for_url("**/browse")


def test_filters_by_the_mouse_alone(visit: Visit, served: Served) -> None:
    fill_project(served.folder)
    page = visit("carl", "/browse")
    page.locator(".bases .chip", has_text="4").click()
    page.wait_for_url("**/browse?label=4&projection=base")
    assert shown_ids(page) == ["p0", "p2", "p4", "p6", "p1-r1"]
    page.locator("#rows a", has_text="news").first.click()
    page.wait_for_url("**source=news*")
    assert shown_ids(page) == ["p0", "p6"]
    page.locator(".taken", has_text="label").click()
    page.wait_for_url("**/browse?source=news")
    assert shown_ids(page) == ["p0", "p3", "p6"]
    page.locator("#filters summary").click()
    page.locator("[name=has]").select_option("judgement")
    page.locator("[name=annotator]").select_option("ben")
    page.locator("[name=source]").fill("")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url("**/browse?has=judgement&annotator=ben")  # what is empty is not in the address
    assert shown_ids(page) == ["p1", "p1-r1"]
    page.locator("#rows .chip", has_text="3").click()
    page.wait_for_url("**label=3*")
    page.goto(served.address + "/browse?measure=bleu&low=0.5")
    assert shown_ids(page) == ["p5", "p6", "p7"]
    page.locator("#rows a.permalink", has_text="p6").click()
    page.wait_for_selector("#history li")
    assert "anna" in page.locator("#history").inner_text()


def test_what_does_not_fit_is_said_where_it_can_be_mended(visit: Visit) -> None:
    page = visit("anna", "/browse?source=stories")
    page.keyboard.press("f")
    page.keyboard.type("3s")
    assert page.locator("[name=label]").input_value() == "3s"
    page.locator("[name=label]").press("Enter")
    page.wait_for_selector(".notice.bad")
    assert "flags" in page.locator(".notice.bad").inner_text()
    page.locator("[name=label]").fill("")
    page.locator("[name=label]").press("Enter")
    page.wait_for_selector("#rows")
    assert page.url.endswith("/browse?source=stories")


def test_more_and_more_until_the_end(visit: Visit, served: Served) -> None:
    names = [f"n{number:03}" for number in range(112)]
    execute(served.folder, insert_pairs(*(Pair(id=name, text1=f"One {name}.", text2=f"Two {name}.") for name in names)))
    page = visit("anna", "/browse")
    ids = shown_ids(page)
    while page.locator("#more").count():
        page.keyboard.press("n")
        page.wait_for_function(f"!document.body.textContent.includes('{ids[-1]}')")
        ids += shown_ids(page)
    assert ids == [*(f"p{number}" for number in range(8)), *names]
    again = visit("anna", page.url.removeprefix(served.address))
    assert shown_ids(again) == shown_ids(page)  # an address is a permalink
    page.get_by_role("link", name="First page").click()
    page.wait_for_url("**/browse")
    assert shown_ids(page) == ids[:50]


def test_discussions_are_settled_in_the_queue(visit: Visit, served: Served, picture: Picture) -> None:
    fill_project(served.folder)
    page = visit("carl", "/discussions", **STILL)
    assert page.locator(".thread a.permalink").all_inner_texts() == ["p5", "p1"]
    picture(page, "discussions.png")
    page.keyboard.press("j")
    page.keyboard.press("e")
    page.wait_for_selector('.thread[data-item="p5"][data-state="resolved"]')
    assert state(served, "p5") is False
    page.get_by_role("button", name="Reopen").click()
    page.wait_for_selector('.thread[data-item="p5"][data-state="open"]')
    assert state(served, "p5") is True
    page.locator('.thread[data-item="p1"] .settle').click()
    page.wait_for_selector('.thread[data-item="p1"][data-state="resolved"]')
    page.reload()
    assert page.locator(".thread a.permalink").all_inner_texts() == ["p5"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/pairs/p5#discussion")


def state(served: Served, pair: str) -> bool:
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        return load_thread(connection, "pair", pair).open


def test_pictures_for_the_docs(visit: Visit, served: Served, picture: Picture) -> None:
    fill_project(served.folder)
    page = visit("carl", "/browse?query=the", **STILL)
    page.wait_for_selector("#rows")
    picture(page, "browse.png")
    page = visit("carl", "/pairs/p1")
    page.wait_for_selector("#thread .remark")
    page.wait_for_selector("#history li")
    page.keyboard.press("d")
    picture(page, "pair.png")
    assert page.locator("#history li").count() == 2


@pytest.mark.parametrize("path", ["/browse?query=the&measure=bleu", "/pairs/p1", "/discussions"])
def test_a_phone_shows_all_of_it(visit: Visit, served: Served, path: str) -> None:
    fill_project(served.folder)
    long = Pair(id="n" * 200, text1="the" + "m" * 300, text2="the " * 100, source="s" * 90, scores={"b" * 80: 0.5})
    execute(served.folder, insert_pairs(long))
    for color_scheme in ("light", "dark"):
        page = visit("carl", path, **PHONE, **STILL, color_scheme=color_scheme)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.locator("main").bounding_box()["width"] <= 390


TRICKS = [
    "<img src=x onerror=window.tricked=1>",
    "</script><script>window.tricked=1</script>",
    '"><svg onload=window.tricked=1>',
    "javascript:window.tricked=1",
    "{{ 7*7 }}${7*7}' onmouseover='window.tricked=1",
]


def tricky(served: Served) -> None:
    """Every field of a pair and of what belongs to it is an attempt to run a script."""
    trick = " ".join(TRICKS)
    documents = [
        Document(id=f"doc{side}{trick}", text=f"{trick} {side}", source=trick, lang="en", meta={"title": trick})
        for side in "12"
    ]
    first, two = (Passage(id=document.id, start=0, end=len(trick)) for document in documents)
    fields = {"text1": trick, "text2": f"{trick}.", "source": trick, "group": trick, "method": trick, "lang": '"><svg'}
    pair = Pair(id=trick, **fields, doc1=first, doc2=two, scores={trick: 0.5}, label=trick)
    rewrite = Pair(id=f"r{trick}", rewrite_of=trick, text1=trick, text2=trick)
    free = Pair(id=f"free {trick}", **fields, scores={trick: 0.5}, label=trick, licence="CC0")
    phenomena = Judgement(id="t", pair=trick, value=[{"type": trick}], annotator="ben", scheme="types", note=trick)
    source = {"id": trick, "kind": "pairs", "path": trick, "sha256": "", "options": {}, "state": "done", "counts": {}}
    execute(
        served.folder,
        *(insert(schema.documents).values(**row_of(document, import_id=trick)) for document in documents),
        insert(schema.pairs).values(**row_of(pair, **ABOUT | {"import_id": trick, "step": trick, "step_key": trick})),
        insert_pairs(rewrite, free),
        insert(schema.imports).values(**source, started="2026-01-01"),
        judgement_row(trick, "4", "anna", note=trick, batch=trick),
        insert(schema.judgements).values(**row_of(phenomena)),
        insert(schema.remarks).values(
            id="r", unit="pair", item=trick, author=trick, action="say", text=trick, mentions=[], time=trick
        ),
        insert(schema.releases).values(version=trick, time="2026-01-01", licence="CC0", meta={}),
        insert(schema.released_pairs).values(version=trick, pair=free.id, part=trick, label=trick, types=[trick]),
    )


def test_texts_are_texts_and_never_scripts(visit: Visit, served: Served) -> None:
    tricky(served)
    trick = " ".join(TRICKS)
    dialogs: list[str] = []
    for path in (
        "/browse",
        f"/browse?query={'%22%3E%3Csvg'}&source=%3C/script%3E",
        "/discussions",
        "/browse?label=%3Csvg",
    ):
        page = visit("carl", path)
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.tricked") is None, path
        assert page.locator("main img, main svg, main script, main [onmouseover]").count() == 0
        assert not [
            address
            for address in page.locator("a").evaluate_all("all => all.map(a => a.href)")
            if "javascript:w" in address[:12]
        ]
    page = visit("carl", "/browse")
    assert page.locator("#rows .reading").nth(16).inner_text() == trick
    page.locator("#rows a.permalink").nth(8).click()
    page.wait_for_selector("#thread .remark")
    page.wait_for_selector("#history li")
    page.keyboard.press("c")
    page.wait_for_selector("#context .reading")
    page.mouse.move(400, 300)
    assert trick in page.locator("#thread").inner_text()
    assert trick in page.locator("#history").inner_text()
    assert trick in page.locator("#context").inner_text()
    assert page.locator("h1").inner_text() == trick
    assert page.evaluate("window.tricked") is None
    assert page.locator("main img, main svg, main script, aside img, aside svg").count() == 0
    assert dialogs == []


@pytest.fixture
def everybody(browser: Browser, served: Served) -> Iterator[tuple[Served, Any]]:
    """The public site of the same project, and a window without anything in it."""
    site = ForkedSite(served.folder, public=True)
    site.start()
    window = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
    context = bound(browser.new_context(**window))
    yield site, context
    context.close()
    site.stop()


def test_everybody_reads_what_was_released(everybody: tuple[Served, Any], served: Served, picture: Picture) -> None:
    fill_project(served.folder)
    released = [{"version": "1.0", "pair": name, "part": "train", "label": label} for name, label in LABELS.items()]
    execute(
        served.folder,
        insert(schema.releases).values(version="1.0", time="2026-04-01", licence="CC BY 4.0", meta={}),
        insert(schema.released_pairs).values(released),
        update(schema.pairs).values(licence="CC BY 4.0"),
    )
    site, context = everybody
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda problem: errors.append(str(problem)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.goto(site.address)
    picture(page, "public.png")
    page.locator("#query").fill("フェリー")
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse?query=*")
    assert (shown_ids(page), page.evaluate(MARKED)) == (["p3"], ["フェリー", "フェリー"])
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pairs/p3")
    assert page.locator("h1").inner_text() == "p3"
    body = page.locator("body").inner_text()
    assert "stories" not in body  # the documents are nobody's business here
    assert "anna" not in body
    page.get_by_role("link", name="Browse").click()
    assert "p1-r1" not in shown_ids(page)
    assert context.cookies() == []
    assert errors == []


def test_a_trick_in_public_is_a_text_too(everybody: tuple[Served, Any], served: Served) -> None:
    tricky(served)
    site, context = everybody
    page = context.new_page()
    for path in ("/", "/browse"):
        page.goto(site.address + path)
        assert page.evaluate("window.tricked") is None
        assert page.locator("main img, main svg, main script").count() == 0
    page.locator("#rows a.permalink").first.click()
    page.wait_for_selector("article")
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        name = connection.execute(select(schema.released_pairs.c.pair)).scalar()
    until(lambda: page.locator("h1").inner_text() == name)
    assert page.evaluate("window.tricked") is None
