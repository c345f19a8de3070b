"""The nearest sentences: who may look for them, what is never found, and candidates that are there once."""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from starlette.testclient import TestClient

from otherwords.mining.mine import MineRequest, mine_pairs
from otherwords.project import open_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Pair
from otherwords.sources.source import ReadLog
from otherwords.web.app import make_app
from otherwords.web.searches import MOST_SEARCHES, Searches
from tests.errors import raises
from tests.web.people import TEXTS, Person, logged_in

API = "/api/v1/nearest"
PAGE = {"accept": "text/html"}
FERRY = "The ferry was late this morning."
POOL = ["The ferry is late every morning.", "The shop opens at nine.", "Rain fell on the harbour <b>all</b> day."]
Open = Callable[..., "Person"]


@pytest.fixture
def pooled(filled: Path, tmp_path: Path) -> Path:
    """The project with a mined pool in it."""
    (tmp_path / "harbour.txt").write_text("\n".join(POOL), encoding="utf-8")
    out = filled / "mined" / "harbour"
    mine_pairs(MineRequest(paths=(str(tmp_path / "harbour.txt"),), out=str(out), encoder="tfidf"), ReadLog())
    return filled


@pytest.fixture
def opened(filled: Path) -> Iterator[Open]:
    """Somebody on the site of the project, whose settings get some more lines."""
    clients: list[Any] = []

    def log_in(name: str, settings: str = "") -> Person:
        if not clients:
            with (filled / CONFIG_FILE).open("a", encoding="utf-8") as stream:
                stream.write(f'\n[nearest]\nencoder = "tfidf"\n{settings}\n')
            app = make_app(filled, address="http://testserver")
            clients.append(TestClient(app, base_url="http://testserver", follow_redirects=False))
            clients[0].__enter__()
            app.state.site.searches._patience = 30.0
        return logged_in(clients[0], name)

    yield log_in
    for client in clients:
        client.__exit__(None, None, None)


def found(person: Person, text: str = FERRY, **query: Any) -> list[dict[str, Any]]:
    answer = person.get(API, params={"text": text, **query})
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["rows"]
    return rows


def pairs_of(folder: Path, method: str = "search") -> list[Any]:
    with open_project(folder) as project, project.ledger.reading() as connection:
        return connection.execute(select(schema.pairs).where(schema.pairs.c.method == method)).mappings().all()


def test_the_nearest_of_the_corpus_as_page_json_and_csv(opened: Open) -> None:
    carl = opened("carl")
    first = found(carl)[0]
    assert (first["text"], first["pair"], first["rank"]) == (TEXTS[0][1], "p0", 1)
    assert 0.5 < first["similarity"] < 1
    html = carl.get("/nearest", params={"text": FERRY}, headers=PAGE).text
    assert TEXTS[0][1] in html
    assert "/pairs/p0" in html
    rows = list(csv.DictReader(io.StringIO(carl.get("/nearest.csv", params={"text": FERRY}).text)))
    assert [row["text"] for row in rows] == [
        row["text"] for row in carl.get("/nearest.json", params={"text": FERRY}).json()["rows"]
    ]
    pages = [found(carl, most=3, after=after) for after in (0, 3)]
    assert [row["rank"] for page in pages for row in page] == [1, 2, 3, 4, 5, 6]


def test_only_texts_and_similarities_are_shown(opened: Open) -> None:
    row = found(opened("carl"))[0]
    assert not {"label", "labels", "scores", "method", "judgements"} & row.keys()


def test_annotators_search_only_where_the_project_lets_them(opened: Open) -> None:
    anna = opened("anna")
    assert anna.get(API, params={"text": FERRY}).status_code == 403
    assert 'href="/nearest"' not in anna.get("/", headers=PAGE).text


def test_an_annotator_finds_no_sentence_of_a_pair_that_waits_for_judgements(opened: Open, pooled: Path) -> None:
    anna, carl = opened("anna", 'role = "annotator"'), opened("carl")
    assert 'href="/nearest"' in anna.get("/", headers=PAGE).text
    assert found(carl)[0]["pair"] == "p0"  # which is in the batch that anna and ben have to judge
    assert not {"p0", "p1"} & {row["pair"] for row in found(anna, most=100)}
    assert "p7" in {row["pair"] for row in found(anna, most=100)}
    assert anna.get(API, params={"text": FERRY, "where": "harbour"}).status_code == 403
    body = {"text": FERRY, "neighbour": TEXTS[6][1]}
    assert anna.post(f"{API}/candidates", json=body).status_code == 403


def test_a_pool_is_searched_and_its_texts_are_escaped(opened: Open, pooled: Path) -> None:
    carl = opened("carl")
    first = found(carl, where="harbour")[0]
    assert (first["text"], first["place"], first["copies"]) == (POOL[0], "harbour.txt:1", 1)
    html = carl.get("/nearest", params={"text": "Rain all day", "where": "harbour"}, headers=PAGE).text
    assert "&lt;b&gt;all" in html
    assert "<b>all" not in html
    missing = carl.get(API, params={"text": FERRY, "where": "../harbour"})
    assert (missing.status_code, missing.json()["code"]) == (404, "no-such-pool")


def test_a_candidate_is_added_once_with_its_origin(opened: Open, filled: Path) -> None:
    carl = opened("carl")
    body = {"text": FERRY, "neighbour": TEXTS[0][1]}
    answers = [carl.post(f"{API}/candidates", json=body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [answer.json()["added"] for answer in answers] == [True, False]
    turned = carl.post(f"{API}/candidates", json={"text": TEXTS[0][1], "neighbour": TEXTS[0][2]}).json()
    assert turned == {"id": "p0", "added": False}
    [pair] = pairs_of(filled)
    assert (pair["text1"], pair["text2"], pair["doc2"]) == (FERRY, TEXTS[0][1], "d0a")
    assert pair["meta"] == {"annotator": "carl", "made": {"original": "p0"}}
    assert 0.5 < pair["scores"]["cosine"] < 1
    assert found(carl)[0]["candidate"] is None  # the sentence itself, which is in the corpus now
    assert found(carl)[1]["candidate"] == pair["id"]


def test_a_candidate_of_a_pool_says_where_it_is_from(opened: Open, pooled: Path) -> None:
    carl = opened("carl")
    row = found(carl, where="harbour")[0]
    body = {"text": FERRY, "neighbour": row["text"], "where": "harbour", "row": row["row"]}
    assert carl.post(f"{API}/candidates", json=body).json()["added"]
    [pair] = pairs_of(pooled)
    assert pair["meta"]["made"] == {"pool": "harbour", "place": "harbour.txt:1"}
    invented = carl.post(f"{API}/candidates", json={**body, "neighbour": "An invented sentence."})
    assert (invented.status_code, invented.json()["code"]) == (404, "no-such-sentence")


def test_the_form_adds_a_candidate_without_a_script(opened: Open, filled: Path) -> None:
    carl = opened("carl")
    fields = {"csrf": carl.csrf, "text": FERRY, "neighbour": TEXTS[0][1], "where": "corpus", "row": ""}
    answer = carl.post("/nearest/candidates", data=fields)
    assert answer.status_code == 303
    assert "candidate ✓" in carl.get(answer.headers["location"], headers=PAGE).text
    same = carl.post("/nearest/candidates", data=fields | {"neighbour": FERRY.upper()})
    assert same.status_code == 422
    assert "both sentences are the same" in same.text
    assert len(pairs_of(filled)) == 1


def test_withdrawn_words_are_found_nowhere_and_do_not_come_back(opened: Open, filled: Path) -> None:
    carl = opened("carl")
    assert carl.post(f"{API}/candidates", json={"text": FERRY, "neighbour": TEXTS[0][1]}).json()["added"]
    with open_project(filled) as project:
        withdraw(project, "d0a")
    texts = {row["text"] for row in found(carl, most=100)}
    assert not texts & {TEXTS[0][1], TEXTS[0][2], FERRY}  # the candidate was made of the document
    assert TEXTS[7][1] in texts
    again = carl.post(f"{API}/candidates", json={"text": FERRY, "neighbour": TEXTS[0][1]})
    assert again.status_code == 404


def test_a_pool_with_withdrawn_words_is_deleted_and_others_stay(opened: Open, pooled: Path, tmp_path: Path) -> None:
    carl = opened("carl")
    (tmp_path / "story.txt").write_text(f"{POOL[1]}\n{TEXTS[0][1]}\n", encoding="utf-8")
    out = pooled / "mined" / "story"
    mine_pairs(MineRequest(paths=(str(tmp_path / "story.txt"),), out=str(out), encoder="tfidf"), ReadLog())
    assert found(carl, where="story")[0]["text"] == TEXTS[0][1]
    with open_project(pooled) as project:
        result = withdraw(project, "d0a")
    assert result.erased["mined pools"] == 1
    assert carl.get(API, params={"text": FERRY, "where": "story"}).status_code == 404
    assert found(carl, where="harbour")[0]["text"] == POOL[0]


def test_withdrawing_a_pair_withdraws_candidates_of_both_its_sides(opened: Open, filled: Path) -> None:
    carl = opened("carl")
    with open_project(filled) as project, project.ledger.writing() as connection:
        for name in ("a", "b"):
            pair = Pair(id=f"q{name}", text1=f"The harbour {name} is closed.", text2=f"Closed is harbour {name}.")
            connection.execute(insert(schema.pairs).values(**row_of(pair)))
    body = {"text": "The harbour a is closed.", "neighbour": "Closed is harbour b."}
    assert carl.post(f"{API}/candidates", json=body).json()["added"]
    with open_project(filled) as project:
        withdraw(project, "qa")
    assert pairs_of(filled)[0]["text2"] == ""


def test_new_pairs_are_found(opened: Open, filled: Path) -> None:
    carl = opened("carl")
    found(carl)
    with open_project(filled) as project, project.ledger.writing() as connection:
        pair = Pair(id="new", text1=FERRY, text2="Another one.")
        connection.execute(insert(schema.pairs).values(**row_of(pair)))
    assert found(carl)[0]["pair"] == "new"


def test_a_long_sentence_is_refused_with_a_sentence(opened: Open) -> None:
    carl = opened("carl")
    answer = carl.get(API, params={"text": "x" * 60_000})
    assert (answer.status_code, answer.json()["code"]) == (422, "sentence-too-long")
    answer = carl.post(f"{API}/candidates", json={"text": "x" * 10**6, "neighbour": TEXTS[0][1]})
    assert (answer.status_code, answer.json()["code"]) == (422, "sentence-too-long")
    page = carl.get("/nearest", params={"text": "x" * 1001}, headers=PAGE)
    assert page.status_code == 422
    assert "at most 1,000 characters, not 1,001" in page.text
    assert carl.get(API, params={"text": "\0"}).status_code == 422


def test_empty_states_say_what_to_do(opened: Open, filled: Path) -> None:
    html = opened("carl").get("/nearest", headers=PAGE).text
    assert "No pool has been mined yet" in html
    assert re.search(r"otherwords mine FILES --lang \w+ --out PROJECT/mined/NAME", html)


def test_while_a_search_is_opened_the_page_says_so(opened: Open) -> None:
    carl = opened("carl")
    carl.client.app.state.site.searches._patience = 0.0  # type: ignore[attr-defined]
    release = threading.Event()
    carl.client.app.state.site.searches.get("corpus", lambda progress: release.wait(), bool)  # type: ignore[attr-defined]
    page = carl.get("/nearest", params={"text": FERRY}, headers=PAGE).text
    assert "Getting ready" in page
    answer = carl.get(API, params={"text": FERRY})
    assert (answer.status_code, answer.json()["loading"]) == (202, True)
    assert carl.get("/nearest.csv", params={"text": FERRY}).json()["code"] == "search-loading"
    release.set()


def test_a_search_that_cannot_be_opened_says_why_and_is_tried_again() -> None:
    searches, tries = Searches(30.0), []

    def fail(progress: object) -> int:
        tries.append(1)
        if len(tries) == 1:
            raise RuntimeError("no disk")
        return 7

    with pytest.raises(RuntimeError, match="no disk"):
        searches.get("corpus", fail, lambda result: True)
    assert [searches.get("corpus", fail, lambda result: True).result for _ in range(2)] == [7, 7]
    assert len(tries) == 2


def test_nobody_searches_too_often() -> None:
    searches = Searches()
    for _ in range(MOST_SEARCHES):
        searches.count("carl")
    with raises("too-many-searches"):
        searches.count("carl")
    searches.count("ada")
