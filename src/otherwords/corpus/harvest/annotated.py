"""The annotated sample of a pool: which pairs were drawn, and what people made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.corpus.splits.files import is_project
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.digests import digest_number
from otherwords.errors import DataError
from otherwords.mining.harvest.strata import StratumNote, stratum_note
from otherwords.project.project import Project, open_project
from otherwords.records import Pair
from otherwords.text.normalise import plain

TEST = "test"
UNJUDGED = "pairs of the sample without a label"
NO_SIDE = "pairs of the sample whose label does not say whether they are paraphrases"


@dataclass(frozen=True, slots=True)
class SamplePair:
    """A drawn pair, and whether people say that it is a paraphrase; None if they do not say."""

    pair: Pair
    note: StratumNote
    positive: bool | None


@dataclass(frozen=True)
class AnnotatedSample:
    """All drawn pairs of one pool, and the digests of sentences that must not be harvested."""

    place: Path
    by: str
    pool: str
    lang: str | None
    pairs: list[SamplePair]
    test_sentences: frozenset[int] = frozenset()
    simulated: bool = False
    unused: Counter[str] = field(default_factory=Counter)

    @property
    def annotated(self) -> list[SamplePair]:
        """The pairs that people put on a side."""
        return [drawn for drawn in self.pairs if drawn.positive is not None]


def read_sample(path: str | Path, *, simulated: bool = False, pool: str | None = None) -> AnnotatedSample:
    """The sample in a project or a file; of several, that of ``pool``, or else the one that was drawn last."""
    if is_project(path):
        with open_project(path) as project:
            return project_sample(project, simulated=simulated, pool=pool)
    corpus = open_corpus(path)
    drawn = [(pair, corpus.positive(pair)) for pair in corpus.pairs()]
    return _sample(Path(path), drawn, frozenset(), corpus.lang, corpus.simulated, pool)


def project_sample(project: Project, *, simulated: bool = False, pool: str | None = None) -> AnnotatedSample:
    """The sample in an open project, with the sentences of its test part."""
    drawn: list[tuple[Pair, bool | None]] = []
    tests: set[int] = set()
    labels = labels_table(project, simulated=simulated)
    if labels.summary["states"].get("labelled"):  # without labels there are no parts
        parts = read_parts(parts_table(project, simulated=simulated))
        for row, place in zip(read_table(labels), parts, strict=True):
            if place.part == TEST:
                tests.update(sentence_digests(row))
    for row in read_table(labels):
        if stratum_note(row.meta) is not None:
            drawn.append((row, row.positive if row.state == "labelled" else None))
    return _sample(project.folder, drawn, frozenset(tests), project.config.lang, simulated, pool)


def sentence_digests(pair: Pair) -> Iterator[int]:
    """Both sentences of a pair, apart from case and punctuation."""
    return (digest_number(plain(text)) for text in (pair.text1, pair.text2))


def _sample(
    place: Path,
    pairs: list[tuple[Pair, bool | None]],
    tests: frozenset[int],
    lang: str | None,
    simulated: bool,
    pool: str | None,
) -> AnnotatedSample:
    noted = [
        SamplePair(pair, note, positive) for pair, positive in pairs if (note := stratum_note(pair.meta)) is not None
    ]
    if not noted:
        message = "has no sample of a pool; draw one with otherwords mine sample DIR --into PROJECT --batch NAME"
        raise DataError(message, place, code="no-sample")
    wanted = pool or noted[-1].note.pool
    own = [drawn for drawn in noted if drawn.note.pool == wanted]
    if not own:
        raise_other_pool(place)
    unused = Counter(UNJUDGED if drawn.pair.label is None else NO_SIDE for drawn in own if drawn.positive is None)
    return AnnotatedSample(place, own[0].note.by, wanted, lang, own, tests, simulated, unused)


def raise_other_pool(place: Path) -> None:
    """Refuse a sample that was drawn from other pairs."""
    message = "its sample was drawn from other pairs than these; name the run that it was drawn from, or draw a new one"
    raise DataError(message, place, code="sample-of-another-run")
