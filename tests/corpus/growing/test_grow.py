"""Versions of a growing set: their order, what they refuse, and what has to go from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.corpus.growing.grow import FOR_PEOPLE, GONE, GrowOptions, grow
from otherwords.corpus.growing.select import ALIKE, COPY, FORBIDDEN, NOT_IDENTIFIED, PRIVATE, SHARED
from otherwords.corpus.growing.version import GrownVersion
from otherwords.corpus.release.earlier_tests import earlier_tests
from otherwords.corpus.release.metadata_files import read_facts
from otherwords.corpus.verify.verify import problems_before_release, verify
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.project.simulated import ACTION
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Document, Pair, Passage
from tests.corpus.growing.brute_force import rows_of
from tests.corpus.released_corpus import add, files_in, fill, judgement, pair, released
from tests.errors import raises


def everything(pairs: Sequence[Pair]) -> list[bool]:
    return [True] * len(pairs)


def grown(project: Project, version: str = "2026-01", **options: Any) -> GrownVersion:
    chosen = {"licence": "CC-BY-SA-4.0", "model": "test", "date": "2026-01-31", **options}
    return grow(project, GrowOptions(version, **chosen), everything, problems_before_release)


def candidate(number: int, **fields: Any) -> Pair:
    """A pair whose texts have little in common, of a group of its own."""
    new = pair(number)
    return pair(number, **{"text2": pair(number + 500).text2, "text1": new.text1, "group": f"new{number}"} | fields)


def ids(version: GrownVersion) -> list[str]:
    return [row["id"] for row in rows_of(version.folder)]


def test_each_reason_is_counted(project: Project) -> None:
    fill(project)
    released(project)
    with project.ledger.reading() as connection:
        tested = earlier_tests(connection)["1.0"][0]
    post = Document(id="post", text="x", source="posts", licence="CC0-1.0", meta={"urls": ["https://a.example/story"]})
    linked = {name: Passage(id="post", start=0, end=1) for name in ("doc1", "doc2")}
    add(
        project,
        post,
        candidate(100),
        candidate(101, text1=candidate(100).text2, text2=f"{candidate(100).text1.upper()}!"),
        candidate(102, text2="The boat left the old harbour at dawn.", text1="The boat left the old harbour at noon."),
        candidate(103, text1="Write to anna.berg@mail.example today."),
        candidate(104, licence="CC-BY-NC-4.0"),
        candidate(105, group=tested.group),
        candidate(
            106, text1="Nobody on the quay had noticed anything at all that evening.", text2=tested.text1.upper()
        ),
        candidate(107, text1=tested.text2.replace(".", "s."), text2="It went unseen."),
        candidate(108, **linked),
        candidate(109),
    )
    with project.ledger.writing() as connection:
        insert_batch(connection, "later", [BatchItem("p109")], scheme="turku", asked=1)
    version = grown(project)
    assert ids(version) == ["p100", "p108"]
    expected = {COPY: 1, ALIKE: 1, PRIVATE: 1, FORBIDDEN: 1}
    expected |= {SHARED[kind]: 1 for kind in ("group", "sentence", "near")}
    assert {reason: version.dropped[reason] for reason in expected} == expected
    assert version.dropped[FOR_PEOPLE] == 42  # p00 to p39, the pair of the document, and the one in the batch
    # A test that names the address of the post comes later: what shared it goes, in the next version.
    group = [
        pair(60, text1="See https://www.a.example/story/ now.", group=tested.group),
        judgement("p60", "4"),
    ]
    add(project, *group, candidate(110))
    released(project, version="1.1", date="2026-02-01")
    second = grown(project, "2026-02")
    assert ids(second) == ["p100", "p110"]
    assert (second.came, second.went, second.dropped[SHARED["address"]]) == (1, 1, 1)


def test_a_model_that_learned_from_simulated_annotators_is_called_so(project: Project) -> None:
    add(project, candidate(1))
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.events).values(time=now(), actor=None, action=ACTION, detail={}))
    version = grown(project)
    assert read_facts(version.folder).simulated
    assert "simulated annotators" in (version.folder / "README.md").read_text(encoding="utf-8")
    assert (version.tests, grown(project).tests) == (0, None)


def test_a_version_never_changes(project: Project) -> None:
    add(project, candidate(1), candidate(2))
    first = grown(project)
    before = files_in(first.folder)
    add(project, candidate(3))
    again = grown(project, date="2026-03-01")
    assert (again.again, again.pairs, files_in(first.folder)) == (True, 2, before)
    with raises("version-released"):
        grown(project, near=0.9)
    with raises("version-released"):
        grown(project, model="another identifier")
    with raises("version-not-next"):
        grown(project, "2025-12")
    assert ids(grown(project, "2026-02")) == ["p01", "p02", "p03"]
    assert grown(project).again  # one that is not the last is still there


def test_impossible_options(project: Project) -> None:
    add(project, candidate(1))
    for code, options in {
        "similarity-out-of-range": {"near": 0.2},
        "bleu-out-of-range": {"most_bleu": -1.0},
        "not-a-date": {"date": "soon"},
        "unknown-licence": {"licence": "MINE"},
    }.items():
        with raises(code):
            grown(project, **options)
    with raises("bad-version"):
        grown(project, "../2026")
    assert not (project.folder / "growing").exists()


def test_a_version_without_pairs_is_refused(project: Project) -> None:
    add(project, candidate(1))
    options = GrowOptions("2026-01", "CC-BY-SA-4.0", "test")
    with raises("nothing-grown", match=NOT_IDENTIFIED):
        grow(project, options, lambda pairs: [False] * len(pairs), problems_before_release)
    assert not list(project.folder.glob("growing/*"))


def test_what_does_not_pass_is_not_kept(project: Project) -> None:
    add(project, candidate(1))
    with raises("release-not-sound"):
        grow(project, GrowOptions("2026-01", "CC-BY-SA-4.0", "test"), everything, lambda folder, project: ["a leak"])
    assert not list(project.folder.glob("growing/*"))


def test_a_release_is_no_version(project: Project) -> None:
    fill(project)
    folder = released(project).folder
    (project.folder / "growing").mkdir()
    folder.rename(project.folder / "growing" / "2026-01")
    with raises("not-a-version"):
        grown(project, "2026-02")


def test_what_was_withdrawn_goes(project: Project) -> None:
    add(project, candidate(1), candidate(2))
    first = grown(project)
    add(project, candidate(3))
    second = grown(project, "2026-02")
    with project.holding():
        result = withdraw(project, "p03")
    assert result.releases == ["growing/2026-02"]
    assert first.folder.exists()
    assert not second.folder.exists()
    assert ids(grown(project, "2026-02")) == ["p01", "p02"]


def test_verify_finds_what_the_project_lacks(project: Project, tmp_path: Path) -> None:
    add(project, candidate(1), candidate(2))
    version = grown(project)
    version.folder.rename(tmp_path / "copy")
    with project.holding():
        withdraw(project, "p02")
    problems = verify(tmp_path / "copy", project.folder).problems["project"]
    assert problems == ["pair p02 is not in the project"]
    (tmp_path / "copy").rename(version.folder)
    later = grown(project, "2026-02")
    assert (ids(later), later.dropped) == (["p01"], {GONE: 1})
