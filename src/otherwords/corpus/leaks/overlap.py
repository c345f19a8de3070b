"""What single pairs have in common with tests: a group, an address, a sentence, or a sentence that is nearly the same.

Leaks between the parts of a corpus are whole pairs. A set that is gathered every month for training is held to more: a
pair that shares as little as one of these with a test is of no use beside it. Each pair is counted under the first
kind that fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.align.posts.grouping import normalise_address
from otherwords.corpus.leaks.find import NEAR
from otherwords.corpus.leaks.near import find_near
from otherwords.corpus.leaks.side import read_side
from otherwords.records import Pair
from otherwords.text.normalise import plain

KINDS = ("group", "address", "sentence", "near")
ADDRESSES, ADDRESS = "urls", "url"  # where the meta of a pair or a post has them
Mask = NDArray[np.bool_]
Addresses = Callable[[Pair], Iterable[str]]
_ADDRESS = re.compile(r"https?://[^\s<>\"']+")


def own_addresses(pair: Pair) -> set[str]:
    """The addresses that a pair names: in its texts, as its group, and under ``meta``."""
    found = _ADDRESS.findall(f"{pair.text1} {pair.text2}")
    if pair.group and "." in pair.group and "/" in pair.group:
        found.append(pair.group)
    found += listed_addresses(pair.meta)
    return {address for name in found if (address := normalise_address(name.rstrip(".,;:!?)")))}


def listed_addresses(meta: Mapping[str, Any]) -> list[str]:
    """Those that the metadata of a pair or a post list: one, or several."""
    found: list[Any] = []
    for field in (ADDRESSES, ADDRESS):
        names = meta.get(field)
        found += names if isinstance(names, list) else [names]
    return [name for name in found if isinstance(name, str)]


@dataclass(frozen=True, slots=True)
class SharedWithTest:
    """Which of some pairs have what in common with tests."""

    kinds: dict[str, Mask]  # a pair may be of several
    copies: Mask  # both of whose texts are sentences of the tests, the same or nearly

    @property
    def any(self) -> Mask:
        found: Mask = np.logical_or.reduce(list(self.kinds.values()))
        return found

    def counts(self) -> dict[str, int]:
        """The number of pairs under the first kind that fits."""
        left, counts = np.ones(len(self.copies), np.bool_), {}
        for kind, mask in self.kinds.items():
            counts[kind] = int((mask & left).sum())
            left &= ~mask
        return counts


def find_overlap(
    pairs: Sequence[Pair],
    tests: Mapping[str, Sequence[Pair]],
    near: float | None = NEAR,
    addresses: Addresses = own_addresses,
) -> dict[str, SharedWithTest]:
    """What pairs have in common with each of several tests; without ``near``, similar sentences do not count."""
    sentences = _numbered(pairs)
    places = np.array([(sentences[plain(pair.text1)], sentences[plain(pair.text2)]) for pair in pairs], np.int64)
    places = places.reshape(len(pairs), 2)
    in_tests = {name: _numbered(members) for name, members in tests.items()}
    similar = _similar(sentences, in_tests, near) if near is not None else {}
    named = [frozenset(addresses(pair)) for pair in pairs]
    found = {}
    for name, members in tests.items():
        groups = {pair.group for pair in members if pair.group}
        known = {address for pair in members for address in addresses(pair)}
        same: Mask = np.fromiter((sentence in in_tests[name] for sentence in sentences), np.bool_, len(sentences))
        close = similar.get(name, np.zeros(len(sentences), np.bool_))
        either: Mask = same | close
        kinds: dict[str, Mask] = {
            "group": np.array([pair.group in groups for pair in pairs], np.bool_),
            "address": np.array([not known.isdisjoint(own) for own in named], np.bool_),
            "sentence": np.asarray(same[places].any(axis=1)),
            "near": np.asarray(close[places].any(axis=1)),
        }
        found[name] = SharedWithTest(kinds, np.asarray(either[places].all(axis=1)))
    return found


def _numbered(pairs: Iterable[Pair]) -> dict[str, int]:
    """The different sentences of some pairs, without case and punctuation, in their order."""
    numbers: dict[str, int] = {}
    for pair in pairs:
        for text in (pair.text1, pair.text2):
            numbers.setdefault(plain(text), len(numbers))
    return numbers


def _similar(sentences: Iterable[str], tests: Mapping[str, Iterable[str]], near: float) -> dict[str, Mask]:
    """Which sentences are nearly the same as one of each test: a sentence twice is a pair that both texts decide."""
    streams = {"": sentences, **tests}
    sides = [
        read_side(name, (Pair(id=f"{number:09}", text1=text, text2=text) for number, text in enumerate(stream)))
        for name, stream in streams.items()
    ]
    found = find_near(sides, near)
    masks = {}
    for number, name in enumerate(tests, 1):
        mask = np.zeros(len(sides[0]), np.bool_)
        if (0, number) in found:
            mask[found[0, number].a] = True
        masks[name] = mask
    return masks
