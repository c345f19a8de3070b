"""Annotated types in the formats that hold them: nothing of a phenomenon is lost on the way out and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherwords.records import Judgement
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import read

TEXTS = {"text1": "Late snow fell on the hill , they said .", "text2": "They said that the hill saw snow late ."}
DISCONTINUOUS: dict[str, Any] = {"type": "order", "scope1": [[0, 4], [29, 33]], "scope2": [[0, 4], [33, 37]]}
OVERLAPPING = {**DISCONTINUOUS, "type": "semantic", "scope1": [[0, 14]]}
PROJECTED = {**DISCONTINUOUS, "type": "lex_same_polarity", "projection": "global"}
KEYED = {**DISCONTINUOUS, "type": "syn_subord_nesting", "key1": [[0, 4]], "key2": [[0, 4], [33, 37]]}
ONE_SIDED = {"type": "addition_deletion", "scope2": [[10, 14]], "projection": "local"}
RICH = [DISCONTINUOUS, OVERLAPPING, PROJECTED, KEYED, ONE_SIDED]
PLAIN = [DISCONTINUOUS, OVERLAPPING, {"type": "addition_deletion", "scope2": [[10, 14]]}]


def there_and_back(value: Any, format: str, folder: Path) -> list[Any]:
    target = folder / ("out.xml" if format == "p4p" else "out")
    write_records([Judgement(id="j", pair="7", value=value, meta=dict(TEXTS))], target, format)
    judgements = [record for record in read(target, format, noun="judgements")[0] if isinstance(record, Judgement)]
    return [
        {name: value for name, value in x.items() if name != "meta"}
        for judgement in judgements
        for x in judgement.value
    ]


@pytest.mark.parametrize(("format", "listed"), [("p4p", RICH), ("etpc", RICH), ("msrp-a", PLAIN)])
@pytest.mark.parametrize("question", ["alone", "after yes or no"])
def test_nothing_is_lost(format: str, listed: list[Any], question: str, tmp_path: Path) -> None:
    value = listed if question == "alone" else {"paraphrase": "yes", "types": listed}
    assert there_and_back(value, format, tmp_path) == listed


@pytest.mark.parametrize("phenomenon", [PROJECTED, KEYED, {**DISCONTINUOUS, "type": "order (2)"}])
def test_what_an_alignment_cannot_hold_is_refused(phenomenon: dict[str, Any], tmp_path: Path) -> None:
    with raises("cannot-be-written", match=r"pair 7: .* (projection|key1|type)"):
        there_and_back([phenomenon], "msrp-a", tmp_path)


@pytest.mark.parametrize(
    ("value", "label"), [({"paraphrase": "no"}, "0"), ({"paraphrase": "yes", "types": RICH}, "1"), ([], "1")]
)
def test_p4p_says_whether_it_is_a_paraphrase(value: Any, label: str, tmp_path: Path) -> None:
    write_records([Judgement(id="j", pair="7", value=value, meta=dict(TEXTS))], tmp_path / "out.xml", "p4p")
    [judgement] = read(tmp_path / "out.xml", "p4p", noun="judgements")[0]
    assert isinstance(judgement, Judgement)
    assert judgement.meta["label"] == label


def test_the_released_corpus_survives(shared_data: Path, tmp_path: Path) -> None:
    released = read(shared_data / "p4p" / "P4P-first-400.xml", "p4p", noun="judgements")[0]
    write_records(released, tmp_path / "again.xml", "p4p")
    assert read(tmp_path / "again.xml", "p4p", noun="judgements")[0] == released
