"""What the groups of a corpus are about, and whether a topic dominates: Figure 2 of Dou et al. 2022 (MultiPIT, §2.2).

The topic of a group is the one that people gave it in a project, else that of most of its pairs (``meta.topic``);
groups without one get the guess of a small model that learns from the others. A pair without a group counts by its own
topic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from math import log

from sqlalchemy import Connection, select

from otherwords.align.posts.topics import majority_topics, train_topics
from otherwords.analyse.averages import ratio
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import share_bars
from otherwords.analyse.finding import PAIRS, Cell, Column, Figure, Finding, Table, plain_columns, quantity
from otherwords.analyse.findings.examples import RandomDraw
from otherwords.analyse.pair_batch import PairBatch
from otherwords.annotate.current_judgements import is_current
from otherwords.corpus.corpus import Corpus
from otherwords.measures.options import signature
from otherwords.project.ledger import schema
from otherwords.project.project import open_project
from otherwords.text import pack

SCHEME, UNIT = "topic", "group"
NO_TOPIC = "x"
KINDS = ("individual", "vote", "consensus")
PAIRS_A_GROUP = 20  # that the model reads, so that a corpus with a few huge groups is not held in memory
FEWEST_TOPICS = 2  # a model has to distinguish
ABOUT = (
    "How many groups and pairs each topic has (Dou et al. 2022, §2.2). Evenness is the entropy of the topics of groups "
    "over the maximum for that number of topics: 1 where all have the same number of groups."
)


class Topics:
    """Groups and pairs by topic, and how balanced they are."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus, self.options = corpus, options
        self.votes: Counter[tuple[str, str]] = Counter()  # by group and the topic of a pair
        self.pairs: dict[str, Counter[bool | None]] = {}  # by group and polarity
        self.ungrouped: dict[str, Counter[bool | None]] = {}  # by topic and polarity

    def add(self, batch: PairBatch) -> None:
        for place in batch.originals:
            pair, positive = batch.pairs[place], batch.positive[place]
            value = pair.meta.get("topic")
            topic = value.strip() if isinstance(value, str) else ""
            if pair.group is not None:
                self.pairs.setdefault(pair.group, Counter())[positive] += 1
                if topic:
                    self.votes[pair.group, topic] += 1
            elif topic:
                self.ungrouped.setdefault(topic, Counter())[positive] += 1

    def finding(self) -> Finding | None:
        assigned = self._assigned()
        missing = self.pairs.keys() - assigned.keys()
        known = {group: topic for group, topic in assigned.items() if topic != NO_TOPIC}
        guessed = guessed_topics(self.corpus, known, missing, self.options.seed)
        topics, unknown = known | guessed, len(missing) - len(guessed)
        if not topics and not self.ungrouped:
            return None
        groups = Counter(topics[group] for group in self.pairs if group in topics)
        table = self._table(topics, groups, Counter(guessed.values()))
        tables = [table, _balance(groups)] if groups else [table]
        remarks = {
            "groups whose topic is a model's guess": len(guessed),
            f"groups without a topic, since a model needs {FEWEST_TOPICS} topics to learn from": unknown,
            "groups left out, since people say that they have no topic": len(assigned) - len(known),
        }
        model = {"model": "naive-bayes", "pairs-a-group": PAIRS_A_GROUP, "seed": self.options.seed}
        signed = signature("topics", {"by": "majority", **(model if guessed else {"model": "none"})})
        bars = [(str(row["topic"]), float(row["share"] or 0)) for row in table.as_dicts()]
        largest, _ = max(bars, key=lambda bar: bar[1])
        title = f"{self.corpus.name}: {quantity(len(bars), 'topic')}, {largest} has the most pairs"
        return Finding(
            "topics",
            "Topics",
            ABOUT,
            tables,
            [
                Figure(
                    "topics", title, share_bars(title, bars, "share of pairs"), "The share of the pairs of each topic."
                )
            ],
            remarks=[f"{remark}: {count:,} of {len(self.pairs):,}" for remark, count in remarks.items() if count],
            signatures={table.name: signed for table in tables},
        )

    def _assigned(self) -> dict[str, str]:
        """The topics that people gave in the project, else those of most pairs of a group."""
        majority = majority_topics(vote for vote, count in self.votes.items() for _ in range(count))
        topics = {group: topic for group, topic in majority.items() if topic is not None}
        if self.corpus.kind == "project":
            with open_project(self.corpus.path) as project, project.ledger.reading() as connection:
                judged = judged_topics(connection)
            topics |= {group: topic for group, topic in judged.items() if group in self.pairs}
        return topics

    def _table(self, topics: dict[str, str], groups: Counter[str], guessed: Counter[str]) -> Table:
        pairs = {topic: Counter(counts) for topic, counts in self.ungrouped.items()}
        for group, topic in topics.items():
            pairs.setdefault(topic, Counter()).update(self.pairs[group])
        whole = sum(counts.total() for counts in pairs.values())
        columns = [
            Column("topic", "topic"),
            Column("groups", "groups", "count"),
            Column("groups_by_model", "of these by the model", "count"),
            PAIRS,
            Column("share", "share of pairs", "share"),
            Column("positive_share", "positives", "share"),
        ]
        rows: list[list[Cell]] = []
        for topic in sorted(pairs, key=lambda topic: (-groups[topic], -pairs[topic].total(), topic)):
            counts = pairs[topic]
            positives = ratio(counts[True], counts[True] + counts[False])
            rows.append([topic, groups[topic], guessed[topic], counts.total(), counts.total() / whole, positives])
        return Table("topics", "Groups and pairs by topic", columns, rows)


def _balance(groups: Counter[str]) -> Table:
    columns = [
        *plain_columns("count", "topics", "groups"),
        Column("largest", "share of the largest", "share"),
        Column("evenness", "evenness", "number"),
    ]
    row = [len(groups), groups.total(), max(groups.values()) / groups.total(), evenness(groups.values())]
    return Table("balance", "Balance of the groups", columns, [row])


def evenness(counts: Iterable[int]) -> float | None:
    """The entropy of a distribution over its maximum (Pielou 1966); None for a single class."""
    counts = sorted(count for count in counts if count)
    if len(counts) < 2:
        return None
    whole = sum(counts)
    return -sum(count / whole * log(count / whole) for count in counts) / log(len(counts))


def judged_topics(connection: Connection) -> dict[str, str]:
    """Topics by group, judged by the scheme ``topic``; ``NO_TOPIC`` where people say that there is none.

    The topic is the current consensus or else the majority; after a tie a group has none.
    """
    columns = schema.judgements.c
    statement = (
        select(columns.pair, columns.value, columns.kind == "consensus")
        .where(columns.unit == UNIT, columns.scheme == SCHEME, columns.kind.in_(KINDS), is_current())
        .order_by(columns.seq)
    )
    consensus: dict[str, str] = {}
    votes: list[tuple[str, str]] = []
    for group, topic, is_consensus in connection.execute(statement):
        if not isinstance(topic, str):
            continue
        if is_consensus:
            consensus[group] = topic
        else:
            votes.append((group, topic))
    topics = {**majority_topics(votes), **consensus}
    return {group: topic for group, topic in topics.items() if topic is not None}


def guessed_topics(corpus: Corpus, known: Mapping[str, str], missing: Set[str], seed: int) -> dict[str, str]:
    """Topics of the missing groups by the small model of :mod:`otherwords.align.posts.topics`.

    The corpus is read once more. There are no guesses where too few topics are known to learn from.
    """
    if not missing or len(set(known.values())) < FEWEST_TOPICS:
        return {}
    draws: dict[str, RandomDraw] = {}
    for pair in corpus.pairs():
        if pair.rewrite_of is None and pair.group is not None and (pair.group in known or pair.group in missing):
            draws.setdefault(pair.group, RandomDraw(PAIRS_A_GROUP, seed)).offer(pair)
    texts = {group: " ".join(f"{pair.text1} {pair.text2}" for pair in draw.drawn()) for group, draw in draws.items()}
    model = train_topics(texts, dict(known), pack(corpus.lang))
    return {group: model.topic(text)[0] for group, text in texts.items() if group in missing}
