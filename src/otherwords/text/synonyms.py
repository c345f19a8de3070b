"""Which words can stand for each other, from wordnets that the user has.

Lemmas are compared in lower case and NFC, the parts of a multi-word lemma joined by blanks (files write ``_`` or
blanks). Only members of one synset count as synonyms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from otherwords.errors import DataError
from otherwords.text.wordnets import Sense, omw_header, omw_senses, wordnet_name, wordnet_senses


@dataclass(frozen=True, slots=True)
class Synonyms:
    """The synsets of one wordnet."""

    name: str
    licence: str
    _synsets: dict[str, frozenset[str]]
    _members: dict[str, frozenset[str]]

    def synonyms(self, lemma: str) -> frozenset[str]:
        """Every other lemma that shares a synset with this one; empty for an unknown one."""
        key = _key(lemma)
        members = (self._members[synset] for synset in self._synsets.get(key, ()))
        return frozenset().union(*members) - {key}

    def related(self, lemma1: str, lemma2: str) -> bool:
        """Whether two lemmas are the same or share a synset."""
        first, second = _key(lemma1), _key(lemma2)
        if first == second:
            return True
        return not self._synsets.get(first, frozenset()).isdisjoint(self._synsets.get(second, ()))

    def __len__(self) -> int:
        return len(self._synsets)

    def __contains__(self, lemma: str) -> bool:
        return _key(lemma) in self._synsets

    def signature(self) -> str:
        return f"synonyms:{self.name}"


def build_synonyms(senses: Iterable[Sense], name: str, licence: str = "") -> Synonyms:
    """Synonyms from pairs of synset and lemma."""
    synsets, members = defaultdict(set), defaultdict(set)
    for synset, lemma in senses:
        key = _key(lemma)
        synsets[key].add(synset)
        members[synset].add(key)
    frozen = ({key: frozenset(values) for key, values in table.items()} for table in (synsets, members))
    return Synonyms(name, licence, *frozen)


def load_synonyms(path: str | Path) -> Synonyms:
    """Synonyms from a tab file of the Open Multilingual Wordnet or a folder with a WordNet database."""
    path = Path(path)
    if path.is_dir():
        return build_synonyms(wordnet_senses(path), wordnet_name(path), "WordNet")
    if not path.is_file():
        raise DataError("no such file; give an OMW tab file or a WordNet database folder", path, code="no-such-file")
    name, licence = omw_header(path)
    return build_synonyms(omw_senses(path), name, licence)


def _key(lemma: str) -> str:
    return " ".join(normalize("NFC", lemma).lower().replace("_", " ").split())
