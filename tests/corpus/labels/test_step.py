"""Labels out of the ledger: what counts, what wins, what is left out, and when the table is made anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, update

from otherwords.annotate.batches.batch import BatchItem, BatchRules, KeepRule, insert_batch
from otherwords.annotate.labels.engine import NOBODY, NOT_COUNTED, SIMULATED, VOTES, WAITING
from otherwords.annotate.labels.pair_labels import project_labels
from otherwords.corpus.labels import rows as labelling_rows
from otherwords.corpus.labels.step import label, labels_table
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.errors import DataError
from otherwords.project import Project, create_project, open_project
from otherwords.project.ledger import schema
from otherwords.records import Judgement, Pair
from tests.annotate.reading import put
from tests.errors import raises


def pair(name: str, **more: Any) -> Pair:
    return Pair(id=name, text1=f"The {name} bridge is up.", text2=f"They have raised the {name} bridge.", **more)


def judged(*values: Any, pair: str = "p", scheme: str = "turku", **more: Any) -> list[Judgement]:
    """One judgement of a pair for each value, by as many people."""
    first = more.pop("first", 1)
    return [
        Judgement(id=f"{pair}-{n}", pair=pair, value=value, annotator=f"person{n}", scheme=scheme, **more)
        for n, value in enumerate(values, first)
    ]


def rows(project: Project, **options: Any) -> dict[str, LabelledPair]:
    return {row.id: row for row in read_table(labels_table(project, **options))}


def only(project: Project, *judgements: Judgement, **more: Any) -> tuple[str, str | None, str | None, list[str]]:
    """State, label, origin of the label and its judgements, for a pair with these judgements."""
    put(project, pair("p", **more), *judgements)
    row = rows(project)["p"]
    with project.ledger.reading() as connection:
        if row.state != "left out":
            assert project_labels(connection, project, ["p"])["p"].label == row.label, "the site says something else"
    return row.state, row.label, row.made_by, row.judgements


CONSENSUS = Judgement(id="c", pair="p", value="4<", scheme="turku", kind="consensus", purpose="agreement")
QA = Judgement(id="q", pair="p", value="3", scheme="turku", purpose="qa", annotator="cleo")
CASES: list[tuple[str, list[Judgement], dict[str, Any], tuple[Any, ...]]] = [
    ("one", judged("4>"), {}, ("labelled", "4>", "judgements", ["p-1"])),
    ("two alike", judged("4>s", "4s>"), {}, ("labelled", "4>s", "judgements", ["p-1", "p-2"])),
    ("two that differ", judged("4", "3"), {}, ("open", None, None, [])),
    ("a consensus", [*judged("4", "3"), CONSENSUS], {}, ("labelled", "4<", "consensus", ["c"])),
    ("checked since", [*judged("4"), CONSENSUS, QA], {}, ("labelled", "3", "qa", ["q"])),
    ("checked before", [*judged("4"), QA, CONSENSUS], {}, ("labelled", "4<", "consensus", ["c"])),
    ("training", judged("4", purpose="training"), {}, ("unjudged", None, None, [])),
    (
        "training and a word",
        [*judged("4", purpose="training"), *judged("2", first=2)],
        {},
        ("labelled", "2", "judgements", ["p-2"]),
    ),
    (
        "training, decided",
        [*judged("4", purpose="training"), msgspec.structs.replace(CONSENSUS, purpose="training")],
        {},
        ("labelled", "4<", "consensus", ["c"]),
    ),
    ("a check", judged("4", "4", purpose="check"), {}, ("unjudged", None, None, [])),
    ("a check, decided", [msgspec.structs.replace(CONSENSUS, purpose="check")], {}, ("unjudged", None, None, [])),
    ("a hidden test", judged("4", purpose="gold"), {}, ("unjudged", None, None, [])),
    ("simulated", judged("4", kind="simulated"), {}, ("unjudged", None, None, [])),
    ("votes", judged("4", "4", kind="vote"), {}, ("unjudged", None, None, [])),
    ("another scheme", judged("yes", scheme="binary-loose"), {}, ("unjudged", None, None, [])),
    (
        "taken back",
        [*judged("4"), Judgement(id="b", pair="p", value=None, supersedes="p-1")],
        {},
        ("unjudged", None, None, []),
    ),
    (
        "changed",
        [*judged("4"), Judgement(id="b", pair="p", value="2", scheme="turku", supersedes="p-1")],
        {},
        ("labelled", "2", "judgements", ["b"]),
    ),
    ("came with it", [], {"label": "4s>"}, ("labelled", "4>s", "import", [])),
    ("came with it, judged", judged("2"), {"label": "4"}, ("labelled", "2", "judgements", ["p-1"])),
    ("came with it, open", judged("2", "3"), {"label": "4"}, ("open", None, None, [])),
    ("came with it, trained on", judged("2", purpose="training"), {"label": "4"}, ("labelled", "4", "import", [])),
    ("a rewrite", [], {"rewrite_of": "o"}, ("labelled", "4", "rewrite", [])),
    ("a rewrite, its writer", judged("4"), {"rewrite_of": "o"}, ("labelled", "4", "rewrite", ["p-1"])),
    ("a rewrite, judged", judged("4", "3"), {"rewrite_of": "o"}, ("open", None, None, [])),
    ("a rewrite, trained on", judged("4", purpose="training"), {"rewrite_of": "o"}, ("unjudged", None, None, [])),
    ("a rewrite, decided", [*judged("4"), CONSENSUS], {"rewrite_of": "o"}, ("labelled", "4<", "consensus", ["c"])),
    ("outside", judged("4", "7"), {}, ("left out", None, None, [])),
    ("came from elsewhere", [], {"label": "paraphrase"}, ("left out", None, None, [])),
]


@pytest.mark.parametrize(
    ("judgements", "more", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_makes_a_label(
    project: Project, judgements: list[Judgement], more: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    assert only(project, *judgements, **more) == expected


def test_why_there_is_none(project: Project) -> None:
    put(project, *(pair(name) for name in ("bare", "trained", "dreamt", "voted", "odd")))
    put(project, *judged("4", pair="trained", purpose="training"), *judged("4", pair="dreamt", kind="simulated"))
    put(project, *judged("4", pair="voted", kind="vote"), *judged("9", pair="odd"))
    reasons = {name: row.reason for name, row in rows(project).items()}
    outside = "'9' is outside the scheme turku"
    assert reasons == {"bare": NOBODY, "trained": NOT_COUNTED, "dreamt": SIMULATED, "voted": VOTES, "odd": outside}


def test_simulated_ones_count_when_asked_for_and_say_so(project: Project) -> None:
    put(project, pair("a"), pair("b"), *judged("4", pair="a", kind="simulated"), *judged("3", pair="b"))
    assert [(row.label, row.simulated) for row in rows(project).values()] == [(None, False), ("3", False)]
    assert [(row.label, row.simulated) for row in rows(project, simulated=True).values()] == [("4", True), ("3", False)]
    assert label(project, simulated=True).summary["simulated"] == 1


def test_views_stand_side_by_side(project: Project) -> None:
    put(project, pair("a"), pair("b"), pair("c"))
    put(project, *judged("4s", "3", pair="a"), *judged("4", "4", pair="b"), *judged("x", pair="c"))
    assert {name: row.views for name, row in rows(project).items()} == {
        "a": {"full": None, "strict": "negative", "loose": "positive"},
        "b": {"full": "4", "strict": "positive", "loose": "positive"},
        "c": {"full": "x", "strict": None, "loose": None},
    }
    summary = label(project).summary
    assert summary["views"]["loose"] == {"positive": 2, "none": 1}
    assert {"labels": {"full": "none", "strict": "negative", "loose": "positive"}, "pairs": 1} in summary[
        "side_by_side"
    ]


def test_votes_of_a_crowd(project: Project) -> None:
    kinds = {"won": (4, 2), "lost": (2, 4), "tied": (3, 3), "few": (2, 0)}
    put(project, *(pair(name) for name in kinds))
    with project.ledger.writing() as connection:
        wanted = [BatchItem(name) for name in kinds]
        insert_batch(connection, "crowd", wanted, scheme="binary-loose", asked=6)
    for name, (yes, no) in kinds.items():
        answers = ["yes"] * yes + ["no"] * no
        put(project, *judged(*answers, pair=name, scheme="binary-loose", batch="crowd"))
    found = rows(project, scheme="binary-loose")
    assert {name: (row.state, row.label, row.views["votes-4"]) for name, row in found.items()} == {
        "won": ("labelled", "yes", None),
        "lost": ("labelled", "no", "no"),
        "tied": ("tied", None, "no"),
        "few": ("open", None, None),
    }
    assert (found["won"].made_by, found["won"].votes, found["won"].positive_votes) == ("votes", 6, 4)
    assert len(found["won"].judgements) == 6
    unknown = rows(project)["won"]
    assert unknown.state == "unjudged", "the project's own scheme knows nothing of it"
    assert unknown.reason == "nobody has judged it with the scheme turku"


def test_the_site_goes_by_votes_as_well(tmp_path: Path, databases: Callable[[str], str], kind: str) -> None:
    create_project(tmp_path / "tweets", "en", "binary-loose", databases(kind))
    with open_project(tmp_path / "tweets") as project:
        put(project, pair("a"), pair("b"))
        put(project, *judged(True, True, True, True, False, False, pair="a", scheme="binary-loose", kind="vote"))
        put(project, *judged("yes", "no", pair="b", scheme="binary-loose"))
        assert [(row.state, row.label, row.made_by) for row in rows(project).values()] == [
            ("labelled", "yes", "votes"),
            ("open", None, None),
        ]
        with project.ledger.reading() as connection:
            seen = project_labels(connection, project, ["a", "b"])
        assert [(seen[name].label, seen[name].open) for name in "ab"] == [("yes", False), (None, True)]


def test_what_a_batch_does_not_keep_is_left_out(project: Project) -> None:
    answers: dict[str, list[tuple[str, str]]] = {
        "kept": [("yes", "no"), ("yes", "no")],
        "broken": [("yes", "no"), ("no", "no")],
        "split": [("yes", "no"), ("yes", "yes")],
        "half": [("yes", "yes")],
    }
    put(project, *(pair(name) for name in answers))
    keep = KeepRule(all_say={"well_formed": ["yes"]}, agree_on=["paraphrase"])
    with project.ledger.writing() as connection:
        wanted = [BatchItem(name) for name in answers]
        insert_batch(connection, "strict", wanted, scheme="rupaws", asked=2, rules=BatchRules(keep=keep))
    for name, pair_answers in answers.items():
        values = [{"well_formed": formed, "paraphrase": same} for formed, same in pair_answers]
        put(project, *judged(*values, pair=name, scheme="rupaws", batch="strict"))
    decided: dict[str, Any] = {
        "value": {"well_formed": "yes", "paraphrase": "yes"},
        "scheme": "rupaws",
        "batch": "strict",
    }
    put(project, Judgement(id="c", pair="split", kind="consensus", **decided))
    assert {name: (row.state, row.label, row.reason) for name, row in rows(project, scheme="rupaws").items()} == {
        "kept": ("labelled", "no", None),
        "broken": ("left out", None, "somebody does not say yes to well_formed"),
        "split": ("left out", None, "they do not agree on paraphrase"),
        "half": ("open", None, WAITING),
    }


def test_removed_and_withdrawn_pairs_are_not_there(project: Project) -> None:
    put(project, pair("a"), pair("b"), pair("c"), *judged("4", pair="c"))
    assert list(rows(project)) == ["a", "b", "c"]
    with project.ledger.writing() as connection:
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "a").values(state="removed"))
    assert list(rows(project)) == ["b", "c"]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.tombstones).values(noun="pair", target="b", time="2024-03-01"))
    assert list(rows(project)) == ["c"]


def test_the_table_is_made_anew_when_something_changed(project: Project) -> None:
    put(project, pair("a"), *judged("4", pair="a"))
    first = labels_table(project)
    assert labels_table(project) == first
    assert labels_table(project, simulated=True) != first
    assert labels_table(project) == first
    put(project, Judgement(id="b", pair="a", value=None, supersedes="a-1"))
    assert labels_table(project) != first
    second = labels_table(project)
    (project.folder / "schemes").mkdir()
    text = (Path(labelling_rows.__file__).parents[2] / "annotate/schemes/turku.toml").read_text(encoding="utf-8")
    (project.folder / "schemes" / "turku.toml").write_text(text.replace("plain = true\n", ""), encoding="utf-8")
    assert labels_table(project) != second


def test_pairs_come_in_the_order_of_the_ledger_however_many(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling_rows, "PAIRS_AT_A_TIME", 3)
    names = [f"p{n}" for n in range(10)]
    put(project, *(pair(name, group="g", meta={"n": 1}) for name in names))
    put(
        project,
        *(judgement for name in reversed(names) for judgement in judged("4", "3" if name == "p4" else "4", pair=name)),
    )
    found = rows(project)
    assert list(found) == names
    assert [name for name, row in found.items() if row.state == "open"] == ["p4"]
    assert (found["p0"].group, found["p0"].meta, found["p0"].votes) == ("g", {"n": 1}, 2)


def test_the_order_in_which_people_speak_changes_nothing(project: Project) -> None:
    sets = [["4", "4", "3"], ["4>", "4>", "4>"], ["2", "x"], ["4s", "3", "4"]]
    for number, values in enumerate(sets):
        for turn in range(3):
            random.Random(turn).shuffle(values)
            name = f"s{number}-{turn}"
            put(project, pair(name), *judged(*values, pair=name))
    found = rows(project)
    for number in range(len(sets)):
        assert (
            len(
                {(row.state, row.label, str(row.views)) for name, row in found.items() if name.startswith(f"s{number}")}
            )
            == 1
        )


def test_a_project_without_a_scheme_takes_labels_as_they_are(
    tmp_path: Path, databases: Callable[[str], str], kind: str
) -> None:
    create_project(tmp_path / "any", "en", None, databases(kind))
    with open_project(tmp_path / "any") as project:
        put(project, pair("a", label="paraphrase"), pair("b", label="odd"), pair("c"), pair("d"))
        put(
            project,
            *judged(False, pair="c", scheme="binary-loose"),
            *judged("odd", "paraphrase", pair="d", scheme="own"),
        )
        assert [(row.label, row.positive, row.state) for row in rows(project).values()] == [
            ("paraphrase", True, "labelled"),
            ("odd", None, "labelled"),
            ("no", False, "labelled"),
            (None, None, "open"),
        ]


def test_nothing_to_label_says_what_to_do(project: Project) -> None:
    with raises("no-labels", "otherwords import .* pairs PATH"):
        label(project)
    put(project, pair("a"))
    with raises("no-labels", "otherwords batch new"):
        label(project)
    put(project, *judged("4", "2", pair="a"))
    with raises("no-labels", "1 × people differ.* Adjudicate"):
        label(project)
    with raises("no-such-scheme", "did you mean turku?"):
        label(project, scheme="turcu")


def test_a_broken_scheme_is_told_and_nothing_is_made(project: Project) -> None:
    (project.folder / "schemes").mkdir()
    (project.folder / "schemes" / "mine.toml").write_text('name = "mine"\n', encoding="utf-8")
    with pytest.raises(DataError, match="mine.toml"):
        labels_table(project, scheme="mine")
    assert list(project.tables.iterdir()) == []
