"""Simulated phenomena: those of a pair, from a comparison of its words, and those that an annotator marks.

Words that both texts share are identical; where a stretch replaces another, its words decide on the type; words in one
text only were added, or are elsewhere in the other. Types go by the tags of Vila et al. 2014; a scheme with other tags
gets any of its types that fit. An annotator misses some phenomena, and gives others another type or another edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from otherwords.annotate.schemes.phenomena import MAX_PHENOMENA, MAX_RANGES, TagSet, tag_set
from otherwords.annotate.schemes.question import Question
from otherwords.annotate.work.type_marks import tokenise_pair
from otherwords.errors import LabelError
from otherwords.simulate.chance import choose, draw
from otherwords.simulate.visible_texts import VisibleTexts
from otherwords.text.lemmas import lemmatiser

Span = tuple[int, int]
Phenomenon = dict[str, Any]  # as an answer spells it
GLOBAL = 0.15  # share of the changes that entail others
LONG = 4  # a replacement of at least this many words on both sides is another structure
STRUCTURES = ("syn_diathesis", "syn_subord_nesting", "syn_coordination", "syn_dis_structure", "semantic")
MISSED = 0.4  # share of the errors that are missed phenomena; the others have another type
EDGES = 0.5  # an edge is wrong half as often as something else


def true_phenomena(question: Question, seen: VisibleTexts, *names: object) -> list[Phenomenon]:
    """The phenomena of a pair, at least one."""
    tags, cut = tag_set(question.types), tokenise_pair(seen.text1, seen.text2, seen.lang)
    words1 = [seen.text1[start:end] for start, end in cut.text1]
    words2 = [seen.text2[start:end] for start, end in cut.text2]
    same: list[list[Span]] = [[], []]
    alone: list[list[tuple[list[str], Span]]] = [[], []]
    phenomena: list[Phenomenon] = []
    for _, begin1, end1, begin2, end2 in differences(words1, words2):
        some1, some2 = words1[begin1:end1], words2[begin2:end2]
        cuts = (cut.text1[begin1:end1], cut.text2[begin2:end2])
        places = [[(spans[0][0], spans[-1][1])] if spans else [] for spans in cuts]
        if some1 == some2:
            same[0] += places[0]
            same[1] += places[1]
        elif some1 and some2:
            tag = _type(some1, some2, seen.lang, *names, begin1)
            phenomena += _phenomenon(tags, tag, places[0], places[1], *names)
        else:
            side = 0 if some1 else 1
            alone[side].append((sorted(map(str.lower, some1 or some2)), places[side][0]))
    phenomena += _moved_or_added(tags, alone, *names)
    if same[0] and (identical := next((kind.tag for kind in tags.types.values() if kind.identical), None)):
        phenomena += _phenomenon(tags, identical, same[0][:MAX_RANGES], same[1][:MAX_RANGES], *names)
    if phenomena:
        return phenomena[:MAX_PHENOMENA]
    # There is nothing else to mark: a phenomenon over both texts.
    kind = next(iter(tags.types.values()))
    if fitting := fitting_types(tags, one_sided=False):
        kind = tags.types[choose(fitting, "whole", *names)]
    whole1, whole2 = [(0, len(seen.text1))], [(0, len(seen.text2))]
    return _phenomenon(tags, kind.tag, whole1, [] if kind.one_sided else whole2, *names)


def differences(words1: Sequence[str], words2: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """Which words became which, as :mod:`difflib` describes it."""
    return SequenceMatcher(None, words1, words2, autojunk=False).get_opcodes()


def _type(some1: list[str], some2: list[str], lang: str | None, *names: object) -> str:
    """The tag of a replacement of words."""
    plain = ["".join(char for char in "".join(some).lower() if char.isalnum()) for some in (some1, some2)]
    if not any(plain):
        return "dis_punctuation"
    if plain[0] == plain[1]:
        return "lex_spelling"
    if len(some1) == len(some2) == 1:
        lemma = lemmatiser(lang or "und").lemma
        return "mor_inflectional" if lemma(some1[0]) == lemma(some2[0]) else "lex_same_polarity"
    if min(len(some1), len(some2)) >= LONG:
        return choose(STRUCTURES, "structure", *names)
    return "lex_synt_ana" if 1 in (len(some1), len(some2)) else "lex_same_polarity"


def _moved_or_added(tags: TagSet, alone: list[list[tuple[list[str], Span]]], *names: object) -> list[Phenomenon]:
    """Words in one text only: if they are elsewhere in the other, their order changed; otherwise they were added."""
    first, second = list(alone[0]), list(alone[1])
    phenomena: list[Phenomenon] = []
    for words, place in alone[0]:
        partner = next((other for other in second if other[0] == words), None)
        if partner is not None:
            first.remove((words, place))
            second.remove(partner)
            phenomena += _phenomenon(tags, "order", [place], [partner[1]], *names)
    for _, place in first:
        phenomena += _phenomenon(tags, "addition_deletion", [place], [], *names)
    for _, place in second:
        phenomena += _phenomenon(tags, "addition_deletion", [], [place], *names)
    return phenomena


def _phenomenon(
    tags: TagSet, wanted: str, places1: list[Span], places2: list[Span], *names: object
) -> list[Phenomenon]:
    """A phenomenon of the wanted type, or of one that fits if the scheme does not have it; none if none fits."""
    one_sided = not (places1 and places2)
    fitting = fitting_types(tags, one_sided=one_sided)
    where = (*names, places1, places2)
    if wanted in tags.types and tags.types[wanted].one_sided == one_sided:
        tag = wanted
    elif fitting:
        tag = choose(fitting, "type", *where)
    else:
        return []
    phenomenon: Phenomenon = {"type": tag, "scope1": [*map(list, places1)], "scope2": [*map(list, places2)]}
    if tags.types[tag].projection:
        phenomenon["projection"] = "global" if draw("projection", *where) < GLOBAL else "local"
    return [phenomenon]


def fitting_types(tags: TagSet, *, one_sided: bool) -> list[str]:
    """The types for a change in one of the texts, or in both; not the type of identical words."""
    return [kind.tag for kind in tags.types.values() if kind.one_sided == one_sided and not kind.identical]


def marked_phenomena(
    question: Question, seen: VisibleTexts, true: list[Phenomenon], accuracy: float, *names: object
) -> list[Phenomenon]:
    """What an annotator marks where ``true`` is right; the truth if their errors would be refused."""
    tags, cut = tag_set(question.types), tokenise_pair(seen.text1, seen.text2, seen.lang)
    phenomena: list[Phenomenon] = []
    for number, phenomenon in enumerate(true):
        where = (number, *names)
        if draw("mark", *where) < accuracy:
            marked = phenomenon
        elif draw("missed", *where) < MISSED:
            continue
        else:
            # The same words under another type with the same requirements.
            kind = tags.types[phenomenon["type"]]
            fitting = fitting_types(tags, one_sided=kind.one_sided)
            others = [tag for tag in fitting if tags.types[tag].projection == kind.projection and tag != kind.tag]
            marked = phenomenon
            if others and not kind.identical:
                marked = {**phenomenon, "type": choose(others, "other", *where)}
        if draw("edge", *where) < EDGES * (1 - accuracy):
            marked = _shortened(marked, (cut.text1, cut.text2))
        phenomena.append(marked)
    try:
        return question.normalise(phenomena or true[:1])  # type: ignore[no-any-return]
    except LabelError:
        return true


def _shortened(phenomenon: Phenomenon, cut: tuple[list[Span], list[Span]]) -> Phenomenon:
    """The same without the last word of its last stretch, if that has several."""
    shorter = dict(phenomenon)
    for scope, places in zip(("scope1", "scope2"), cut, strict=True):
        if shorter[scope]:
            start, end = shorter[scope][-1]
            inside = [place for place in places if start <= place[0] and place[1] <= end]
            if len(inside) > 1:
                shorter[scope] = [*shorter[scope][:-1], [start, inside[-2][1]]]
    return shorter
