"""Pairs out of the outputs of several translation systems (Suzuki et al. 2017, §3).

Every source sentence has an output per system, and every two of them are a pair: a paraphrase where both translated
well. How well is estimated by translating back: QE(e) = SBLEU(e, BT₁(e)) × SBLEU(e, BT₂(e)), where SBLEU is sentence
BLEU smoothed by adding one (Nakov et al. 2012). The same number of pairs is taken of each range of word overlap, those
of the highest QE first; exact matches stand apart. Nothing is dropped: every source and every two systems have a row,
with a reason where it was not taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from otherwords.acquire.candidates import candidate
from otherwords.digests import digest_number
from otherwords.measures import measure
from otherwords.measures.bins import bin_scores, range_names
from otherwords.records import Document, Pair

METHOD = "translate"
OVERLAP = "jaccard"
SBLEU = "bleu:smooth=add-k,k=1"
QUALITY = "qe"
RANGES = 10  # and one for exact matches
EXACT = "the outputs have the same words"
BEYOND = "beyond the draw of its range"
NO_OUTPUT, NO_BACK = "no translation", "no translation back"


@dataclass(frozen=True, slots=True)
class SystemOutputs:
    """What a system made of the sources, by their ids, and back again; where there is none, the reason."""

    name: str
    outputs: Mapping[str, str]
    backs: Mapping[str, str] | None = None  # None: nothing was translated back
    reasons: Mapping[str, str] = field(default_factory=dict)
    back_reasons: Mapping[str, str] = field(default_factory=dict)


class TranslationRow(NamedTuple):
    """A source and two systems."""

    document: str
    system1: str
    system2: str
    text1: str | None
    text2: str | None
    quality: float | None
    overlap: float | None
    range: str | None
    kept: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class TranslationPairs:
    """The chosen pairs, a row for every source and two systems, and a table by range."""

    pairs: list[Pair]
    rows: list[TranslationRow]

    @property
    def reasons(self) -> Counter[str]:
        return Counter(row.reason for row in self.rows if row.reason is not None)

    def ranges(self) -> dict[str, dict[str, int]]:
        """Pairs and chosen pairs of each range, the empty ones included."""
        found = Counter(row.range for row in self.rows if row.range is not None)
        chosen = Counter(row.range for row in self.rows if row.kept)
        return {name: {"pairs": found[name], "chosen": chosen[name]} for name in range_names(RANGES)}


def translation_pairs(
    sources: Sequence[Document],
    systems: Sequence[SystemOutputs],
    *,
    lang: str,
    per_range: int,
    seed: int = 0,
    tokeniser: str | None = None,
) -> TranslationPairs:
    """The pairs of every two systems; ``lang`` is the language of the outputs, ``per_range`` the draw of each range.

    ``tokeniser`` is for outputs that are split into words already. Without translations back there is no estimate of
    quality, and the draw is random by the seed.
    """
    drafts = [
        _Draft(source, *two)
        for source in sources
        for two in combinations(systems, 2)
        if source.id in two[0].outputs and source.id in two[1].outputs
    ]
    quality = _qualities(sources, systems)
    texts = [[draft.text(side) for draft in drafts] for side in (0, 1)]
    overlap = measure(OVERLAP, lang=lang, tokeniser=tokeniser)
    scores, bins = overlap.scores(*texts), bin_scores(overlap, texts[0], texts[1], RANGES)
    names = range_names(RANGES)
    graded = [
        _Graded(draft, quality.get((draft.source.id, draft.first.name, draft.second.name)), float(score), int(place))
        for draft, score, place in zip(drafts, scores, bins, strict=True)
    ]
    chosen = _draw(graded, per_range, seed)
    rows, pairs = [], []
    by_key = {(item.draft.source.id, item.draft.first.name, item.draft.second.name): item for item in graded}
    for source in sources:
        for first, second in combinations(systems, 2):
            item = by_key.get((source.id, first.name, second.name))
            if item is None:
                missing = _missing(source.id, first, second)
                text1, text2 = first.outputs.get(source.id), second.outputs.get(source.id)
                rows.append(
                    TranslationRow(source.id, first.name, second.name, text1, text2, None, None, None, False, missing)
                )
                continue
            kept = item in chosen
            reason = None if kept else item.refusal or BEYOND
            where = (source.id, first.name, second.name, item.draft.text(0), item.draft.text(1))
            rows.append(TranslationRow(*where, item.quality, item.overlap, names[item.bin], kept, reason))
            if kept:
                pairs.append(_pair(item, names[item.bin], lang, seed))
    return TranslationPairs(pairs, rows)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A source with the outputs of two systems."""

    source: Document
    first: SystemOutputs
    second: SystemOutputs

    def text(self, side: int) -> str:
        return (self.first, self.second)[side].outputs[self.source.id]


@dataclass(frozen=True, slots=True, eq=False)
class _Graded:
    """A draft with its quality, overlap and range."""

    draft: _Draft
    quality: float | None
    overlap: float
    bin: int

    @property
    def refusal(self) -> str | None:
        """Why it cannot be drawn."""
        if self.bin == RANGES:
            return EXACT
        for system in (self.draft.first, self.draft.second):
            if system.backs is not None and self.draft.source.id not in system.backs:
                return _reason(system, NO_BACK, system.back_reasons.get(self.draft.source.id))
        return None


def _qualities(sources: Sequence[Document], systems: Sequence[SystemOutputs]) -> dict[tuple[str, str, str], float]:
    """The quality estimate of every source and two systems that translated it back."""
    sbleu: dict[str, dict[str, float]] = {}
    for system in systems:
        known = [source for source in sources if system.backs is not None and source.id in system.backs]
        lang = known[0].lang if known else None
        backs = [system.backs[source.id] for source in known] if system.backs is not None else []
        values = measure(SBLEU, lang=lang).scores([source.text for source in known], backs) / 100
        sbleu[system.name] = dict(zip((source.id for source in known), values.tolist(), strict=True))
    return {
        (source.id, first.name, second.name): sbleu[first.name][source.id] * sbleu[second.name][source.id]
        for source in sources
        for first, second in combinations(systems, 2)
        if source.id in sbleu[first.name] and source.id in sbleu[second.name]
    }


def _draw(graded: Sequence[_Graded], per_range: int, seed: int) -> set[_Graded]:
    """The same number of each range, by descending quality; ties and pairs without one by chance."""

    def order(item: _Graded) -> tuple[float, int]:
        key = (str(seed), item.draft.source.id, item.draft.first.name, item.draft.second.name)
        return -(item.quality or 0.0), digest_number(*key)

    chosen: set[_Graded] = set()
    for place in range(RANGES):
        eligible = [item for item in graded if item.bin == place and item.refusal is None]
        chosen.update(sorted(eligible, key=order)[:per_range])
    return chosen


def _missing(source: str, first: SystemOutputs, second: SystemOutputs) -> str:
    """The reason of the first of the two systems that has no output."""
    system = first if source not in first.outputs else second
    return _reason(system, NO_OUTPUT, system.reasons.get(source))


def _reason(system: SystemOutputs, what: str, why: str | None) -> str:
    return f"{system.name}: {what}: {why}" if why else f"{system.name}: {what}"


def _pair(item: _Graded, name: str, lang: str, seed: int) -> Pair:
    draft = item.draft
    made = {"source": draft.source.text, "systems": [draft.first.name, draft.second.name], "range": name, "seed": seed}
    return candidate(
        METHOD,
        draft.source,
        draft.source,
        texts=(draft.text(0), draft.text(1)),
        scores={OVERLAP: item.overlap, **({} if item.quality is None else {QUALITY: item.quality})},
        made=made,
        lang=lang,
    )
