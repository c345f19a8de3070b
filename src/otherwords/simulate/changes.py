"""The phenomena of a pair, made up: what a comparison of its words shows, under the types that a scheme has.

Words that both texts share are identical; where a stretch takes the place of another, its words decide which type it
is; what stands in one text only was added, or stands elsewhere in the other. Types go by the tags of Vila et al. 2014;
a scheme with other tags gets any of its types that fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from otherwords.annotate.marking import tokens
from otherwords.annotate.phenomena import MOST_PARTS, MOST_PHENOMENA, TagSet, tag_set
from otherwords.annotate.question import Question
from otherwords.simulate.chance import choose, draw
from otherwords.simulate.seen import Seen
from otherwords.text.lemmas import lemmatiser

Span = tuple[int, int]
Phenomenon = dict[str, Any]
GLOBAL = 0.15  # of the changes entail others
LONG = 4  # so many words for so many others are another structure
STRUCTURES = ("syn_diathesis", "syn_subord_nesting", "syn_coordination", "syn_dis_structure", "semantic")


def changes(question: Question, seen: Seen, *names: object) -> list[Phenomenon]:
    """The phenomena of a pair, at least one."""
    tags, cut = tag_set(question.types), tokens(seen.text1, seen.text2, seen.lang)
    words1 = [seen.text1[start:end] for start, end in cut.text1]
    words2 = [seen.text2[start:end] for start, end in cut.text2]
    same: list[list[Span]] = [[], []]
    alone: list[list[tuple[list[str], Span]]] = [[], []]
    found: list[Phenomenon] = []
    for _, begin1, end1, begin2, end2 in stretches(words1, words2):
        some1, some2 = words1[begin1:end1], words2[begin2:end2]
        places = [_joined(cut.text1[begin1:end1]), _joined(cut.text2[begin2:end2])]
        if some1 == some2:
            same[0] += places[0]
            same[1] += places[1]
        elif some1 and some2:
            wanted = _type(some1, some2, seen.lang, *names, begin1)
            found += _phenomenon(tags, wanted, places[0], places[1], *names)
        else:
            side = 0 if some1 else 1
            alone[side].append((sorted(map(str.lower, some1 or some2)), places[side][0]))
    found += _moved(tags, alone, *names)
    if same[0] and (alike := next((one.tag for one in tags.types.values() if one.identical), None)):
        found += _phenomenon(tags, alike, same[0][:MOST_PARTS], same[1][:MOST_PARTS], *names)
    return found[:MOST_PHENOMENA] or _whole(tags, seen, *names)


def stretches(words1: Sequence[str], words2: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """What became of which words, as the standard library compares."""
    return SequenceMatcher(None, words1, words2, autojunk=False).get_opcodes()


def _type(some1: list[str], some2: list[str], lang: str | None, *names: object) -> str:
    """The tag of a change of words."""
    plain = ["".join(one for one in "".join(some).lower() if one.isalnum()) for some in (some1, some2)]
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


def _moved(tags: TagSet, alone: list[list[tuple[list[str], Span]]], *names: object) -> list[Phenomenon]:
    """What stands in one text only: words that are elsewhere in the other changed their order, others were added."""
    first, second = list(alone[0]), list(alone[1])
    found: list[Phenomenon] = []
    for words, place in alone[0]:
        partner = next((one for one in second if one[0] == words), None)
        if partner is not None:
            first.remove((words, place))
            second.remove(partner)
            found += _phenomenon(tags, "order", [place], [partner[1]], *names)
    for _, place in first:
        found += _phenomenon(tags, "addition_deletion", [place], [], *names)
    for _, place in second:
        found += _phenomenon(tags, "addition_deletion", [], [place], *names)
    return found


def _phenomenon(
    tags: TagSet, wanted: str, places1: list[Span], places2: list[Span], *names: object
) -> list[Phenomenon]:
    """A phenomenon of the wanted type, or of one that fits where a scheme does not have it; none where none fits."""
    one_sided = not (places1 and places2)
    fitting = fit(tags, one_sided=one_sided)
    where = (*names, places1, places2)
    if wanted in tags.types and tags.types[wanted].one_sided == one_sided:
        tag = wanted
    elif fitting:
        tag = choose(fitting, "type", *where)
    else:
        return []
    made: Phenomenon = {"type": tag, "scope1": _lists(places1), "scope2": _lists(places2)}
    if tags.types[tag].projection:
        made["projection"] = "global" if draw("projection", *where) < GLOBAL else "local"
    return [made]


def fit(tags: TagSet, *, one_sided: bool) -> list[str]:
    """The types for a change that shows in one of the texts, or in both; what is identical is none."""
    return [one.tag for one in tags.types.values() if one.one_sided == one_sided and not one.identical]


def _whole(tags: TagSet, seen: Seen, *names: object) -> list[Phenomenon]:
    """All of both texts, where nothing else is to be said."""
    places = [[(0, len(text))] for text in (seen.text1, seen.text2)]
    fitting = fit(tags, one_sided=False)
    if fitting:
        return _phenomenon(tags, choose(fitting, "whole", *names), *places, *names)
    tag = next(iter(tags.types.values()))
    return _phenomenon(tags, tag.tag, places[0], [] if tag.one_sided else places[1], *names)


def _joined(places: Sequence[Span]) -> list[Span]:
    return [(places[0][0], places[-1][1])] if places else []


def _lists(places: Sequence[Span]) -> list[list[int]]:
    return [list(one) for one in places]
