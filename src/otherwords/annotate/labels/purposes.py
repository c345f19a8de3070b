"""What the purpose of a batch means for the labels of its pairs, in words for whoever makes one.

:func:`otherwords.annotate.labels.engine.rank` is the rule that these sentences describe.
"""

from __future__ import annotations

from otherwords.records import Purpose

PURPOSE_MEANINGS: dict[Purpose, str] = {
    "production": "Answers make the labels of the corpus. If several people judge a pair and disagree, it has no label "
    "until the team decides.",
    "agreement": "Answers make labels as in production. For pairs that people judge independently, to measure their "
    "agreement: no types are marked in advance.",
    "training": "For practice. Answers make no labels; only what the team decides about a pair does.",
    "check": "A blind check of rewrites or of people. Answers make no labels, and nothing tells one pair from another.",
    "qa": "Whoever checks a pair sees its label, and their answer is its label from then on.",
}
