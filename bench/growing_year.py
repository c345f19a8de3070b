"""A year of new groups, simulated: pairs of invented words, some of which have something in common with a test.

Every fourth month people judge pairs and a corpus is released, with a test of its own. Each month some candidates are
copies of a test, nearly copies, or of its group or address. ``run`` makes a version a month and prints how long that
takes, how large the version is, and which share of its stored chunks the version before did not have.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import insert

from bench.stored_chunks import new_chunks
from otherwords.corpus.growing.grow import GrowOptions, grow
from otherwords.corpus.growing.select import SHARED
from otherwords.corpus.release.build import release
from otherwords.corpus.release.earlier_tests import earlier_tests
from otherwords.corpus.release.metadata_files import front_matter
from otherwords.corpus.release.model import ReleaseModel
from otherwords.corpus.release.options import ReleaseOptions
from otherwords.corpus.verify.verify import problems_before_release, verify
from otherwords.project import Project, create_project, open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair

PAIRS_PER_GROUP = 5
RELEASE_EVERY = 4  # months
SHARE_PLANTED = 0.1
LICENCE = "CC-BY-SA-4.0"


@dataclass(frozen=True, slots=True)
class YearOptions:
    """How much comes each month."""

    candidates: int = 60
    judged: int = 40  # in a month with a release
    seed: int = 0


class SimulatedYear:
    """Makes the pairs of each month; ids say where they are from: the month, then ``p``, ``j`` or ``x`` for planted."""

    def __init__(self, options: YearOptions) -> None:
        self._options, self._chance = options, random.Random(options.seed)
        syllables = [first + second for first in "bdfgklmnprstvz" for second in "aeiouy"]
        self._words = ["".join(self._chance.choices(syllables, k=3)) for _ in range(5000)]

    def judged(self, month: int) -> Iterator[Pair]:
        """Pairs that people judge in a month."""
        for number in range(self._options.judged):
            yield self._pair(f"{month:02}-j{number:06}", f"trend-{month:02}-j{number // PAIRS_PER_GROUP}")

    def candidates(self, month: int, tests: Sequence[Pair]) -> Iterator[Pair]:
        """Pairs that nobody judges, some of them planted."""
        for number in range(self._options.candidates):
            if tests and self._chance.random() < SHARE_PLANTED:
                yield self._planted(f"{month:02}-x{number:06}", self._chance.choice(tests), number)
            else:
                yield self._pair(f"{month:02}-p{number:06}", f"trend-{month:02}-p{number // PAIRS_PER_GROUP}")

    def _sentence(self, shared: Sequence[str] = ()) -> list[str]:
        words = [*shared, *self._chance.choices(self._words, k=9)]
        self._chance.shuffle(words)
        return words

    def _pair(self, id: str, group: str) -> Pair:
        first = self._sentence()
        second = self._sentence(first[:2])
        address = f" https://news.example/{group}" if self._chance.random() < 0.1 else ""
        text1, text2 = " ".join(first).capitalize() + "." + address, " ".join(second).capitalize() + "."
        return Pair(id=id, text1=text1, text2=text2, lang="en", source="posts", group=group, licence=LICENCE)

    def _planted(self, id: str, test: Pair, number: int) -> Pair:
        """A pair that a test must not meet in training: by its group, its address, a sentence, or nearly that."""
        new = self._pair(id, f"trend-{id}")
        words = test.text2.rstrip(".").split()
        nearly = " ".join([*words[:-1], f"{words[-1]}s"])
        fields = [
            {"group": test.group},
            {"text1": f"{new.text1} http://www.news.example/{test.group}/?utm_source=post"},
            {"text2": f"«{test.text1.upper()}»"},
            {"text1": f"{nearly}!"},
        ][number % 4]
        return Pair(**{name: getattr(new, name) for name in new.__struct_fields__} | fields)


def add_pairs(project: Project, pairs: Sequence[Pair]) -> None:
    """Put pairs into the ledger."""
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(pair) for pair in pairs])


def judge(project: Project, pairs: Sequence[Pair]) -> None:
    """Somebody judges pairs, of which three quarters are paraphrases."""
    rows = [
        row_of(
            Judgement(
                id=f"{pair.id}:anna", pair=pair.id, annotator="anna", scheme="turku", value="4" if number % 4 else "2"
            )
        )
        for number, pair in enumerate(pairs)
    ]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.judgements), rows)


def identify(pairs: Sequence[Pair]) -> list[bool]:
    """A model that takes nine pairs of ten."""
    return [not pair.id.endswith("7") for pair in pairs]


def _readme(built: ReleaseModel) -> dict[str, bytes]:
    return {"README.md": f"{front_matter(built)}\n# {built.name}\n".encode()}


def run() -> bool:
    """A year of versions; the target is that each one passes ``verify`` against all tests in the end."""
    candidates = int(os.environ.get("CANDIDATES", "20000"))
    simulated, tests, folders = SimulatedYear(YearOptions(candidates, candidates // 20)), list[Pair](), list[Path]()
    with tempfile.TemporaryDirectory() as temporary:
        corpus = Path(temporary) / "corpus"
        create_project(corpus, "en", "turku")
        with open_project(corpus) as project:
            print("| version | tests | shared with a test | came | pairs | seconds | MB | new chunks |")
            print("|---|---:|---:|---:|---:|---:|---:|---:|")
            for month in range(1, 13):
                if month % RELEASE_EVERY == 1:
                    judged = list(simulated.judged(month))
                    add_pairs(project, judged)
                    judge(project, judged)
                    options = ReleaseOptions(f"1.{month}", LICENCE, parts="60/10/30", date=f"2026-{month:02}-01")
                    release(project, options, _readme, problems_before_release)
                    with project.ledger.reading() as connection:
                        tests = [pair for pairs in earlier_tests(connection).values() for pair in pairs]
                add_pairs(project, list(simulated.candidates(month, tests)))
                start = time.perf_counter()
                version = f"2026-{month:02}"
                grown = grow(project, GrowOptions(version, LICENCE, "simulated"), identify, problems_before_release)
                seconds = time.perf_counter() - start
                shared = sum(grown.dropped.get(reason, 0) for reason in SHARED.values())
                size = sum(file.stat().st_size for file in grown.folder.rglob("*.parquet")) / 2**20
                new, all_chunks = new_chunks(folders[-1], grown.folder) if folders else (1, 1)
                folders.append(grown.folder)
                print(
                    f"| {version} | {len(tests):,} | {shared:,} | {grown.came:,} | {grown.pairs:,} | {seconds:.1f} "
                    f"| {size:.1f} | {new / all_chunks:.0%} |",
                    flush=True,
                )
        result = verify(folders[-1], corpus)
        print(f"the last version against all tests: {'sound' if result.sound else result.problems}")
        return result.sound
