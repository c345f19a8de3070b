"""The page with the mistakes of a model: tables and figures by what the pairs are like, and pairs to read."""

from __future__ import annotations

from pathlib import Path

from otherwords.analyse.errors.finding import ModelErrors, errors_finding
from otherwords.analyse.report.build import write_sheet
from otherwords.analyse.report.page import Fact, Sheet
from otherwords.sources.io.files import atomic_folder


def write_errors(found: ModelErrors, out: Path, examples: int) -> Path:
    """Write the page into a new folder; the path of the page."""
    wrong = {
        kind: sum(mistake.kind == kind for mistake in found.mistakes) for kind in ("false positives", "false negatives")
    }
    sheet = Sheet(
        title=f"Mistakes of {found.model}",
        about=f"What the model gets wrong on {found.test}, by what the pairs are like.",
        facts=[
            Fact(f"{found.pairs:,}", "pairs"),
            Fact(f"{len(found.mistakes):,}", "mistakes"),
            *(Fact(f"{count:,}", kind) for kind, count in wrong.items()),
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
