"""Models for tests: a generator that answers by a rule, and a small trained classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.schemes import load_scheme
from otherwords.learn.data.parts import PartOptions, read_parts_of
from otherwords.learn.judging.judge import JudgedBatch, judge_batch
from otherwords.learn.judging.judges import GeneratorJudge
from otherwords.learn.judging.prompts import Prompt, prompt_for
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.predictions import DecisionRule
from otherwords.learn.runs.run import Run
from otherwords.learn.runs.train import TrainRequest, train_run
from otherwords.models.edges import Item, Reply
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Pair
from otherwords.sources.reading import write_records

SAYS_YES = "model/parrot"
PAIRS = [
    Pair(id=f"p{number}", text1=f"The ferry left at {number} sharp.", text2=f"At {number} the ferry went off.")
    for number in range(6)
]


@dataclass
class Parrot:
    """A generator that answers every prompt by a rule."""

    rule: Callable[[str], str | None] = lambda prompt: "yes"
    name: str = "parrot"
    signature: str = "parrot|version:1"
    batch_size: int = 4
    asked: list[str] = field(default_factory=list)

    def generate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        for item in items:
            self.asked.append(item.text)
            answer = self.rule(item.text)
            yield Reply(item.id, answer, None if answer is not None else "the model is tired")

    def close(self) -> None:
        pass


def fill(project: Project, scheme: str = "binary-loose", times: int = 1, pairs: Sequence[Pair] = PAIRS) -> None:
    """Pairs in a project, and a batch of them."""
    with project.ledger.writing() as connection:
        rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs]
        connection.execute(insert(schema.pairs), rows)
        insert_batch(connection, "monday", [BatchItem(pair.id) for pair in pairs], scheme=scheme, asked=times)


def judge_with(project: Project, parrot: Parrot, prompt: Prompt | None = None) -> JudgedBatch:
    """Have the generator judge the batch."""
    scheme = load_scheme("binary-loose")
    return judge_batch(project, "monday", GeneratorJudge(parrot, prompt or prompt_for(scheme), scheme))


def overlap_run(folder: Path) -> Run:
    """A classifier by word overlap, trained on a dozen pairs."""
    trees = "oak elm ash fir yew box bay fig nut pea rye oat"
    words = [f"{word} {number}" for number, word in enumerate(trees.split())]
    pairs = []
    for number, word in enumerate(words):
        other = f"the {word} stands" if number % 2 else f"no {number}{number} at all {number}{number}{number}"
        pairs.append(Pair(id=f"t{number}", text1=f"the {word} stands", text2=other, label=str(4 if number % 2 else 1)))
    folder.mkdir(parents=True, exist_ok=True)
    files = {"train": pairs[:8], "dev": pairs[8:10], "test": pairs[10:]}
    for name, part in files.items():
        write_records(iter(part), str(folder / f"{name}.jsonl"))
    options = PartOptions(dev=str(folder / "dev.jsonl"), tests=(str(folder / "test.jsonl"),))
    parts = read_parts_of([folder / "train.jsonl"], options)
    context = TrainingContext(lang="en")
    return train_run(
        TrainRequest("overlap", folder / "overlap", {}, context, lambda classifier, parts: DecisionRule()), parts
    )
