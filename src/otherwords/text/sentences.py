"""Sentences of a text, as spans: rules, no model, linear in the length of the text.

Spans are code points, end exclusive, without white space at either end; nothing but white space lies outside them. A
run of terminal marks is a candidate; what stands before it (abbreviation, initial, number) and after it (blank,
capital, quotation) decides. A blank line always ends a sentence. Where case is no help (Arabic, Hindi, Thai) the marks
alone decide, and text without marks stays whole. Marks that end a sentence wherever they stand (the Chinese full stop,
a danda) are separate from those that need a blank after them (a period, which also stands in 3.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from otherwords.text.period import cannot_start, period_ends
from otherwords.text.scripts import script, unsegmented

# Unicode's Sentence_Terminal property without the marks of Latin script, plus the Sinhala kunddaliya
# and the Tibetan shad, which Unicode leaves out.
ENDING_ANYWHERE = (
    "\u0589\u061d\u061e\u061f\u06d4\u0700\u0701\u0702\u07f9\u0837\u0839\u083d\u083e\u0964\u0965\u0df4"
    "\u0f0d\u0f0e\u104a\u104b\u1362\u1367\u1368\u166e\u1735\u1736\u17d4\u17d5\u1803\u1809\u1944\u1945"
    "\u1aa8\u1aa9\u1aaa\u1aab\u1b5a\u1b5b\u1b5e\u1b5f\u1c3b\u1c3c\u1c7e\u1c7f\u3002\ua4ff\ua60e\ua60f"
    "\ua6f3\ua6f7\ua876\ua877\ua8ce\ua8cf\ua92f\ua9c8\ua9c9\uaa5d\uaa5e\uaa5f\uaaf0\uaaf1\uabeb\ufe52"
    "\ufe56\ufe57\uff01\uff1f\uff61"
)
PERIODS = ".．"
ELLIPSES = "…‥"
QUESTIONS_AND_EXCLAMATIONS = "!?‼‽⁇⁈⁉⸮\u037e"  # the last is the Greek question mark
GREEK_QUESTION_MARK = ";"  # what NFC makes of it; a semicolon in every other language

CLOSING = "\"'’”»›)]}）］｝」』】〉》〕〗｠＂＇"
CLOSING_IN_GERMAN_OR_DANISH = "“‘«‹"  # „…“ and »…«; these open in most languages
DASHES = "-‐‑‒–—―"
OPENING = "\"'“„‟‘‚«»‹›([{（［｛「『【〈《〔〖｟¿¡•·*" + DASHES

# Before one of these (with or without a blank between) the sentence goes on.
CONTINUING = ",;:%)]}，、；：،؛）］｝」』】〉》〕〗"

# Particles that tie a Japanese quotation to the sentence around it: 「…。」と言った.
AFTER_JAPANESE_QUOTATION = "とってのはがをにもでなや"

LINE_BREAKS = "\n\r\v\f\x85\u2028"
PARAGRAPH_SEPARATOR = "\u2029"
Span = tuple[int, int]

# Thai writes no blank between words either, but its periods belong to abbreviations.
_PERIOD_WITHOUT_BLANK = frozenset({"Han", "Hiragana", "Katakana"})
_SPACE = re.compile(r"\s+")
_ENDS_ANYWHERE = re.compile(f"[{ENDING_ANYWHERE}]")
_ELLIPSIS = re.compile(f"[{PERIODS}{ELLIPSES}]{{2,}}|[{ELLIPSES}]")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_LINE_BREAK = re.compile(f"\r\n|[{LINE_BREAKS}]")
_OPENING = re.compile(rf"[\s{re.escape(OPENING)}]*")
_DASH = re.compile(f"[{re.escape(DASHES)}]")
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
        if at_edge or PARAGRAPH_SEPARATOR in run[0] or len(_LINE_BREAK.findall(run[0])) >= breaks:
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
    greek = GREEK_QUESTION_MARK if lang == "el" else ""
    return PERIODS + ELLIPSES + QUESTIONS_AND_EXCLAMATIONS + ENDING_ANYWHERE + greek


@cache
def _candidates(lang: str) -> re.Pattern[str]:
    """A run of terminal marks with the closing quotes, brackets, notes and emoji that belong to it."""
    closing, german = re.escape(CLOSING), re.escape(CLOSING_IN_GERMAN_OR_DANISH)
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
    if following == stop or text[following] in CONTINUING or text[following] in _terminal(lang):
        return False
    return _ends_before(text, run, start, following, lang)


def _ends_without_blank(text: str, run: re.Match[str]) -> bool:
    """Whether a sentence ends without a blank: in Chinese, Japanese and Thai, and after marks that need none."""
    before, after = text[run.start() - 1], text[run.end()]
    if after in CONTINUING or (run["closing"] and after in AFTER_JAPANESE_QUOTATION):
        return False
    if _ENDS_ANYWHERE.search(run["marks"]):
        return True
    if run["marks"] in PERIODS:
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
    if run["closing"] or terminal[0] not in PERIODS:
        return True
    return period_ends(text, start, run.start(), following, lang)
