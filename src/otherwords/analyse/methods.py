"""How everything in a report was done, in sentences that could stand in a paper.

In go findings with their signatures, what was wished for and what the ledger tells; out come paragraphs that name every
parameter. Nothing is said here that is not in one of those: what is not known is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from otherwords import __version__
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Finding, Table
from otherwords.analyse.methods_signatures import Signed, in_words, listed, parsed
from otherwords.analyse.report_people import People
from otherwords.annotate.scheme import Scheme
from otherwords.corpus.corpora import Corpus
from otherwords.text.languages import language_name

MADE_BY = {
    "consensus": "the team's consensus",
    "qa": "a round of quality control",
    "judgements": "judgements that agree",
    "votes": "votes",
    "import": "the label that a pair was imported with",
    "rewrite": "being a rewrite",
}
TOLD_BY_WISHES = ("examples",)
DEFAULT = "The section “{0}” rests on {1}."
SENTENCES = {
    "labels": "Labels were taken as they stand, by {1}.",
    "similarity": "Lexical similarity is {1}.",
    "lengths": "Lengths were measured by {1}.",
    "mapping": "Texts were classed as phrases or as one or more sentences by {1}.",
    "overlap": "Word overlap is {1}.",
    "ngrams": "N-gram overlap is {1}.",
    "patterns": "Systematic patterns were looked for by {1}.",
    "diversity": "Diversity was measured by {1}.",
    "agreement": "Agreement was measured by {1}.",
}
SIMULATED = (
    "Judgements that were simulated by a program had a part in the labels: the figures show what such a corpus would "
    "look like and say nothing about people."
)


def about_corpus(corpus: Corpus, findings: Sequence[Finding]) -> str:
    """What the corpus is, as a sentence or two."""
    summary = first_row(findings, "labels", "summary")
    kind = {"project": "corpus", "release": "released corpus", "file": "corpus in the file"}[corpus.kind]
    pairs = f" holds {summary['pairs']:,} labelled pairs" if summary else " is analysed here"
    lang = f" in {language_name(corpus.lang)}" if corpus.lang else ""
    rewrites = f", and {summary['rewrites']:,} rewrites besides" if summary and summary.get("rewrites") else ""
    return f"The {kind} “{corpus.name}”{pairs}{lang}{rewrites}."


def about_labels(people: People, scheme: Scheme | None, findings: Sequence[Finding]) -> Iterable[str]:
    """Who judged what by which scheme, and how labels follow from it."""
    if people.judgements:
        plural = "s" * (people.annotators != 1)
        when = f" between {people.first} and {people.last}" if people.first and people.last else ""
        yield f"It rests on {people.judgements:,} judgements that {people.annotators:,} annotator{plural} gave{when}."
    if scheme is not None:
        yes = f"; {listed(scheme.positive)} count as paraphrases" if scheme.positive else ""
        yield f"Labels follow the scheme {scheme.name} (“{scheme.title}”){yes}."
    made = {how: count for how, count in _counts(findings, "made_by").items() if how in MADE_BY}
    if made:
        ways = listed([f"{MADE_BY[how]} ({count:,})" for how, count in made.items()])
        yield f"What made a label, in pairs: {ways}."
    states = {state: count for state, count in _counts(findings, "states").items() if state != "labelled"}
    if states:
        told = listed([f"{state} ({count:,})" for state, count in states.items()])
        yield f"Pairs without a label are left out of everything here: {told}."


def about_measures(findings: Sequence[Finding]) -> Iterable[str]:
    """A sentence for each finding: what it was computed with, every parameter named."""
    for finding in findings:
        signed = [one for text in finding.signatures.values() for one in parsed(text)]
        if len(set(signed)) > 1:  # one that says nothing but what the others say as well
            signed = [one for one in signed if one.measure != finding.name or not _told_by_others(one, signed)]
        if signed and finding.name not in TOLD_BY_WISHES:
            yield SENTENCES.get(finding.name, DEFAULT).format(finding.title, in_words(signed))


def _told_by_others(signed: Signed, every: Sequence[Signed]) -> bool:
    others = {parameter for one in every if one != signed for parameter in one.parameters}
    return set(signed.parameters) <= others


def about_chance(wishes: Wishes, findings: Sequence[Finding], *, compared: bool) -> str:
    """Version and seed, and what else was wished for."""
    told = [
        f"Everything was computed with otherwords {__version__}",
        f"whatever was drawn at random used the seed {wishes.seed}",
    ]
    if compared:
        told.append(f"corpora are compared on samples of at most {wishes.sample:,} pairs")
    if any(finding.name == "agreement" for finding in findings):
        told.append(f"intervals come from {wishes.replicates:,} bootstrap replicates")
    if any(finding.examples for finding in findings):
        told.append(f"up to {wishes.examples} examples of each kind were drawn")
    if wishes.synonyms:
        told.append(f"synonyms are those of the file {wishes.synonyms.rpartition('/')[2]}")
    return "; ".join(told) + "."


def first_row(findings: Sequence[Finding], finding: str, table: str) -> Mapping[str, object] | None:
    """The first row of a table by its columns; None where there is no such table."""
    found = table_of(findings, finding, table)
    return found.as_dicts()[0] if found is not None and found.rows else None


def table_of(findings: Sequence[Finding], finding: str, table: str) -> Table | None:
    """A table by the names of both."""
    tables = (one for each in findings if each.name == finding for one in each.tables)
    return next((one for one in tables if one.name == table), None)


def _counts(findings: Sequence[Finding], table: str) -> dict[str, int]:
    """Pairs by the first column of a table of the provenance."""
    found = table_of(findings, "provenance", table)
    counts: dict[str, int] = {}
    for row in found.rows if found is not None else ():
        count = row[-1]
        assert isinstance(count, int)
        counts[str(row[0])] = counts.get(str(row[0]), 0) + count
    return counts
