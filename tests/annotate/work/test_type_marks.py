"""Judging types: marks have to be inside the texts, and the tokeniser stays with the judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.browse import pairs as browsing
from otherwords.annotate.browse.filter import NO_FILTER, parse_filter
from otherwords.annotate.browse.filter_choices import offered_types
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work import answers, type_marks
from otherwords.annotate.work.reservations import reserve
from otherwords.errors import Refused
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.errors import raises


@dataclass(frozen=True)
class Viewer:
    """Somebody who sees everything."""

    name: str = "zoe"
    role: str = "admin"


SAME = {"type": "identical", "scope1": [[0, 3]], "scope2": [[4, 7]]}
PAIRS = [
    Pair(id="en", text1="Cat sat.", text2="The cat sat down.", lang="en"),
    Pair(id="odd", text1="Cat sat.", text2="The cat sat down.", lang="not a language"),
]


@pytest.fixture
def slots(project: Project) -> dict[str, int]:
    """What anna holds, by batch and pair."""
    held = {}
    with project.ledger.writing() as connection:
        about = {"import_id": None, "step": None, "step_key": None, "state": None}
        connection.execute(insert(schema.pairs), [row_of(pair, **about) for pair in PAIRS])
        for name, purpose in (("plain", "production"), ("agree", "agreement")):
            items = [BatchItem(pair.id) for pair in PAIRS]
            insert_batch(connection, name, items, scheme="vila", author="carl", purpose=purpose)  # type: ignore[arg-type]
            held |= {
                f"{name} {reservation.item}": reservation.slot for reservation in reserve(connection, name, "anna", 5)
            }
    return held


def send(project: Project, slot: int, phenomena: Any, key: str = "k") -> Judgement | Refused:
    body = answers.AnswerBody(key=key, slot=slot, value={"paraphrase": "yes", "types": phenomena})
    with project.ledger.writing() as connection:
        return answers.save_answers(connection, [("anna", body)], load_scheme, lambda *_: True)[0]


def test_the_tokeniser_stays_with_the_judgement(project: Project, slots: dict[str, int]) -> None:
    for pair in ("en", "odd"):
        judgement = send(project, slots[f"plain {pair}"], [SAME], pair)
        assert isinstance(judgement, Judgement)
        assert judgement.meta == {"slot": slots[f"plain {pair}"], "tokeniser": "words"}
        assert judgement.value["types"] == [SAME]
        assert send(project, slots[f"plain {pair}"], [SAME], pair) == judgement  # sent twice, there once


def test_marks_outside_the_texts_are_refused(project: Project, slots: dict[str, int]) -> None:
    beyond = SAME | {"scope1": [[0, 9]]}
    for phenomena, reason in (([beyond], "beyond the text"), ([], "at least one"), ([{"type": "x"}], "no type 'x'")):
        problem = send(project, slots["plain en"], phenomena)
        assert isinstance(problem, Refused)
        assert reason in str(problem)


def test_a_pair_that_is_no_paraphrase_has_no_types(project: Project, slots: dict[str, int]) -> None:
    body = answers.AnswerBody(key="no", slot=slots["plain en"], value={"paraphrase": "no"})
    with project.ledger.writing() as connection:
        (judgement,) = answers.save_answers(connection, [("anna", body)], load_scheme, lambda *_: True)
    assert isinstance(judgement, Judgement)
    assert "tokeniser" not in judgement.meta


def test_nothing_is_marked_beforehand_where_agreement_is_measured(project: Project, slots: dict[str, int]) -> None:
    pre = SAME | {"meta": {"pre": True}}
    problem = send(project, slots["agree en"], [pre])
    assert isinstance(problem, Refused)
    assert problem.code == "marked-beforehand"
    judgement = send(project, slots["plain en"], [pre], "other")
    assert isinstance(judgement, Judgement)
    assert judgement.value["types"][0]["meta"] == {"pre": True}


def test_pairs_are_found_by_type(project: Project, slots: dict[str, int]) -> None:
    assert isinstance(send(project, slots["plain en"], [SAME]), Judgement)
    with project.ledger.reading() as connection:
        for type_name, expected in (("identical", ["en"]), ("order", []), ("ident", [])):
            rows, _ = browsing.pair_page(connection, project, parse_filter({"type": type_name}), Viewer())
            assert [row.id for row in rows] == expected
        (row,) = [
            shown for shown in browsing.pair_page(connection, project, NO_FILTER, Viewer())[0] if shown.id == "en"
        ]
        assert row.types == ("identical",)
    assert {"order", "identical"} <= set(offered_types(project))


def test_tokens_are_those_of_the_holder(project: Project, slots: dict[str, int]) -> None:
    with project.ledger.reading() as connection:
        tokens = type_marks.tokens_of_slot(connection, slots["plain en"], "anna")
        assert [PAIRS[0].text1[start:end] for start, end in tokens.text1] == ["Cat", "sat", "."]
        assert tokens.tokeniser == "words"
        with raises("not-reserved"):
            type_marks.tokens_of_slot(connection, slots["plain en"], "ben")
        with raises("not-reserved"):
            type_marks.tokens_of_slot(connection, 10**9, "anna")
