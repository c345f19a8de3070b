"""What is wrong with the tags of a text: no words, places outside the text, places out of order."""

from __future__ import annotations

from itertools import pairwise

from otherwords.models.edges import Item, TaggedText


def failed_tagging(item: Item, value: TaggedText) -> str | None:
    """The reason why tags are no answer, if they are none."""
    if not value.tokens:
        return "the tagger found no words"
    places = [(token.start, token.end) for token in value.tokens]
    spans = [(span.start, span.end) for span in (*value.entities, *value.noun_phrases)]
    if any(not 0 <= start < end <= len(item.text) for start, end in (*places, *spans)):
        return "the tags lie outside the text"
    if any(before[1] > after[0] for before, after in pairwise(places)):
        return "the tags are out of order"
    return None
