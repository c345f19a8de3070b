"""A team at work: its members, how many judgements they have given, and on which days they come.

A day is a round of the work: everybody who is there does a little, in the same order, so that the same seed gives the
same corpus. What somebody absent leaves undone, others do, unless only that person may do it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from otherwords.annotate.adjudication.case_queue import CaseView
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.work.tasks import Task
from otherwords.simulate.chance import draw, key_of, seconds
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.visible_texts import VisibleTexts, look
from otherwords.web.client import Client

Progress = Callable[[str, int], None]  # the task, and how much of it is done
Turn = Callable[[str, int], int]  # an annotator, and how much they may do; how much they did


@dataclass(frozen=True, slots=True)
class Team:
    """The simulated annotators, each with a connection to the site."""

    annotators: Mapping[str, Client]
    curator: Client
    options: SimulationOptions
    load_scheme: Callable[[str], Scheme]
    last_seq: int  # of the ledger before the simulation, so that no request has the key of an earlier simulation
    counts: Counter[str] = field(default_factory=Counter)
    progress: Progress = lambda task, done: None
    golds: Mapping[tuple[str, str], str] = field(default_factory=dict)  # labels that are known, by the two texts

    def look(self, unit: Task | CaseView) -> VisibleTexts:
        """What annotators see of a unit of a batch, and know of it."""
        gold = self.golds.get((unit.text1, unit.text2))
        return look(unit.text1, unit.text2, unit.lang, unit.texts, gold)

    def key(self, *names: object) -> str:
        return key_of(self.options.seed, self.last_seq, *names)

    def seconds(self, times: float, *names: object) -> float:
        """How long something takes that is ``times`` as much work as a judgement."""
        return seconds(times * self.options.seconds, self.options.seed, *names)

    def count(self, task: str) -> None:
        """Count one more judgement."""
        self.counts[task] += 1
        self.progress(task, self.counts[task])

    def remaining(self, most: int) -> int:
        """How many of ``most`` judgements may still be given."""
        if self.options.most is None:
            return most
        return max(0, min(most, self.options.most - self.counts.total()))


def work_days(team: Team, per_day: int, turn: Turn, *names: object) -> None:
    """Give everybody who is there their turn, day by day, until there is nothing left that anybody could do."""
    idle = False
    for day in count():
        # Who begins changes from day to day, so that everybody shares double-judged pairs with everybody.
        order = {name: draw("order", team.options.seed, name, day, *names) for name in team.annotators}
        absent = {name: draw("absent", team.options.seed, name, day, *names) for name in team.annotators}
        here = [name for name in team.annotators if idle or absent[name] >= team.options.absent]
        present = sorted(here, key=order.__getitem__)
        done = 0
        for name in present:
            if not (most := team.remaining(per_day)):
                return
            done += turn(name, most)
        if not done and len(present) == len(team.annotators):
            return
        idle = not done  # whoever was absent comes the next day
