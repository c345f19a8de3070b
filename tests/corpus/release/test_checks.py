"""Every check finds its problem, stops a release, and can be overruled by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from otherwords.corpus.release.checks import NotReleased, leak_checks
from otherwords.corpus.release.model import Check
from otherwords.project import Project
from otherwords.project.left_out import leave_out
from otherwords.records import Document, Pair, Passage
from tests.corpus.released_corpus import TEXT, add, fill, judgement, pair, released, rows
from tests.errors import raises

Spoil = Callable[[Project], None]


def _add_duplicate(project: Project) -> None:
    add(project, pair(70, text1=pair(0).text2, text2=f" {pair(0).text1} ", group="g0"), judgement("p70", "4"))


def _add_contradiction(project: Project) -> None:
    """Add swapped texts with the same label, though the arrow should turn."""
    add(project, pair(70, text1=pair(1).text2, text2=pair(1).text1, group="g0"), judgement("p70", "4>"))


def _add_leaks(project: Project) -> None:
    texts = {"text1": "The pier is closed.", "text2": "No way onto the pier!"}
    for number in range(70, 90):
        add(project, pair(number, group=f"g{number}", **texts), judgement(f"p{number}", "4"))


def _add_label_outside(project: Project) -> None:
    add(project, pair(70), judgement("p70", "5"))


def _add_missing_document(project: Project) -> None:
    add(project, pair(70, doc1=Passage(id="nowhere", start=0, end=3)), judgement("p70", "4"))


def _add_wrong_passage(project: Project) -> None:
    add(project, pair(70, doc1=Passage(id="open", start=3, end=9)), judgement("p70", "4"))


def _add_personal_data(project: Project) -> None:
    add(project, pair(70, text1="Write to kaisa@laituri.example.org, please."), judgement("p70", "4"))


def _add_name(project: Project) -> None:
    add(project, pair(70), judgement("p70", "4", note="I think Bertil is wrong here"))


def _add_closed_document(project: Project) -> None:
    add(project, Document(id="closed", text=TEXT, source="paper", licence=None))
    add(project, pair(70, text1=TEXT[:24], doc1=Passage(id="closed", start=0, end=24)), judgement("p70", "4"))


def _add_pair_without_licence(project: Project) -> None:
    add(project, pair(70, source="sheet", licence=None), judgement("p70", "4"))


def _add_rewrite_of_that(project: Project) -> None:
    add(project, pair(70, source="sheet", licence=None))  # it has no label, so only its rewrite is released
    add(project, pair(71, source="sheet", licence=None, rewrite_of="p70"), judgement("p71", "4"))


def _add_text_without_document(project: Project) -> None:
    place = {"text1": TEXT[:24], "doc1": Passage(id="open", start=0, end=24)}
    add(project, pair(70, source="sheet", licence=None, **place), judgement("p70", "4"))


def _add_empty_text(project: Project) -> None:
    add(project, pair(70, text2=" "), judgement("p70", "4"))


PROBLEMS: list[tuple[str, Spoil, str]] = [
    ("duplicates", _add_duplicate, "p00 = p70"),
    ("contradictions", _add_contradiction, "p01 = p70"),
    ("empty", _add_empty_text, "pair p70: text2"),
    ("leaks", _add_leaks, "train and"),
    ("labels", _add_label_outside, "'5' is outside the scheme turku"),
    ("context", _add_missing_document, "there is no document 'nowhere'"),
    ("context", _add_wrong_passage, "has another text at 3–9"),
    ("personal-data", _add_personal_data, "pair p70: e-mail address"),
    ("names", _add_name, "of pair p70"),
    ("source-licences", _add_closed_document, "paper (1) has no licence"),
    ("source-licences", _add_pair_without_licence, "sheet (1) has no licence"),
    ("source-licences", _add_rewrite_of_that, "sheet (1) has no licence"),
    ("source-licences", _add_text_without_document, "sheet (1) has no licence"),
]


@pytest.mark.parametrize(
    ("spoil", "remedy"),
    [
        (_add_duplicate, "leave-out PROJECT --duplicates"),
        (_add_contradiction, "leave-out PROJECT PAIR"),
        (_add_leaks, "split PROJECT --components .*leave-out PROJECT PAIR"),
    ],
)
def test_copies_contradictions_and_leaks_come_with_a_remedy(project: Project, spoil: Spoil, remedy: str) -> None:
    fill(project)
    spoil(project)
    with raises("not-released", match=remedy):
        released(project)


PLACES_OF_NAMES: list[tuple[dict[str, Any], str]] = [
    ({"meta": {"Anna": "4"}}, "pair p70: meta"),
    ({"meta": {"answer_BERTIL": "4"}}, "pair p70: meta"),
    ({"meta": {"raters": [{"who": "Bertil"}]}}, "pair p70: meta"),
    ({"source": "bertil's sheet"}, "pair p70: source"),
    ({"group": "anna"}, "pair p70: group"),
    ({"method": "by anna"}, "pair p70: method"),
    ({"licence": "CC-BY-SA-4.0, Anna"}, "pair p70: licence"),
]


@pytest.mark.parametrize(("fields", "example"), PLACES_OF_NAMES)
def test_names_are_found_in_every_field_but_the_texts(project: Project, fields: dict[str, Any], example: str) -> None:
    fill(project, 8)
    add(project, pair(70, **fields), judgement("p70", "4"))
    keys = tuple(fields.get("meta", {}))
    anyway = ("source-licences",) if "licence" in fields else ()
    with raises("not-released") as refused:
        released(project, meta=keys, anyway=anyway)
    assert isinstance(refused.value, NotReleased)
    [check] = [check for check in refused.value.checks if check.refuses]
    assert (check.name, example in check.examples) == ("names", True)


PLACES_IN_JUDGEMENTS: list[tuple[dict[str, Any], str]] = [
    ({"note": "see line one\nbertil knows"}, "note"),
    ({"value": {"Anna": "yes"}, "scheme": "other"}, "value"),
    ({"meta": {"rater": "Bertil"}}, "meta"),
    ({"id": "bertil-17"}, "id"),
]


@pytest.mark.parametrize(("fields", "example"), PLACES_IN_JUDGEMENTS)
def test_names_are_found_in_every_field_of_judgements(project: Project, fields: dict[str, Any], example: str) -> None:
    fill(project, 8)
    add(project, pair(70), judgement("p70", "4"), judgement("p70", **{"value": "4", "id": "other"} | fields))
    with raises("not-released") as refused:
        released(project, meta=tuple(fields.get("meta", {})))
    assert isinstance(refused.value, NotReleased)
    [check] = [check for check in refused.value.checks if check.refuses]
    assert check.name == "names"
    assert any(text.endswith(f"of pair p70: {example}") for text in check.examples)


PEOPLE_AND_REMARKS: list[tuple[str, str, bool]] = [
    ("marta.lind", "Marta is too strict", True),  # a part of the name
    ("marta.lind", "the martagon lily", False),
    ("jo", "Jo", True),  # a short name by itself
    ("jo", "jo, so it is", False),
    ("佐藤", "佐藤さんに聞く", True),
    ("佐藤", "砂糖と塩", False),
    ("민수", "민수", True),
]


@pytest.mark.parametrize(("name", "remark", "is_named"), PEOPLE_AND_REMARKS)
def test_names_as_people_write_them(project: Project, name: str, remark: str, is_named: bool) -> None:
    fill(project, 8)
    add(project, pair(70, meta={"remark": remark}), judgement("p70", "4", name))
    checks = {check.name: check for check in released(project, meta=("remark",), anyway=("names",)).checks}
    assert checks["names"].examples == (["pair p70: meta"] if is_named else [])


@pytest.mark.parametrize(
    ("reason", "name"), [("Bertil says it is half a sentence", "names"), ("ask 040-123 4567", "personal-data")]
)
def test_reasons_for_leaving_pairs_out_are_checked(project: Project, reason: str, name: str) -> None:
    fill(project, 12)
    add(project, pair(70))
    with project.ledger.writing() as connection:
        leave_out(connection, ["p70"], reason)
    checks = {check.name: check for check in released(project, anyway=(name,)).checks}
    assert checks[name].count == 1
    assert checks[name].examples[0].endswith("a reason for which pairs are left out")


def test_a_pseudonym_is_no_name_of_two_parts(project: Project) -> None:
    fill(project, 8)
    add(project, pair(70, meta={"remark": "withdrawn from sale"}), judgement("p70", "4", "withdrawn-1a2b3c4d"))
    [check] = [check for check in released(project, meta=("remark",)).checks if check.name == "names"]
    assert check.count == 0


def test_names_in_texts_and_in_words_of_ours_are_no_problem(project: Project) -> None:
    fill(project, 8)
    add(project, pair(70, text1="Anna left the harbour."), judgement("p70", "4", "production", scheme="turku"))
    [check] = [check for check in released(project).checks if check.name == "names"]
    assert check.count == 0


def test_personal_data_is_found_in_metadata_and_notes_but_numbers_in_ids_are_none(project: Project) -> None:
    fill(project, 8)
    add(project, pair(70, group="4111 1111 1111 1111", meta={"phone": "040-123 4567", "mari@example.org": 1}))
    add(project, judgement("p70", "4", note="her card is 4111 1111 1111 1111"))
    add(project, pair(71, id="mari@example.org"), judgement("mari@example.org", "4"))
    with raises("not-released") as refused:
        released(project, meta=("phone", "mari@example.org"))
    assert isinstance(refused.value, NotReleased)
    [check] = [check for check in refused.value.checks if check.refuses]
    assert check.name == "personal-data"
    places = {example.partition(": ")[2] for example in check.examples}
    assert places == {
        "phone number in meta, e-mail address in meta",
        "card number in note",
        "e-mail address in id, e-mail address in judgements",
        "e-mail address in id, e-mail address in pair",
    }


@pytest.mark.parametrize(("name", "spoil", "example"), PROBLEMS)
def test_a_check_stops_a_release_and_can_be_overruled(project: Project, name: str, spoil: Spoil, example: str) -> None:
    fill(project)
    spoil(project)
    others = ("duplicates",) if name == "leaks" else ()
    with pytest.raises(NotReleased, match=f"--anyway {name}") as refused:
        released(project, anyway=others)
    assert refused.value.code == "not-released"
    [check] = [check for check in refused.value.checks if check.refuses]
    assert (check.name, check.count >= 1) == (name, True)
    assert any(example in text for text in check.examples)
    assert rows(project, "releases") == []
    assert not list((project.folder / "releases").iterdir())
    release = released(project, anyway=(name, *others))
    assert [check.overruled for check in release.checks if check.name == name] == [True]


def test_personal_data_and_names_are_not_published(project: Project) -> None:
    fill(project)
    _add_personal_data(project)
    add(project, judgement("p00", "4", "carl", note="as anna said"))
    release = released(project, anyway=("personal-data", "names"))
    published = (release.folder / "release.json").read_text("utf-8").lower()
    assert "kaisa@" not in published
    assert "anna" not in published


def test_the_ids_of_many_duplicates_are_not_all_listed(project: Project) -> None:
    fill(project)
    texts = {"text1": pair(0).text1, "text2": pair(0).text2, "group": "g0"}
    for number in range(70, 90):
        add(project, pair(number, **texts), judgement(f"p{number}", "4"))
    with pytest.raises(NotReleased) as refused:
        released(project)
    [check] = [check for check in refused.value.checks if check.name == "duplicates"]
    assert check.count == 20
    assert check.examples[0].startswith("p00 = p70 = ")
    assert check.examples[0].endswith(" = p78 and 11 more")


def test_a_mirrored_arrow_is_no_contradiction(project: Project) -> None:
    fill(project)
    add(project, pair(70, text1=pair(1).text2, text2=pair(1).text1, group="g0"), judgement("p70", "4<"))
    with pytest.raises(NotReleased) as refused:
        released(project)
    assert [check.name for check in refused.value.checks if check.refuses] == ["duplicates"]


def test_nothing_to_release_cannot_be_overruled(project: Project) -> None:
    add(project, *(pair(number) for number in range(16)), *(judgement(f"p{number:02}", "x") for number in range(16)))
    with pytest.raises(NotReleased, match=r"no pair to release; left out: label x 16"):
        released(project, anyway=("nothing",))


def test_a_project_without_labels(project: Project) -> None:
    add(project, *(pair(number) for number in range(16)))
    with raises("nothing-to-split"):
        released(project)
    with pytest.raises(NotReleased, match="no pair to release; left out: nobody has judged it 16"):
        released(project, by="none")


def test_one_label_is_a_warning(project: Project) -> None:
    add(project, *(pair(number) for number in range(40)), *(judgement(f"p{number:02}", "4") for number in range(40)))
    [check] = [check for check in released(project).checks if check.name == "one-label"]
    assert (check.count, check.stops, check.says) == (1, False, "all pairs have the same label (4)")


def test_shared_sentences_are_reported(project: Project) -> None:
    fill(project)
    add(project, *(pair(number, text1="Quite so.", group=f"g{number}") for number in range(70, 90)))
    add(project, *(judgement(f"p{number}", "4") for number in range(70, 90)))
    [check] = [check for check in released(project).checks if check.name == "shared-texts"]
    assert check.count >= 1
    assert not check.stops
    assert "Quite so." in check.examples[0]


@pytest.mark.parametrize(
    ("licence", "hint"),
    [("CC-BY-SA", "did you mean CC-BY-SA-"), ("my own", "the usual ones are"), ("CC-BY-SA-4", "CC-BY-SA-4.0")],
)
def test_an_unknown_licence(project: Project, licence: str, hint: str) -> None:
    fill(project)
    with pytest.raises(NotReleased, match=hint):
        released(project, licence=licence)
    release = released(project, licence=licence, anyway=("licence", "source-licences"))
    assert f"SPDX-License-Identifier: {licence}\n" in (release.folder / "LICENSE").read_text("utf-8")


def test_an_unknown_check_is_wrong_usage(project: Project) -> None:
    fill(project)
    with raises("no-such-check", match="did you mean duplicates"):
        released(project, anyway=("duplicate",))


def test_a_check_refuses_only_if_it_stops_and_found_something() -> None:
    def refuses(**fields: Any) -> bool:
        return Check("x", "", **fields).refuses

    assert refuses(count=1)
    assert not refuses(count=0)
    assert not refuses(count=1, stops=False)
    assert not refuses(count=1, overruled=True)


def test_the_error_names_the_command_that_adds_a_missing_licence(project: Project) -> None:
    fill(project)
    _add_closed_document(project)
    with pytest.raises(NotReleased, match="otherwords import PROJECT KIND FILE --licence NAME") as refused:
        released(project)
    assert "--licence NAME" in refused.value.summary


def test_leaks_are_counted_alike_in_whatever_order_the_parts_come() -> None:
    alike = [Pair(id=name, text1="The mill is old.", text2="An old mill.") for name in "abcd"]
    parts = {"train": alike[:2], "dev": alike[2:3], "test": alike[3:]}
    backwards = dict(reversed(list(parts.items())))
    assert leak_checks(parts, 4) == leak_checks(backwards, 4)
    assert leak_checks(parts, 4)[0].count > 0
