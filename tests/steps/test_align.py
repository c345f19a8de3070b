"""Alignment as steps of a project, on both databases: what is chosen, what becomes of what was chosen before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from otherwords.annotate.documents.triage import decide
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.plan import plan
from otherwords.project.pipeline.run import run_step
from otherwords.project.trace import trace
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import DocumentPair, Pair
from otherwords.steps.align import ONLY_RELATED, explore_band
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.status import own_steps
from tests.conftest import EXAMPLES
from tests.errors import raises

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


def align(project: Project, method: str, **parameters: object) -> StepResult:
    kind = STEP_KINDS.get(f"align-{method}")
    result = run_step(project, make_step(kind, method, **parameters))[1]
    assert result is not None
    return result


def document_pairs(project: Project) -> list[DocumentPair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, DocumentPair))


@pytest.fixture
def news(project: Project, tmp_path: Path) -> Project:
    import_file(project, "news", articles(tmp_path))
    return project


def test_articles_on_one_event_are_paired_and_candidates_are_kept(news: Project) -> None:
    result = align(news, "news", low=0.3, high=1.0)
    assert (result.rows_in, result.rows_out) == (4, 2)
    assert all(pair.status == "candidate" and pair.method == "news" for pair in document_pairs(news))
    assert isinstance(result.output, Dataset)
    table = result.output.table()
    assert table.column_names == ["doc1", "doc2", "group", "similarity", "kept", "reason"]
    assert table["kept"].to_pylist() == [True, True]


def test_a_finished_step_is_not_run_again_until_something_changes(news: Project, tmp_path: Path) -> None:
    kind = STEP_KINDS.get("align-news")
    step = make_step(kind, "news", low=0.3)
    assert plan(news, step).state == "new"
    run_step(news, step)
    assert run_step(news, step)[1] is None
    stricter = make_step(kind, "news", low=0.4)
    assert (plan(news, stricter).state, plan(news, stricter).why) == ("stale", "changed: low")
    more = tmp_path / "more.jsonl"
    more.write_text(
        json.dumps({"title": "t", "body": "A new ferry.", "date": "2024-03-09", "outlet": "Courier"}) + "\n"
    )
    import_file(news, "news", more)
    assert (plan(news, step).state, plan(news, step).why) == ("stale", "its inputs changed")


def test_what_nobody_looked_at_is_superseded_and_what_was_judged_stays(news: Project) -> None:
    align(news, "news", low=0.3, high=1.0)
    judged, other = document_pairs(news)
    with news.ledger.writing() as connection:
        decide(connection, "ann", judged.id, "accept", None, None, "first")
    align(news, "news", low=0.99, high=1.0)
    states = {pair.id: pair.status for pair in document_pairs(news)}
    assert states == {judged.id: "accepted", other.id: "superseded"}
    align(news, "news", low=0.3, high=1.0, days=8.0)
    states = {pair.id: pair.status for pair in document_pairs(news)}
    assert states == {judged.id: "accepted", other.id: "candidate"}


def test_headings_go_to_classification_and_can_be_traced(news: Project) -> None:
    assert align(news, "headings", low=0.3).rows_out == 2
    with news.ledger.reading() as connection:
        pairs = list(read_records(connection, Pair))
    assert {pair.method for pair in pairs} == {"headings"}
    history = trace(news, pairs[0].id)
    assert history["made_by"]["kind"] == "align-headings"
    assert history["made_by"]["parameters"]["low"] == 0.3
    assert history["made_by"]["inputs"]["rows"] == 4
    assert all(document["place"]["row"] for document in history["documents"])
    assert all(document["imported_from"]["sha256"] for document in history["documents"])


def test_headings_go_with_the_article_that_is_withdrawn(news: Project, tmp_path: Path) -> None:
    align(news, "headings", low=0.3)
    with news.ledger.reading() as connection:
        pair = next(read_records(connection, Pair))
    assert pair.doc1 is not None
    withdraw(news, pair.doc1.id)
    with news.ledger.reading() as connection:
        left = {pair.id: pair for pair in read_records(connection, Pair)}
    assert (left[pair.id].text1, left[pair.id].text2) == ("", "")
    changed = tmp_path / "again.jsonl"
    changed.write_text(articles(tmp_path).read_text().replace("Courier", "Other Courier"))
    assert import_file(news, "news", changed).withdrawn == 1  # the same words under another name


def test_a_lost_table_makes_its_step_stale(news: Project) -> None:
    result = align(news, "news", low=0.3)
    assert isinstance(result.output, Dataset)
    result.output.paths()[0].unlink()
    kind = STEP_KINDS.get("align-news")
    step = make_step(kind, "news", low=0.3)
    assert (plan(news, step).state, plan(news, step).why) == ("stale", "its output is missing")
    assert run_step(news, step)[1] is not None
    assert result.output.paths()[0].exists()


def test_a_band_is_checked_before_anything_is_read() -> None:
    with raises("bad-parameter"):
        STEP_KINDS.get("align-news").decode({"low": 0.9, "high": 0.1})


def test_bitext_has_no_language_of_the_project(project: Project, tmp_path: Path) -> None:
    (tmp_path / "talk.fi").write_text("Hei vaan.\n")
    (tmp_path / "talk.ru").write_text("Привет.\n")
    assert import_file(project, "bitext", tmp_path / "talk.fi", options={"other": str(tmp_path / "talk.ru")}).added == 1
    with project.ledger.reading() as connection:
        [pair] = read_records(connection, Pair)
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
    align(project, "subtitles", minutes=2.0, low=0.1, high=0.99)
    first = document_pairs(project)
    assert {pair.round for pair in first} == {1}
    best = first[-1]
    row = {"id": "x", "text1": "a", "text2": "b", "scores": {}, "meta": {"document_pair": best.id}}
    with project.ledger.writing() as connection:
        connection.execute(schema.pairs.insert(), [row])
    kind = STEP_KINDS.get("align-subtitles")
    parameters = {"minutes": 2.0, "low": 0.1, "high": 0.99, "round": 2, "most": 1}
    run_step(project, make_step(kind, "subtitles-2", **parameters))
    [second] = [pair for pair in document_pairs(project) if pair.round == 2]
    assert second.group == best.group
    assert second.part != best.part


def test_exploring_changes_nothing(news: Project) -> None:
    kind = STEP_KINDS.get("align-news")
    explored = explore_band(news, make_step(kind, "news", low=0.5))
    assert explored["pairs"] >= 2
    assert len(explored["histogram"]) == 20
    assert explored["proposal"] is None
    assert document_pairs(news) == []


GERMAN = (
    ("Guten Morgen", "Morgen zusammen"), ("wo ist der Schlüssel", "wer hat den Schlüssel gesehen"),
    ("das Boot legt gleich ab", "gleich fährt das Schiff"), ("ich habe Hunger", "mir knurrt der Magen"),
    ("mach bitte die Tür zu", "schließ doch die Tür"), ("es regnet schon wieder", "jetzt regnet es wieder"),
    ("ruf deinen Bruder an", "telefonier mit deinem Bruder"), ("morgen ist Markt", "morgen wird Markt gehalten"),
)  # fmt: skip


def german_films(folder: Path, count: int) -> Path:
    """Films in two versions that say the same, from an eighth to all of it in other words."""
    folder.mkdir()
    for film in range(count):
        for version in (0, 1):
            cues = []
            for number in range(24):
                other = version * (number % 8 <= film % 8)
                text = f"{GERMAN[(number * 3 + film) % len(GERMAN)][other]}."
                cues.append(f"{number + 1}\n00:{number:02}:01,000 --> 00:{number:02}:09,000\n{text}\n")
            (folder / f"Der.Deich.{film}.1994.v{version + 1}.de.srt").write_text("\n".join(cues), "utf-8")
    return folder


def test_no_band_is_proposed_for_versions_of_films(project: Project, tmp_path: Path) -> None:
    """All are versions of one film, so that any valley in their shape would leave out good ones."""
    import_file(project, "subtitles", german_films(tmp_path / "films", 24), lang="de")
    explored = explore_band(project, make_step(STEP_KINDS.get("align-subtitles"), "subtitles", low=0.3, high=0.9))
    assert explored["pairs"] >= 20, "enough to have a shape"
    assert explored["proposal"] is None
    assert explored["why_not"] == ONLY_RELATED
    assert any(end["above"] or end["below"] for end in explored["thresholds"])


def test_a_method_without_a_band_cannot_be_explored(project: Project) -> None:
    kind = STEP_KINDS.get("align-posts")
    with raises("no-band"):
        explore_band(project, make_step(kind, "posts"))


def test_a_failure_for_lack_of_documents_is_recorded(project: Project) -> None:
    with raises("no-documents", match="forum"):
        align(project, "forum")
    with project.ledger.reading() as connection:
        states = connection.execute(select(schema.steps.c.state)).scalars().all()
    assert states == ["failed"]


def test_posts_are_ranked_in_their_groups(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "posts.jsonl"
    texts = ["The storm has closed the harbour this morning.", "Storm closes the harbour for the whole morning!", "ok"]
    rows = [{"text": text, "time": f"2024-03-0{n}T10:00:00Z", "trend": "storm"} for n, text in enumerate(texts, 1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_file(project, "posts", path)
    result = align(project, "posts")
    assert result.rows_out == 2
    assert isinstance(result.output, Dataset)
    table = result.output.table().to_pylist()
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
    result = align(project, "posts", topics="topics.csv", per_topic=1)
    assert result.counts["topics"] == {"sports": 2, "health": 1}
    assert isinstance(result.output, Dataset)
    table = result.output.table().to_pylist()
    assert {row["group"]: (row["topic"], row["topic_by"]) for row in table} == {
        "cup": ("sports", "person"),
        "match": ("sports", "model"),
        "flu": ("health", "person"),
    }
    assert len({row["group"] for row in table if row["kept"]}) == 2
    assert {row["reason"] for row in table if not row["kept"]} == {"the topic has its 1 groups"}
    (project.folder / "topics.csv").write_text("group\ncup\n")
    with raises("bad-topics-table"):
        align(project, "posts", topics="topics.csv")
    for name, table_text in (("t.tsv", "group\ttopic\ncup\tsports\n"), ("t.csv", "group;topic\ncup;sports\n")):
        (project.folder / name).write_text(table_text + table_text.splitlines()[1].replace("cup", "flu") + "\n")
        assert align(project, "posts", topics=name).counts["topics"] == {"sports": 2}
    with raises("no-such-file", match="folder of the project"):
        align(project, "posts", topics="elsewhere.csv")


@pytest.mark.parametrize(
    ("by", "field", "names", "written"),
    [
        ("trend", "trend", ("EURO2024", "Flu Season"), ("#EURO2024", " flu  season ")),
        ("hashtag", "hashtags", (["EURO2024"], ["flu"]), ("# euro2024", "＃Flu")),
        ("url", "urls", (["https://a.org/x"], ["https://b.org"]), ("http://www.a.org/x/", "b.org/?utm_source=q")),
    ],
)
def test_topics_of_groups_as_people_write_them(
    project: Project, tmp_path: Path, by: str, field: str, names: tuple[object, object], written: tuple[str, str]
) -> None:
    texts = ["The home team won the cup final after extra time.", "The clinic offers free vaccines from Monday on."]
    rows = [{"text": text, field: name} for text, name in zip(texts, names, strict=True)]
    rows.append({"text": "Nobody knows what this post is about."})  # it is in no group
    path = tmp_path / "posts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_file(project, "posts", path)
    table = f"group,topic\n{written[0]},sports\n{written[1]},health\nelsewhere.org,politics\n"
    (project.folder / "topics.csv").write_text(table, "utf-8")
    counts = align(project, "posts", topics="topics.csv", by=by).counts
    assert counts["topics"] == {"sports": 1, "health": 1}
    assert (counts["groups without a topic"], counts["topics of groups that no post has"]) == (0, 1)


def test_a_run_without_a_recipe_takes_the_steps_so_far(news: Project) -> None:
    with raises("no-steps"):
        own_steps(news)
    align(news, "news", low=0.3)
    assert [(step.name, step.as_json()["low"]) for step in own_steps(news)] == [("news", 0.3)]
    (news.folder / "recipe.toml").write_text('[[step]]\nname = "titles"\ndo = "align-headings"\n')
    assert [step.name for step in own_steps(news)] == ["titles"]


def test_pairs_of_two_corpora_do_not_collide(project: Project, tmp_path: Path) -> None:
    for folder, text in (("one", "The boat left."), ("two", "The ship sailed.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dev.tsv").write_text(f"id\tsentence1\tsentence2\tlabel\n1\t{text}\tIt went away.\t1\n")
        result = import_file(project, "pairs", tmp_path / folder / "dev.tsv", format="paws")
        assert result.added == 1


def test_an_id_of_ours_means_one_pair(project: Project, tmp_path: Path) -> None:
    for name, text in (("a", "The boat left."), ("b", "The ship sailed.")):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "p", "text1": text, "text2": "Gone."}) + "\n")
    import_file(project, "pairs", tmp_path / "a.jsonl")
    with raises("duplicate-id", match="pair p"):
        import_file(project, "pairs", tmp_path / "b.jsonl")


def test_versions_without_another_are_listed(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    for path in sorted((EXAMPLES / "sources" / "subtitles").glob("Harbour.Street.S01E02.*")):
        name = path.name.replace("Harbour.Street", "HARBOUR.street") if ".v2." in path.name else path.name
        (folder / name).write_bytes(path.read_bytes())
    (folder / "The.Lone.Mill.1994.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nNobody here.\n")
    import_file(project, "subtitles", folder)
    result = align(project, "subtitles", low=0.0, high=1.0, minutes=3.0)
    assert result.counts["without another version"] == ["The Lone Mill (1994): The.Lone.Mill.1994.srt"]
    assert [pair.group for pair in document_pairs(project)] == ["HARBOUR street S01E02"]
