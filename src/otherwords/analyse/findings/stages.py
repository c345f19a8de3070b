"""How many pairs of a corpus that was carried over are left after each stage: Table 3 of Martynov et al. 2022.

The step that carried the pairs over has counted them by their original label; what people made of them is counted by
the label that they gave. A pair that people did not keep has none.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import desc, select

from otherwords.acquire.localise import METHOD
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import Panel, bars_beside
from otherwords.analyse.finding import PAIRS, Cell, Column, Figure, Finding, Table
from otherwords.annotate.labels.label_rule import polarity
from otherwords.corpus.corpus import open_corpus
from otherwords.measures.options import signature
from otherwords.project.ledger import schema
from otherwords.project.project import Project

KIND = f"acquire-{METHOD}"
KEPT = "judged and kept by people"
ABOUT = (
    "How many pairs are left after each stage of carrying a corpus over to another language, by the label of the "
    "original, and how many people judged and kept, by the label that they gave (Martynov et al. 2022, Table 3)."
)
KINDS = (True, False)
COLUMNS = (
    Column("stage", "stage"),
    PAIRS,
    Column("paraphrases", "paraphrases", "count"),
    Column("others", "not paraphrases", "count"),
)
CAPTION = "A bar is what is left after a stage; the last one is what people kept."


def stages(project: Project, options: AnalysisOptions) -> Finding | None:
    """What is left of a corpus after each stage of carrying it over (Martynov et al. 2022, Table 3)."""
    counts = _last_counts(project)
    if counts is None:
        return None
    corpus = open_corpus(project.folder)
    kept = Counter(corpus.positive(pair) for pair in corpus.pairs() if pair.method == METHOD)
    by_label: dict[str, dict[str, int]] = counts.get("labels") or {}
    is_positive = polarity(by_label)
    rows: list[list[Cell]] = []
    for stage, pairs in counts["stages"].items():
        left = {label: by_stage[stage] for label, by_stage in by_label.items()}
        rows.append(
            [stage, pairs, *(sum(left[label] for label in left if is_positive(label) is kind) for kind in KINDS)]
        )
    rows.append([KEPT, kept.total(), *(kept[kind] for kind in KINDS)])
    table = Table("stages", "Pairs after each stage", COLUMNS, rows)
    title = f"{project.config.name}: pairs after each stage"
    bars = Panel([(str(row["stage"]), int(str(row["pairs"]))) for row in table.as_dicts()], "pairs", ",d")
    figures = [Figure("stages", title, bars_beside(title, [bars]), CAPTION)]
    signed = {table.name: signature("stages", {"labels": "original+people"})}
    return Finding("stages", "Stages", ABOUT, [table], figures, signatures=signed)


def _last_counts(project: Project) -> dict[str, Any] | None:
    """The counts of the last step that carried pairs over."""
    steps = schema.steps
    done = select(steps.c.counts).where(steps.c.kind == KIND, steps.c.state == "done").order_by(desc(steps.c.seq))
    with project.ledger.reading() as connection:
        return connection.execute(done.limit(1)).scalar_one_or_none()
