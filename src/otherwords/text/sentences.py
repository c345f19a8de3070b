"""Sentences of a text, as spans: rules, no model, linear in the length of the text.

Spans are code points, end exclusive, without white space at either end; nothing but white space lies outside them. A
run of terminal marks is a candidate; what stands before it (abbreviation, initial, number) and after it (blank,
capital, quotation) decides. A blank line always ends a sentence. Where case is no help (Arabic, Hindi, Thai) the marks
alone decide, and text without marks stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from otherwords.text import marks
from otherwords.text.period import cannot_start, period_ends
from otherwords.text.scripts import script, unsegmented

Span = tuple[int, int]

# Thai writes no blank between words either, but its periods belong to abbreviations.
_PERIOD_WITHOUT_BLANK = frozenset({"Han", "Hiragana", "Katakana"})
_SPACE = re.compile(r"\s+")
_ENDS_ANYWHERE = re.compile(f"[{marks.ENDING_ANYWHERE}]")
_ELLIPSIS = re.compile(f"[{marks.PERIODS}{marks.ELLIPSES}]{{2,}}|[{marks.ELLIPSES}]")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_LINE_BREAK = re.compile(f"\r\n|[{marks.LINE_BREAKS}]")
_OPENING = re.compile(rf"[\s{re.escape(marks.OPENING)}]*")
_DASH = re.compile(f"[{re.escape(marks.DASHES)}]")
_EMOJI = "\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff"


def sentences(text: str, lang: str = "und", *, lines: bool = False) -> list[Span]:
    """The spans of the sentences; with ``lines`` every line break ends one, not only a blank line."""
    return [
        span for start, stop in _paragraphs(text, breaks=1 if lines else 2) for span in _split(text, start, stop, lang)
    ]


def _paragraphs(text: str, breaks: int) -> Iterator[Span]:
    """Stretches between runs of white space with at least this many line breaks."""
    start = 0
    for run in _SPACE.finditer(text):
        at_edge = run.start() == 0 or run.end() == len(text)
        if at_edge or marks.PARAGRAPH_SEPARATOR in run[0] or len(_LINE_BREAK.findall(run[0])) >= breaks:
            if run.start() > start:
                yield start, run.start()
            start = run.end()
    if start < len(text):
        yield start, len(text)


def _split(text: str, start: int, stop: int, lang: str) -> Iterator[Span]:
    """The sentences of one paragraph, which neither starts nor ends with white space.

    Each keeps at least one letter or digit: loose marks and emoji stay with a neighbour.
    """
    first = _first_letter(text, start, stop)
    last = next((place for place in range(stop - 1, start, -1) if text[place].isalnum()), start)
    for run in _candidates(lang).finditer(text, start, stop):
        if first < run.start() and run.end() <= last and _ends(text, run, start, stop, lang):
            yield start, run.end()
            space = _SPACE.match(text, run.end())
            start = space.end() if space else run.end()
            first = _first_letter(text, start, stop)
    yield start, stop


def _first_letter(text: str, start: int, stop: int) -> int:
    match = _LETTER_OR_DIGIT.search(text, start, stop)
    return match.start() if match else stop


def _terminal(lang: str) -> str:
    greek = marks.GREEK_QUESTION_MARK if lang == "el" else ""
    return marks.PERIODS + marks.ELLIPSES + marks.QUESTIONS_AND_EXCLAMATIONS + marks.ENDING_ANYWHERE + greek


@cache
def _candidates(lang: str) -> re.Pattern[str]:
    """A run of terminal marks with the closing quotes, brackets, notes and emoji that belong to it."""
    closing, german = re.escape(marks.CLOSING), re.escape(marks.CLOSING_IN_GERMAN_OR_DANISH)
    return re.compile(
        rf"(?P<marks>[{re.escape(_terminal(lang))}]+)"
        rf"(?P<closing>(?:[{closing}]|[{german}](?=\s|$))*"
        r"(?:\s(?:[»›]|'')(?=\s|$))?)"  # French, and tokenised English, put a blank before the quote
        rf"(?:\[\d{{1,3}}\]|[{_EMOJI}])*"
    )


def _ends(text: str, run: re.Match[str], start: int, stop: int, lang: str) -> bool:
    """Whether a sentence ends with this run of marks, which is not the last of its paragraph."""
    if not text[run.end()].isspace():
        return _ends_without_blank(text, run)
    opening = _OPENING.match(text, run.end(), stop)
    following = opening.end() if opening else run.end()
    if following == stop or text[following] in marks.CONTINUING or text[following] in _terminal(lang):
        return False
    return _ends_before(text, run, start, following, lang)


def _ends_without_blank(text: str, run: re.Match[str]) -> bool:
    """Whether a sentence ends without a blank: in Chinese, Japanese and Thai, and after marks that need none."""
    before, after = text[run.start() - 1], text[run.end()]
    if after in marks.CONTINUING or (run["closing"] and after in marks.AFTER_JAPANESE_QUOTATION):
        return False
    if _ENDS_ANYWHERE.search(run["marks"]):
        return True
    if run["marks"] in marks.PERIODS:
        return script(before) in _PERIOD_WITHOUT_BLANK and script(after) in _PERIOD_WITHOUT_BLANK
    return not _ELLIPSIS.fullmatch(run["marks"]) and unsegmented(before) and unsegmented(after)


def _ends_before(text: str, run: re.Match[str], start: int, following: int, lang: str) -> bool:
    """Whether a sentence ends where a blank follows, and then a letter, a digit or a symbol."""
    terminal, after = run["marks"], text[following]
    if _ENDS_ANYWHERE.search(terminal):
        return True
    if cannot_start(after) and (run["closing"] or _DASH.search(text, run.end(), following)):
        return False  # "Why?" he asked. — Why? — he asked.
    if _ELLIPSIS.fullmatch(terminal):
        return not cannot_start(after) and not after.isdigit()
    if run["closing"] or terminal[0] not in marks.PERIODS:
        return True
    return period_ends(text, start, run.start(), following, lang)
