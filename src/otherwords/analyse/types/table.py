"""Tables 3 and 4 of Vila et al. 2014: how many phenomena of which types a corpus has, and how long they are.

Definitions are those that reproduce the released P4P: words are those that the corpus itself counts, else tokens;
"phenomena per word" are the tokens in the scopes of all phenomena over the words; the length of a phenomenon is the
mean over both texts, so that of an addition is half of its scope.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np

from otherwords.analyse.averages import ratio
from otherwords.analyse.types.annotations import Annotation, TypeAnnotations, find_scheme
from otherwords.errors import DataError
from otherwords.measures.agreement.iapta import tokenise_text
from otherwords.measures.agreement.iapta_tokens import mark_tokens
from otherwords.records import parse_phenomena

SCHEME = "vila"  # its types are the rows of the tables, in this order
ALIASES = {"lex_spelling_and_format": "lex_spelling", "dis_punct_format": "dis_punctuation"}  # the tags of P4P


@dataclass(slots=True)
class TypesTable:
    """Counts of the types of a corpus; ``as_dict`` is the JSON form."""

    corpus: str
    words: int = 0
    pairs: int = 0
    scope_tokens: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)  # in the scopes of each type
    notes: Counter[str] = field(default_factory=Counter)

    @property
    def phenomena(self) -> int:
        return self.counts.total()

    def frequency(self, tag: str) -> float:
        """The share of a type among all phenomena, in per cent."""
        return 100 * self.counts[tag] / self.phenomena

    def length(self, tag: str) -> float:
        """The mean number of tokens that a phenomenon of this type covers in one text."""
        return self.tokens[tag] / self.counts[tag] / 2

    def averages(self) -> dict[str, float | None]:
        """The lower half of Table 3."""
        return {
            "words_per_member": ratio(self.words, 2 * self.pairs),
            "phenomena_per_pair": ratio(self.phenomena, self.pairs),
            "phenomena_per_word": ratio(self.scope_tokens, self.words),
        }

    def totals(self) -> dict[str, float | None]:
        """Table 3."""
        return {"words": self.words, "pairs": self.pairs, "phenomena": self.phenomena, **self.averages()}

    def by_type(self) -> dict[str, dict[str, float]]:
        """Table 4, in the order of the paper."""
        return {
            tag: {"frequency": self.frequency(tag), "length": self.length(tag), "phenomena": self.counts[tag]}
            for tag in sort_tags(self.counts)
        }

    def as_dict(self) -> dict[str, object]:
        """Both tables."""
        return {"corpus": self.corpus, **self.totals(), "types": self.by_type(), "notes": dict(self.notes)}


def types_table(corpus: str, types: TypeAnnotations, tokeniser: str | None = None) -> TypesTable:
    """The table of a corpus of that name; notes count what is left out."""
    if not types.annotations:
        notes = "; ".join(f"{note}: {count:,}" for note, count in types.notes.items())
        reason = "holds no annotated types: no judgement lists phenomena" + (f"; left out are {notes}" if notes else "")
        raise DataError(reason, corpus, code="no-types")
    table = TypesTable(corpus, notes=Counter(types.notes))
    known = {*vila_types(), *ALIASES}
    for annotation in types.annotations:
        tags = _count(annotation, table, tokeniser or annotation.tokeniser)
        unknown = [tag for tag in tags if tag not in known] if annotation.scheme == SCHEME else []
        table.notes.update(
            f"phenomena of the type {tag}, which {SCHEME} does not have; they are counted" for tag in unknown
        )
    return table


def _count(annotation: Annotation, table: TypesTable, tokeniser: str | None) -> list[str]:
    """Add a pair to the table; the types of the phenomena that were counted."""
    cuts = tuple(tokenise_text(text, annotation.lang, tokeniser) for text in (annotation.text1, annotation.text2))
    table.pairs += 1
    table.words += annotation.words if annotation.words is not None else sum(len(text.starts) for text in cuts)
    phenomena, problems = parse_phenomena(annotation.phenomena)
    tags = []
    for phenomenon in phenomena:
        try:
            in_tokens = mark_tokens(phenomenon, (cuts[0], cuts[1]))
        except ValueError as problem:
            problems.append(str(problem))
            continue
        length = in_tokens.scope1.bit_count() + in_tokens.scope2.bit_count()
        tags.append(phenomenon.type)
        table.tokens[phenomenon.type] += length
        table.scope_tokens += length
    table.counts.update(tags)
    table.notes.update(f"phenomena left out because {problem}" for problem in problems)
    return tags


def vila_types() -> list[str]:
    """The tags of the 24 types, in the order of the paper."""
    return list(_names(SCHEME))


def type_names(schemes: Iterable[str | None], folder: Path | None = None) -> dict[str, str]:
    """Names of types by tag: those of Vila's scheme, of the corpora that use it, and of these schemes."""
    names = _names(SCHEME)
    names |= {alias: names[tag] for alias, tag in ALIASES.items() if tag in names}
    for scheme in schemes:
        names |= _names(scheme, folder)
    return names


def _names(name: str | None, folder: Path | None = None) -> dict[str, str]:
    scheme = find_scheme(name, folder)
    types = [entry for question in scheme.questions for entry in question.types] if scheme else []
    return {entry["tag"]: entry.get("name") or entry["tag"] for entry in types}


def sort_tags(tags: Collection[str]) -> list[str]:
    """Tags in the order of the paper, then others."""
    places = {tag: place for place, tag in enumerate(vila_types())}
    return sorted(tags, key=lambda tag: (places.get(canonical(tag), len(places)), tag))


def canonical(tag: str) -> str:
    """The tag of a type that corpora call differently."""
    return ALIASES.get(tag, tag)


@dataclass(frozen=True, slots=True)
class Correlation:
    """How alike two corpora are in the frequencies of their types."""

    corpora: tuple[str, str]
    value: float | None
    types: int
    note: str | None = None


def correlations(tables: Sequence[TypesTable]) -> list[Correlation]:
    """Pearson's correlation for every two corpora; a type that a corpus does not have counts 0 (§5.1)."""
    frequencies: list[tuple[str, dict[str, float]]] = []
    for table in tables:  # by canonical tag: a project may hold annotations of its own beside a corpus with other tags
        by_tag: dict[str, float] = defaultdict(float)
        for tag in table.counts:
            by_tag[canonical(tag)] += table.frequency(tag)
        frequencies.append((table.corpus, by_tag))
    used, vila = {tag for _, by_tag in frequencies for tag in by_tag}, set(vila_types())
    tags = [*(used | vila if used & vila else used)]
    results = []
    for (name1, first), (name2, second) in combinations(frequencies, 2):
        value, note = None, "the two corpora have no type in common"
        if first.keys() & second.keys():
            value = pearson([first.get(tag, 0.0) for tag in tags], [second.get(tag, 0.0) for tag in tags])
            note = "all types are equally frequent in one of the corpora"
        results.append(Correlation((name1, name2), value, len(tags), note if value is None else None))
    return results


def pearson(first: Iterable[float], second: Iterable[float]) -> float | None:
    """Pearson's correlation; None if one side never varies."""
    x, y = (np.asarray(list(side), np.float64) for side in (first, second))
    x, y = x - x.mean(), y - y.mean()
    spread = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / spread if spread else None
