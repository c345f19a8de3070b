"""Groups of posts that share an address: which are shown, and what becomes of a choice among their sentences."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlalchemy import insert

from otherwords.align.posts import SCHEMA
from otherwords.annotate import post_groups
from otherwords.annotate.seeds import next_groups, pick
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.importing import import_file
from otherwords.project.recipe import Step
from otherwords.project.run import run_step
from otherwords.project.withdraw import withdraw
from otherwords.project.work import WORKS
from otherwords.records import Judgement
from tests.annotate.reading import rows, time_runs_out


def sentence(group: str | None, number: int, rank: int | None, text: str | None = None) -> dict[str, Any]:
    told = text if text is not None else f"Sentence {number} of {group} 👍🏽"
    where = {"group": group, "document": f"{group}-{number}", "start": 2, "end": 2 + len(told), "text": told}
    probability = None if rank is None else 1 / rank
    return where | {"tokens": 6, "kept": rank is not None, "reason": None, "rank": rank, "probability": probability}


def table(project: Project, groups: dict[str, int], name: str = "posts", by: str = "url", state: str = "done") -> Path:
    """A finished step whose table has these groups, each with so many kept sentences, the best last."""
    told = [sentence(group, n, size - n) for group, size in groups.items() for n in range(size)]
    told += [sentence(group, 99, None) for group in groups] + [sentence(None, 1, None)]
    told.sort(key=lambda one: (one["group"] is None, list(groups).index(one["group"]) if one["group"] else 0))
    path = project.folder / "tables" / name / "0123456789abcdef.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(told, SCHEMA), path, row_group_size=7)
    step = {"name": name, "does": "align-posts", "key": "k", "parameters": {"by": by}, "inputs": {}, "version": 1}
    step |= {"state": state, "started": "2026-01-01", "counts": {}, "table": str(path.relative_to(project.folder))}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps).values(**step))
    return path


def asked(project: Project, annotator: str, most: int = 5) -> list[str]:
    with project.ledger.writing() as connection:
        return [group.name for group in next_groups(connection, project, annotator, most)]


def picked(project: Project, annotator: str, group: str, choice: Any, key: str = "k", **more: Any) -> Judgement:
    with project.ledger.writing() as connection:
        return pick(connection, project, annotator, group, choice, more.get("seconds"), key)


def test_groups_with_their_best_sentences(project: Project) -> None:
    table(project, {"long": 15, "three": 3, "four": 4})
    with project.ledger.writing() as connection:
        long, four = next_groups(connection, project, "anna", 10)
    assert (long.name, long.size, four.name, four.size) == ("long", 15, "four", 4)
    assert [one.rank for one in long.sentences] == list(range(1, 12))
    assert [one.rank for one in four.sentences] == [1, 2, 3, 4]
    first = long.sentences[0]
    assert (first.document, first.start, first.text) == ("long-14", 2, "Sentence 14 of long 👍🏽")
    assert (first.end - first.start, first.probability) == (len(first.text), 1.0)


def test_the_last_finished_table_by_address_counts(project: Project) -> None:
    assert asked(project, "anna") == []
    with pytest.raises(NotFound, match="align posts by url first"):
        picked(project, "anna", "g", 1)
    table(project, {"first": 5}, "one")
    path = table(project, {"second": 5}, "two")
    table(project, {"trend": 5}, "three", by="trend")
    table(project, {"broken": 5}, "four", state="failed")
    assert asked(project, "anna") == ["second"]
    path.unlink()
    with pytest.raises(NotFound, match="run its step again"):
        asked(project, "anna")


def test_what_is_decided_or_held_is_not_asked_again(project: Project) -> None:
    table(project, {f"g{n}": 4 for n in range(6)})
    assert asked(project, "anna", 2) == ["g0", "g1"]
    assert asked(project, "ben", 2) == ["g2", "g3"]
    picked(project, "anna", "g0", 2)
    picked(project, "ben", "g2", "skip")
    assert asked(project, "anna", 9) == ["g1", "g4", "g5"]
    time_runs_out(project)
    assert asked(project, "cleo", 9) == ["g1", "g3", "g4", "g5"]
    assert asked(project, "anna", 9) == []


def test_groups_beyond_the_first_look(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.annotate.seeds.GROUPS_A_QUERY", 2)
    table(project, {f"g{n}": 4 for n in range(7)})
    for n in (0, 1, 2, 4):
        picked(project, "anna", f"g{n}", "skip", key=str(n))
    assert asked(project, "ben", 2) == ["g3", "g5"]
    assert asked(project, "cleo", 9) == ["g6"]


def test_people_who_ask_at_once_get_different_groups(project: Project) -> None:
    table(project, {f"g{n}": 4 for n in range(9)})
    got: dict[str, list[str]] = {}
    start = threading.Barrier(3)

    def ask(name: str) -> None:
        start.wait()
        got[name] = asked(project, name, 3)

    asking = [threading.Thread(target=ask, args=(name,)) for name in ("anna", "ben", "cleo")]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert sorted(name for some in got.values() for name in some) == [f"g{n}" for n in range(9)]


def test_a_choice_is_a_judgement_of_the_group(project: Project) -> None:
    table(project, {"g": 5})
    made = picked(project, "anna", "g", 2, seconds=7.5)
    text = "Sentence 3 of g 👍🏽"
    assert made.value == {"document": "g-3", "start": 2, "end": 2 + len(text), "rank": 2}
    [told] = rows(project, schema.judgements)
    assert (told["unit"], told["pair"], told["scheme"], told["seconds"]) == ("group", "g", "seed", 7.5)
    assert told["value"] == made.value
    assert rows(project, schema.holds) == []


def test_a_choice_can_be_changed_and_taken_back(project: Project) -> None:
    table(project, {"g": 5})
    first = picked(project, "anna", "g", 2, "1")
    second = picked(project, "anna", "g", "skip", "2")
    third = picked(project, "anna", "g", None, "3")
    assert (second.supersedes, third.supersedes, third.value) == (first.id, second.id, None)
    assert asked(project, "ben") == []  # who took it back looks at it again
    assert asked(project, "anna") == ["g"]
    with pytest.raises(Conflict, match="no choice of yours"):
        picked(project, "anna", "g", None, "4")


def test_the_same_sent_twice_is_there_once(project: Project) -> None:
    table(project, {"g": 5, "h": 5})
    first = picked(project, "anna", "g", 2)
    assert picked(project, "anna", "g", 2) == first
    for group, choice in (("g", 3), ("g", "skip"), ("h", 2), ("g", None)):
        with pytest.raises(Conflict, match="something else was saved under this key"):
            picked(project, "anna", group, choice)
    assert len(rows(project, schema.judgements)) == 1
    picked(project, "anna", "g", None, "2")
    time_runs_out(project)
    asked(project, "ben")
    assert picked(project, "anna", "g", None, "2").value is None  # said before somebody else took it
    assert len(rows(project, schema.judgements)) == 2


def test_windows_that_send_the_same_at_once(project: Project) -> None:
    table(project, {"g": 5})
    asked(project, "anna")
    made: list[str] = []
    start = threading.Barrier(4)

    def send() -> None:
        start.wait()
        made.append(picked(project, "anna", "g", 1).id)

    sending = [threading.Thread(target=send) for _ in range(4)]
    for thread in sending:
        thread.start()
    for thread in sending:
        thread.join()
    assert (len(made), len(set(made))) == (4, 1)
    assert len(rows(project, schema.judgements)) == 1
    assert rows(project, schema.holds) == []


def test_others_do_not_decide_what_is_held_or_decided(project: Project) -> None:
    table(project, {"g": 5})
    asked(project, "anna")
    with pytest.raises(Conflict, match="somebody else works on this until"):
        picked(project, "ben", "g", 1)
    time_runs_out(project)
    picked(project, "ben", "g", 1)
    for choice in (2, "skip", None):
        with pytest.raises(Conflict, match="somebody else has decided"):
            picked(project, "anna", "g", choice)
    assert len(rows(project, schema.judgements)) == 1
    assert rows(project, schema.holds) == []


@pytest.mark.parametrize("choice", [0, 6, 12, -1, "1", "maybe", 2.5])
def test_what_is_no_choice(project: Project, choice: Any) -> None:
    table(project, {"g": 5, "small": 3})
    with pytest.raises(Refused, match="not the rank of a sentence"):
        picked(project, "anna", "g", choice)
    with pytest.raises(NotFound, match="no group"):
        picked(project, "anna", "small", 1)
    with pytest.raises(NotFound, match="no group"):
        picked(project, "anna", "elsewhere", 1)
    assert rows(project, schema.judgements) == []


def test_a_table_is_read_once_until_it_is_written_anew(project: Project) -> None:
    path = table(project, {"g": 5})
    before = post_groups._read.cache_info()
    asked(project, "anna")
    asked(project, "anna")
    after = post_groups._read.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 1)
    told = [sentence("other", n, n + 1) for n in range(5)]
    pq.write_table(pa.Table.from_pylist(told, SCHEMA), path)
    os.utime(path, ns=(1, 1))
    assert asked(project, "anna") == ["other"]


def test_an_empty_table(project: Project) -> None:
    path = table(project, {"g": 3})
    assert asked(project, "anna") == []
    pq.write_table(SCHEMA.empty_table(), path)
    assert asked(project, "anna") == []


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
    work = WORKS.get("align-posts")
    run_step(project, Step("by-url", work.name, work.checked({"by": "url"})))
    with project.ledger.writing() as connection:
        [group] = next_groups(connection, project, "anna", 5)
    assert group.size == 5
    made = picked(project, "anna", group.name, group.sentences[0].rank)
    assert made.value["document"] == group.sentences[0].document
    withdraw(project, group.sentences[1].document, noun="document")
    picked(project, "anna", group.name, None, "2")
    with project.ledger.writing() as connection:
        [left] = next_groups(connection, project, "anna", 5)
    assert (left.size, [one.rank for one in left.sentences]) == (4, [1, 3, 4, 5])
    with pytest.raises(Refused, match="not the rank of a sentence"):
        picked(project, "anna", group.name, 2, "3")
    withdraw(project, group.sentences[2].document, noun="document")
    assert asked(project, "anna") == []  # a seed and two are too few
