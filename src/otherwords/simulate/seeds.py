"""What simulated annotators do with groups of posts that share an address: they pick a seed, or skip the group."""

from __future__ import annotations

from otherwords.annotate.documents.post_groups import PostGroup
from otherwords.annotate.documents.seeds import SKIP
from otherwords.simulate.team import Team, work_days
from otherwords.simulate.visible_texts import similarities

PICKED_PER_DAY = 3
READING = 2.0  # times as long as a judgement
ALIKE = 0.25  # similarity from which on two sentences look like paraphrases
FEWEST = 3  # paraphrases that a seed has at least (Dou et al. 2022, §2.3)


def pick_seeds(team: Team) -> None:
    """Decide about all groups that have no seed."""

    def turn(name: str, most: int) -> int:
        groups = team.annotators[name].take_groups(most)
        for group in groups:
            choice = best_seed(group) or SKIP
            spent = team.seconds(READING, "seed", name, group.name)
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
