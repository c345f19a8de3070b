"""Interpolated modified Kneser-Ney smoothing: counts in, log10 probabilities and back-off weights out.

Follows Chen and Goodman 1998, §3 in the form of Heafield et al. 2013, §3, which KenLM's ``lmplz`` computes; nothing is
pruned. Discounts that a small text does not determine are replaced by 0.5, 1 and 1.5, as ``lmplz
--discount_fallback`` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from otherwords.models.fluency.ngrams import BEGIN_NUMBER, CountedText, NgramOrder, Whole

FALLBACK = (0.5, 1.0, 1.5)
MOST_DISCOUNTED = 3  # counts from here on have the same discount

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SmoothedOrder:
    """For every n-gram of an order its log10 probability and, but for the highest, its log10 back-off weight."""

    probabilities: Floats
    backoffs: Floats | None


def smooth(counted: CountedText) -> list[SmoothedOrder]:
    """The probabilities of all orders. Words that are not in the text share what the single words were discounted."""
    adjusted = [_adjusted(counted.orders, index) for index in range(len(counted.orders))]
    adjusted[0][BEGIN_NUMBER] = 0  # a sentence begins by itself: that is never predicted
    probabilities: list[Floats] = []
    weights: list[Floats] = []
    for index, order in enumerate(counted.orders):
        counts = adjusted[index]
        groups = len(counted.orders[index - 1]) if index else 1
        discounts = np.array([0.0, *_discounts(counts)])[np.minimum(counts, MOST_DISCOUNTED)]
        totals = np.maximum(np.bincount(order.prefix, counts, groups), 1.0)
        weight = np.bincount(order.prefix, discounts, groups) / totals
        below = probabilities[-1][order.suffix] if index else 1.0 / (len(counted.words) - 1)
        probabilities.append((counts - discounts) / totals[order.prefix] + weight[order.prefix] * below)
        weights.append(np.where(weight > 0, weight, 1.0))  # what nothing follows is left without a price
    probabilities[0][BEGIN_NUMBER] = 1.0
    backoffs = [*(np.log10(weight) for weight in weights[1:]), None]
    return [SmoothedOrder(np.log10(values), backoff) for values, backoff in zip(probabilities, backoffs, strict=True)]


def _adjusted(orders: list[NgramOrder], index: int) -> Whole:
    """Below the highest order, in how many contexts an n-gram occurs; at the begin of a sentence, how often."""
    order = orders[index]
    if index == len(orders) - 1:
        return order.counts.copy()
    contexts = np.bincount(orders[index + 1].suffix, minlength=len(order))
    return np.where(order.begins, order.counts, contexts)


def _discounts(counts: Whole) -> tuple[float, float, float]:
    """What is taken from counts of 1, 2 and 3 or more, by how many n-grams have the counts 1 to 4."""
    with_count = [int(np.count_nonzero(counts == count)) for count in range(1, 5)]
    if 0 in with_count:
        return FALLBACK
    share = with_count[0] / (with_count[0] + 2 * with_count[1])
    found = [k - (k + 1) * share * with_count[k] / with_count[k - 1] for k in range(1, 4)]
    if any(not 0 < discount <= k for k, discount in enumerate(found, 1)):  # 0 would leave nothing for other words
        return FALLBACK
    return found[0], found[1], found[2]
