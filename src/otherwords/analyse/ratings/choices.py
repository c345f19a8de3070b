"""Choices about outputs: which of two is better, the best and the worst of several, and the kinds of changes in them.

A comparison counts once, as the mean of its raters. Two systems that wrote the same are equally good without being
asked. Intervals are over resampled sources. A best-worst score is the share of comparisons in which a system was the
best, less that in which it was the worst (Louviere et al. 2015).

A rater counts the kinds of changes in an output: five good and six poor ones in the scheme ``good-poor`` (Dou et al.
2022, Table 7). An output has a kind if its rater names it; of several raters, it has the share of those who do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np

from otherwords.analyse.finding import Cell, Column, Table
from otherwords.analyse.ratings.judged import JudgedOutput, RatedBatch, answer_to
from otherwords.measures.agreement.resampling import Bootstrap, Estimate, Formula, divide, estimates
from otherwords.measures.columns import Floats
from otherwords.measures.intervals import wilson
from otherwords.records import Judgement

BEST, WORST = "best", "worst"
TYPE = (Column("type", "type"), Column("kind", "kind"))
TYPES = (
    *(*TYPE, Column("system", "system")),
    *(Column("outputs", "outputs", "count"), Column("share", "share with it", "share")),
    *(Column("low", "from", "share"), Column("high", "to", "share"), Column("times", "times", "number", 1)),
    Column("each", "times per output", "number"),
)
KIND_TOTALS = (
    *(Column("kind", "kind"), Column("system", "system"), Column("outputs", "outputs", "count")),
    *(Column("each", "times per output", "number"), Column("each_low", "from", "number")),
    *(Column("each_high", "to", "number"), Column("share", "outputs with any", "share")),
    *(Column("share_low", "from", "share"), Column("share_high", "to", "share")),
)
KINDS = {"green": "good", "red": "poor"}  # as the scheme colours them
EQUAL = 0.5
_SHARE = (Column("low", "from", "share"), Column("high", "to", "share"))
PAIRS = (
    *(Column("first", "first"), Column("second", "second"), Column("sources", "sources", "count")),
    *(Column("same", "same text", "count"), Column("for_first", "for the first", "number", 1)),
    *(Column("equal", "equal", "number", 1), Column("for_second", "for the second", "number", 1)),
    *(Column("share", "share of the first", "share"), *_SHARE),
)
WINS = (Column("system", "system"), Column("comparisons", "comparisons", "count"), Column("share", "won", "share"))
SCORES = (
    *(Column("system", "system"), Column("sets", "sets", "count"), Column("best", "best", "share")),
    *(Column("worst", "worst", "share"), Column("score", "best − worst", "number")),
    *(Column("low", "from", "number"), Column("high", "to", "number")),
)
Sums = dict[str, list[float]]  # by source, numbers that are added up; the last is what they are divided by


def preference_tables(judged: RatedBatch, bootstrap: Bootstrap) -> list[Table]:
    """Every two systems compared, and the share of all comparisons that each system won; an equal one is half won."""
    by_group = _by_group(judged)
    between: dict[tuple[str, str], Sums] = defaultdict(dict)
    same: dict[tuple[str, str], int] = defaultdict(int)
    won: dict[str, Sums] = defaultdict(dict)
    for group, texts in judged.groups.items():
        if len(texts) == 1:
            outcomes = dict.fromkeys(combinations(sorted(texts[0].systems), 2), (0.0, 1.0, 0.0))
            same |= {pair: same[pair] + 1 for pair in outcomes}
        elif len(texts) == 2 and by_group.get(group):
            outcomes = _outcomes(texts, by_group[group])
        else:
            continue
        for pair, (first, equal, second) in outcomes.items():
            between[pair][texts[0].source] = [first, equal, second, 1.0]
            for system, points in zip(pair, (first + EQUAL * equal, second + EQUAL * equal), strict=True):
                before = won[system].get(texts[0].source, [0.0, 0.0])
                won[system][texts[0].source] = [before[0] + points, before[1] + 1.0]
    rows: list[list[Cell]] = []
    for pair in sorted(between):
        totals = np.array(list(between[pair].values())).sum(axis=0).tolist()
        shares = {source: [first + EQUAL * equal, n] for source, (first, equal, _, n) in between[pair].items()}
        estimate = _quotient(shares, bootstrap)
        rows.append([*pair, len(shares), same[pair], *totals[:3], estimate.value, estimate.low, estimate.high])
    wins: list[list[Cell]] = []
    for system in sorted(won):
        estimate = _quotient(won[system], bootstrap)
        comparisons = int(sum(sums[-1] for sums in won[system].values()))
        wins.append([system, comparisons, estimate.value, estimate.low, estimate.high])
    return [
        Table("preference", "Which of two systems people prefer", PAIRS, rows),
        Table("won", "Share of comparisons that a system won, equal ones half", (*WINS, *_SHARE), wins),
    ]


def _outcomes(
    texts: Sequence[JudgedOutput], judgements: Sequence[Judgement]
) -> dict[tuple[str, str], tuple[float, float, float]]:
    """For every two systems by name, the shares of raters for the first, for neither and for the second."""
    answers = [answer_to(judgement, "") for judgement in judgements]
    first, second = (answers.count(value) / len(answers) for value in ("1", "2"))
    equal = 1 - first - second
    return {
        (left, right) if left < right else (right, left): (first, equal, second)
        if left < right
        else (second, equal, first)
        for left, right in product(texts[0].systems, texts[1].systems)
    }


def best_worst_table(judged: RatedBatch, bootstrap: Bootstrap) -> tuple[Table, int]:
    """The score of each system, and how many judgements name a text that was not there."""
    sums: dict[str, Sums] = defaultdict(dict)
    impossible = 0
    for group, judgements in _by_group(judged).items():
        texts = judged.groups[group]
        chosen = [
            (_named(texts, answer_to(found, BEST)), _named(texts, answer_to(found, WORST))) for found in judgements
        ]
        valid = [(best, worst) for best, worst in chosen if best is not None and worst is not None]
        impossible += len(chosen) - len(valid)
        for text in texts if valid else ():
            best = sum(found is text for found, _ in valid) / len(valid)
            worst = sum(found is text for _, found in valid) / len(valid)
            for system in text.systems:
                sums[system][text.source] = [best, worst, 1.0]
    rows: list[list[Cell]] = []
    for system, by_source in sums.items():
        total = np.array(list(by_source.values())).sum(axis=0)
        score = _quotient({source: [best - worst, n] for source, (best, worst, n) in by_source.items()}, bootstrap)
        shares = (total[:2] / total[2]).tolist()
        rows.append([system, int(total[2]), *shares, score.value, score.low, score.high])
    rows.sort(key=lambda row: (-float(row[4] or 0), str(row[0])))
    return Table("best-worst", "Best-worst scores of systems", SCORES, rows), impossible


def _named(texts: Sequence[JudgedOutput], answer: str | None) -> JudgedOutput | None:
    """The text of a number, as they were shown."""
    number = int(answer) if answer and answer.isdecimal() else 0
    return texts[number - 1] if 1 <= number <= len(texts) else None


def _by_group(judged: RatedBatch) -> dict[str, list[Judgement]]:
    found: dict[str, list[Judgement]] = {}
    for judgement in judged.judgements:
        found.setdefault(judgement.pair, []).append(judgement)
    return found


def _quotient(sums: Mapping[str, Sequence[float]], bootstrap: Bootstrap) -> Estimate:
    """The first sum over the second, with its interval over resampled sources."""
    added = np.array(list(sums.values()))
    [estimate] = estimates(_quotient_of(added), np.ones(len(added), np.int64), bootstrap)
    return estimate


def _quotient_of(added: Floats) -> Formula:
    return lambda weights: divide(added[:, :1].T @ weights, added[:, 1:].T @ weights)


def types_tables(judged: RatedBatch, bootstrap: Bootstrap) -> list[Table]:
    """The share of the outputs of each system that have a type, side by side, and with intervals and counts."""
    [question] = judged.scheme.questions
    raters: Counter[str] = Counter(judgement.pair for judgement in judged.judgements)
    outputs: Counter[str] = Counter()
    having: Counter[tuple[str, str]] = Counter()  # fractions of outputs
    times: Counter[tuple[str, str]] = Counter()
    for name in raters:
        outputs.update(judged.outputs[name].systems)
    for judgement in judged.judgements:
        for system in judged.outputs[judgement.pair].systems:
            for value, count in judgement.value.items():
                having[system, value] += 1 / raters[judgement.pair]  # type: ignore[assignment]
                times[system, value] += count / raters[judgement.pair]
    rows: list[list[Cell]] = []
    shares: list[list[Cell]] = []
    systems = [system for system in judged.systems if outputs[system]]
    for value in question.values:
        described = [value.name, KINDS.get(value.colour or "")]
        shares.append([*described])
        for system in systems:
            key = (system, value.value)
            share = wilson(min(float(having[key]), outputs[system]), outputs[system])
            shares[-1].append(share[0])
            rows.append([*described, system, outputs[system], *share, float(times[key]), times[key] / outputs[system]])
    columns = (*TYPE, *(Column(system, system, "share") for system in systems))
    return [
        Table("shares", "Outputs of each system that have a type", columns, shares),
        Table("types", "Types with intervals and counts", TYPES, rows),
        _kind_totals(judged, bootstrap),
    ]


def _kind_totals(judged: RatedBatch, bootstrap: Bootstrap) -> Table:
    """How many good and poor changes an output has, and the share of outputs with any; the head rows of Table 7."""
    [question] = judged.scheme.questions
    values = {
        kind: {value.value for value in question.values if value.colour == colour} for colour, kind in KINDS.items()
    }
    by_output: dict[str, list[Judgement]] = {}
    for judgement in judged.judgements:
        by_output.setdefault(judgement.pair, []).append(judgement)
    times: dict[tuple[str, str], Sums] = defaultdict(dict)
    having: Counter[tuple[str, str]] = Counter()  # fractions of outputs
    for kind, wanted in values.items():
        for name, given in by_output.items():
            counts = [sum(found.value.get(value, 0) for value in wanted) for found in given]
            output = judged.outputs[name]
            for system in output.systems:
                times[kind, system][output.source] = [sum(counts) / len(counts), 1.0]
                having[kind, system] += sum(map(bool, counts)) / len(counts)  # type: ignore[assignment]
    rows: list[list[Cell]] = []
    for (kind, system), by_source in sorted(times.items()):
        each, outputs = _quotient(by_source, bootstrap), len(by_source)
        share = wilson(min(float(having[kind, system]), outputs), outputs)
        rows.append([kind, system, outputs, each.value, each.low, each.high, *share])
    return Table("kinds", "Good and poor changes of each system", KIND_TOTALS, rows)
