"""Which part each of very many ids is in, at nine bytes an id.

A release has to ask of every judgement and every document whether it belongs to it. A dictionary of a million ids
takes hundreds of megabytes; sorted digests of eight bytes take eight. Two of a million ids share one in one release of
thirty million.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
import numpy.typing as npt


def digest_of(text: str) -> int:
    """Eight bytes that stand for a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class Places:
    """Ids and the part of each; first all are added, then they are asked for."""

    def __init__(self) -> None:
        self._digests, self._codes = array("Q"), array("B")
        self._names: dict[str, int] = {}
        self._sorted: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]] | None = None

    def add(self, id: str, part: str = "") -> None:
        self._digests.append(digest_of(id))
        self._codes.append(self._names.setdefault(part, len(self._names)))
        self._sorted = None

    def __len__(self) -> int:
        return len(self._digests)

    def of(self, ids: Iterable[str]) -> list[str | None]:
        """The part of each id; None for those that were not added."""
        digests, codes = self._table()
        asked = np.fromiter(map(digest_of, ids), np.uint64)
        if not len(digests):
            return [None] * len(asked)
        places = np.minimum(np.searchsorted(digests, asked), len(digests) - 1)
        names = list(self._names)
        found = zip((digests[places] == asked).tolist(), codes[places].tolist(), strict=True)
        return [names[code] if there else None for there, code in found]

    def _table(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
        if self._sorted is None:
            digests, codes = np.array(self._digests, np.uint64), np.array(self._codes, np.uint8)
            order = np.argsort(digests, kind="stable")
            self._sorted = digests[order], codes[order]
        return self._sorted
