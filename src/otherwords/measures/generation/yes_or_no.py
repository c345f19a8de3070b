"""A language model says whether two texts mean the same: ParaPLUIE (Lemesle et al. 2025).

The score is how much more probable the answer "Yes" is than "No" after a prompt with both texts: the difference of
their log10 probabilities, above 0 if the model says yes. Nothing is generated. A small model says yes to nearly
everything, which the score of copies and of unrelated sentences beside it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from otherwords.digests import digest_hex
from otherwords.errors import DataError
from otherwords.measures.generation.metric import Evidence, GeneratedTexts, GenerationMetric, mean_of
from otherwords.measures.options import Options, signature
from otherwords.models.asking import ask
from otherwords.models.catalogue import fluency_model
from otherwords.models.edges import FluencyModel, Item, TextProbability

PROMPT = """\
Do these two sentences say the same thing? Answer Yes or No.
First: The train was late again. Second: Once more the train did not come on time. Answer: Yes
First: He sold his old car. Second: He bought an old car. Answer: No
First: {source} Second: {output} Answer:"""
ANSWERS = (" Yes", " No")


@dataclass(frozen=True)
class YesOrNo(GenerationMetric):
    """How much more probable a language model finds "Yes, they say the same" than "No", in powers of ten."""

    model: str = "smollm2"
    name: str = "yes-no"

    @classmethod
    def build(cls, options: Options) -> YesOrNo:
        return cls(options.text("model", "a language model (default smollm2)", needed=False) or "smollm2", options.spec)

    @cached_property
    def language_model(self) -> FluencyModel:
        return fluency_model(self.model)

    def signature(self) -> str:
        model = self.language_model.signature.replace("|", ";")
        return signature("yes-no", {"model": model, "prompt": digest_hex(PROMPT, size=6)})

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        prompts = [
            PROMPT.format(source=_line(source), output=_line(output))
            for source, output in zip(texts.sources, texts.outputs, strict=True)
        ]
        items = [Item(f"{row}{answer}", prompt + answer) for row, prompt in enumerate(prompts) for answer in ANSWERS]
        asked = ask(self.language_model, self.language_model.log_probabilities, items, kind=TextProbability)
        if reasons := asked.reasons:
            [(reason, _)] = reasons.most_common(1)
            message = f"{self.language_model.name}: {reasons.total():,} prompts have no probability: {reason}"
            raise DataError(message, code="no-probability")
        logs = np.array([answer.value.log10 for answer in asked.answers if answer.value is not None]).reshape(-1, 2)
        scores = logs[:, 0] - logs[:, 1]
        return mean_of(np.where([bool(output.strip()) for output in texts.outputs], scores, np.nan))


def _line(text: str) -> str:
    """A text on one line: what it says must not look like a part of the prompt."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())
