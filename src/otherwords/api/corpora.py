"""Commands that take any corpus: a file in any format, a release or a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from otherwords.api.reading import (
    Paths,
    ReadingOptions,
    ReadingProgress,
    StrPath,
    check_quarantine,
    no_progress,
    one_quarantine,
    path_list,
)
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.acquire.score import ScoreResult
    from otherwords.analyse.agreement.report import AgreementReport, By
    from otherwords.analyse.bins import Bins
    from otherwords.analyse.catalogue import AnalysisResult
    from otherwords.analyse.profile import Profile
    from otherwords.analyse.report.build import WrittenReport
    from otherwords.analyse.types.table import Correlation, TypesTable
    from otherwords.corpus.clusters.clusters import Clusters
    from otherwords.corpus.leaks.find import Leaks
    from otherwords.sources.source import ReadLog

DEFAULT_MEASURES = ("char-cosine", "jaccard", "bleu")
PairCount = Callable[[int], None]  # is called with the number of pairs done so far


def convert(
    source: StrPath,
    target: StrPath,
    *,
    to: str | None = None,
    what: Literal["pairs", "judgements", "documents", "document_pairs"] = "pairs",
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> ReadLog:
    """Convert a corpus from one format to another.

    ``to`` is the format to write; without it, the suffix of the target decides. The result counts the rows read,
    noted and refused.
    """
    from otherwords.sources.reading import format_for, open_records, write_records

    format_for(target, to)
    check_quarantine(target, reading)
    with open_records(source, noun=what, **reading) as records:
        write_records(progress(records, records, "converting"), target, to)
        return records.account


def score(
    pairs: StrPath,
    out: StrPath,
    *,
    measures: Sequence[str] = DEFAULT_MEASURES,
    tokeniser: str | None = None,
    to: str | None = None,
    jobs: int | None = None,
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> ScoreResult:
    """Write every pair with a score per measure, in the same order.

    A measure is spelled ``NAME`` or ``NAME:key=value,key=value``. The result has the signature of every measure.
    """
    from otherwords.acquire.score import score_file

    check_quarantine(out, reading)
    return score_file(pairs, out, measures, to=to, tokeniser=tokeniser, threads=jobs, watch=progress, **reading)


def bins(
    pairs: StrPath,
    *,
    measure: str = "jaccard",
    count: int = 10,
    tokeniser: str | None = None,
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> Bins:
    """Count pairs by the range of a measure and by label."""
    from otherwords.analyse.bins import bins_of_file

    _, table = bins_of_file(pairs, measure, count, tokeniser=tokeniser, watch=progress, **reading)
    return table


def profile(
    pairs: StrPath,
    *,
    tokeniser: str | None = None,
    plot: StrPath | None = None,
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> Profile:
    """Count the pairs, labels, texts and tokens of a corpus, and what is wrong with them.

    Of a project these are all of its pairs, each with the label that its judgements make of it. ``plot`` is a file for
    a figure, .svg or .png.
    """
    from otherwords.analyse.figures.render import check_figure, profile_figure, save
    from otherwords.analyse.profile import profile_file, profile_project
    from otherwords.project.config import CONFIG_FILE

    if plot is not None:
        check_figure(plot)
    if (Path(pairs) / CONFIG_FILE).is_file():
        name, result = Path(pairs).resolve().name, profile_project(pairs, lang=reading.get("lang"), tokeniser=tokeniser)
    else:
        corpus, result = profile_file(pairs, tokeniser=tokeniser, watch=progress, **reading)
        name = corpus.source.stem
    if plot is not None:
        save(profile_figure(result, name), plot)
    return result


@dataclass(frozen=True, slots=True)
class TypesResult:
    """The tables of types of corpora, and how alike every two of them are."""

    tables: list[TypesTable]
    correlations: list[Correlation]

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: the table of one corpus, or those of several with their correlations."""
        if len(self.tables) == 1:
            return self.tables[0].as_dict()
        correlations = [asdict(correlation) for correlation in self.correlations]
        return {"corpora": [table.as_dict() for table in self.tables], "pearson": correlations}


def types(
    corpora: Paths,
    *,
    tokeniser: str | None = None,
    write: StrPath | None = None,
    to: Literal["p4p", "etpc", "msrp-a", "jsonl"] = "p4p",
    **reading: Unpack[ReadingOptions],
) -> TypesResult:
    """Count the paraphrase types of corpora: Tables 3 and 4 of Vila et al. 2014.

    ``write`` is a file for the annotations that were counted, in the format ``to``.
    """
    from otherwords.analyse.types.annotations import load_annotations, write_types
    from otherwords.analyse.types.table import correlations, types_table

    paths = path_list(corpora)
    if write is not None and len(paths) > 1:
        raise UsageError("--write takes one corpus at a time", code="too-many-corpora")
    shared = one_quarantine(reading)
    loaded = [load_annotations(path, **shared) for path in paths]
    tables = [types_table(name, annotations, tokeniser) for name, annotations in loaded]
    if write is not None:
        write_types(*loaded[0], write, to)
    return TypesResult(tables, correlations(tables))


def agree(
    paths: Paths,
    *,
    by: By | None = None,
    labels: Sequence[str] = (),
    scheme: str | None = None,
    batch: str | None = None,
    purpose: str | Sequence[str] = (),
    format: str | None = None,
    columns: dict[str, str] | None = None,
    html: StrPath | None = None,
    replicates: int = 1000,
    seed: int = 0,
    alt_test: str | None = None,
    epsilon: float = 0.2,
) -> AgreementReport:
    """Measure how far people agree, in a project or in files of judgements taken together.

    ``labels`` are the projections to compare (full, arrows, base, binary), ``purpose`` what judgements were made for:
    without it, and without ``batch``, production and agreement. ``html`` is a file for a page with confusion
    matrices and agreement over weeks; ``replicates`` and ``seed`` are those of the bootstrap. ``alt_test`` is a model:
    instead of coefficients, the report has under ``alternative`` whether it may stand in for a person (Calderon et al.
    2025), where ``epsilon`` is what it may lack.
    """
    from otherwords.analyse.agreement.agree import agree as measure_paths

    several = path_list(paths)
    if alt_test is not None:
        from otherwords.analyse.agreement.alternative import stands_in
        from otherwords.analyse.agreement.report import AgreementReport
        from otherwords.analyse.judgement_tables import JudgementFilter

        selection = JudgementFilter(scheme, batch, (purpose,) if isinstance(purpose, str) else tuple(purpose))
        chosen = {"projection": labels[0]} if labels else {}
        tests = stands_in(several, alt_test, epsilon=epsilon, selection=selection, format=format, **chosen)
        return AgreementReport(alternative=tests)
    report = measure_paths(
        several,
        by=by,
        labels=labels,
        scheme=scheme,
        batch=batch,
        purpose=purpose,
        format=format,
        columns=columns,
        replicates=replicates,
        seed=seed,
        pictures=html is not None,
    )
    if html is not None:
        from otherwords.analyse.agreement.page import save_page

        save_page(report, html, ", ".join(map(str, several)))
    return report


def analyse(
    corpora: Paths,
    *,
    only: Sequence[str] = (),
    out: StrPath | None = None,
    seed: int = 0,
    sample: int = 12_000,
    synonyms: str | None = None,
    simulated: bool = False,
    progress: PairCount = lambda done: None,
    **reading: Unpack[ReadingOptions],
) -> list[AnalysisResult]:
    """Analyse corpora, each by itself and then beside the others.

    ``only`` are names of analyses, ``out`` a new folder for tables and figures, ``sample`` the number of pairs that are
    compared directly; with ``simulated``, simulated judgements make labels, too.
    """
    from otherwords.analyse.catalogue import AnalysisOptions, check_names, run_analyses
    from otherwords.analyse.report.export import write_findings
    from otherwords.corpus.corpus import open_corpus

    check_names(only)
    if out is not None and Path(out).exists() and (not Path(out).is_dir() or any(Path(out).iterdir())):
        raise UsageError(f"--out {out}: is not an empty folder; name a new one", code="folder-not-empty")
    shared = one_quarantine(reading)
    opened = [open_corpus(path, simulated=simulated, **shared) for path in path_list(corpora)]
    results = run_analyses(opened, AnalysisOptions(seed, sample, synonyms), only, progress)
    if out is not None:
        write_findings(results, Path(out))
    return results


def report(
    corpus: StrPath,
    out: StrPath,
    *,
    seed: int = 0,
    examples: int = 3,
    synonyms: str | None = None,
    simulated: bool = False,
    progress: PairCount = lambda done: None,
    **reading: Unpack[ReadingOptions],
) -> WrittenReport:
    """Write a page with figures, tables, examples, agreement, provenance and methods into a new folder."""
    from otherwords.analyse.catalogue import AnalysisOptions
    from otherwords.analyse.report.build import report as write_report

    options = AnalysisOptions(seed=seed, synonyms=synonyms, examples=examples)
    return write_report(corpus, out, options, simulated=simulated, progress=progress, **reading)


def compare(
    corpora: Paths,
    out: StrPath,
    *,
    seed: int = 0,
    sample: int = 12_000,
    synonyms: str | None = None,
    simulated: bool = False,
    progress: PairCount = lambda done: None,
    **reading: Unpack[ReadingOptions],
) -> WrittenReport:
    """Write a page that puts several corpora beside each other into a new folder."""
    from otherwords.analyse.catalogue import AnalysisOptions
    from otherwords.analyse.report.compare import compare as write_comparison

    options = AnalysisOptions(seed=seed, sample=sample, synonyms=synonyms)
    shared = one_quarantine(reading)
    return write_comparison(path_list(corpora), out, options, simulated=simulated, progress=progress, **shared)


def leaks(
    a: StrPath,
    b: StrPath | None = None,
    *,
    near: float | None = 0.85,
    out: StrPath | None = None,
    note: Callable[[str], None] = lambda message: None,
    **reading: Unpack[ReadingOptions],
) -> list[Leaks]:
    """Find pairs and texts of ``b`` that are in ``a``, too; without ``b``, compare all parts of ``a``.

    ``CORPUS:PART`` names a part. ``near`` is how similar near copies are; None or 0 leaves them out. ``out`` is a file
    for every row as a line of JSON. ``note`` is called with a sentence about rows that were rejected.
    """
    from otherwords.corpus.leaks.paths import find_leaks, leak_rows

    other, options = None if b is None else str(b), one_quarantine(reading)
    comparisons = find_leaks(str(a), other, near=near or None, note=note, **options)
    if out is not None:
        import msgspec

        from otherwords.sources.io.files import atomic_write

        with atomic_write(None if str(out) == "-" else Path(out)) as stream:
            for row in leak_rows(comparisons):
                stream.write(msgspec.json.encode(row) + b"\n")
    return comparisons


@dataclass(frozen=True, slots=True)
class ClustersResult:
    """Clusters of texts, and how many clusters, sets of references or pairs were written."""

    clusters: Clusters
    written: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        clusters = self.clusters
        counts = {"pairs": clusters.pairs, "identical": clusters.identical, "smaller": clusters.smaller}
        return counts | {"clusters": [cluster.as_dict() for cluster in clusters.clusters]}


def clusters(
    path: StrPath,
    *,
    view: str | None = None,
    min_size: int = 2,
    normalised: bool = False,
    references: int | None = None,
    seed_cluster: bool = False,
    out: StrPath | None = None,
    **reading: Unpack[ReadingOptions],
) -> ClustersResult:
    """Find clusters of texts that are paraphrases of each other, directly or through others.

    ``out`` is a file for the clusters or, with ``references``, for sets of at least so many references or, with
    ``seed_cluster``, for pairs to judge: seeds of the largest cluster of each group with texts of it.
    """
    from otherwords.corpus.clusters.clusters import find_clusters, save_clusters
    from otherwords.corpus.clusters.links import load_links

    if references and seed_cluster:
        raise UsageError("--references and --seed-cluster: choose one", code="conflicting-options")
    result = find_clusters(load_links(path, view, **reading), min_size=min_size, normalised=normalised)
    if out is None:
        return ClustersResult(result)
    form: Literal["clusters", "references", "seeds"]
    form = "references" if references else "seeds" if seed_cluster else "clusters"
    return ClustersResult(result, save_clusters(result, str(out), form, references or 1))


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """A format: what it is, the records that it holds, and whether it is a folder of files."""

    name: str
    title: str
    nouns: list[str]
    folder: bool


def formats() -> list[FormatInfo]:
    """List the formats that can be read and written."""
    from otherwords.sources.format import NOUNS
    from otherwords.sources.formats import FORMATS

    rows = []
    for name in FORMATS:
        format = FORMATS.get(name)
        nouns = [noun for noun, kind in NOUNS.items() if kind in format.nouns]
        rows.append(FormatInfo(name, format.title, nouns, format.folder))
    return rows


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """A measure: what it is, its parameters, and the range and signature of its scores."""

    name: str
    title: str
    parameters: dict[str, str]
    range: list[float]
    symmetric: bool
    needs_fit: bool
    signature: str


def measures() -> list[MeasureInfo]:
    """List the measures, their parameters, ranges and signatures."""
    from otherwords.measures import MEASURES, describe_measure

    return [MeasureInfo(**describe_measure(name)) for name in MEASURES]
