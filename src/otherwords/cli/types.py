"""``otherwords types``: the types of paraphrase in a corpus, how often they occur and how long they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import number_table, print_json, print_table, say
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.api.corpora import TypesResult

FORMATS = ("p4p", "etpc", "msrp-a", "jsonl")
MOST_NOTES = 10
FACTS = ("words", "pairs", "phenomena", "words_per_member", "phenomena_per_pair", "phenomena_per_word")


@click.command("types")
@click.argument("corpora", metavar="PROJECT|FILE…", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the tables as CSV: corpus, figure, type, value.")
@click.option(
    "--tokeniser", metavar="NAME", help="Tokeniser for lengths; that of the judgement or language by default."
)
@click.option("--write", metavar="FILE", help="Also write the annotations that were counted.")
@click.option("--to", type=click.Choice(FORMATS), default="p4p", show_default=True, help="Format of that file.")
@reading_options
def command(corpora: tuple[str, ...], as_json: bool, as_csv: bool, reading: Any, **options: Any) -> None:
    """Count the paraphrase types of corpora: Tables 3 and 4 of Vila et al. 2014.

    A pair counts once, by its consensus or else by its first annotation. Length is in tokens per text. For several
    corpora, the correlation (Pearson) of the frequencies of types is given for every two. The file that is written
    does not name annotators.

    \b
      otherwords types corpus
      otherwords types P4P.xml --from p4p --json
      otherwords types P4P.xml MSRP-A/ corpus --csv
      otherwords types corpus --write corpus.xml --to p4p
    """
    from otherwords.api.corpora import types

    if as_json and as_csv:
        raise UsageError("--json and --csv: choose one", code="conflicting-options")
    result = types(corpora, **options, **reading)
    if as_json:
        print_json(result.as_dict())
    elif as_csv:
        _print_csv(result)
    else:
        _print(result)
    for table in result.tables:
        for note, count in table.notes.most_common(MOST_NOTES):
            say(f"{table.corpus}: {count:,} {note}")
        if len(table.notes) > MOST_NOTES:
            say(f"{table.corpus}: and {len(table.notes) - MOST_NOTES:,} other notes, which --json lists")


def _print(result: TypesResult) -> None:

    for counts in result.tables:
        totals = counts.totals()
        facts = number_table(counts.corpus, "")
        for name in FACTS:
            facts.add_row(name.replace("_", " "), _number(totals[name]))
        types = number_table("type", "phenomena", "%", "length")
        for tag, row in counts.by_type().items():
            types.add_row(tag, f"{row['phenomena']:,}", _number(row["frequency"]), _number(row["length"]))
        for table in (facts, types):
            print_table(table)
            click.echo()
    for pair in result.correlations:
        value = f"{pair.value:.2f}" if pair.value is not None else f"undefined: {pair.note}"
        click.echo(f"Pearson of {' and '.join(pair.corpora)}, {pair.types} types: {value}")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _print_csv(result: TypesResult) -> None:
    import csv
    import sys

    from otherwords.sources.io.tabular import safe_cell

    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(("corpus", "figure", "type", "value"))
    cells: list[tuple[object, ...]] = []
    for table in result.tables:
        totals = table.totals()
        cells += [(table.corpus, name, None, totals[name]) for name in FACTS]
        for tag, row in table.by_type().items():
            cells += [(table.corpus, name, tag, value) for name, value in row.items()]
    cells += [(" and ".join(pair.corpora), "pearson", None, pair.value) for pair in result.correlations]
    rows.writerows([safe_cell(cell) for cell in row] for row in cells)
