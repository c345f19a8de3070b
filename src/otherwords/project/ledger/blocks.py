"""Items in blocks for queries: databases limit how many values a statement may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

IDS_PER_QUERY = 500
Item = TypeVar("Item")


def in_blocks(items: Iterable[Item], size: int = IDS_PER_QUERY) -> Iterator[list[Item]]:
    """The items in order, in lists of at most ``size``."""
    stream = iter(items)
    while block := list(islice(stream, size)):
        yield block
