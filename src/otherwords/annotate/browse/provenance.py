"""How a candidate was made, in words: the method, and whatever it notes about itself under ``meta``.

It suggests an answer, so :mod:`~otherwords.annotate.browse.pairs` decides who sees it. What models predict for a pair,
and which systems wrote an output that is being rated, is no part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from otherwords.mining.harvest.strata import stratum_note

MADE, HARVEST = "made", "harvest"  # under meta
METHODS = {
    "extraction": "Extracted by people from two documents",
    "rewrite": "Rewritten by people",
    "translate": "Two systems translated one sentence",
    "swap": "Words of a sentence were exchanged",
    "localise": "Carried over from another language",
    "posts": "Two posts of one group",
    "near": "Two sentences that share many words",
    "random": "Two sentences at random",
    "nearest": "Found by the search for nearest sentences",
    "mine": "Neighbours among mined sentences",
    "generate": "Written by a system",
    "output": "Written by a system that is being rated",
}
ROUNDS = {
    "first": "first round of its group",
    "more": "further round of its group",
    "seed": "with the seed of its group",
}


@dataclass(frozen=True, slots=True)
class MakingFact:
    """Something about how a candidate was made; ``pair`` is another pair that it comes from."""

    name: str
    text: str
    pair: str | None = None


def making_of(method: str | None, meta: Mapping[str, Any], scores: Mapping[str, Any]) -> list[MakingFact]:
    """All that is known of how a pair was made; nothing for pairs that were imported as they are."""
    made = meta.get(MADE)
    facts = list(_made(made if isinstance(made, Mapping) else {}))
    facts += _sample(meta)
    facts += _harvest(meta.get(HARVEST))
    if method in METHODS and (facts or method not in ("extraction", "rewrite")):
        facts.insert(0, MakingFact("How", METHODS[method]))
    if facts and method in ("mine", "nearest"):
        values = [f"{name} {scores[name]:.3f}" for name in ("cosine", "margin") if _is_number(scores.get(name))]
        facts += [MakingFact("Nearness", ", ".join(values))] if values else []
    return facts


def _made(made: Mapping[str, Any]) -> Iterator[MakingFact]:
    for name, value in made.items():
        if name in PAIRS and isinstance(value, str):
            yield MakingFact(PAIRS[name], value, value)
        elif name in NAMES:
            title, words = NAMES[name]
            if text := words(value):
                yield MakingFact(title, text)
        elif name not in NOT_SHOWN and (text := _words(value)):  # of a plug-in, or of a later version
            yield MakingFact(name.replace("_", " ").capitalize(), text)


def _words(value: Any) -> str:
    """A value as text; a list as its parts."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, Sequence):
        return " · ".join(str(part) for part in value)
    return ""


def _places(value: Any) -> str:
    """Files and lines without their folders: where they are on somebody's disk is private."""
    places = value if isinstance(value, list) else [value]
    return " · ".join(PurePath(str(place)).name for place in places)


def _copies(value: Any) -> str:
    counts = value if isinstance(value, list) else [value]
    return " · ".join(f"{count} lines" for count in counts) if any(count != 1 for count in counts) else ""


def _round(value: Any) -> str:
    return ROUNDS.get(str(value), _words(value))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


PAIRS = {"original": "Original pair", "query": "Sentence of the pair"}
NAMES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "source": ("Source sentence", _words),
    "systems": ("Systems", _words),
    "system": ("System", _words),
    "signature": ("Asked as", _words),
    "prompt": ("Prompt", _words),
    "train_pairs": ("Trained on so many pairs", _words),
    "rank": ("Rank among its outputs", _words),
    "range": ("Range of similarity", _words),
    "kind": ("Kind of exchange", _words),
    "swapped": ("Exchanged", _words),
    "round": ("Round", _round),
    "ranks": ("Ranks in the group", _words),
    "group": ("Group", _words),
    "pool": ("Pool", _words),
    "place": ("Places", _places),
    "copies": ("Stand for", _copies),
    "pattern": ("Differ only by", _words),
    "seed": ("Random seed", _words),
}
NOT_SHOWN = ("places", "reason")  # offsets, which are drawn elsewhere; why nothing was written


def _sample(meta: Mapping[str, Any]) -> Iterator[MakingFact]:
    """Of a pair that was drawn from mined ones: its stratum, and how many of how many were drawn there."""
    note = stratum_note(dict(meta))
    if note is not None:
        drawn = f"pairs drawn: {note.drawn:,} of {note.population:,}"
        yield MakingFact("Stratum", f"{note.by} {note.low:.2f}–{note.high:.2f}: {drawn}")
        yield MakingFact("Mining run", note.pool)


def _harvest(about: Any) -> Iterator[MakingFact]:
    if not isinstance(about, Mapping) or "region" not in about:
        return
    yield MakingFact("Harvested from", str(about["region"]))
    if all(_is_number(about.get(name)) for name in ("precision", "low", "high")):
        low, high = 100 * about["low"], 100 * about["high"]
        yield MakingFact("Precision of the harvest", f"{100 * about['precision']:.1f} % ({low:.1f}–{high:.1f} %)")
