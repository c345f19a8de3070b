"""What the judgements of a pair make of it: its label and what made it, or the reason why it has none.

In goes what was said about a pair (:class:`About`), out comes an :class:`Outcome`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection

from otherwords.annotate.batches import Batch, batches
from otherwords.annotate.pair_labels import Rank, rank
from otherwords.annotate.scheme import Scheme
from otherwords.corpus.labelled import MadeBy, State
from otherwords.corpus.labelling_batches import kept_by
from otherwords.corpus.views import Said, Seen, Views
from otherwords.project.simulated import is_simulated

MOST_KEPT = 50_000  # different things that were said
WAITING = "a judgement that its batch asks for is missing"
NOBODY = "nobody has judged it"
NOT_COUNTED = "judged in training or for a check only"
SIMULATED = "simulated judgements only"
VOTES = "anonymous votes only, and the scheme does not go by votes"


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


@dataclass(frozen=True, slots=True, eq=False)  # the same for all pairs of which the same was said
class Outcome:
    """What follows for a pair, as :class:`otherwords.corpus.labelled.Labelled` has it."""

    state: State
    reason: str | None = None
    views: Mapping[str, str | None] = field(default_factory=dict)
    label: str | None = None
    positive: bool | None = None
    made_by: MadeBy | None = None
    simulated: bool = False
    votes: int | None = None
    positive_votes: int | None = None
    used: tuple[int, ...] = ()  # the places of the judgements that made it so


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
            return Outcome("unjudged", _why_unjudged(about.judged), seen.views)
        told = kept_by(self._batches, self.scheme, about.judged)
        if told.state == "no":
            return Outcome("left out", told.reason)
        if told.state == "open" and decided is None:
            return Outcome("open", told.reason or WAITING, seen.views)
        used = (decided,) if decided is not None else alone + votes if seen.made_by == "votes" else alone
        return self._ruled(about, seen, used)

    def _ruled(self, about: About, seen: Seen, used: tuple[int, ...]) -> Outcome:
        assert seen.ruling is not None
        ruling = seen.ruling
        if ruling.state != "labelled":
            return Outcome(ruling.state, ruling.reason, seen.views, ruling.label, ruling.positive)
        alone = seen.made_by == "import" or (seen.made_by == "judgements" and len(used) == 1)
        made_by: MadeBy | None = "rewrite" if about.rewrite and alone else seen.made_by
        made_up = self._made_up and made_by != "import"
        simulated = made_up or any(about.judged[place].kind == "simulated" for place in used)
        said = (ruling.label, ruling.positive, made_by, simulated, seen.votes, seen.positive_votes)
        return Outcome(ruling.state, ruling.reason, seen.views, *said, used)

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


def _why_unjudged(judged: tuple[Judged, ...]) -> str:
    kinds = {one.kind for one in judged}
    if not kinds:
        return NOBODY
    return SIMULATED if kinds == {"simulated"} else VOTES if "vote" in kinds else NOT_COUNTED
