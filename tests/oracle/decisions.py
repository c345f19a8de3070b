"""What answers make of a pair: the consensus of a team, the label of the corpus, the votes of a crowd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from tests.oracle.exported import Row

LABELLED = ("production", "agreement")  # what counts for a label, with decisions and quality control


def consensus(answers: Mapping[str, Mapping[str, str]], decided: Mapping[str, str]) -> dict[str, str]:
    """The team's decision about each pair, or what all said where two or more say the same (Kanerva et al., §6.1)."""
    agreed = {
        pair: next(iter(values.values()))
        for pair, values in answers.items()
        if len(values) > 1 and len(set(values.values())) == 1
    }
    return agreed | {pair: value for pair, value in decided.items() if pair in answers}


def accuracy(
    answers: Mapping[str, Mapping[str, str]], team: Mapping[str, str], annotator: str
) -> tuple[int, Fraction | None]:
    """Of how many pairs with a consensus somebody answered, and how many of these answers are the consensus."""
    same = [values[annotator] == team[pair] for pair, values in answers.items() if pair in team and annotator in values]
    return len(same), Fraction(sum(same), len(same)) if same else None


def turku_label(judgements: Sequence[Row], imported: str | None) -> str | None:
    """The label of a pair: the last decision or check of quality, else what all say, else what it came with."""
    final = [row["value"] for row in judgements if _decides(row)]
    if final:
        return final[-1]
    alone = {row["value"] for row in judgements if row["kind"] == "individual" and row["purpose"] in LABELLED}
    if not alone:
        return imported
    return alone.pop() if len(alone) == 1 else None


def _decides(row: Row) -> bool:
    return row["purpose"] == "qa" or (row["kind"] == "consensus" and row["purpose"] not in ("check", "gold"))


def by_threshold(votes: Iterable[str], asked: int, threshold: int) -> str | None:
    """More yes than the threshold is yes, fewer is no, as many is nothing; None, too, while a vote may change it."""
    counts = Counter(votes)
    if counts["yes"] > threshold:
        return "yes"
    return "no" if counts["no"] > asked - threshold else None


def majority(votes: Iterable[str]) -> str | None:
    """The most frequent vote; None of a tie."""
    ranked = Counter(votes).most_common(2)
    tied = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return None if tied or not ranked else ranked[0][0]
