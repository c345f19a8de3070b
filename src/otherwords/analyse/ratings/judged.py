"""What people said about outputs: the outputs of a batch with their systems, and the current judgements of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy import Connection

from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.batches.output_pairs import OUTPUT_METHOD, OUTPUTS, systems_of
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import Refused
from otherwords.measures.agreement.codes import Codes, Ints, encode_judgements
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, read_records
from otherwords.project.project import Project
from otherwords.records import Judgement, Pair

_pairs, _judgements = schema.pairs.c, schema.judgements.c


@dataclass(frozen=True, slots=True)
class JudgedOutput:
    """A text that systems wrote for a source, and where it stands among the texts that are compared with it."""

    id: str
    source: str
    text: str
    systems: tuple[str, ...]
    group: str
    lang: str | None
    scores: dict[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RatedBatch:
    """A batch of outputs and the judgements about them; groups are in the order in which they were shown."""

    batch: Batch
    scheme: Scheme
    outputs: dict[str, JudgedOutput]
    groups: dict[str, list[JudgedOutput]]
    judgements: Sequence[Judgement]

    @property
    def systems(self) -> list[str]:
        """All systems, by name."""
        return sorted({system for output in self.outputs.values() for system in output.systems})

    @property
    def sources(self) -> list[str]:
        """All sources, in the order in which they came."""
        return list(dict.fromkeys(output.source for output in self.outputs.values()))

    @property
    def raters(self) -> list[str]:
        """Everybody who gave a judgement."""
        return sorted({judgement.annotator or "" for judgement in self.judgements})

    def codes(self, question: str) -> Codes:
        """The answers to a question as arrays; the question has one answer."""
        answers = [(judgement, answer) for judgement in self.judgements if (answer := answer_to(judgement, question))]
        units = {name: number for number, name in enumerate(dict.fromkeys(judged.pair for judged, _ in answers))}
        people = {name: number for number, name in enumerate(self.raters)}
        values = self.scheme.order(question)
        return encode_judgements(
            _numbers(units[judged.pair] for judged, _ in answers),
            _numbers(people[judged.annotator or ""] for judged, _ in answers),
            _numbers(values.index(answer) for _, answer in answers),
            tuple(people),
            values,
            values,
        )


def _numbers(values: object) -> Ints:
    return np.fromiter(values, np.int64)  # type: ignore[call-overload,no-any-return]


def answer_to(judgement: Judgement, question: str) -> str | None:
    """The answer to a question; the whole value where a scheme asks only one."""
    value = judgement.value.get(question) if question and isinstance(judgement.value, dict) else judgement.value
    return value if isinstance(value, str) else None


def judged_batch(connection: Connection, project: Project, name: str) -> RatedBatch:
    """A batch of outputs with all current judgements of single people."""
    batch = load_batch(connection, name)
    own = (
        _pairs.method == OUTPUT_METHOD,
        _pairs.meta[(OUTPUTS, "batch")].as_string() == name,
        PRESENT,
        _pairs.text1 != "",
    )
    outputs = {pair.id: _output(pair) for pair in read_records(connection, Pair, *own)}
    if not outputs:
        message = f"the batch {name!r} is not about outputs of systems; otherwords batch outputs makes such batches"
        raise Refused(message, code="not-about-outputs")
    groups: dict[str, list[JudgedOutput]] = {}
    for output in outputs.values():
        groups.setdefault(output.group, []).append(output)
    by_people = (_judgements.batch == name, _judgements.kind == "individual", is_current())
    known = outputs.keys() | groups.keys()
    judgements = [found for found in read_records(connection, Judgement, *by_people) if found.pair in known]
    return RatedBatch(batch, load_scheme(batch.scheme, project.folder), outputs, groups, judgements)


def _output(pair: Pair) -> JudgedOutput:
    return JudgedOutput(
        pair.id, pair.text1, pair.text2, tuple(systems_of(pair.meta)), pair.group or "", pair.lang, pair.scores
    )
