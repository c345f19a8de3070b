"""Clusters: what belongs together, by which links, and what is made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.corpus.clusters import Linked, clustered
from otherwords.corpus.clusters_reading import Link, Linkage, linkage
from otherwords.corpus.clusters_told import clusters, plain, references, seed_pairs
from otherwords.corpus.clusters_writing import save
from otherwords.errors import DataError, UsageError
from otherwords.project import Project
from otherwords.records import Judgement, Pair
from otherwords.sources.reading import reading, write
from tests.annotate.reading import put

Edge = tuple[str, str, bool | None, float]
CHAIN: list[Edge] = [  # two triangles, joined by one weak link
    *(("a", "b", True, 1.0), ("b", "c", True, 0.9), ("a", "c", True, 0.8)),
    *(("c", "d", True, 0.6), ("d", "e", True, 1.0), ("e", "f", True, 1.0), ("d", "f", True, 1.0)),
    *(("g", "h", True, 0.7), ("a", "f", False, 1.0), ("h", "z", False, 1.0), ("y", "z", None, 1.0)),
]


def found(edges: list[Edge]) -> list[tuple[int, int, float, bool, tuple[int, int], tuple[int, ...]]]:
    told = clustered(Linked(*edge) for edge in edges)
    return [(c.size, c.weakest, c.strength, c.bridge, c.halves, c.contradictions) for c in told.clusters]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (CHAIN, [(6, 3, 0.6, True, (3, 3), (8,)), (2, 7, 0.7, True, (1, 1), ())]),
        ([*CHAIN, ("b", "e", True, 0.5)], [(6, 3, 0.6, False, (3, 3), (8,)), (2, 7, 0.7, True, (1, 1), ())]),
        ([("a", "b", True, 0.9), ("b", "c", True, 0.4), ("a", "c", True, 0.8)], [(3, 2, 0.8, False, (2, 1), ())]),
        ([("a", "a", True, 1.0), ("a", "b", False, 1.0)], []),
        ([("a", "b", True, 1.0), ("b", "a", False, 1.0)], [(2, 0, 1.0, True, (1, 1), (1,))]),
        ([], []),
    ],
)
def test_what_belongs_together(edges: list[Edge], expected: list[object]) -> None:
    assert found(edges) == expected


@given(edges=st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.booleans(), st.just(1.0))))
def test_the_same_as_by_walking_from_text_to_text(edges: list[Edge]) -> None:
    linked: dict[str, set[str]] = {}
    for one, other, positive, _ in edges:
        if positive and one != other:
            linked.setdefault(one, set()).add(other)
            linked.setdefault(other, set()).add(one)
    sizes, seen = [], set[str]()
    for text in linked:
        reached, waiting = set[str](), [text]
        while waiting:
            if (one := waiting.pop()) not in reached:
                reached.add(one)
                waiting.extend(linked[one])
        if not reached & seen:
            sizes.append(len(reached))
        seen |= reached
    assert [told[0] for told in found(edges)] == sorted(sizes, reverse=True)


def corpus(pairs: list[Pair], strengths: dict[str, float] | None = None) -> Linkage:
    def read() -> Iterator[Link]:
        for one in pairs:
            positive = None if one.label is None else one.label == "1"
            yield Link(one, one.label, positive, (strengths or {}).get(one.id, 1.0))

    return Linkage("tweets", read)


def star(name: str, rays: int, label: str = "1") -> list[Pair]:
    """A text with so many paraphrases."""
    return [
        Pair(id=f"{name}{n}", text1=f"{name} is late", text2=f"{name} is late, they say {n}", label=label, group=name)
        for n in range(rays)
    ]


def test_references_are_those_linked_directly() -> None:
    tram, bus = star("tram", 3), star("bus", 2)
    through = Pair(id="far", text1="tram is late, they say 2", text2="no tram yet", label="1", group="tram")
    against = Pair(id="no", text1="tram is late, they say 0", text2="tram is late", label="0", group="tram")
    told = clusters(corpus([*tram, *bus, through], {"tram1": 0.5, "tram2": 0.9}))
    assert dict(references(told.clusters, 3)) == {
        "tram is late": ["tram is late, they say 0", "tram is late, they say 2", "tram is late, they say 1"]
    }
    assert [len(texts) for _, texts in references(told.clusters, 2)] == [3, 2]
    contradicted = clusters(corpus([*tram, through, against]))
    assert list(references(contradicted.clusters, 3)) == []
    assert [link.pair for link in contradicted.clusters[0].contradictions] == ["no"]


def test_references_are_written_as_multipit_has_them(tmp_path: Path) -> None:
    told = clusters(corpus(star("tram", 9)))
    path = tmp_path / "references.json"
    assert save(told, str(path), "references", 8) == 1
    assert list(json.loads(path.read_text(encoding="utf-8"))) == ["tram is late"]
    with reading(path) as again:
        assert [(pair.text1, pair.group) for pair in again.pairs()] == [("tram is late", "tram is late")] * 9
        assert again.format.name == "multipit"


def test_too_few_references_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no text has 8 references; ask for fewer"):
        save(clusters(corpus(star("tram", 7))), str(tmp_path / "references.json"), "references", 8)
    assert list(tmp_path.iterdir()) == []


def test_two_seeds_with_thirty_of_the_largest_cluster() -> None:
    small = [Pair(id="s", text1="bus, quick", text2="quick bus", label="1", group="tram")]
    pairs = list(seed_pairs(clusters(corpus([*small, *star("tram", 40)])).clusters))
    assert [sum(pair.meta["seed"] == seed for pair in pairs) for seed in (1, 2)] == [30, 30]
    assert {pair.text1 for pair in pairs} == {"tram is late", "tram is late, they say 0"}
    assert {pair.group for pair in pairs} == {"tram"}
    texts = [frozenset((pair.text1, pair.text2)) for pair in pairs]
    assert len(set(texts)) == len(texts) == len({pair.id for pair in pairs})


def test_without_groups_there_are_no_seeds(tmp_path: Path) -> None:
    bare = [Pair(id="p", text1="It rains.", text2="Rain again.", label="1")]
    with pytest.raises(DataError, match="no positive pair has a group"):
        save(clusters(corpus(bare)), str(tmp_path / "seeds.jsonl"), "seeds")


def test_small_ones_are_counted_only() -> None:
    told = clusters(corpus([*star("tram", 3), *star("bus", 1)]), min_size=3)
    assert ([one.size for one in told.clusters], told.smaller) == ([4], 1)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("It's late.", "its LATE", True), ("It is late", "It is late", True), ("late", "later", False)],
)
def test_normalised_texts(one: str, other: str, same: bool) -> None:
    assert (plain(one) == plain(other)) is same
    pairs = [
        Pair(id="p1", text1="a first text", text2=one, label="1"),
        Pair(id="p2", text1=other, text2="a last text", label="1"),
    ]
    assert len(clusters(corpus(pairs), normalised=True).clusters) == (1 if same else 2)


def test_a_file_with_votes(tmp_path: Path) -> None:
    rows = [("p1", "1", {"yes": 5, "no": 1}), ("p2", "1", {"yes": 4, "no": 2}), ("p3", "0", {"yes": 1, "no": 5})]
    texts = {"p1": ("a b", "c d"), "p2": ("c d", "e f"), "p3": ("a b", "e f")}
    pairs = [
        Pair(id=name, text1=texts[name][0], text2=texts[name][1], label=label, meta={"votes": votes})
        for name, label, votes in rows
    ]
    write(pairs, tmp_path / "votes.jsonl")
    (only,) = clusters(linkage(tmp_path / "votes.jsonl")).clusters
    assert (only.weakest, round(only.strength, 3)) == ("p2", 0.667)
    assert [link.pair for link in only.contradictions] == ["p3"]
    with pytest.raises(UsageError, match="views are of a project's scheme"):
        linkage(tmp_path / "votes.jsonl", "strict")


def test_a_project_under_its_views(project: Project) -> None:
    texts = [
        ("p1", "a b", "c d", "4"),
        ("p2", "c d", "e f", "3"),
        ("p3", "e f", "g h", "4>"),
        ("p4", "a b", "g h", "2"),
    ]
    put(project, *(Pair(id=name, text1=one, text2=other) for name, one, other, _ in texts))
    put(
        project,
        *(Judgement(id=f"j{n}", pair=n, annotator="anna", value=label, scheme="turku") for n, *_, label in texts),
    )

    def told(view: str | None) -> list[tuple[int, str, float, list[str]]]:
        every = clusters(linkage(project.folder, view)).clusters
        return [(one.size, one.weakest, one.strength, [link.pair for link in one.contradictions]) for one in every]

    assert told(None) == told("loose") == [(4, "p2", 0.75, ["p4"])]
    assert told("strict") == [(2, "p1", 1.0, [])]
    with pytest.raises(UsageError, match="no view 'stric'; did you mean strict?"):
        linkage(project.folder, "stric")
