"""The topic of each group of posts, a draw that no topic dominates (MultiPIT §2.2), and its most typical sentences.

People name the topics of some groups, several people where possible: the majority decides, and a tie is no answer.
For the rest a small model learns from those: multinomial naive Bayes over case-folded words with add-one smoothing,
the same result for the same groups in any order. In the paper people named all topics; the model is our addition, and
the table says which topics it named.

The sentences of a group are ranked as in §2.3, the most typical first: "a simple ranking algorithm (Xu et al., 2015)
based on the averaged probability of words". The probability of a word is its share of all words in the sentences of the
group, and the score of a sentence is the mean over its words. Words are the tokens with a letter or a digit,
case-folded; nothing is weighted and no stop list is used. Equal means keep the order of the sentences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.align.candidates import draw, table_from_rows
from otherwords.errors import UsageError
from otherwords.text import Pack

PERSON, MODEL = "person", "model"
NO_TOPIC = "the group has no topic"
SCHEMA = pa.schema([("group", pa.string()), ("topic", pa.string()), ("by", pa.string()), ("probability", pa.float64())])


@dataclass(frozen=True, slots=True)
class SentenceRank:
    """The mean word probability of a sentence, and its rank in the group (1 is the best)."""

    probability: float
    rank: int


def words(tokens: Iterable[str]) -> list[str]:
    """The tokens that are words or numbers, as they are counted."""
    return [token.casefold() for token in tokens if any(map(str.isalnum, token))]


def rank_sentences(sentences: Sequence[Sequence[str]]) -> list[SentenceRank]:
    """The place of each sentence, given as its words, among all of them."""
    counts = Counter(word for sentence in sentences for word in sentence)
    total = counts.total()
    # Counts are added before they are divided, so that equal means are equal to the last bit.
    means = [
        sum(map(counts.__getitem__, sentence)) / (len(sentence) * total) if sentence else 0.0 for sentence in sentences
    ]
    order = sorted(range(len(means)), key=lambda place: -means[place])
    ranks = {place: rank for rank, place in enumerate(order, 1)}
    return [SentenceRank(mean, ranks[place]) for place, mean in enumerate(means)]


def majority_topics(judged: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """The majority topic of each group, from the (group, topic) of every judgement; None for a tie."""
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for group, topic in judged:
        votes[group][topic.strip()] += 1
    topics: dict[str, str | None] = {}
    for group, counts in votes.items():
        (topic, most), *others = counts.most_common()
        topics[group] = None if others and others[0][1] == most else topic
    return topics


@dataclass(frozen=True, slots=True)
class TopicModel:
    """The log probability of each topic, and of each word in it."""

    topics: tuple[str, ...]
    vocabulary: Mapping[str, int]
    prior: NDArray[np.float64]
    likelihood: NDArray[np.float64]
    pack: Pack

    def probabilities(self, text: str) -> dict[str, float]:
        """How probable each topic is for a group, given the text of all its posts; unknown words do not count."""
        known = Counter(self.vocabulary[word] for word in words(self.pack.tokens(text)) if word in self.vocabulary)
        score = self.prior.copy()
        for word in sorted(known):
            score += known[word] * self.likelihood[:, word]
        weights = np.exp(score - score.max())
        return dict(zip(self.topics, (weights / weights.sum()).tolist(), strict=True))

    def topic(self, text: str) -> tuple[str, float]:
        """The most probable topic and its probability; of equal ones the first by name."""
        probabilities = self.probabilities(text)
        return max(probabilities.items(), key=itemgetter(1))


def train_topics(texts: Mapping[str, str], topics: Mapping[str, str | None], pack: Pack) -> TopicModel:
    """Learn from the groups that have a topic; ``texts`` has the text of all posts of each group."""
    labelled = {group: topic for group, topic in topics.items() if topic is not None and group in texts}
    names = tuple(sorted(set(labelled.values())))
    if len(names) < 2:
        message = f"a topic model needs groups of at least two topics; labelled are: {', '.join(names) or 'none'}"
        raise UsageError(message, code="too-few-topics")
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for group, topic in labelled.items():
        counts[topic].update(words(pack.tokens(texts[group])))
    vocabulary = {word: place for place, word in enumerate(sorted(set().union(*counts.values())))}
    seen = np.zeros((len(names), len(vocabulary)))
    for row, name in enumerate(names):
        for word, count in counts[name].items():
            seen[row, vocabulary[word]] = count
    smoothed = seen + 1.0
    groups = np.array([sum(topic == name for topic in labelled.values()) for name in names], dtype=float)
    likelihood = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
    return TopicModel(names, vocabulary, np.log(groups / groups.sum()), likelihood, pack)


def topic_table(texts: Mapping[str, str], named: Mapping[str, str | None], model: TopicModel | None = None) -> pa.Table:
    """One row per group: the topic that people named, or else the model's, or null; and which of the two it was."""
    rows: list[tuple[str, str | None, str | None, float | None]] = []
    for group in sorted(texts):
        if topic := named.get(group):
            rows.append((group, topic, PERSON, None))
        else:
            guess, probability = model.topic(texts[group]) if model else (None, None)
            rows.append((group, guess, MODEL if model else None, probability))
    return table_from_rows(rows, SCHEMA)


def add_topics(
    sentences: pa.Table, named: Mapping[str, str | None], pack: Pack, per_topic: int | None = None, seed: int = 0
) -> pa.Table:
    """The sentences of posts with the ``topic`` of their group and who named it (``topic_by``).

    Where people have named at least two topics, the model names the others. With ``per_topic`` the
    sentences of groups that are not drawn are dropped, with the reason.
    """
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for group, text in zip(sentences["group"].to_pylist(), sentences["text"].to_pylist(), strict=True):
        if group is not None:
            texts[group].append(text)
    joined = {group: " ".join(parts) for group, parts in texts.items()}
    distinct = {topic for group, topic in named.items() if topic is not None and group in joined}
    table = topic_table(joined, named, train_topics(joined, named, pack) if len(distinct) > 1 else None)
    topics, named_by = ({row["group"]: row[name] for row in table.to_pylist()} for name in ("topic", "by"))
    drawn = set(topics) if per_topic is None else set(draw_balanced(topics, per_topic, seed))
    rows = sentences.to_pylist()
    for row in rows:
        row["topic"], row["topic_by"] = topics.get(row["group"]), named_by.get(row["group"])
        if per_topic is not None and row["kept"] and row["group"] not in drawn:
            reason = NO_TOPIC if row["topic"] is None else f"the topic has its {per_topic} groups"
            row |= {"kept": False, "rank": None, "reason": reason}
    schema = sentences.schema.append(pa.field("topic", pa.string())).append(pa.field("topic_by", pa.string()))
    return pa.Table.from_pylist(rows, schema)


def draw_balanced(topics: Mapping[str, str | None], per_topic: int, seed: int) -> list[str]:
    """At most ``per_topic`` groups of each topic, drawn by the seed, in order of name.

    The draw depends on the seed and the names of the groups of the topic only, not on their order.
    Groups without a topic are left out.
    """
    if per_topic < 1:
        message = f"per_topic={per_topic}: at least one group of each topic must be drawn"
        raise UsageError(message, code="wrong-limit")
    members: defaultdict[str, list[str]] = defaultdict(list)
    for group, topic in topics.items():
        if topic is not None:
            members[topic].append(group)
    return sorted(group for groups in members.values() for group in draw(groups, per_topic, seed))
