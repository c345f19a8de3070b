"""Whose annotation of types counts: one for each pair, out of judgements in a file or in a project.

A pair counts once. A consensus is its annotation; without one it is what the first annotator said of it. Judgements
that were superseded or taken back do not count. Out come annotations with the two texts, in the order of the pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Text, cast, or_, select

from otherwords.annotate import schemes
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.standing import stands
from otherwords.errors import OtherwordsError
from otherwords.project import opened, schema
from otherwords.project.config import NAME
from otherwords.project.rows import PRESENT, records
from otherwords.records import Judgement, Pair, phenomena_in
from otherwords.sources.reading import reading

SEVERAL = "pairs that several annotated without a consensus; the first annotation counts"
NO_TEXTS = "judgements that do not carry their texts (meta.text1, meta.text2); name the project that they are from"


@dataclass(frozen=True, slots=True)
class Annotation:
    """The types of one pair, as somebody marked them, not yet checked."""

    pair: str
    text1: str
    text2: str
    lang: str | None
    tokeniser: str | None
    snippets: list[Any] | None  # what P4P says about the two texts
    label: str | None  # "0" if it is no paraphrase
    listed: list[Any]
    scheme: str | None

    @property
    def words(self) -> int | None:
        """The words of both texts as the corpus itself counts them."""
        described = [one.get("source_description") for one in self.snippets or []]
        counts = [
            one["wd_count"] for one in described if isinstance(one, dict) and isinstance(one.get("wd_count"), int)
        ]
        return sum(counts) if len(counts) == 2 else None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The annotations that count, and what is to be said about the others."""

    annotations: list[Annotation]
    notes: Counter[str]


def annotations_of(path: str | Path, **wishes: Any) -> tuple[str, Chosen]:
    """The name and the annotations of a project or of a file; ``wishes`` say how a file is read."""
    if (Path(path) / NAME).is_file():
        with opened(path) as project, project.ledger.reading() as connection:
            return project.config.name, in_project(connection, project.folder)
    with reading(path, noun="judgements", **wishes) as corpus:
        found = chosen((one for one in corpus if isinstance(one, Judgement)), {})
        found.notes.update(corpus.account.skipped)
        return corpus.source.stem, found


def in_project(connection: Connection, folder: Path | None = None) -> Chosen:
    """The annotations of a project; ``folder`` is where its own schemes are."""
    said = schema.judgements
    lists = or_(said.c.scheme.in_(schemes_of_types(folder)), cast(said.c.value, Text).like('%"scope%'))
    judgements = list(
        records(connection, Judgement, said.c.unit == "pair", said.c.kind != "simulated", stands(), lists)
    )
    named = select(said.c.pair).where(said.c.unit == "pair", lists)
    pairs = {pair.id: pair for pair in records(connection, Pair, PRESENT, schema.pairs.c.id.in_(named))}
    return chosen((one for one in judgements if one.pair in pairs), pairs, folder)


def chosen(judgements: Iterable[Judgement], pairs: Mapping[str, Pair], folder: Path | None = None) -> Chosen:
    """One annotation for each pair; texts that a judgement does not carry are those of the pair."""
    told = standing(judgements)
    questions = questions_of(told, folder)
    by_pair: dict[str, list[Judgement]] = {}
    for one in told:
        if one.scheme in questions and phenomena_in(one.value, questions[one.scheme]) is not None:
            by_pair.setdefault(one.pair, []).append(one)
    annotations, notes = [], Counter[str]()
    for said in by_pair.values():
        consensus = [one for one in said if one.kind == "consensus"]
        notes[SEVERAL] += not consensus and len({one.annotator for one in said}) > 1
        parts = consensus[-1:] or parts_of([one for one in said if one.annotator == said[0].annotator])
        annotation = annotation_of(parts, pairs.get(said[0].pair), questions)
        if annotation is None:
            notes[NO_TEXTS] += 1
        else:
            annotations.append(annotation)
    return Chosen(annotations, +notes)


def standing(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Those of people about pairs that are superseded by none and not taken back."""
    every = list(judgements)
    superseded = {one.supersedes for one in every if one.supersedes}
    told = [one for one in every if one.id not in superseded and one.value is not None]
    return [one for one in told if one.unit == "pair" and one.kind != "simulated"]


def questions_of(judgements: Iterable[Judgement], folder: Path | None = None) -> dict[str | None, str | None]:
    """For each scheme that may ask for phenomena the question, None of one that is not known; without other schemes."""
    named = {one.scheme for one in judgements}
    asked = {name: question_of(name, folder) for name in named}
    return {name: asked[name] for name in named if asked[name] is not None or scheme_called(name, folder) is None}


def parts_of(said: list[Judgement]) -> list[Judgement]:
    """What one annotator said last; of a corpus that spreads the types of a pair over files, all of it."""
    return [one for one in said if "file" in one.meta] or said[-1:]


def annotation_of(
    parts: list[Judgement], pair: Pair | None, questions: Mapping[str | None, str | None]
) -> Annotation | None:
    """What the judgements of one annotator say about a pair; None if its texts are not known."""
    first = parts[0]
    known = {"text1": pair.text1, "text2": pair.text2, "lang": pair.lang, **pair.meta} if pair else {}
    known |= {name: value for name, value in first.meta.items() if value is not None}
    text1, text2 = known.get("text1"), known.get("text2")
    if not isinstance(text1, str) or not isinstance(text2, str):
        return None
    listed = [one for part in parts for one in phenomena_in(part.value, questions[part.scheme]) or []]
    return Annotation(
        pair=first.pair,
        text1=text1,
        text2=text2,
        lang=_text(known.get("lang")),
        tokeniser=_text(known.get("tokeniser")),
        snippets=_snippets(known.get("snippets")),
        label=_text(first.meta.get("label")) or ("0" if phenomena_in(first.value) is None else None),
        listed=listed,
        scheme=first.scheme,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _snippets(told: object) -> list[Any] | None:
    """The two snippets of a pair, if that is what was told."""
    if not isinstance(told, list) or len(told) != 2:
        return None
    return told if all(isinstance(one, dict) and isinstance(one.get("id"), str) for one in told) else None


def schemes_of_types(folder: Path | None = None) -> list[str]:
    """The names of the schemes that ask for phenomena."""
    return [name for name in schemes.names(folder) if question_of(name, folder) is not None]


def question_of(name: str | None, folder: Path | None = None) -> str | None:
    """The question of a scheme that is answered by phenomena; None if there is no such question or scheme."""
    found = scheme_called(name, folder)
    return next((one.name for one in found.questions if one.kind == "types"), None) if found else None


def scheme_called(name: str | None, folder: Path | None = None) -> Scheme | None:
    """A scheme by the name that judgements carry; None where there is none, or none that can be read."""
    try:
        return schemes.scheme(name, folder) if name else None
    except OtherwordsError:
        return None
