"""Names of people and personal data in what a release writes beside its texts.

Every other key and value of the lines of pairs and judgements is looked at, and the few words that only the card has.
The texts of the corpus are not searched for names: whoever works on a corpus has a name that is in some text. Nor are
words of ours (``purpose``, ``production``), which may be names as well. In ids only addresses are personal data: any
long number may be a card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unicodedata import normalize

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.release.personal_data import EMAIL, may_have_personal_data, personal_data
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.withdrawal.pseudonyms import PSEUDONYM_PREFIX
from otherwords.text.scripts import unsegmented

SHORTEST_NAME = 3  # shorter ones are ordinary words in some language, so they count where nothing else is written
SHORTEST_PART = 4  # of a name such as marta.lind
EXAMPLES = 5
LINES_PER_BLOCK = 5000
CORPUS_TEXTS = frozenset({"rewrites"})  # and those of the pairs, which have checks of their own
OWN_WORDS = frozenset(
    {"text1", "text2", "lang", "unit", "purpose", "kind", "scheme", "time", "scores", "round", "unsure"}
    | {"context_shown", "seconds"}
)
OWN_META = frozenset({"part", "positive", "made_by", "views", "simulated", "tokeniser", "kind", "rewrite"})
IDS = frozenset(
    {"id", "pair", "group", "doc1", "doc2", "rewrite_of", "supersedes", "batch", "annotator", "guideline"}
    | {"judgements", "from", "adopted", "void", "unvoid"}
)
Field = tuple[str, msgspec.Raw]
_SIGNS = re.compile(r"[\W_]+")
_RE2_SPECIAL = re.compile(r"([\\.+*?()|\[\]{}^$])")


class NamePattern:
    """Finds the names of everybody who ever had to do with a project."""

    def __init__(self, names: Iterable[str]) -> None:
        people = {normalize("NFC", name) for name in names}
        # Scripts without blanks have no ends of words, and whole names in them have two or three characters.
        anywhere = {name for name in people if len(name) > 1 and unsegmented(name)}
        alone = {name for name in people - anywhere if len(name) < SHORTEST_NAME}
        words = (people - anywhere - alone).union(*map(_parts, people - anywhere))
        # In the names of columns an underscore is a blank: answer_anna.
        patterns = [_any_of(anywhere), rf"(?<![^\W_])(?:{_any_of(words)})(?![^\W_])", rf"\A(?:{_any_of(alone)})\Z"]
        used = [pattern for pattern, known in zip(patterns, (anywhere, words, alone), strict=True) if known]
        self._name = re.compile("|".join(used), re.IGNORECASE) if used else None
        quoted = {f'"{name}"' for name in alone}  # a whole text of JSON
        self._candidates = "|".join(_RE2_SPECIAL.sub(r"\\\1", name) for name in sorted(anywhere | words | quoted))

    def candidates(self, texts: list[str]) -> list[bool]:
        """Which of many texts may have a name; the others certainly have none."""
        if self._name is None:
            return [False] * len(texts)
        column = pc.utf8_normalize(pa.array(texts, pa.large_string()), "NFC")
        matches: list[bool] = pc.match_substring_regex(column, self._candidates, ignore_case=True).to_pylist()
        return matches

    def has_name(self, text: str) -> bool:
        return self._name is not None and self._name.search(normalize("NFC", text)) is not None


def _parts(name: str) -> set[str]:
    """The parts of a name of an account that are names by themselves; those of a pseudonym are not."""
    parts = [] if name.startswith(PSEUDONYM_PREFIX) else _SIGNS.split(name)
    return {part for part in parts if len(part) >= SHORTEST_PART and part.isalpha()}


def _any_of(words: Iterable[str]) -> str:
    """A pattern for any of some words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


@dataclass(slots=True)
class Places:
    """Where something was found: how often, of which kinds, and the first places."""

    count: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, place: str, fields: Sequence[str], kinds: Iterable[str] = ()) -> None:
        self.count += 1
        self.kinds.update(kinds)
        if len(self.examples) < EXAMPLES:
            self.examples.append(f"{place}: {', '.join(dict.fromkeys(fields))}")


def find_in_lines(path: Path, pattern: NamePattern, names: Places, personal: Places) -> None:
    """Look at all lines of a file of pairs or judgements; what is found is not shown itself."""
    decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
    with path.open("rb") as stream:
        for lines in in_blocks(stream, LINES_PER_BLOCK):
            records = [_free_fields(record) for record in decoder.decode_lines(b"".join(lines))]
            ids = [_joined(raw for name, raw in record if name in IDS) for record in records]
            words = [_joined(raw for name, raw in record if name not in IDS) for record in records]
            named = pattern.candidates([f"{some} {others}" for some, others in zip(ids, words, strict=True)])
            private = may_have_personal_data(words)
            for record, written_ids, *candidate in zip(records, ids, named, private, strict=True):
                if any(candidate) or "@" in written_ids:
                    _look_at(record, pattern, names, personal)


def _free_fields(record: dict[str, msgspec.Raw]) -> list[Field]:
    """The fields of a line that may hold anything, and those under its ``meta``."""
    meta = msgspec.json.decode(record.pop("meta"), type=dict[str, msgspec.Raw]) if "meta" in record else {}
    fields = [(name, raw) for name, raw in record.items() if name not in OWN_WORDS]
    fields += [(name if name in IDS else "meta", raw) for name, raw in meta.items() if name not in OWN_META]
    if keys := [name for name in meta if name not in OWN_META | IDS]:
        fields.append(("meta", msgspec.Raw(msgspec.json.encode(keys))))
    return fields


def _joined(fields: Iterable[msgspec.Raw]) -> str:
    return b" ".join(map(bytes, fields)).decode()


def _look_at(record: list[Field], pattern: NamePattern, names: Places, personal: Places) -> None:
    fields = [(name, list(_strings(msgspec.json.decode(raw)))) for name, raw in record]
    identity = {name: strings[0] for name, strings in reversed(fields) if name in ("id", "pair")}
    place = f"judgement {identity['id']} of pair {identity['pair']}" if "pair" in identity else f"pair {identity['id']}"
    searched = [(name, strings) for name, strings in fields if name not in CORPUS_TEXTS]
    if named := [name for name, strings in searched if any(map(pattern.has_name, strings))]:
        names.add(place, named)
    kinds = [
        (match.kind, name)
        for name, strings in fields
        for text in strings
        for match in personal_data(text)
        if match.kind == EMAIL or name not in IDS
    ]
    if kinds:
        personal.add(place, [f"{kind} in {name}" for kind, name in kinds], (kind for kind, _ in kinds))


def _strings(value: Any) -> Iterator[str]:
    """All keys and strings in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from (text for item in value.values() for text in _strings(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in _strings(item))
