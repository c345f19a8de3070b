"""How Hugging Face models write: greedily, by beam search, or by drawing from the k most probable tokens.

What is drawn depends on the model, the seed and the text alone: the same text gets the same answer in any batch. A text
that is too long for the model and an answer that does not come to an end are reasons, never cut in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from otherwords.digests import digest_number
from otherwords.models.edges import Item, Reply
from otherwords.models.hugging_face import FolderOptions, Positive, failures_of, grouped

LONGEST_NAMED = 10**6  # tokenizers without a limit name an astronomical one


class DecodingOptions(FolderOptions, frozen=True, kw_only=True):
    """How an answer is chosen, and how long it may get."""

    decoding: Literal["greedy", "beam", "top-k"] = "greedy"
    beams: Positive = 4
    k: Positive = 50
    temperature: Annotated[float, msgspec.Meta(gt=0)] = 1.0
    seed: int = 0
    tokens: Positive = 256

    @property
    def signature(self) -> str:
        """What answers depend on."""
        chosen = {
            "greedy": "greedy",
            "beam": f"beam-{self.beams}",
            "top-k": f"top-{self.k}|temperature:{self.temperature:g}|seed:{self.seed}",
        }[self.decoding]
        return f"decoding:{chosen}|tokens:{self.tokens}" + (f"|batch:{self.batch}" if self.batch > 1 else "")

    def arguments(self) -> dict[str, Any]:
        """The arguments of ``generate``."""
        sampling = self.decoding == "top-k"
        return {
            "max_new_tokens": self.tokens,
            "num_beams": self.beams if self.decoding == "beam" else 1,
            "do_sample": sampling,
            **({"top_k": self.k, "top_p": 1.0, "temperature": self.temperature} if sampling else {}),
        }


@dataclass(slots=True)
class LoadedWriter:
    """A model that writes, with its tokenizer; ``more`` are further arguments of ``generate``."""

    name: str
    torch: Any
    tokenizer: Any
    model: Any
    options: DecodingOptions
    more: dict[str, Any]
    stop: str = ""  # where an answer ends, beside the end that the model writes

    def __post_init__(self) -> None:
        settings = self.model.generation_config
        settings.forced_eos_token_id = None  # an answer that was cut off would look as if it had come to an end
        settings.max_length = None

    def write(self, items: Sequence[Item], prompts: dict[str, str]) -> Iterator[Reply[str]]:
        """An answer or a reason for each item; ``prompts`` are what the model reads, by id."""
        for found in self.write_best(items, prompts, 1):
            yield Reply(found.id, found.value[0] if found.value else None, found.reason)

    def write_best(self, items: Sequence[Item], prompts: dict[str, str], count: int) -> Iterator[Reply[list[str]]]:
        """The answers of so many beams, the most probable first, without those that were cut off."""
        lengths = {item.id: len(self._tokens([prompts[item.id]])["input_ids"][0]) for item in items}
        longest, fitting = self._longest(), []
        for item in items:
            if self.model.config.is_encoder_decoder and lengths[item.id] > longest:
                yield Reply(item.id, None, f"the text is longer than the model can read ({longest} tokens)")
            elif not self.model.config.is_encoder_decoder and lengths[item.id] + self.options.tokens > longest:
                both = f"the prompt and {self.options.tokens} tokens of an answer"
                yield Reply(item.id, None, f"{both} are more than the model can read ({longest})")
            else:
                fitting.append(item)
        size = 1 if self.options.decoding == "top-k" else self.options.batch
        for group in grouped(fitting, size, lambda item: lengths[item.id]):
            with failures_of(self.name):
                yield from self._written(group, prompts, count)

    def _written(self, group: list[Item], prompts: dict[str, str], count: int) -> list[Reply[list[str]]]:
        texts = [prompts[item.id] for item in group]
        inputs = self._tokens(texts, padding=len(texts) > 1, return_tensors="pt").to(self.model.device)
        start = 1 if self.model.config.is_encoder_decoder else inputs["input_ids"].shape[1]
        arguments = {**self.options.arguments(), **self.more, "num_return_sequences": count}
        if self.stop:
            arguments["stopping_criteria"] = [lambda rows, scores, **_: self._stopped(rows, start)]
        with self.torch.inference_mode(), self.torch.random.fork_rng(enabled=self.options.decoding == "top-k"):
            if self.options.decoding == "top-k":
                self.torch.manual_seed(digest_number(str(self.options.seed), texts[0], size=7))
            written = self.model.generate(**inputs, **arguments)
        texts_of = [self._text(row[start:].tolist()) for row in written]
        return [self._reply(item, texts_of[at * count : (at + 1) * count]) for at, item in enumerate(group)]

    def _tokens(self, texts: list[str], **options: Any) -> Any:
        found = self.tokenizer(texts, **options)
        found.pop("token_type_ids", None)
        return found

    def _reply(self, item: Item, texts: list[str | None]) -> Reply[list[str]]:
        whole = [text for text in texts if text is not None]
        if not whole:
            return Reply(item.id, None, f"the answer was cut off after {self.options.tokens} tokens")
        return Reply(item.id, whole)

    def _text(self, tokens: list[int]) -> str | None:
        """What the tokens say, if they come to an end."""
        ends = self.model.generation_config.eos_token_id
        known_ends = set(ends if isinstance(ends, list) else [ends])
        text: str = self.tokenizer.decode(tokens, skip_special_tokens=True)
        if self.stop and self.stop in text:
            return text.partition(self.stop)[0].strip()
        return text.strip() if known_ends & set(tokens) else None

    def _stopped(self, rows: Any, start: int) -> Any:
        """Which of the answers have come to where they are to end."""
        texts = [self.tokenizer.decode(row[start:].tolist(), skip_special_tokens=True) for row in rows]
        return self.torch.tensor([self.stop in text for text in texts], device=rows.device)

    def _longest(self) -> int:
        """How many tokens the model reads."""
        named = [getattr(self.model.config, name, None) for name in ("max_position_embeddings", "n_positions")]
        limits = [
            int(limit) for limit in [*named, self.tokenizer.model_max_length] if limit and 0 < limit < LONGEST_NAMED
        ]
        return min(limits, default=LONGEST_NAMED)
