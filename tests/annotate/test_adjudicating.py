"""What people disagree about, and what the team decides, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, insert, select

from otherwords.annotate import crowd_decisions
from otherwords.annotate.adjudicating import Decided, decide
from otherwords.annotate.batches import batch
from otherwords.annotate.disagreements import Case, Settled, cases, queue, settled
from otherwords.annotate.gathering import gather
from otherwords.annotate.hearing import hearing, to_be_heard
from otherwords.annotate.pair_labels import labels_of
from otherwords.annotate.schemes import scheme
from otherwords.annotate.undoing import undo
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement
from tests.annotate.disputed import batch_of, judged, put_pairs, taken
from tests.web.persons import at_once

TURKU = scheme("turku")
ANNA = {"p0": "4", "p1": "4>", "p2": "4", "p3": "3", "p4": "2"}
BEN = {"p0": "1", "p1": "4", "p2": "4", "p3": "4", "p4": "2", "p5": "1"}


def prepare(connection: Connection) -> None:
    put_pairs(connection)
    batch_of(connection, "double")
    judged(connection, "double", "anna", ANNA)
    judged(connection, "double", "ben", {name: value for name, value in BEN.items() if name != "p4"})
    judged(connection, "double", "ben", {"p4": BEN["p4"]}, unsure=True, note="really?")


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        prepare(connection)
        yield connection


def found(connection: Connection) -> list[Case]:
    return cases(connection, batch(connection, "double"), TURKU)


def case_of(connection: Connection, pair: str) -> Case:
    return next(one for one in found(connection) if one.pair == pair)


def told(connection: Connection, pair: str, value: Any, **others: Any) -> Decided:
    ids = [one.id for one in case_of(connection, pair).opinions]
    return Decided(
        **{"key": f"{pair}-{value}", "pair": pair, "batch": "double", "value": value, "made_from": ids, **others}
    )


def carl(connection: Connection, said: Decided, role: str = "curator", who: str = "carl") -> Judgement:
    return decide(connection, who, role, said, TURKU)


def test_the_queue_begins_with_the_worst(connection: Connection) -> None:
    every = found(connection)
    assert [(one.pair, one.severity) for one in queue(every)] == [("p0", 1), ("p3", 0.3333), ("p1", 0.0417)]
    assert [one.pair for one in queue(every, "unsure")] == ["p4"]
    assert queue(every, "decided") == []
    with pytest.raises(Refused, match="'everything' is not one of"):
        queue(every, "everything")  # type: ignore[arg-type]
    assert settled(every) == Settled(6, 5, 2, 3, 0, 3, 1)


def test_what_is_as_bad_comes_in_the_order_of_the_batch(connection: Connection) -> None:
    batch_of(connection, "again")
    for name, value in (("anna", "4"), ("ben", "3")):
        judged(connection, "again", name, dict.fromkeys(("p3", "p1", "p2"), value))
    again = cases(connection, batch(connection, "again"), TURKU)
    assert [one.pair for one in queue(again)] == ["p1", "p2", "p3"]


def test_a_judgement_is_taken_over(connection: Connection) -> None:
    adopted = next(one for one in case_of(connection, "p0").opinions if one.annotator == "ben")
    made = carl(connection, told(connection, "p0", "1", adopted=adopted.id, note="no lamp in it"))
    assert (made.kind, made.annotator, made.value, made.purpose) == ("consensus", "carl", "1", "production")
    ids = sorted(one.id for one in case_of(connection, "p0").opinions)
    assert made.meta == {"from": ids, "adopted": adopted.id}
    assert (made.guideline, made.note) == ("turku@0", "no lamp in it")
    assert [one.pair for one in queue(found(connection))] == ["p3", "p1"]
    label = labels_of(connection, ["p0"], "turku")["p0"]
    assert (label.label, label.source, label.open) == ("1", "consensus", False)
    assert len(label.labels) == 2, "what people said on their own is kept apart"


def test_another_answer_changing_it_and_taking_it_back(connection: Connection) -> None:
    first = carl(connection, told(connection, "p0", "2"))
    assert first.meta["adopted"] is None
    second = carl(connection, told(connection, "p0", "4s>", supersedes=first.id))
    assert (second.value, second.supersedes) == ("4>s", first.id)
    assert settled(found(connection)).decided == 1
    back = carl(connection, told(connection, "p0", None, supersedes=second.id))
    assert back.value is None
    assert case_of(connection, "p0").decision is None
    third = carl(connection, told(connection, "p0", "3"))
    assert [one.pair for one in queue(found(connection), "decided")] == ["p0"]
    assert labels_of(connection, ["p0"], "turku")["p0"].label == third.value


def test_the_same_decision_sent_twice_is_saved_once(connection: Connection) -> None:
    said = told(connection, "p0", "2")
    assert carl(connection, said) == carl(connection, said)
    with pytest.raises(Conflict, match="something else was saved"):
        carl(connection, msgspec.structs.replace(said, value="3"))
    rows = connection.execute(select(schema.judgements.c.id).where(schema.judgements.c.kind == "consensus"))
    assert len(rows.all()) == 1


def test_an_agreed_pair_that_somebody_was_unsure_of_is_decided_too(connection: Connection) -> None:
    carl(connection, told(connection, "p4", "3"))
    assert queue(found(connection), "unsure") == []
    assert settled(found(connection)) == Settled(6, 5, 2, 3, 1, 3, 0)


@pytest.mark.parametrize(
    ("pair", "value", "others", "error", "reason"),
    [
        ("p0", "5", {}, Refused, "'5' is not one of"),
        ("p0", "3s", {}, Refused, "flag 's' goes with 4"),
        ("p0", None, {}, Refused, "no decision to take back"),
        ("p0", "2", {"adopted": "nobody's"}, Refused, 'no judgement "nobody\'s"'),
        ("p0", "2", {"made_from": []}, Conflict, "was changed since"),
        ("p0", "2", {"supersedes": "an older one"}, Conflict, "somebody else has decided"),
        ("p0", "2", {"note": "x" * 4001}, Refused, "at most 4,000"),
        ("p0", "2", {"batch": "single"}, NotFound, "no batch 'single'"),
        ("p5", "2", {}, Conflict, "not all judgements"),
    ],
)
def test_what_is_refused(
    connection: Connection, pair: str, value: Any, others: dict[str, Any], error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        carl(connection, told(connection, pair, value, **others))
    assert settled(found(connection)).decided == 0


def test_what_is_taken_over_has_to_be_what_was_said(connection: Connection) -> None:
    ben = next(one for one in case_of(connection, "p0").opinions if one.annotator == "ben")
    with pytest.raises(Refused, match="says something else"):
        carl(connection, told(connection, "p0", "4", adopted=ben.id))
    with pytest.raises(NotFound, match="no pair 'p9' in the batch"):
        carl(connection, msgspec.structs.replace(told(connection, "p0", "4"), pair="p9"))


def test_who_decides_has_seen_what_there_is(connection: Connection) -> None:
    said = told(connection, "p0", "2")
    anna = next(one for one in case_of(connection, "p0").opinions if one.annotator == "anna")
    undo(connection, "anna", anna.id, "undo")
    with pytest.raises(Conflict, match="not all judgements"):
        carl(connection, said)
    judged(connection, "double", "anna", {"p0": "3"})
    with pytest.raises(Conflict, match="was changed since"):
        carl(connection, said)


def test_curators_and_those_who_judged_decide(connection: Connection) -> None:
    assert carl(connection, told(connection, "p0", "2"), "annotator", "anna").annotator == "anna"
    assert carl(connection, told(connection, "p1", "4"), "admin", "ada").annotator == "ada"
    for who, role, pair in (("cleo", "annotator", "p3"), ("ben", "worker", "p3")):
        with pytest.raises(NotAllowed, match="decided about by those who judged it"):
            carl(connection, told(connection, pair, "4"), role, who)
    assert [one.id for one in to_be_heard(connection, "anna", "annotator")] == ["double"]
    assert to_be_heard(connection, "cleo", "annotator") == []


def test_a_curator_who_has_still_to_judge_a_pair_does_not_decide(connection: Connection) -> None:
    batch_of(connection, "triple", 1, asked=3)
    for name in ("anna", "ben"):
        judged(connection, "triple", name, {"p0": "4"})
    taken(connection, "triple", "carl")
    with pytest.raises(NotAllowed, match="still to judge"):
        carl(connection, told(connection, "p0", "4"))
    of = batch(connection, "double")
    seen = hearing(connection, "carl", "curator", of, TURKU, "disagreements", named=True)
    assert [one.pair for one in seen.cases] == ["p3", "p1"]


def test_nobody_makes_a_decision_of_the_team_out_of_their_own_word(connection: Connection) -> None:
    batch_of(connection, "single", asked=1)
    (said,) = judged(connection, "single", "anna", {"p0": "4"})
    mine = Decided(key="k", pair="p0", batch="single", value="1", made_from=[said.id])
    with pytest.raises(NotAllowed, match="one judgement of each"):
        carl(connection, mine, "annotator", "anna")
    assert carl(connection, mine).annotator == "carl"


def test_who_is_paused_decides_nothing(connection: Connection) -> None:
    crowd_decisions.decide(connection, "double", "anna", "paused", "cora", "k")
    with pytest.raises(NotAllowed, match="paused"):
        carl(connection, told(connection, "p0", "2"), "annotator", "anna")
    carl(connection, told(connection, "p0", "2"), "annotator", "ben")


def test_names_are_left_out_unless_a_curator_asks(connection: Connection) -> None:
    of = batch(connection, "double")
    blind = hearing(connection, "carl", "curator", of, TURKU, "disagreements", named=False)
    assert all("annotator" not in one for case in blind.cases for one in case.opinions)
    named = hearing(connection, "carl", "curator", of, TURKU, "disagreements", named=True)
    assert [{one["annotator"] for one in case.opinions} for case in named.cases] == [{"anna", "ben"}] * 3
    with pytest.raises(NotAllowed, match="only curators"):
        hearing(connection, "anna", "annotator", of, TURKU, "disagreements", named=True)
    assert blind.cases[0].text1 == "The 0 lamps were lit."


def test_the_order_of_opinions_tells_nobody(connection: Connection) -> None:
    batch_of(connection, "many")
    for name, value in (("anna", "4"), ("ben", "1")):
        judged(connection, "many", name, {f"p{number}": value for number in range(6)})
    heard = hearing(connection, "carl", "curator", batch(connection, "many"), TURKU, "disagreements", named=True)
    assert len({case.opinions[0]["annotator"] for case in heard.cases}) == 2


def test_of_two_who_decide_at_once_one_comes_second(project: Project) -> None:
    with project.ledger.writing() as connection:
        prepare(connection)
        said = told(connection, "p0", "2")
    deeds = [lambda connection, who=who: carl(connection, said, "curator", who) for who in ("carl", "cora")]
    results = at_once(project, *deeds)
    assert sorted(type(one).__name__ for one in results) == ["Conflict", "Judgement"]
    with project.ledger.reading() as connection:
        assert settled(found(connection)).decided == 1


def test_what_was_judged_elsewhere_is_brought_to_adjudication(project: Project) -> None:
    said = [("p0", "anna", "4"), ("p0", "ben", "2"), ("p1", "anna", "3"), ("p1", "ben", "3"), ("p2", "anna", "1")]
    more = [("p3", "anna", "1"), ("p3", "ben", "2"), ("p0", "cleo", "4"), ("p1", "anna", "4")]
    with project.ledger.writing() as connection:
        put_pairs(connection)
        for number, (pair, who, value) in enumerate(said + more):
            one = Judgement(id=f"j{number}", pair=pair, annotator=who, value=value)
            connection.execute(insert(schema.judgements).values(**row_of(one)))
        team = Judgement(id="team", pair="p3", annotator="carl", value="1", kind="consensus")
        connection.execute(insert(schema.judgements).values(**row_of(team)))
        made, pairs = gather(connection, project, "sheets")
        assert (made.state, made.asked, pairs) == ("closed", 3, 2)
        found = {one.pair: one for one in cases(connection, made, TURKU)}
        assert {name: [who.value for who in one.opinions] for name, one in found.items()} == {
            "p0": ["4", "2", "4"],
            "p1": ["4", "3"],
        }
        ids = [one.id for one in found["p0"].opinions]
        decide(
            connection, "carl", "curator", Decided(key="k", batch="sheets", pair="p0", value="4", made_from=ids), TURKU
        )
        assert labels_of(connection, ["p0"])["p0"].label == "4"
        assert settled(cases(connection, made, TURKU)).decided == 1
        with pytest.raises(Refused, match="no pair has 2 imported judgements"):
            gather(connection, project, "again")
