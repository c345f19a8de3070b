"""ETPC (Kovatchev et al. 2018): a folder of XML files with pairs in one and typed relations between them in others.

Pairs are read from ``text_pairs.xml``, judgements from the files of relations, whose scopes are numbers of
blank-separated tokens and become character ranges. The input may also be a single file; the texts are then looked for
beside it. ``paraphrase_types.xml`` names the types and their categories. Without the texts, which some releases leave
to MRPC, the words of the relations stand for them (see ``partial_texts``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from xml.etree.ElementTree import Element

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head, refuse_stream
from otherwords.sources.formats.etpc.writing import SIDES, WHOLE, scope_text, words_in, write_folder
from otherwords.sources.io.files import bare_stem
from otherwords.sources.io.xml_stream import Numbered, child_text, elements_below
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.rows.token_ranges import char_ranges, mark_numbers_outside, token_spans
from otherwords.sources.source import Source

TEXTS = (("sent1_tokenized", "sent2_tokenized"), ("sent1_tok", "sent2_tok"), ("sent1_raw", "sent2_raw"))
LABELS = ("0", "1")


@dataclass(slots=True)
class _PairsAndTypes:
    """What relations refer to: the pairs by id, and the names and categories of the types by number."""

    pairs: dict[str, Pair] = field(default_factory=dict)
    types: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement for each pair in each file of relations."""
    folder = source.require_path("ETPC")
    files = [source.sibling(path) for path in sorted(folder.glob("*.xml"))] if folder.is_dir() else [source]
    if not files:
        raise source.error("XML files are expected in the folder, and there are none", code="missing-file")
    if source.wants_judgements:
        corpus = _collect_pairs_and_types(source, files)
        for file in files:
            yield from _judgements(file, corpus)
        return
    any_pair = False
    for file in files:
        for line, row in _rows(file):
            if row.tag not in ("relation", "paraphrase_type") and (pair := _pair_or_reject(line, row, file)):
                any_pair = True
                file.note_place(line)
                yield pair
    if not any_pair:
        raise source.error("no pairs of texts found; in ETPC they are in text_pairs.xml", code="no-pairs")


def _rows(file: Source) -> Iterator[Numbered]:
    return elements_below(file, ("xml",), None)[1]


def _pair_or_reject(line: int, row: Element, file: Source) -> Pair | None:
    fields = _fields(row)
    names = next((names for names in TEXTS if set(names) <= fields.keys()), None)
    if names is None or not fields.get("pair_id"):
        file.reject(line, f"a pair of texts with a pair_id, or a relation, is expected; found {row.tag}", fields)
        return None
    label = fields.get("etpc_label") or None
    if label is not None and label not in LABELS:
        file.reject(line, f"etpc_label: 0 or 1 is expected, found {label!r}", fields)
        return None
    known = {"pair_id", "etpc_label", *names}
    return Pair(
        id=fields["pair_id"],
        text1=fields[names[0]],
        text2=fields[names[1]],
        lang=file.lang or "en",
        label=label,
        meta={"tokeniser": "blank"} | {name: text for name, text in fields.items() if name not in known},
    )


def _fields(row: Element) -> dict[str, str]:
    return {child.tag: child.text or "" for child in row}


def _collect_pairs_and_types(source: Source, files: list[Source]) -> _PairsAndTypes:
    """Collected before the relations are read; for a single file, from the other files of its folder."""
    corpus, partial_texts = _PairsAndTypes(), PartialTexts()
    if source.path is not None and not source.path.is_dir():
        beside = [source.path.parent / name for name in ("text_pairs.xml", "paraphrase_types.xml")]
        files = [*files, *(source.sibling(path) for path in beside if path.is_file() and path != source.path)]
    for file in files:
        for line, row in _rows(file):
            if row.tag == "paraphrase_type":
                names = child_text(row, "type_name"), child_text(row, "type_category")
                corpus.types[child_text(row, "type_id") or ""] = names
            elif row.tag == "relation":
                partial_texts.add(row)
            elif pair := _pair_or_reject(line, row, file):
                corpus.pairs[pair.id] = pair
    corpus.pairs = corpus.pairs or partial_texts.pairs(source.lang or "en")
    return corpus


def _judgements(file: Source, corpus: _PairsAndTypes) -> Iterator[Judgement]:
    name = bare_stem(file.path or Path())
    relations = ((line, row) for line, row in _rows(file) if row.tag == "relation")
    times: Counter[str] = Counter()
    for id, group in groupby(relations, lambda numbered: (child_text(numbered[1], "pair_id") or "").strip()):
        phenomena, first_line = [], None
        pair = corpus.pairs.get(id)
        for line, row in group:
            first_line = first_line or line
            try:
                if pair is None:
                    raise ValueError(f"a pair of text_pairs.xml is expected, found pair_id {id!r}")
                phenomena.append(_phenomenon(_fields(row), pair, corpus, file))
            except ValueError as problem:
                file.reject(line, str(problem), _fields(row))
        if pair is None or not phenomena:
            continue
        if "texts" in pair.meta:
            file.mark("texts known only by the words of relations, so that not all words are counted")
        file.note_place(first_line or 1)
        times[id] += 1
        suffix = f":{times[id]}" if times[id] > 1 else ""
        meta = {"file": name, "text1": pair.text1, "text2": pair.text2, "label": pair.label, **pair.meta}
        yield Judgement(id=f"{name}:{id}{suffix}", pair=id, scheme="etpc", value=phenomena, meta=meta)


def _phenomenon(fields: dict[str, str], pair: Pair, corpus: _PairsAndTypes, file: Source) -> JsonObject:
    """The phenomenon of a relation; what cannot be derived from the ranges is kept in ``meta``."""
    type_id = fields.pop("type_id", "").strip()
    name, category = corpus.types.get(type_id, (None, None))
    type = fields.pop("type_name", "").strip() or name or type_id
    if not type:
        raise ValueError("a relation needs a type_id or type_name, found neither")
    fields.pop("pair_id", None)
    phenomenon: JsonObject = {"type": type}
    meta: JsonObject = {"type_id": type_id} if type_id else {}
    meta |= {"category": category} if category else {}
    for side, (numbers, words) in SIDES.items():
        text = pair.text1 if side.endswith("1") else pair.text2
        spans = token_spans(text)
        scope = fields.pop(numbers, "").strip()
        tokens = list(range(len(spans))) if scope.lower() == WHOLE else _token_numbers(scope)
        if ranges := char_ranges(tokens, spans):
            phenomenon[side] = ranges
        mark_numbers_outside(file, tokens, spans)
        if scope != scope_text(ranges, spans):
            meta[numbers] = scope
        if (scope_words := fields.pop(words, "")) != words_in(ranges, text):
            meta[words] = scope_words
    if fields.get("projection") in ("local", "global"):  # not in the released corpus, but in what we write for others
        phenomenon["projection"] = fields.pop("projection")
    return {**phenomenon, "meta": meta | fields}


def _token_numbers(scope: str) -> list[int]:
    numbers = [part.strip() for part in scope.split(",") if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in numbers):
        raise ValueError(f"scope: token numbers with commas, or {WHOLE!r}, are expected; found {scope[:60]!r}")
    return list(map(int, numbers))


def sniff(head: Head) -> bool:
    """A folder with the pairs or the names of the types, or a file of relations or pairs under the root ``xml``."""
    if head.suffix == "/":
        names = set(head.lines)
        return len(names) > 1 and bool(names & {"text_pairs.xml", "paraphrase_types.xml"})
    text = head.text
    return "<xml>" in text and "<pair_id>" in text and ("<relation>" in text or "<sent1_raw>" in text)


FORMAT = Format(
    "etpc",
    "ETPC (folder of XML files with typed relations)",
    read,
    refuse_stream("etpc"),
    sniff,
    folder=True,
    write_folder=write_folder,
    nouns=(Pair, Judgement),
)


UNKNOWN = "…"
_MAX_TOKENS = 1000  # of a sentence


class PartialTexts:
    """The words of both sentences of each pair, by token number."""

    def __init__(self) -> None:
        self._words: dict[str, tuple[dict[int, str], dict[int, str]]] = defaultdict(lambda: ({}, {}))

    def add(self, relation: Element) -> None:
        """Take over the words of a relation."""
        pair_id = (child_text(relation, "pair_id") or "").strip()
        for side, names in SIDES.items():
            scope, text = ((child_text(relation, name) or "").strip() for name in names)
            words = text.split()
            parts = [part.strip() for part in scope.split(",") if part.strip()]
            if scope.lower() == WHOLE:
                parts = [str(number) for number in range(len(words))]
            numbers = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 10]
            fitting = words if len(words) == len(numbers) else [UNKNOWN] * len(numbers)
            known = self._words[pair_id][side.endswith("2")]
            for number, word in zip(numbers, fitting, strict=True):
                if number < _MAX_TOKENS and known.get(number, UNKNOWN) == UNKNOWN:
                    known[number] = word

    def pairs(self, lang: str) -> dict[str, Pair]:
        """The pairs by id, with the texts as far as they are known."""
        texts = {id: [_text(words) for words in sides] for id, sides in self._words.items() if id}
        meta = {"tokeniser": "blank", "texts": "partial"}
        return {
            id: Pair(id=id, text1=first, text2=second, lang=lang, meta=meta) for id, (first, second) in texts.items()
        }


def _text(words: Mapping[int, str]) -> str:
    return " ".join(words.get(number, UNKNOWN) for number in range(max(words, default=-1) + 1))
