"""The types of change in a release: what its judgements list, with the texts that stand in its pairs.

Judgements of a release do not carry their texts. In goes the folder, out come annotations as a project has them. What
was simulated counts as what it stands for in its project, where that is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from otherwords.analyse.agree_rows import at_home
from otherwords.analyse.types_reading import Chosen, chosen
from otherwords.corpus.corpora import DATA, PLAIN
from otherwords.corpus.release_pairs import pairs_of
from otherwords.records import Judgement, Pair
from otherwords.sources.reading import reading

JUDGEMENTS = "judgements.jsonl"
SCOPE = b'"scope'  # in every line that lists phenomena


def types_in_release(folder: Path, *, simulated: bool = False) -> Chosen:
    """The annotations of a release, one a pair; none where nobody annotated types."""
    path = folder / JUDGEMENTS
    if not path.is_file() or not _lists_types(path):
        return Chosen([], Counter())
    with reading(path, "jsonl", noun="judgements") as lines:
        told = [at_home(one) if simulated else one for one in lines if isinstance(one, Judgement)]
    return chosen(told, texts_of(folder)({one.pair for one in told}))


def texts_of(folder: Path) -> Callable[[set[str]], dict[str, Pair]]:
    """A function that finds pairs of a release by their ids."""
    return lambda wanted: {pair.id: pair for pair in pairs_of(folder / DATA / PLAIN) if pair.id in wanted}


def _lists_types(path: Path) -> bool:
    with path.open("rb") as stream:
        return any(SCOPE in line for line in stream)
