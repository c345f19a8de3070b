"""What made-up people do with batches: judge what they are given, and decide where they disagree."""

from __future__ import annotations

from otherwords.annotate.batches import Batch
from otherwords.annotate.hearing import Heard
from otherwords.annotate.marking import asks_types
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.working import Task
from otherwords.simulate.opinions import opinion
from otherwords.simulate.seen import look
from otherwords.simulate.team import Team, work_days
from otherwords.simulate.truth import truth
from otherwords.web.client import Refusal

JUDGED_A_DAY = 5
MARKING = 6.0  # times a judgement
FORBIDDEN = 403


def judge(team: Team, of: Batch) -> None:
    """Judge all that a batch still asks for and that these people may judge."""
    scheme = team.scheme_of(of.scheme)

    def turn(name: str, most: int) -> int:
        before = team.counts["judge"]
        try:
            for task in team.annotators[name].take(of.id, most):
                _judge(team, name, of, scheme, task)
        except Refusal as problem:
            if problem.status != FORBIDDEN:  # the batch is for others, or its gate has closed
                raise
        return team.counts["judge"] - before

    work_days(team, JUDGED_A_DAY, turn, "judge", of.id)


def _judge(team: Team, name: str, of: Batch, scheme: Scheme, task: Task) -> None:
    seen = look(task.text1, task.text2, task.lang, task.texts)
    said = opinion(scheme, seen, team.wishes, name, of.id)
    spent = team.seconds(_times(scheme), "judge", name, of.id, seen.text1, seen.text2)
    key = team.key("judge", name, of.id, task.slot)
    team.annotators[name].judge(task.slot, said.value, key=key, seconds=spent, **said.fields())
    team.said("judge")


def adjudicate(team: Team, of: Batch) -> None:
    """Decide about all pairs of a batch on which people disagree."""
    scheme = team.scheme_of(of.scheme)
    while (cases := team.curator.disagreements(of.id).cases) and (most := team.room(len(cases))):
        for case in cases[:most]:
            _decide(team, of, scheme, case)


def _decide(team: Team, of: Batch, scheme: Scheme, case: Heard) -> None:
    """Take over who said what is true; where nobody did, say it."""
    true = truth(scheme, look(case.text1, case.text2, case.lang, case.texts), team.wishes.seed)
    opinions = sorted(one["id"] for one in case.opinions)
    adopted = min((one["id"] for one in case.opinions if one["value"] == true), default=None)
    spent = team.seconds(2 * _times(scheme), "adjudicate", of.id, case.pair)
    key = team.key("adjudicate", of.id, case.pair)
    team.curator.decide(of.id, case.pair, true, opinions, key=key, adopted=adopted, seconds=spent)
    team.said("adjudicate")


def _times(scheme: Scheme) -> float:
    return MARKING if asks_types(scheme) else 1.0
