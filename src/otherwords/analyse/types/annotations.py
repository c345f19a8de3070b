"""Annotations of types: read from the judgements in a file or a project, one for each pair with its two texts.

The annotation of a pair is its consensus; without one it is that of the first annotator. Judgements that were
superseded or withdrawn do not count. What is written for others to read carries the texts and names no annotators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Text, cast, or_, select

from otherwords.analyse.judgement_tables import with_original_kind
from otherwords.annotate import schemes
from otherwords.annotate.current_judgements import BY_NO_PERSON, is_by_people, is_current
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.corpus.release.pairs import read_pairs
from otherwords.errors import OtherwordsError
from otherwords.project import open_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, read_records
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.records import Judgement, Pair, parse_phenomena, phenomena_in
from otherwords.sources.reading import (
    DATA_FOLDER,
    JUDGEMENTS_FILE,
    PAIRS_FILE,
    RELEASE_FILE,
    RecordReader,
    open_records,
    write_records,
)
from otherwords.sources.rows.records import NOT_ASKED
from otherwords.sources.source import Place

SEVERAL = "pairs that several annotated without a consensus; the first annotation counts"
WITHOUT_TEXTS = "it does not carry its texts (meta.text1, meta.text2), and no project has them"
NO_TEXTS = "judgements that do not carry their texts (meta.text1, meta.text2); name the project that they are from"


SCOPE = b'"scope'  # in every line that lists phenomena


@dataclass(frozen=True, slots=True)
class Annotation:
    """The types of one pair as somebody marked them, not yet checked."""

    pair: str
    text1: str
    text2: str
    lang: str | None
    tokeniser: str | None
    snippets: list[Any] | None  # what P4P says about the two texts
    label: str | None  # "0" if it is no paraphrase
    phenomena: list[Any]
    scheme: str | None

    @property
    def words(self) -> int | None:
        """The words of both texts as the corpus itself counts them."""
        descriptions = [snippet.get("source_description") for snippet in self.snippets or []]
        counts = [description.get("wd_count") for description in descriptions if isinstance(description, dict)]
        numbers = [count for count in counts if isinstance(count, int)]
        return sum(numbers) if len(numbers) == 2 else None


@dataclass(frozen=True, slots=True)
class TypeAnnotations:
    """The annotations that count, and how often something kept others from counting."""

    annotations: list[Annotation]
    notes: Counter[str]
    refused: list[tuple[Judgement, str]] = field(default_factory=list)  # judgements that do not count, and why


def load_annotations(path: str | Path, **reading_options: Any) -> tuple[str, TypeAnnotations]:
    """The name and the annotations of a project or a file; ``reading_options`` say how a file is read."""
    if (Path(path) / CONFIG_FILE).is_file():
        with open_project(path) as project, project.ledger.reading() as connection:
            return project.config.name, project_annotations(connection, project.folder)
    with open_records(path, noun="judgements", **reading_options) as corpus:
        places: dict[str, Place | None] = {}  # of each judgement
        judgements = list(_noting_places(corpus, places))
        without_texts = {judgement.pair for judgement in judgements if "text1" not in judgement.meta}
        beside = pairs_beside(corpus.source.path) if without_texts and corpus.source.path else None
        annotations = select_annotations(judgements, beside(without_texts) if beside else {})
        for judgement, reason in annotations.refused:
            file, line = places[judgement.id] or (corpus.source.name, None)
            corpus.account.set_aside(file, line, reason, msgspec.to_builtins(judgement))
        annotations.notes.update(corpus.account.skipped + corpus.account.marked)
        return Path(path).resolve().name if Path(path).is_dir() else corpus.source.stem, annotations


def _noting_places(corpus: RecordReader, places: dict[str, Place | None]) -> Iterator[Judgement]:
    for record in corpus:
        if isinstance(record, Judgement):
            places[record.id] = corpus.source.place
            yield record


def project_annotations(connection: Connection, folder: Path | None = None) -> TypeAnnotations:
    """The annotations of a project; ``folder`` is where its own schemes are."""
    columns = schema.judgements.c
    ask_for_types = [name for name in schemes.scheme_names(folder) if _type_question(name, folder) is not None]
    lists_types = or_(columns.scheme.in_(ask_for_types), cast(columns.value, Text).like('%"scope%'))
    about_pairs = columns.unit == "pair"
    judgements = list(read_records(connection, Judgement, about_pairs, is_by_people(), is_current(), lists_types))
    annotated = select(columns.pair).where(about_pairs, lists_types)
    in_corpus = (PRESENT, NOT_LEFT_OUT, schema.pairs.c.id.in_(annotated))
    pairs = {pair.id: pair for pair in read_records(connection, Pair, *in_corpus)}
    return select_annotations((judgement for judgement in judgements if judgement.pair in pairs), pairs, folder)


def select_annotations(
    judgements: Iterable[Judgement], pairs: Mapping[str, Pair], folder: Path | None = None
) -> TypeAnnotations:
    """One annotation for each pair; texts that a judgement does not carry are those of the pair."""
    current = current_judgements(judgements)
    questions = type_questions(current, folder)
    by_pair: dict[str, list[Judgement]] = {}
    for judgement in current:
        scheme = judgement.scheme
        if scheme in questions and phenomena_in(judgement.value, questions[scheme]) is not None:
            by_pair.setdefault(judgement.pair, []).append(judgement)
    annotations, notes, refused = [], Counter[str](), list[tuple[Judgement, str]]()
    for pair, of_pair in by_pair.items():
        consensus = [judgement for judgement in of_pair if judgement.kind == "consensus"]
        by_first = [judgement for judgement in of_pair if judgement.annotator == of_pair[0].annotator]
        notes[SEVERAL] += not consensus and len(by_first) < len(of_pair)
        parts = consensus[-1:] or latest_parts(by_first)
        annotation = build_annotation(parts, pairs.get(pair), questions)
        if annotation is None:
            notes[NO_TEXTS] += 1
            refused += [(judgement, WITHOUT_TEXTS) for judgement in of_pair]
            continue
        annotations.append(annotation)
        for part in parts:
            _, problems = parse_phenomena(phenomena_in(part.value, questions[part.scheme]) or [])
            refused += [(part, f"phenomena left out because {problem}") for problem in problems]
    return TypeAnnotations(annotations, +notes, refused)


def current_judgements(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Judgements of people about pairs that are neither superseded nor withdrawn."""
    judgements = list(judgements)
    superseded = {judgement.supersedes for judgement in judgements if judgement.supersedes}
    return [
        judgement
        for judgement in judgements
        if judgement.id not in superseded
        and judgement.value is not None
        and judgement.unit == "pair"
        and judgement.kind not in BY_NO_PERSON
    ]


def type_questions(judgements: Iterable[Judgement], folder: Path | None = None) -> dict[str | None, str | None]:
    """The question about types of each scheme; None for unknown schemes, which may ask for types.

    Known schemes without such a question are left out.
    """
    names = {judgement.scheme for judgement in judgements}
    questions = {name: _type_question(name, folder) for name in names}
    return {
        name: question
        for name, question in questions.items()
        if question is not None or find_scheme(name, folder) is None
    }


def latest_parts(judgements: list[Judgement]) -> list[Judgement]:
    """The last judgement of an annotator; all of them in a corpus that spreads the types of a pair over files."""
    return [judgement for judgement in judgements if "file" in judgement.meta] or judgements[-1:]


def build_annotation(
    parts: list[Judgement], pair: Pair | None, questions: Mapping[str | None, str | None]
) -> Annotation | None:
    """The annotation that the judgements of one annotator make up; None if its texts are not known."""
    first = parts[0]
    known = {"text1": pair.text1, "text2": pair.text2, "lang": pair.lang, **pair.meta} if pair else {}
    known |= {name: value for name, value in first.meta.items() if value is not None}
    text1, text2 = known.get("text1"), known.get("text2")
    if not isinstance(text1, str) or not isinstance(text2, str):
        return None
    return Annotation(
        pair=first.pair,
        text1=text1,
        text2=text2,
        lang=_text(known.get("lang")),
        tokeniser=_text(known.get("tokeniser")),
        snippets=_snippets(known.get("snippets")),
        label=_text(first.meta.get("label")) or ("0" if phenomena_in(first.value) is None else None),
        phenomena=[item for part in parts for item in _phenomena_of(part, questions[part.scheme])],
        scheme=first.scheme,
    )


def _phenomena_of(judgement: Judgement, question: str | None) -> list[Any]:
    """The phenomena that a judgement lists, or that a corpus lists for a pair that is no paraphrase."""
    beside_answer = phenomena_in(judgement.meta.get(NOT_ASKED)) or []
    return phenomena_in(judgement.value, question) or beside_answer


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _snippets(value: object) -> list[Any] | None:
    """The two snippets of a pair, if the value is that."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    return value if all(isinstance(part, dict) and isinstance(part.get("id"), str) for part in value) else None


def _type_question(name: str | None, folder: Path | None = None) -> str | None:
    """The question of a scheme that asks for types; None if there is no such question or scheme."""
    scheme = find_scheme(name, folder)
    return next((question.name for question in scheme.questions if question.kind == "types"), None) if scheme else None


def find_scheme(name: str | None, folder: Path | None = None) -> Scheme | None:
    """A scheme by the name that judgements carry; None if there is none or it cannot be read."""
    try:
        return schemes.load_scheme(name, folder) if name else None
    except OtherwordsError:
        return None


def release_annotations(folder: Path, *, simulated: bool = False) -> TypeAnnotations:
    """The annotations of a release, one for each pair; none where nobody annotated types."""
    path = folder / JUDGEMENTS_FILE
    if not path.is_file():
        return TypeAnnotations([], Counter())
    with path.open("rb") as stream:
        if not any(SCOPE in line for line in stream):
            return TypeAnnotations([], Counter())
    with open_records(path, "jsonl", noun="judgements") as records:
        judgements = [record for record in records if isinstance(record, Judgement)]
    if simulated:
        judgements = [with_original_kind(judgement) for judgement in judgements]
    return select_annotations(judgements, pair_lookup(folder)({judgement.pair for judgement in judgements}))


def pairs_beside(path: Path) -> Callable[[set[str]], dict[str, Pair]] | None:
    """A function that looks up pairs of the release at a path, or in which the file lies; None if it is in none."""
    folder = path if path.is_dir() else path.parent
    is_release = (folder / RELEASE_FILE).is_file() and (folder / DATA_FOLDER / PAIRS_FILE).is_file()
    return pair_lookup(folder) if is_release else None


def pair_lookup(folder: Path) -> Callable[[set[str]], dict[str, Pair]]:
    """A function that looks up pairs of a release by their ids."""
    return lambda ids: {pair.id: pair for pair in read_pairs(folder / DATA_FOLDER / PAIRS_FILE) if pair.id in ids}


def write_types(corpus: str, types: TypeAnnotations, path: str | Path, format: str = "p4p") -> None:
    """Write the annotations of a corpus of that name in a format that holds types: p4p, etpc, msrp-a or jsonl."""
    write_records((_as_judgement(corpus, annotation) for annotation in types.annotations), path, format)


def _as_judgement(corpus: str, annotation: Annotation) -> Judgement:
    meta = {
        "text1": annotation.text1,
        "text2": annotation.text2,
        "lang": annotation.lang,
        "source": corpus,
        "tokeniser": annotation.tokeniser,
        "label": annotation.label,
        "snippets": annotation.snippets,
    }
    return Judgement(
        id=f"{annotation.pair}:types",
        pair=annotation.pair,
        scheme=annotation.scheme,
        value=annotation.phenomena,
        meta={name: value for name, value in meta.items() if value is not None},
    )
