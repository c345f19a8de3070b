"""BLEU and chrF of outputs against many references, with sacrebleu's values.

A BLEU match is clipped to the most that any one reference has of an n-gram (Papineni et al. 2002, §2.1), and the length
is that of the reference that is closest, the shorter of two. chrF takes the reference with the best score. Sources
without references have no score and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from otherwords.measures.bleu import ORDERS, SMOOTHING, TOKENISER_BY_LANGUAGE, BleuFormula
from otherwords.measures.chrf import ORDERS as CHARACTER_ORDERS
from otherwords.measures.chrf import chrf_statistics, f_scores
from otherwords.measures.columns import Floats, Integers
from otherwords.measures.cut import Case, Tokenisation
from otherwords.measures.generation.metric import Evidence, GeneratedTexts, GenerationMetric
from otherwords.measures.generation.ngrams import NumberedTokens, number_tokens
from otherwords.measures.options import Options, signature

BLOCK = 5_000  # outputs that are counted at a time


def bleu_statistics(texts: GeneratedTexts, cut: Tokenisation) -> Integers:
    """Rows × orders × (n-grams of the closest reference, of the output, matched in any reference).

    Only the first order has the length of the reference, which is all that BLEU asks for.
    """
    blocks = [texts.take(range(start, min(start + BLOCK, len(texts)))) for start in range(0, len(texts), BLOCK)]
    return np.concatenate([np.zeros((0, ORDERS, 3), np.int64), *(_block_statistics(block, cut) for block in blocks)])


def _block_statistics(texts: GeneratedTexts, cut: Tokenisation) -> Integers:
    """The same of one block. An n-gram of a reference is looked at only if the output has its first n − 1 tokens."""
    sets, rows = texts.reference_sets(), len(texts)
    owners = np.concatenate([np.arange(rows), np.repeat(np.arange(rows), [len(found) for found in sets])])
    tokens = number_tokens(cut, [*texts.outputs, *(reference for found in sets for reference in found)])
    out = np.zeros((rows, ORDERS, 3), np.int64)
    out[:, 0, 0] = _closest_lengths(tokens, owners, rows)
    size = int(tokens.numbers.max(initial=0)) + 1
    text = np.repeat(np.arange(len(owners)), tokens.lengths)
    split = int(tokens.starts[rows])
    places, others = np.arange(split), np.arange(split, len(text))
    begun, others_begun = owners[text[places]], owners[text[others]]  # the number of what goes before the next token
    for order in range(ORDERS):
        going_on, others_on = (_within(where, order, tokens, text) for where in (places, others))
        places, begun, others, others_begun = (
            places[going_on],
            begun[going_on],
            others[others_on],
            others_begun[others_on],
        )
        grams, first, begun, count = np.unique(
            begun * size + tokens.numbers[places + order], return_index=True, return_inverse=True, return_counts=True
        )
        owner = owners[text[places]]
        out[:, order, 1] = np.bincount(owner, minlength=rows)
        if not len(grams):
            break
        wanted = others_begun * size + tokens.numbers[others + order]
        at = np.minimum(np.searchsorted(grams, wanted), len(grams) - 1)
        there = grams[at] == wanted
        others, others_begun = others[there], at[there]
        most = _most_in_one(text[others], others_begun, len(grams))
        out[:, order, 2] = np.bincount(owner[first], np.minimum(count, most), rows)
    return out


def _within(places: Integers, order: int, tokens: NumberedTokens, text: Integers) -> npt.NDArray[np.bool_]:
    """At which places the text has so many more tokens."""
    return places + order < tokens.starts[text[places] + 1]


def _most_in_one(text: Integers, gram: Integers, grams: int) -> Integers:
    """The most that one text has of each n-gram."""
    found, count = np.unique(text * grams + gram, return_counts=True)
    most = np.zeros(grams, np.int64)
    np.maximum.at(most, found % grams, count)
    return most


def _closest_lengths(tokens: NumberedTokens, owners: Integers, rows: int) -> Integers:
    """The length of the reference of each output that is closest to its own; the shorter of two, 0 without one."""
    lengths = tokens.lengths
    outputs, references, owner = lengths[:rows], lengths[rows:], owners[rows:]
    order = np.lexsort((references, np.abs(references - outputs[owner]), owner))
    closest = np.zeros(rows, np.int64)
    first, where = np.unique(owner[order], return_index=True)
    closest[first] = references[order][where]
    return closest


@dataclass(frozen=True)
class ReferenceBleu(GenerationMetric):
    """BLEU of outputs against all references of their source, with sacrebleu's values, 0 to 100."""

    cut: Tokenisation
    formula: BleuFormula
    name: str = "bleu"
    needs_references: bool = True

    @classmethod
    def build(cls, options: Options) -> ReferenceBleu:
        cut = options.tokenisation("13a", TOKENISER_BY_LANGUAGE)
        smooth = options.choice("smooth", list(SMOOTHING), "exp")
        return cls(cut, BleuFormula(smooth, options.number("k", "the number of floor and add-k", SMOOTHING[smooth])))

    def signature(self) -> str:
        return bleu_signature("bleu", "var", self.cut, self.formula)

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        statistics = bleu_statistics(texts, self.cut)
        return corpus_bleu(statistics, self.formula, np.array([bool(found) for found in texts.reference_sets()], bool))


def bleu_signature(
    name: str, references: object, cut: Tokenisation, formula: BleuFormula, *, by_sentence: bool = False
) -> str:
    """The signature of a BLEU of all outputs together, or of each one, which leaves out what it is too short for."""
    effective = "yes" if by_sentence else "no"
    parts = {"nrefs": references, "case": cut.signature()["case"], "eff": effective, "tok": cut.signature()["tok"]}
    return signature(name, {**parts, "smooth": formula.signature()})


def corpus_bleu(statistics: Integers, formula: BleuFormula, known: npt.NDArray[np.bool_]) -> Evidence:
    """Sentence BLEU for every output, and BLEU of the summed statistics for all that are known."""
    scores = np.where(known, formula.scores(statistics), np.nan)
    of_all = partial(_bleu_of_sums, replace(formula, effective_order=False))
    return Evidence(scores, _added(statistics, known), of_all)


def _added(statistics: Integers, known: npt.NDArray[np.bool_]) -> Floats:
    """The statistics of outputs that are known, flat, and whether they are."""
    rows = statistics.reshape(len(statistics), -1) * known[:, None]
    return np.concatenate([rows, known[:, None]], axis=1).astype(np.float64)


def _bleu_of_sums(formula: BleuFormula, sums: Floats) -> Floats:
    scores = formula.scores(sums[:, :-1].reshape(len(sums), -1, 3))  # type: ignore[arg-type]
    return np.where(sums[:, -1] > 0, scores, np.nan)


@dataclass(frozen=True)
class ReferenceChrf(GenerationMetric):
    """chrF of outputs against the best of their references, with sacrebleu's values, 0 to 100."""

    case: Case = "mixed"
    name: str = "chrf"
    needs_references: bool = True

    @classmethod
    def build(cls, options: Options) -> ReferenceChrf:
        return cls(options.case())

    def signature(self) -> str:
        parts = {"nrefs": "var", "case": self.case, "eff": "yes", "nc": CHARACTER_ORDERS, "nw": 0, "space": "no"}
        return signature("chrf", parts)

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        sets = texts.reference_sets()
        owners = np.repeat(np.arange(len(texts)), [len(found) for found in sets])
        references = [reference for found in sets for reference in found]
        statistics = chrf_statistics(references, [texts.outputs[int(row)] for row in owners], self.case)
        # n-grams of an output count only where the reference has some of that length, as in sacrebleu
        statistics[:, :, 1] *= statistics[:, :, 0] > 0
        each = f_scores(statistics)
        best = np.zeros((len(texts), *statistics.shape[1:]), np.int64)
        scores = np.full(len(texts), np.nan)
        order = np.lexsort((-np.arange(len(each)), each, owners))  # of equal ones the first
        scores[owners[order]], best[owners[order]] = each[order], statistics[order]
        return Evidence(scores, _added(best, np.isfinite(scores)), _chrf_of_sums)


def _chrf_of_sums(sums: Floats) -> Floats:
    scores = f_scores(sums[:, :-1].reshape(len(sums), -1, 3))  # type: ignore[arg-type]
    return np.where(sums[:, -1] > 0, scores, np.nan)
