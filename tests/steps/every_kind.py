"""A project on which a step of every kind runs, one after the other, each with something to do."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from otherwords.analyse.figures import render
from otherwords.annotate.batches.batch import load_batches
from otherwords.corpus.release.checks import NAMES
from otherwords.models.catalogue import ENCODERS, GENERATORS, TAGGERS, TRANSLATORS
from otherwords.models.edges import Item, Reply, TaggedText, TaggedToken
from otherwords.project import Project, create_project, open_project
from otherwords.project.importing.import_file import import_file
from otherwords.project.pipeline.kind import Step, make_step
from otherwords.records import Judgement, Pair
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.disputed import say, taken
from tests.annotate.reading import put
from tests.conftest import EXAMPLES
from tests.learn.generation.trial import Writer
from tests.steps.candidates.test_localise import Endings, Letters
from tests.steps.candidates.test_translate import FAKES, WordByWord
from tests.steps.test_growing import NOUNS, write_posts

SOURCES = EXAMPLES / "sources"
SENTENCES = SOURCES / "sentences/harbour.txt"
WORD = re.compile(r"\w+|[^\w\s]")


class Digits:
    """A tagger that knows numbers."""

    batch_size, language = 32, "en"

    def __init__(self, what: str) -> None:
        self.name = self.signature = f"digits:{what}"

    def tag(self, items: Sequence[Item]) -> Iterator[Reply[TaggedText]]:
        for item in items:
            found = WORD.finditer(item.text)
            kinds = [(word, "NUM" if word[0].isdigit() else "NOUN") for word in found]
            tokens = [TaggedToken(word.start(), word.end(), word[0].lower(), pos) for word, pos in kinds]
            yield Reply(item.id, TaggedText(tuple(tokens)))

    def close(self) -> None: ...


@contextlib.contextmanager
def stand_ins() -> Iterator[None]:
    """Models that answer at once."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(TRANSLATORS.register("words", WordByWord))
        stack.enter_context(TRANSLATORS.register("endings", Endings))
        stack.enter_context(ENCODERS.register("letters", Letters))
        stack.enter_context(GENERATORS.register("trial", Writer))
        stack.enter_context(TAGGERS.register("digits", Digits))
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(render, "can_draw", lambda: False)  # drawing takes longer than all the rest
        yield


def texts(folder: Path, place: Path) -> None:
    """A new project with texts of all kinds, and pairs that somebody has judged."""
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        numbers = place / "numbers.txt"
        numbers.write_text("".join(f"The ferry {n} carried {n + 7} people and {n * 3} crates.\n" for n in range(1, 30)))
        sources = {"subtitles": "subtitles", "news": "news", "forum": "forum", "groups": "translations"}
        for kind, name in sources.items():
            for path in [SOURCES / name] if kind != "news" else sorted((SOURCES / name).iterdir()):
                import_file(project, kind, path, licence="CC0-1.0")
        import_file(project, "posts", write_posts(place, 1), licence="CC0-1.0")
        import_file(project, "sentences", numbers, licence="CC0-1.0")
        for number in range(40):
            words = {
                "text1": f"The {NOUNS[number % 11]} number {number} is old.",
                "text2": f"It is {number} years old.",
            }
            put(project, Pair(id=f"p{number}", group=f"g{number}", lang="en", licence="CC0-1.0", **words))
            about = {"pair": f"p{number}", "scheme": "turku", "value": "4" if number % 5 else "2"}
            put(project, Judgement(id=f"j{number}", annotator="anna", **about))
        for number in range(3):
            rewrite = {"text1": f"The thing {number} is old.", "text2": f"This is old: {number}.", "method": "rewrite"}
            put(project, Pair(id=f"r{number}", rewrite_of=f"p{number}", lang="en", licence="CC0-1.0", **rewrite))


@dataclass(frozen=True, slots=True)
class Stage:
    """A step, and what happens after it."""

    step: Step
    then: Callable[[Project], object] | None = None


def _people(project: Project) -> None:
    """Two people answer all batches of labels; they seldom disagree."""
    with project.ledger.writing() as connection:
        for batch in (batch for batch in load_batches(connection) if batch.scheme == "turku"):
            for number, name in enumerate(("ben", "cleo")):
                for reservation in taken(connection, batch.id, name).values():
                    say(connection, name, reservation, "2" if reservation.position % 7 == number else "4")


def _raters(project: Project) -> None:
    """Two people rate all outputs."""
    with project.ledger.writing() as connection:
        for name in ("ben", "cleo"):
            for reservation in taken(connection, "outputs", name).values():
                say(connection, name, reservation, {"fluency": "5", "similarity": "4", "diversity": "2"})


def stages() -> list[Stage]:
    """A step of every kind, in an order in which each finds what it needs."""

    def step(does: str, **parameters: Any) -> Step:
        return make_step(STEP_KINDS.get(does), does, **parameters)

    mine = step("mine", encoder="tfidf")
    inputs = {"inputs": {"pairs": mine}}
    sample = replace(step("mine-sample", per_stratum=6), **inputs)
    harvest = replace(step("harvest", region="similarity < 0.6"), **inputs)
    backs = {"systems": ["endings:en-es"], "backs": ["endings:es-en"]}
    classifier = step("train-classifier", model="majority")
    grown = {"model": "majority", "bleu": 100.0, "version": "2026-01", "licence": "CC0-1.0", "date": "2026-01-31"}
    return [
        Stage(step("import", kind="sentences", paths=[str(SENTENCES)], licence="CC0-1.0")),
        Stage(step("need", sources=["sentences"])),
        *(Stage(step(f"align-{method}")) for method in ("subtitles", "news", "headings", "forum", "groups")),
        Stage(make_step(STEP_KINDS.get("align-posts"), "posts")),
        Stage(step("acquire-translate", **FAKES, per_range=5)),
        Stage(step("acquire-swap", kinds=("numbers",), tagger="digits:x")),
        Stage(step("acquire-localise", **backs)),
        Stage(step("acquire-posts")),
        Stage(step("acquire-near", low=0.2, most=12)),
        Stage(step("acquire-random", most=10)),
        Stage(step("generate", systems=["trial:seed=1"])),
        Stage(step("filter")),
        Stage(make_step(STEP_KINDS.get("sample"), "balanced", per_bin=2)),
        Stage(make_step(STEP_KINDS.get("check-machine"), "machine", size=4)),
        Stage(mine),
        Stage(sample),
        Stage(step("batch", filter={"method": "random"}, asked=2)),
        Stage(make_step(STEP_KINDS.get("check-rewrites"), "rewrites"), _people),
        Stage(step("people", task="judge", batches=["mine-sample", "batch"])),
        Stage(harvest),
        Stage(step("keep-agreed", batches=["batch"])),
        Stage(step("label")),
        Stage(step("references", fewest=1)),
        Stage(make_step(STEP_KINDS.get("cluster-sample"), "clusters")),
        Stage(step("fill-ranges", low=0.1)),
        Stage(step("split")),
        Stage(step("denoise", model="majority", rule="filter", folds=2)),
        Stage(step("write-outputs", systems=["trial:seed=1"])),
        Stage(step("evaluate-generation", metrics=["copies"], resamples=10)),
        Stage(step("outputs"), _raters),
        Stage(step("evaluate-ratings", batches=["outputs"], metrics=[], resamples=10)),
        Stage(step("mine-rank", encoders=("tfidf",))),
        Stage(classifier),
        Stage(step("report")),
        Stage(step("release", licence="CC0-1.0", date="2026-01-31", anyway=NAMES)),
        Stage(step("grow", **grown)),
    ]
