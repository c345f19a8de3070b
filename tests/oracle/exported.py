"""An exported project: its files as lists of plain dictionaries, in the order of the ledger."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
DEFAULTS = {"unit": "pair", "kind": "individual", "purpose": "production", "rewrites": (), "meta": {}}
FOR_AGREEMENT = ("production", "agreement")


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The records of a file of JSON Lines."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def current_judgements(export: Path) -> list[Row]:
    """The judgements that nobody replaced or took back, with the fields that an export leaves out."""
    rows = read_rows(export / "judgements.jsonl")
    replaced = {row["supersedes"] for row in rows if row.get("supersedes")}
    return [DEFAULTS | row for row in rows if row["id"] not in replaced and row.get("value") is not None]


def judgements_of(
    rows: Iterable[Row],
    *,
    scheme: str = "turku",
    kinds: Collection[str] = ("individual",),
    purposes: Collection[str] = FOR_AGREEMENT,
    batch: str | None = None,
) -> list[Row]:
    """The judgements of pairs by a scheme, of some kinds, made for some purposes, or in a batch."""
    return [
        row
        for row in rows
        if (row["unit"], row.get("scheme")) == ("pair", scheme)
        and row["kind"] in kinds
        and row["purpose"] in purposes
        and batch in (None, row.get("batch"))
    ]


def answers_by_pair(rows: Iterable[Row], *, flags: bool = True) -> dict[str, dict[str, str]]:
    """The last answer of everybody to each pair, perhaps without its flags."""
    answers: dict[str, dict[str, str]] = {}
    for row in rows:
        answers.setdefault(row["pair"], {})[row["annotator"]] = row["value"] if flags else row["value"][0]
    return answers
