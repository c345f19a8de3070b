"""What simulated annotators do with documents: accept or reject pairs, extract passages, pick seeds of groups."""

from __future__ import annotations

from otherwords.annotate.documents.extraction import Outcome
from otherwords.annotate.documents.post_groups import PostGroup
from otherwords.annotate.documents.seeds import SKIP
from otherwords.annotate.documents.side_by_side import SideBySide
from otherwords.annotate.documents.triage import TriageTask
from otherwords.simulate.chance import draw
from otherwords.simulate.passages import extract_passages
from otherwords.simulate.team import Team, work_days
from otherwords.simulate.visible_texts import similarities, similarity
from otherwords.web.client import Client

TRIAGED_PER_DAY, EXTRACTED_PER_DAY, PICKED_PER_DAY = 5, 1, 3
HALF_ACCEPTED = 0.65  # similarity of the openings at which half of the document pairs are worth the work
SLOPE = 2.0
READING = 4.0  # times as long as a judgement
REASON = "nothing in common but the topic"
LOOKING = 2.0  # at the sentences of a group, times as long as a judgement
ALIKE = 0.25  # similarity from which on two sentences look like paraphrases
FEWEST = 3  # paraphrases that a seed has at least (Dou et al. 2022, §2.3)


def triage(team: Team) -> None:
    """Accept or reject all document pairs that wait for triage."""

    def turn(name: str, most: int) -> int:
        waiting = team.annotators[name].take_for_triage(most)
        for pair in waiting:
            _triage_pair(team, name, pair)
        return len(waiting)

    work_days(team, TRIAGED_PER_DAY, turn, "triage")


def _triage_pair(team: Team, name: str, pair: TriageTask) -> None:
    options, texts = team.options, (pair.one.text, pair.two.text)
    likely = min(max(0.5 + SLOPE * (similarity(*texts) - HALF_ACCEPTED), 0.2), 0.8)
    true = draw("triage", options.seed, *texts) < likely
    right = draw("triage", options.seed, name, *texts) < options.accuracy
    spent = team.seconds(1, "triage", name, *texts)
    key = team.key("triage", name, pair.id)
    if true == right:
        team.annotators[name].triage(pair.id, "accept", key=key, seconds=spent)
    else:
        team.annotators[name].triage(pair.id, "reject", key=key, seconds=spent, reason=REASON)
    team.count("triage")


def extract(team: Team) -> None:
    """Extract from all document pairs that wait for it."""

    def turn(name: str, most: int) -> int:
        done, client = 0, team.annotators[name]
        while done < most and (documents := client.take_documents()) is not None:
            _extract_pairs(team, client, name, documents)
            done += 1
        return done

    work_days(team, EXTRACTED_PER_DAY, turn, "extract")


def _extract_pairs(team: Team, client: Client, name: str, documents: SideBySide) -> None:
    """Save the pairs of a document pair and finish it; one that somebody has begun keeps what it has."""
    spent = team.seconds(READING, "extract", documents.id)
    begun = any(not pair.locked for pair in documents.pairs)
    passages = [] if begun else extract_passages(documents, team.options.seed)
    for passage in passages:
        took = team.seconds(READING, "passage", documents.id, passage.span1, passage.span2)
        key = team.key("passage", name, documents.id, passage.span1, passage.span2)
        client.add_pair(documents.id, passage.span1, passage.span2, key=key, seconds=took)
        spent += took
    outcome: Outcome = "finished" if passages or begun else "empty"
    client.finish(documents.id, outcome, key=team.key("finish", name, documents.id), seconds=round(spent, 1))
    team.count("extract")


def pick_seeds(team: Team) -> None:
    """Decide about all groups that have no seed."""

    def turn(name: str, most: int) -> int:
        groups = team.annotators[name].take_groups(most)
        for group in groups:
            choice = best_seed(group) or SKIP
            spent = team.seconds(LOOKING, "seed", name, group.name)
            team.annotators[name].pick_seed(group.name, choice, key=team.key("seed", name, group.name), seconds=spent)
            team.count("seed")
        return len(groups)

    work_days(team, PICKED_PER_DAY, turn, "seed")


def best_seed(group: PostGroup) -> int | None:
    """The rank of the sentence that is like most of the others; None if it is like fewer than three."""
    texts = [sentence.text for sentence in group.sentences]
    alike = [int((similarities([text] * len(texts), texts) >= ALIKE).sum()) - 1 for text in texts]
    most = max(alike, default=0)
    return group.sentences[alike.index(most)].rank if most >= FEWEST else None
