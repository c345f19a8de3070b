"""The methods section of a report: how everything was done, in sentences that could stand in a paper.

The sentences are derived from the signatures of the findings, the options and the ledger, and name every parameter.
What is not known is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from otherwords import __version__
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Cell, Finding, Table, quantity
from otherwords.analyse.findings.truth import NAME as TRUTH
from otherwords.analyse.label_classes import ALL
from otherwords.analyse.report.making import LabelOrigin, about_origins
from otherwords.analyse.report.provenance import AnnotationWork
from otherwords.analyse.report.signatures_in_words import in_words, join_words, parse_signature
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.corpus.corpus import Corpus
from otherwords.text.languages import language_name

COVERED_BY_OPTIONS = ("examples",)
DEFAULT = "The section “{0}” is based on {1}."
SENTENCES = {
    "labels": "Label shares were computed by {1}.",
    "similarity": "Lexical similarity is {1}.",
    "lengths": "Lengths were measured by {1}.",
    "mapping": "Texts were classified as phrases or as one or more sentences by {1}.",
    "overlap": "Word overlap is {1}.",
    "ngrams": "N-gram overlap is {1}.",
    "patterns": "Systematic patterns were identified by {1}.",
    "diversity": "Diversity was measured by {1}.",
    "answers": "Scales, counts and choices were summarised by {1}.",
    "agreement": "Agreement was measured by {1}.",
}
SIMULATED = (
    "Some or all labels depend on judgements that were simulated by a program: the figures show what such a corpus "
    "would look like and say nothing about human annotators."
)


def about_corpus(corpus: Corpus, findings: Sequence[Finding]) -> str:
    """A sentence about the kind and size of a corpus."""
    summary = first_row(findings, "labels", "summary")
    kind = {"project": "corpus", "release": "released corpus", "file": "corpus in the file"}[corpus.kind]
    lang = f" in {language_name(corpus.lang)}" if corpus.lang else ""
    if not summary:
        return f"The {kind} “{corpus.name}”{lang} is analysed here."
    pairs, rewrites = summary["pairs"], summary.get("rewrites")
    assert isinstance(pairs, int)
    addition = f", and in addition {quantity(rewrites, 'rewrite')}" if isinstance(rewrites, int) and rewrites else ""
    return f"The {kind} “{corpus.name}” contains {quantity(pairs, 'labelled pair')}{lang}{addition}."


def about_labels(work: AnnotationWork, scheme: Scheme | None, findings: Sequence[Finding]) -> Iterable[str]:
    """Sentences about the annotation, the scheme and the origin of the labels."""
    if work.judgements:
        when = f", made between {work.first} and {work.last}" if work.first and work.last else ""
        judgements, annotators = quantity(work.judgements, "judgement"), quantity(work.annotators, "annotator")
        yield f"It is based on {judgements} by {annotators}{when}."
    if others := sum(work.others.values()):
        listed = join_words([f"{purpose} ({count:,})" for purpose, count in work.others.items()])
        yield f"{quantity(others, 'further judgement')}, for {listed}, {'makes' if others == 1 else 'make'} no label."
    if scheme is not None:
        positive = f"; {join_words(scheme.positive)} count as paraphrases" if scheme.positive else ""
        yield f"Labels follow the scheme {scheme.name} (“{scheme.title}”){positive}."
    if origins := about_origins(_origins(findings)):
        yield origins
    states = {state: count for state, count in _pair_counts(findings, "states").items() if state != "labelled"}
    if states:
        listed = join_words([f"{state} ({count:,})" for state, count in states.items()])
        yield f"Pairs without a label are excluded throughout: {listed}."


def about_measures(findings: Sequence[Finding]) -> Iterable[str]:
    """A sentence for each finding about how it was computed, with every parameter."""
    for finding in findings:
        signed = [measure for text in finding.signatures.values() for measure in parse_signature(text)]
        measures = []
        for measure in signed:
            others = [other for other in signed if other != measure]
            parameters = {parameter for other in others for parameter in other.parameters}
            # a signature of the finding itself may repeat what the other signatures say
            if measure.measure != finding.name or not others or not set(measure.parameters) <= parameters:
                measures.append(measure)
        if measures and finding.name not in COVERED_BY_OPTIONS:
            yield SENTENCES.get(finding.name, DEFAULT).format(finding.title, in_words(measures))


def about_chance(options: AnalysisOptions, findings: Sequence[Finding], *, compared: bool) -> str:
    """A sentence about the version, the seed and the other options."""
    clauses = [f"All figures were computed with otherwords {__version__}"]
    clauses.append(f"random sampling used the seed {options.seed}")
    if compared:
        clauses.append(f"corpora were compared on samples of at most {options.sample:,} pairs")
    if any(finding.name == "agreement" or TRUTH in finding.signatures for finding in findings):
        clauses.append(f"intervals come from {options.replicates:,} bootstrap replicates")
    if any(finding.examples for finding in findings):
        clauses.append(f"up to {options.examples} examples of each kind were drawn")
    if options.synonyms:
        clauses.append(f"synonyms were taken from the file {options.synonyms.rpartition('/')[2]}")
    return "; ".join(clauses) + "."


def paragraphs(opening: Sequence[str], findings: Sequence[Finding], closing: str) -> list[str]:
    """The paragraphs of a methods section: opening sentences, the measures of the findings, and a closing sentence."""
    measures = " ".join(about_measures(findings))
    return [" ".join(opening), *([measures] if measures else []), closing]


def first_row(findings: Sequence[Finding], finding_name: str, table_name: str) -> Mapping[str, Cell]:
    """The first row of a table by column; empty if there is no such table."""
    table = table_of(findings, finding_name, table_name)
    return table.as_dicts()[0] if table is not None and table.rows else {}


def overall_row(findings: Sequence[Finding], finding_name: str, table_name: str) -> Mapping[str, Cell]:
    """The row about all pairs in a table by label; empty if there is no such table."""
    table = table_of(findings, finding_name, table_name)
    return next((row for row in table.as_dicts() if row.get("label") == ALL), {}) if table is not None else {}


def table_of(findings: Sequence[Finding], finding_name: str, table_name: str) -> Table | None:
    """A table by the name of its finding and its own."""
    tables = (table for finding in findings if finding.name == finding_name for table in finding.tables)
    return next((table for table in tables if table.name == table_name), None)


def _origins(findings: Sequence[Finding]) -> dict[LabelOrigin, int]:
    """The numbers of pairs in the provenance by what made their label, and by how many judgements."""
    table = table_of(findings, "provenance", "made_by")
    rows = table.as_dicts() if table is not None else []
    return {(str(row["made_by"]), int(str(row["judgements"]))): int(str(row["pairs"])) for row in rows}


def _pair_counts(findings: Sequence[Finding], table_name: str) -> dict[str, int]:
    """Numbers of pairs by the first column of a provenance table."""
    table = table_of(findings, "provenance", table_name)
    counts: dict[str, int] = {}
    for row in table.rows if table is not None else ():
        count = row[-1]
        assert isinstance(count, int)
        counts[str(row[0])] = counts.get(str(row[0]), 0) + count
    return counts
