"""The topic of each group of posts, and a draw that no topic dominates (MultiPIT §2.2).

People name the topics of some groups, several people where they can: the majority holds, and a tie
is no answer. For the rest a small model learns from those: multinomial naive Bayes over case-folded
words, add-one smoothing, the same result for the same groups in any order. The paper had people do
all of it; the model is our addition, and the table says which of the two spoke.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.align.ranking import words
from otherwords.errors import UsageError
from otherwords.text import Pack

PERSON, MODEL = "person", "model"
NO_TOPIC = "the group has no topic"
SCHEMA = pa.schema([("group", pa.string()), ("topic", pa.string()), ("by", pa.string()), ("probability", pa.float64())])


def given_topics(judged: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """The topic that most people gave each group, from (group, topic) of every judgement; None for a tie."""
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for group, topic in judged:
        votes[group][topic.strip()] += 1
    return {group: _majority(counts) for group, counts in votes.items()}


def _majority(counts: Counter[str]) -> str | None:
    (topic, most), *others = counts.most_common()
    return None if others and others[0][1] == most else topic


@dataclass(frozen=True, slots=True)
class TopicModel:
    """What was learnt: the log probability of each topic, and of each word in it."""

    topics: tuple[str, ...]
    vocabulary: Mapping[str, int]
    prior: NDArray[np.float64]
    likelihood: NDArray[np.float64]
    pack: Pack

    def probabilities(self, text: str) -> dict[str, float]:
        """How probable each topic is for a group, given the text of all its posts; words never seen say nothing."""
        known = Counter(self.vocabulary[word] for word in words(self.pack.tokens(text)) if word in self.vocabulary)
        score = self.prior.copy()
        for word in sorted(known):
            score += known[word] * self.likelihood[:, word]
        weights = np.exp(score - score.max())
        return dict(zip(self.topics, (weights / weights.sum()).tolist(), strict=True))

    def topic(self, text: str) -> tuple[str, float]:
        """The most probable topic and its probability; of equals the first by name."""
        found = self.probabilities(text)
        best = max(self.topics, key=lambda topic: found[topic])
        return best, found[best]


def train(texts: Mapping[str, str], topics: Mapping[str, str | None], pack: Pack) -> TopicModel:
    """Learn from the groups that have a topic; ``texts`` holds the text of all posts of each group."""
    labelled = {group: topic for group, topic in topics.items() if topic is not None and group in texts}
    names = tuple(sorted(set(labelled.values())))
    if len(names) < 2:
        raise UsageError(
            f"a topic model needs groups of two topics at least; labelled are: {', '.join(names) or 'none'}"
        )
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


def topic_table(texts: Mapping[str, str], given: Mapping[str, str | None], model: TopicModel | None = None) -> pa.Table:
    """A row a group: the topic that people gave, or else the model's, or null; and who said so."""
    rows: list[tuple[str, str | None, str | None, float | None]] = []
    for group in sorted(texts):
        if topic := given.get(group):
            rows.append((group, topic, PERSON, None))
        else:
            found, probability = model.topic(texts[group]) if model else (None, None)
            rows.append((group, found, MODEL if model else None, probability))
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in SCHEMA.names]
    return pa.table(columns, schema=SCHEMA)


def with_topics(
    sentences: pa.Table, given: Mapping[str, str | None], pack: Pack, per_topic: int | None = None, seed: int = 0
) -> pa.Table:
    """The sentences of posts with the ``topic`` of their group and who said so (``topic_by``).

    Where people have named two topics at least, the model names the others. With ``per_topic`` the
    sentences of groups that are not drawn are kept no longer, and say why.
    """
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for group, text in zip(sentences["group"].to_pylist(), sentences["text"].to_pylist(), strict=True):
        if group is not None:
            texts[group].append(text)
    joined = {group: " ".join(parts) for group, parts in texts.items()}
    named = {topic for group, topic in given.items() if topic is not None and group in joined}
    table = topic_table(joined, given, train(joined, given, pack) if len(named) > 1 else None)
    topics = dict(zip(table["group"].to_pylist(), table["topic"].to_pylist(), strict=True))
    said = dict(zip(table["group"].to_pylist(), table["by"].to_pylist(), strict=True))
    groups = sentences["group"].to_pylist()
    columns = {name: sentences[name].to_pylist() for name in ("kept", "reason", "rank")}
    if per_topic is not None:
        drawn = set(balanced(topics, per_topic, seed))
        for place, group in enumerate(groups):
            if columns["kept"][place] and group not in drawn:
                columns["kept"][place], columns["rank"][place] = False, None
                columns["reason"][place] = (
                    NO_TOPIC if topics.get(group) is None else f"the topic has its {per_topic} groups"
                )
    for name, values in columns.items():
        number = sentences.schema.get_field_index(name)
        sentences = sentences.set_column(number, sentences.schema.field(name), pa.array(values, sentences[name].type))
    sentences = sentences.append_column("topic", pa.array([topics.get(group) for group in groups], pa.string()))
    return sentences.append_column("topic_by", pa.array([said.get(group) for group in groups], pa.string()))


def balanced(topics: Mapping[str, str | None], per_topic: int, seed: int) -> list[str]:
    """At most ``per_topic`` groups of each topic, drawn by the seed, in order of name.

    A group's place in the draw hangs on the seed and its own name only: neither the order of the groups
    nor those of other topics change who is drawn. Groups without a topic are left out.
    """
    if per_topic < 1:
        raise UsageError(f"per_topic={per_topic}: at least one group of each topic must be drawn")
    members: defaultdict[str, list[str]] = defaultdict(list)
    for group, topic in topics.items():
        if topic is not None:
            members[topic].append(group)
    drawn = (sorted(groups, key=lambda group: _lot(seed, group))[:per_topic] for groups in members.values())
    return sorted(group for groups in drawn for group in groups)


def _lot(seed: int, group: str) -> bytes:
    return blake2b(f"{seed}\0{group}".encode(), digest_size=16).digest()
