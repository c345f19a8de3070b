"""Groups of posts that share an address: which are offered, and how a choice among their sentences is stored."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from otherwords.align.posts import SCHEMA
from otherwords.annotate.documents import post_groups
from otherwords.annotate.documents.seeds import next_groups, pick_seed
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import MANIFEST, write_dataset
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Judgement
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.posts_dataset import posts_dataset, sentence
from tests.annotate.reading import rows, time_runs_out
from tests.errors import raises
from tests.processes import SECONDS, join_all


def take(project: Project, annotator: str, most: int = 5) -> list[str]:
    with project.ledger.writing() as connection:
        return [group.name for group in next_groups(connection, project, annotator, most)]


def picked(project: Project, annotator: str, group: str, choice: Any, key: str = "k", **more: Any) -> Judgement:
    with project.ledger.writing() as connection:
        return pick_seed(connection, project, annotator, group, choice, more.get("seconds"), key)


def test_groups_with_their_best_sentences(project: Project) -> None:
    posts_dataset(project, {"long": 15, "three": 3, "four": 4})
    with project.ledger.writing() as connection:
        long, four = next_groups(connection, project, "anna", 10)
    assert (long.name, long.size, four.name, four.size) == ("long", 15, "four", 4)
    assert [shown.rank for shown in long.sentences] == list(range(1, 12))
    assert [shown.rank for shown in four.sentences] == [1, 2, 3, 4]
    first = long.sentences[0]
    assert (first.document, first.start, first.text) == ("long-14", 2, "Sentence 14 of long 👍🏽")
    assert (first.end - first.start, first.probability) == (len(first.text), 1.0)


def test_the_last_finished_table_by_address_counts(project: Project) -> None:
    assert take(project, "anna") == []
    with raises("no-post-groups"):
        picked(project, "anna", "g", 1)
    posts_dataset(project, {"first": 5}, "one")
    folder = posts_dataset(project, {"second": 5}, "two")
    posts_dataset(project, {"trend": 5}, "three", by="trend")
    posts_dataset(project, {"broken": 5}, "four", state="failed")
    assert take(project, "anna") == ["second"]
    (folder / MANIFEST).unlink()
    with raises("missing-dataset"):
        take(project, "anna")


def test_decided_or_held_groups_are_not_offered(project: Project) -> None:
    posts_dataset(project, {f"g{n}": 4 for n in range(6)})
    assert take(project, "anna", 2) == ["g0", "g1"]
    assert take(project, "ben", 2) == ["g2", "g3"]
    picked(project, "anna", "g0", 2)
    picked(project, "ben", "g2", "skip")
    assert take(project, "anna", 9) == ["g1", "g4", "g5"]
    time_runs_out(project)
    assert take(project, "cleo", 9) == ["g1", "g3", "g4", "g5"]
    assert take(project, "anna", 9) == []


def test_groups_beyond_the_first_query(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.annotate.documents.seeds.GROUPS_PER_QUERY", 2)
    posts_dataset(project, {f"g{n}": 4 for n in range(7)})
    for n in (0, 1, 2, 4):
        picked(project, "anna", f"g{n}", "skip", key=str(n))
    assert take(project, "ben", 2) == ["g3", "g5"]
    assert take(project, "cleo", 9) == ["g6"]


def test_people_who_ask_at_once_get_different_groups(project: Project) -> None:
    posts_dataset(project, {f"g{n}": 4 for n in range(9)})
    got: dict[str, list[str]] = {}
    start = threading.Barrier(3)

    def ask(name: str) -> None:
        start.wait(SECONDS)
        got[name] = take(project, name, 3)

    asking = [threading.Thread(target=ask, args=(name,)) for name in ("anna", "ben", "cleo")]
    for thread in asking:
        thread.start()
    join_all(asking)
    assert sorted(name for some in got.values() for name in some) == [f"g{n}" for n in range(9)]


def test_a_choice_is_a_judgement_of_the_group(project: Project) -> None:
    posts_dataset(project, {"g": 5})
    judgement = picked(project, "anna", "g", 2, seconds=7.5)
    text = "Sentence 3 of g 👍🏽"
    assert judgement.value == {"document": "g-3", "start": 2, "end": 2 + len(text), "rank": 2}
    [stored] = rows(project, schema.judgements)
    assert (stored["unit"], stored["pair"], stored["scheme"], stored["seconds"]) == ("group", "g", "seed", 7.5)
    assert stored["value"] == judgement.value
    assert rows(project, schema.holds) == []


def test_a_choice_can_be_changed_and_taken_back(project: Project) -> None:
    posts_dataset(project, {"g": 5})
    first = picked(project, "anna", "g", 2, "1")
    second = picked(project, "anna", "g", "skip", "2")
    third = picked(project, "anna", "g", None, "3")
    assert (second.supersedes, third.supersedes, third.value) == (first.id, second.id, None)
    assert take(project, "ben") == []  # who took it back looks at it again
    assert take(project, "anna") == ["g"]
    with raises("nothing-to-take-back"):
        picked(project, "anna", "g", None, "4")


def test_the_same_request_sent_twice_is_stored_once(project: Project) -> None:
    posts_dataset(project, {"g": 5, "h": 5})
    first = picked(project, "anna", "g", 2)
    assert picked(project, "anna", "g", 2) == first
    for group, choice in (("g", 3), ("g", "skip"), ("h", 2), ("g", None)):
        with raises("key-reused"):
            picked(project, "anna", group, choice)
    assert len(rows(project, schema.judgements)) == 1
    picked(project, "anna", "g", None, "2")
    time_runs_out(project)
    take(project, "ben")
    assert picked(project, "anna", "g", None, "2").value is None  # said before somebody else took it
    assert len(rows(project, schema.judgements)) == 2


def test_concurrent_windows_store_a_request_once(project: Project) -> None:
    posts_dataset(project, {"g": 5})
    take(project, "anna")
    ids: list[str] = []
    start = threading.Barrier(4)

    def send() -> None:
        start.wait(SECONDS)
        ids.append(picked(project, "anna", "g", 1).id)

    sending = [threading.Thread(target=send) for _ in range(4)]
    for thread in sending:
        thread.start()
    join_all(sending)
    assert (len(ids), len(set(ids))) == (4, 1)
    assert len(rows(project, schema.judgements)) == 1
    assert rows(project, schema.holds) == []


def test_others_do_not_decide_held_or_decided_groups(project: Project) -> None:
    posts_dataset(project, {"g": 5})
    take(project, "anna")
    with raises("held-by-somebody-else"):
        picked(project, "ben", "g", 1)
    time_runs_out(project)
    picked(project, "ben", "g", 1)
    for choice in (2, "skip", None):
        with raises("decided-meanwhile"):
            picked(project, "anna", "g", choice)
    assert len(rows(project, schema.judgements)) == 1
    assert rows(project, schema.holds) == []


@pytest.mark.parametrize("choice", [0, 6, 12, -1, "1", "maybe", 2.5])
def test_impossible_choices_are_refused(project: Project, choice: Any) -> None:
    posts_dataset(project, {"g": 5, "small": 3})
    with raises("no-such-rank"):
        picked(project, "anna", "g", choice)
    with raises("no-such-group"):
        picked(project, "anna", "small", 1)
    with raises("no-such-group"):
        picked(project, "anna", "elsewhere", 1)
    assert rows(project, schema.judgements) == []


def test_a_table_is_read_once_until_it_is_rewritten(project: Project) -> None:
    folder = posts_dataset(project, {"g": 5})
    before = post_groups._read_cached.cache_info()
    take(project, "anna")
    take(project, "anna")
    after = post_groups._read_cached.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 1)
    table_rows = [sentence("other", n, n + 1) for n in range(5)]
    write_dataset(folder, SCHEMA, [pa.Table.from_pylist(table_rows, SCHEMA)])
    os.utime(folder / MANIFEST, ns=(1, 1))
    assert take(project, "anna") == ["other"]


def test_an_empty_table(project: Project) -> None:
    folder = posts_dataset(project, {"g": 3})
    assert take(project, "anna") == []
    write_dataset(folder, SCHEMA, [])
    os.utime(folder / MANIFEST, ns=(1, 1))
    assert take(project, "anna") == []


def test_from_posts_to_seeds_and_without_what_was_withdrawn(project: Project, tmp_path: Path) -> None:
    texts = [
        "The storm has closed the harbour this morning.",
        "Storm closes the harbour for the whole morning!",
        "Harbour shut by the storm since early today.",
        "No boats left the harbour because of the storm.",
        "This morning the storm kept all boats in the harbour.",
    ]
    lines = [
        f'{{"text": "{text} https://example.org/storm", "time": "2024-03-01T1{n}:00:00Z"}}\n'
        for n, text in enumerate(texts)
    ]
    (tmp_path / "posts.jsonl").write_text("".join(lines))
    import_file(project, "posts", tmp_path / "posts.jsonl")
    run_step(project, make_step(STEP_KINDS.get("align-posts"), "by-url", by="url"))
    with project.ledger.writing() as connection:
        [group] = next_groups(connection, project, "anna", 5)
    assert group.size == 5
    judgement = picked(project, "anna", group.name, group.sentences[0].rank)
    assert judgement.value["document"] == group.sentences[0].document
    withdraw(project, group.sentences[1].document, noun="document")
    picked(project, "anna", group.name, None, "2")
    with project.ledger.writing() as connection:
        [left] = next_groups(connection, project, "anna", 5)
    assert (left.size, [shown.rank for shown in left.sentences]) == (4, [1, 3, 4, 5])
    with raises("no-such-rank"):
        picked(project, "anna", group.name, 2, "3")
    withdraw(project, group.sentences[2].document, noun="document")
    assert take(project, "anna") == []  # a seed and two are too few
