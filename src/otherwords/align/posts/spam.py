"""Sentences without content: appeals to follow, to share, to buy.

"PIT-2015 contains some spam patterns, such as 'Follow Me PLEASE'" (MultiPIT, appendix B). A pattern is a name and a
regular expression, searched in the cleaned sentence ignoring case. The shipped ones are English and cautious; a
project can replace or extend them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from otherwords.errors import UsageError

SHIPPED_PATTERNS: Mapping[str, str] = {
    "follow me": r"\b(?:please |pls |plz )?follow (?:me|us|back|for follow)\b|\bfollow ?4 ?follow\b|\bf4f\b",
    "follow please": r"\bfollow (?:please|pls|plz)\b|\bi(?:'ll| will)? follow(?: you)? back\b",
    "share to win": r"\b(?:rt|retweet|repost|share|like)(?: (?:and|&|\+) \w+)? (?:this )?(?:to win|for a chance)\b",
    "share if": r"^(?:please |pls |plz )?(?:rt|retweet|repost|share|like)(?: (?:and|&|\+) \w+)? (?:this )?if you\b",
    "more followers": r"\b(?:gain|get|want|buy|need)\b.{0,20}\b(?:more |free |new )?followers\b",
    "link in bio": r"\blink in (?:my |the )?(?:bio|profile)\b",
    "my channel": r"\b(?:check out|subscribe to|visit|join) my (?:\w+ )?(?:channel|page|profile|stream|store|shop)\b",
    "click here": r"\bclick (?:here|the link|this link|on the link)\b",
    "message me": r"\b(?:dm|pm|message|text|inbox) me (?:for|to|if|now|on)\b",
    "order now": r"\b(?:order|buy|shop|book|sign up|register) (?:yours )?(?:now|here|today)\b[.! ]*$",
    "earn money": r"\b(?:earn|make) (?:\$|£|€)?[\d,]+ ?(?:\$|£|€|dollars)? (?:a|per|every) (?:day|week|hour|month)\b",
}

# Every sentence that a shipped pattern matches contains one of these words: checking them first saves most searches.
NEEDED: Mapping[str, tuple[str, ...]] = {
    "follow me": ("follow", "f4f"),
    "follow please": ("follow",),
    "share to win": ("to win", "for a chance"),
    "share if": ("if you",),
    "more followers": ("followers",),
    "link in bio": ("link in",),
    "my channel": (" my ",),
    "click here": ("click",),
    "message me": (" me ",),
    "order now": ("now", "here", "today"),
    "earn money": ("earn", "make"),
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern; without needed words it is always searched."""

    name: str
    expression: re.Pattern[str]
    needed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spam:
    """Compiled patterns."""

    patterns: tuple[Pattern, ...]

    def reason(self, sentence: str) -> str | None:
        """The name of the first pattern that matches the sentence; None if none does."""
        lower = sentence.lower()
        for pattern in self.patterns:
            if pattern.needed and not any(map(lower.__contains__, pattern.needed)):
                continue
            if pattern.expression.search(sentence):
                return pattern.name
        return None


def compile_patterns(patterns: Mapping[str, str] | Iterable[str] = SHIPPED_PATTERNS) -> Spam:
    """Compile patterns; an expression without a name is its own name. An empty list matches nothing."""
    named = patterns.items() if isinstance(patterns, Mapping) else ((expression, expression) for expression in patterns)
    compiled = []
    for name, expression in named:
        needed = NEEDED[name] if SHIPPED_PATTERNS.get(name) == expression else ()
        try:
            compiled.append(Pattern(name, re.compile(expression, re.IGNORECASE), needed))
        except re.error as problem:
            message = f"spam pattern {name!r} is not a regular expression: {problem}"
            raise UsageError(message, code="wrong-pattern") from None
    return Spam(tuple(compiled))
