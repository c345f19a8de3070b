"""The mistakes of a model as a finding: error rates by facet with intervals, and pairs to read.

A false positive is a pair that was called a paraphrase and is none, a false negative the reverse; where complete labels
are predicted, any other wrong label counts as a mistake too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from otherwords.analyse.errors.facets import FACETS, facet_values
from otherwords.analyse.figures.charts import share_bars
from otherwords.analyse.finding import Cell, Column, Example, Examples, Figure, Finding, Table, quantity
from otherwords.analyse.report.build import write_sheet
from otherwords.analyse.report.page import Sheet, counted_fact
from otherwords.learn.data.task import is_positive
from otherwords.learn.predictions import Predictions
from otherwords.measures.intervals import wilson
from otherwords.records import Pair
from otherwords.sources.io.files import atomic_folder

FEWEST = 5  # pairs of a value that has a bar in the figure
MOST_BARS = 12
KINDS = {"false positives": (False, True), "false negatives": (True, False)}
ABOUT = (
    "How often the model is wrong about pairs of each kind, with the interval of that share by Wilson, and the "
    "mistakes about which it was most certain (Martynov et al. 2022, §5)."
)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A pair about which a model is wrong, and how sure it was of the wrong label."""

    pair: Pair
    gold: str
    predicted: str
    probability: float

    @property
    def kind(self) -> str:
        """Which way it is wrong."""
        sides = (is_positive(self.gold), is_positive(self.predicted))
        return next((name for name, wrong in KINDS.items() if wrong == sides), "other labels")


@dataclass(slots=True)
class ModelErrors:
    """All mistakes of a model on a test, and the number of pairs of every kind."""

    model: str
    test: str
    signature: str
    pairs: int = 0
    mistakes: list[Mistake] = field(default_factory=list)
    totals: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    wrong: dict[str, Counter[tuple[str, str]]] = field(default_factory=lambda: defaultdict(Counter))

    def rows(self) -> list[list[Cell]]:
        """Facet, value, pairs, mistakes of each kind, and the error rate with its interval; the worst first."""
        rows: list[list[Cell]] = []
        for facet in FACETS:
            by_value: list[tuple[float, list[Cell]]] = []
            for value, pairs in self.totals[facet].items():
                kinds = {kind: self.wrong[facet][value, kind] for kind in (*KINDS, "other labels")}
                share, low, high = wilson(sum(kinds.values()), pairs)
                by_value.append((share, [facet, value, pairs, *kinds.values(), share, low, high]))
            rows += [row for _, row in sorted(by_value, key=lambda entry: (-entry[0], str(entry[1][1])))]
        return rows


def find_errors(
    predictions: Predictions, pairs: Sequence[Pair], model: str, signature: str, lang: str | None = None
) -> ModelErrors:
    """Count the mistakes by facet; ``pairs`` are those of the predictions, in their order."""
    found = ModelErrors(model, predictions.test, signature)
    joint = predictions.task.joint(predictions.heads)
    places = {label: number for number, label in enumerate(predictions.task.labels)}
    for number, (pair, gold, predicted) in enumerate(zip(pairs, predictions.gold, predictions.predicted, strict=True)):
        values = facet_values(pair, lang)
        found.pairs += 1
        for facet, value in values.items():
            found.totals[facet][value] += 1
        if gold == predicted:
            continue
        mistake = Mistake(pair, gold, predicted, float(joint[number, places[predicted]]))
        found.mistakes.append(mistake)
        for facet, value in values.items():
            found.wrong[facet][value, mistake.kind] += 1
    found.mistakes.sort(key=lambda mistake: (-mistake.probability, mistake.pair.id))
    return found


def errors_finding(found: ModelErrors, examples: int) -> Finding:
    """The mistakes as tables, a figure and examples for the report."""
    columns = [
        Column("facet", "what"),
        Column("value", "value"),
        *(Column(name.replace(" ", "_"), name, "count") for name in ("pairs", *KINDS, "other labels")),
        *(Column(name, title, "share") for name, title in (("errors", "errors"), ("low", "from"), ("high", "to"))),
    ]
    table = Table("errors", f"Mistakes of {found.model} on {found.test}", columns, found.rows())
    figures = []
    for facet in ("swap", "category", "type", "pattern"):
        shares = [
            (str(row[1]), float(str(row[6]))) for row in table.rows if row[0] == facet and int(str(row[2])) >= FEWEST
        ]
        if len(shares) > 1:
            title = f"Share of wrong predictions by {facet}"
            spec = share_bars(title, shares[:MOST_BARS], "wrong predictions")
            figures.append(Figure(f"errors-{facet}", title, spec, f"Values with at least {FEWEST} pairs."))
    shown = []
    for kind in (*KINDS, "other labels"):
        chosen = [mistake for mistake in found.mistakes if mistake.kind == kind][:examples]
        if chosen:
            shown.append(Examples(kind, [_example(mistake) for mistake in chosen]))
    total = len(found.mistakes)
    headline = f"{found.model} is wrong about {total:,} of the {quantity(found.pairs, 'pair')} of {found.test}"
    return Finding(
        "model-errors",
        "Mistakes of a model",
        ABOUT,
        [table],
        figures,
        shown,
        signatures={"errors": found.signature},
        headlines=[headline],
    )


def _example(mistake: Mistake) -> Example:
    label = f"{mistake.gold}, called {mistake.predicted} ({mistake.probability:.2f})"
    return Example(mistake.pair.id, mistake.pair.text1, mistake.pair.text2, label, mistake.pair.lang)


def write_errors(found: ModelErrors, out: Path, examples: int) -> Path:
    """Write the page into a new folder; the path of the page."""
    wrong = {
        kind: sum(mistake.kind == kind for mistake in found.mistakes) for kind in ("false positives", "false negatives")
    }
    sheet = Sheet(
        title=f"Mistakes of {found.model}",
        about=f"What the model gets wrong on {found.test}, by what the pairs are like.",
        facts=[
            counted_fact(found.pairs, "pair"),
            counted_fact(len(found.mistakes), "mistake"),
            *(counted_fact(count, kind.removesuffix("s")) for kind, count in wrong.items()),
        ],
        findings=[errors_finding(found, examples)],
        methods=[
            "Each pair of the test was predicted once. A mistake is a pair whose predicted label is not its own. "
            "Values of a facet are compared by the share of mistakes with a 95 % interval by Wilson; no model was "
            "chosen by these numbers.",
            f"Model: {found.signature}.",
        ],
    )
    with atomic_folder(out) as folder:
        return write_sheet(sheet, folder, out).page
