"""The phenomena that a made-up annotator marks: some of the true ones are missed, named otherwise or cut otherwise."""

from __future__ import annotations

from otherwords.annotate.marking import tokens
from otherwords.annotate.phenomena import TagSet, tag_set
from otherwords.annotate.question import Question
from otherwords.errors import LabelError
from otherwords.simulate.chance import choose, draw
from otherwords.simulate.changes import Phenomenon, Span, fit
from otherwords.simulate.seen import Seen

MISSED = 0.4  # of what is not marked as it is; the others have another type
EDGES = 0.5  # an edge is elsewhere half as often as something else is wrong


def marked_otherwise(
    question: Question, seen: Seen, true: list[Phenomenon], accuracy: float, *names: object
) -> list[Phenomenon]:
    """What somebody marks where this is true; the truth where their slips would be refused."""
    tags, cut = tag_set(question.types), tokens(seen.text1, seen.text2, seen.lang)
    told: list[Phenomenon] = []
    for number, one in enumerate(true):
        of = (number, *names)
        if draw("mark", *of) < accuracy:
            said = one
        elif draw("missed", *of) < MISSED:
            continue
        else:
            said = _renamed(tags, one, *of)
        if draw("edge", *of) < EDGES * (1 - accuracy):
            said = _shortened(said, (cut.text1, cut.text2))
        told.append(said)
    try:
        return question.normalise(told or true[:1])  # type: ignore[no-any-return]
    except LabelError:
        return true


def _renamed(tags: TagSet, one: Phenomenon, *names: object) -> Phenomenon:
    """The same words under another type that asks for the same."""
    kind = tags.types[one["type"]]
    alike = [tag for tag in fit(tags, one_sided=kind.one_sided) if tags.types[tag].projection == kind.projection]
    others = [tag for tag in alike if tag != kind.tag]
    return {**one, "type": choose(others, "other", *names)} if others and not kind.identical else one


def _shortened(one: Phenomenon, cut: tuple[list[Span], list[Span]]) -> Phenomenon:
    """The same without the last word of its last stretch, where that has several."""
    made = dict(one)
    for scope, places in zip(("scope1", "scope2"), cut, strict=True):
        if made[scope]:
            start, end = made[scope][-1]
            inside = [place for place in places if start <= place[0] and place[1] <= end]
            if len(inside) > 1:
                made[scope] = [*made[scope][:-1], [start, inside[-2][1]]]
    return made
