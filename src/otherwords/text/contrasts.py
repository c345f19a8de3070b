"""Words that contrast with a word, from a WordNet database: its antonyms, and those that share its hypernym.

A synset of ``data.noun`` and its siblings ends in pointers, ``symbol offset type source/target``: ``!`` leads from one
word to its antonym, ``@`` from a synset to its hypernym (wninput(5WN)). Words of the same synset do not contrast.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from otherwords.errors import DataError
from otherwords.text.wordnets import numbered_lines, wordnet_files

ANTONYM, HYPERNYM = "!", "@"
PARTS_OF_SPEECH = {"NOUN": "n", "VERB": "v", "ADJ": "a"}
Word = tuple[str, str]  # lemma, part of speech
Synset = tuple[str, str]  # offset, part of speech


@dataclass(slots=True)
class Contrasts:
    """The antonyms and co-hyponyms of a WordNet database."""

    members: dict[Synset, list[str]] = field(default_factory=dict)
    synsets: dict[Word, list[Synset]] = field(default_factory=lambda: defaultdict(list))
    antonyms: dict[Word, list[tuple[Synset, int]]] = field(default_factory=lambda: defaultdict(list))
    hypernyms: dict[Synset, list[Synset]] = field(default_factory=lambda: defaultdict(list))
    hyponyms: dict[Synset, list[Synset]] = field(default_factory=lambda: defaultdict(list))

    def contrasting(self, lemma: str, pos: str) -> set[str]:
        """The lemmas that contrast with a lemma of a part of speech, as Universal Dependencies name it."""
        word = (lemma.lower(), PARTS_OF_SPEECH.get(pos, ""))
        own = self.synsets.get(word, [])
        found = {self.members[synset][place - 1] for synset, place in self.antonyms.get(word, ())}
        for synset in own:
            for hypernym in self.hypernyms.get(synset, ()):
                for other in self.hyponyms.get(hypernym, ()):
                    found.update(self.members.get(other, ()))
        return found - {name for synset in own for name in self.members[synset]}


def read_contrasts(folder: Path) -> Contrasts:
    """The contrasts of a folder with ``data.noun``, ``data.verb`` and ``data.adj``."""
    contrasts = Contrasts()
    for file in wordnet_files(folder):
        for number, line in numbered_lines(file):
            if line.startswith("  "):  # the licence
                continue
            try:
                _add(contrasts, line.partition(" | ")[0].split(" "))
            except (ValueError, IndexError):
                raise DataError(f"is not a synset: {line[:60]!r}", file, number, code="not-a-synset") from None
    return contrasts


def _add(contrasts: Contrasts, fields: list[str]) -> None:
    synset = (fields[0], _part(fields[2]))
    after = 4 + 2 * int(fields[3], 16)
    names = [fields[place].lower().partition("(")[0] for place in range(4, after, 2)]
    contrasts.members[synset] = names
    for name in names:
        contrasts.synsets[name, synset[1]].append(synset)
    for place in range(after + 1, after + 1 + 4 * int(fields[after]), 4):
        symbol, offset, part, places = fields[place : place + 4]
        other = (offset, _part(part))
        if symbol == ANTONYM:
            contrasts.antonyms[names[int(places[:2], 16) - 1], synset[1]].append((other, int(places[2:], 16)))
        elif symbol == HYPERNYM:
            contrasts.hypernyms[synset].append(other)
            contrasts.hyponyms[other].append(synset)


def _part(letter: str) -> str:
    return "a" if letter == "s" else letter  # a satellite of an adjective is an adjective
