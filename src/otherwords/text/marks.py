"""The punctuation that shapes sentences, in all scripts.

Marks that end a sentence wherever they stand (the Chinese full stop, a danda) are separate from those that need a blank
after them (a period, which also stands in 3.5).
"""

from __future__ import annotations

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
