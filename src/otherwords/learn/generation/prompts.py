"""Prompts that ask a generator for a paraphrase, with or without examples, and what its answer says.

A prompt is a text with a place for the source and, where examples are given, one for them. What is filled in apart from
the source is part of the prompt's version, which stands in every output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from otherwords.digests import digest_hex
from otherwords.errors import UsageError
from otherwords.learn.prompt_files import PLACE, filled, read_prompt

PLAIN = """\
Say this sentence in other words. Keep its meaning, and answer with the new sentence and nothing else.

Sentence: {source}"""
WITH_EXAMPLES = """\
Say the last sentence in other words, as in the examples. Keep its meaning. Answer with the new sentence and no more.

{examples}

Sentence: {source}
In other words:"""
EXAMPLE = "Sentence: {source}\nIn other words: {output}"
NO_ANSWER = "the answer is empty"
_QUOTES = (('"', '"'), ("“", "”"), ("«", "»"), ("„", "“"), ("`", "`"))
_LEAD = re.compile(r"^(?:in other words|paraphrase|answer|new sentence|sentence|output)\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParaphrasePrompt:
    """A prompt, filled in but for the source."""

    template: str
    examples: str = ""

    @property
    def version(self) -> str:
        """A digest of all that is asked, whatever the source is."""
        return digest_hex(self.template, self.examples, size=8)

    def ask(self, source: str) -> str:
        """The prompt about a source; what stands in braces in the source stays as it is."""
        return filled(self.template, {"source": source, "examples": self.examples})


def paraphrase_prompt(file: str | Path | None = None, examples: Sequence[tuple[str, str]] = ()) -> ParaphrasePrompt:
    """The prompt of a file, or one that ships; ``examples`` are sources with their paraphrases."""
    template = (WITH_EXAMPLES if examples else PLAIN) if file is None else read_prompt(Path(file))
    if unknown := sorted(set(PLACE.findall(template)) - {"source", "examples"}):
        message = f"the prompt has a place {{{unknown[0]}}}; known are {{source}} and {{examples}}"
        raise UsageError(message, code="unknown-place")
    if "{source}" not in template:
        raise UsageError("the prompt has no place for the source: {source}", code="prompt-without-texts")
    if examples and "{examples}" not in template:
        raise UsageError("the prompt has no place for the examples: {examples}", code="prompt-without-examples")
    shown = [filled(EXAMPLE, {"source": source, "output": output}) for source, output in examples]
    return ParaphrasePrompt(template, "\n\n".join(shown))


def read_paraphrase(answer: str) -> tuple[str, str | None]:
    """The sentence that a generator wrote, without quotation marks or a lead; or the reason why there is none."""
    lines = [line.strip() for line in answer.strip().splitlines() if line.strip()]
    text = _LEAD.sub("", lines[0]) if lines else ""
    if not text and len(lines) > 1:
        text = lines[1]
    for start, end in _QUOTES:
        if len(text) > 1 and text.startswith(start) and text.endswith(end):
            text = text[1:-1].strip()
    return text, None if text else NO_ANSWER
