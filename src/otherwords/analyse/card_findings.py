"""What a card shows of the data files of a release: the labels of all pairs, and the rest of a sample.

A mean over a hundred thousand pairs says the same as one over a million, in a tenth of the time and without holding
them. Who is in a sample is drawn by lot, and a lot hangs on the seed and the id of a pair alone. Below that size
nothing is drawn; above it the signature of every figure names the size and the seed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import msgspec

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Finding
from otherwords.analyse.label_shares import LabelShares
from otherwords.analyse.lengths import Lengths
from otherwords.analyse.lots import BITS, lot
from otherwords.analyse.released_types import JUDGEMENTS as FILE
from otherwords.analyse.released_types import types_in_release
from otherwords.analyse.report_agreement import agreement_in
from otherwords.analyse.seen import Seen, seen
from otherwords.analyse.similarity_by_label import SimilarityByLabel
from otherwords.analyse.type_shares import types_finding
from otherwords.corpus.corpora import Corpus
from otherwords.corpus.released import Released
from otherwords.errors import DataError

PAIRS = 100_000
JUDGEMENTS = 200_000
LINES_AT_A_TIME = 10_000


@dataclass(frozen=True, slots=True)
class Draw:
    """Which ids are in a sample of about ``size`` out of ``total``; all of them where there are no more."""

    size: int
    total: int
    noun: str
    seed: int

    @property
    def whole(self) -> bool:
        return self.total <= self.size

    def has(self, id: str) -> bool:
        return self.whole or lot(self.seed, id) * self.total < self.size << BITS

    def sign(self, finding: Finding) -> Finding:
        """A finding that names the sample, in its signatures and as a remark."""
        if self.whole:
            return finding
        added = f"|sample:{self.size} {self.noun}|seed:{self.seed}"
        signed = {name: text.replace(f"|seed:{self.seed}", "") + added for name, text in finding.signatures.items()}
        remark = f"Measured on about {self.size:,} of all {self.total:,} {self.noun}, drawn by lot."
        return replace(finding, signatures=signed, remarks=[*finding.remarks, remark])


def pair_findings(corpus: Corpus, pairs: int, wishes: Wishes) -> list[Finding]:
    """Labels, similarity and lengths of a release of so many pairs, in one reading of them."""
    draw = Draw(PAIRS, pairs, "pairs", wishes.seed)
    shares, sampled = LabelShares(corpus, wishes), (SimilarityByLabel(corpus, wishes), Lengths(corpus, wishes))
    for batch in seen(corpus):
        shares.add(batch)
        drawn = batch if draw.whole else Seen(corpus, [pair for pair in batch.pairs if draw.has(pair.id)])
        for analysis in sampled if drawn.pairs else ():
            analysis.add(drawn)
    if not shares.positive:
        raise DataError("has no pairs: there is nothing to analyse", corpus.path)
    found = [analysis.finding() for analysis in sampled]
    return [shares.finding(), *(draw.sign(one) for one in found if one is not None)]


def types_found(released: Released) -> Finding | None:
    """The types of change that its judgements list."""
    found = types_in_release(released.folder, simulated=released.simulated)
    return types_finding(released.name, found) if found.annotations else None


def agreement_finding(released: Released, wishes: Wishes) -> Finding | None:
    """Agreement in the judgements of a release, or on the pairs of a sample of them."""
    judgements = released.folder / FILE
    draw = Draw(JUDGEMENTS, released.judgements, "judgements", wishes.seed)
    if draw.whole or not judgements.is_file():
        return agreement_in(judgements, wishes, released.folder, simulated=released.simulated)
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        some = Path(folder) / judgements.name
        with some.open("wb") as stream:
            stream.writelines(_drawn(judgements, draw))
        found = agreement_in(some, wishes, released.folder, simulated=released.simulated)
    return draw.sign(found) if found is not None else None


class _About(msgspec.Struct, gc=False):
    pair: str


def _drawn(path: Path, draw: Draw) -> Iterator[bytes]:
    """The lines about pairs that were drawn: all that was said of a pair, or nothing."""
    decoder = msgspec.json.Decoder(_About)
    with path.open("rb") as stream:
        while lines := list(islice(stream, LINES_AT_A_TIME)):
            told = decoder.decode_lines(b"".join(lines))
            yield from (line for line, about in zip(lines, told, strict=True) if draw.has(about.pair))
