"""Which part each of very many ids is in, at nine bytes per id.

A release has to look up every judgement and every document. A dictionary of a million ids takes hundreds of megabytes;
sorted digests of eight bytes take eight. Two of a million ids collide in one release of thirty million.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from otherwords.digests import digest_number


class PartIndex:
    """Ids and the part of each; first all are added, then they are looked up."""

    def __init__(self) -> None:
        self._digests, self._codes = array("Q"), array("B")
        self._names: dict[str, int] = {}
        self._sorted: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]] | None = None

    def add(self, id: str, part: str = "") -> None:
        self._digests.append(digest_number(id))
        self._codes.append(self._names.setdefault(part, len(self._names)))
        self._sorted = None

    def __len__(self) -> int:
        return len(self._digests)

    def parts_of(self, ids: Iterable[str]) -> list[str | None]:
        """The part of each id; None for those that were not added."""
        if self._sorted is None:
            digests, codes = np.array(self._digests, np.uint64), np.array(self._codes, np.uint8)
            order = np.argsort(digests, kind="stable")
            self._sorted = digests[order], codes[order]
        digests, codes = self._sorted
        wanted = np.fromiter(map(digest_number, ids), np.uint64)
        if not len(digests):
            return [None] * len(wanted)
        places = np.minimum(np.searchsorted(digests, wanted), len(digests) - 1)
        names = list(self._names)
        matches = zip((digests[places] == wanted).tolist(), codes[places].tolist(), strict=True)
        return [names[code] if known else None for known, code in matches]
