"""What the API tells of a pair, and to whom: its documents, its judgements, its discussion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import insert, update
from starlette.testclient import TestClient

from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import DocumentPair, Judgement, Pair
from tests.web.people import STORIES, TEXTS, Person

PersonNamed = Callable[[str], Person]
API = "/api/v1"


def judge(person: Person, batch: str, pair: str, value: str, note: str | None = None) -> str:
    """Somebody judges a pair of a batch; its new judgement."""
    taken = person.post(f"{API}/batches/{batch}/take?count=8").json()
    (slot,) = [task["slot"] for task in taken if task["pair"] == pair]
    body = {"key": f"{batch}-{pair}", "slot": slot, "value": value, "seconds": 1.0, "note": note}
    saved = person.post(f"{API}/judgements", json=body)
    assert saved.status_code == 201, saved.text
    return str(saved.json()["id"])


def ledger(client: TestClient, *statements: Any) -> None:
    with client.app.state.site.ledger.writing() as connection:  # type: ignore[attr-defined]
        for statement in statements:
            connection.execute(statement)


def judgement_row(name: str, pair: str, value: Any, annotator: str | None, **fields: Any) -> Any:
    judgement = Judgement(id=name, pair=pair, value=value, annotator=annotator, scheme="turku", **fields)
    return insert(schema.judgements).values(**row_of(judgement))


def remark(person: Person, pair: str, text: str, key: str = "k", action: str = "say") -> Any:
    return person.post(f"{API}/pairs/{pair}/remarks", json={"key": key, "action": action, "text": text})


def test_the_documents_around_a_pair(person: PersonNamed) -> None:
    documents = person("carl").get(f"{API}/pairs/p3/context").json()
    for side, text in (("doc1", TEXTS[3][1]), ("doc2", TEXTS[3][2])):
        around = documents[side]
        assert around["text"][around["start"] : around["end"]] == text
        title = STORIES[3][side == "doc2"][0]
        assert (around["title"], around["source"], around["lang"]) == (title, "stories", "ja")


def test_a_pair_without_documents_has_none(client: TestClient, person: PersonNamed) -> None:
    ledger(client, update(schema.pairs).where(schema.pairs.c.id == "p3").values(doc1=None, doc2=None))
    assert person("carl").get(f"{API}/pairs/p3/context").json() == {"doc1": None, "doc2": None}


def test_a_worker_sees_the_documents_of_what_they_hold(person: PersonNamed) -> None:
    wim, anna = person("wim"), person("anna")
    taken = {task["pair"]: task["slot"] for task in wim.post(f"{API}/batches/first/take?count=2").json()}
    assert wim.get(f"{API}/pairs/p0/context?slot={taken['p0']}").json()["doc1"]["id"] == "d0a"
    for path in ("p0/context", f"p1/context?slot={taken['p0']}", f"p0/context?slot={10**9}", "none/context"):
        answer = wim.get(f"{API}/pairs/{path}")
        assert answer.status_code == 403, path
        assert answer.json()["error"]
    assert anna.get(f"{API}/pairs/p0/context?slot={taken['p0']}").status_code == 403


def test_a_batch_that_hides_documents_hides_them_also_elsewhere(person: PersonNamed) -> None:
    anna = person("anna")
    assert anna.get(f"{API}/pairs/p0/context").status_code == 200  # nobody has given it to her yet
    slots = {task["pair"]: task["slot"] for task in anna.post(f"{API}/batches/double/take?count=2").json()}
    other = {task["pair"]: task["slot"] for task in anna.post(f"{API}/batches/first/take?count=2").json()}
    for path in ("p0/context", f"p0/context?slot={slots['p0']}", f"p0/context?slot={other['p0']}"):
        assert anna.get(f"{API}/pairs/{path}").status_code == 403, path
    judge(anna, "double", "p0", "4")
    assert anna.get(f"{API}/pairs/p0/context").status_code == 200
    assert anna.get(f"{API}/pairs/p0/context?slot={slots['p0']}").status_code == 403  # she may still change her answer


def test_documents_stay_hidden_when_a_pair_is_given_back(person: PersonNamed, client: TestClient) -> None:
    anna = person("anna")
    slots = {task["pair"]: task["slot"] for task in anna.post(f"{API}/batches/double/take?count=2").json()}
    assert anna.post(f"{API}/slots/{slots['p0']}/release").status_code == 204
    refused = anna.get(f"{API}/pairs/p0/context")
    assert (refused.status_code, refused.json()["code"]) == (403, "context-hidden")
    assert anna.get(f"{API}/pairs/p0").json()["origin"]["doc1"] is None
    judge(anna, "double", "p0", "4")
    assert anna.get(f"{API}/pairs/p0/context").status_code == 200
    assert anna.post(f"{API}/slots/{slots['p1']}/release").status_code == 204
    assert anna.get(f"{API}/pairs/p1/context").status_code == 403
    ledger(client, update(schema.batches).where(schema.batches.c.id == "double").values(state="closed"))
    assert anna.get(f"{API}/pairs/p1/context").status_code == 200


def test_documents_are_hidden_under_whatever_name_they_are_asked_for(person: PersonNamed, client: TestClient) -> None:
    anna = person("anna")
    documents = {"doc1": "d0a", "doc2": "d1b"}
    aligned = DocumentPair(id="dp", **documents, method="news", status="candidate")
    places = {f"{name}{side}": place for side in "12" for name, place in (("start", 0), ("end", 4))}
    other = Pair(id="other", text1="a", text2="b")
    no_origin = dict.fromkeys(("import_id", "step", "step_key", "state"))
    ledger(
        client,
        insert(schema.document_pairs).values(**row_of(aligned, step=None, step_key=None)),
        insert(schema.pairs).values(**row_of(other, **no_origin) | documents | places),
    )
    pages = (f"{API}/document-pairs/dp", f"{API}/pairs/other/context")
    assert [anna.get(page).status_code for page in pages] == [200, 200]
    slots = {task["pair"]: task["slot"] for task in anna.post(f"{API}/batches/double/take?count=2").json()}
    assert [anna.get(page).json().get("code") for page in pages] == ["context-hidden"] * 2
    for name in ("p0", "p1"):
        assert anna.post(f"{API}/slots/{slots[name]}/release").status_code == 204
    assert [anna.get(page).json().get("code") for page in pages] == ["context-hidden"] * 2
    for name in ("p0", "p1"):
        judge(anna, "double", name, "4")
    assert [anna.get(page).status_code for page in pages] == [200, 200]


def test_one_sees_others_judgements_after_ones_own(person: PersonNamed) -> None:
    anna, ben, carl = person("anna"), person("ben"), person("carl")
    judge(anna, "first", "p0", "4s", "a note of anna's")
    before = ben.get(f"{API}/pairs/p0/history").json()
    assert before == {"judgements": [], "note": "Others' judgements are shown when you have judged this pair."}
    (seen,) = carl.get(f"{API}/pairs/p0/history").json()["judgements"]
    assert (seen["annotator"], seen["value"], seen["note"], seen["stands"]) == ("anna", "4s", "a note of anna's", True)
    judge(ben, "double", "p0", "3")
    waiting = ben.get(f"{API}/pairs/p0/history").json()
    assert [judgement["annotator"] for judgement in waiting["judgements"]] == ["ben"]
    assert waiting["note"] == "Others' judgements are shown when all judgements are in."
    judge(anna, "double", "p0", "4")
    after = ben.get(f"{API}/pairs/p0/history").json()
    assert [judgement["annotator"] for judgement in after["judgements"]] == ["anna", "ben", "anna"]
    assert after["note"] is None


def test_what_was_taken_back_stays_in_the_history(person: PersonNamed) -> None:
    anna = person("anna")
    saved = judge(anna, "first", "p0", "4s")
    anna.post(f"{API}/judgements/{saved}/undo?key=back")
    history = anna.get(f"{API}/pairs/p0/history").json()["judgements"]
    assert [(judgement["value"], judgement["stands"]) for judgement in history] == [("4s", False), (None, False)]


def test_a_curator_does_not_see_what_they_have_to_judge(client: TestClient, person: PersonNamed) -> None:
    carl = person("carl")
    ledger(client, judgement_row("other", "p0", "3", "anna"), judgement_row("another", "p1", "3", "anna"))
    carl.post(f"{API}/batches/first/take?count=1")
    assert carl.get(f"{API}/pairs/p0/history").json()["judgements"] == []
    assert [judgement["value"] for judgement in carl.get(f"{API}/pairs/p1/history").json()["judgements"]] == ["3"]


def test_a_worker_has_only_their_own_part_of_a_history(client: TestClient, person: PersonNamed) -> None:
    wim = person("wim")
    assert wim.get(f"{API}/pairs/p0/history").status_code == 404
    judge(wim, "first", "p0", "4")
    ledger(client, judgement_row("other", "p0", "3", "anna"))
    history = wim.get(f"{API}/pairs/p0/history").json()
    assert [judgement["annotator"] for judgement in history["judgements"]] == ["wim"]
    assert history["note"] is None
    for path in ("p0/remarks", "p0", ""):
        assert wim.get(f"{API}/pairs/{path}".rstrip("/")).status_code == 403, path
    assert remark(wim, "p0", "hello").status_code == 403
    assert wim.get(f"{API}/discussions").status_code == 403


def test_a_discussion_opens_with_the_judgements(person: PersonNamed) -> None:
    anna, ben, carl = person("anna"), person("ben"), person("carl")
    assert remark(carl, "p0", "Is @anna sure?").status_code == 201
    for refused in (anna.get(f"{API}/pairs/p0/remarks"), remark(anna, "p0", "yes")):
        assert (refused.status_code, refused.json()["error"]) == (
            403,
            "The discussion opens when you have judged this pair",
        )
    judge(anna, "double", "p0", "4")
    waiting = anna.get(f"{API}/pairs/p0/remarks")
    assert (waiting.status_code, waiting.json()["error"]) == (403, "The discussion opens when all judgements are in")
    assert anna.get(f"{API}/discussions").json() == {"threads": [], "next": None}
    judge(ben, "double", "p0", "4")
    thread = anna.get(f"{API}/pairs/p0/remarks").json()
    assert [(remark["author"], remark["action"], remark["text"]) for remark in thread["remarks"]] == [
        ("carl", "say", "Is @anna sure?")
    ]
    assert thread["open"] is True
    (waiting_for_her,) = anna.get(f"{API}/discussions").json()["threads"]
    assert (waiting_for_her["item"], waiting_for_her["mentions_me"]) == ("p0", True)


def test_say_resolve_and_reopen_once_each(person: PersonNamed) -> None:
    carl, ada = person("carl"), person("ada")
    first = remark(carl, "p2", "Is this one whole?", "a")
    assert remark(carl, "p2", "Is this one whole?", "a").json() == first.json()
    assert remark(carl, "p2", "Something else", "a").status_code == 409
    assert remark(ada, "p2", "", "b", "resolve").status_code == 201
    assert remark(ada, "p2", "", "b", "resolve").status_code == 201
    assert remark(carl, "p2", "", "c", "resolve").status_code == 409
    assert carl.get(f"{API}/pairs/p2/remarks").json()["open"] is False
    assert carl.get(f"{API}/discussions").json()["threads"] == []
    assert remark(carl, "p2", "", "d", "reopen").status_code == 201
    thread = carl.get(f"{API}/pairs/p2/remarks").json()
    assert ([remark["action"] for remark in thread["remarks"]], thread["open"]) == (["say", "resolve", "reopen"], True)


def test_document_pairs_are_discussed_as_well(person: PersonNamed) -> None:
    anna = person("anna")
    body = {"key": "k", "action": "say", "text": "The second one looks cut off."}
    assert anna.post(f"{API}/document-pairs/dp1/remarks", json=body).status_code == 201
    assert anna.get(f"{API}/document-pairs/dp1/remarks").json()["open"] is True
    (waiting,) = anna.get(f"{API}/discussions").json()["threads"]
    assert (waiting["unit"], waiting["item"]) == ("document_pair", "dp1")
    assert anna.get(f"{API}/document-pairs/none/remarks").status_code == 404


def test_the_queue_goes_on_page_by_page(person: PersonNamed) -> None:
    carl = person("carl")
    for number in range(5):
        remark(carl, f"p{number}", f"About {number}", f"k{number}")
    items, after = [], ""
    while True:
        queue = carl.get(f"{API}/discussions?most=2{after}").json()
        items += [thread["item"] for thread in queue["threads"]]
        if queue["next"] is None:
            break
        after = f"&after={queue['next']}"
    assert items == ["p4", "p3", "p2", "p1", "p0"]


BAD: list[tuple[str, str, Any, int]] = [
    ("GET", "pairs/none/context", None, 404),
    ("GET", "pairs/none/history", None, 404),
    ("GET", "pairs/none/remarks", None, 404),
    ("GET", "pairs/a%00b/context", None, 422),
    ("GET", "pairs/a%00b/history", None, 422),
    ("GET", "pairs/a%00b/remarks", None, 422),
    ("GET", "pairs/p0/context?slot=0", None, 422),
    ("GET", f"pairs/p0/context?slot={10**30}", None, 422),
    ("GET", "pairs/p0/context?slot=one", None, 422),
    ("GET", "discussions?most=0", None, 422),
    ("GET", "discussions?after=9.9", None, 422),
    ("GET", "discussions?after=%00", None, 422),
    ("POST", "pairs/none/remarks", {"key": "k", "text": "hello"}, 404),
    ("POST", "pairs/p0/remarks", {"key": "k", "text": " "}, 422),
    ("POST", "pairs/p0/remarks", {"key": "k", "text": "x" * 4001}, 422),
    ("POST", "pairs/p0/remarks", {"key": "k", "text": "a\0b"}, 422),
    ("POST", "pairs/p0/remarks", {"key": "", "text": "hello"}, 422),
    ("POST", "pairs/p0/remarks", {"key": "k" * 201, "text": "hello"}, 422),
    ("POST", "pairs/p0/remarks", {"key": "a\nb", "text": "hello"}, 422),
    ("POST", "pairs/p0/remarks", {"key": "k", "text": "hello", "author": "ben"}, 422),
    ("POST", "pairs/p0/remarks", {"key": "k", "action": "delete"}, 422),
    ("POST", "pairs/p0/remarks", {"key": "k", "action": "resolve"}, 404),
    ("POST", "pairs/p0/remarks", {"key": "k", "action": "resolve", "text": "done"}, 422),
    ("POST", "pairs/p0/remarks", ["k"], 422),
]


def test_bad_requests_are_refused_with_a_reason(person: PersonNamed) -> None:
    for method, path, body, status in BAD:
        answer = person("carl").ask(method, f"{API}/{path}", json=body)
        assert answer.status_code == status, (path, body, answer.text)
        assert answer.json()["error"]
    assert person("carl").get(f"{API}/discussions").json()["threads"] == []


def test_a_lone_surrogate_is_no_text(person: PersonNamed) -> None:
    body = b'{"key": "k", "text": "half \\ud83d"}'
    answer = person("carl").post(f"{API}/pairs/p0/remarks", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422


def test_removed_and_withdrawn_pairs_are_not_there(client: TestClient, person: PersonNamed) -> None:
    carl = person("carl")
    assert remark(carl, "p0", "About this one").status_code == 201
    assert remark(carl, "p1", "And that one", "k2").status_code == 201
    stone = {"noun": "pair", "target": "p1", "time": "2026-01-01", "reason": None}
    removed = update(schema.pairs).where(schema.pairs.c.id == "p0").values(state="removed")
    ledger(client, removed, insert(schema.tombstones).values(**stone))
    for pair in ("p0", "p1"):
        for part in ("/context", "/history", "/remarks", ""):
            assert carl.get(f"{API}/pairs/{pair}{part}").status_code == 404, (pair, part)
        assert remark(carl, pair, "again", "k3").status_code == 404
    assert carl.get(f"{API}/discussions").json()["threads"] == []


def test_an_id_may_have_slashes_and_blanks(client: TestClient, person: PersonNamed) -> None:
    ledger(client, update(schema.pairs).where(schema.pairs.c.id == "p3").values(id="a/b c?#%"))
    path = f"{API}/pairs/a%2Fb%20c%3F%23%25"
    assert person("carl").get(f"{path}/context").json()["doc1"]["id"] == "d3a"
    assert person("carl").get(f"{path}/history").status_code == 200
    assert remark(person("carl"), "a%2Fb%20c%3F%23%25", "Odd name").status_code == 201
    assert person("carl").get(path).json()["row"]["id"] == "a/b c?#%"


def test_how_a_candidate_was_made_is_for_curators_and_for_those_who_have_answered(
    client: TestClient, person: PersonNamed
) -> None:
    made = {"systems": ["apertium:en-es", "hf:<model>"], "range": "[0.6, 0.7)", "original": "p2"}
    pair = Pair(id="m1", text1="It is late.", text2="The hour is late.", lang="en", meta={"made": made})
    ledger(client, insert(schema.pairs).values(**row_of(pair, import_id=None, step=None, step_key=None, state=None)))
    carl, anna = person("carl"), person("anna")
    assert carl.get(f"{API}/pairs/m1").json()["made"] == made
    assert "hf:&lt;model&gt;" in carl.get("/pairs/m1").text
    assert anna.get(f"{API}/pairs/m1").json()["made"] is None
    assert "apertium" not in anna.get("/pairs/m1").text
    ledger(client, judgement_row("j-made", "m1", "4", "anna"))
    assert anna.get(f"{API}/pairs/m1").json()["made"] == made
