"""What a card is written from: a release, the labels of all its pairs, and measures on a sample of them.

A mean over a hundred thousand pairs says the same as one over a million, in a tenth of the time and without holding
them in memory. Whether a pair is in the sample depends only on the seed and the id of the pair. A release below that
size is measured in full; above it, the signature of every figure names the size of the sample and the seed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import msgspec

from otherwords.analyse.agreement.finding import release_agreement
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Finding, Table
from otherwords.analyse.findings.answers import AnswerContext, release_answers
from otherwords.analyse.findings.examples import BITS, seeded_digest
from otherwords.analyse.findings.label_shares import LabelShares
from otherwords.analyse.findings.lengths import Lengths
from otherwords.analyse.findings.similarity_by_label import SimilarityByLabel
from otherwords.analyse.findings.type_shares import types_finding
from otherwords.analyse.judgement_tables import JudgementFilter
from otherwords.analyse.pair_batch import PairBatch, pair_batches
from otherwords.analyse.report.making import LabelOrigin, label_origins
from otherwords.analyse.report.methods import table_of
from otherwords.analyse.types.annotations import release_annotations
from otherwords.corpus.corpus import Corpus
from otherwords.corpus.release.model import ReleaseModel
from otherwords.errors import DataError
from otherwords.sources.reading import JUDGEMENTS_FILE
from otherwords.text.languages import language_name

MOST_PAIRS = 100_000
MOST_JUDGEMENTS = 200_000
LINES_AT_A_TIME = 10_000


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A release and the findings about it."""

    release: ReleaseModel
    findings: Sequence[Finding]
    origins: Counter[LabelOrigin] = field(default_factory=Counter)  # pairs by what made their label

    @property
    def language(self) -> str:
        """The English name of the language."""
        return language_name(self.release.lang)

    @property
    def labels(self) -> Counter[str]:
        """The number of pairs by label, over all parts."""
        return sum((Counter(labels) for labels in self.release.counts.values()), Counter[str]())

    def table(self, finding: str, table: str) -> Table | None:
        """A table by the name of its finding and its own."""
        return table_of(self.findings, finding, table)


def card_facts(release: ReleaseModel, options: AnalysisOptions) -> CardFacts:
    """Analyse a release whose data files are written."""
    types = release_annotations(release.folder, simulated=release.simulated)
    origins: Counter[LabelOrigin] = Counter()
    findings = [
        *_pair_findings(release.corpus, release.pairs, options, origins),
        types_finding(release.name, types) if types.annotations else None,
        *_judgement_findings(release, options),
    ]
    return CardFacts(release, [finding for finding in findings if finding is not None], origins)


@dataclass(frozen=True, slots=True)
class Draw:
    """A sample of about ``size`` out of ``total`` ids; if there are no more than that, all of them."""

    size: int
    total: int
    noun: str
    seed: int

    @property
    def whole(self) -> bool:
        return self.total <= self.size

    def has(self, pair_id: str) -> bool:
        return self.whole or seeded_digest(self.seed, pair_id) * self.total < self.size << BITS

    def sign(self, finding: Finding) -> Finding:
        """The finding with the sample in its signatures and in a remark."""
        if self.whole:
            return finding
        sample = f"|sample:{self.size} {self.noun}|seed:{self.seed}"
        signed = {name: text.replace(f"|seed:{self.seed}", "") + sample for name, text in finding.signatures.items()}
        remark = f"Measured on a random sample of about {self.size:,} of {self.total:,} {self.noun}."
        return replace(finding, signatures=signed, remarks=[*finding.remarks, remark])


def _pair_findings(
    corpus: Corpus, pairs: int, options: AnalysisOptions, origins: Counter[LabelOrigin]
) -> list[Finding | None]:
    """Labels, similarity and lengths of a release with that many pairs, read once; what made labels is counted too."""
    draw = Draw(MOST_PAIRS, pairs, "pairs", options.seed)
    shares, sampled = LabelShares(corpus, options), (SimilarityByLabel(corpus, options), Lengths(corpus, options))
    for batch in pair_batches(corpus):
        shares.add(batch)
        origins.update(label_origins(batch.pairs))
        sample = batch if draw.whole else PairBatch(corpus, [pair for pair in batch.pairs if draw.has(pair.id)])
        for analysis in sampled if sample.pairs else ():
            analysis.add(sample)
    if not shares.positive:
        raise DataError("has no pairs: there is nothing to analyse", corpus.path, code="no-pairs")
    findings = [analysis.finding() for analysis in sampled]
    return [shares.finding(), *(draw.sign(finding) for finding in findings if finding is not None)]


def _judgement_findings(release: ReleaseModel, options: AnalysisOptions) -> list[Finding | None]:
    """Answers and agreement on all pairs of a release, or on a sample of them."""
    judgements = release.folder / JUDGEMENTS_FILE
    draw = Draw(MOST_JUDGEMENTS, release.judgements, "judgements", options.seed)
    if draw.whole or not judgements.is_file():
        return _measure_judgements(judgements, release, options)
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        sample = Path(folder) / judgements.name
        with sample.open("wb") as stream:
            stream.writelines(_sample_lines(judgements, draw))
        findings = _measure_judgements(sample, release, options)
    return [finding and draw.sign(finding) for finding in findings]


def _measure_judgements(judgements: Path, release: ReleaseModel, options: AnalysisOptions) -> list[Finding | None]:
    context = AnswerContext(release.name, release.own_schemes, release.gold)
    selection = JudgementFilter(simulated=release.simulated, main_scheme=release.scheme)
    return [
        release_answers(judgements, context, options, selection),
        release_agreement(judgements, options, release.folder, selection, release.own_schemes),
    ]


class _ReleasedLine(msgspec.Struct, gc=False):
    pair: str


def _sample_lines(path: Path, draw: Draw) -> Iterator[bytes]:
    """The lines about the pairs of a sample: all judgements of a pair, or none."""
    decoder = msgspec.json.Decoder(_ReleasedLine)
    with path.open("rb") as stream:
        while lines := list(islice(stream, LINES_AT_A_TIME)):
            judgements = decoder.decode_lines(b"".join(lines))
            for line, judgement in zip(lines, judgements, strict=True):
                if draw.has(judgement.pair):
                    yield line
