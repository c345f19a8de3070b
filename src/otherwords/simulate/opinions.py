"""What a simulated annotator answers about a pair: the truth as often as they are accurate, otherwise something near.

A bias comes first: it is how often one label is given for another. Then the accuracy applies to every question, flag
and phenomenon separately. A wrong answer is a neighbour on the scale, because those are the errors that people make.
Pairs with a gold label, such as hidden tests, are plain: there careful people hardly ever err.
"""

from __future__ import annotations

from dataclasses import dataclass

from otherwords.annotate.schemes.question import Answer, Question
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.work.type_marks import tokenise_pair
from otherwords.simulate.chance import choose, draw
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.phenomena import differences, marked_phenomena
from otherwords.simulate.truth import answers, best_first, true_answer
from otherwords.simulate.visible_texts import VisibleTexts

UNSURE = 0.04
UNSURE_AND_WRONG = 0.2
REWRITTEN = 0.2  # share of the pairs that may be rewritten
EXTRA_FLAGS = 0.3  # share of the wrong flags: a flag too many is rarer than one too few
NOTES = ("Could be either.", "Depends on what comes before.", "Is this the same person?", "Let us talk about this one.")


@dataclass(frozen=True, slots=True)
class SimulatedAnswer:
    """An answer with what may come with it."""

    value: Answer
    unsure: bool = False
    note: str | None = None
    rewrites: tuple[dict[str, str], ...] = ()


def opinion(scheme: Scheme, seen: VisibleTexts, options: SimulationOptions, *who: object) -> SimulatedAnswer:
    """The answer of an annotator about a pair; ``who`` names the person and the batch."""
    wrong = False

    def answer(question: Question) -> Answer:
        nonlocal wrong
        true = true_answer(scheme, question, seen, options)
        reply = _annotator_answer(scheme, question, seen, true, options, question.name, *names)
        wrong = wrong or reply != true
        return reply

    names = (options.seed, *who, scheme.name, seen.text1, seen.text2)
    value = answers(scheme, seen, answer)
    unsure = draw("unsure", *names) < (UNSURE_AND_WRONG if wrong else UNSURE)
    note = choose(NOTES, "note", *names) if unsure else None
    may_rewrite = scheme.rewritable(value) and scheme.positive_of(value) is not None
    rewrites = rewrite_pair(scheme, seen) if may_rewrite and draw("rewrite", *names) < REWRITTEN else ()
    return SimulatedAnswer(value, unsure, note, rewrites)


def _annotator_answer(
    scheme: Scheme, question: Question, seen: VisibleTexts, true: Answer, options: SimulationOptions, *names: object
) -> Answer:
    accuracy = options.accuracy if seen.gold is None else _accuracy_on_gold(options.accuracy)
    if question.kind == "types":
        return marked_phenomena(question, seen, true, accuracy, *names)
    values = [option.value for option in question.values]
    if question.several or question.counted:
        turned = {value for value in values if draw("turned", value, *names) < (1 - accuracy) / 2}
        some = [value for value in values if (value in true) != (value in turned)] or [choose(values, "some", *names)]
        return {value: true.get(value, 1) for value in some} if question.counted else some
    (true_base,) = question.bases(true)
    base, place = true_base, draw("bias", *names)
    for (biased, reply), share in options.bias.items():
        if biased == true_base and reply in values:
            if place < share:
                base = reply
                break
            place -= share
    if base == true_base and draw("right", *names) >= accuracy:
        base = _neighbour(scheme, question, true_base, *names)
    true_flags = true[len(true_base) :] if base == true_base else ""
    return base + _flags(question, base, true_flags, accuracy, *names)


def _accuracy_on_gold(accuracy: float) -> float:
    """How often somebody is right where the answer is plain: careful people nearly always, careless ones as usual."""
    wrong = 1 - accuracy
    return 1 - wrong * min(1.0, 2 * wrong)


def _neighbour(scheme: Scheme, question: Question, base: str, *names: object) -> str:
    """The label before or after one on its scale; any other if there is no scale."""
    ordered = best_first(scheme, question) or []
    if base in ordered:
        place = ordered.index(base)
        near = ordered[max(place - 1, 0) : place] + ordered[place + 1 : place + 2]
    else:
        near = [option.value for option in question.values if option.value != base]
    return choose(near, "near", *names) if near else base


def _flags(question: Question, base: str, true: str, accuracy: float, *names: object) -> str:
    flags = ""
    for flag in question.flags:
        if base not in flag.on or set(flag.excludes) & set(flags):
            continue
        missed = draw("flag", flag.flag, *names) >= accuracy
        too_many = missed and draw("extra", flag.flag, *names) < EXTRA_FLAGS and not set(flag.excludes) & set(true)
        if (flag.flag in true and not missed) or (flag.flag not in true and too_many):
            flags += flag.flag
    return flags


def rewrite_pair(scheme: Scheme, seen: VisibleTexts) -> tuple[dict[str, str], ...]:
    """A rewrite of the pair that makes its texts more alike; none if the words offer no change."""
    cut = tokenise_pair(seen.text1, seen.text2, seen.lang)
    words1 = [seen.text1[start:end] for start, end in cut.text1]
    words2 = [seen.text2[start:end] for start, end in cut.text2]
    replaced = [change[1:] for change in differences(words1, words2) if change[0] == "replace"]
    if scheme.rewrite is None or not replaced:
        return ()
    # The first text with the shortest of the replacements that the second makes.
    begin1, end1, begin2, end2 = min(replaced, key=lambda place: place[1] - place[0] + place[3] - place[2])
    before, after = seen.text1[: cut.text1[begin1][0]], seen.text1[cut.text1[end1 - 1][1] :]
    text2 = (before + seen.text2[cut.text2[begin2][0] : cut.text2[end2 - 1][1]] + after).strip()
    if text2 in (seen.text1, seen.text2):
        return ()
    return ({"text1": seen.text1, "text2": text2, "label": scheme.rewrite.label},)
