"""What made-up people do with document pairs: say yes or no to them, and extract pairs of passages."""

from __future__ import annotations

from otherwords.annotate.extracting import Outcome
from otherwords.annotate.side_by_side import SideBySide
from otherwords.annotate.triaging import Undecided
from otherwords.simulate.chance import draw
from otherwords.simulate.passages import passages
from otherwords.simulate.seen import similarity
from otherwords.simulate.team import Team, work_days
from otherwords.web.client import Client

TRIAGED_A_DAY, EXTRACTED_A_DAY = 5, 1
AS_GOOD_AS_BAD = 0.65  # how alike the openings are of document pairs of which half are worth the work
SLOPE = 2.0
READING = 4.0  # times a judgement
REASON = "nothing in common but the topic"


def triage(team: Team) -> None:
    """Say yes or no to all document pairs that wait for it."""

    def turn(name: str, most: int) -> int:
        waiting = team.annotators[name].take_for_triage(most)
        for one in waiting:
            _say(team, name, one)
        return len(waiting)

    work_days(team, TRIAGED_A_DAY, turn, "triage")


def _say(team: Team, name: str, one: Undecided) -> None:
    wishes, texts = team.wishes, (one.one.text, one.two.text)
    likely = min(max(0.5 + SLOPE * (similarity(*texts) - AS_GOOD_AS_BAD), 0.2), 0.8)
    true = draw("triage", wishes.seed, *texts) < likely
    right = draw("triage", wishes.seed, name, *texts) < wishes.accuracy
    spent = team.seconds(1, "triage", name, *texts)
    key = team.key("triage", name, one.id)
    if true == right:
        team.annotators[name].triage(one.id, "accept", key=key, seconds=spent)
    else:
        team.annotators[name].triage(one.id, "reject", key=key, seconds=spent, reason=REASON)
    team.said("triage")


def extract(team: Team) -> None:
    """Extract from all document pairs that wait for it."""

    def turn(name: str, most: int) -> int:
        done, client = 0, team.annotators[name]
        while done < most and (documents := client.take_documents()) is not None:
            _extract(team, client, name, documents)
            done += 1
        return done

    work_days(team, EXTRACTED_A_DAY, turn, "extract")


def _extract(team: Team, client: Client, name: str, documents: SideBySide) -> None:
    """Put down the pairs of a document pair and finish it; one in which somebody had begun keeps what it has."""
    spent = team.seconds(READING, "extract", documents.id)
    begun = any(not one.locked for one in documents.pairs)
    found = [] if begun else passages(documents, team.wishes.seed)
    for one in found:
        took = team.seconds(READING, "passage", documents.id, one.one, one.two)
        key = team.key("passage", name, documents.id, one.one, one.two)
        client.add_pair(documents.id, one.one, one.two, key=key, seconds=took)
        spent += took
    outcome: Outcome = "finished" if found or begun else "empty"
    client.finish(documents.id, outcome, key=team.key("finish", name, documents.id), seconds=round(spent, 1))
    team.said("extract")
