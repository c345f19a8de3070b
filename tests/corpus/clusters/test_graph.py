"""Clusters: which texts are connected, by which links, and what is made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.corpus.clusters.clusters import find_clusters, plain, references, save_clusters, seed_pairs
from otherwords.corpus.clusters.graph import PairLink, build_graph
from otherwords.corpus.clusters.links import Link, Linkage, load_links
from otherwords.corpus.corpus import ALL_COUNT, NONE_COUNT
from otherwords.project import Project
from otherwords.records import Judgement, Pair
from otherwords.sources.reading import open_records, write_records
from tests.annotate.reading import put
from tests.errors import raises

Edge = tuple[str, str, bool | None, float]
CHAIN: list[Edge] = [  # two triangles, joined by one weak link
    *(("a", "b", True, 1.0), ("b", "c", True, 0.9), ("a", "c", True, 0.8)),
    *(("c", "d", True, 0.6), ("d", "e", True, 1.0), ("e", "f", True, 1.0), ("d", "f", True, 1.0)),
    *(("g", "h", True, 0.7), ("a", "f", False, 1.0), ("h", "z", False, 1.0), ("y", "z", None, 1.0)),
]


def clusters_of(edges: list[Edge]) -> list[tuple[int, int, float, bool, tuple[int, int], tuple[int, ...]]]:
    graph = build_graph(PairLink(*edge) for edge in edges)
    return [(c.size, c.weakest, c.strength, c.bridge, c.halves, c.contradictions) for c in graph.clusters]


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
def test_clusters(edges: list[Edge], expected: list[object]) -> None:
    assert clusters_of(edges) == expected


@given(edges=st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.booleans(), st.just(1.0))))
def test_the_same_as_by_walking_from_text_to_text(edges: list[Edge]) -> None:
    linked: dict[str, set[str]] = {}
    for text1, text2, positive, _ in edges:
        if positive and text1 != text2:
            linked.setdefault(text1, set()).add(text2)
            linked.setdefault(text2, set()).add(text1)
    sizes, seen = [], set[str]()
    for text in linked:
        reached, waiting = set[str](), [text]
        while waiting:
            if (reachable := waiting.pop()) not in reached:
                reached.add(reachable)
                waiting.extend(linked[reachable])
        if not reached & seen:
            sizes.append(len(reached))
        seen |= reached
    assert [size for size, *_ in clusters_of(edges)] == sorted(sizes, reverse=True)


def corpus(pairs: list[Pair], strengths: dict[str, float] | None = None) -> Linkage:
    def read() -> Iterator[Link]:
        for pair in pairs:
            positive = None if pair.label is None else pair.label == "1"
            yield Link(pair, pair.label, positive, (strengths or {}).get(pair.id, 1.0))

    return Linkage("tweets", read)


def star(name: str, rays: int, label: str = "1") -> list[Pair]:
    """A text with this number of paraphrases."""
    return [
        Pair(id=f"{name}{n}", text1=f"{name} is late", text2=f"{name} is late, they say {n}", label=label, group=name)
        for n in range(rays)
    ]


def test_references_are_direct_links() -> None:
    tram, bus = star("tram", 3), star("bus", 2)
    through = Pair(id="far", text1="tram is late, they say 2", text2="no tram yet", label="1", group="tram")
    against = Pair(id="no", text1="tram is late, they say 0", text2="tram is late", label="0", group="tram")
    result = find_clusters(corpus([*tram, *bus, through], {"tram1": 0.5, "tram2": 0.9}))
    assert dict(references(result.clusters, 3)) == {
        "tram is late": ["tram is late, they say 0", "tram is late, they say 2", "tram is late, they say 1"]
    }
    assert [len(texts) for _, texts in references(result.clusters, 2)] == [3, 2]
    contradicted = find_clusters(corpus([*tram, through, against]))
    assert list(references(contradicted.clusters, 3)) == []
    assert [link.pair for link in contradicted.clusters[0].contradictions] == ["no"]


def test_references_are_written_as_multipit_has_them(tmp_path: Path) -> None:
    path = tmp_path / "references.json"
    assert save_clusters(find_clusters(corpus(star("tram", 9))), str(path), "references", 8) == 1
    assert list(json.loads(path.read_text(encoding="utf-8"))) == ["tram is late"]
    with open_records(path) as again:
        assert [(pair.text1, pair.group) for pair in again.pairs()] == [("tram is late", "tram is late")] * 9
        assert again.format.name == "multipit"


def test_too_few_references_leave_no_file(tmp_path: Path) -> None:
    with raises("too-few-references", match="8 references"):
        save_clusters(find_clusters(corpus(star("tram", 7))), str(tmp_path / "references.json"), "references", 8)
    assert list(tmp_path.iterdir()) == []


def test_two_seeds_with_thirty_of_the_largest_cluster() -> None:
    small = [Pair(id="s", text1="bus, quick", text2="quick bus", label="1", group="tram")]
    pairs = list(seed_pairs(find_clusters(corpus([*small, *star("tram", 40)])).clusters))
    assert [sum(pair.meta["seed"] == seed for pair in pairs) for seed in (1, 2)] == [30, 30]
    assert {pair.text1 for pair in pairs} == {"tram is late", "tram is late, they say 0"}
    assert {pair.group for pair in pairs} == {"tram"}
    texts = [frozenset((pair.text1, pair.text2)) for pair in pairs]
    assert len(set(texts)) == len(texts) == len({pair.id for pair in pairs})


def test_without_groups_there_are_no_seeds(tmp_path: Path) -> None:
    bare = [Pair(id="p", text1="It rains.", text2="Rain again.", label="1")]
    with raises("no-groups"):
        save_clusters(find_clusters(corpus(bare)), str(tmp_path / "seeds.jsonl"), "seeds")


def test_small_clusters_are_only_counted() -> None:
    result = find_clusters(corpus([*star("tram", 3), *star("bus", 1)]), min_size=3)
    assert ([cluster.size for cluster in result.clusters], result.smaller) == ([4], 1)


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [("It's late.", "its LATE", True), ("It is late", "It is late", True), ("late", "later", False)],
)
def test_normalised_texts(text: str, other: str, same: bool) -> None:
    assert (plain(text) == plain(other)) is same
    pairs = [
        Pair(id="p1", text1="a first text", text2=text, label="1"),
        Pair(id="p2", text1=other, text2="a last text", label="1"),
    ]
    assert len(find_clusters(corpus(pairs), normalised=True).clusters) == (1 if same else 2)


def test_a_file_with_votes(tmp_path: Path) -> None:
    rows = [("p1", "1", {"yes": 5, "no": 1}), ("p2", "1", {"yes": 4, "no": 2}), ("p3", "0", {"yes": 1, "no": 5})]
    texts = {"p1": ("a b", "c d"), "p2": ("c d", "e f"), "p3": ("a b", "e f")}
    pairs = [
        Pair(id=name, text1=texts[name][0], text2=texts[name][1], label=label, meta={"votes": votes})
        for name, label, votes in rows
    ]
    write_records(pairs, tmp_path / "votes.jsonl")
    (only,) = find_clusters(load_links(tmp_path / "votes.jsonl")).clusters
    assert (only.weakest, round(only.strength, 3)) == ("p2", 0.667)
    assert [link.pair for link in only.contradictions] == ["p3"]
    with raises("view-of-a-file"):
        load_links(tmp_path / "votes.jsonl", "strict")


def test_a_project_by_its_views(project: Project) -> None:
    texts = [
        ("p1", "a b", "c d", "4"),
        ("p2", "c d", "e f", "3"),
        ("p3", "e f", "g h", "4>"),
        ("p4", "a b", "g h", "2"),
    ]
    put(project, *(Pair(id=name, text1=text1, text2=text2) for name, text1, text2, _ in texts))
    put(
        project,
        *(Judgement(id=f"j{n}", pair=n, annotator="anna", value=label, scheme="turku") for n, *_, label in texts),
    )

    def by_view(view: str | None) -> list[tuple[int, str, float, list[str]]]:
        return [
            (cluster.size, cluster.weakest, cluster.strength, [link.pair for link in cluster.contradictions])
            for cluster in find_clusters(load_links(project.folder, view)).clusters
        ]

    assert by_view(None) == by_view("loose") == [(4, "p2", 0.75, ["p4"])]
    assert by_view("strict") == [(2, "p1", 1.0, [])]
    with raises("no-such-view", match="did you mean strict"):
        load_links(project.folder, "stric")


def test_unlabelled_pairs_count_as_paraphrases_and_candidates_do_not(tmp_path: Path, project: Project) -> None:
    pairs = [Pair(id="p1", text1="a b", text2="c d"), Pair(id="p2", text1="c d", text2="e f")]
    write_records(pairs, tmp_path / "unlabelled.jsonl")
    found = find_clusters(load_links(tmp_path / "unlabelled.jsonl"))
    assert [cluster.size for cluster in found.clusters] == [3]
    assert found.notes == (ALL_COUNT,)
    with_label = [*pairs, Pair(id="p3", text1="g h", text2="i j", label="0")]
    write_records(with_label, tmp_path / "labelled.jsonl")
    found = find_clusters(load_links(tmp_path / "labelled.jsonl"))
    assert (found.clusters, found.notes) == ([], (NONE_COUNT,))
    put(project, *pairs)
    found = find_clusters(load_links(project.folder))
    assert (found.clusters, found.notes) == ([], ())
