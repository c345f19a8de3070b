"""Plans against what then happens: a simulated project, half of it done, and the other half."""

from __future__ import annotations

import math
from typing import Any

import pytest
from sqlalchemy import func, select

import otherwords
from otherwords.analyse.agreement.finding import agreement
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Finding
from otherwords.analyse.planning.figures import EMPTY, JUDGEMENT, PAPERS, YIELD
from otherwords.analyse.planning.project_figures import mean_figure
from otherwords.analyse.planning.sheet import figures_table, lines, rounded
from otherwords.analyse.planning.widths import planned_intervals, simulated_judgements
from otherwords.measures.intervals import wilson
from otherwords.project import Project, create_project, open_project
from otherwords.project.ledger import schema
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.simulation import simulate
from tests.errors import raises
from tests.simulate.texts import put_batch, put_pairs

DOUBLED = 60  # pairs of each half that two people judge


def seconds_of(project: Project) -> float:
    with project.ledger.reading() as connection:
        return float(connection.execute(select(func.sum(schema.judgements.c.seconds))).scalar_one())


def cells(finding: Finding | None) -> dict[str, dict[str, Any]]:
    assert finding is not None
    [table] = [table for table in finding.tables if table.name == "agreement"]
    return {f"{row['measure']}, {row['labels']} labels": row for row in table.as_dicts()}


def test_half_of_a_project_predicts_the_other(tmp_path: Any) -> None:
    """Hours within the interval, and the width of the intervals of agreement at the double size."""
    folder = tmp_path / "corpus"
    create_project(folder, lang="en", scheme="turku")
    with open_project(folder) as project:
        pairs = put_pairs(project, 2 * DOUBLED)[: 2 * DOUBLED]
        put_batch(project, "first", pairs[:DOUBLED], asked=2)
        options = SimulationOptions(accuracy=0.7, seed=2, tasks=("judge", "adjudicate"))
        simulate(project, options)
        done = seconds_of(project)
        plan = otherwords.plan(folder, pairs=DOUBLED, double=1.0, checks=0.0)
        twice = otherwords.plan(folder, pairs=2 * DOUBLED, double=1.0)
        put_batch(project, "second", pairs[DOUBLED:], asked=2)
        simulate(project, options)
        hours = (seconds_of(project) - done) / 3600
        later = cells(agreement(project, AnalysisOptions()))
    assert plan.hour_range is not None
    low, high = plan.hour_range
    assert low <= hours <= high
    assert high - low < 0.8 * hours, "an interval that says something"
    assert [figure.name for figure in plan.figures if figure.name in (YIELD, EMPTY)] == []
    widths = {row.name: row for row in twice.intervals if row.name in later}
    assert {"observed, full labels", "alpha-nominal, full labels"} <= widths.keys()
    for name in ("observed, full labels", "alpha-nominal, full labels"):
        printed = later[name]["high"] - later[name]["low"]
        assert widths[name].width == pytest.approx(printed, rel=0.3)
        assert widths[name].n == later[name]["units"] == 2 * DOUBLED
    assert "simulated" in plan.remarks[0]


def test_without_a_project_everything_is_from_papers() -> None:
    plan = otherwords.plan(pairs=10_000, people=4, hours_a_week=20, wage=30.0)
    assert plan.hour_range is None
    assert all(figure.n is None and figure.origin for figure in plan.figures)
    assert plan.weeks == math.ceil(plan.hours / 4 / 20)
    assert plan.cost == pytest.approx(30 * plan.hours)
    pace = next(stage for stage in plan.stages if stage.name.startswith("extraction"))
    assert pace.hours == pytest.approx(10_000 * 30 * 150 / 91_604)  # 30 person-months of 150 hours for 91,604 pairs
    assert plan.document_pairs == pytest.approx(10_000 * 16_246 / 67_530, rel=0.001)  # Table 1: seen, and extracted
    assert lines(plan)[0].startswith("10,000 pairs need about ")


@pytest.mark.parametrize("like", PAPERS)
def test_every_paper_gives_a_plan_that_grows_with_the_corpus(like: Any) -> None:
    small, large = (otherwords.plan(pairs=pairs, like=like) for pairs in (1000, 4000))
    assert large.hours == pytest.approx(4 * small.hours)
    by_name = {row.name: row for row in large.intervals}
    for row in small.intervals:
        if row.name != "precision of a harvest":
            assert by_name[row.name].width == pytest.approx(row.width / 2, rel=0.15), row.name
    assert len(figures_table(small).rows) == len(small.figures)


@pytest.mark.parametrize(("like", "candidates"), [("multipit", 10_000), ("rupaws", round(10_000 / 0.87))])
@pytest.mark.parametrize("double", [0.0, 0.1, 1.0])
def test_where_every_pair_is_judged_several_times_nothing_depends_on_second_judgements(
    like: Any, candidates: int, double: float
) -> None:
    """Agreement is measured on all of them, and no team decides: votes do, or the pair is dropped."""
    plan = otherwords.plan(pairs=10_000, like=like, double=double)
    assert [stage.name for stage in plan.stages] == ["labels", "checks of labels"]
    assert {row.n for row in plan.intervals if "full labels" in row.name} == {candidates}


def test_a_project_without_enough_says_so(tmp_path: Any) -> None:
    """Neither an empty project nor one judgement says anything, not even that it is simulated."""
    folder = tmp_path / "corpus"
    create_project(folder, lang="en", scheme="turku")
    empty = otherwords.plan(folder, pairs=1000)
    with open_project(folder) as project:
        put_batch(project, "first", put_pairs(project, 1)[:1])
        simulate(project, SimulationOptions(seed=1))
    few = otherwords.plan(folder, pairs=1000)
    alone = otherwords.plan(pairs=1000)
    for plan in (empty, few):
        assert plan.remarks == [
            "nothing of this project is measured on 20 units yet: all figures are those of papers (turku)"
        ]
        assert [stage.hours for stage in plan.stages] == [stage.hours for stage in alone.stages]


def test_a_project_that_is_judged_once_still_has_second_judgements(tmp_path: Any) -> None:
    """Whatever the paper for the rest: its pairs are judged once, so their second judgements are extra work."""
    folder = tmp_path / "corpus"
    create_project(folder, lang="en", scheme="turku")
    with open_project(folder) as project:
        put_batch(project, "first", put_pairs(project, 30)[:30])
        simulate(project, SimulationOptions(seed=1))
    for like in PAPERS:
        plan = otherwords.plan(folder, pairs=1000, double=0.5, like=like)  # type: ignore[arg-type]
        second = next(stage for stage in plan.stages if stage.name == "second judgements")
        assert second.units == pytest.approx(500 * (4287 / 2025 - 1))


def test_intervals_of_few_pairs_stay_within_the_coefficient() -> None:
    for pairs in (10, 20, 50):
        for row in otherwords.plan(pairs=pairs, double=0.5).intervals:
            assert -1 <= row.low <= row.expected <= row.high <= 1, row


def test_simulated_judges_agree_as_they_should() -> None:
    labels = PAPERS["turku"].labels
    first, second = simulated_judgements(labels, 0.45, 200_000, 1)
    observed, chance = (first == second).mean(), sum(share**2 for share in labels.values())
    assert (observed - chance) / (1 - chance) == pytest.approx(0.45, abs=0.005)


def test_label_shares_have_the_interval_of_wilson() -> None:
    intervals = planned_intervals(PAPERS["rupaws"], 500, 0, None, AnalysisOptions())
    share = next(row for row in intervals if row.name == "share of label 1")
    assert (share.expected, share.low, share.high) == pytest.approx(wilson(0.39 * 500, 500))
    assert not any("alpha" in row.name for row in intervals), "nobody judges twice"


def test_people_who_differ_widen_the_error() -> None:
    alike = mean_figure(JUDGEMENT, "seconds", [8.0, 12.0] * 30, ["ann", "ben", "cy"] * 20)
    apart = mean_figure(JUDGEMENT, "seconds", [5.0, 10.0, 15.0] * 20, ["ann", "ben", "cy"] * 20)
    assert alike is not None
    assert apart is not None
    assert alike.error == pytest.approx(alike.spread / math.sqrt(60), rel=0.01)
    assert apart.error == pytest.approx(5 / math.sqrt(3))  # that of three people, not of sixty judgements
    assert mean_figure(JUDGEMENT, "seconds", [8.0] * 19) is None


@pytest.mark.parametrize(
    ("value", "margin", "text"),
    [(1234.0, 50.0, "1,230"), (1234.0, 200.0, "1,200"), (1234.0, None, "1,200"), (3.456, 0.2, "3.5"), (0.0, None, "0")],
)
def test_numbers_are_rounded_to_what_is_known(value: float, margin: float | None, text: str) -> None:
    assert rounded(value, margin) == text


@pytest.mark.parametrize(
    "wrong", [{"pairs": 0}, {"double": 1.5}, {"people": 0}, {"hours_a_week": 0}, {"wage": -1}, {"wage": math.inf}]
)
def test_impossible_plans_are_refused(wrong: dict[str, Any]) -> None:
    with raises("wrong-plan-option"):
        otherwords.plan(**{"pairs": 10, **wrong})
