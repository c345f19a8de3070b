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
            whole = f"😀 Before {number}. {text} And what came after."
            name = f"d{number}{side}"
            meta = {"title": f"Story {number}{side}"}
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

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request as this person."""
        headers = {"x-csrf-token": self.csrf, "cookie": f"otherwords={self.secret}", **options.pop("headers", {})}
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
