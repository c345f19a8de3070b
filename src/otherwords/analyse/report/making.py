"""How a corpus was made, in sentences: how documents were paired, where pairs come from, and who decided their labels.

Every number has the verb that fits it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from otherwords.analyse.finding import quantity
from otherwords.analyse.report.signatures_in_words import join_words
from otherwords.corpus.labels.table import LabelledPair
from otherwords.project.alignments import AlignmentCounts
from otherwords.records import Pair

LabelOrigin = tuple[str, int]  # what made a label, and how many judgements it rests on
SEVERAL = 3  # judgements, and more
# What is said of one pair, and of several.
BY_JUDGEMENTS = {
    1: ("rests on one judgement", "rest on one judgement"),
    2: ("rests on two judgements that agree", "rest on two judgements that agree"),
    SEVERAL: ("rests on three or more judgements", "rest on three or more judgements"),
}
BY_OTHERS = {
    "votes": ("was decided by votes", "were decided by votes"),
    "consensus": ("was decided by the team", "were decided by the team"),
    "qa": ("has the answer of a round of quality control", "have the answer of a round of quality control"),
    "rewrite": ("is a rewrite by an annotator", "are rewrites by annotators"),
    "import": ("has the label that it was imported with", "have the label that they were imported with"),
}
METHODS = {
    "subtitles": "Versions of the same film or episode were paired",
    "news": "News articles were paired",
    "headings": "Headings of similar news articles were paired",
    "forum": "Messages that open a thread were paired",
    "groups": "Texts of the same group were paired",
    "posts": "Posts were grouped",
}


def label_origins(pairs: Iterable[Pair]) -> Counter[LabelOrigin]:
    """The number of pairs by what made their label; released pairs have it in their ``meta``."""
    origins: Counter[LabelOrigin] = Counter()
    made_by: object
    judgements: object
    for pair in pairs:
        if isinstance(pair, LabelledPair):
            made_by, judgements = pair.made_by, pair.judgements
        else:
            made_by, judgements = pair.meta.get("made_by"), pair.meta.get("judgements")
        if isinstance(made_by, str):
            origins[made_by, len(judgements) if isinstance(judgements, list | tuple) else 0] += 1
    return origins


def about_origins(origins: Mapping[LabelOrigin, int]) -> str:
    """A sentence about how many labels rest on how many judgements, and which were decided otherwise."""
    by_judgements: Counter[int] = Counter()
    by_others: Counter[str] = Counter()
    for (made_by, judgements), count in origins.items():
        if made_by == "judgements":
            by_judgements[max(1, min(judgements, SEVERAL))] += count
        elif made_by in BY_OTHERS:
            by_others[made_by] += count
    counted = [(by_judgements[number], phrases) for number, phrases in BY_JUDGEMENTS.items()]
    counted += [(by_others[made_by], phrases) for made_by, phrases in BY_OTHERS.items()]
    clauses = [f"{count:,} {phrases[count != 1]}" for count, phrases in counted if count]
    total = by_judgements.total() + by_others.total()
    return f"Of {quantity(total, 'labelled pair')}, {join_words(clauses)}." if clauses else ""


def about_alignments(alignments: Iterable[AlignmentCounts]) -> Iterator[str]:
    """Sentences about each method that paired documents, and about what was taken from these."""
    for row in alignments:
        how = METHODS.get(row.method, f"Documents were paired by the method {row.method}")
        band = _band(row.low, row.high)
        rounds = f" in {row.rounds} rounds" if row.rounds > 1 else ""
        results = [quantity(row.document_pairs, "document pair")] if row.document_pairs else []
        if row.pairs and not row.document_pairs:
            results.append(quantity(row.pairs, "pair"))
        gave = f": {quantity(row.documents, 'document')} gave {results[0]}" if results else ""
        yield f"{how}{band}{rounds}{gave}."
        if row.document_pairs:
            yield from _about_extraction(row)


def _band(low: float | None, high: float | None) -> str:
    if low is None:
        return ""
    return (
        f" if their similarity was between {low:g} and {high:g}"
        if high is not None
        else (f" if the similarity was at least {low:g}")
    )


def _about_extraction(row: AlignmentCounts) -> Iterator[str]:
    clauses = []
    if row.rejected:
        clauses.append(f"{row.rejected:,} {'was' if row.rejected == 1 else 'were'} rejected")
    if row.empty:
        clauses.append(f"{row.empty:,} {'was' if row.empty == 1 else 'were'} found to have no paraphrases")
    if clauses:
        yield f"Of these document pairs, {join_words(clauses)}."
    if row.pairs:
        places = f" from {quantity(row.finished, 'document pair')}" if row.finished else ""
        was = "was" if row.pairs == 1 else "were"
        yield f"By hand, {quantity(row.pairs, 'pair')} {was} extracted{places}."
