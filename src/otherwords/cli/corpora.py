"""Commands that convert, score and count the pairs of any corpus, and list the formats and measures for that."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import measure_specs, reading_options
from otherwords.cli.talk import ReadingBar, number_table, print_json, print_table, say
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.analyse.bins import Bins
    from otherwords.analyse.profile import Profile


NOUNS = ("pairs", "judgements", "documents", "document_pairs")


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--to", metavar="FORMAT", help="Format to write; by the suffix of OUT if not given.")
@click.option("--what", type=click.Choice(NOUNS), default="pairs", show_default=True, help="Records to convert.")
@reading_options
def convert(source: str, target: str, to: str | None, what: Any, reading: Any) -> None:
    """Convert a corpus from one format to another.

    Reads IN in any format that `otherwords formats` lists and writes OUT. Fields that a format does
    not know stay in `meta`, so our own formats lose nothing.

    \b
      otherwords convert dev.json pairs.jsonl --from turku
      otherwords convert corpus.xml types.jsonl --from p4p --what judgements
      otherwords convert pairs.jsonl - --to turku
    """
    from otherwords.api import corpora

    bar = ReadingBar()
    corpora.convert(source, target, to=to, what=what, progress=bar, **reading)
    bar.say_counts()


@click.command("score")
@click.argument("pairs", metavar="PAIRS")
@click.argument("more", metavar="", nargs=-1)
@click.option(
    "--measure", "-m", "names", metavar="NAME[:KEY=VALUE,…]", multiple=True, help="A measure; several may follow."
)
@click.option("--tokeniser", metavar="NAME", help="Tokeniser of all measures that need words.")
@click.option("--out", "-o", metavar="FILE", default="-", help="File to write; standard output by default.")
@click.option("--to", metavar="FORMAT", help="Format to write; by the suffix of the file if not given.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Number of cores to use; all by default.")
@reading_options
def score(pairs: str, more: tuple[str, ...], names: tuple[str, ...], out: str, reading: Any, **options: Any) -> None:
    """Add a score per measure to every pair.

    The order of the rows is kept. In JSON Lines the scores are under `scores`, in tables each has
    a column. Where a measure has a direction, text1 is the reference or source and text2 the
    hypothesis. `otherwords measures` lists the measures and their parameters; the default is
    char-cosine, jaccard and bleu, and `--measure all` is every one.

    \b
      otherwords score pairs.jsonl --measure jaccard --measure bleu --out scored.jsonl
      otherwords score dev.tsv --from paws -m overlap:n=1-3,tok=words --out scored.csv
    """
    from otherwords.api import corpora

    if files := [name for name in more if Path(name).exists()]:
        message = f"score takes one file at a time; {files[0]} is one too many"
        raise UsageError(message, code="too-many-files")
    measures, bar = measure_specs((*names, *more)) or corpora.DEFAULT_MEASURES, ReadingBar()
    result = corpora.score(pairs, out, measures=measures, progress=bar, **options, **reading)
    bar.say_counts()
    for name, signature in result.signatures.items():
        say(f"  {name}: {signature}")


@click.command("bins")
@click.argument("pairs", metavar="PAIRS")
@click.option(
    "--measure",
    "-m",
    metavar="NAME[:KEY=VALUE,…]",
    default="jaccard",
    show_default=True,
    help="The measure to divide into ranges.",
)
@click.option("--bins", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of ranges.")
@click.option("--tokeniser", metavar="NAME", help="Tokeniser, if the measure needs words.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@reading_options
def bins(pairs: str, measure: str, count: int, tokeniser: str | None, as_json: bool, reading: Any) -> None:
    """Count pairs by the range of a measure and by label.

    The table by which Suzuki et al. (2017) balance their corpus: how many pairs of each label lie in
    each range, and how long their texts are. Ranges are closed on the left; exact matches are a
    range of their own. Negatives of several origins (meta.origin, method or source) are also counted
    apart.

    \b
      otherwords bins tmup.tsv --from tmup --measure jaccard --bins 10
    """
    from otherwords.api import corpora

    bar = ReadingBar()
    table = corpora.bins(pairs, measure=measure, count=count, tokeniser=tokeniser, progress=bar, **reading)
    if as_json:
        print_json(table.as_dict())
    else:
        _print_bins(table)
    bar.say_counts()


def _print_bins(bins: Bins) -> None:

    rows, negatives = (*bins.ranges, bins.total), bins.negatives()
    origins = [f"negatives:\n{name}" for name in next(iter(negatives), ())]
    table = number_table("range", "pairs", "tokens 1", "tokens 2", *bins.labels, *origins, title=bins.signature)
    for place, row in enumerate(rows):
        means = [f"{tokens / row.pairs:.2f}" if row.pairs else "–" for tokens in (row.tokens1, row.tokens2)]
        counts = [*(row.labels[label] for label in bins.labels), *(negatives[place].values() if negatives else ())]
        table.add_row(row.name, f"{row.pairs:,}", *means, *(f"{count:,}" for count in counts))
    print_table(table)


@click.command("profile")
@click.argument("pairs", metavar="PAIRS")
@click.option("--json", "as_json", is_flag=True, help="Print the profile as JSON.")
@click.option("--plot", metavar="FILE", help="Draw labels and lexical similarity as .svg or .png.")
@click.option("--tokeniser", metavar="NAME", help="Tokeniser for lengths; that of the language by default.")
@reading_options
def profile(pairs: str, as_json: bool, plot: str | None, tokeniser: str | None, reading: Any) -> None:
    """Count the pairs, labels, texts and tokens of a corpus, and find problems.

    Problems are duplicate, mirrored and identical pairs, and labels that contradict each other, also where one text is
    in NFC and the other is not. Rewrites are counted separately. PAIRS is a file or a project, whose pairs have the
    labels that their judgements make of them.

    \b
      otherwords profile dev.json --from turku
      otherwords profile corpus
      otherwords profile pairs.jsonl --json
      otherwords profile pairs.jsonl --plot pairs.svg
    """
    from otherwords.api import corpora

    bar = ReadingBar()
    result = corpora.profile(pairs, tokeniser=tokeniser, plot=plot, progress=bar, **reading)
    if as_json:
        print_json(result.as_dict())
    else:
        _print_profile(result)
    bar.say_counts()
    if bar.reading is None:  # of a project
        for remark in result.marked:
            say(f"  noted: {remark}")


def _print_profile(result: Profile) -> None:
    from rich.table import Table

    from otherwords.analyse.label_classes import label_order

    facts = Table(box=None, show_header=False)
    facts.add_column()
    facts.add_column(justify="right")
    for name in ("pairs", "rewrites", "unique_texts", "duplicate_pairs", "mirrored_pairs", "identical_pairs"):
        facts.add_row(name.replace("_", " "), f"{getattr(result, name):,}")
    facts.add_row("label conflicts", f"{result.label_conflicts:,}")
    facts.add_row("empty texts", f"{result.empty_texts:,}")
    facts.add_row("texts not in NFC", f"{result.texts_not_nfc:,}")
    facts.add_row("skipped rows", f"{result.skipped_rows:,}")
    means = f"{result.mean_tokens:.2f}  ({result.mean_tokens_text1:.2f} and {result.mean_tokens_text2:.2f})"
    facts.add_row("mean tokens", means)
    facts.add_row("mean lexical similarity", f"{result.mean_similarity:.3f}")
    print_table(facts)
    click.echo()
    labels = number_table("label", "pairs", "share", "", texts=1)
    most = max(result.labels.values(), default=1)
    for label in label_order(result.labels):
        count = result.labels[label]
        shown = label if label == label.strip() else repr(label)
        labels.add_row(shown, f"{count:,}", f"{count / result.pairs:.1%}", "█" * round(30 * count / most))
    print_table(labels)


@click.command("formats")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def formats(as_json: bool) -> None:
    """List the formats that can be read and written."""
    from otherwords.api import corpora

    rows = corpora.formats()
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    for row in rows:
        click.echo(f"{row.name:<12} {row.title}")


@click.command("measures")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def measures(as_json: bool) -> None:
    """List the measures, their parameters, ranges and signatures."""
    from otherwords.api import corpora

    rows = corpora.measures()
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    for row in rows:
        low, high = row.range
        click.echo(f"{row.name:<18} {row.title}")
        click.echo(f"{'':<18} {low:g} to {high:g}; parameters: {', '.join(row.parameters) or 'none'}")
        click.echo(f"{'':<18} {row.signature}")
