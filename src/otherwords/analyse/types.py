"""Tables 3 and 4 of Vila et al. 2014: how many phenomena of which types a corpus has, and how long they are.

In go annotations, one a pair, out comes one table. Definitions as they are found in the released P4P: words are those
that the corpus itself counts, else tokens; "phenomena per word" are the tokens in the scopes of all phenomena over the
words; the length of a phenomenon is the mean over both texts, so that of an addition half of its scope.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.analyse.types_reading import Annotation, Chosen, scheme_called
from otherwords.errors import DataError
from otherwords.measures.agreement.iapta import cut, parsed
from otherwords.measures.agreement.iapta_tokens import marked

SCHEME = "vila"  # whose types are the rows of the tables, in this order
ALIASES = {"lex_spelling_and_format": "lex_spelling", "dis_punct_format": "dis_punctuation"}  # as P4P has them


@dataclass(slots=True)
class TypesTable:
    """What is to be said about the types of a corpus; ``as_dict`` is its JSON form."""

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
        """The tokens of a phenomenon of this type in one text, on average."""
        return self.tokens[tag] / self.counts[tag] / 2

    def averages(self) -> dict[str, float | None]:
        """The lower half of Table 3."""
        return {
            "words_per_member": _ratio(self.words, 2 * self.pairs),
            "phenomena_per_pair": _ratio(self.phenomena, self.pairs),
            "phenomena_per_word": _ratio(self.scope_tokens, self.words),
        }

    def as_dict(self) -> dict[str, Any]:
        """Both tables."""
        types = {
            tag: {"frequency": self.frequency(tag), "length": self.length(tag), "phenomena": self.counts[tag]}
            for tag in in_order(self.counts)
        }
        told = {"words": self.words, "pairs": self.pairs, "phenomena": self.phenomena, **self.averages()}
        return {"corpus": self.corpus, **told, "types": types, "notes": dict(self.notes)}


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def types_table(corpus: str, found: Chosen, tokeniser: str | None = None) -> TypesTable:
    """The table of a corpus of that name; what cannot be counted is left out and said."""
    if not found.annotations:
        raise DataError(
            "holds no annotated types: no judgement lists phenomena, "
            + ("; ".join(f"and {count:,} {note}" for note, count in found.notes.items()) or "and none was left out"),
            corpus,
        )
    table = TypesTable(corpus, notes=Counter(found.notes))
    known = {*vila_types(), *ALIASES}
    for annotation in found.annotations:
        counted = _count(annotation, table, tokeniser or annotation.tokeniser)
        unknown = [tag for tag in counted if tag not in known] if annotation.scheme == SCHEME else []
        table.notes.update(
            f"phenomena of the type {tag}, which {SCHEME} does not have; they are counted" for tag in unknown
        )
    return table


def _count(annotation: Annotation, table: TypesTable, tokeniser: str | None) -> list[str]:
    """Add one pair; the types of its phenomena that were counted."""
    cuts = tuple(cut(text, annotation.lang, tokeniser) for text in (annotation.text1, annotation.text2))
    table.pairs += 1
    table.words += annotation.words if annotation.words is not None else sum(len(one.starts) for one in cuts)
    phenomena, problems = parsed(annotation.listed)
    counted = []
    for one in phenomena:
        try:
            in_tokens = marked(one, (cuts[0], cuts[1]))
        except ValueError as reason:
            problems.append(str(reason))
            continue
        length = in_tokens.scope1.bit_count() + in_tokens.scope2.bit_count()
        counted.append(one.type)
        table.tokens[one.type] += length
        table.scope_tokens += length
    table.counts.update(counted)
    table.notes.update(f"phenomena left out because {reason}" for reason in problems)
    return counted


def vila_types() -> list[str]:
    """The tags of the 24 types, in the order of the paper."""
    return list(_names(SCHEME))


def type_names(schemes: Iterable[str | None], folder: Path | None = None) -> dict[str, str]:
    """What schemes call their types, by tag, and what corpora of Vila's types call theirs."""
    told = _names(SCHEME)
    told |= {tag: told[known] for tag, known in ALIASES.items() if known in told}
    for name in schemes:
        told |= _names(name, folder)
    return told


def _names(scheme: str | None, folder: Path | None = None) -> dict[str, str]:
    found = scheme_called(scheme, folder)
    types = [one for question in found.questions for one in question.types] if found else []
    return {one["tag"]: one.get("name") or one["tag"] for one in types}


def in_order(tags: Collection[str]) -> list[str]:
    """Tags as the paper orders them, then others."""
    places = {tag: place for place, tag in enumerate(vila_types())}
    return sorted(tags, key=lambda tag: (places.get(canonical(tag), len(places)), tag))


def canonical(tag: str) -> str:
    """The one name of a type that corpora call differently."""
    return ALIASES.get(tag, tag)
