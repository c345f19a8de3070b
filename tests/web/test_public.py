"""The public site tells of released pairs and of nothing else: whatever is planted elsewhere comes up nowhere."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert
from starlette.testclient import TestClient

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.annotate.discussion.threads import add_remark
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.project import now
from otherwords.records import Document, Gold, Judgement, Pair, Passage
from otherwords.web.app import make_app

PLANTED = "zqx"
ABOUT = {"import_id": "zqx-import", "step": "zqx-step", "step_key": "zqx-key"}
DOCUMENTS = [
    Document(id="zqx-open", text="zqx document", source="zqx-press", licence="CC BY 4.0", meta={"title": "zqx title"}),
    Document(id="zqx-closed", text="zqx document", licence="all rights reserved"),
    Document(id="zqx-unknown", text="zqx document"),
]


def passage(document: str) -> Passage:
    return Passage(id=document, start=0, end=3)


SHOWN = Pair(
    id="shown",
    text1="The ferry was late.",
    text2="The boat did not come on time.",
    lang="en",
    source="press",
    group="harbour",
    method="extract",
    scores={"bleu": 0.25},
    doc1=passage("zqx-open"),
    doc2=passage("zqx-open"),
    gold=Gold(label="x", explanation="zqx gold"),
    meta={"annotator": "zqx-maker", "note": "zqx meta"},
)
FREE = Pair(
    id="free/one", text1="=1+1 ferry", text2="<b>ferry</b>", lang="en", source="press", label="3", licence="CC0"
)


def secret(name: str, **fields: Any) -> Pair:
    """A pair that nobody outside may see, with a word of the shown ones so that a search would find it."""
    texts = {"text1": f"zqx ferry {name}", "text2": "zqx boat", "source": f"zqx-{name}", "group": "zqx-group"}
    return Pair(id=name, lang="zq", method=f"zqx-{name}", scores={"zqx-measure": 0.5, "bleu": 0.5}, **texts | fields)


CLOSED = {"doc1": passage("zqx-open"), "doc2": passage("zqx-closed")}
SECRET = [
    secret("unreleased"),
    secret("removed"),
    secret("withdrawn"),
    secret("closed", **CLOSED),
    secret("closed-rewrite", rewrite_of="closed"),
    secret("unknown", doc1=passage("zqx-unknown"), doc2=passage("zqx-open")),
    secret("earlier"),
]


def put(connection: Connection) -> None:
    """A release of some pairs, and everything else that a ledger may hold."""
    connection.execute(insert(schema.documents), [row_of(document, import_id="zqx-import") for document in DOCUMENTS])
    rows = [row_of(pair, **ABOUT, state="removed" if pair.id == "removed" else None) for pair in (SHOWN, FREE, *SECRET)]
    connection.execute(insert(schema.pairs), rows)
    people = {
        "role": "curator",
        "password": "zqx-hash",
        "state": "active",
        "settings": {"zqx": "zqx"},
        "created": now(),
    }
    connection.execute(insert(schema.accounts), [{"name": name, **people} for name in ("zqx-anna", "zqx-ben")])
    judgement = Judgement(id="zqx-j1", pair="shown", value="4>", annotator="zqx-anna", scheme="turku", note="zqx note")
    more = {"unsure": True, "rewrites": [("zqx rewrite", "zqx rewrite")], "batch": "zqx-batch", "guideline": "zqx@1"}
    judgements = [Judgement(**{name: getattr(judgement, name) for name in judgement.__struct_fields__} | more)]
    judgements += [
        Judgement(id=f"zqx-{pair.id}", pair=pair.id, value="2", annotator="zqx-ben", scheme="turku") for pair in SECRET
    ]
    connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in judgements])
    insert_batch(
        connection,
        "zqx-batch",
        [BatchItem("shown")],
        scheme="turku",
        rules=BatchRules(people=["zqx-anna"]),
        author="zqx-ben",
    )
    for number, pair in enumerate((SHOWN, *SECRET)):
        add_remark(connection, "zqx-ben", "pair", pair.id, "zqx remark @zqx-anna", f"k{number}")
    guideline = {"scheme": "turku", "version": 1, "text": "zqx guideline", "author": "zqx-anna", "time": now()}
    connection.execute(insert(schema.guidelines).values(**guideline))
    stone = {"noun": "pair", "target": "withdrawn", "time": now(), "reason": "zqx reason"}
    connection.execute(insert(schema.tombstones).values(**stone))
    early = {"version": "0.9", "time": "2026-01-01", "licence": "CC0", "meta": {"zqx": "zqx"}}
    connection.execute(insert(schema.releases), [early, early | {"version": "1.0", "time": "2026-02-01"}])
    labels = {SHOWN.id: "4>", FREE.id: "3"}
    held = [
        {"version": "1.0", "pair": pair.id, "part": "train", "label": labels.get(pair.id, "zqx-label")}
        for pair in (SHOWN, FREE, *SECRET[1:-1])
    ]
    held.append({"version": "0.9", "pair": "earlier", "part": "train", "label": "zqx-label"})
    connection.execute(insert(schema.released_pairs), held)


@pytest.fixture
def public(folder: Path) -> Iterator[TestClient]:
    """The public site of that project."""
    with open_project(folder) as project, project.ledger.writing() as connection:
        put(connection)
    with TestClient(make_app(folder, public=True), base_url="http://testserver", follow_redirects=False) as client:
        yield client


FILTERS = [
    "",
    "query=ferry",
    "label=4&projection=base",
    "label=2",
    "source=press",
    "method=extract",
    "lang=en",
    "lang=zq",
    "group=harbour",
    "type=syn",
    "measure=bleu&low=0&high=1",
    "most=1",
    "most=1000",
    "after=0",
    "label=3s",
    "colour=red",
]
SEEN = ["shown", "free%2Fone"]
UNSEEN = [pair.id for pair in SECRET]


def addresses() -> Iterator[str]:
    """Every page, every twin and every part of the API, also of what is not there."""
    yield from ("/", "/api/v1/openapi.json", "/nothing", "/static/nothing")
    for path in ("/browse", "/browse.json", "/browse.csv", "/api/v1/pairs"):
        for query in FILTERS:
            yield f"{path}?{query}"
    for pair in SEEN + UNSEEN:
        for suffix in ("", ".json", ".csv"):
            yield f"/pairs/{pair}{suffix}"
        for part in ("", "/context", "/history", "/remarks"):
            yield f"/api/v1/pairs/{pair}{part}"


def test_nothing_that_is_not_public_is_in_any_answer(public: TestClient) -> None:
    for address in addresses():
        for accept in ("text/html", "application/json"):
            answer = public.get(address, headers={"accept": accept})
            assert answer.status_code < 500, address
            content = answer.text + str(answer.headers)
            assert PLANTED not in content.lower(), (address, re.findall(rf".{{30}}{PLANTED}.{{30}}", content, re.S)[:3])
            assert "set-cookie" not in answer.headers, address


def test_what_is_public_is_there(public: TestClient) -> None:
    start = public.get("/").text
    for part in ("English", "1.0", "CC0", "7"):
        assert part in start
    page = public.get("/browse").text
    assert "The ferry was late." in page
    assert "&lt;b&gt;ferry&lt;/b&gt;" in page
    shown = public.get("/pairs/shown.json").json()
    expected = {"label": "4>", "licences": ["CC BY 4.0"], "part": "train", "version": "1.0", "scores": {"bleu": 0.25}}
    assert {name: shown[name] for name in expected} == expected
    assert public.get("/api/v1/pairs/shown").json() == shown
    for kind in ("json", "csv"):
        text = public.get(f"/browse.{kind}").text
        matches = re.findall(r"\b(shown|free/one)\b", text)
        assert sorted(set(matches)) == ["free/one", "shown"]
    rows = list(csv.DictReader(io.StringIO(public.get("/pairs/free%2Fone.csv").text)))
    assert [row["text1"] for row in rows] == ["'=1+1 ferry"]
    assert [row["id"] for row in public.get("/browse.json?query=ferry").json()["rows"]] == ["shown", "free/one"]


def test_the_rest_is_not_found(public: TestClient) -> None:
    for pair in [*UNSEEN, "none"]:
        for suffix in ("", ".json", ".csv"):
            assert public.get(f"/pairs/{pair}{suffix}").status_code == 404, pair
        assert public.get(f"/api/v1/pairs/{pair}").status_code == 404, pair
    assert public.get("/browse.json?query=zqx").json() == {"rows": [], "next": None}
    for path in (
        *("/login", "/logout", "/account", "/people", "/discussions", "/classify/zqx-batch", "/extract", "/triage"),
        *("/batches", "/guidelines", "/join/x", "/setup/x", "/reset/x", "/seeds", "/docs", "/redoc", "/openapi.json"),
        *("/api/v1/me", "/api/v1/discussions", "/api/v1/export/pairs.jsonl", "/api/v1/export/judgements.jsonl"),
        *("/api/v1/pairs/shown/history", "/api/v1/pairs/shown/remarks", "/api/v1/pairs/shown/context"),
    ):
        assert public.get(path).status_code == 404, path
    for path in ("/login", "/api/v1/judgements", "/api/v1/batches/zqx-batch/take", "/api/v1/slots/1/renew", "/logout"):
        assert public.post(path, json={}).status_code in (404, 405), path
    assert public.post("/api/v1/pairs/shown/remarks", json={"key": "k", "text": "hello"}).status_code in (404, 405)


def test_the_work_on_the_corpus_cannot_be_asked_for(public: TestClient) -> None:
    for query in ("annotator=zqx-anna", "batch=zqx-batch", "has=note"):
        for path in ("/browse", "/browse.json", "/browse.csv", "/api/v1/pairs"):
            assert public.get(f"{path}?{query}").status_code in (403, 422), (path, query)


def test_answers_may_be_kept_for_a_minute(public: TestClient) -> None:
    for path in (
        "/",
        "/browse",
        "/browse.json",
        "/browse.csv",
        "/pairs/shown",
        "/pairs/shown.json",
        "/pairs/shown.csv",
    ):
        assert public.get(path).headers["cache-control"] == "public, max-age=60", path
        assert "script-src 'self'" in public.get(path).headers["content-security-policy"]
    assert public.get("/static/site.css").status_code == 200
    assert public.get("/browse?label=3s").headers["cache-control"] == "no-store"


def test_without_a_release_nothing_is_shown(public: TestClient) -> None:
    with public.app.state.site.ledger.writing() as connection:  # type: ignore[attr-defined]
        connection.execute(delete(schema.releases))
    assert "Nothing has been released yet" in public.get("/").text
    assert "Nothing has been released yet" in public.get("/browse").text
    assert public.get("/browse.json").json() == {"rows": [], "next": None}
    assert public.get("/pairs/shown").status_code == 404
