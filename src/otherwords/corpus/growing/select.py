"""Which candidates become part of a growing set (MultiPIT, §5): each is taken, or dropped for a reason that is counted.

What a model takes for paraphrases is taken, if the two texts differ enough (BLEU), if nothing forbids to publish them,
if the set does not have them yet, and if they have nothing in common with any test: no group, no address, no sentence
and none that is nearly the same. Pairs that the set had before are held to the same, since new tests come with every
version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy import Connection

from otherwords.acquire.batches import pair_blocks, text_columns
from otherwords.acquire.filters.measured import MOST_BLEU
from otherwords.corpus.leaks.find import NEAR
from otherwords.corpus.leaks.overlap import KINDS
from otherwords.corpus.release.earlier_tests import Tests, overlap_with_tests
from otherwords.corpus.release.personal_data import may_have_personal_data, personal_data
from otherwords.digests import digest_number
from otherwords.licences.compatibility import Licence, objection
from otherwords.measures import measure
from otherwords.project.pair_licences import pair_licences
from otherwords.records import Pair
from otherwords.text.normalise import plain

NOT_IDENTIFIED = "the model takes it for no paraphrase"
ALIKE = "its texts are too much alike (BLEU)"
COPY = "the set has it already"
PRIVATE = "it may have personal data"
FORBIDDEN = "its licence does not allow it"
SHARED = {
    "group": "it shares a group with a test",
    "address": "it shares an address with a test",
    "sentence": "it shares a sentence with a test",
    "near": "it has nearly the sentence of a test",
}
Identify = Callable[[Sequence[Pair]], Sequence[bool]]  # which of some pairs a model takes for paraphrases


@dataclass(frozen=True, slots=True)
class SelectionRules:
    """By what candidates are selected."""

    licence: Licence
    near: float = NEAR
    most_bleu: float = MOST_BLEU
    lang: str | None = None


@dataclass(slots=True)
class SelectedPairs:
    """The pairs of a version, and how many were dropped for which reason; ``shared`` is by version and kind."""

    kept: list[Pair] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    shared: dict[str, dict[str, int]] = field(default_factory=dict)


def select_pairs(
    connection: Connection,
    before: Sequence[Pair],
    candidates: Iterable[Pair],
    tests: Tests,
    rules: SelectionRules,
    identify: Identify,
) -> SelectedPairs:
    """The pairs of the set ``before``, then the candidates that are taken, in their order."""
    selected = SelectedPairs()
    bleu = measure("bleu", rules.lang)
    known = {_key(pair) for pair in before}
    new: list[Pair] = []
    for block in pair_blocks(candidates):
        verdicts = zip(block, identify(block), bleu.scores(*text_columns(block)), strict=True)
        wanted = []
        for pair, positive, score in verdicts:
            if not positive:
                selected.dropped[NOT_IDENTIFIED] += 1
            elif score > rules.most_bleu:
                selected.dropped[ALIKE] += 1
            elif (key := _key(pair)) in known:
                selected.dropped[COPY] += 1
            else:
                known.add(key)
                wanted.append(pair)
        new += _publishable(connection, wanted, rules.licence, selected.dropped)
    members = [*before, *new]
    first = np.full(len(members), len(KINDS))  # of the kinds that fit a pair, in any test
    for version, overlap in overlap_with_tests(connection, members, tests, rules.near).items():
        selected.shared[version] = overlap.counts()
        for place, kind in enumerate(KINDS):
            first[overlap.kinds[kind]] = np.minimum(first[overlap.kinds[kind]], place)
    selected.dropped.update(SHARED[KINDS[place]] for place in first[first < len(KINDS)].tolist())
    selected.kept = [pair for pair, place in zip(members, first.tolist(), strict=True) if place == len(KINDS)]
    return selected


def _key(pair: Pair) -> frozenset[int]:
    """The same for a pair with its texts swapped, and without case and punctuation."""
    return frozenset({digest_number(plain(pair.text1)), digest_number(plain(pair.text2))})


def _publishable(connection: Connection, pairs: Sequence[Pair], licence: Licence, dropped: Counter[str]) -> list[Pair]:
    """The pairs that nothing forbids to publish."""
    suspects = may_have_personal_data([f"{pair.text1}\n{pair.text2}" for pair in pairs]) if pairs else []
    licences = pair_licences(connection, [pair.id for pair in pairs])
    kept = []
    for pair, suspect in zip(pairs, suspects, strict=True):
        if suspect and (personal_data(pair.text1) or personal_data(pair.text2)):
            dropped[PRIVATE] += 1
        elif any(objection(name, licence) for name in licences[pair.id]):
            dropped[FORBIDDEN] += 1
        else:
            kept.append(pair)
    return kept
