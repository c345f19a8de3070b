"""A reproduction as tables: for the terminal, and as a page like that of a report.

What could be recomputed is shown number by number; what could not is summed up by table and reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from otherwords import __version__
from otherwords.analyse.finding import Cell, Column, Finding, Table, quantity
from otherwords.analyse.report.build import WrittenReport, write_sheet
from otherwords.analyse.report.page import MOST_ROWS, Fact, Sheet
from otherwords.analyse.reproduce.reproduce import Reproduction
from otherwords.analyse.reproduce.verdict import SIGNS, Result, Verdict
from otherwords.sources.io.files import atomic_folder

NUMBERS = (
    Column("row", "row"), Column("column", "column"), Column("printed", "printed", "number"),
    Column("ours", "ours", "number"), Column("n", "n", "count"), Column("sign", ""), Column("reason", "reason"),
)  # fmt: skip
FILES = (Column("file", "file"), Column("about", "what it is"), Column("sha256", "SHA-256"))
LEFT = (Column("place", "place"), Column("numbers", "numbers", "count"), Column("verdict", ""), Column("why", "why"))
FEWEST_SHARED = 3  # rows whose common reasons are put into the title
METHODS = (
    "Every number is recomputed from the files listed under provenance by the analyses of otherwords, and compared "
    "with the one that the paper prints. ✓: it rounds to the printed number, on all the data that the paper has. ≈: it "
    "is close for the reason that is given. ≠: it differs; where nobody knows why, that is said.",
    "Where only a part of the data is here, a number is never ✓. The interval is what drawing clusters (films, texts, "
    "pairs) at random would explain in 95 of 100 cases, with the correction for a finite population: of many such "
    "numbers, one in twenty lies outside by chance alone, and a part that was not drawn at random may lie outside more "
    "often. A count is multiplied up to the size that the paper states.",
)


def result_tables(reproduction: Reproduction) -> list[tuple[str, Table]]:
    """The numbers that could be recomputed, by place; a long table is cut into its columns."""
    tables = []
    for place, results in _by_place(reproduction.results).items():
        shown = [result for result in results if result.value is not None]
        if not shown:
            continue
        if len(shown) <= MOST_ROWS:
            tables.append((place, _table(place, shown)))
            continue
        for column in dict.fromkeys(result.item.column for result in shown):
            rows = [result for result in shown if result.item.column == column]
            tables.append((place, _table(f"{place}, {column}", rows)))
    return tables


def left_table(reproduction: Reproduction) -> Table:
    """How many numbers of each table could not be recomputed, and why."""
    left = (result for result in reproduction.results if result.value is None)
    counts = Counter((result.item.place, result.sign, result.reason) for result in left)
    rows = [(place, count, sign, why) for (place, sign, why), count in counts.items()]
    return Table("left", "What could not be recomputed", LEFT, rows)


def files_table(reproduction: Reproduction) -> Table:
    """The files of the paper that are here."""
    rows = [(file.name, file.about, file.sha256) for file in reproduction.used]
    return Table("files", "Files", FILES, rows)


def summary(reproduction: Reproduction) -> str:
    """The verdicts in a line."""
    counted = [f"{count:,} {SIGNS[verdict]}" for verdict, count in reproduction.counts().items()]
    return f"{quantity(len(reproduction.results), 'number')}: {', '.join(counted)}"


def write_page(reproduction: Reproduction, out: Path, command: str) -> WrittenReport:
    """Write the page into a new folder."""
    with atomic_folder(out) as folder:
        return write_sheet(_sheet(reproduction, command), folder, out)


def _sheet(reproduction: Reproduction, command: str) -> Sheet:
    by_place: dict[str, list[Table]] = {}
    for place, table in result_tables(reproduction):
        by_place.setdefault(place, []).append(table)
    findings = [Finding(place, place, "", tables) for place, tables in by_place.items()]
    all_items = Table("items", "All numbers", _all_columns(), [_all_cells(result) for result in reproduction.results])
    left = Finding("left", "What could not be recomputed", "", [left_table(reproduction), all_items])
    about = f"otherwords {__version__}, by the command {command}. Equal digests mean identical bytes."
    provenance = Finding(
        "provenance", "Provenance", about, [files_table(reproduction)], remarks=unused_files(reproduction)
    )
    counts = reproduction.counts().items()
    return Sheet(
        title=f"{reproduction.paper.name}, recomputed",
        about=f"{reproduction.paper.title}: every number that the released data allow, beside the printed one.",
        facts=[_fact(verdict, count) for verdict, count in counts],
        findings=[*findings, left, provenance],
        methods=METHODS,
        remarks=[f"Not in {reproduction.data}: {'; '.join(reproduction.missing)}"] if reproduction.missing else [],
    )


def _fact(verdict: Verdict, count: int) -> Fact:
    sign = SIGNS[verdict]
    return Fact(f"{count:,}", sign if len(sign) > 1 else f"{sign} {verdict}")


def unused_files(reproduction: Reproduction) -> list[str]:
    """What is said of the files that were not used."""
    others = [file for file in reproduction.files if file.role is None]
    reasons = Counter(file.about for file in others)
    named = {file.about: file.name for file in others}
    return [
        f"not used: {named[about]} ({about})" if count == 1 else f"not used: {quantity(count, 'file')} ({about})"
        for about, count in reasons.items()
    ]


def _by_place(results: Sequence[Result]) -> dict[str, list[Result]]:
    by_place: dict[str, list[Result]] = {}
    for result in results:
        by_place.setdefault(result.item.place, []).append(result)
    return by_place


def _table(name: str, results: Sequence[Result]) -> Table:
    """A table of numbers; what holds for all of them stands in its title, once."""
    reasons = [result.reason.split("; ") for result in results]
    shared = [part for part in reasons[0] if part and all(part in others for others in reasons)]
    if len(results) < FEWEST_SHARED:
        shared = []
    rows = []
    for result, parts in zip(results, reasons, strict=True):
        rows.append(_cells(result, "; ".join(part for part in parts if part not in shared)))
    return Table(name, ": ".join(filter(None, (name, "; ".join(shared)))), NUMBERS, rows)


def _cells(result: Result, reason: str) -> list[Cell]:
    n = result.value.n if result.value else None
    item = result.item
    return [item.row, item.column, item.printed, result.ours, n, result.sign, reason]


def _all_columns() -> tuple[Column, ...]:
    return (Column("place", "place"), *NUMBERS)


def _all_cells(result: Result) -> list[Cell]:
    return [result.item.place, *_cells(result, result.reason)]
