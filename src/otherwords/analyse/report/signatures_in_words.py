"""Signatures in words: ``char-cosine|n:2-4|case:lc`` becomes "the cosine of … (n-grams of length 2-4, …)".

Unknown measures and parameters are written as they are, so that nothing is lost.
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
    "stages": "counting pairs",
    "answers": "tabulating answers",
    "truth-f1": "the F1 of answers against the truth",
    "types": "counting distinct words",
    "patterns": "comparing words, lemmas, function words and synonyms, in this order",
    "overlap": "the number of shared n-grams divided by the n-grams of the text that has fewer",
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
    "accuracy-mean": "the accuracy of all annotators against the consensus",
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
    "purpose": "judgements for {}",
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
    ("verb", "unchecked"): "without checking for a main verb",
    ("sentences", "rules"): "by rules",
    ("purpose", "agreement+production"): "judgements for agreement and production",
    ("k", "scheme"): "all those of the scheme",
    ("k", "observed"): "those that occur",
    ("labels", "arrows"): "labels with their arrows",
    ("labels", "base"): "base labels",
    ("kind", "individual+vote"): "individual judgements and votes",
    ("stands", "yes"): "current ones only",
    ("seconds", "median"): "median seconds",
    ("weeks", "iso-utc"): "ISO weeks in UTC",
    ("eff", "yes"): "effective order",
    ("eff", "no"): "all orders",
    ("synonyms", "none"): "no synonyms",
    ("rewrites", "apart"): "rewrites counted separately",
    ("unit", "once"): "each unit once",
    ("unit", "every-answer"): "every answer",
    ("interval", "95"): "95 % intervals",
    ("ci", "percentile95"): "95 % percentile intervals",
}
_JOINED = re.compile(rf"(?<=version:{re.escape(__version__)}) and ")
OMITTED = ("version",)  # stated once for the whole report
Parameter = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SignedMeasure:
    """A measure and its parameters."""

    measure: str
    parameters: tuple[Parameter, ...]


def parse_signature(signature: str) -> list[SignedMeasure]:
    """The measures of a signature, of which several may be joined."""
    measures = []
    for text in _JOINED.split(signature):
        measure, *parts = text.split("|")
        named = (part.partition(":") for part in parts)
        parameters = tuple((name, value) for name, _, value in named if name not in OMITTED)
        measures.append(SignedMeasure(measure.partition(":")[0], parameters))
    return measures


def in_words(measures: Sequence[SignedMeasure]) -> str:
    """Measures with their parameters; parameters that all have in common are stated once, at the end."""
    common = [
        parameter for parameter in measures[0].parameters if all(parameter in other.parameters for other in measures)
    ]
    names: dict[tuple[Parameter, ...], dict[str, None]] = {}
    for signed in measures:
        own = tuple(parameter for parameter in signed.parameters if parameter not in common)
        names.setdefault(own, {})[MEASURES.get(signed.measure, signed.measure.replace("-", " "))] = None
    if len(names) == 1:
        return _with_parameters(next(iter(names.values())), common)
    words = join_words([_with_parameters(of_parameters, own) for own, of_parameters in names.items()])
    return f"{words}; all with {_parameters_in_words(common)}" if common else words


def join_words(words: Sequence[str]) -> str:
    """Words separated by commas, the last by "and"."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _with_parameters(measures: Iterable[str], parameters: Sequence[Parameter]) -> str:
    names = join_words(list(measures))
    return f"{names} ({_parameters_in_words(parameters)})" if parameters else names


def _parameters_in_words(parameters: Sequence[Parameter]) -> str:
    words = []
    for name, value in parameters:
        if (name, value) in VALUES:
            words.append(VALUES[name, value])
        elif name in PARAMETERS:
            words.append(PARAMETERS[name].format(value))
        else:
            words.append(f"{name.replace('_', ' ')} {value}".strip())
    return ", ".join(words)
