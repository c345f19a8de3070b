"""Filters and samples as steps: what a rule rejects is left out once, and each range gives as much to a batch."""

from __future__ import annotations

from otherwords.annotate.batches.batch import load_batch
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.left_out import left_out_pairs
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_step
from otherwords.records import Judgement, Pair
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.reading import put
from tests.conftest import EXAMPLES

GOOD = "The ferry leaves the harbour at six."
RULES = ["length:min=3", "copies"]


def clean(project: Project) -> StepResult | None:
    return run_step(project, make_step(STEP_KINDS.get("filter"), "clean", rules=RULES))[1]


def pair(project: Project, name: str, text2: str, label: str | None = None) -> None:
    put(project, Pair(id=name, text1=GOOD, text2=text2, lang="en", label=label))


def test_what_is_rejected_is_left_out_once(project: Project) -> None:
    nothing = clean(project)
    assert nothing is not None
    assert nothing.counts == {"nothing to choose from": 1}
    pair(project, "short", "Six.")
    pair(project, "copy", GOOD.upper())
    pair(project, "good", "At six the ferry sets off from there.")
    pair(project, "labelled", "Six.", "1")
    pair(project, "judged", "Six.")
    put(project, Judgement(id="j", pair="judged", annotator="anna", scheme="turku", value="1"))
    result = clean(project)
    assert result is not None
    assert (result.rows_in, result.rows_out, sum(result.counts["dropped"].values())) == (3, 1, 2)
    with project.ledger.reading() as connection:
        assert set(left_out_pairs(connection)) == {"short", "copy"}
    assert clean(project) is None
    pair(project, "late", "Never.")
    again = clean(project)
    assert again is not None
    assert (again.rows_in, again.rows_out) == (2, 1)


def test_a_sample_takes_as_many_of_each_range_into_a_batch_once(project: Project) -> None:
    import_file(project, "sentences", EXAMPLES / "es/sentences/puerto.txt", lang="es")
    run_step(project, make_step(STEP_KINDS.get("acquire-near"), low=0.5, most=500))
    draw = make_step(STEP_KINDS.get("sample"), "first", per_bin=4, asked=2, scheme="suzuki")
    result = run_step(project, draw)[1]
    assert result is not None
    assert "[0.0, 0.1)" in result.counts["fewer than wanted"]
    full = [
        name for name in ("[0.5, 0.6)", "[0.7, 0.8)", "[0.8, 0.9)") if name not in result.counts["fewer than wanted"]
    ]
    assert len(full) == 3
    with project.ledger.reading() as connection:
        batch = load_batch(connection, "first")
    assert (batch.asked, batch.scheme) == (2, "suzuki")
    assert run_step(project, draw)[1] is None
