"""Browsing the corpus: filters are addresses, rows are links, and the same comes as JSON and CSV."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable
from typing import Any

from sqlalchemy import delete, insert, update
from starlette.testclient import TestClient

from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
PAGE = {"accept": "text/html"}
ABOUT = {"import_id": None, "step": None, "step_key": None, "state": None}


def ledger(client: TestClient, *statements: Any) -> None:
    with client.app.state.site.ledger.writing() as connection:  # type: ignore[attr-defined]
        for statement in statements:
            connection.execute(statement)


def pair(name: str, **fields: Any) -> Any:
    texts = {"text1": f"One {name}.", "text2": f"Another {name}."} | fields
    return insert(schema.pairs).values(**row_of(Pair(id=name, **texts), **ABOUT))


def judgement_row(pair: str, value: Any, annotator: str = "anna") -> Any:
    judgement = Judgement(id=f"{pair}-{annotator}", pair=pair, value=value, annotator=annotator, scheme="turku")
    return insert(schema.judgements).values(**row_of(judgement))


def ids(person: Person, query: str = "", kind: str = "json") -> list[str]:
    """The pairs that a filter gives, by each of the three ways."""
    answer = person.get(f"/browse{'' if kind == 'html' else '.' + kind}?{query}", headers=PAGE)
    assert answer.status_code == 200, answer.text
    if kind == "json":
        return [row["id"] for row in answer.json()["rows"]]
    if kind == "csv":
        return [row["id"] for row in csv.DictReader(io.StringIO(answer.text))]
    return [html.unescape(name) for name in re.findall(r'<a class="permalink" href="[^"]*">([^<]*)</a>', answer.text)]


def corpus(client: TestClient) -> None:
    ledger(
        client,
        pair("plain", label="3", source="news & co", group="g1", method="import", scores={"bleu": 0.5, "chrf": 0.9}),
        pair("scored", label="4>s", source="films", lang="fi", scores={"bleu": 0.1}),
        judgement_row("p6", "4<"),
        judgement_row("p7", "2"),
        judgement_row("p7", "3", "ben"),
    )


FILTERS = [
    ("query=ferry", ["p0"]),
    ("query=FERRY+late", ["p0"]),
    ("query=%E3%83%95%E3%82%A7%E3%83%AA%E3%83%BC", ["p3"]),
    ("query=%22the+house%22", ["p7"]),
    ("label=4%3Es", ["scored"]),
    ("label=4&projection=base", ["p6", "scored"]),
    ("label=positive&projection=binary", ["p6", "plain", "scored"]),
    ("source=films", ["scored"]),
    ("source=news+%26+co&lang=", ["plain"]),
    ("lang=fi", ["p2", "scored"]),
    ("group=g1", ["plain"]),
    ("method=import", ["plain"]),
    ("measure=bleu", ["plain", "scored"]),
    ("measure=bleu&low=0.2", ["plain"]),
    ("measure=bleu&low=0&high=0.2", ["scored"]),
    ("has=judgement", ["p6", "p7"]),
    ("annotator=ben", ["p7"]),
    ("batch=double", ["p0", "p1"]),
    ("query=nothing+like+it", []),
]


def test_every_filter_in_every_way(client: TestClient, person: PersonNamed) -> None:
    corpus(client)
    for query, expected in FILTERS:
        for kind in ("json", "csv", "html"):
            assert ids(person("carl"), query, kind) == expected, (query, kind)


def test_the_api_tells_the_same(client: TestClient, person: PersonNamed) -> None:
    corpus(client)
    for query, _ in FILTERS:
        assert person("carl").get(f"/api/v1/pairs?{query}").json() == person("carl").get(f"/browse.json?{query}").json()


def test_everything_is_a_link(client: TestClient, person: PersonNamed) -> None:
    corpus(client)
    page = person("carl").get("/browse?query=one").text
    links = [html.unescape(link) for link in re.findall(r'href="([^"]*)"', page)]
    for link in (
        "/pairs/plain",
        "/browse?query=one&source=news+%26+co",
        "/browse?query=one&label=4%3Es",
        "/browse?query=one&group=g1",
        "/browse?query=one&method=import",
        "/browse?query=one&measure=bleu",
        "/browse?query=one&label=4&projection=base",
        "/browse.csv?query=one&most=1000",
    ):
        assert link in links
        assert person("carl").get(link).status_code == 200, link


def test_the_fields_suggest_what_there_is(client: TestClient, person: PersonNamed) -> None:
    corpus(client)
    ledger(client, pair("gone", source="old films"), *(pair(f"n{number:03}", source="news") for number in range(5)))
    page = person("carl").get("/browse").text
    offered = {
        name: re.findall(r'value="([^"]*)"', values) for name, values in re.findall(r'id="(\w+)-names">(.*)<', page)
    }
    assert offered["source"] == ["films", "news", "news &amp; co", "old films", "stories"]
    assert (offered["method"], offered["lang"]) == (["import"], ["ar", "en", "fi", "ja"])
    assert offered["measure"] == ["bleu", "chrf"]
    assert "4&gt;is" in offered["label"]


def test_paging_meets_every_pair_once(client: TestClient, person: PersonNamed) -> None:
    ledger(client, *(pair(f"n{number:02}") for number in range(20)))
    for kind in ("json", "csv"):
        ids, path = [], f"/browse.{kind}?most=7&lang="
        while path:
            answer = person("anna").get(path)
            text = answer.text
            ids += (
                [row["id"] for row in answer.json()["rows"]]
                if kind == "json"
                else [row["id"] for row in csv.DictReader(io.StringIO(text))]
            )
            link = re.match(r'<(.*)>; rel="next"', answer.headers.get("link", ""))
            path = link[1] if link else ""
        assert ids == [f"p{number}" for number in range(8)] + [f"n{number:02}" for number in range(20)]
    ids, path = [], "/browse?most=7"
    while path:
        page = person("anna").get(path).text
        ids += re.findall(r'<a class="permalink" href="[^"]*">([^<]*)</a>', page)
        more = re.search(r'id="more" href="([^"]*)"', page)
        path = html.unescape(more[1]) if more else ""
    assert len(ids) == len(set(ids)) == 28


def test_what_one_has_still_to_judge_is_hidden(client: TestClient, person: PersonNamed) -> None:
    corpus(client)
    ledger(client, update(schema.pairs).where(schema.pairs.c.id == "p0").values(label="4", scores={"bleu": 0.7}))
    anna, carl = person("anna"), person("carl")
    rows = {row["id"]: row for row in anna.get("/browse.json").json()["rows"]}
    assert (rows["p0"]["hidden"], rows["p0"]["label"], rows["p0"]["scores"]) == (True, None, None)
    assert (rows["p6"]["hidden"], rows["p6"]["label"]) == (False, "4<")  # she judged it herself
    assert "p0" not in ids(anna, "label=4&projection=base")
    assert "p0" in ids(carl, "label=4&projection=base")
    page = anna.get("/browse").text
    assert "hidden" in page
    assert "0.700" not in page
    assert "0.700" in carl.get("/browse").text


def test_only_curators_ask_who_judged(client: TestClient, person: PersonNamed) -> None:
    corpus(client)
    for path in ("/browse.json", "/browse.csv", "/browse", "/api/v1/pairs"):
        assert person("anna").get(f"{path}?annotator=ben").status_code == 403, path
    assert "Judged by" not in person("anna").get("/browse").text
    assert "Judged by" in person("carl").get("/browse").text
    for path in ("/browse", "/browse.json", "/browse.csv", "/pairs/p0", "/pairs/p0.json", "/discussions"):
        assert person("wim").get(path).status_code == 403, path
        assert client.get(path).status_code == 401, path
        assert client.get(path, headers=PAGE).status_code == (401 if path.endswith(("json", "csv")) else 303), path


BAD = [
    "label=3s",
    "label=3s",
    "projection=some",
    "has=everything",
    "low=1",
    "measure=bleu&low=much",
    "measure=bleu&low=1&high=0",
    "measure=a%22b",
    "source=a%00b",
    "source=" + "x" * 501,
    "query=" + "x" * 2001,
    "query=" + "+".join(f"w{number}" for number in range(40)),
    "colour=red",
    "after=-1",
    f"after={10**30}",
    "after=x",
    "most=0",
    "most=1001",
]


def test_nonsense_is_refused_with_a_sentence(person: PersonNamed) -> None:
    carl = person("carl")
    for query in BAD:
        for path in ("/browse.json", "/browse.csv", "/api/v1/pairs"):
            answer = carl.get(f"{path}?{query}")
            assert answer.status_code == 422, (path, query)
            assert answer.json()["error"]
        assert carl.get(f"/browse?{query}", headers=PAGE).status_code == 422, query
    page = carl.get("/browse?label=3s&source=stories", headers=PAGE).text
    assert 'role="alert"' in page
    assert 'value="stories"' in page  # the query stays in the form, to be corrected


def test_odd_queries_are_no_trouble(person: PersonNamed) -> None:
    for query in (
        "query=%00",
        "query=%22",
        "query=a%22%20OR%20b*",
        "query=%F0%9F%98%80",
        "query=-",
        "query=%25",
        "query=x&x=",
    ):
        status = 422 if query.endswith("x=") else 200
        for path in ("/browse", "/browse.json", "/browse.csv"):
            assert person("carl").get(f"{path}?{query}").status_code == status, (path, query)


def test_a_spreadsheet_works_nothing_out(client: TestClient, person: PersonNamed) -> None:
    ledger(client, pair("=1+1", text1='=HYPERLINK("http://x")', text2="@SUM(A1)\n+2", source="-1", group="\tx"))
    answer = person("carl").get("/browse.csv?source=-1")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="pairs.csv"'
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert [row[name] for name in ("id", "text1", "text2", "source", "group")] == [
        "'=1+1",
        '\'=HYPERLINK("http://x")',
        "'@SUM(A1)\n+2",
        "'-1",
        "'\tx",
    ]
    assert person("carl").get("/pairs/%3D1%2B1.csv").text.splitlines()[1].count("'=1+1") == 1


def test_an_empty_page_says_what_to_do(client: TestClient, person: PersonNamed) -> None:
    assert "Leave out one of the filters" in person("carl").get("/browse?source=none").text
    ledger(client, delete(schema.pairs))
    assert "otherwords import" in person("carl").get("/browse").text


def test_a_short_page_that_goes_on_says_so(client: TestClient, person: PersonNamed, monkeypatch: Any) -> None:
    ledger(client, *(pair(f"n{number}") for number in range(5)), pair("rare", label="1"))
    monkeypatch.setattr("otherwords.annotate.browse.paging.MAX_ROWS_READ", 2)
    monkeypatch.setattr("otherwords.annotate.browse.paging.ROWS_A_BLOCK", 2)
    page = person("carl").get("/browse?label=1&most=2").text
    assert "Look further" in page
    assert "No pair fits among those looked at so far" in page


def test_the_page_of_a_pair(client: TestClient, person: PersonNamed) -> None:
    corpus(client)
    rewrite = Pair(id="better", text1="Better one.", text2="Better two.", rewrite_of="plain", method="rewrite")
    source = {"id": "i1", "kind": "pairs", "path": "/home/somebody/secret/news.jsonl", "sha256": "", "options": {}}
    about = {"state": "done", "counts": {}, "started": "2026-01-01", "finished": None}
    ledger(
        client,
        insert(schema.pairs).values(**row_of(rewrite, **ABOUT)),
        insert(schema.imports).values(**source, **about),
        update(schema.pairs).where(schema.pairs.c.id == "plain").values(import_id="i1", step="mine", step_key="k" * 40),
    )
    page = person("carl").get("/pairs/plain").text
    for part in (
        "One plain.",
        "Another plain.",
        "bleu",
        "0.5000",
        "news.jsonl",
        "mine",
        "Better two.",
        "/pairs/better",
    ):
        assert part in page, part
    assert "/home/somebody" not in page
    assert "Rewritten from" in person("carl").get("/pairs/better").text
    documents = person("carl").get("/pairs/p0").text
    for part in ("Island diary", "On the quay", "first", "double"):
        assert part in documents, part
    reply = person("carl").get("/pairs/plain.json").json()
    assert reply == person("carl").get("/api/v1/pairs/plain").json()
    assert [row["id"] for row in reply["rewrites"]] == ["better"]
    rows = list(csv.DictReader(io.StringIO(person("carl").get("/pairs/plain.csv").text)))
    assert [row["id"] for row in rows] == ["plain", "better"]
    for path in ("/pairs/none", "/pairs/none.json", "/pairs/none.csv", "/pairs/"):
        assert person("carl").get(path).status_code == 404, path


def test_a_hidden_pair_keeps_its_secrets_on_its_page(client: TestClient, person: PersonNamed) -> None:
    ledger(
        client,
        update(schema.pairs)
        .where(schema.pairs.c.id == "p0")
        .values(
            label="4",
            method="secret-method",
            step="secret-step",
            scores={"secret-score": 0.25},
            import_id="secret-import",
        ),
        judgement_row("p0", "4", "ben"),
    )
    for path in ("/pairs/p0", "/pairs/p0.json", "/pairs/p0.csv", "/api/v1/pairs/p0"):
        answer = person("anna").get(path)
        assert answer.status_code == 200
        assert "secret" not in answer.text, path
        assert "double" not in answer.text, path
        assert "ben" not in answer.text, path


def test_the_queue_of_discussions(person: PersonNamed) -> None:
    carl, ada = person("carl"), person("ada")
    assert "Nothing is being discussed" in carl.get("/discussions").text
    for number, text in enumerate(("About this", "=2+2 @carl")):
        carl_or_ada = ada if "@" in text else carl
        carl_or_ada.post(f"/api/v1/pairs/p{number}/remarks", json={"key": f"k{number}", "text": text})
    page = carl.get("/discussions").text
    assert page.index("/pairs/p1#discussion") < page.index("/pairs/p0#discussion")
    assert "calls you" in page
    assert [thread["item"] for thread in carl.get("/discussions.json").json()["threads"]] == ["p1", "p0"]
    rows = list(csv.DictReader(io.StringIO(carl.get("/discussions.csv").text)))
    assert [row["snippet"] for row in rows] == ["'=2+2 @carl", "About this"]
    assert "Nothing is being discussed" in person("anna").get("/discussions").text  # she has judged neither
