"""What a made-up annotator says of a pair: the truth as often as they are accurate, else something near it.

A bias comes first: so often one label is given for another. Then there is the accuracy, for every question, flag and
phenomenon by itself. A miss is a neighbour on the scale, since that is what people miss by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from otherwords.annotate.question import Answer, Question
from otherwords.annotate.scheme import Scheme
from otherwords.simulate.chance import choose, draw
from otherwords.simulate.marks import marked_otherwise
from otherwords.simulate.rewriting import rewritten
from otherwords.simulate.scales import scale
from otherwords.simulate.seen import Seen
from otherwords.simulate.truth import answers, true_answer
from otherwords.simulate.wishes import Bias, Wishes

UNSURE = 0.04
UNSURE_AND_WRONG = 0.2
REWRITTEN = 0.2  # of the pairs that may be
EXTRA_FLAGS = 0.3  # of the misses: a flag too many is rarer than one too few
NOTES = ("Could be either.", "Depends on what comes before.", "Is this the same person?", "Let us talk about this one.")


@dataclass(frozen=True, slots=True)
class Opinion:
    """An answer with what may come with it."""

    value: Answer
    unsure: bool = False
    note: str | None = None
    rewrites: tuple[dict[str, str], ...] = ()

    def fields(self) -> dict[str, Any]:
        """What is sent besides the value, where there is something."""
        told = {"unsure": self.unsure, "note": self.note, "rewrites": list(self.rewrites)}
        return {name: value for name, value in told.items() if value}


def opinion(scheme: Scheme, seen: Seen, wishes: Wishes, *who: object) -> Opinion:
    """What somebody says of a pair; ``who`` names the person and the batch."""
    wrong = False

    def answer(question: Question) -> Answer:
        nonlocal wrong
        true = true_answer(scheme, question, seen, wishes.seed)
        said = _said(scheme, question, seen, true, wishes, question.name, *names)
        wrong = wrong or said != true
        return said

    names = (wishes.seed, *who, scheme.name, seen.text1, seen.text2)
    value = answers(scheme, answer)
    unsure = draw("unsure", *names) < (UNSURE_AND_WRONG if wrong else UNSURE)
    note = choose(NOTES, "note", *names) if unsure else None
    better = scheme.rewritable(value) and scheme.positive_of(value) is not None and draw("rewrite", *names) < REWRITTEN
    return Opinion(value, unsure, note, rewritten(scheme, seen) if better else ())


def _said(scheme: Scheme, question: Question, seen: Seen, true: Answer, wishes: Wishes, *names: object) -> Answer:
    accuracy = wishes.accuracy
    if question.kind == "types":
        return marked_otherwise(question, seen, true, accuracy, *names)
    values = [one.value for one in question.values]
    if question.several or question.counted:
        turned = {one for one in values if draw("turned", one, *names) < (1 - accuracy) / 2}
        some = [one for one in values if (one in true) != (one in turned)] or [choose(values, "some", *names)]
        return {one: true.get(one, 1) for one in some} if question.counted else some
    (base,) = question.bases(true)
    said = _biased(base, values, wishes.bias, *names)
    if said == base and draw("right", *names) >= accuracy:
        said = _neighbour(scheme, question, base, *names)
    return said + _flags(question, said, true[len(base) :] if said == base else "", accuracy, *names)


def _biased(base: str, values: list[str], bias: Bias, *names: object) -> str:
    place = draw("bias", *names)
    for (true, said), share in bias.items():
        if true == base and said in values:
            if place < share:
                return said
            place -= share
    return base


def _neighbour(scheme: Scheme, question: Question, base: str, *names: object) -> str:
    """The label before or after one on its scale; any other where there is none."""
    ordered = scale(scheme, question) or []
    if base in ordered:
        place = ordered.index(base)
        near = ordered[max(place - 1, 0) : place] + ordered[place + 1 : place + 2]
    else:
        near = [one.value for one in question.values if one.value != base]
    return choose(near, "near", *names) if near else base


def _flags(question: Question, base: str, true: str, accuracy: float, *names: object) -> str:
    told = ""
    for flag in question.flags:
        if base not in flag.on or set(flag.excludes) & set(told):
            continue
        missed = draw("flag", flag.flag, *names) >= accuracy
        too_many = missed and draw("extra", flag.flag, *names) < EXTRA_FLAGS and not set(flag.excludes) & set(true)
        if (flag.flag in true and not missed) or (flag.flag not in true and too_many):
            told += flag.flag
    return told
