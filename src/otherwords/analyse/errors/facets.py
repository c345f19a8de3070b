"""What a pair is like: the facets by which the mistakes of a model are counted (Martynov et al. 2022, Figures 2 and 3).

A facet gives a pair one value or none. Lengths and overlap are in ranges; the spelling of names is a facet of its own,
since a name that is spelled in two ways looks like two names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise

from otherwords.acquire.candidates import MADE
from otherwords.analyse.findings.pattern_kinds import pattern_of
from otherwords.corpus.labels.table import LabelledPair
from otherwords.measures import measure, score_columns, token_counts
from otherwords.records import Pair
from otherwords.text import Pack, pack

Facet = Callable[[Pair, Pack], str | None]
LENGTHS = (5, 10, 20, 40)  # tokens of the longer text, at which ranges end
SPELLINGS = ("no names", "names are the same", "names differ in spelling", "names differ")
FARTHEST = 0.3  # edit distance of two spellings of one name


def facet_values(pair: Pair, lang: str | None) -> dict[str, str]:
    """The value of every facet that a pair has."""
    language = _pack(pair.lang or lang)
    values = {name: facet(pair, language) for name, facet in FACETS.items()}
    return {name: value for name, value in values.items() if value is not None}


@cache
def _pack(lang: str | None) -> Pack:
    return pack(lang)


def _length(pair: Pair, language: Pack) -> str:
    tokens = max(int(token_counts([text], language.tokeniser)[0]) for text in (pair.text1, pair.text2))
    low = 1
    for high in LENGTHS:
        if tokens <= high:
            return f"{low}–{high} tokens"
        low = high + 1
    return f"{low} tokens and more"


def _overlap(pair: Pair, language: Pack) -> str:
    built = measure("jaccard", language.lang)
    value = float(score_columns([built], [pair.text1], [pair.text2], threads=1)[built.name][0])
    tenth = min(int(value * 10 + 1e-9), 9)
    return "identical words" if value == 1 else f"{tenth / 10:.1f}–{(tenth + 1) / 10:.1f}"


def _spelling(pair: Pair, language: Pack) -> str:
    first, second = names_in(pair.text1), names_in(pair.text2)
    only1, only2 = first - second, second - first
    if not first and not second:
        return SPELLINGS[0]
    if not only1 and not only2:
        return SPELLINGS[1]
    similar = all(any(edit_distance(name, other) <= FARTHEST for other in only2) for name in only1) and bool(only1)
    return SPELLINGS[2] if similar and len(only1) == len(only2) else SPELLINGS[3]


def names_in(text: str) -> set[str]:
    """Words with a capital letter that do not begin a sentence: what looks like a name in most scripts with cases."""
    words = text.split()
    found = set()
    for before, word in pairwise(words):
        bare = word.strip(".,;:!?»«\"'()[]“”„’")
        if bare[:1].isupper() and not bare.isupper() and before[-1:] not in ".!?":
            found.add(bare)
    return found


def edit_distance(first: str, second: str) -> float:
    """The edit distance of two words, by the length of the longer one."""
    built = measure("edit", None)
    return float(score_columns([built], [first], [second], threads=1)[built.name][0])


def _made(key: str) -> Facet:
    def facet(pair: Pair, language: Pack) -> str | None:
        made = pair.meta.get(MADE)
        value = made.get(key) if isinstance(made, Mapping) else None
        return value if isinstance(value, str) else None

    return facet


def _meta(*keys: str) -> Facet:
    def facet(pair: Pair, language: Pack) -> str | None:
        found = next((pair.meta[key] for key in keys if pair.meta.get(key)), None)
        return str(found) if isinstance(found, str | int) else None

    return facet


def _origin(pair: Pair, language: Pack) -> str | None:
    return pair.made_by if isinstance(pair, LabelledPair) else None


FACETS: dict[str, Facet] = {
    "label": lambda pair, language: pair.label,
    "swap": _made("kind"),
    "method": lambda pair, language: pair.method,
    "source": lambda pair, language: pair.source,
    "category": _meta("category", "topic"),
    "type": _meta("type", "apt"),
    "annotator": _meta("annotator"),
    "label made by": _origin,
    "pattern": lambda pair, language: pattern_of(pair.text1, pair.text2, language),
    "length": _length,
    "overlap": _overlap,
    "names": _spelling,
}
