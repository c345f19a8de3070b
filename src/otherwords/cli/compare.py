"""``otherwords compare``: several corpora beside each other, as a page."""

from __future__ import annotations

from typing import Any

import click

from otherwords.cli.options import reading_options, sample_option, seed_option, simulated_option, synonyms_option
from otherwords.cli.report import tell


@click.command("compare")
@click.argument("corpora", metavar="PROJECT|FILE|RELEASE…", nargs=-1, required=True)
@click.option("--out", metavar="DIR", required=True, help="A new folder for the page, its tables and its figures.")
@seed_option
@sample_option
@synonyms_option
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
@reading_options
def command(
    corpora: tuple[str, ...],
    out: str,
    seed: int,
    sample: int,
    synonyms: str | None,
    simulated: bool,
    as_json: bool,
    wishes: dict[str, Any],
) -> None:
    """Put several corpora beside each other: labels, lengths, similarity, mapping, patterns and more.

    Takes projects, releases and files, each in its own format where that is recognised. Where numbers
    would depend on the size of a corpus, equal samples are compared.

    \b
      otherwords compare corpus other.jsonl --out comparison
      otherwords compare train.jsonl dev.jsonl test.jsonl --out parts --sample 5000 --seed 1
    """
    from otherwords.analyse.analyses import Wishes
    from otherwords.analyse.compare import compare
    from otherwords.cli.talk import looking

    chosen = Wishes(seed=seed, sample=sample, synonyms=synonyms)
    with looking("comparing") as progress:
        written = compare(corpora, out, chosen, simulated=simulated, progress=progress, **wishes)
    tell(written, as_json=as_json)
