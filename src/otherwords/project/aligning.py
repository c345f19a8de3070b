"""Alignment as steps: documents from the ledger through the align room, and what it chose back into the ledger.

Each method is two functions: one that makes the candidates, which ``--explore`` calls too, and the work
around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherwords.align import posts
from otherwords.align.candidates import SCHEMA, Aligned, Band
from otherwords.align.explore import explore, propose_band
from otherwords.align.forum import forum_pairs
from otherwords.align.groups import group_pairs
from otherwords.align.headings import heading_pairs
from otherwords.align.news import news_pairs
from otherwords.align.spam import SHIPPED
from otherwords.align.subtitles import Settings, first_round, second_round
from otherwords.align.topics import given_topics, with_topics
from otherwords.align.versions import by_id, candidates
from otherwords.errors import DataError, UsageError
from otherwords.project.imports import file_digest
from otherwords.project.pairing import (
    documents_digest,
    documents_of,
    record_document_pairs,
    record_pairs,
    used_pairs,
    write_table,
    yields,
)
from otherwords.project.project import Project
from otherwords.project.recipe import Step
from otherwords.project.work import Result, Running, Work
from otherwords.records import Document, DocumentPair
from otherwords.sources.source import Account, Source
from otherwords.sources.tabular import headed, quoted_rows
from otherwords.text import pack

EXPLORED_FROM = 0.05  # pairs with less in common are not worth a look
EXPLORED_ARTICLES = 2000  # so many, drawn by the seed, are compared with all in their windows


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    return documents_digest(project, *_sources(parameters))


def _sources(parameters: dict[str, Any]) -> Sequence[str]:
    return parameters.get("sources") or [parameters["source"]]


def _documents(running: Running) -> list[Document]:
    sources = _sources(running.parameters)
    documents = documents_of(running.project, *sources)
    if not documents:
        raise DataError(f"no documents of source {' or '.join(sources)}; import some first", running.project.folder)
    return documents


def _chosen(
    running: Running, rows_in: int, pairs: Sequence[DocumentPair], table: pa.Table, counts: dict[str, int]
) -> Result:
    """The result of a step that chose document pairs among the candidates in a table."""
    write_table(running, table)
    return Result(
        rows_in=rows_in,
        rows_out=len(pairs),
        counts={"candidates": len(table), **counts, "dropped": _reasons(table)},
        table=running.table,
        record=lambda connection: record_document_pairs(connection, running, pairs),
    )


def _reasons(table: pa.Table) -> dict[str, int]:
    counted = pc.value_counts(table["reason"].drop_null()).to_pylist()
    return {row["values"]: row["counts"] for row in sorted(counted, key=lambda row: (-row["counts"], row["values"]))}


def _align(parameters: dict[str, Any], documents: list[Document], jobs: int | None, floor: float | None) -> Aligned:
    """The candidates of a method that goes by a band; ``floor`` shows more of them than the band needs."""
    band = Band(parameters["low"], parameters["high"])
    if "days" in parameters:
        sample = EXPLORED_ARTICLES if floor is not None else None
        wishes = {"days": parameters["days"], "within": parameters["within"], "sample": sample}
        return news_pairs(documents, band, **wishes, floor=floor, seed=parameters.get("seed", 0), threads=jobs)
    if "most_translations" in parameters:
        most = {"translations": parameters["most_translations"]} if parameters["most_translations"] else {}
        return group_pairs(documents, band, most=most, seed=parameters["seed"], threads=jobs)
    return forum_pairs(documents, band, floor=floor, threads=jobs)


def _by_band(running: Running) -> Result:
    documents = _documents(running)
    aligned = _align(running.parameters, documents, running.jobs, None)
    return _chosen(running, len(documents), aligned.pairs, aligned.candidates, aligned.counts)


def _headings(running: Running) -> Result:
    documents = _documents(running)
    aligned = _align({**running.parameters, "high": 1.0}, documents, running.jobs, None)
    most = running.parameters["most"] or None
    found = heading_pairs(documents, aligned.candidates, low=running.parameters["low"], most=most)
    write_table(running, found.candidates)
    return Result(
        rows_in=len(documents),
        rows_out=len(found.pairs),
        counts={"candidates": len(found.candidates), **aligned.counts, "dropped": _reasons(found.candidates)},
        table=running.table,
        record=lambda connection: record_pairs(connection, running, found.pairs),
    )


def _subtitle_inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    told = _inputs(project, parameters)
    return told | {"yields": yields(project)} if parameters["round"] > 1 else told


def _subtitles(running: Running) -> Result:
    told = running.parameters
    settings = Settings(told["low"], told["high"], told["segments"], told["minutes"], told["episodes"], told["seed"])
    documents = _documents(running)
    if told["round"] == 1:
        aligned = first_round(documents, settings)
    else:
        used = [pair for pair in used_pairs(running.project, "subtitles") if pair.round == 1]
        if not used:
            raise DataError("there is no first round of subtitles to follow", running.project.folder)
        aligned = second_round(documents, settings, used, yields(running.project), told["most"] or None)
    rows = [one.as_dict() for one in aligned.candidates]
    table = pa.Table.from_pylist([row | {"kept": row["decision"] == "kept"} for row in rows], SCHEMA)
    return _chosen(running, len(documents), aligned.pairs, table, {})


def _posts(running: Running) -> Result:
    told = running.parameters
    documents = _documents(running)
    lang = running.project.config.lang
    patterns = told["spam"] or SHIPPED
    table = posts.post_sentences(documents, told["by"], lang=lang, min_tokens=told["min_tokens"], patterns=patterns)
    given = given_topics(_named_topics(running.project, told["topics"])) if told["topics"] else {}
    table = with_topics(table, given, pack(lang), told["per_topic"] or None, told["seed"])
    write_table(running, table)
    counts = {"groups": pc.count_distinct(table["group"]).as_py(), "dropped": posts.reasons(table)}
    if given:
        counts["topics"] = dict(
            Counter(dict(zip(*(table[name].to_pylist() for name in ("group", "topic")), strict=True)).values())
        )
    kept = pc.sum(table["kept"]).as_py() or 0
    return Result(rows_in=len(documents), rows_out=kept, counts=counts, table=running.table)


def _post_inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    told = _inputs(project, parameters)
    return told | {"topics": file_digest(project.folder / parameters["topics"])} if parameters["topics"] else told


def _named_topics(project: Project, path: str) -> Iterator[tuple[str, str]]:
    """(group, topic) of every row of a table with these two columns."""
    source = Source(project.folder / path, Account())
    for number, row in headed(quoted_rows(source), source):
        if not row.get("group") or not row.get("topic"):
            raise source.error("a table of topics has the columns group and topic, both filled", number)
        yield row["group"], row["topic"]


def exploring(project: Project, step: Step, jobs: int | None = None) -> dict[str, Any]:
    """Similarities and examples around the ends of the band, and the band that their shape proposes."""
    parameters = {"high": 1.0, **step.parameters}
    documents = documents_of(project, *_sources(parameters))
    if step.does == SUBTITLES.name:
        compared = [one.as_dict() for one in candidates(by_id(documents), parameters["low"], parameters["high"])]
        table = pa.Table.from_pylist([row for row in compared if row["similarity"] is not None], SCHEMA)
    elif "low" in parameters:
        table = _align(parameters, documents, jobs, EXPLORED_FROM).candidates
    else:
        raise UsageError(f"--explore is about a band of similarities; {step.name} has none")
    told = explore(table, documents, parameters["low"], parameters["high"])
    try:
        proposal = propose_band(table["similarity"].to_numpy())
    except DataError as problem:
        return told | {"proposal": None, "why_not": str(problem)}
    because = {"low_because": proposal.low_because, "high_because": proposal.high_because}
    return told | {"proposal": {"low": proposal.band.low, "high": proposal.band.high, **because}}


# The bands are where a look at one's own collection begins, not where it ends: see --explore.
SUBTITLES = Work(
    name="align-subtitles",
    version=1,
    parameters={
        **{"source": "subtitles", "low": 0.2, "high": 0.9, "segments": 1, "minutes": 15.0, "episodes": 10},
        **{"seed": 0, "round": 1, "most": 0},
    },
    inputs=_subtitle_inputs,
    run=_subtitles,
    rows_a_second=5.0,
)
NEWS = Work(
    name="align-news",
    version=1,
    parameters={"source": "news", "low": 0.45, "high": 0.9, "days": 7.0, "within": False},
    inputs=_inputs,
    run=_by_band,
    rows_a_second=1000.0,
    megabytes_a_million_rows=10_000.0,
)
HEADINGS = Work(
    name="align-headings",
    version=1,
    parameters={"source": "news", "low": 0.45, "most": 0, "days": 7.0, "within": False},
    inputs=_inputs,
    run=_headings,
    rows_a_second=1000.0,
    megabytes_a_million_rows=10_000.0,
)
FORUM = Work(
    name="align-forum",
    version=1,
    parameters={"source": "forum", "low": 0.35, "high": 0.9},
    inputs=_inputs,
    run=_by_band,
    rows_a_second=2000.0,
)
GROUPS = Work(
    name="align-groups",
    version=1,
    parameters={"sources": ["translations", "answers"], "low": 0.0, "high": 1.0, "most_translations": 3, "seed": 0},
    inputs=_inputs,
    run=_by_band,
    rows_a_second=500.0,
)
POSTS = Work(
    name="align-posts",
    version=1,
    parameters={
        **{"source": "posts", "by": "trend", "min_tokens": posts.MIN_TOKENS, "spam": []},
        **{"topics": "", "per_topic": 0, "seed": 0},
    },
    inputs=_post_inputs,
    run=_posts,
    rows_a_second=5000.0,
)
