"""What people say about outputs, from hand-made judgements to tables and the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherwords.analyse.finding import Table
from otherwords.analyse.ratings.finding import RatingOptions, rating_report, write_page
from otherwords.annotate.batch_plans.outputs import Ask, SystemOutput, create_from_outputs
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.generation.metric import generation_metric
from otherwords.project import Project
from otherwords.project.ledger.rows import read_records
from otherwords.project.simulated import mark_simulated
from otherwords.records import Judgement, Pair
from tests.annotate.reading import put
from tests.errors import raises

Answer = Callable[[Pair, str], Any]
RATERS = ("anna", "ben", "cem")
OPTIONS = RatingOptions(bootstrap=Bootstrap(200))


def outputs(sources: int = 8, systems: tuple[str, ...] = ("a", "b", "c")) -> list[SystemOutput]:
    """System b writes the longest texts; the score of an output grows with its system."""
    return [
        SystemOutput(
            system, f"Boat {n} leaves.", f"The boat {n} goes {'far ' * place}now.", "en", {"m": place + n / 100}
        )
        for n in range(sources)
        for place, system in enumerate(systems)
    ]


def make(project: Project, ask: Ask, written: list[SystemOutput] | None = None) -> list[Pair]:
    with project.ledger.writing() as connection:
        create_from_outputs(connection, project, ask, written or outputs(), ask=ask)
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


def judge(project: Project, ask: Ask, unit: str, item: str, rater: str, value: Any) -> None:
    scheme = {"ratings": "likert", "types": "good-poor"}.get(ask, ask)
    fields = {"id": f"{ask}-{item}-{rater}", "pair": item, "unit": unit, "annotator": rater, "value": value}
    put(project, Judgement(**fields, scheme=scheme, batch=ask, purpose="check"))


def rate(project: Project, answer: Answer, raters: tuple[str, ...] = RATERS, **more: Any) -> None:
    for pair in make(project, "ratings", **more):
        for rater in raters:
            judge(project, "ratings", "pair", pair.id, rater, answer(pair, rater))


def tables(project: Project, *batches: str, options: RatingOptions = OPTIONS) -> dict[str, Table]:
    with project.ledger.reading() as connection:
        report = rating_report(connection, project, batches, options)
    return {table.name: table for finding in report.findings for table in finding.tables}


def rows(table: Table, **wanted: object) -> list[dict[str, Any]]:
    return [row for row in table.as_dicts() if all(row[name] == value for name, value in wanted.items())]


def system(pair: Pair) -> str:
    return str(pair.meta["outputs"]["systems"][0])


def marks(fluency: int, similarity: int = 4, diversity: int = 3) -> dict[str, str]:
    return {"fluency": str(fluency), "similarity": str(similarity), "diversity": str(diversity)}


def test_means_differences_and_distributions(project: Project) -> None:
    """System a gets 2, 2 and 3; b gets 3 and c gets 5 from everybody."""
    given = {"a": 2, "b": 3, "c": 5}
    rate(project, lambda pair, rater: marks(given[system(pair)] + (system(pair) == "a" and rater == "cem")))
    found = tables(project, "ratings")
    (mean,) = rows(found["means"], scale="fluency", system="a")
    assert (mean["outputs"], mean["mean"], mean["low"], mean["high"]) == pytest.approx((8, 7 / 3, 7 / 3, 7 / 3))
    (difference,) = rows(found["differences"], scale="fluency", first="a", second="c")
    assert difference["difference"] == pytest.approx(7 / 3 - 5)
    assert (difference["sources"], difference["differs"]) == (8, "yes")
    (level,) = rows(found["differences"], scale="similarity", first="a", second="c")
    assert (level["difference"], level["differs"]) == (0.0, "no")
    (shares,) = rows(found["distribution"], scale="fluency", system="a")
    assert [shares[mark] for mark in ("ratings", *"12345")] == pytest.approx([24, 0, 2 / 3, 1 / 3, 0, 0])
    (alpha,) = rows(found["agreement"], question="fluency", measure="alpha-ordinal")
    assert 0.8 < alpha["value"] < 1
    (overall,) = rows(found["means"], scale="all scales", system="c")
    assert overall["mean"] == pytest.approx(4.0)


def test_metrics_that_rank_as_people_do(project: Project) -> None:
    given = {"a": 1, "b": 3, "c": 5}
    rate(project, lambda pair, rater: marks(given[system(pair)], 5 - given[system(pair)] // 2))
    metrics = [generation_metric(name, "en") for name in ("self-bleu", "chrf")]
    with project.ledger.reading() as connection:
        options = RatingOptions(metrics, {}, "en", Bootstrap(200))
        (finding,) = rating_report(connection, project, ["ratings"], options).findings
    found = next(table for table in finding.tables if table.name == "correlation")
    (up,) = rows(found, metric="m", scale="fluency")
    (down,) = rows(found, metric="m", scale="similarity")
    assert up["spearman"] == -down["spearman"] > 0.9
    assert up["low"] <= up["spearman"] <= up["high"]
    assert (up["outputs"], up["sources"]) == (24, 8)
    (tied,) = rows(found, metric="m", scale="diversity")
    assert (tied["spearman"], tied["note"]) == (None, "all are rated alike")
    (computed,) = rows(found, metric="self-bleu", scale="fluency")
    assert computed["outputs"] == 24
    assert any(remark.startswith("chrf is left out: it needs references") for remark in finding.remarks)
    assert finding.headlines[0] == "Ordinal alpha is 1.00 for fluency and 1.00 for similarity"
    assert finding.headlines[1] == "c has the highest mean of all scales: 3.67 [3.67, 3.67]"


def test_one_rater_and_ties_everywhere(project: Project) -> None:
    rate(project, lambda pair, rater: marks(4), raters=("anna",))
    with project.ledger.reading() as connection:
        (finding,) = rating_report(connection, project, ["ratings"], OPTIONS).findings
    assert any("one rater" in remark for remark in finding.remarks)
    found = {table.name: table for table in finding.tables}
    assert all(row["value"] is None and row["note"] for row in found["agreement"].as_dicts())
    assert {row["mean"] for row in rows(found["means"], scale="fluency")} == {4.0}
    assert {row["spearman"] for row in found["correlation"].as_dicts()} == {None}


def test_one_system_has_no_differences(project: Project) -> None:
    rate(project, lambda pair, rater: marks(4), written=outputs(systems=("a",)))
    assert not rows(tables(project, "ratings")["means"], system="b")
    assert "differences" not in tables(project, "ratings")
    with project.ledger.reading() as connection:
        facts = rating_report(connection, project, ["ratings"], OPTIONS).facts
    assert [(fact.value, fact.noun) for fact in facts][:2] == [("1", "system"), ("8", "sources")]


def test_an_output_that_is_empty_counts_for_nothing(project: Project) -> None:
    """System c has nothing for the first source, which is missing from its mean and from its differences."""
    written = [
        SystemOutput(found.system, found.source, "" if found.system == "c" and "Boat 0" in found.source else found.text)
        for found in outputs()
    ]
    rate(project, lambda pair, rater: marks(1 if "Boat 0" in pair.text1 else 5), written=written)
    with project.ledger.reading() as connection:
        (finding,) = rating_report(connection, project, ["ratings"], OPTIONS).findings
    assert "c: no output for 1 source; its numbers are those of the others" in finding.remarks
    found = {table.name: table for table in finding.tables}
    assert rows(found["means"], scale="fluency", system="c")[0]["mean"] == 5.0
    assert rows(found["means"], scale="fluency", system="a")[0]["mean"] == 4.5
    (difference,) = rows(found["differences"], scale="fluency", first="a", second="c")
    assert (difference["sources"], difference["difference"]) == (7, 0.0)
    assert "correlation" not in found


def test_types_by_system(project: Project) -> None:
    for pair in make(project, "types"):
        value = {"word": 2, "copy": 1} if system(pair) == "a" else {"structure": 1}
        judge(project, "types", "pair", pair.id, "anna", value)
    side_by_side, found, totals = tables(project, "types").values()
    assert len(found.rows) == 3 * len(side_by_side.rows) == 3 * 11
    assert rows(side_by_side, type="word for word") == [
        {"type": "word for word", "kind": "good", "a": 1.0, "b": 0.0, "c": 0.0}
    ]
    (word,) = rows(found, type="word for word", system="a")
    assert (word["kind"], word["outputs"], word["share"], word["times"]) == ("good", 8, 1.0, 16.0)
    (copy,) = rows(found, type="copy", system="b")
    assert (copy["kind"], copy["share"], copy["low"]) == ("poor", 0.0, 0.0)
    assert word["each"] == 2.0
    assert [(row["kind"], row["system"], row["each"], row["share"]) for row in totals.as_dicts()] == [
        *(("good", "a", 2.0, 1.0), ("good", "b", 1.0, 1.0), ("good", "c", 1.0, 1.0)),
        *(("poor", "a", 1.0, 1.0), ("poor", "b", 0.0, 0.0), ("poor", "c", 0.0, 0.0)),
    ]


def test_kinds_of_several_raters_and_several_types(project: Project) -> None:
    """Table 7 has times per output for what is good, and the share of outputs with anything poor."""
    for number, pair in enumerate(make(project, "types", outputs(4, ("a",)))):
        judge(project, "types", "pair", pair.id, "anna", {"word": 1, "phrase": 2} if number else {})
        judge(project, "types", "pair", pair.id, "ben", {"copy": 1, "grammar": 3} if number == 3 else {})
    (good, poor) = tables(project, "types")["kinds"].as_dicts()
    assert (good["outputs"], good["each"], good["share"]) == pytest.approx((4, 3 * 3 / 2 / 4, 3 / 2 / 4))
    assert (poor["each"], poor["share"]) == pytest.approx((4 / 2 / 4, 1 / 2 / 4))
    assert 0.0 < poor["share_low"] < poor["share"] < poor["share_high"]


def groups(pairs: list[Pair]) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(str(pair.group), []).append(pair)
    return found


def test_preferences(project: Project) -> None:
    """Two of three prefer a to b, the third has no preference; everybody prefers both to c, if they differ at all."""
    written = [
        SystemOutput(found.system, found.source, "The same." if "Boat 7" in found.source else found.text)
        for found in outputs()
    ]
    for group, texts in groups(make(project, "preference", written)).items():
        systems = [system(pair) for pair in texts]
        for rater in RATERS if len(texts) == 2 else ():
            equal = "c" not in systems and rater == "cem"
            value = "0" if equal else str(1 + systems.index(min(systems)))
            judge(project, "preference", "group", group, rater, value)
    found = tables(project, "preference")
    (row,) = rows(found["preference"], first="a", second="b")
    assert (row["sources"], row["same"]) == (8, 1)
    assert (row["for_first"], row["equal"], row["for_second"]) == pytest.approx((7 * 2 / 3, 7 / 3 + 1, 0))
    assert row["share"] == pytest.approx((7 * (2 / 3 + 1 / 6) + 0.5) / 8)
    assert row["low"] < row["share"] <= row["high"]
    (won,) = rows(found["won"], system="c")
    assert (won["comparisons"], won["share"]) == (16, pytest.approx(2 * 0.5 / 16))


def test_best_and_worst(project: Project) -> None:
    for group, texts in groups(make(project, "best-worst")).items():
        systems = [system(pair) for pair in texts]
        for rater in RATERS:
            best, worst = ("a", "b") if rater == "cem" else ("a", "c")
            value = {"best": str(1 + systems.index(best)), "worst": str(1 + systems.index(worst))}
            judge(project, "best-worst", "group", group, rater, value)
        judge(project, "best-worst", "group", group, "dora", {"best": "4", "worst": "1"})  # there are three
    with project.ledger.reading() as connection:
        (finding,) = rating_report(connection, project, ["best-worst"], OPTIONS).findings
    table = next(table for table in finding.tables if table.name == "best-worst")
    assert [row["system"] for row in table.as_dicts()] == ["a", "b", "c"]
    assert [row["score"] for row in table.as_dicts()] == pytest.approx([1.0, -1 / 3, -2 / 3])
    assert "8 judgements left out: a text is named that was not shown" in finding.remarks


def test_the_page_has_everything_and_says_that_raters_were_simulated(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        mark_simulated(connection)
    rate(project, lambda pair, rater: marks(3 + (rater == "anna")))
    with project.ledger.reading() as connection:
        report = rating_report(connection, project, ["ratings"], RatingOptions(bootstrap=Bootstrap(20)))
    written = write_page(report, tmp_path / "page", "Rated")
    text = written.page.read_text(encoding="utf-8")
    assert "The raters are simulated" in text
    assert "Metrics and people" in text
    assert "Ratings of fluency" in text
    assert (written.tables, written.figures) == (5, 3)


def test_what_is_not_there_is_refused(project: Project) -> None:
    make(project, "ratings")
    put(project, Pair(id="p", text1="One.", text2="Two."))
    with project.ledger.writing() as connection, raises("nothing-judged"):
        rating_report(connection, project, ["ratings"], OPTIONS)
    with project.ledger.reading() as connection, raises("no-such-batch"):
        rating_report(connection, project, ["other"], OPTIONS)
