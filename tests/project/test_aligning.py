"""Alignment as steps of a project, on both databases: what is chosen, what becomes of what was chosen before."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select

from otherwords.annotate.triaging import decide
from otherwords.errors import DataError, RecipeError, UsageError
from otherwords.project import Project, schema
from otherwords.project.aligning import exploring
from otherwords.project.importing import import_file
from otherwords.project.recipe import Step
from otherwords.project.rows import records
from otherwords.project.run import plan, run_step
from otherwords.project.status import own_steps
from otherwords.project.trace import trace
from otherwords.project.withdraw import withdraw
from otherwords.project.work import WORKS, Result
from otherwords.records import DocumentPair, Pair
from tests.conftest import EXAMPLES

EVENTS = {
    "bridge": (
        "The old bridge over the river will be closed from Monday while workmen replace the wooden deck.",
        "From Monday the old bridge over the river is closed: workmen are to replace its wooden deck.",
    ),
    "market": (
        "The fish market moves to the new hall by the harbour, and the traders are not happy about the rent.",
        "Traders at the fish market are unhappy about the rent in the new hall by the harbour.",
    ),
}


def articles(folder: Path) -> Path:
    path = folder / "news.jsonl"
    rows = []
    for day, (name, bodies) in enumerate(EVENTS.items(), 1):
        for outlet, body in zip(("Courier", "Gazette"), bodies, strict=True):
            title = f"{outlet}: {name}" if name == "bridge" else f"{name} news from the {outlet}"
            rows.append({"title": title, "body": body, "date": f"2024-03-{day:02}", "outlet": outlet})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def aligned(project: Project, method: str, **given: object) -> Result:
    work = WORKS.get(f"align-{method}")
    result = run_step(project, Step(method, work.name, work.checked(given)))[1]
    assert result is not None
    return result


def document_pairs(project: Project) -> list[DocumentPair]:
    with project.ledger.reading() as connection:
        return list(records(connection, DocumentPair))


@pytest.fixture
def news(project: Project, tmp_path: Path) -> Project:
    import_file(project, "news", articles(tmp_path))
    return project


def test_articles_on_one_event_are_paired_and_candidates_are_kept(news: Project) -> None:
    result = aligned(news, "news", low=0.3, high=1.0)
    assert (result.rows_in, result.rows_out) == (4, 2)
    assert all(pair.status == "candidate" and pair.method == "news" for pair in document_pairs(news))
    assert result.table is not None
    table = pq.read_table(result.table)
    assert table.column_names == ["doc1", "doc2", "group", "similarity", "kept", "reason"]
    assert table["kept"].to_pylist() == [True, True]


def test_a_finished_step_is_not_run_again_until_something_changes(news: Project, tmp_path: Path) -> None:
    work = WORKS.get("align-news")
    step = Step("news", work.name, work.checked({"low": 0.3}))
    assert plan(news, step).state == "new"
    run_step(news, step)
    assert run_step(news, step)[1] is None
    stricter = Step("news", work.name, work.checked({"low": 0.4}))
    assert (plan(news, stricter).state, plan(news, stricter).why) == ("stale", "changed: low")
    more = tmp_path / "more.jsonl"
    more.write_text(
        json.dumps({"title": "t", "body": "A new ferry.", "date": "2024-03-09", "outlet": "Courier"}) + "\n"
    )
    import_file(news, "news", more)
    assert (plan(news, step).state, plan(news, step).why) == ("stale", "its inputs changed")


def test_what_nobody_looked_at_is_superseded_and_what_was_judged_stays(news: Project) -> None:
    aligned(news, "news", low=0.3, high=1.0)
    judged, other = document_pairs(news)
    with news.ledger.writing() as connection:
        decide(connection, "ann", judged.id, "accept", None, None, "first")
    aligned(news, "news", low=0.99, high=1.0)
    states = {pair.id: pair.status for pair in document_pairs(news)}
    assert states == {judged.id: "accepted", other.id: "superseded"}
    aligned(news, "news", low=0.3, high=1.0, days=8.0)
    states = {pair.id: pair.status for pair in document_pairs(news)}
    assert states == {judged.id: "accepted", other.id: "candidate"}


def test_headings_go_to_classification_and_can_be_traced(news: Project) -> None:
    assert aligned(news, "headings", low=0.3).rows_out == 2
    with news.ledger.reading() as connection:
        pairs = list(records(connection, Pair))
    assert {pair.method for pair in pairs} == {"headings"}
    told = trace(news, pairs[0].id)
    assert told["made_by"]["does"] == "align-headings"
    assert told["made_by"]["parameters"]["low"] == 0.3
    assert told["made_by"]["inputs"]["rows"] == 4
    assert all(document["place"]["row"] for document in told["documents"])
    assert all(document["imported_from"]["sha256"] for document in told["documents"])


def test_headings_go_with_the_article_that_is_withdrawn(news: Project, tmp_path: Path) -> None:
    aligned(news, "headings", low=0.3)
    with news.ledger.reading() as connection:
        pair = next(records(connection, Pair))
    assert pair.doc1 is not None
    withdraw(news, pair.doc1.id)
    with news.ledger.reading() as connection:
        left = {one.id: one for one in records(connection, Pair)}
    assert (left[pair.id].text1, left[pair.id].text2) == ("", "")
    changed = tmp_path / "again.jsonl"
    changed.write_text(articles(tmp_path).read_text().replace("Courier", "Other Courier"))
    assert import_file(news, "news", changed).withdrawn == 1  # the same words under another name


def test_a_lost_table_makes_its_step_stale(news: Project) -> None:
    result = aligned(news, "news", low=0.3)
    assert result.table is not None
    result.table.unlink()
    work = WORKS.get("align-news")
    step = Step("news", work.name, work.checked({"low": 0.3}))
    assert (plan(news, step).state, plan(news, step).why) == ("stale", "its table is missing")
    assert run_step(news, step)[1] is not None
    assert result.table.exists()


def test_a_band_is_checked_before_anything_is_read() -> None:
    with pytest.raises(RecipeError, match="0 <= low <= high <= 1"):
        WORKS.get("align-news").checked({"low": 0.9, "high": 0.1})


def test_bitext_has_no_language_of_the_project(project: Project, tmp_path: Path) -> None:
    (tmp_path / "talk.fi").write_text("Hei vaan.\n")
    (tmp_path / "talk.ru").write_text("Привет.\n")
    assert import_file(project, "bitext", tmp_path / "talk.fi", options={"other": str(tmp_path / "talk.ru")}).added == 1
    with project.ledger.reading() as connection:
        [pair] = records(connection, Pair)
    assert (pair.lang, pair.meta["lang1"], pair.meta["lang2"]) == (None, "fi", "ru")


def test_refused_rows_can_be_had_after_they_were_skipped(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id": "a", "text1": "One.", "text2": "Two."}\nnot json\n')
    assert import_file(project, "pairs", path, on_error="skip").skipped
    again = import_file(project, "pairs", path, on_error="quarantine", quarantine=tmp_path / "bad.jsonl")
    assert (again.added, again.known) == (0, 1)
    assert "not json" in (tmp_path / "bad.jsonl").read_text()


def test_a_second_round_follows_the_yield_of_the_first(project: Project) -> None:
    folder = EXAMPLES / "sources" / "subtitles"
    import_file(project, "subtitles", folder)
    aligned(project, "subtitles", minutes=2.0, low=0.1, high=0.99)
    first = document_pairs(project)
    assert {pair.round for pair in first} == {1}
    best = first[-1]
    row = {"id": "x", "text1": "a", "text2": "b", "scores": {}, "meta": {"document_pair": best.id}}
    with project.ledger.writing() as connection:
        connection.execute(schema.pairs.insert(), [row])
    work = WORKS.get("align-subtitles")
    wishes = {"minutes": 2.0, "low": 0.1, "high": 0.99, "round": 2, "most": 1}
    run_step(project, Step("subtitles-2", work.name, work.checked(wishes)))
    [second] = [pair for pair in document_pairs(project) if pair.round == 2]
    assert second.group == best.group
    assert second.part != best.part


def test_exploring_changes_nothing(news: Project) -> None:
    work = WORKS.get("align-news")
    told = exploring(news, Step("news", work.name, work.checked({"low": 0.5})))
    assert told["pairs"] >= 2
    assert len(told["histogram"]) == 20
    assert told["proposal"] is None
    assert document_pairs(news) == []


def test_what_cannot_be_explored_says_so(project: Project) -> None:
    work = WORKS.get("align-posts")
    with pytest.raises(UsageError, match="band of similarities"):
        exploring(project, Step("posts", work.name, work.checked({})))


def test_nothing_to_align_is_said_and_recorded(project: Project) -> None:
    with pytest.raises(DataError, match="no documents of source forum"):
        aligned(project, "forum")
    with project.ledger.reading() as connection:
        states = connection.execute(select(schema.steps.c.state)).scalars().all()
    assert states == ["failed"]


def test_posts_are_ranked_in_their_groups(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "posts.jsonl"
    texts = ["The storm has closed the harbour this morning.", "Storm closes the harbour for the whole morning!", "ok"]
    rows = [{"text": text, "time": f"2024-03-0{n}T10:00:00Z", "trend": "storm"} for n, text in enumerate(texts, 1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_file(project, "posts", path)
    result = aligned(project, "posts")
    assert result.rows_out == 2
    assert result.table is not None
    table = pq.read_table(result.table).to_pylist()
    assert sorted(row["rank"] for row in table if row["kept"]) == [1, 2]
    assert [row["reason"] is not None for row in table if not row["kept"]] == [True]


def test_topics_are_taken_from_people_learnt_and_balanced(project: Project, tmp_path: Path) -> None:
    texts = {
        "cup": [
            "The home team won the cup final after extra time.",
            "Home team wins the final of the cup in extra time!",
        ],
        "match": [
            "The team lost the match in the last minute of play.",
            "Late goal means the team has lost the match.",
        ],
        "flu": ["The clinic offers free flu vaccines from Monday morning.", "Free vaccines against flu at the clinic."],
    }
    path = tmp_path / "posts.jsonl"
    rows = [{"text": text, "trend": trend, "time": "2024-03-01T10:00:00Z"} for trend in texts for text in texts[trend]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_file(project, "posts", path)
    (project.folder / "topics.csv").write_text("group,topic\ncup,sports\nflu,health\n")
    result = aligned(project, "posts", topics="topics.csv", per_topic=1)
    assert result.counts["topics"] == {"sports": 2, "health": 1}
    assert result.table is not None
    table = pq.read_table(result.table).to_pylist()
    assert {row["group"]: (row["topic"], row["topic_by"]) for row in table} == {
        "cup": ("sports", "person"),
        "match": ("sports", "model"),
        "flu": ("health", "person"),
    }
    assert len({row["group"] for row in table if row["kept"]}) == 2
    assert {row["reason"] for row in table if not row["kept"]} == {"the topic has its 1 groups"}
    (project.folder / "topics.csv").write_text("group\ncup\n")
    with pytest.raises(DataError, match="columns group and topic"):
        aligned(project, "posts", topics="topics.csv")


def test_a_run_without_a_recipe_takes_the_steps_so_far(news: Project) -> None:
    with pytest.raises(RecipeError, match="no step was ever run"):
        own_steps(news)
    aligned(news, "news", low=0.3)
    assert [(step.name, step.parameters["low"]) for step in own_steps(news)] == [("news", 0.3)]
    (news.folder / "recipe.toml").write_text('[[step]]\nname = "titles"\ndo = "align-headings"\n')
    assert [step.name for step in own_steps(news)] == ["titles"]


def test_pairs_of_two_corpora_do_not_collide(project: Project, tmp_path: Path) -> None:
    for folder, text in (("one", "The boat left."), ("two", "The ship sailed.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dev.tsv").write_text(f"id\tsentence1\tsentence2\tlabel\n1\t{text}\tIt went away.\t1\n")
        told = import_file(project, "pairs", tmp_path / folder / "dev.tsv", format="paws")
        assert told.added == 1


def test_an_id_of_ours_means_one_pair(project: Project, tmp_path: Path) -> None:
    for name, text in (("a", "The boat left."), ("b", "The ship sailed.")):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "p", "text1": text, "text2": "Gone."}) + "\n")
    import_file(project, "pairs", tmp_path / "a.jsonl")
    with pytest.raises(DataError, match="another pair with this id"):
        import_file(project, "pairs", tmp_path / "b.jsonl")
