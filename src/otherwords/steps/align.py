"""Alignment as steps: documents from the ledger through the align room, and what it chose back into the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Connection

from otherwords.align import posts
from otherwords.align.candidates import SCHEMA, Alignment, count_reasons
from otherwords.align.candidates import Band as SimilarityBand
from otherwords.align.explore import Exploration, explore, propose_band
from otherwords.align.forum import forum_pairs
from otherwords.align.groups import group_pairs
from otherwords.align.headings import heading_pairs
from otherwords.align.news import news_pairs
from otherwords.align.posts.grouping import group_name
from otherwords.align.posts.spam import SHIPPED_PATTERNS
from otherwords.align.posts.topics import add_topics, majority_topics
from otherwords.align.subtitles import SubtitleOptions, first_round, second_round
from otherwords.align.versions import ALONE, NO_GROUP, documents_by_id, version_pairs
from otherwords.analyse.findings.topics import NO_TOPIC, judged_topics
from otherwords.errors import DataError, UsageError
from otherwords.project.document_pairs import (
    count_extracted,
    documents_digest,
    documents_of,
    record_document_pairs,
    record_pairs,
    used_pairs,
)
from otherwords.project.file_digests import FileDigests
from otherwords.project.pipeline.dataset import TextColumns
from otherwords.project.pipeline.kind import Cost, Step, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import BandParameters, Count, Parameters, Seed, Share
from otherwords.project.project import Project
from otherwords.records import Document, DocumentPair, Pair
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.io.tabular import guess_delimiter, quoted_rows, rows_by_header
from otherwords.sources.source import ReadLog, Source
from otherwords.text import pack

EXPLORED_FROM = 0.05  # pairs with less in common are not worth a look
ONLY_RELATED = "only versions of one text are compared, so no shape sets unrelated ones apart: choose by the examples"
MOST_LISTED = 1000  # versions without another; the table has all
EXPLORED_ARTICLES = 2000  # so many, drawn by the seed, are compared with all in their windows
Positive = Annotated[int, msgspec.Meta(ge=1)]
Days = Annotated[float, msgspec.Meta(ge=0)]


# The bands are where a look at one's own collection begins, not where it ends: see --explore.
class SubtitleParameters(BandParameters, frozen=True, kw_only=True):
    """Two versions of one film or episode."""

    source: str = "subtitles"
    low: Share = 0.2
    high: Share = 0.9
    segments: Positive = 1
    minutes: Annotated[float, msgspec.Meta(gt=0)] = 15.0
    episodes: Positive = 10
    seed: Seed = 0
    round: Positive = 1
    most: Count = 0


class NewsParameters(BandParameters, frozen=True, kw_only=True):
    """Articles of two outlets within some days of each other; ``within`` also pairs those of one outlet."""

    source: str = "news"
    low: Share = 0.45
    high: Share = 0.9
    days: Days = 7.0
    within: bool = False


class HeadingParameters(Parameters, frozen=True, kw_only=True):
    """Headings of similar articles."""

    source: str = "news"
    low: Share = 0.45
    most: Count = 0
    days: Days = 7.0
    within: bool = False


class ForumParameters(BandParameters, frozen=True, kw_only=True):
    """Thread openers with the same title and sub-forum."""

    source: str = "forum"
    low: Share = 0.35
    high: Share = 0.9


class GroupParameters(BandParameters, frozen=True, kw_only=True):
    """Translations of one text, answers to one question."""

    sources: tuple[str, ...] = ("translations", "answers")
    most_translations: Count = 3
    seed: Seed = 0


class PostParameters(Parameters, frozen=True, kw_only=True):
    """Sentences of posts, grouped by trend or address.

    Topics of groups come from a table in the project's folder, or are those that people gave in batches of the scheme
    topic (``judged_topics``), which may differ from those of the table.
    """

    source: str = "posts"
    by: Literal["trend", "hashtag", "url"] = "trend"
    min_tokens: Count = posts.MIN_TOKENS
    spam: tuple[str, ...] = ()
    topics: str = ""
    judged_topics: bool = False
    per_topic: Count = 0
    seed: Seed = 0


Method = SubtitleParameters | NewsParameters | HeadingParameters | ForumParameters | GroupParameters | PostParameters
AnyPair = TypeVar("AnyPair", DocumentPair, Pair)


def _sources(parameters: Method) -> Sequence[str]:
    return parameters.sources if isinstance(parameters, GroupParameters) else [parameters.source]


def _facts(project: Project, parameters: Method) -> StepFacts:
    """The documents and, where they count, the yields of the first round and the topics that people named."""
    facts = documents_digest(project, *_sources(parameters))
    if isinstance(parameters, SubtitleParameters) and parameters.round > 1:
        return StepFacts(facts.rows, {**facts.depends_on, "yields": count_extracted(project)})
    if isinstance(parameters, PostParameters) and parameters.judged_topics:
        facts = StepFacts(facts.rows, {**facts.depends_on, "judged topics": _judged_topics(project)})
    if isinstance(parameters, PostParameters) and parameters.topics:
        file = project.folder / parameters.topics
        if not file.is_file():
            message = "there is no such file; the path of a table of topics begins in the folder of the project"
            raise DataError(message, file, code="no-such-file")
        with FileDigests(project.folder) as digests:
            topics = digests.digest(file)
        return StepFacts(facts.rows, {**facts.depends_on, "topics": topics})
    return facts


def _documents(context: StepContext[Any]) -> list[Document]:
    sources = _sources(context.parameters)
    documents = documents_of(context.project, *sources)
    if not documents:
        message = f"no documents of source {' or '.join(sources)}; import some first"
        raise DataError(message, context.project.folder, code="no-documents")
    return documents


def _result(
    context: StepContext[Any],
    documents: Sequence[Document],
    pairs: Sequence[AnyPair],
    table: pa.Table,
    counts: dict[str, int],
    record: Callable[[Connection, StepContext[Any], Iterable[AnyPair]], None],
) -> StepResult:
    """The result of a step that chose document pairs, or pairs of headings, among the candidates in a table."""
    return StepResult(
        rows_in=len(documents),
        rows_out=len(pairs),
        counts={"candidates": len(table), **counts, "dropped": count_reasons(table)},
        output=context.write(table.schema, [table]),
        record=lambda connection: record(connection, context, pairs),
    )


def _align(
    parameters: NewsParameters | HeadingParameters | ForumParameters | GroupParameters,
    documents: list[Document],
    jobs: int | None,
    floor: float | None = None,
) -> Alignment:
    """Align by a band; ``floor`` shows more candidates than it needs, of news those of a sample of the articles."""
    band = SimilarityBand(parameters.low, 1.0 if isinstance(parameters, HeadingParameters) else parameters.high)
    if isinstance(parameters, ForumParameters):
        return forum_pairs(documents, band, floor=floor, threads=jobs)
    if isinstance(parameters, GroupParameters):
        most = {"translations": parameters.most_translations} if parameters.most_translations else {}
        return group_pairs(documents, band, most=most, seed=parameters.seed, threads=jobs)
    sample = EXPLORED_ARTICLES if floor is not None else None
    days, within = parameters.days, parameters.within
    return news_pairs(documents, band, days=days, within=within, sample=sample, floor=floor, threads=jobs)


def _by_band(context: StepContext[Any]) -> StepResult:
    parameters, documents = context.parameters, _documents(context)
    aligned = _align(parameters, documents, context.engine.jobs)
    if not isinstance(parameters, HeadingParameters):
        pairs, candidates, counts = aligned
        return _result(context, documents, pairs, candidates, counts, record_document_pairs)
    headings = heading_pairs(documents, aligned.candidates, low=parameters.low, most=parameters.most or None)
    return _result(context, documents, headings.pairs, headings.candidates, aligned.counts, record_pairs)


def _subtitles(context: StepContext[SubtitleParameters]) -> StepResult:
    chosen = context.parameters
    options = SubtitleOptions(chosen.low, chosen.high, chosen.segments, chosen.minutes, chosen.episodes, chosen.seed)
    documents = _documents(context)
    if chosen.round == 1:
        aligned = first_round(documents, options)
    else:
        used = [pair for pair in used_pairs(context.project, "subtitles") if pair.round == 1]
        if not used:
            message = "there is no first round of subtitles to follow"
            raise DataError(message, context.project.folder, code="no-first-round")
        aligned = second_round(documents, options, used, count_extracted(context.project), chosen.most or None)
    rows = [asdict(candidate) for candidate in aligned.candidates]
    table = pa.Table.from_pylist([row | {"kept": row["decision"] == "kept"} for row in rows], SCHEMA)
    result = _result(context, documents, aligned.pairs, table, {}, record_document_pairs)
    names = {document.id: Path(str(document.meta.get("file", ""))).name for document in documents}
    alone = [candidate for candidate in aligned.candidates if candidate.reason in (ALONE, NO_GROUP)]
    if alone:
        listed = [": ".join(filter(None, (candidate.group, names[candidate.doc1]))) for candidate in alone]
        result.counts["without another version"] = sorted(listed)[:MOST_LISTED]
    return result


def _named_topics(file: Path, by: str) -> dict[str, str | None]:
    """The topics that people named in a table; groups may be written as people write them, as #EURO2024."""
    source = Source(file, ReadLog())
    delimiter = "\t" if bare_suffix(file) == ".tsv" else guess_delimiter(source)
    judged = []
    for number, row in rows_by_header(quoted_rows(source, delimiter), source):
        group, topic = group_name(row.get("group") or "", by), (row.get("topic") or "").strip()
        if not group or not topic:
            message = f"a table of topics has the columns group (a {by}) and topic, both filled"
            raise source.error(message, number, code="bad-topics-table")
        judged.append((group, topic))
    return majority_topics(judged)


def _judged_topics(project: Project) -> dict[str, str | None]:
    """The topics that people gave to groups in the project; None where they say that there is none."""
    with project.ledger.reading() as connection:
        judged = judged_topics(connection)
    return {group: None if topic == NO_TOPIC else topic for group, topic in judged.items()}


def _posts(context: StepContext[PostParameters]) -> StepResult:
    chosen, lang = context.parameters, context.project.config.lang
    documents = _documents(context)
    patterns = chosen.spam or SHIPPED_PATTERNS
    table = posts.post_sentences(documents, chosen.by, lang=lang, min_tokens=chosen.min_tokens, patterns=patterns)
    named = _named_topics(context.project.folder / chosen.topics, chosen.by) if chosen.topics else {}
    topics = named | (_judged_topics(context.project) if chosen.judged_topics else {})
    table = add_topics(table, topics, pack(lang), chosen.per_topic or None, chosen.seed)
    counts = {"groups": pc.count_distinct(table["group"]).as_py(), "dropped": count_reasons(table)}
    if topics:
        columns = (table[name].to_pylist() for name in ("group", "topic"))
        by_group = {group: topic for group, topic in zip(*columns, strict=True) if group is not None}
        counts["topics"] = dict(Counter(topic for topic in by_group.values() if topic is not None))
        counts["groups without a topic"] = sum(topic is None for topic in by_group.values())
    if named:  # people give topics to groups of every kind, a table to those of this one
        counts["topics of groups that no post has"] = len(named.keys() - by_group.keys())
    kept = pc.sum(table["kept"]).as_py() or 0
    output = context.write(table.schema, [table])
    return StepResult(rows_in=len(documents), rows_out=kept, counts=counts, output=output)


def explore_band(project: Project, step: Step, jobs: int | None = None) -> Exploration:
    """Similarities and examples around the ends of the band, and the band that their shape proposes."""
    parameters = step.parameters
    if not isinstance(parameters, Method) or isinstance(parameters, PostParameters):
        raise UsageError(f"--explore is about a band of similarities; {step.name} has none", code="no-band")
    low, high = parameters.low, 1.0 if isinstance(parameters, HeadingParameters) else parameters.high
    documents = documents_of(project, *_sources(parameters))
    if isinstance(parameters, SubtitleParameters):
        compared = [asdict(candidate) for candidate in version_pairs(documents_by_id(documents), low, high)]
        table = pa.Table.from_pylist([row for row in compared if row["similarity"] is not None], SCHEMA)
    else:
        table = _align(parameters, documents, jobs, EXPLORED_FROM).candidates
    explored = explore(table, documents, low, high)
    if isinstance(parameters, SubtitleParameters | GroupParameters):
        explored["proposal"], explored["why_not"] = None, ONLY_RELATED
        return explored
    try:
        proposal = propose_band(table["similarity"].to_numpy())
    except DataError as problem:
        explored["proposal"], explored["why_not"] = None, str(problem)
    else:
        because = {"low_because": proposal.low_because, "high_because": proposal.high_because}
        explored["proposal"] = {"low": proposal.band.low, "high": proposal.band.high, **because}
    return explored


FILMS, LARGE = Cost(rows_per_second=5.0), Cost(megabytes_per_million_rows=10_000.0)
SUBTITLES = StepKind(
    name="align-subtitles", version=2, parameters=SubtitleParameters, facts=_facts, run=_subtitles, cost=FILMS
)
NEWS = StepKind(name="align-news", version=1, parameters=NewsParameters, facts=_facts, run=_by_band, cost=LARGE)
HEADINGS = StepKind(
    name="align-headings", version=2, parameters=HeadingParameters, facts=_facts, run=_by_band, cost=LARGE
)
THREADS, TEXTS = Cost(rows_per_second=2000.0), Cost(rows_per_second=500.0)
FORUM = StepKind(name="align-forum", version=1, parameters=ForumParameters, facts=_facts, run=_by_band, cost=THREADS)
GROUPS = StepKind(name="align-groups", version=1, parameters=GroupParameters, facts=_facts, run=_by_band, cost=TEXTS)
POSTS = StepKind(
    name="align-posts",
    version=1,
    parameters=PostParameters,
    facts=_facts,
    run=_posts,
    cost=Cost(rows_per_second=5000.0, disk_bytes_per_row=500.0),
    derived=TextColumns(ids=["document"], texts=["text"]),
)
