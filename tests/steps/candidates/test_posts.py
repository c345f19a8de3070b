"""Candidates from posts as a loop: a first round, judgements, more where it is worth it; and seeds that people pick."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherwords.acquire.posts import TOO_FEW_FOR_A_SEED
from otherwords.annotate.documents.post_groups import url_groups
from otherwords.annotate.documents.seeds import pick_seed
from otherwords.project import Project, create_project, open_project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.kind import Step, StepResult, make_step
from otherwords.project.pipeline.plan import plan
from otherwords.project.pipeline.run import run_step
from otherwords.records import Judgement, Pair
from otherwords.steps.candidates.posts import NO_SEED, SKIPPED, TOO_FEW_PARAPHRASES, WAITING
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.reading import put
from tests.errors import raises

WORDS = "storm harbour ferry bridge lantern anchor market cellar tower window garden river".split()  # noqa: SIM905
GROUPS, POSTS_PER_GROUP = ("storm", "regatta"), 30


def write_posts(folder: Path, per_group: int = POSTS_PER_GROUP) -> Path:
    """Posts of two trends, each also with an address of its own; no two say the same."""
    rows = [
        {
            "text": f"People say the {WORDS[n % 12]} near the {WORDS[(n * 5 + 1) % 12]} looks {n} times {trend} today",
            "trend": trend,
            "urls": [f"https://news.example/{trend}"],
            "time": f"2024-03-01T10:{n:02}:00Z",
        }
        for trend in GROUPS
        for n in range(per_group)
    ]
    path = folder / "posts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def posts(project: Project, tmp_path: Path) -> Project:
    import_file(project, "posts", write_posts(tmp_path))
    return project


def step(**parameters: object) -> Step:
    return make_step(STEP_KINDS.get("acquire-posts"), **parameters)


def acquire(project: Project, **parameters: object) -> StepResult:
    result = run_step(project, step(**parameters))[1]
    assert result is not None
    return result


def align(project: Project, by: str) -> None:
    run_step(project, make_step(STEP_KINDS.get("align-posts"), "posts", by=by))


def pairs(project: Project) -> list[Pair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


def judge(project: Project, paraphrases: dict[str, int]) -> None:
    """Judge the first round: so many of each group are paraphrases."""
    for group, count in paraphrases.items():
        for number, pair in enumerate(pair for pair in pairs(project) if pair.group == group):
            value = "4" if number < count else "2"
            put(project, Judgement(id=f"j-{pair.id}", pair=pair.id, value=value, annotator="anna", scheme="turku"))


def test_more_pairs_come_where_people_found_paraphrases(posts: Project) -> None:
    align(posts, "trend")
    first = acquire(posts)
    assert first.counts["rounds"] == {"first": 40}
    assert first.counts["dropped"] == {WAITING: 2}
    assert run_step(posts, step())[1] is None
    judge(posts, {"storm": 8, "regatta": 3})
    assert plan(posts, step()).state == "stale"
    second = acquire(posts)
    assert second.counts["dropped"] == {TOO_FEW_PARAPHRASES: 1}
    found = pairs(posts)
    assert {pair.group for pair in found if pair.meta["made"]["round"] == "more"} == {"storm"}
    more = second.counts["rounds"]["more"]
    assert 20 <= more <= 30  # pairs that the first round had already are not there twice
    assert len(found) == 40 + more
    assert len({frozenset((pair.text1, pair.text2)) for pair in found}) == len(found)


def test_a_tie_is_no_paraphrase_and_keeps_no_group_waiting(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en", "binary-loose")
    with open_project(tmp_path / "corpus") as project:
        import_file(project, "posts", write_posts(tmp_path))
        align(project, "trend")
        acquire(project)
        paraphrases = {"storm": 4, "regatta": 3}
        for number, (group, count) in enumerate(paraphrases.items()):
            of_group = [pair for pair in pairs(project) if pair.group == group]
            for place, pair in enumerate(of_group):
                yes = 6 if place < count else 3 if place == count else 0
                for voter in range(6):
                    value, annotator = "yes" if voter < yes else "no", f"voter-{voter}"
                    name = f"j-{number}-{place}-{voter}"
                    put(project, Judgement(name, pair.id, value, annotator=annotator, scheme="binary-loose"))
        second = acquire(project)
    assert second.counts["dropped"] == {TOO_FEW_PARAPHRASES: 1}
    assert second.counts["rounds"]["more"] > 0


def test_pairs_that_it_makes_do_not_make_it_stale(project: Project, tmp_path: Path) -> None:
    import_file(project, "posts", write_posts(tmp_path, 15))  # fewer posts than pairs
    align(project, "trend")
    assert acquire(project).rows_out == 40
    assert plan(project, step()).state == "done"


def test_an_address_needs_a_seed_that_somebody_picked(posts: Project) -> None:
    align(posts, "url")
    with raises("no-candidates"):
        acquire(posts)
    with posts.ledger.writing() as connection:
        groups = url_groups(connection, posts)
        assert groups is not None
        names = sorted(groups.places)
        assert [name.rpartition("/")[2] for name in names] == sorted(GROUPS)
        pick_seed(connection, posts, "anna", names[1], 3, 4.0, "one")
    result = acquire(posts)
    assert result.rows_out == 10
    assert result.counts["dropped"] == {NO_SEED: 1}
    with posts.ledger.writing() as connection:
        pick_seed(connection, posts, "anna", names[0], "skip", 4.0, "two")
    assert acquire(posts).counts["dropped"] == {SKIPPED: 1}


def test_an_address_with_too_few_posts_waits_for_no_seed(posts: Project, tmp_path: Path) -> None:
    row = {"text": "Only one person says that the mill has opened again.", "urls": ["https://news.example/mill"]}
    (tmp_path / "one.jsonl").write_text(json.dumps(row))
    import_file(posts, "posts", tmp_path / "one.jsonl")
    align(posts, "url")
    with posts.ledger.writing() as connection:
        groups = url_groups(connection, posts)
        assert groups is not None
        pick_seed(connection, posts, "anna", min(groups.places), 3, 4.0, "one")
    assert acquire(posts).counts["dropped"] == {NO_SEED: 1, TOO_FEW_FOR_A_SEED: 1}


def test_without_groups_it_says_what_to_run(project: Project) -> None:
    with raises("no-post-groups"):
        acquire(project)
