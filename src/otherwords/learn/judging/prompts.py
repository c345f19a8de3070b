"""Prompts that ask a generator for an answer of a scheme, and what its answer says.

A prompt is a text with places for the two texts and for what the scheme asks. Two ship: for schemes with one question
and for those with several. Whatever is filled in apart from the texts is part of the prompt's version. An answer is
read strictly: it is one of the scheme's, or it is none and says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from otherwords.annotate.schemes.scheme import Answer, Question, Scheme
from otherwords.digests import digest_hex
from otherwords.errors import LabelError, Refused, UsageError
from otherwords.learn.prompt_files import PLACE, filled, read_prompt

ONE_QUESTION = """\
Compare two texts. {title}

The possible answers:
{values}

Text 1: {text1}
Text 2: {text2}

Answer with one of {answers} and with nothing else."""
SEVERAL_QUESTIONS = """\
Compare two texts and answer these questions about them. {title}

{values}

Text 1: {text1}
Text 2: {text2}

Answer with one line for each question, its name, a colon and one of its answers, and with nothing else."""
TEXTS = ("text1", "text2")
FILLED = ("title", "values", "answers", "guideline")
NO_ANSWER, OTHER_ANSWER = "the answer is empty", "the answer is none of the scheme's"
_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("`", "`"))


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt for a scheme, filled in but for the two texts."""

    template: str

    @property
    def version(self) -> str:
        """A digest of all that is asked, whatever the texts are."""
        return digest_hex(self.template, size=8)

    def ask(self, text1: str, text2: str) -> str:
        """The prompt about two texts; what stands in braces in a text stays as it is."""
        return filled(self.template, {"text1": text1, "text2": text2})


def prompt_for(scheme: Scheme, file: str | Path | None = None, guideline: str = "") -> Prompt:
    """The prompt of a file, or the one that ships for such a scheme."""
    for question in scheme.questions:
        if not question.has_one_answer:
            what = "types to be marked" if question.kind == "types" else "several answers at once"
            name = f"its question {question.name!r}" if question.name else "it"
            message = (
                f"models judge schemes whose questions have one answer each; {scheme.name}: {name} asks for {what}"
            )
            raise Refused(message, code="scheme-for-people")
    template = (ONE_QUESTION if scheme.single else SEVERAL_QUESTIONS) if file is None else read_prompt(Path(file))
    if unknown := sorted(set(PLACE.findall(template)) - {*TEXTS, *FILLED}):
        known = ", ".join(f"{{{name}}}" for name in (*TEXTS, *FILLED))
        message = f"the prompt has a place {{{unknown[0]}}}; known are {known}"
        raise UsageError(message, code="unknown-place")
    if missing := [name for name in TEXTS if f"{{{name}}}" not in template]:
        raise UsageError(f"the prompt has no place for a text: {{{missing[0]}}}", code="prompt-without-texts")
    question = scheme.questions[0]
    spelled = " ".join(value.value for value in question.values)
    facts = {"title": scheme.title, "values": _values(scheme), "answers": spelled, "guideline": guideline}
    kept = {name: f"{{{name}}}" for name in TEXTS}
    return Prompt(filled(template, facts | kept))


def read_answer(scheme: Scheme, text: str) -> tuple[Answer, str | None]:
    """The answer of the scheme that a generator wrote, or the reason why it is none."""
    plain = _bare(text)
    if not plain:
        return None, NO_ANSWER
    try:
        if scheme.single:
            return scheme.normalise(_spelled(scheme.questions[0], plain)), None
        return scheme.normalise(_by_question(scheme, plain)), None
    except LabelError:
        return None, OTHER_ANSWER


def _by_question(scheme: Scheme, text: str) -> dict[str, Answer]:
    """``name: answer`` on lines of their own."""
    questions = {question.name.casefold(): question for question in scheme.questions}
    answers: dict[str, Answer] = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, answer = line.partition(":")
        question = questions.get(_bare(name).casefold())
        if not colon or question is None or question.name in answers:
            raise LabelError(f"{line!r} answers no question", code="no-such-question")
        answers[question.name] = _spelled(question, _bare(answer))
    return answers


def _spelled(question: Question, answer: str) -> str:
    """An answer as the scheme spells it, where only its case differs."""
    by_case = {label.casefold(): label for label in question.labels()}
    return by_case.get(answer.casefold(), answer) if len(by_case) == len(question.labels()) else answer


def _bare(text: str) -> str:
    """A text without white space around it, one pair of quotation marks and a final full stop."""
    bare = text.strip()
    bare = bare.removesuffix(".").rstrip() if len(bare) > 1 else bare
    for start, end in _QUOTES:
        if len(bare) > 1 and bare.startswith(start) and bare.endswith(end):
            return bare[1:-1].strip().removesuffix(".")
    return bare


def _values(scheme: Scheme) -> str:
    """The answers of every question with what they mean, a line each."""
    lines: list[str] = []
    for question in scheme.questions:
        if question.name:
            condition = f" (only if {question.condition})" if question.only_if else ""
            lines.append(f"{question.name}: {question.title}{condition}")
        lines += [f"- {value.value}: {value.name}. {value.help}".rstrip() for value in question.values]
        for flag in question.flags:
            lines.append(f"- {flag.flag}, added to {' or '.join(flag.on)}: {flag.name}. {flag.help}".rstrip())
    return "\n".join(lines)
