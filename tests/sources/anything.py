"""Strategies for arbitrary records: whatever a record may hold, a lossless format must give back."""

from __future__ import annotations

from hypothesis import strategies as st

from otherwords.records import Document, DocumentPair, Gold, Judgement, Pair, Part, Passage

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)  # an empty cell is a missing one
numbers = st.floats(allow_nan=False, allow_infinity=False)
places = st.integers(0, 10**6)
plain_json = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | numbers | texts
json = st.recursive(
    plain_json,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
metas = st.dictionaries(texts | st.sampled_from(["scores", "text1", "meta"]), json, max_size=2)
names_of_scores = words | st.sampled_from(["bleu", "jaccard", "label", "scores", "scores.bleu", "bleu:n=2", "text1"])
maybe = st.none() | words
passages = st.builds(Passage, id=texts, start=places, end=places)

pairs = st.builds(
    Pair,
    id=words,
    text1=texts,
    text2=texts,
    lang=maybe,
    source=maybe,
    group=maybe,
    time=maybe,
    doc1=st.none() | passages,
    doc2=st.none() | passages,
    method=maybe,
    rewrite_of=maybe,
    scores=st.dictionaries(names_of_scores, st.none() | numbers, max_size=3),
    label=st.none() | st.sampled_from(["0", "1", "-1", "4>is", "x", "3.8", "Unnatural", " 1"]),
    gold=st.none() | st.builds(Gold, label=texts, explanation=st.none() | texts),
    meta=metas,
)
judgements = st.builds(
    Judgement,
    id=words,
    pair=words,
    value=json,
    unit=st.sampled_from(["pair", "document_pair", "group"]),
    annotator=maybe,
    purpose=st.sampled_from(["production", "qa"]),
    kind=st.sampled_from(["individual", "vote"]),
    round=st.integers(0, 2**40),
    unsure=st.booleans(),
    note=maybe,
    rewrites=st.lists(st.tuples(texts, texts), max_size=2),
    context_shown=st.none() | st.booleans(),
    seconds=st.none() | numbers,
    meta=metas,
)
documents = st.builds(Document, id=words, text=texts, lang=maybe, licence=maybe, meta=metas)
document_pairs = st.builds(
    DocumentPair,
    id=words,
    doc1=words,
    doc2=words,
    part=st.none() | st.builds(Part, start1=places, end1=places, start2=places, end2=places),
    similarity=st.none() | numbers,
    round=st.integers(0, 9),
    meta=metas,
)
NOUNS = {"pairs": pairs, "judgements": judgements, "documents": documents, "document_pairs": document_pairs}
