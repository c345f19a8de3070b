"""Signatures in words: ``char-cosine|n:2-4|case:lc`` is the cosine of character n-grams, of 2–4 characters, …

What is not known here is told as it stands, so that no parameter is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from otherwords import __version__

MEASURES = {
    "label-shares": "counting",
    "tokens": "counting tokens",
    "sentence-mapping": "splitting them into sentences",
    "topics": "the topic of each group",
    "pace": "counting judgements",
    "types": "counting different words",
    "patterns": "comparing words, lemmas, function words and synonyms, in this order",
    "overlap": "the share of the n-grams of the text with fewer of them that both have",
    "char-cosine": "the cosine of the counts of character n-grams within words",
    "char-cosine-tfidf": "the cosine of TF-IDF weighted character n-grams within words",
    "jaccard": "the Jaccard coefficient of the sets of tokens",
    "bleu": "BLEU",
    "self-bleu": "Self-BLEU",
    "pinc": "PINC",
    "observed": "observed agreement",
    "fleiss": "Fleiss' kappa",
    "alpha-nominal": "Krippendorff's nominal alpha",
    "alpha-ordinal": "Krippendorff's ordinal alpha",
    "alpha-interval": "Krippendorff's interval alpha",
    "alpha-ratio": "Krippendorff's ratio alpha",
    "ac1": "Gwet's AC1",
    "ac2-linear": "Gwet's AC2 with linear weights",
    "ac2-quadratic": "Gwet's AC2 with quadratic weights",
    "ac2-ordinal": "Gwet's AC2 with ordinal weights",
    "cohen": "Cohen's kappa",
    "scott": "Scott's pi",
    "cohen-mean": "the mean of pairwise Cohen's kappas weighted by pairs",
    "cohen-mean-unweighted": "the unweighted mean of pairwise Cohen's kappas",
    "scott-mean": "the mean of pairwise Scott's pis weighted by pairs",
    "scott-mean-unweighted": "the unweighted mean of pairwise Scott's pis",
}
PARAMETERS = {
    "n": "n-grams of length {}",
    "lang": "language {}",
    "lemma": "lemmas by {}",
    "function": "function words of {}",
    "tok": "the tokeniser {}",
    "seed": "the seed {}",
    "bs": "{} bootstrap replicates",
    "labels": "{} labels",
    "scheme": "the scheme {}",
    "categories": "{} categories",
    "sample": "a sample of {}",
    "bins": "{} bins",
    "synonyms": "synonyms: {}",
    "lemmas": "lemmas: {}",
    "smooth": "smoothing {}",
    "nrefs": "references: {}",
    "rewrites": "rewrites {}",
}
VALUES = {
    ("case", "lc"): "text in lower case",
    ("case", "mixed"): "case kept",
    ("verb", "unchecked"): "without looking for a main verb",
    ("sentences", "rules"): "by rules",
    ("labels", "arrows"): "labels with their arrows",
    ("labels", "base"): "base labels",
    ("kind", "individual+vote"): "judgements of single people",
    ("stands", "yes"): "as far as they stand",
    ("seconds", "median"): "medians of seconds",
    ("weeks", "iso-utc"): "ISO weeks in UTC",
    ("eff", "yes"): "effective order",
    ("eff", "no"): "all orders",
    ("synonyms", "none"): "no synonyms",
    ("ci", "percentile95"): "95 % percentile intervals",
}
_JOINED = re.compile(rf"(?<=version:{re.escape(__version__)}) and ")
EVERYWHERE = ("version",)  # told once, at the end


Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Signed:
    """A measure and its parameters."""

    measure: str
    parameters: Parameters


def parsed(signature: str) -> list[Signed]:
    """What a signature says; several where it joins several."""
    found = []
    for one in _JOINED.split(signature):
        measure, *parts = one.split("|")
        named = (part.partition(":") for part in parts)
        told = tuple((name, value) for name, _, value in named if name not in EVERYWHERE)
        found.append(Signed(measure.partition(":")[0], told))
    return found


def in_words(signed: Sequence[Signed]) -> str:
    """Measures with their parameters; what all have in common is told once, at the end."""
    common = [one for one in signed[0].parameters if all(one in other.parameters for other in signed)]
    names: dict[Parameters, dict[str, None]] = {}
    for one in signed:
        own = tuple(parameter for parameter in one.parameters if parameter not in common)
        names.setdefault(own, {})[MEASURES.get(one.measure, one.measure.replace("-", " "))] = None
    if len(names) == 1:
        return _with(next(iter(names.values())), common)
    told = listed([_with(measures, own) for own, measures in names.items()])
    return f"{told}; all of them with {_spoken(common)}" if common else told


def listed(words: Sequence[str]) -> str:
    """Words with commas and an and."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _with(measures: Iterable[str], parameters: Sequence[tuple[str, str]]) -> str:
    named = listed(list(measures))
    return f"{named} ({_spoken(parameters)})" if parameters else named


def _spoken(parameters: Sequence[tuple[str, str]]) -> str:
    return ", ".join(_parameter(name, value) for name, value in parameters)


def _parameter(name: str, value: str) -> str:
    if (name, value) in VALUES:
        return VALUES[name, value]
    return PARAMETERS[name].format(value) if name in PARAMETERS else f"{name.replace('_', ' ')} {value}".strip()
