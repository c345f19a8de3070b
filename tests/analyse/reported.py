"""Corpora and projects for tests of reports, and checks of a page without a browser."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from otherwords.analyse.report.files import Files
from otherwords.analyse.report.page import Sheet, page
from otherwords.project import Project
from otherwords.records import Document, Judgement, Pair
from tests.annotate.reading import put

EVIL = "<script>alert(1)</script> & <b>bold</b>"
SENTENCES = [
    ("The kettle is boiling.", "The water in the kettle boils.", "4"),
    ("Nobody has seen the cat.", "The cat has been seen by no one.", "4>"),
    ("She keeps bees.", "Bees are kept by her.", "4"),
    ("It will rain at noon.", "Rain is expected.", "4>s"),
    ("He fixed it.", "He repaired the boiler.", "3"),
    ("They left early.", "They came late.", "2"),
    ("A red door.", "Seven geese.", "1"),
]
ARABIC = [("وصل القطار متأخرا اليوم.", "تأخر القطار اليوم.", "4"), ("أغلق النافذة من فضلك.", "افتح الباب.", "2")]
JAPANESE = [("窓を閉めてください。", "窓を閉めてくれますか。", "4"), ("猫が庭にいる。", "犬が走る。", "1")]


def pairs(texts: list[tuple[str, str, str]] = SENTENCES, lang: str = "en", times: int = 1) -> list[Pair]:
    """Invented pairs, each ``times`` times."""
    return [
        Pair(
            id=f"p{number}-{copy}", text1=text1, text2=text2, label=label, lang=lang, source="kitchen", group=f"g{copy}"
        )
        for copy in range(times)
        for number, (text1, text2, label) in enumerate(texts)
    ]


def judged(project: Project) -> None:
    """Put seven pairs into a project that two people judged; they disagree on two, of which the team decided one."""
    put(project, Document(id="d1", text="A kettle.", lang="en", source="kitchen", licence="CC0-1.0", consent="yes"))
    common = {"scheme": "turku", "batch": "double", "purpose": "agreement", "guideline": "turku@0"}
    for number, pair in enumerate(pairs()):
        put(project, Pair(id=pair.id, text1=pair.text1, text2=pair.text2, lang="en", source="kitchen"))
        for name in ("anna", "ben"):
            value = "3" if name == "ben" and number in (0, 2) else pair.label
            time = f"2026-03-0{number + 1}T09:00:00.000+00:00"
            put(
                project,
                Judgement(id=f"{name}-{number}", pair=pair.id, value=value, annotator=name, time=time, **common),
            )
    team = {"scheme": "turku", "kind": "consensus", "time": "2026-03-09T09:00:00.000+00:00"}
    put(project, Judgement(id="team", pair="p0-0", value="4", **team))


class Elements(HTMLParser):
    """All elements of a page with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        """The attributes of every element of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def check_page(folder: Path) -> Elements:
    """All links lead somewhere, nothing is fetched, there is no script, ids are unique."""
    html = (folder / "index.html").read_text(encoding="utf-8")
    parsed = Elements(html)
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in parsed.all("a"):
        target = link["href"]
        assert target[1:] in ids if target.startswith("#") else (folder / target).is_file(), target
    loading = {"script", "img", "link", "iframe", "object", "embed", "audio", "video", "source", "image", "use"}
    assert not loading & {tag for tag, _ in parsed.elements}
    assert not any(name.startswith("on") for _, attributes in parsed.elements for name in attributes)
    assert "@import" not in html
    assert "url(http" not in html
    return parsed


def drawn(sheet: Sheet) -> Elements:
    """The page of a sheet that has no files."""
    return Elements(page(sheet, Files()))
