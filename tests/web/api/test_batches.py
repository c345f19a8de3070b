"""Batches, the home page and guidelines by the API and by plain forms, on both databases."""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from sqlalchemy import insert, select
from starlette.testclient import TestClient

from otherwords.annotate.discussion.threads import add_remark
from otherwords.project import Project, open_project, search
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from otherwords.web.pages.new_batch import PURPOSE_MEANINGS
from otherwords.web.searches import Searches
from tests.processes import SECONDS
from tests.web.people import TEXTS, Person

PersonNamed = Callable[[str], Person]
API = "/api/v1"
HTML = {"accept": "text/html"}
# The rules that neither the request of a test nor its form sets.
PLAIN = {
    "again": True,
    "hold_seconds": 1800,
    "second_sees": [],
    "keep": None,
    "tests": [],
    "every": None,
    "gate": None,
    "grows": False,
    "practice": [],
    "practice_share": None,
}


def make(who: Person, name: str, **options: Any) -> httpx.Response:
    return who.post(f"{API}/batches", json={"key": f"key of {name}", "name": name, **options})


def form(who: Person, path: str, **fields: str) -> httpx.Response:
    return who.post(path, data={"csrf": who.csrf, **fields}, headers=HTML)


def items(who: Person, name: str) -> list[str]:
    return [task["pair"] for task in who.post(f"{API}/batches/{name}/take?count=50").json()]


def names(who: Person) -> list[str]:
    return [batch["id"] for batch in who.get(f"{API}/batches").json()]


def answer_all(who: Person, name: str, value: str) -> None:
    for task in who.post(f"{API}/batches/{name}/take?count=50").json():
        body = {"key": f"{name}-{task['slot']}", "slot": task["slot"], "value": value}
        assert who.post(f"{API}/judgements", json=body).status_code == 201


def rewritten(folder: Path, count: int) -> None:
    """Rewrites by wim of the first pairs."""
    about = {"import_id": None, "step": None, "step_key": None, "state": None}
    with open_project(folder) as project, project.ledger.writing() as connection:
        for number in range(count):
            texts = {"text1": f"Rewrite {number}.", "text2": f"{number}, rewritten."}
            meta = {"annotator": "wim"}
            pair = Pair(id=f"j{number}-r1", **texts, rewrite_of=f"p{number}", method="rewrite", meta=meta)
            connection.execute(insert(schema.pairs), [row_of(pair, **about)])
            judgement = Judgement(id=f"j{number}", pair=f"p{number}", value="3", annotator="wim", scheme="turku")
            connection.execute(insert(schema.judgements), [row_of(judgement)])


def test_a_batch_from_a_filter(person: PersonNamed) -> None:
    carl = person("carl")
    options: dict[str, Any] = {"filter": {"lang": "en"}, "sample": 3, "seed": 2, "order": "shuffled", "times": 2}
    options |= {"people": ["anna", "Ben"], "context": False, "own": False, "undo": False, "purpose": "training"}
    answer = make(carl, "three", **options)
    assert answer.status_code == 201, answer.text
    batch = answer.json()
    hidden = {"context": False, "own": False, "undo": False}
    assert batch["rules"] == PLAIN | {"people": ["anna", "ben"], "assigned": False, **hidden}
    assert (batch["state"]["items"], batch["state"]["slots"], batch["author"]) == (3, 6, "carl")
    taken = {"filter": {"lang": "en"}, "sample": 3, "seed": 2, "order": "shuffled", "not_in": []}
    assert batch["origin"] == taken
    assert carl.get(f"{API}/batches/first").json()["origin"] is None
    assert make(carl, "three", **options).json() == batch
    assert make(carl, "three", key="another").status_code == 409
    assert make(carl, "four", key="key of three").status_code == 409
    assert carl.get(f"{API}/batches/three").json() == batch
    assert names(carl) == ["first", "double", "three"]
    assert items(person("anna"), "three") == items(person("ben"), "three")
    assert person("wim").post(f"{API}/batches/three/take").status_code == 403


def test_words_find_pairs_for_a_batch(person: PersonNamed) -> None:
    assert make(person("carl"), "houses", filter={"query": "house"}).status_code == 201
    assert items(person("anna"), "houses") == ["p7"]


def test_a_batch_by_words_waits_until_all_pairs_are_indexed(
    person: PersonNamed, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request adds a part to the index and waits for a moment; a thread adds the rest."""
    carl, release, update_index = person("carl"), threading.Event(), search.update_index

    def wait_and_update(project: Project) -> None:
        release.wait(SECONDS)
        update_index(project)

    monkeypatch.setattr(search, "update_index", wait_and_update)
    monkeypatch.setattr(search, "ROWS_A_TRANSACTION", 1)
    monkeypatch.setattr(search, "A_PART", 1)
    searches: Searches = client.app.state.site.searches  # type: ignore[attr-defined]
    searches._patience = 0.0
    for number in (1, 2):
        refused = make(carl, "houses", filter={"query": "house"})
        assert (refused.status_code, refused.json()["code"]) == (409, "search-loading")
        assert f"made ready, {number} of {len(TEXTS)} pairs so far; try again" in refused.json()["error"]
    page = carl.get("/batches/new?query=house&begun=yes", headers=HTML).text
    assert "data-again" in page, "it asks again by itself"
    assert carl.get("/browse.json?query=house").json() == {"rows": [], "next": 4}, "it shows what is there by then"
    release.set()
    searches._patience = SECONDS
    assert make(carl, "houses", filter={"query": "house"}).status_code == 201
    assert items(person("anna"), "houses") == ["p7"]
    assert "data-again" not in carl.get("/batches/new?query=house&begun=yes", headers=HTML).text


@pytest.mark.parametrize(
    ("options", "status", "reason"),
    [
        ({"filter": {"sauce": "x"}}, 422, "no filter 'sauce'"),
        ({"filter": {"lang": "xx"}}, 422, "would be empty"),
        ({"people": ["bert"]}, 422, "nobody here is called 'bert'"),
        ({"times": 3, "people": ["anna", "ben"]}, 422, "as many people"),
        ({"times": 101}, 422, "times"),
        ({"seed": 2**63}, 422, "seed"),
        ({"sample": 0}, 422, "sample"),
        ({"purpose": "gold"}, 422, "purpose"),
        ({"name": "new"}, 422, "word of the site"),
        ({"name": "a\0b"}, 422, "null character"),
        ({"name": "x" * 81}, 422, "needs a name"),
        ({"scheme": "turkku"}, 422, "no scheme"),
        ({"not_in": ["none"]}, 404, "no batch 'none'"),
        ({"assigned": True}, 422, "needs the names"),
        ({"surprise": 1}, 422, "surprise"),
        ({"key": ""}, 422, "key"),
    ],
)
def test_what_is_no_batch(person: PersonNamed, options: dict[str, Any], status: int, reason: str) -> None:
    answer = person("carl").post(f"{API}/batches", json={"key": "k", "name": "it", **options})
    assert answer.status_code == status
    assert reason in answer.json()["error"]
    assert names(person("carl")) == ["first", "double"]


def test_only_curators_make_batches(person: PersonNamed) -> None:
    for who in ("anna", "wim"):
        assert make(person(who), "mine").status_code == 403
        assert person(who).get(f"{API}/batches").status_code == 403
        assert person(who).get("/batches", headers=HTML).status_code == 403
        assert form(person(who), "/batches/new", name="mine").status_code == 403


def test_closing_and_opening(person: PersonNamed) -> None:
    carl, anna = person("carl"), person("anna")
    for state, expected in (("closed", []), ("closed", []), ("open", ["p0"])):
        changed = carl.ask("PATCH", f"{API}/batches/first", json={"key": "k", "state": state})
        assert (changed.status_code, changed.json()["state"]["state"]) == (200, state)
        assert items(anna, "first")[:1] == expected
    assert carl.ask("PATCH", f"{API}/batches/none", json={"key": "k", "state": "open"}).status_code == 404
    assert carl.ask("PATCH", f"{API}/batches/first", json={"key": "k", "state": "shut"}).status_code == 422


def test_the_blind_check_tells_nobody_which_pairs_are_rewrites(person: PersonNamed, filled: Path) -> None:
    rewritten(filled, 3)
    carl = person("carl")
    refused = carl.post(f"{API}/batches/check-rewrites", json={"key": "k", "name": "blind"})
    assert (refused.status_code, refused.json()["error"][:15]) == (422, "only 3 rewrites")
    body = {"key": "k", "name": "blind", "size": 4, "people": ["anna", "ben"]}
    assert carl.post(f"{API}/batches/check-rewrites", json=body).status_code == 201
    assert carl.post(f"{API}/batches/check-rewrites", json=body).status_code == 201
    for who in ("anna", "ben"):
        taken = person(who).post(f"{API}/batches/blind/take?count=9")
        assert len(taken.json()) == 4
        answer_all(person(who), "blind", "4")
        recent = person(who).get(f"{API}/batches/blind/recent")
        page = person(who).get("/classify/blind")
        for seen in (taken.text, recent.text, page.text):
            assert not re.search(r"j\d-r1|rewrite_of", seen)
    result = carl.get(f"{API}/batches/blind/check").json()
    assert (result["rewrites"]["complete"], result["rewrites"]["share"], result["others"]["share"]) == (2, 1.0, 1.0)
    assert carl.get(f"{API}/batches/first/check").status_code == 422
    assert person("anna").get(f"{API}/batches/blind/check").status_code == 403
    shown = carl.get("/batches/blind", headers=HTML).text
    assert "What the check has found" in shown
    assert "100.0 %" in shown


def test_the_table_and_its_twins(person: PersonNamed) -> None:
    carl = person("carl")
    make(carl, "late", purpose="training")
    page = carl.get("/batches", headers=HTML)
    assert page.status_code == 200
    assert page.text.index(">late<") < page.text.index(">double<") < page.text.index(">first<")
    assert [batch["id"] for batch in carl.get("/batches.json").json()] == ["first", "double", "late"]
    assert [batch["id"] for batch in carl.get("/batches.json?purpose=training").json()] == ["late"]
    table = list(csv.DictReader(io.StringIO(carl.get("/batches.csv?state=open").text)))
    assert [(row["id"], row["slots"], row["state"]) for row in table] == [
        ("first", "8", "open"),
        ("double", "4", "open"),
        ("late", "8", "open"),
    ]
    nothing = carl.get("/batches?state=closed", headers=HTML).text
    assert "No batch fits" in nothing


def test_the_form_shows_what_fits_before_anything_is_made(person: PersonNamed) -> None:
    carl = person("carl")
    page = carl.get("/batches/new?lang=en&sample=2&times=2&person-anna=yes&surprise=1", headers=HTML).text
    assert "5 pairs fit, 2 are drawn" in page
    assert "The ferry was late again this morning." in page
    assert 'name="person-anna" value="yes" checked' in page
    assert 'name="person-ben" value="yes">' in page
    wrong = carl.get("/batches/new?label=3s", headers=HTML)
    assert wrong.status_code == 422
    assert "No preview" in wrong.text
    assert carl.get("/batches/new?source=%00", headers=HTML).status_code == 422
    assert "0 pairs fit" in carl.get("/batches/new?lang=xx", headers=HTML).text
    assert names(carl) == ["first", "double"]


def test_the_form_begins_with_what_is_wanted(person: PersonNamed) -> None:
    carl = person("carl")
    page = carl.get("/batches/new?start=double&lang=en", headers=HTML).text
    assert "5 pairs fit, 5 are drawn" in page
    assert "Each is judged twice, by different people: 10 judgements." in page
    assert PURPOSE_MEANINGS["agreement"] in page
    assert re.search(r'name="sample" value="100"', page)
    assert 'name="name" value="double-1"' in page
    assert "/batches/new?lang=en&amp;start=pairs" in page  # another start keeps the filter
    emptied = carl.get("/batches/new?start=double&lang=en&begun=yes", headers=HTML).text
    assert "5 pairs fit</h2>" in emptied  # what was emptied stays empty
    assert "Which pairs?" in carl.get("/batches/new?start=quality", headers=HTML).text
    crowd = carl.get("/batches/new?start=crowd", headers=HTML)
    assert (crowd.status_code, "No pair there has a gold label" in crowd.text) == (422, True)


def test_a_preview_of_a_quality_round(person: PersonNamed) -> None:
    answer_all(person("anna"), "first", "4s")
    carl = person("carl")
    assert "8 pairs fit" in carl.get("/batches/new?start=quality&check_flag=s", headers=HTML).text
    assert "0 pairs fit" in carl.get("/batches/new?start=quality&check_label=3", headers=HTML).text
    wrong = carl.get("/batches/new?start=quality&check_label=7", headers=HTML)
    assert (wrong.status_code, "is not one of the labels" in wrong.text) == (422, True)


def test_a_batch_page_says_its_keep_rule_in_the_words_of_its_scheme_and_of_the_page(person: PersonNamed) -> None:
    carl, anna = person("carl"), person("anna")
    rules = {"keep": {"well_formed": ["yes"]}, "agree_on": ["paraphrase"]}
    assert make(carl, "kept", scheme="rupaws", times=2, sample=2, **rules).status_code == 201
    for answer in ("no", "yes"):
        (task,) = anna.post(f"{API}/batches/kept/take?count=1").json()
        value = {"well_formed": answer, "paraphrase": "no"}
        body = {"key": f"kept-{task['slot']}", "slot": task["slot"], "value": value}
        assert anna.post(f"{API}/judgements", json=body).status_code == 201
    title = "“Are both texts grammatical, and do both make sense?”"
    shown = carl.get("/batches/kept", headers=HTML).text
    assert f"Everybody says yes to {title}." in shown
    assert "All give the same answer to “Do they mean the same?”." in shown
    assert f"1: somebody does not say yes to {title}" in shown
    shown = carl.get("/batches/kept", headers=HTML | {"accept-language": "ru"}).text
    assert "отвечают да на вопрос «" in shown
    assert "не отвечает да на вопрос «" in shown
    assert "well_formed" not in shown


def test_a_batch_that_asks_for_more_people_than_there_are_is_made_with_a_warning(person: PersonNamed) -> None:
    carl = person("carl")
    warning = "5 different people are to judge each, and only 4 accounts may judge: invite more people."
    for times, warned in ((5, True), (4, False)):
        assert (warning in carl.get(f"/batches/new?times={times}", headers=HTML).text) is warned
        assert make(carl, f"by {times}", times=times, sample=2).status_code == 201
        assert (warning in carl.get(f"/batches/by {times}", headers=HTML).text) is warned
    assert make(carl, "crowd", times=5, sample=2, scheme="binary-loose", gate="usual").status_code == 201
    assert warning not in carl.get("/batches/crowd", headers=HTML).text  # workers are invited


def test_where_a_rule_or_votes_decide_nobody_is_asked_to(person: PersonNamed) -> None:
    carl, anna = person("carl"), person("anna")
    assert make(carl, "kept", scheme="rupaws", times=2, sample=2, agree_on=["paraphrase"]).status_code == 201
    assert make(carl, "voted", scheme="binary-loose", times=3, sample=2, gate="usual").status_code == 201
    for name, decides in (("kept", "the rule of the batch does"), ("voted", "the votes do")):
        shown = carl.get(f"/batches/{name}", headers=HTML).text
        assert f"Nobody has to decide about disagreements: {decides}." in shown
        assert ("To decide" in shown, ">Adjudicate</a> " in shown, ">Disagreements</a>" in shown) == (
            False,
            False,
            True,
        )
    shown = carl.get("/batches/double", headers=HTML).text
    assert ("To decide" in shown, "Nobody has to decide" in shown) == (True, False)
    rows = carl.get("/adjudicate.json").json()
    assert [(row["batch"], row["by_people"]) for row in rows] == [("double", True), ("voted", False), ("kept", False)]
    assert carl.get("/adjudicate", headers=HTML).text.count("none: its rule decides") == 2
    assert {"kept", "voted"} & {row["batch"] for row in anna.get("/adjudicate.json").json()} == set()


def test_fields_offer_what_there_is(person: PersonNamed) -> None:
    page = person("carl").get("/batches/new?scheme=rupaws", headers=HTML).text
    for name, value in {"keep": "well_formed=yes", "agree_on": "paraphrase", "source": "stories", "lang": "fi"}.items():
        offered = re.search(rf'<datalist id="{name}-names">(.*?)</datalist>', page)
        assert offered, name
        assert f'value="{value}"' in offered[1], name
    assert '<option value="double">' in page  # of batches
    assert "rupaws: " in page  # with the question that it asks


def test_the_form_makes_a_batch(person: PersonNamed) -> None:
    carl = person("carl")
    fields = {"key": "one", "name": "by hand", "lang": "en", "projection": "base", "not_in": "double", "times": "2"}
    fields |= {"person-anna": "yes", "person-ben": "yes", "dealing": "assigned", "no_context": "yes", "not_own": "yes"}
    fields |= {"final": "yes", "purpose": "agreement", "scheme": "turku", "sample": "2"}
    for _ in range(2):
        answer = form(carl, "/batches/new", **fields)
        assert (answer.status_code, answer.headers["location"]) == (303, "/batches/by%20hand")
    batch = carl.get(f"{API}/batches/by hand").json()
    hidden = {"context": False, "own": False, "undo": False}
    assert batch["rules"] == PLAIN | {"people": ["anna", "ben"], "assigned": True, **hidden}
    assert (batch["state"]["items"], batch["state"]["asked"], batch["state"]["purpose"]) == (2, 2, "agreement")
    assert not {"p0", "p1"} & set(items(person("anna"), "by hand"))
    shown = carl.get("/batches/by%20hand", headers=HTML).text
    assert "The documents are hidden" in shown
    assert "language en, not in double; a sample of 2 with the seed 0" in shown
    assert "/browse?batch=by%20hand" in shown


def test_a_form_that_is_refused_comes_back_as_it_was(person: PersonNamed) -> None:
    carl = person("carl")
    refused = form(carl, "/batches/new", name="first", lang="en", **{"person-anna": "yes"})
    assert refused.status_code == 409
    assert "There is a batch &#39;first&#39; already" in refused.text
    assert 'name="person-anna" value="yes" checked' in refused.text
    assert form(carl, "/batches/new", name="x", times="many").status_code == 422
    assert form(carl, "/batches/new", name="x", purpose="gold").status_code == 422
    assert form(carl, "/batches/new", name="x", scheme="turkku").status_code == 422
    assert form(carl, "/batches/new", csrf="wrong", name="x").status_code == 403
    assert names(carl) == ["first", "double"]


def test_the_buttons_of_the_table(person: PersonNamed, filled: Path) -> None:
    carl = person("carl")
    closed = form(carl, "/batches/first/state", state="closed", back="/batches")
    assert (closed.status_code, closed.headers["location"]) == (303, "/batches")
    assert (
        form(carl, "/batches/first/state", state="open", back="https://evil.example").headers["location"]
        == "/batches/first"
    )
    assert form(carl, "/batches/none/state", state="open").status_code == 404
    check = "/batches/new?start=rewrites"
    assert "There are no rewrites yet" in carl.get(check, headers=HTML).text
    rewritten(filled, 2)
    page = carl.get(check, headers=HTML).text
    assert 'value="rewrites-1"' in page
    assert "2 rewrites so far" in page
    team = {"person-anna": "yes", "person-ben": "yes"}
    refused = form(carl, "/batches/check-rewrites", name="blind", size="100", key="k", **team)
    assert refused.status_code == 422
    assert "Only 2 rewrites are fit" in refused.text
    assert 'value="blind"' in refused.text
    answer = form(carl, "/batches/check-rewrites", name="blind", size="4", key="k", **team)
    assert (answer.status_code, answer.headers["location"]) == (303, "/batches/blind")


def waiting_work(who: Person) -> list[tuple[str, str, int]]:
    return [(work["kind"], work["name"], work["left"]) for work in who.get(f"{API}/home").json()["waiting"]]


def test_home_says_whether_something_is_with_others(person: PersonNamed) -> None:
    wim, anna = person("wim"), person("anna")
    taken = anna.post(f"{API}/batches/first/take?count=50").json()
    home = wim.get(f"{API}/home").json()
    assert (home["waiting"], home["next"], home["with_others"]) == ([], "others", 8)
    assert "8 are with others at the moment" in wim.get("/", headers=HTML).text
    for task in taken:
        anna.post(f"{API}/judgements", json={"key": str(task["slot"]), "slot": task["slot"], "value": "4"})
    home = wim.get(f"{API}/home").json()
    assert (home["next"], home["with_others"]) == ("wait", 0)
    assert "with others" not in wim.get("/", headers=HTML).text


def test_what_is_left_of_a_batch(person: PersonNamed) -> None:
    anna, ben, wim, carl = (person(name) for name in ("anna", "ben", "wim", "carl"))

    def rest(who: Person, batch: str) -> tuple[bool, int, int, int]:
        answer = who.get(f"{API}/batches/{batch}/rest").json()
        return answer["closed"], answer["progress"]["done"], answer["progress"]["asked"], answer["with_others"]

    assert rest(wim, "first") == (False, 0, 8, 0)
    anna.post(f"{API}/batches/first/take?count=3")
    assert (rest(wim, "first"), rest(anna, "first")) == ((False, 0, 8, 3), (False, 0, 8, 0))
    answer_all(anna, "double", "4")
    ben.post(f"{API}/batches/double/take?count=50")
    assert rest(anna, "double") == (False, 2, 4, 0)  # ben has them, and they are not for anna
    assert wim.get(f"{API}/batches/double/rest").status_code == 403
    form(carl, "/batches/first/state", state="closed")
    assert rest(wim, "first") == (True, 0, 8, 0)


def test_saving_on_one_key_is_a_choice_of_each(person: PersonNamed) -> None:
    anna, ben = person("anna"), person("ben")
    assert anna.get(f"{API}/me").json()["one_key"] is False
    assert anna.ask("PUT", f"{API}/me/settings", json={"key": "k", "one_key": True}).status_code == 204
    assert [who.get(f"{API}/me").json()["one_key"] for who in (anna, ben)] == [True, False]
    assert '"one_key": true' in anna.get("/classify/first", headers=HTML).text


def test_home_says_what_is_waiting_for_whom(person: PersonNamed) -> None:
    anna = person("anna")
    assert waiting_work(anna) == [
        ("batch", "first", 8),
        ("batch", "double", 2),
        ("triage", "Triage", 1),
        ("extract", "Extract", 1),
    ]
    assert waiting_work(person("wim")) == [("batch", "first", 8)]
    assert [name for _, name, _ in waiting_work(person("carl"))] == ["first", "Triage", "Extract"]
    answer_all(anna, "double", "4")
    assert [name for _, name, _ in waiting_work(anna)] == ["first", "Triage", "Extract"]
    assert ("batch", "double", 2) in waiting_work(person("ben"))
    home = anna.get(f"{API}/home").json()
    assert (home["mine"]["days"][-1]["judged"], len(home["mine"]["days"])) == (2, 7)
    assert home["mine"]["agreement"]["compared"] == 0
    assert home["everything"] is None
    assert home["next"] is None


def test_disagreements_wait_for_those_who_may_decide(person: PersonNamed) -> None:
    answer_all(person("anna"), "double", "4")
    answer_all(person("ben"), "double", "2")
    for name in ("anna", "ben", "carl"):
        assert ("adjudicate", "Adjudicate", 2) in waiting_work(person(name)), name
    assert waiting_work(person("wim")) == [("batch", "first", 8)]
    page = person("carl").get("/", headers=HTML).text
    assert 'href="/adjudicate/double"' in page.split("</ol>")[0]
    assert "2 disagreements</span>" in page


def test_home_compares_with_the_consensus_and_quotes_the_agreement(person: PersonNamed) -> None:
    """Two pairs: on one both say 4, and the team decides for ben on the other."""
    anna, ben, carl = person("anna"), person("ben"), person("carl")
    answer_all(anna, "double", "4")
    for task, value in zip(ben.post(f"{API}/batches/double/take?count=50").json(), ("4", "2"), strict=True):
        ben.post(f"{API}/judgements", json={"key": f"b{task['slot']}", "slot": task["slot"], "value": value})
    (case,) = carl.get(f"{API}/batches/double/disagreements").json()["cases"]
    made_from = [opinion["id"] for opinion in case["opinions"]]
    body = {"key": "k", "batch": "double", "value": "2", "made_from": made_from}
    assert carl.post(f"{API}/pairs/{case['pair']}/consensus", json=body).status_code == 201
    accuracies = [who.get(f"{API}/home").json()["mine"]["agreement"] for who in (anna, ben)]
    assert [(accuracy["full"], accuracy["compared"]) for accuracy in accuracies] == [(0.5, 2), (1.0, 2)]
    assert "over the 2 pairs that you judged and that have a consensus" in anna.get("/", headers=HTML).text
    everything = carl.get(f"{API}/home").json()["everything"]
    assert {state["name"]: state["agreement"]["full"] for state in everything["people"]} | {"carl": None} == {
        "anna": 0.5,
        "ben": 1.0,
        "carl": None,
    }
    (headline,) = everything["agreement"]
    assert headline.startswith("Krippendorff's ordinal alpha is 0.000")
    assert headline.endswith("over 2 pairs that were judged by both annotators for agreement (full labels)")
    assert headline.replace("'", "&#39;") in carl.get("/", headers=HTML).text


def test_home_says_how_many_pairs_nobody_has_decided(person: PersonNamed) -> None:
    anna, ben, carl = person("anna"), person("ben"), person("carl")
    answer_all(anna, "double", "4")
    answer_all(ben, "double", "2")
    case, _ = carl.get(f"{API}/batches/double/disagreements").json()["cases"]
    made_from = [opinion["id"] for opinion in case["opinions"]]
    body = {"key": "k", "batch": "double", "value": "2", "made_from": made_from}
    assert carl.post(f"{API}/pairs/{case['pair']}/consensus", json=body).status_code == 201
    assert anna.get(f"{API}/home").json()["mine"]["agreement"] == {
        **{"compared": 1, "full": 0.0, "base": 0.0, "reason": None},
        "undecided": 1,
    }
    left_out = "1 pair on which others say something else and nobody has decided is left out."
    assert left_out in anna.get("/", headers=HTML).text
    assert "of 1, 1 left out" in carl.get("/", headers=HTML).text


def test_a_call_in_a_discussion_waits(person: PersonNamed, filled: Path) -> None:
    anna, ben = person("anna"), person("ben")
    with open_project(filled) as project, project.ledger.writing() as connection:
        add_remark(connection, "anna", "document_pair", "dp1", "What would you say, @ben?", "k")
    assert ("discussions", "Discussions that call you", 1) in waiting_work(ben)
    assert not [work for work in waiting_work(anna) if work[0] == "discussions"]


def test_curators_see_the_state_of_everything(person: PersonNamed) -> None:
    answer_all(person("anna"), "double", "4")
    everything = person("carl").get(f"{API}/home").json()["everything"]
    assert [batch["id"] for batch in everything["batches"]] == ["double", "first"]
    assert everything["batches"][0]["people"] == [["anna", 2]]
    assert [(row["name"], row["judged"], row["decided"]) for row in everything["people"]] == [("anna", 2, 0)]
    assert [(row["source"], row["pairs"], row["judged"]) for row in everything["sources"]] == [("stories", 8, 2)]
    assert everything["extraction"] == []
    page = person("carl").get("/", headers=HTML).text
    for heading in ("Batches", "People", "Sources", "Extraction"):
        assert f">{heading}</h2>" in page
    assert "Sources</h2>" not in person("anna").get("/", headers=HTML).text


def test_the_page_of_home(person: PersonNamed) -> None:
    anna = person("anna")
    page = anna.get("/", headers=HTML).text
    assert 'href="/classify/first" data-key="Enter"' in page
    assert 'href="/classify/double" data-key="2"' in page
    assert "this is your first day here" in page
    answer_all(anna, "double", "4")
    page = anna.get("/", headers=HTML).text
    assert page.count("<rect") == 7
    assert "style=" not in page


@pytest.mark.parametrize(
    ("who", "gone", "words"),
    [
        ("carl", ("documents", "document_pairs", "pairs"), "otherwords import"),
        ("carl", ("document_pairs", "pairs"), "otherwords align"),
        ("carl", ("document_pairs",), "Make a batch"),
        ("ada", ("documents", "document_pairs", "pairs"), "Invite people"),
        ("anna", ("documents", "document_pairs", "pairs"), "A curator makes the batches"),
        ("wim", ("document_pairs",), "A curator makes the batches"),
    ],
)
def test_an_empty_home_says_what_to_do_next(
    person: PersonNamed, filled: Path, who: str, gone: tuple[str, ...], words: str
) -> None:
    with open_project(filled) as project, project.ledger.writing() as connection:
        for table in (*gone, "batches", "slots"):
            connection.execute(schema.metadata.tables[table].delete())
    page = person(who).get("/", headers=HTML).text
    assert "Nothing is waiting for you" in page
    assert words in page


def test_a_guideline_that_ships_says_its_language_where_the_site_has_another(person: PersonNamed) -> None:
    carl, finnish = person("carl"), {"accept-language": "fi"}
    pages = ("/guidelines/turku", "/classify/first", "/triage")
    for path in pages:
        assert "Tämä teksti on englanniksi." in carl.get(path, headers=finnish).text, path
        assert '<div class="guideline" lang="en">' in carl.get(path, headers=finnish).text, path
        assert "This text is in English." not in carl.get(path).text, path
    assert "mukana toimitettu, englanniksi" in carl.get("/guidelines", headers=finnish).text
    assert carl.get(f"{API}/guidelines/turku").json()["lang"] == "en"
    body = {"key": "k", "text": "# Meidän ohje", "after": 0}
    assert carl.ask("PUT", f"{API}/guidelines/turku", json=body).json()["lang"] is None
    for path in pages[:2]:
        assert "Tämä teksti on englanniksi." not in carl.get(path, headers=finnish).text, path


def test_guidelines_are_read_and_published(person: PersonNamed) -> None:
    carl, anna = person("carl"), person("anna")
    shipped = anna.get(f"{API}/guidelines/turku").json()
    assert (shipped["reference"], shipped["version"], shipped["is_current"]) == ("turku@0", 0, True)
    body = {"key": "k", "text": "# Ours\n\nOnly <b>this</b>.", "after": 0}
    answer = carl.ask("PUT", f"{API}/guidelines/turku", json=body)
    assert (answer.status_code, answer.json()["reference"], answer.json()["author"]) == (200, "turku@1", "carl")
    assert carl.ask("PUT", f"{API}/guidelines/turku", json=body).json() == answer.json()
    late = carl.ask("PUT", f"{API}/guidelines/turku", json={"key": "k2", "text": "Mine.", "after": 0})
    assert late.status_code == 409
    assert late.json()["code"] == "newer-version"
    assert anna.get(f"{API}/guidelines/turku").json()["html"] == "<h2>Ours</h2>\n<p>Only &lt;b&gt;this&lt;/b&gt;.</p>\n"
    old = anna.get(f"{API}/guidelines/turku?version=0").json()
    assert (old["text"], old["is_current"]) == (shipped["text"], False)
    seen = carl.post(f"{API}/guidelines/turku/preview", json={"text": "*so*"}).json()
    assert seen == {"html": "<p><em>so</em></p>\n"}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/guidelines/turkku", None, 404),
        ("GET", "/guidelines/turku?version=9", None, 404),
        ("GET", "/guidelines/turku?version=99999999999", None, 422),
        ("PUT", "/guidelines/turkku", {"key": "k", "text": "x"}, 404),
        ("PUT", "/guidelines/turku", {"key": "k", "text": " "}, 422),
        ("PUT", "/guidelines/turku", {"key": "k", "text": "a\u0007"}, 422),
        ("PUT", "/guidelines/turku", {"key": "k", "text": "x" * 200_001}, 422),
        ("PUT", "/guidelines/turku", {"text": "x"}, 422),
        ("POST", "/guidelines/turkku/preview", {"text": "x"}, 404),
    ],
)
def test_what_is_no_guideline(person: PersonNamed, method: str, path: str, body: Any, status: int) -> None:
    assert person("carl").ask(method, API + path, json=body).status_code == status
    assert person("carl").get(f"{API}/guidelines/turku").json()["version"] == 0


def test_the_pages_of_guidelines(person: PersonNamed) -> None:
    carl, anna = person("carl"), person("anna")
    assert 'href="/guidelines/turku"' in anna.get("/guidelines", headers=HTML).text
    assert "Edit" not in anna.get("/guidelines/turku", headers=HTML).text
    assert anna.get("/guidelines/turku?edit=true", headers=HTML).status_code == 403
    assert form(anna, "/guidelines/turku", text="Mine").status_code == 403
    seen = form(carl, "/guidelines/turku/preview", text="# New\r\n\r\n<script>alert(1)</script>", after="0").text
    assert "&lt;script&gt;" in seen
    assert "<script>alert" not in seen
    answer = form(carl, "/guidelines/turku", text="# New\r\n\r\nText", after="0")
    assert urlsplit(answer.headers["location"])[2:] == ("/guidelines/turku", "", "published")
    assert "<h2>New</h2>" in anna.get("/guidelines/turku", headers=HTML).text
    assert "This is an earlier version" in anna.get("/guidelines/turku?version=0", headers=HTML).text
    late = form(carl, "/guidelines/turku", text="Another", after="0")
    assert late.status_code == 409
    assert "Another</textarea>" in late.text
    assert form(carl, "/guidelines/turku", text="", after="1").status_code == 422


def test_the_browse_page_leads_to_a_batch_of_what_it_shows(person: PersonNamed) -> None:
    page = person("carl").get("/browse?lang=en&has=none", headers=HTML).text
    assert "/batches/new?lang=en&amp;has=none" in page
    assert "/batches/new" not in person("anna").get("/browse?lang=en", headers=HTML).text


def test_the_audit_trail_knows_who_made_and_closed_what(person: PersonNamed, filled: Path) -> None:
    make(person("carl"), "three", sample=3)
    form(person("ada"), "/batches/three/state", state="closed")
    with open_project(filled) as project, project.ledger.reading() as connection:
        events = connection.execute(select(schema.events.c.actor, schema.events.c.action)).all()
    assert [tuple(row) for row in events] == [("carl", "batch made"), ("ada", "batch closed")]


def test_the_first_steps_of_an_admin(person: PersonNamed) -> None:
    ada = person("ada")
    steps = ada.get(f"{API}/home").json()["first_steps"]
    assert {step["name"]: step["done"] for step in steps} == {
        **{"import": True, "align": True, "guideline": False, "people": True, "batch": True},
        **{"judge": False, "about": False},
    }
    assert person("carl").get(f"{API}/home").json()["first_steps"] is None
    assert ada.ask("PUT", f"{API}/home/first-steps", json={"key": "k", "hidden": True}).status_code == 204
    assert ada.get(f"{API}/home").json()["first_steps"] is None
    assert "First steps" not in ada.get("/").text
    assert ada.ask("PUT", f"{API}/home/first-steps", json={"key": "k", "hidden": False}).status_code == 204
    assert "First steps" in ada.get("/").text
    [task] = person("anna").post(f"{API}/batches/first/take?count=1").json()
    person("anna").post(f"{API}/judgements", json={"key": "k", "slot": task["slot"], "value": "4"})
    assert ada.get(f"{API}/home").json()["first_steps"] is None  # all that has to be done is done


def test_guidelines_that_the_project_does_not_use_are_folded(person: PersonNamed) -> None:
    page = person("carl").get("/guidelines").text
    listed, _, others = page.partition("<details")
    assert re.findall(r'permalink" href="/guidelines/([^"]+)"', listed) == ["turku", "extract", "triage"]
    assert 'href="/guidelines/likert"' in others
    assert "likert" not in person("anna").get("/guidelines").text
