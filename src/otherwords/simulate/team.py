"""A team at work: who there is, how many judgements they have given, and on which days they come.

A day is a turn of the work: everybody who comes does a little, in the same order, so that the same seed gives the same
corpus. What somebody leaves undone who does not come, others do, but for what is theirs alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from otherwords.annotate.scheme import Scheme
from otherwords.simulate.chance import draw, key_of, seconds
from otherwords.simulate.wishes import Wishes
from otherwords.web.client import Client

Progress = Callable[[str, int], None]  # what is being done, and how much of it is
Turn = Callable[[str, int], int]  # somebody, and how much they may do; how much they did


@dataclass(frozen=True, slots=True)
class Team:
    """The made-up people, each with a connection to the site."""

    annotators: Mapping[str, Client]
    curator: Client
    wishes: Wishes
    scheme_of: Callable[[str], Scheme]
    begun: int  # what the ledger had before, so that nothing is sent under a key of an earlier simulation
    counts: Counter[str] = field(default_factory=Counter)
    progress: Progress = lambda task, done: None

    def key(self, *names: object) -> str:
        return key_of(self.wishes.seed, self.begun, *names)

    def seconds(self, times: float, *names: object) -> float:
        """How long something takes that is so many times the work of a judgement."""
        return seconds(times * self.wishes.seconds, self.wishes.seed, *names)

    def said(self, task: str) -> None:
        """One more judgement was given."""
        self.counts[task] += 1
        self.progress(task, self.counts[task])

    def room(self, most: int) -> int:
        """How many of so many judgements may still be given."""
        if self.wishes.most is None:
            return most
        return max(0, min(most, self.wishes.most - self.counts.total()))


def work_days(team: Team, a_day: int, turn: Turn, *names: object) -> None:
    """Let everybody who comes have their turn, day by day, until there is nothing left that anybody could do."""
    idle = False
    for day in count():
        there = [name for name in _order(team, day, *names) if idle or not _absent(team, name, day, *names)]
        done = 0
        for name in there:
            if not (most := team.room(a_day)):
                return
            done += turn(name, most)
        if not done and len(there) == len(team.annotators):
            return
        idle = not done  # whoever was missed comes the next day


def _order(team: Team, day: int, *names: object) -> list[str]:
    """Who begins changes from day to day, so that everybody meets everybody in what is judged twice."""
    return sorted(team.annotators, key=lambda name: draw("order", team.wishes.seed, name, day, *names))


def _absent(team: Team, name: str, day: int, *names: object) -> bool:
    return draw("absent", team.wishes.seed, name, day, *names) < team.wishes.absent
