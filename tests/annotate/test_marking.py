"""Judging types: what is marked has to lie in the texts, and the tokeniser stays with the judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import insert

from otherwords.annotate import browsing, judging, marking
from otherwords.annotate.batches import Wanted, make
from otherwords.annotate.filter_choices import offered_types
from otherwords.annotate.pair_filter import EVERYTHING, parse
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import take
from otherwords.errors import NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair


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
            wanted = [Wanted(pair.id) for pair in PAIRS]
            make(connection, name, wanted, scheme="vila", author="carl", purpose=purpose)  # type: ignore[arg-type]
            held |= {f"{name} {one.item}": one.slot for one in take(connection, name, "anna", 5)}
    return held


def said(project: Project, slot: int, phenomena: Any, key: str = "k") -> Judgement | Refused:
    told = judging.Said(key=key, slot=slot, value={"paraphrase": "yes", "types": phenomena})
    with project.ledger.writing() as connection:
        return judging.judge(connection, [("anna", told)], scheme, lambda *_: True)[0]


def test_the_tokeniser_stays_with_the_judgement(project: Project, slots: dict[str, int]) -> None:
    for pair in ("en", "odd"):
        made = said(project, slots[f"plain {pair}"], [SAME], pair)
        assert isinstance(made, Judgement)
        assert made.meta == {"slot": slots[f"plain {pair}"], "tokeniser": "words"}
        assert made.value["types"] == [SAME]
        assert said(project, slots[f"plain {pair}"], [SAME], pair) == made  # sent twice, there once


def test_what_is_not_about_the_texts_is_refused(project: Project, slots: dict[str, int]) -> None:
    beyond = SAME | {"scope1": [[0, 9]]}
    for phenomena, reason in (([beyond], "beyond the text"), ([], "at least one"), ([{"type": "x"}], "no type 'x'")):
        problem = said(project, slots["plain en"], phenomena)
        assert isinstance(problem, Refused)
        assert reason in str(problem)


def test_no_paraphrase_has_no_types(project: Project, slots: dict[str, int]) -> None:
    told = judging.Said(key="no", slot=slots["plain en"], value={"paraphrase": "no"})
    with project.ledger.writing() as connection:
        (made,) = judging.judge(connection, [("anna", told)], scheme, lambda *_: True)
    assert isinstance(made, Judgement)
    assert "tokeniser" not in made.meta


def test_nothing_is_marked_beforehand_where_agreement_is_measured(project: Project, slots: dict[str, int]) -> None:
    pre = SAME | {"meta": {"pre": True}}
    problem = said(project, slots["agree en"], [pre])
    assert isinstance(problem, Refused)
    assert "beforehand" in str(problem)
    made = said(project, slots["plain en"], [pre], "other")
    assert isinstance(made, Judgement)
    assert made.value["types"][0]["meta"] == {"pre": True}


def test_pairs_are_found_by_type(project: Project, slots: dict[str, int]) -> None:
    assert isinstance(said(project, slots["plain en"], [SAME]), Judgement)
    with project.ledger.reading() as connection:
        for wanted, found in (("identical", ["en"]), ("order", []), ("ident", [])):
            rows, _ = browsing.page(connection, project, parse({"type": wanted}), Viewer())
            assert [row.id for row in rows] == found
        (row,) = [one for one in browsing.page(connection, project, EVERYTHING, Viewer())[0] if one.id == "en"]
        assert row.types == ("identical",)
    assert {"order", "identical"} <= set(offered_types(project))


def test_tokens_are_those_of_the_holder(project: Project, slots: dict[str, int]) -> None:
    with project.ledger.reading() as connection:
        found = marking.tokens_of_slot(connection, slots["plain en"], "anna")
        assert [PAIRS[0].text1[start:end] for start, end in found.text1] == ["Cat", "sat", "."]
        assert found.tokeniser == "words"
        with pytest.raises(NotFound, match="not reserved for you"):
            marking.tokens_of_slot(connection, slots["plain en"], "ben")
        with pytest.raises(NotFound):
            marking.tokens_of_slot(connection, 10**9, "anna")
