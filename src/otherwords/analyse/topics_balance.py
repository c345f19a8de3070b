"""What the groups of a corpus are about, and whether a topic dominates: Figure 2 of Dou et al. 2022 (MultiPIT, §2.2).

A group has the topic that people gave it in a project, or that its pairs came with (``meta.topic``, the majority); the
groups that have none get one from a small model that learns from those that do. A pair without a group has its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log

from otherwords.align.topics import given_topics
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.seen import Seen
from otherwords.analyse.share_bars import share_bars
from otherwords.analyse.topics_guessed import FEWEST_TOPICS, PAIRS_A_GROUP, guessed_topics
from otherwords.analyse.topics_named import NO_TOPIC, named_topics
from otherwords.corpus.corpora import Corpus
from otherwords.measures.signature import signature
from otherwords.project.project import opened

ABOUT = (
    "How many groups and pairs each topic has (Dou et al. 2022, §2.2). Evenness is the entropy of the topics of groups "
    "over the highest that as many topics can have: 1 where all have the same number."
)


class Topics:
    """Groups and pairs by topic, and how balanced they are."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus, self.wishes = corpus, wishes
        self.brought: Counter[tuple[str, str]] = Counter()  # by group and the topic of a pair
        self.pairs: dict[str, Counter[bool | None]] = {}  # by group, what labels say
        self.alone: dict[str, Counter[bool | None]] = {}  # by topic, of pairs without a group

    def add(self, batch: Seen) -> None:
        for place in batch.originals:
            pair, positive = batch.pairs[place], batch.positive[place]
            told = pair.meta.get("topic")
            topic = told.strip() if isinstance(told, str) else ""
            if pair.group is not None:
                self.pairs.setdefault(pair.group, Counter())[positive] += 1
                if topic:
                    self.brought[pair.group, topic] += 1
            elif topic:
                self.alone.setdefault(topic, Counter())[positive] += 1

    def finding(self) -> Finding | None:
        named = self._named()
        missing = self.pairs.keys() - named.keys()
        without = {group for group, topic in named.items() if topic == NO_TOPIC}
        named = {group: topic for group, topic in named.items() if group not in without}
        guessed = guessed_topics(self.corpus, named, missing, self.wishes.seed)
        topics = named | guessed
        if not topics and not self.alone:
            return None
        groups = Counter(topics[group] for group in self.pairs if group in topics)
        tables = [self._table(topics, groups, Counter(guessed.values())), *_balance(groups)]
        return Finding(
            "topics",
            "Topics",
            ABOUT,
            tables,
            [self._figure(tables[0])],
            remarks=self._remarks(len(missing), len(guessed), len(without)),
            signatures={table.name: self._signature(bool(guessed)) for table in tables},
        )

    def _named(self) -> dict[str, str]:
        """What people said in the project, else what the pairs of a group came with."""
        brought = given_topics(key for key, count in self.brought.items() for _ in range(count))
        told = {group: topic for group, topic in brought.items() if topic is not None}
        if self.corpus.kind == "project":
            with opened(self.corpus.path) as project, project.ledger.reading() as connection:
                told |= {group: one for group, one in named_topics(connection).items() if group in self.pairs}
        return told

    def _table(self, topics: dict[str, str], groups: Counter[str], guessed: Counter[str]) -> Table:
        pairs = {topic: Counter(counts) for topic, counts in self.alone.items()}
        for group, topic in topics.items():
            pairs.setdefault(topic, Counter()).update(self.pairs[group])
        whole = sum(counts.total() for counts in pairs.values())
        order = sorted(pairs, key=lambda topic: (-groups[topic], -pairs[topic].total(), topic))
        columns = [
            Column("topic", "topic"),
            Column("groups", "groups", "count"),
            Column("groups_by_model", "of these by the model", "count"),
            Column("pairs", "pairs", "count"),
            Column("share", "share of pairs", "share"),
            Column("positive_share", "positives", "share"),
        ]
        rows: list[list[Cell]] = []
        for topic in order:
            counts = pairs[topic]
            known: list[Cell] = [topic, groups[topic], guessed[topic], counts.total(), counts.total() / whole]
            rows.append([*known, _share(counts[True], counts[True] + counts[False])])
        return Table("topics", "Groups and pairs by topic", columns, rows)

    def _figure(self, table: Table) -> Figure:
        rows = table.as_dicts()
        title = f"{self.corpus.name}: {len(rows)} topics, {_most(rows)} has the most pairs"
        bars = [(str(row["topic"]), float(row["share"] or 0)) for row in rows]
        return Figure("topics", title, share_bars(title, bars, "share of pairs"))

    def _remarks(self, missing: int, guessed: int, without: int) -> list[str]:
        told = {
            "groups whose topic is a model's guess": guessed,
            f"groups without a topic, since a model needs {FEWEST_TOPICS} topics to learn from": missing - guessed,
            "groups left out, since people say that they have no topic": without,
        }
        return [f"{what}: {count:,} of {len(self.pairs):,}" for what, count in told.items() if count]

    def _signature(self, model: bool) -> str:
        how = {"model": "naive-bayes", "pairs-a-group": PAIRS_A_GROUP, "seed": self.wishes.seed}
        return signature("topics", {"by": "majority", **(how if model else {"model": "none"})})


def _balance(groups: Counter[str]) -> list[Table]:
    if not groups:
        return []
    columns = [
        Column("topics", "topics", "count"),
        Column("groups", "groups", "count"),
        Column("largest", "share of the largest", "share"),
        Column("evenness", "evenness", "number"),
    ]
    row = [len(groups), groups.total(), max(groups.values()) / groups.total(), evenness(groups.values())]
    return [Table("balance", "Balance of the groups", columns, [row])]


def evenness(counts: Iterable[int]) -> float | None:
    """The entropy of a distribution over the highest possible (Pielou 1966); None of a single class."""
    some = sorted(count for count in counts if count)
    if len(some) < 2:
        return None
    whole = sum(some)
    return -sum(count / whole * log(count / whole) for count in some) / log(len(some))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _most(rows: list[dict[str, Cell]]) -> Cell:
    return max(rows, key=lambda row: float(row["share"] or 0))["topic"]
