"""What people disagree about, and what the team decides, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, insert, select

from otherwords.annotate.adjudication.case_queue import adjudicable_batches, load_case_queue
from otherwords.annotate.adjudication.decide import AdjudicationInput, decide
from otherwords.annotate.adjudication.disagreements import Case, Resolution, cases, select_cases, settled
from otherwords.annotate.batch_plans.from_imports import create_from_imports
from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.crowd import curator_decisions as crowd_decisions
from otherwords.annotate.labels.pair_labels import labels_of_pairs
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import undo
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement
from tests.annotate.disputed import batch_of, judged, put_pairs, taken
from tests.errors import raises
from tests.web.persons import at_once

TURKU = load_scheme("turku")
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


def load(connection: Connection) -> list[Case]:
    return cases(connection, load_batch(connection, "double"), TURKU)


def case_of(connection: Connection, pair: str) -> Case:
    return next(case for case in load(connection) if case.pair == pair)


def decision_on(connection: Connection, pair: str, value: Any, **others: Any) -> AdjudicationInput:
    ids = [opinion.id for opinion in case_of(connection, pair).opinions]
    return AdjudicationInput(
        **{"key": f"{pair}-{value}", "pair": pair, "batch": "double", "value": value, "made_from": ids, **others}
    )


def carl(connection: Connection, decision: AdjudicationInput, role: str = "curator", who: str = "carl") -> Judgement:
    return decide(connection, who, role, decision, TURKU)


def test_the_queue_begins_with_the_worst_disagreement(connection: Connection) -> None:
    all_cases = load(connection)
    assert [(case.pair, case.severity) for case in select_cases(all_cases)] == [
        ("p0", 1),
        ("p3", 0.3333),
        ("p1", 0.0417),
    ]
    assert [case.pair for case in select_cases(all_cases, "unsure")] == ["p4"]
    assert select_cases(all_cases, "decided") == []
    with raises("unknown-queue", match="'everything'"):
        select_cases(all_cases, "everything")  # type: ignore[arg-type]
    assert settled(all_cases) == Resolution(6, 5, 2, 3, 0, 3, 1)


def test_equal_severity_keeps_the_order_of_the_batch(connection: Connection) -> None:
    batch_of(connection, "again")
    for name, value in (("anna", "4"), ("ben", "3")):
        judged(connection, "again", name, dict.fromkeys(("p3", "p1", "p2"), value))
    again = cases(connection, load_batch(connection, "again"), TURKU)
    assert [case.pair for case in select_cases(again)] == ["p1", "p2", "p3"]


def test_a_judgement_is_adopted(connection: Connection) -> None:
    adopted = next(opinion for opinion in case_of(connection, "p0").opinions if opinion.annotator == "ben")
    judgement = carl(connection, decision_on(connection, "p0", "1", adopted=adopted.id, note="no lamp in it"))
    assert (judgement.kind, judgement.annotator) == ("consensus", "carl")
    assert (judgement.value, judgement.purpose) == ("1", "production")
    ids = sorted(opinion.id for opinion in case_of(connection, "p0").opinions)
    assert judgement.meta == {"from": ids, "adopted": adopted.id}
    assert (judgement.guideline, judgement.note) == ("turku@0", "no lamp in it")
    assert [case.pair for case in select_cases(load(connection))] == ["p3", "p1"]
    label = labels_of_pairs(connection, ["p0"], "turku")["p0"]
    assert (label.label, label.source, label.open) == ("1", "consensus", False)
    assert len(label.labels) == 2, "what people said on their own is kept apart"


def test_a_decision_can_be_changed_and_taken_back(connection: Connection) -> None:
    first = carl(connection, decision_on(connection, "p0", "2"))
    assert first.meta["adopted"] is None
    second = carl(connection, decision_on(connection, "p0", "4s>", supersedes=first.id))
    assert (second.value, second.supersedes) == ("4>s", first.id)
    assert settled(load(connection)).decided == 1
    back = carl(connection, decision_on(connection, "p0", None, supersedes=second.id))
    assert back.value is None
    assert case_of(connection, "p0").decision is None
    third = carl(connection, decision_on(connection, "p0", "3"))
    assert [case.pair for case in select_cases(load(connection), "decided")] == ["p0"]
    assert labels_of_pairs(connection, ["p0"], "turku")["p0"].label == third.value


def test_the_same_decision_sent_twice_is_saved_once(connection: Connection) -> None:
    decision = decision_on(connection, "p0", "2")
    assert carl(connection, decision) == carl(connection, decision)
    with raises("key-reused"):
        carl(connection, msgspec.structs.replace(decision, value="3"))
    rows = connection.execute(select(schema.judgements.c.id).where(schema.judgements.c.kind == "consensus"))
    assert len(rows.all()) == 1


def test_an_agreed_pair_that_somebody_was_unsure_of_is_decided_too(connection: Connection) -> None:
    carl(connection, decision_on(connection, "p4", "3"))
    assert select_cases(load(connection), "unsure") == []
    assert settled(load(connection)) == Resolution(6, 5, 2, 3, 1, 3, 0)


@pytest.mark.parametrize(
    ("pair", "value", "others", "error", "code", "fact"),
    [
        ("p0", "5", {}, Refused, "unknown-value", "'5'"),
        ("p0", "3s", {}, Refused, "flag-not-allowed", "'s' goes with 4"),
        ("p0", None, {}, Refused, "nothing-to-take-back", ""),
        ("p0", "2", {"adopted": "nobody's"}, Refused, "no-such-judgement", '"nobody\'s"'),
        ("p0", "2", {"made_from": []}, Conflict, "judgement-changed", ""),
        ("p0", "2", {"supersedes": "an older one"}, Conflict, "decided-meanwhile", ""),
        ("p0", "2", {"note": "x" * 4001}, Refused, "note-too-long", "4,000.*4,001"),
        ("p5", "2", {}, Conflict, "judgements-missing", ""),
    ],
)
def test_refused_decisions(
    connection: Connection,
    pair: str,
    value: Any,
    others: dict[str, Any],
    error: type[Exception],
    code: str,
    fact: str,
) -> None:
    with raises(code, match=fact) as caught:
        carl(connection, decision_on(connection, pair, value, **others))
    assert isinstance(caught.value, error)
    assert settled(load(connection)).decided == 0


def test_a_decision_in_an_unknown_batch_is_refused(connection: Connection) -> None:
    with pytest.raises(NotFound, match="'single'"):
        carl(connection, decision_on(connection, "p0", "2", batch="single"))
    assert settled(load(connection)).decided == 0


def test_an_adopted_judgement_must_have_the_decided_value(connection: Connection) -> None:
    ben = next(opinion for opinion in case_of(connection, "p0").opinions if opinion.annotator == "ben")
    with raises("adopted-value-differs"):
        carl(connection, decision_on(connection, "p0", "4", adopted=ben.id))
    with raises("no-such-pair", match="'p9'"):
        carl(connection, msgspec.structs.replace(decision_on(connection, "p0", "4"), pair="p9"))


def test_decisions_on_outdated_judgements_are_refused(connection: Connection) -> None:
    decision = decision_on(connection, "p0", "2")
    anna = next(opinion for opinion in case_of(connection, "p0").opinions if opinion.annotator == "anna")
    undo(connection, "anna", anna.id, "undo")
    with raises("judgements-missing"):
        carl(connection, decision)
    judged(connection, "double", "anna", {"p0": "3"})
    with raises("judgement-changed"):
        carl(connection, decision)


def test_curators_and_those_who_judged_decide(connection: Connection) -> None:
    assert carl(connection, decision_on(connection, "p0", "2"), "annotator", "anna").annotator == "anna"
    assert carl(connection, decision_on(connection, "p1", "4"), "admin", "ada").annotator == "ada"
    for who, role, pair in (("cleo", "annotator", "p3"), ("ben", "worker", "p3")):
        with raises("not-your-batch"):
            carl(connection, decision_on(connection, pair, "4"), role, who)
    assert [double.id for double in adjudicable_batches(connection, "anna", "annotator")] == ["double"]
    assert adjudicable_batches(connection, "cleo", "annotator") == []


def test_a_curator_who_has_still_to_judge_a_pair_does_not_decide(connection: Connection) -> None:
    batch_of(connection, "triple", 1, asked=3)
    for name in ("anna", "ben"):
        judged(connection, "triple", name, {"p0": "4"})
    taken(connection, "triple", "carl")
    with raises("pair-not-judged"):
        carl(connection, decision_on(connection, "p0", "4"))
    double = load_batch(connection, "double")
    seen = load_case_queue(connection, "carl", "curator", double, TURKU, "disagreements", named=True)
    assert [case.pair for case in seen.cases] == ["p3", "p1"]


def test_annotators_do_not_decide_in_batches_with_one_judgement(connection: Connection) -> None:
    batch_of(connection, "single", asked=1)
    (judgement,) = judged(connection, "single", "anna", {"p0": "4"})
    decision = AdjudicationInput(key="k", pair="p0", batch="single", value="1", made_from=[judgement.id])
    with raises("single-judgement-batch"):
        carl(connection, decision, "annotator", "anna")
    assert carl(connection, decision).annotator == "carl"


def test_a_paused_annotator_may_not_decide(connection: Connection) -> None:
    crowd_decisions.decide_on_worker(connection, "double", "anna", "paused", "cora", "k")
    with pytest.raises(NotAllowed, match="paused"):
        carl(connection, decision_on(connection, "p0", "2"), "annotator", "anna")
    carl(connection, decision_on(connection, "p0", "2"), "annotator", "ben")


def test_names_are_left_out_unless_a_curator_asks(connection: Connection) -> None:
    double = load_batch(connection, "double")
    blind = load_case_queue(connection, "carl", "curator", double, TURKU, "disagreements", named=False)
    assert all("annotator" not in opinion for case in blind.cases for opinion in case.opinions)
    named = load_case_queue(connection, "carl", "curator", double, TURKU, "disagreements", named=True)
    assert [{opinion["annotator"] for opinion in case.opinions} for case in named.cases] == [{"anna", "ben"}] * 3
    with raises("names-for-curators"):
        load_case_queue(connection, "anna", "annotator", double, TURKU, "disagreements", named=True)
    assert blind.cases[0].text1 == "The 0 lamps were lit."


def test_the_order_of_opinions_does_not_reveal_annotators(connection: Connection) -> None:
    batch_of(connection, "many")
    for name, value in (("anna", "4"), ("ben", "1")):
        judged(connection, "many", name, {f"p{number}": value for number in range(6)})
    shown = load_case_queue(
        connection, "carl", "curator", load_batch(connection, "many"), TURKU, "disagreements", named=True
    )
    assert len({case.opinions[0]["annotator"] for case in shown.cases}) == 2


def test_of_two_concurrent_decisions_one_is_refused(project: Project) -> None:
    with project.ledger.writing() as connection:
        prepare(connection)
        decision = decision_on(connection, "p0", "2")
    deeds = [lambda connection, who=who: carl(connection, decision, "curator", who) for who in ("carl", "cora")]
    results = at_once(project, *deeds)
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "Judgement"]
    with project.ledger.reading() as connection:
        assert settled(load(connection)).decided == 1


def test_imported_judgements_can_be_adjudicated(project: Project) -> None:
    answers = [("p0", "anna", "4"), ("p0", "ben", "2"), ("p1", "anna", "3"), ("p1", "ben", "3"), ("p2", "anna", "1")]
    more = [("p3", "anna", "1"), ("p3", "ben", "2"), ("p0", "cleo", "4"), ("p1", "anna", "4")]
    with project.ledger.writing() as connection:
        put_pairs(connection)
        for number, (pair, who, value) in enumerate(answers + more):
            judgement = Judgement(id=f"j{number}", pair=pair, annotator=who, value=value)
            connection.execute(insert(schema.judgements).values(**row_of(judgement)))
        team = Judgement(id="team", pair="p3", annotator="carl", value="1", kind="consensus")
        connection.execute(insert(schema.judgements).values(**row_of(team)))
        sheets, pairs = create_from_imports(connection, project, "sheets")
        assert (sheets.state, sheets.asked, pairs) == ("closed", 3, 2)
        by_pair = {case.pair: case for case in cases(connection, sheets, TURKU)}
        assert {name: [who.value for who in case.opinions] for name, case in by_pair.items()} == {
            "p0": ["4", "2", "4"],
            "p1": ["4", "3"],
        }
        ids = [opinion.id for opinion in by_pair["p0"].opinions]
        decide(
            connection,
            "carl",
            "curator",
            AdjudicationInput(key="k", batch="sheets", pair="p0", value="4", made_from=ids),
            TURKU,
        )
        assert labels_of_pairs(connection, ["p0"])["p0"].label == "4"
        assert settled(cases(connection, sheets, TURKU)).decided == 1
        with pytest.raises(Refused, match="no pair has 2 imported judgements"):
            create_from_imports(connection, project, "again")
