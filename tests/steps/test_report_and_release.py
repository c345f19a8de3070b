"""The last steps of a recipe: a report that replaces the one before, a release under a licence that somebody chose."""

from __future__ import annotations

import json
from typing import Any

from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.verify.verify import verify
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.kind import Step, make_step
from otherwords.project.pipeline.plan import plan
from otherwords.project.pipeline.run import run_step
from otherwords.project.simulated import SIMULATED_REMARK, is_simulated, mark_simulated
from otherwords.records import Judgement, Pair
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.reading import put
from tests.conftest import EXAMPLES
from tests.errors import raises

WORDS = ("ferry", "lamp", "mill", "harbour", "garden", "letter", "clock", "stove", "bridge", "orchard")


def step(does: str, **parameters: Any) -> Step:
    return make_step(STEP_KINDS.get(does), **parameters)


def judged(project: Project) -> None:
    """Ten pairs of ten groups, each with a label."""
    for number, word in enumerate(WORDS):
        text1, text2 = f"The {word} is older than all of us.", f"None of us is as old as this {word}, it seems."
        put(project, Pair(id=f"p{number}", text1=text1, text2=text2, group=word, lang="en", licence="CC0-1.0"))
        value = "4" if number % 3 else "2"
        put(project, Judgement(id=f"j{number}", pair=f"p{number}", annotator="anna", scheme="turku", value=value))


def test_a_release_waits_for_a_licence_and_is_made_once(project: Project) -> None:
    judged(project)
    _, result = run_step(project, step("release"))
    assert result is not None
    assert result.waiting is not None
    assert "--set release.licence=" in result.waiting.then
    chosen = step("release", licence="CC0-1.0", date="2024-05-01")
    _, result = run_step(project, chosen)
    assert result is not None
    assert result.rows_out == 10
    about = json.loads((project.folder / "releases" / "1.0" / "release.json").read_text())
    assert (about["version"], about["licence"], about["date"], about["simulated"]) == (
        "1.0",
        "CC0-1.0",
        "2024-05-01",
        False,
    )
    assert run_step(project, chosen)[0].state == "done"
    run_step(project, step("split", by="pair"))
    assert plan(project, chosen).state == "stale"


def test_no_split_is_stale_because_of_a_release(project: Project) -> None:
    judged(project)
    for pair in (f"p{number}" for number in range(len(WORDS))):
        put(project, Judgement(id=f"s-{pair}", pair=pair, annotator="eva", scheme="binary-strict", value="yes"))
    strict = make_step(STEP_KINDS.get("split"), "split-strict", scheme="binary-strict")
    run_step(project, strict)
    run_step(project, step("release", licence="CC0-1.0", date="2024-05-01"))
    assert plan(project, strict).state == "done"


def test_a_release_that_a_recipe_may_not_make_says_how_a_recipe_makes_it(project: Project) -> None:
    judged(project)
    text1, text2 = "The lamp is older than all of us.", "None of us is as old as this lamp, it seems."
    put(project, Pair(id="copy", text1=text1, text2=text2, group="lamp", lang="en", licence="CC0-1.0"))
    put(project, Judgement(id="again", pair="copy", annotator="anna", scheme="turku", value="4"))
    with raises("not-released", match=r"leave-out PROJECT --duplicates.*--set release\.anyway=leaks,duplicates"):
        run_step(project, step("release", licence="CC0-1.0", anyway=("leaks",)))


def test_a_version_that_was_released_otherwise_says_how_a_recipe_chooses_another(project: Project) -> None:
    judged(project)
    run_step(project, step("release", licence="CC0-1.0", date="2024-05-01"))
    put(project, Judgement(id="late", pair="p0", annotator="eva", scheme="turku", value="2"))
    with raises("version-released", match=r"choose a new version, such as --set release\.version=1\.1$"):
        run_step(project, step("release", licence="CC0-1.0", date="2024-05-01"))


def test_a_report_takes_the_place_of_the_one_before(project: Project) -> None:
    judged(project)
    run_step(project, step("report", examples=1))
    page = project.folder / "report" / "index.html"
    before = page.read_text(encoding="utf-8")
    put(
        project, Pair(id="new", text1="A new boat came in.", text2="In came a boat, a new one.", group="new", label="4")
    )
    assert plan(project, step("report", examples=1)).state == "stale"
    run_step(project, step("report", examples=1))
    assert page.read_text(encoding="utf-8") != before
    assert [path.name for path in project.folder.iterdir() if path.name.startswith(".report")] == []


def test_a_folder_that_is_no_report_is_left_alone(project: Project) -> None:
    judged(project)
    (project.folder / "notes").mkdir()
    (project.folder / "notes" / "mine.txt").write_text("keep this")
    with raises("not-a-report", match=r"--set report\.out="):
        run_step(project, step("report", out="notes"))
    assert (project.folder / "notes" / "mine.txt").read_text() == "keep this"


def test_what_is_made_of_a_simulated_project_says_so(project: Project) -> None:
    with project.ledger.writing() as connection:
        mark_simulated(connection)
    judged(project)
    corpus = open_corpus(project.folder)
    assert (corpus.simulated, corpus.notes) == (True, [SIMULATED_REMARK])
    run_step(project, step("report"))
    assert SIMULATED_REMARK[1:] in (project.folder / "report" / "index.html").read_text(
        encoding="utf-8"
    )  # as a sentence
    run_step(project, step("release", licence="CC0-1.0"))
    folder = project.folder / "releases" / "1.0"
    assert json.loads((folder / "release.json").read_text())["simulated"] is True
    assert {json.loads(line)["kind"] for line in (folder / "judgements.jsonl").read_text().splitlines()} == {
        "simulated"
    }
    assert open_corpus(folder).simulated


def test_headings_are_released_in_a_form_that_verify_accepts(project: Project) -> None:
    for outlet in ("courier", "gazette"):
        import_file(project, "news", EXAMPLES / "sources" / "news" / f"{outlet}.jsonl", licence="CC0-1.0")
    run_step(project, step("align-headings", low=0.3))
    with project.ledger.reading() as connection:
        pairs = list(read_records(connection, Pair))
    for number, pair in enumerate(pairs):
        value = "4" if number % 2 else "3"
        put(project, Judgement(id=f"j{number}", pair=pair.id, annotator="anna", scheme="turku", value=value))
    run_step(project, step("split", by="pair"))
    run_step(project, step("release", licence="CC-BY-4.0", anyway=("leaks", "duplicates")))
    folder = project.folder / "releases" / "1.0"
    lines = (folder / "data" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(pairs) > 1
    assert all(set(json.loads(line)["doc1"]) == {"id"} for line in lines)
    result = verify(folder, project.folder)
    assert result.sound, result.problems


def test_nothing_is_simulated_where_people_have_judged(project: Project) -> None:
    judged(project)
    with project.ledger.writing() as connection, raises("judged-by-people"):
        mark_simulated(connection)
    with project.ledger.reading() as connection:
        assert not is_simulated(connection)
