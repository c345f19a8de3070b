"""The pairs of a project with what their judgements make of them, one after the other in the order of the ledger.

Some thousand pairs are read at a time, and the judgements of just these; so a corpus of any size takes the same room.
Removed and withdrawn pairs are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Text, cast, or_, select

from otherwords.annotate.batches import Batch, batches
from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.annotate.pair_labels import NO_TEST, Rank, rank
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.standing import stands
from otherwords.corpus.labelled import Labelled
from otherwords.corpus.labelling_batches import kept_by
from otherwords.corpus.views import AS_FOUND, Said, Seen, Views
from otherwords.project import schema
from otherwords.project.simulated import is_simulated
from otherwords.records import Passage

PAIRS_AT_A_TIME = 5000
MOST_KEPT = 50_000  # different things that were said
WAITING = "a judgement that its batch asks for is missing"
NOBODY = "nobody has judged it"
NOT_COUNTED = "judged in training or for a check only"
SIMULATED = "simulated judgements only"
VOTES = "anonymous votes only, and the scheme does not go by votes"
_one, _said = schema.pairs, schema.judgements
_PLAIN = ("id", "text1", "text2", "lang", "source", "group", "time", "method", "rewrite_of", "scores", "meta")
_SPANS = ("doc1", "start1", "end1", "doc2", "start2", "end2")


class Judged(NamedTuple):
    """A standing judgement of a pair, as far as labels go."""

    kind: str
    purpose: str
    batch: str | None
    value: str  # as the ledger spells it


class About(NamedTuple):
    """All that the label of a pair depends on."""

    judged: tuple[Judged, ...]
    came: str | None  # the label that the pair came with
    rewrite: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows for a pair, and which of the judgements made it so."""

    fields: dict[str, Any]
    used: tuple[int, ...] = ()


class Making:
    """What labels are made by. Among many pairs few things are said, so each is thought about once."""

    def __init__(self, connection: Connection, scheme: Scheme, *, own: bool, simulated: bool) -> None:
        self.scheme = scheme
        self.own = own  # it is the scheme of the project, which labels that pairs came with belong to
        self.simulated = simulated
        self._made_up = is_simulated(connection)
        self._views = Views(scheme)
        self._batches: dict[str | None, Batch] = {one.id: one for one in batches(connection)}
        self._known: dict[Any, Outcome] = {}

    def outcome(self, about: tuple[Any, ...]) -> Outcome:
        """What follows from :class:`About`, given as plain tuples."""
        found = self._known.get(about)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            judged, came, rewrite = about
            found = self._known[about] = self._made(About(tuple(map(Judged._make, judged)), came, rewrite))
        return found

    def _made(self, about: About) -> Outcome:
        ranks = [self._rank(one) for one in about.judged]
        decided = next((place for place in reversed(range(len(ranks))) if ranks[place] in ("consensus", "qa")), None)
        alone = tuple(place for place, counts in enumerate(ranks) if counts == "alone")
        votes = tuple(place for place, counts in enumerate(ranks) if counts == "vote")
        seen = self._views(self._said(about, decided, alone, votes))
        if seen.ruling is None:
            return Outcome({"state": "unjudged", "reason": _why_unjudged(about.judged), "views": seen.views})
        told = kept_by(self._batches, self.scheme, about.judged)
        if told.state == "no":
            return Outcome({"state": "left out", "reason": told.reason})
        if told.state == "open" and decided is None:
            return Outcome({"state": "open", "reason": told.reason or WAITING, "views": seen.views})
        used = (decided,) if decided is not None else alone + votes if seen.made_by == "votes" else alone
        fields = _fields(about, seen, used)
        if self._made_up and fields.get("made_by") not in (None, "import"):
            fields["simulated"] = True
        return Outcome(fields, used if seen.ruling.state == "labelled" else ())

    def _rank(self, one: Judged) -> Rank | None:
        """A simulated judgement counts as that of a person where somebody asked for it."""
        return rank("individual" if self.simulated and one.kind == "simulated" else one.kind, one.purpose)

    def _said(self, about: About, decided: int | None, alone: tuple[int, ...], votes: tuple[int, ...]) -> Said:
        judged = about.judged
        if decided is not None:
            return Said(judged[decided].value, "consensus" if judged[decided].kind == "consensus" else "qa")
        came = about.came if self.own else None
        if came is None and about.rewrite and not judged and self.scheme.rewrite is not None:
            came = self.scheme.rewrite.label
        asked = [self._batches[judged[one].batch].asked for one in alone if judged[one].batch in self._batches]
        said, voted = (tuple(judged[place].value for place in places) for places in (alone, votes))
        return Said(alone=said, votes=voted, asked=max(asked, default=0), came=came)


def labelled_rows(connection: Connection, by: Making) -> Iterator[Labelled]:
    """All pairs, each with its label or the reason why it has none."""
    columns = [_one.c.seq, _one.c.label, *(_one.c[name] for name in (*_SPANS, *_PLAIN))]
    statement = select(*columns).where(*others(EVERYTHING)).order_by(_one.c.seq).limit(PAIRS_AT_A_TIME)
    after = 0
    while block := connection.execute(statement.where(_one.c.seq > after)).all():
        said = _judgements(connection, by, after, block[-1].seq)
        for seq, came, doc1, start1, end1, doc2, start2, end2, *plain in block:
            judged = said.get(seq, [])
            pair = dict(zip(_PLAIN, plain, strict=True))
            if doc1 is not None:
                pair["doc1"] = Passage(id=doc1, start=start1, end=end1)
            if doc2 is not None:
                pair["doc2"] = Passage(id=doc2, start=start2, end=end2)
            about = (tuple([one[2:] for one in judged]), came, pair["rewrite_of"] is not None)
            outcome = by.outcome(about)
            yield Labelled(**pair, **outcome.fields, judgements=[judged[place][1] for place in outcome.used])
        after = block[-1].seq


def _judgements(connection: Connection, by: Making, after: int, last: int) -> dict[int, list[Any]]:
    """What was said of the pairs between two numbers, by pair, the first said first."""
    mine = [_said.c.scheme == by.scheme.name, *([_said.c.scheme.is_(None)] if by.own else [])]
    which = [or_(*mine)] if by.scheme.name != AS_FOUND else []
    about = (_said.c.unit == "pair", NO_TEST, stands(), *which)
    columns = (_one.c.seq, *(_said.c[name] for name in ("id", *Judged._fields[:-1])), cast(_said.c.value, Text))
    between = (_one.c.seq > after, _one.c.seq <= last)
    # In this order SQLite begins with the pairs; by itself it would read all judgements for every block of pairs.
    statement = select(*columns).join_from(_one, _said, _said.c.pair == _one.c.id).order_by(_one.c.seq, _said.c.seq)
    told: dict[int, list[Any]] = {}
    for row in connection.execute(statement.where(*between, *about)).all():
        told.setdefault(row[0], []).append(row)
    return told


def _fields(about: About, seen: Seen, used: tuple[int, ...]) -> dict[str, Any]:
    assert seen.ruling is not None
    told: dict[str, Any] = {"label": seen.ruling.label, "positive": seen.ruling.positive, "state": seen.ruling.state}
    told |= {"reason": seen.ruling.reason, "views": seen.views}
    if seen.ruling.state != "labelled":
        return told
    writers_own = about.rewrite and (seen.made_by == "import" or (seen.made_by == "judgements" and len(used) == 1))
    told |= {"made_by": "rewrite" if writers_own else seen.made_by}
    told |= {"simulated": any(about.judged[place].kind == "simulated" for place in used)}
    return told | {"votes": seen.votes, "positive_votes": seen.positive_votes}


def _why_unjudged(judged: tuple[Judged, ...]) -> str:
    kinds = {one.kind for one in judged}
    if not kinds:
        return NOBODY
    return SIMULATED if kinds == {"simulated"} else VOTES if "vote" in kinds else NOT_COUNTED
