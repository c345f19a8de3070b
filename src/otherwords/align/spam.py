"""Sentences that are not about anything: appeals to follow, to share, to buy.

"PIT-2015 contains some spam patterns, such as 'Follow Me PLEASE'" (MultiPIT, appendix B). A pattern is
a name and a regular expression, searched for in the cleaned sentence whatever its case. The shipped
ones are English and cautious; a project brings its own list in place of them or beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from otherwords.errors import UsageError

SHIPPED: Mapping[str, str] = {
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


# Words of which one is in every sentence that a shipped pattern finds: a look at them spares most searches.
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
    """What to look for; without needed words it is always searched for."""

    name: str
    expression: re.Pattern[str]
    needed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spam:
    """Patterns, ready to be searched for."""

    patterns: tuple[Pattern, ...]

    def reason(self, sentence: str) -> str | None:
        """The name of the first pattern that the sentence has; None if it has none."""
        lower = sentence.lower()
        for pattern in self.patterns:
            if pattern.needed and not any(map(lower.__contains__, pattern.needed)):
                continue
            if pattern.expression.search(sentence):
                return pattern.name
        return None


def spam(patterns: Mapping[str, str] | Iterable[str] = SHIPPED) -> Spam:
    """The patterns of a list; expressions without a name are called by themselves. An empty list finds nothing."""
    named = patterns.items() if isinstance(patterns, Mapping) else ((one, one) for one in patterns)
    return Spam(tuple(Pattern(name, _compiled(name, given), _needed(name, given)) for name, given in named))


def _needed(name: str, expression: str) -> tuple[str, ...]:
    return NEEDED[name] if SHIPPED.get(name) == expression else ()


def _compiled(name: str, expression: str) -> re.Pattern[str]:
    try:
        return re.compile(expression, re.IGNORECASE)
    except re.error as problem:
        raise UsageError(f"spam pattern {name!r} is not a regular expression: {problem}") from None
