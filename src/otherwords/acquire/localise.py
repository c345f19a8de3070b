"""A labelled corpus carried over to another language (RuPAWS, Martynov et al. 2022, §3).

Pairs are cleaned, each side is translated in several ways, the translation nearest to its source is taken, and the
pairs are cleaned again. The paper's threshold of perplexity belongs to its model, so ours is a share: that of the least
fluent pairs is dropped. Raters judge anew; the label of the original stays with the original. Every pair has a row with
the stage at which it was dropped, so that the counts of all stages (Table 3) follow from the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from otherwords.acquire.candidates import MADE
from otherwords.align.candidates import comparable_form
from otherwords.digests import digest_hex
from otherwords.records import Pair

METHOD = "localise"
CLOSENESS, SIMILARITY, FLUENCY = "closeness", "cosine", "fluency"
CHARACTERS, NOT_FLUENT, NOT_SIMILAR = "characters", "fluency", "similarity"
UNTRANSLATED, SAME = "translation", "both sides became the same"
AFTER = " after translation"
STAGES = (CHARACTERS, NOT_FLUENT, NOT_SIMILAR, UNTRANSLATED, SAME, NOT_FLUENT + AFTER, NOT_SIMILAR + AFTER)


@dataclass(frozen=True, slots=True)
class CleanOptions:
    """What is dropped: other characters than ASCII, the least fluent share, pairs that are less similar."""

    ascii: bool = True
    least_fluent: float = 0.1
    least_similar: float = 0.9  # Martynov et al. 2022, §3.1


class Dropped(NamedTuple):
    """A pair that a stage dropped, and why in more words."""

    pair: str
    stage: str
    reason: str


class Version(NamedTuple):
    """A translation of a text, by which system, and how close it is to its source."""

    system: str
    text: str
    closeness: float


def clean(
    pairs: Sequence[Pair],
    options: CleanOptions,
    fluency: Mapping[str, float | None] | None,
    similarity: Mapping[str, float | None] | None,
    after: str = "",
) -> tuple[list[Pair], list[Dropped]]:
    """The pairs that stay, and those that do not.

    ``fluency`` is that of texts, ``similarity`` that of pairs by id; None: there is no model for it, so nothing is
    dropped for it.
    """
    dropped: list[Dropped] = []
    kept = []
    for pair in pairs:
        strange = sorted({char for char in pair.text1 + pair.text2 if not char.isascii()}) if options.ascii else []
        if strange and not after:
            dropped.append(Dropped(pair.id, CHARACTERS, f"characters that are not ASCII: {''.join(strange)}"))
        else:
            kept.append(pair)
    if fluency is not None:
        kept = _fluent(kept, options, fluency, dropped, after)
    if similarity is not None:
        similar = []
        for pair in kept:
            value = similarity.get(pair.id)
            if value is not None and value >= options.least_similar:
                similar.append(pair)
            else:
                found = "no vector" if value is None else f"{value:.3f}, less than {options.least_similar:g}"
                dropped.append(Dropped(pair.id, NOT_SIMILAR + after, f"the two texts have a cosine of {found}"))
        kept = similar
    return kept, dropped


def _fluent(
    pairs: Sequence[Pair],
    options: CleanOptions,
    fluency: Mapping[str, float | None],
    dropped: list[Dropped],
    after: str,
) -> list[Pair]:
    """Without the least fluent share; a pair is as fluent as its worse side."""
    worse: dict[str, float] = {}
    for pair in pairs:
        values = [fluency.get(text) for text in (pair.text1, pair.text2)]
        if any(value is None for value in values):
            dropped.append(Dropped(pair.id, NOT_FLUENT + after, "a text has no probability"))
        else:
            worse[pair.id] = min(value for value in values if value is not None)
    ranked = sorted(worse, key=lambda name: (worse[name], name))
    last = set(ranked[: int(options.least_fluent * len(ranked))])
    share = f"among the {options.least_fluent:.0%} of pairs that are least fluent"
    dropped += [Dropped(name, NOT_FLUENT + after, share) for name in sorted(last)]
    return [pair for pair in pairs if pair.id in worse and pair.id not in last]


def nearest(versions: Iterable[Version]) -> Version | None:
    """The version that is closest to its source; of equals, the one of the system that was named first."""
    return max(versions, key=lambda version: version.closeness, default=None)


def carried_over(pair: Pair, best1: Version | None, best2: Version | None, lang: str) -> Pair | Dropped:
    """The pair in the other language, or why there is none."""
    if best1 is None or best2 is None:
        side = "first" if best1 is None else "second"
        return Dropped(pair.id, UNTRANSLATED, f"no system translated the {side} text")
    if comparable_form(best1.text) == comparable_form(best2.text):
        return Dropped(pair.id, SAME, "the translations of the two texts differ in nothing")
    made = {"original": pair.id, "systems": [best1.system, best2.system]}
    return Pair(
        id=f"{METHOD}-{digest_hex(pair.id, best1.text, best2.text, size=10)}",
        text1=best1.text,
        text2=best2.text,
        lang=lang,
        source=pair.source,
        group=pair.group,
        licence=pair.licence,
        doc1=pair.doc1 and type(pair.doc1)(id=pair.doc1.id),
        doc2=pair.doc2 and type(pair.doc2)(id=pair.doc2.id),
        method=METHOD,
        scores={CLOSENESS: min(best1.closeness, best2.closeness)},
        meta={MADE: made},
    )


def stage_counts(total: int, dropped: Iterable[Dropped]) -> dict[str, int]:
    """How many pairs are left after each stage (Martynov et al. 2022, Table 3)."""
    lost = Counter(row.stage for row in dropped)
    counts, left = {"original pairs": total}, total
    for stage in STAGES:
        left -= lost[stage]
        counts[f"after {stage}" if AFTER not in stage else f"after {stage.removesuffix(AFTER)}, again"] = left
    return counts
