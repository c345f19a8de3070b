"""Alternative subtitles (K1): which versions, which segments, which episodes, and why not the others."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from otherwords.align.candidates import draw
from otherwords.align.subtitles import (
    NO_SEGMENT,
    NO_SEGMENT_LEFT,
    YIELD_TOO_LOW,
    SubtitleAlignment,
    SubtitleOptions,
    first_round,
    second_round,
)
from otherwords.align.versions import ALONE, NO_GROUP, NOT_THE_MOST_DISTANT, documents_by_id, version_pairs
from otherwords.measures import measure
from otherwords.records import Document
from tests.align.script import utterances, version
from tests.errors import raises

BAND = SubtitleOptions(low=0.2, high=0.98, seed=5)


def film(
    group: str, seed: int, other_words: list[float], series: str | None = None, count: int = 450
) -> list[Document]:
    """The versions of a film: each with more other words than the one before."""
    spoken = utterances(count, seed)
    documents = []
    for number, share in enumerate(other_words):
        subtitles = version(
            spoken, 100 + number, width=40 - 5 * number, other_words=share, jitter=80, offset=1_000 * number
        )
        meta = {"cues": subtitles.cues, "version": str(number)} | ({"series": series} if series else {})
        documents.append(
            Document(id=f"{group}-{number}", text=subtitles.text, source="subtitles", group=group, meta=meta)
        )
    return documents


SHORE = film("shore", 1, [0.0, 0.5, 1.0])
HILL = film("hill", 2, [0.0, 0.6])
LONE = film("lone", 3, [0.0], count=40)
ALL = [*SHORE, *HILL, *LONE]


@pytest.fixture(scope="module")
def aligned() -> SubtitleAlignment:
    return first_round(ALL, BAND)


def test_every_document_is_in_the_table_and_decided(aligned: SubtitleAlignment) -> None:
    stray = Document(id="stray", text="Nobody knows where this is from.")
    table = version_pairs(documents_by_id([*ALL, stray]), 0.2, 0.98)
    assert {doc for row in table for doc in (row.doc1, row.doc2) if doc} == {d.id for d in ALL} | {"stray"}
    assert Counter((row.decision, row.reason) for row in table) == {
        ("dropped", NO_GROUP): 1,
        ("dropped", ALONE): 1,
        ("dropped", NOT_THE_MOST_DISTANT): 2,
        ("kept", None): 2,
    }
    assert all((row.similarity is None) == (row.doc2 is None) for row in table)


def test_similarity_is_fitted_to_the_whole_collection(aligned: SubtitleAlignment) -> None:
    tfidf = measure("char-cosine-tfidf")
    tfidf.fit([[document.text for document in ALL]])
    [row] = [row for row in aligned.candidates if row.group == "hill"]
    assert row.similarity == pytest.approx(float(tfidf.scores([HILL[0].text], [HILL[1].text])[0]))


def test_the_most_distant_pair_within_the_band_is_kept() -> None:
    rows = {(r.doc1, r.doc2): r for r in version_pairs(documents_by_id(SHORE), 0.0, 1.0)}
    far = rows["shore-0", "shore-2"].similarity
    assert far is not None
    assert [key for key, row in rows.items() if row.decision == "kept"] == [("shore-0", "shore-2")]
    near = version_pairs(documents_by_id(SHORE), far + 1e-6, 1.0)
    dropped = {(r.doc1, r.doc2): r.reason for r in near if r.decision == "dropped"}
    assert dropped["shore-0", "shore-2"] == f"similarity below {far + 1e-6:g}"
    assert sum(r.decision == "kept" for r in near) == 1


def test_versions_that_are_the_same_are_too_similar() -> None:
    twins = [Document(id=name, text=HILL[0].text, group="hill") for name in ("a", "b")]
    [row] = version_pairs(documents_by_id([*twins, *LONE]), 0.2, 0.98)[:1]
    assert (row.decision, row.reason) == ("dropped", "similarity above 0.98")


def test_pairs_are_segments_of_both_versions(aligned: SubtitleAlignment) -> None:
    assert [(pair.group, pair.doc1, pair.doc2, pair.round) for pair in aligned.pairs] == [
        ("hill", "hill-0", "hill-1", 1),
        ("shore", "shore-0", "shore-2", 1),
    ]
    texts = {document.id: document.text for document in ALL}
    for pair in aligned.pairs:
        assert pair.part is not None
        assert pair.method == "subtitles"
        assert pair.meta["alignment"]["method"] == "time"
        lines1 = texts[pair.doc1][pair.part.start1 : pair.part.end1].split("\n")
        lines2 = texts[pair.doc2][pair.part.start2 : pair.part.end2].split("\n")
        assert lines1 == texts[pair.doc1].split("\n")[pair.meta["first_lines"][0] :][: len(lines1)]
        assert lines2 == texts[pair.doc2].split("\n")[pair.meta["first_lines"][1] :][: len(lines2)]
        # Names and numbers have no other wording: lines that are paired share them far more often than not.
        shared = [set(lines1[i].split()) & set(lines2[j].split()) for i, j in pair.meta["lines"]]
        assert sum(map(bool, shared)) > 0.6 * len(shared)
        assert {i for i, _ in pair.meta["lines"]} >= set(range(2, len(lines1) - 2))


def test_the_same_seed_gives_the_same_whatever_the_order(aligned: SubtitleAlignment) -> None:
    assert list(documents_by_id(reversed(ALL))) == sorted(document.id for document in ALL)
    shuffled = random.Random(1).sample(ALL, len(ALL))
    again = first_round(iter([*shuffled, *shuffled]), BAND)
    assert (again.pairs, again.candidates) == (aligned.pairs, aligned.candidates)


def test_another_film_does_not_change_the_draw(aligned: SubtitleAlignment) -> None:
    more = first_round([*ALL, *film("moor", 8, [0.0, 0.5], count=60)], BAND)
    assert {pair.id for pair in aligned.pairs} < {pair.id for pair in more.pairs}


def test_two_segments_contain_the_one_and_seeds_differ() -> None:
    single = {pair.id for pair in first_round(HILL, BAND).pairs}
    both = first_round(HILL, SubtitleOptions(low=0.2, high=0.98, seed=5, segments=2)).pairs
    assert len(both) == 2
    assert single < {pair.id for pair in both}
    drawn = {
        first_round(HILL, SubtitleOptions(low=0.2, high=0.98, seed=seed)).pairs[0].meta["segment"] for seed in range(9)
    }
    assert len(drawn) > 1


def test_the_episodes_of_a_series_are_limited() -> None:
    episodes = [d for n in range(6) for d in film(f"tide {n}", 40 + n, [0.0, 0.5], series="tide", count=40)]
    options = SubtitleOptions(low=0.2, high=0.98, episodes=4, seed=1)
    alignment = first_round([*episodes, *HILL], options)
    assert Counter(pair.group == "hill" for pair in alignment.pairs) == {False: 4, True: 1}
    reasons = Counter(row.reason for row in alignment.candidates)
    assert reasons == {None: 5, "the series has its 4 episodes": 2}
    others = first_round([*episodes, *HILL], SubtitleOptions(low=0.2, high=0.98, episodes=4, seed=2))
    assert {pair.group for pair in alignment.pairs} != {pair.group for pair in others.pairs}


def test_without_time_stamps_lines_go_by_content() -> None:
    bare = [Document(id=d.id, text=d.text, group=d.group) for d in HILL]
    [pair] = first_round(bare, BAND).pairs
    assert pair.meta["alignment"] == {"method": "content"}
    assert len(pair.meta["lines"]) > 100


def test_versions_without_words_are_listed() -> None:
    silent = [Document(id=name, text="\n\n", group="silent") for name in ("a", "b")]
    [row] = first_round(silent, SubtitleOptions(low=0.0, high=1.0)).candidates
    assert (row.decision, row.reason) == ("dropped", NO_SEGMENT)


def test_the_second_round_goes_by_yield_and_takes_what_was_not_used(aligned: SubtitleAlignment) -> None:
    hill, shore = aligned.pairs
    alignment = second_round(ALL, BAND, aligned.pairs, {hill.id: 3, shore.id: 11})
    assert [pair.group for pair in alignment.pairs] == ["shore", "hill"]
    assert all(pair.round == 2 for pair in alignment.pairs)
    assert not {pair.id for pair in alignment.pairs} & {hill.id, shore.id}
    assert alignment.pairs[0].similarity == shore.similarity
    limited = second_round(ALL, BAND, aligned.pairs, {hill.id: 3}, most=1)
    assert [(pair.group) for pair in limited.pairs] == ["hill"]
    assert [(row.group, row.reason) for row in limited.candidates] == [("hill", None), ("shore", YIELD_TOO_LOW)]


def test_the_second_round_says_when_nothing_is_left() -> None:
    short = film("pond", 6, [0.0, 0.5], count=40)
    first = first_round(short, BAND)
    second = second_round(short, BAND, first.pairs, {first.pairs[0].id: 4})
    assert second.pairs == []
    assert [row.reason for row in second.candidates] == [NO_SEGMENT_LEFT]


def test_the_second_round_needs_the_documents_of_the_first(aligned: SubtitleAlignment) -> None:
    with raises("no-such-document", match="hill-0"):
        second_round(SHORE, BAND, aligned.pairs[:1], {})


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.4), (-0.1, 0.5), (0.2, 1.1)])
def test_an_impossible_band(low: float, high: float) -> None:
    with raises("impossible-band"):
        first_round(ALL, SubtitleOptions(low=low, high=high))


@pytest.mark.parametrize("wrong", [{"segments": 0}, {"episodes": 0}, {"minutes": 0}])
def test_options_that_are_not_possible(wrong: dict[str, int]) -> None:
    with raises("wrong-limit"):
        SubtitleOptions(low=0.1, high=0.9, **wrong)


def test_draws_are_even_and_nested() -> None:
    counts = Counter(draw(range(4), 1, 0, "film", n)[0] for n in range(4_000))
    assert all(900 < count < 1_100 for count in counts.values())
    assert draw("abcdef", 3, 1)[:2] == draw("fedcba", 2, 1)


def renamed(documents: list[Document], *groups: str, series: list[str] | None = None) -> list[Document]:
    """The same versions, each under its own spelling of the title, and of the series."""
    spellings = series or [""] * len(groups)
    return [
        msgspec.structs.replace(document, group=group, meta=document.meta | ({"series": name} if name else {}))
        for document, group, name in zip(documents, groups, spellings, strict=True)
    ]


def test_titles_that_differ_only_in_case_or_blanks_are_one_film() -> None:
    versions = renamed(SHORE, "The Shore (1994)", "the  shore (1994)", "The Shore (1994)")
    aligned = first_round(versions, BAND)
    assert {row.group for row in aligned.candidates} == {"The Shore (1994)"}
    assert [row.reason for row in aligned.candidates].count(ALONE) == 0
    assert [row.decision for row in aligned.candidates].count("kept") == 1
    assert {pair.group for pair in aligned.pairs} == {"The Shore (1994)"}


def test_composed_and_decomposed_letters_are_one_film() -> None:
    versions = renamed(HILL, "Cafe\u0301 Noir", "CAFÉ NOIR")
    assert [row.decision for row in version_pairs(documents_by_id(versions), 0.0, 1.0)] == ["kept"]


def test_other_titles_stay_apart() -> None:
    versions = renamed(HILL, "Hill 1", "Hill 2")
    assert [row.reason for row in version_pairs(documents_by_id(versions), 0.0, 1.0)] == [ALONE, ALONE]


def test_a_series_in_two_spellings_has_its_episodes_counted_together() -> None:
    episodes = [
        document
        for number in range(4)
        for name in [("Harbour Street", "HARBOUR STREET")[number % 2]]
        for document in renamed(
            film(f"e{number}", 20 + number, [0.0, 0.6], count=60),
            *[f"{name} S01E0{number}"] * 2,
            series=[name] * 2,
        )
    ]
    options = SubtitleOptions(low=0.0, high=1.0, episodes=2, minutes=1.0)
    kept = [row for row in first_round(episodes, options).candidates if row.decision == "kept"]
    assert len(kept) == 2
