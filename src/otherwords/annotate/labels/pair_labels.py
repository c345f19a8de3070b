"""The current label of a pair on the site, and what else its judgements say.

The label is that of :class:`~otherwords.annotate.labels.engine.LabelEngine`, which also makes the labels of a corpus.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, and_, select

from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.labels.engine import LabelEngine, rank
from otherwords.annotate.labels.views import as_found
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.left_out import left_out_pairs
from otherwords.project.project import Project
from otherwords.records import phenomena_in

JudgementRow = Mapping[str, Any]  # the columns LABEL_COLUMNS
Source = Literal["consensus", "qa", "judgements", "import"]
NOT_A_TEST = schema.judgements.c.purpose != "gold"  # an answer to a hidden test is about the annotator, not the pair
LABEL_COLUMNS = ("seq", "kind", "scheme", "purpose", "batch", "value")  # of a judgement, that its label depends on


@dataclass(frozen=True, slots=True)
class PairLabel:
    """The label of a pair, the different labels that people gave it, and what else their judgements say."""

    label: str | None = None
    labels: tuple[str, ...] = ()
    open: bool = False
    judgements: int = 0
    types: frozenset[str] = frozenset()
    source: Source | None = None  # of the label
    since: int = 0  # the number of the judgement that the label comes from; the first, if several
    parts: frozenset[str] = frozenset()  # of answers in other schemes or to several questions
    left_out: str | None = None  # why somebody left it out of the corpus; then it has no label


@dataclass(frozen=True, slots=True)
class PairRows:
    """What the ledger has of a pair: its imported label, whether it is a rewrite, its judgements, the latest last."""

    imported: str | None
    rewrite: bool
    judgements: list[JudgementRow]


def project_labels(connection: Connection, project: Project, ids: Collection[str]) -> dict[str, PairLabel]:
    """The current label of each pair, by the main view of the project's scheme."""
    name = project.config.scheme
    return labels_of_pairs(connection, ids, name, load_scheme(name, project.folder) if name else None)


def labels_of_pairs(
    connection: Connection, ids: Collection[str], name: str | None = None, scheme: Scheme | None = None
) -> dict[str, PairLabel]:
    """The current label of each pair; judgements in schemes of another name make no labels."""
    pairs, table = schema.pairs, schema.judgements
    about = and_(table.c.pair == pairs.c.id, table.c.unit == "pair", table.c.kind != "simulated")
    about &= and_(NOT_A_TEST, is_current())
    columns = (pairs.c.id, pairs.c.label, pairs.c.rewrite_of, *(table.c[name] for name in LABEL_COLUMNS))
    statement = select(*columns).select_from(pairs.outerjoin(table, about)).order_by(pairs.c.seq, table.c.seq)
    found: dict[str, PairRows] = {}
    for block in in_blocks(sorted(ids)):
        for pair, imported, rewrite_of, *cells in connection.execute(statement.where(pairs.c.id.in_(block))):
            rows = found.setdefault(pair, PairRows(imported, rewrite_of is not None, []))
            judgement = dict(zip(LABEL_COLUMNS, cells, strict=True))
            if judgement["kind"] is not None:
                rows.judgements.append(judgement)
    labeller = PairLabeller(connection, found.values(), name, scheme)
    labels = {pair: labeller.label(rows) for pair, rows in found.items()}
    for pair, out in left_out_pairs(connection, found).items():
        labels[pair] = replace(labels[pair], label=None, open=False, source=None, since=0, left_out=out.reason)
    return labels


class PairLabeller:
    """Labels pairs by a scheme; without one, by the plain answers that these pairs have."""

    def __init__(
        self, connection: Connection, pairs: Iterable[PairRows], name: str | None, scheme: Scheme | None = None
    ) -> None:
        self._name, self._plain_only = name, scheme is None
        if scheme is None:
            answers = [(pair.imported, *(row["value"] for row in pair.judgements)) for pair in pairs]
            scheme = as_found(
                plain for some in answers for answer in some if (plain := _plain_label(answer)) is not None
            )
        self._engine = LabelEngine(connection, scheme, own=True, simulated=False)

    def label(self, pair: PairRows) -> PairLabel:
        """The label that follows from the judgements of a pair and its imported label."""
        own = [row for row in pair.judgements if self._is_own(row)]
        counted = [row for row in own if not self._plain_only or _plain_label(row["value"]) is not None]
        ranked = [(row, rank(row["kind"], row["purpose"])) for row in counted]
        decided = next((row for row, kind in reversed(ranked) if kind in ("consensus", "qa")), None)
        votes = self._engine.goes_by_votes
        individual = [row for row, kind in ranked if kind == "alone" or (votes and kind == "vote")]
        label, source, since = self._decide(pair, counted, decided, individual)
        labels = sorted({plain for row in individual if (plain := _plain_label(row["value"])) is not None})
        with_parts = [row for row in pair.judgements if _plain_label(row["value"]) is None or not self._is_own(row)]
        types = (entry["type"] for row in pair.judgements for entry in phenomena_in(row["value"]) or [])
        return PairLabel(
            label,
            tuple(labels),
            label is None and len(labels) > 1,
            len(pair.judgements),
            frozenset(name for name in types if isinstance(name, str)),
            source,
            since,
            frozenset(part for row in with_parts for part in _parts(row["value"])),
        )

    def _is_own(self, row: JudgementRow) -> bool:
        return self._name is None or row["scheme"] in (None, self._name)

    def _decide(
        self,
        pair: PairRows,
        counted: Sequence[JudgementRow],
        decided: JudgementRow | None,
        individual: Sequence[JudgementRow],
    ) -> tuple[str | None, Source | None, int]:
        """The label, its source and since when: by a decision, by the rule, or as imported."""
        judgements = tuple((row["kind"], row["purpose"], row["batch"], _json(row["value"])) for row in counted)
        outcome = self._engine.outcome((judgements, pair.imported, pair.rewrite))
        label = outcome.label if outcome.state == "labelled" else None
        if outcome.state == "left out" and outcome.views:
            # It is outside the scheme, and shown as it is, so that somebody notices.
            values = [decided["value"]] if decided is not None else [row["value"] for row in individual]
            plain = {_plain_label(value) for value in values} or {pair.imported}
            label = plain.pop() if len(plain) == 1 else None
        if decided is not None:
            return label, "consensus" if decided["kind"] == "consensus" else "qa", decided["seq"]
        if individual:
            return (label, "judgements", individual[0]["seq"]) if label is not None else (None, None, 0)
        return (label, "import", 0) if label is not None else (None, None, 0)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _plain_label(value: Any) -> str | None:
    """A plain answer as a label; None for an answer with several parts."""
    if value is None or isinstance(value, list | dict):
        return None
    return value if isinstance(value, str) else _json(value)


def _parts(value: Any, question: str = "") -> Iterator[str]:
    """The parts of an answer, as :meth:`otherwords.annotate.schemes.scheme.Scheme.parts` has them, for any scheme."""
    prefix = f"{question}=" if question else ""
    if isinstance(value, bool):
        yield from (prefix + word for word in (("yes", "true") if value else ("no", "false")))
    elif isinstance(value, str | int):
        yield f"{prefix}{value}"
        if question and isinstance(value, int):
            yield question  # the value is a count
    elif isinstance(value, list):
        yield from (f"{prefix}{entry}" for entry in value if isinstance(entry, str))
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield from _parts(entry, name if not question else f"{question}={name}")
