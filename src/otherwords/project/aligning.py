"""Alignment as steps: documents from the ledger through the align room, and what it chose back into the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherwords.align import posts
from otherwords.align.spam import SHIPPED
from otherwords.align.subtitles import Settings, first_round, second_round
from otherwords.project.pairing import (
    CANDIDATES,
    documents_digest,
    documents_of,
    record_document_pairs,
    used_pairs,
    write_table,
    yields,
)
from otherwords.project.project import Project
from otherwords.project.work import Result, Running, Work
from otherwords.records import DocumentPair


def chosen(running: Running, rows_in: int, pairs: Sequence[DocumentPair], candidates: pa.Table) -> Result:
    """The result of a step that chose document pairs among candidates."""
    write_table(running, candidates)
    return Result(
        rows_in=rows_in,
        rows_out=len(pairs),
        counts={"candidates": len(candidates), "dropped": _reasons(candidates)},
        table=running.table,
        record=lambda connection: record_document_pairs(connection, running, pairs),
    )


def _reasons(candidates: pa.Table) -> dict[str, int]:
    counted = pc.value_counts(candidates["reason"].drop_null()).to_pylist()
    return {row["values"]: row["counts"] for row in sorted(counted, key=lambda row: -row["counts"])}


def candidate_table(rows: Iterable[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist([{name: row.get(name) for name in CANDIDATES.names} for row in rows], CANDIDATES)


# Subtitles ──────────────────────────────────────────────────────────────────────────────────────────────────


def _subtitle_inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    told = documents_digest(project, parameters["source"])
    return told | {"yields": yields(project)} if parameters["round"] > 1 else told


def _subtitles(running: Running) -> Result:
    settings = Settings(
        **{name: running.parameters[name] for name in ("low", "high", "segments", "minutes", "episodes", "seed")}
    )
    documents = documents_of(running.project, running.parameters["source"])
    if running.parameters["round"] == 1:
        aligned = first_round(documents, settings)
    else:
        used = [pair for pair in used_pairs(running.project, "subtitles") if pair.round == 1]
        most = running.parameters["most"] or None
        aligned = second_round(documents, settings, used, yields(running.project), most)
    rows = ({**one.as_dict(), "kept": one.decision == "kept"} for one in aligned.candidates)
    return chosen(running, len(documents), aligned.pairs, candidate_table(rows))


SUBTITLES = Work(
    name="align-subtitles",
    version=1,
    parameters={
        **{"source": "subtitles", "low": 0.2, "high": 0.9, "segments": 1, "minutes": 15.0, "episodes": 10},
        **{"seed": 0, "round": 1, "most": 0},
    },
    inputs=_subtitle_inputs,
    run=_subtitles,
    rows_a_second=20.0,
)

# Posts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _source_inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    return documents_digest(project, parameters["source"])


def _posts(running: Running) -> Result:
    told = running.parameters
    documents = documents_of(running.project, told["source"])
    patterns = told["spam"] or SHIPPED
    lang = running.project.config.lang
    table = posts.post_sentences(documents, told["by"], lang=lang, min_tokens=told["min_tokens"], patterns=patterns)
    write_table(running, table)
    kept = pc.sum(table["kept"]).as_py() or 0
    counts = {"groups": pc.count_distinct(table["group"]).as_py(), "dropped": posts.reasons(table)}
    return Result(rows_in=len(documents), rows_out=kept, counts=counts, table=running.table)


POSTS = Work(
    name="align-posts",
    version=1,
    parameters={"source": "posts", "by": "trend", "min_tokens": posts.MIN_TOKENS, "spam": []},
    inputs=_source_inputs,
    run=_posts,
    rows_a_second=5000.0,
)
