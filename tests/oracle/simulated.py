"""Two simulated projects whose figures are computed a second time: a team that decides, and a crowd that votes."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import otherwords
from tests.conftest import EXAMPLES

BATCHES = ("training", "first", "twice", "double", "thrice")
VOTES, VOTERS = 6, 7
VOTED, ANSWERS = "crowd", (60, 80)  # so many before somebody's are voided, and so many after
VOIDED = "sim-ben"
OVERRULED = ("duplicates", "contradictions", "source-licences")  # the examples have some of each


@dataclass(frozen=True, slots=True)
class SimulatedProject:
    """A project, and what it exported."""

    folder: Path
    export: Path


def exported(folder: Path, name: str) -> SimulatedProject:
    """The export of a project as it is now."""
    otherwords.export(folder, folder.parent / name)
    return SimulatedProject(folder, folder.parent / name)


def make_team(place: Path) -> SimulatedProject:
    """Pairs judged for every purpose by four people who err, with decisions, rewrites, a check and a second look."""
    folder = place / "team"
    otherwords.new(folder, lang="en", scheme="turku")
    otherwords.import_(folder, "pairs", EXAMPLES / "pairs.jsonl")
    sizes = {"training": (8, 4), "first": (45, 1), "twice": (30, 2), "double": (30, 2), "thrice": (15, 3)}
    for number, (name, (sample, times)) in enumerate(sizes.items()):
        purpose = "training" if name == "training" else "production" if number < 3 else "agreement"
        otherwords.batch.new(
            folder, name, sample=sample, times=times, purpose=purpose, seed=number, not_in=BATCHES[:number]
        )
    otherwords.simulate(folder, people=4, accuracy=0.7, seed=1, batches=BATCHES)
    otherwords.batch.qa(folder, "second-look", label="3")
    otherwords.batch.new(folder, "check", sample=12, times=2, purpose="check", where={"has": "judgement"}, not_own=True)
    otherwords.simulate(folder, people=6, accuracy=0.8, seed=2, batches=["second-look", "check"])
    return exported(folder, "team-export")


def make_crowd(place: Path) -> SimulatedProject:
    """Pairs with six votes each, hidden tests among them; somebody's votes were voided, and not all are in yet."""
    folder = place / "votes"
    otherwords.new(folder, lang="en", scheme="binary-loose")
    otherwords.import_(folder, "pairs", EXAMPLES / "pairs.jsonl")
    otherwords.import_(folder, "pairs", EXAMPLES / "crowd" / "tests.jsonl")
    otherwords.batch.new(folder, VOTED, sample=24, times=VOTES, tests="all", seed=3)
    for most in ANSWERS:
        otherwords.simulate(folder, people=VOTERS, accuracy=0.7, seed=4, batches=[VOTED], tasks=["judge"], most=most)
        if most == ANSWERS[0]:
            otherwords.crowd.void(folder, VOTED, VOIDED)
    return exported(folder, "votes-export")


def release_team(team: SimulatedProject, place: Path) -> SimulatedProject:
    """A copy of the team's project with a report and a release."""
    folder = shutil.copytree(team.folder, place / "team")
    otherwords.split(folder, by="group", components=True, simulated=True)
    otherwords.report(folder, folder / "report", simulated=True)
    otherwords.release(folder, version="1.0", licence="CC-BY-4.0", simulated=True, anyway=OVERRULED)
    return exported(folder, "team-export")
