"""What the judgements of a pair make of it: its label and what made it, or the reason why it has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import Connection

from otherwords.annotate.batches.batch import Batch, load_batches
from otherwords.annotate.batches.keep_rule import KeepDecision, apply_keep_rule
from otherwords.annotate.labels.views import CountedValues, MadeBy, SchemeViews, ViewLabels
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.project.simulated import is_simulated
from otherwords.records import MODEL

State = Literal["labelled", "open", "tied", "unjudged", "left out"]
Rank = Literal["consensus", "qa", "alone", "vote"]
CACHE_SIZE = 50_000  # different combinations of judgements
WAITING = "a judgement that its batch asks for is missing"
NOBODY = "nobody has judged it"
NOT_COUNTED = "judged in training or for a check only"
SIMULATED = "simulated judgements only"
VOTES = "anonymous votes only, and the scheme does not go by votes"


def rank(kind: str, purpose: str) -> Rank | None:
    """What a judgement counts for; None if it is about people or a check, and makes no label by itself.

    Team decisions about pairs of a training batch count (Vila et al. 2014); individual judgements there do not.
    """
    if purpose in ("gold", "check"):
        return None
    if kind == "consensus":
        return "consensus"
    if kind == "vote":
        return "vote"
    if kind != "individual" or purpose == "training":
        return None
    return "qa" if purpose == "qa" else "alone"


class CurrentJudgement(NamedTuple):
    """The part of a current judgement of a pair that labels depend on."""

    kind: str
    purpose: str
    batch: str | None
    value: str  # JSON, as in the ledger


class PairJudgements(NamedTuple):
    """All that the label of a pair depends on."""

    judgements: tuple[CurrentJudgement, ...]
    imported: str | None  # the label that the pair was imported with
    rewrite: bool


@dataclass(frozen=True, slots=True, eq=False)  # shared by all pairs with the same judgements
class LabelOutcome:
    """The outcome for a pair, in the fields of :class:`otherwords.corpus.labels.table.LabelledPair`."""

    state: State
    reason: str | None = None
    views: Mapping[str, str | None] = field(default_factory=dict)
    label: str | None = None
    positive: bool | None = None
    made_by: MadeBy | None = None
    simulated: bool = False
    by_model: bool = False  # whether a model's judgement contributed to the label
    votes: int | None = None
    positive_votes: int | None = None
    used: tuple[int, ...] = ()  # positions of the judgements that led to it


class LabelEngine:
    """Labels pairs by a scheme. Many pairs have equal judgements, so each combination is worked out once."""

    def __init__(
        self, connection: Connection, scheme: Scheme, *, own: bool, simulated: bool, models: bool = False
    ) -> None:
        self.scheme = scheme
        self.own = own  # whether it is the project's own scheme, which imported labels belong to
        self.simulated = simulated
        self.models = models  # whether judgements of models count like a person's; otherwise it must not see them
        self._simulated_project = is_simulated(connection)
        self._views = SchemeViews(scheme)
        self._connection = connection
        self._cache: dict[Any, LabelOutcome] = {}

    @cached_property
    def _nobody(self) -> str:
        """Why a pair without judgements has no label; in a project with several schemes it may have some of others."""
        schemes = {batch.scheme for batch in self._batches.values() if batch.unit == "pair"}
        several = not self.own or schemes - {self.scheme.name}
        return f"{NOBODY} with the scheme {self.scheme.name}" if several else NOBODY

    @cached_property
    def _batches(self) -> dict[str | None, Batch]:
        return {batch.id: batch for batch in load_batches(self._connection)}

    @property
    def goes_by_votes(self) -> bool:
        """Whether the main view counts votes."""
        return self._views.main.view.rule == "votes"

    def outcome(self, pair: tuple[Any, ...]) -> LabelOutcome:
        """The outcome for a pair, given as the plain tuples of :class:`PairJudgements`."""
        outcome = self._cache.get(pair)
        if outcome is None:
            if len(self._cache) >= CACHE_SIZE:
                self._cache.clear()
            judgements, imported, rewrite = pair
            current = tuple(map(CurrentJudgement._make, judgements))
            outcome = self._cache[pair] = self._work_out(PairJudgements(current, imported, rewrite))
        return outcome

    def _work_out(self, pair: PairJudgements) -> LabelOutcome:
        kinds = [judgement.kind for judgement in pair.judgements]
        if self.simulated:  # then simulated judgements count like a person's
            kinds = ["individual" if kind == "simulated" else kind for kind in kinds]
        if self.models:
            kinds = ["individual" if kind == MODEL else kind for kind in kinds]
        ranks = [rank(kind, judgement.purpose) for kind, judgement in zip(kinds, pair.judgements, strict=True)]
        decided = next((at for at in reversed(range(len(ranks))) if ranks[at] in ("consensus", "qa")), None)
        alone = tuple(position for position, counts_as in enumerate(ranks) if counts_as == "alone")
        votes = tuple(position for position, counts_as in enumerate(ranks) if counts_as == "vote")
        seen = self._views.labels(self._counted_values(pair, decided, alone, votes))
        if seen.decision is None:
            stored = {judgement.kind for judgement in pair.judgements}
            reason = SIMULATED if stored == {"simulated"} else VOTES if "vote" in stored else NOT_COUNTED
            return LabelOutcome("unjudged", reason if stored else self._nobody, seen.views)
        keep = self._keep_decision(pair.judgements)
        if keep.state == "no":
            return LabelOutcome("left out", keep.reason)
        if keep.state == "open" and decided is None:
            return LabelOutcome("open", keep.reason or WAITING, seen.views)
        used = (decided,) if decided is not None else alone + votes if seen.made_by == "votes" else alone
        return self._decided_outcome(pair, seen, used)

    def _decided_outcome(self, pair: PairJudgements, seen: ViewLabels, used: tuple[int, ...]) -> LabelOutcome:
        assert seen.decision is not None
        decision = seen.decision
        outcome = LabelOutcome(decision.state, decision.reason, seen.views, decision.label, decision.positive)
        if decision.state != "labelled":
            return outcome
        single = seen.made_by == "import" or (seen.made_by == "judgements" and len(used) == 1)
        made_by: MadeBy | None = "rewrite" if pair.rewrite and single else seen.made_by
        simulated = any(pair.judgements[position].kind == "simulated" for position in used)
        simulated = simulated or (self._simulated_project and made_by != "import")
        by_model = any(pair.judgements[position].kind == MODEL for position in used)
        outcome = replace(outcome, votes=seen.votes, positive_votes=seen.positive_votes)
        return replace(outcome, made_by=made_by, simulated=simulated, by_model=by_model, used=used)

    def _counted_values(
        self, pair: PairJudgements, decided: int | None, alone: tuple[int, ...], votes: tuple[int, ...]
    ) -> CountedValues:
        judgements = pair.judgements
        if decided is not None:
            decision = judgements[decided]
            return CountedValues(decision.value, "consensus" if decision.kind == "consensus" else "qa")
        imported = pair.imported if self.own else None
        if imported is None and pair.rewrite and not judgements and self.scheme.rewrite is not None:
            imported = self.scheme.rewrite.label
        batch_ids = (judgements[position].batch for position in alone)
        asked = max((self._batches[batch].asked for batch in batch_ids if batch in self._batches), default=0)
        values, voted = (tuple(judgements[position].value for position in some) for some in (alone, votes))
        return CountedValues(alone=values, votes=voted, asked=asked, imported=imported)

    def _keep_decision(self, judgements: Iterable[CurrentJudgement]) -> KeepDecision:
        """Whether all batches that have a keep rule keep a pair; one that drops it is enough.

        The rule asks for independent answers; what a team decides later changes nothing
        (:mod:`otherwords.annotate.batches.keep_rule`).
        """
        answers: dict[str | None, list[Any]] = {}
        for judgement in judgements:
            asking = self._batches.get(judgement.batch)
            ruled = asking is not None and asking.rules.keep is not None and asking.scheme == self.scheme.name
            if ruled and judgement.kind == "individual":
                answers.setdefault(judgement.batch, []).append(msgspec.json.decode(judgement.value))
        decisions = []
        for name, values in answers.items():
            batch = self._batches[name]
            assert batch.rules.keep is not None
            sees = batch.rules.second_sees
            complete = len(values) >= batch.asked or (len(values) == 1 and bool(sees) and values[0] not in sees)
            decisions.append(apply_keep_rule(values, batch.rules.keep, self.scheme, complete=complete))
        by_state = {decision.state: decision for decision in reversed(decisions)}
        return by_state.get("no") or by_state.get("open") or KeepDecision("yes")
