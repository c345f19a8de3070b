"""The people of the tests and what they work on: pairs written for it, in several scripts, with their documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
from sqlalchemy import insert
from starlette.testclient import TestClient

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.project import now
from otherwords.records import Document, DocumentPair, Pair, Passage
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.sessions import open_session

PEOPLE = {"ada": "admin", "carl": "curator", "anna": "annotator", "ben": "annotator", "wim": "worker"}
TEXTS = [
    ("en", "The ferry was late again this morning.", "Once more the boat did not come on time today."),
    ("en", "Nobody had told her about the dinner.", "She knew nothing of the meal."),
    ("fi", "Lautta myöhästyi taas tänä aamuna.", "Laiva ei tullut ajoissa tänäänkään."),
    ("ja", "今朝もフェリーが遅れました。", "フェリーは今朝もまた遅刻だった。👍🏽"),
    ("ar", "تأخرت العبّارة مرة أخرى هذا الصباح.", "لم تصل العبّارة في موعدها اليوم أيضًا."),
    ("en", "They danced 👨‍👩‍👧‍👦 until the café closed.", "The dancing went on till the cafe\u0301 shut its doors 🇫🇮."),
    ("en", "It rained for three days.", "For three days the rain did not stop."),
    ("en", "He sold the house to his sister.", "His sister bought the house from him."),
]

# The stories around the two texts of each pair: title, what comes before and what after. All have a character beyond
# the first plane before the passage, so that code points and UTF-16 units differ.
STORIES = [
    (
        ("Island diary", "It rained from first light 🌧. ", " We still made it to school in time."),
        ("On the quay", "There was a strong wind 🌧. ", " We stood there for a whole hour."),
    ),
    (
        ("The surprise", "Her brother had cooked all day 🍲. ", " She came home late, with a pizza under her arm."),
        ("Eight plates", "The table was laid for eight 🍲. ", " When the bell rang, she was in the bath."),
    ),
    (
        ("Saaripäiväkirja", "Aamu alkoi taas sateella 🌧. ", " Ehdimme silti kouluun ajoissa."),
        ("Laiturilla", "Rannassa tuuli kovaa 🌧. ", " Seisoimme laiturilla kokonaisen tunnin."),
    ),
    (
        ("島の日記", "雨の朝でした🌧。", "それでも学校には間に合いました。"),
        ("桟橋で", "港は風が強かった🌧。", "桟橋で一時間待った。"),
    ),
    (
        ("يوميات الجزيرة", "كان الصباح ممطرًا 🌧. ", " ومع ذلك وصلنا إلى المدرسة."),
        ("على الرصيف", "كانت الريح قوية في الميناء 🌧. ", " وقفنا على الرصيف ساعة كاملة."),
    ),
    (
        ("Midsummer", "The band had come from the city 🎻. ", " Then everybody helped to carry the chairs."),
        ("A long evening", "It was a warm night 🎻. ", " The neighbours slept badly."),
    ),
    (
        ("High water", "The river rose quickly 🌊. ", " On the fourth, the bridge was closed."),
        ("A wet summer", "Nobody had expected such a summer 🌊. ", " The bridge stayed closed for a week."),
    ),
    (
        ("Moving out", "He wanted to live nearer to the sea 🏡. ", " The boat he kept."),
        ("Moving in", "She had always liked the garden 🏡. ", " They still share the boat."),
    ),
]


def story(name: str) -> str:
    """The text of the document around one text of a pair, such as ``0a``."""
    number, side = int(name[:-1]), "ab".index(name[-1])
    _, before, after = STORIES[number][side]
    return f"{before}{TEXTS[number][1 + side]}{after}"


def seat(project: Project) -> None:
    """Put the people, some documents and pairs, and two batches into a project."""
    with project.ledger.writing() as connection:
        people = [
            {"name": name, "role": role, "password": None, "state": "active", "settings": {}, "created": now()}
            for name, role in PEOPLE.items()
        ]
        connection.execute(insert(schema.accounts), people)
        documents, pairs = corpus()
        connection.execute(insert(schema.documents), [row_of(document, import_id=None) for document in documents])
        about = {"import_id": None, "step": None, "step_key": None, "state": None}
        connection.execute(insert(schema.pairs), [row_of(pair, **about) for pair in pairs])
        forum = DocumentPair(id="dp1", doc1="d0a", doc2="d0b", method="forum", status="candidate", similarity=0.5)
        news = DocumentPair(id="dp2", doc1="d5a", doc2="d5b", method="news", status="candidate", similarity=0.6)
        rows = [row_of(document_pair, step=None, step_key=None) for document_pair in (forum, news)]
        connection.execute(insert(schema.document_pairs), rows)
        insert_batch(connection, "first", [BatchItem(pair.id) for pair in pairs], scheme="turku", author="carl")
        double = BatchRules(people=["anna", "ben"], context=False, own=False)
        items = [BatchItem(pair.id) for pair in pairs[:2]]
        insert_batch(
            connection, "double", items, scheme="turku", asked=2, purpose="agreement", rules=double, author="carl"
        )


def corpus() -> tuple[list[Document], list[Pair]]:
    """A document around each text, and the pairs with their passages."""
    documents, pairs = [], []
    for number, (lang, text1, text2) in enumerate(TEXTS):
        passages = []
        for side, text in (("a", text1), ("b", text2)):
            whole = story(f"{number}{side}")
            name = f"d{number}{side}"
            meta = {"title": STORIES[number]["ab".index(side)][0]}
            documents.append(Document(id=name, text=whole, lang=lang, source="stories", licence="CC BY 4.0", meta=meta))
            start = whole.index(text)
            passages.append(Passage(id=name, start=start, end=start + len(text)))
        first, two = passages
        pair = Pair(id=f"p{number}", text1=text1, text2=text2, lang=lang, source="stories", doc1=first, doc2=two)
        pairs.append(pair)
    return documents, pairs


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a browser: a session in a cookie, and the CSRF token of their pages."""

    client: TestClient
    name: str
    secret: str
    csrf: str

    @property
    def cookie(self) -> str:
        """The name of the cookie of a session on this site."""
        return str(self.client.app.state.site.cookie)  # type: ignore[attr-defined]

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request as this person."""
        headers = {"x-csrf-token": self.csrf, "cookie": f"{self.cookie}={self.secret}", **options.pop("headers", {})}
        return self.client.request(method, path, headers=headers, **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("PUT", path, **options)


def logged_in(client: TestClient, name: str) -> Person:
    """A session of somebody, without the login page."""
    site = client.app.state.site  # type: ignore[attr-defined]
    with site.ledger.writing() as connection:
        secret, csrf = open_session(connection, account_of(connection, name))
    return Person(client, name, secret, csrf)
