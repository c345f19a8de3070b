"""What the fields of pairs and judgements mean, for people who name the columns of their own tables."""

from __future__ import annotations

from collections.abc import Mapping

from otherwords.records import Judgement, Pair, Record

MEANINGS: Mapping[type[Record], Mapping[str, str]] = {
    Pair: {
        "id": "a permanent name of the pair; made of file, line and texts if there is none",
        "text1": "the first text",
        "text2": "the second text",
        "lang": "the language, if it is not that of the import or the project",
        "source": "the source that the pair is counted under",
        "group": "what must stay together in a split: a film, an article, a trend",
        "time": "when the texts were written, ISO 8601",
        "licence": "the licence of the texts",
        "doc1": "JSON: the document of text1 and its offsets",
        "doc2": "JSON: the document of text2 and its offsets",
        "method": "how the pair was found",
        "rewrite_of": "the id of the pair that this one is a rewrite of",
        "scores": "JSON: scores by measure; a column named like a measure is a score too",
        "label": "the label that it comes with",
        "gold": "JSON: the right answer of a hidden test, and why",
        "meta": "JSON: anything else; columns with other names go there",
    },
    Judgement: {
        "id": "the name of the judgement; made of file, line and content if there is none",
        "pair": "the id of the pair that is judged",
        "value": "the answer: a label, or JSON where a scheme asks several questions",
        "unit": "pair, document_pair or group",
        "annotator": "who judged",
        "scheme": "the scheme of the answer; that of the project if there is none",
        "batch": "the batch that asked for it",
        "purpose": "production, training, agreement, check, qa or gold",
        "kind": "individual, consensus (a decision of the team), vote or simulated",
        "round": "the number of the round",
        "unsure": "true or false",
        "note": "a remark",
        "rewrites": "JSON: better pairs that the annotator wrote",
        "context_shown": "true or false",
        "seconds": "how long it took",
        "time": "when it was given, ISO 8601",
        "guideline": "the version of the guideline",
        "supersedes": "the id of the judgement that it takes the place of",
        "meta": "JSON: anything else; columns with other names go there",
    },
}
