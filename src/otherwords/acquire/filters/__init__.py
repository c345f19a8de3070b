"""Rules that keep a candidate pair or reject it with a reason, one small module for each family.

A rule is spelled like a measure: ``length:min=5,max=60``. Every measure is a rule, too, once it has a bound:
``jaccard:max=0.9``. Rules score first and decide then; what they reject is counted by reason and never lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords.errors import UsageError
from otherwords.measures import MEASURES
from otherwords.measures.options import Options
from otherwords.registry import Registry, suggest

if TYPE_CHECKING:
    from otherwords.acquire.filters.rule import Rule, RuleKind

__all__ = ["DEFAULT_RULES", "RULES", "build_rule"]

RULES: Registry[RuleKind] = Registry(
    "rule",
    {
        "length": "otherwords.acquire.filters.length:Length",
        "ratio": "otherwords.acquire.filters.length:RatioRule",
        "characters": "otherwords.acquire.filters.characters:Characters",
        "numbers": "otherwords.acquire.filters.numbers:Numbers",
        "copies": "otherwords.acquire.filters.copies:CopyRule",
        "bleu": "otherwords.acquire.filters.measured:BLEU",
        "cosine": "otherwords.acquire.filters.measured:COSINE",
        "language": "otherwords.acquire.filters.language:Language",
        "fluency": "otherwords.acquire.filters.fluency:Fluency",
    },
    group="otherwords.rules",
)
DEFAULT_RULES = ("length", "ratio", "characters", "numbers", "copies")  # those that need no model and no opinion


def build_rule(spec: str, lang: str | None = None, tokeniser: str | None = None) -> Rule:
    """Build a rule from ``NAME`` or ``NAME:key=value,key=value``."""
    from otherwords.acquire.filters.measured import MeasuredKind

    options = Options.parse(spec, lang, tokeniser, noun="rule")
    name = options.measure
    if name not in RULES and name not in MEASURES:
        known = [*RULES, *(other for other in MEASURES if other not in RULES)]
        raise UsageError(f"unknown rule {name!r}{suggest(name, known)}", code="unknown-rule")
    kind = RULES.get(name) if name in RULES else MeasuredKind(name)
    rule = kind.build(options)
    options.check()
    return rule
