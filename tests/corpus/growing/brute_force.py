"""What training parts and tests have in common, found by comparing everything with everything, from the files alone.

Nothing here is shared with the search that it checks: words, addresses and similarities are its own.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

NEAR = 0.85
Row = dict[str, Any]


def rows_of(folder: Path) -> list[Row]:
    """The pairs of a release or a version."""
    lines = (folder / "data" / "pairs.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def part(rows: list[Row], name: str) -> list[Row]:
    return [row for row in rows if row["meta"]["part"] == name]


@cache
def words(text: str) -> str:
    """A sentence in small letters without punctuation."""
    return " ".join("".join(char if char.isalnum() else " " for char in text.lower().replace("'", "")).split())


@cache
def _trigrams(text: str) -> frozenset[str]:
    marked = f"^{words(text).replace(' ', '_')}$"
    return frozenset(marked[start : start + 3] for start in range(len(marked) - 2))


@cache
def is_near(text: str, other: str) -> bool:
    """Whether two sentences are the same or have a Dice coefficient of trigrams from 0.85 on."""
    first, second = _trigrams(text), _trigrams(other)
    return words(text) == words(other) or 2 * len(first & second) >= NEAR * (len(first) + len(second))


@cache
def addresses(text: str) -> frozenset[str]:
    """The hosts and paths in a text."""
    found = re.findall(r"https?://(?:www\.)?([^\s?#]+)", text)
    return frozenset(address.rstrip("/.") for address in found)


def shared(row: Row, test: Row) -> bool:
    """Whether a pair has anything in common with a pair of a test."""
    texts, others = (row["text1"], row["text2"]), (test["text1"], test["text2"])
    return (
        row["group"] == test["group"]
        or any(addresses(text) & addresses(other) for text in texts for other in others)
        or any(is_near(text, other) for text in texts for other in others)
    )


def leaks(training: list[Row], tests: list[Row]) -> list[str]:
    """The ids of training pairs that share something with a test."""
    return [row["id"] for row in training if any(shared(row, test) for test in tests)]
