"""OpenAI-compatible endpoints, as a generator and as a translator.

``openai:URL#MODEL`` is a chat model behind ``URL/chat/completions``, ``openai:URL#MODEL?kind=completion`` one that
goes on from a prompt behind ``URL/completions``. With ``languages=en-es`` a chat model translates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from otherwords.digests import digest_hex, encoded
from otherwords.errors import UsageError
from otherwords.models.edges import Item, Reply
from otherwords.models.endpoints.address import (
    Address,
    Amount,
    EndpointOptions,
    Price,
    key_variable,
    language_pair,
    read_address,
    read_options,
)
from otherwords.models.endpoints.budget import CallCost, Limits, in_billionths, money
from otherwords.models.endpoints.connection import RequestFailed
from otherwords.models.endpoints.endpoint import PLAIN_WORD, Endpoint
from otherwords.models.endpoints.prompts import TRANSLATE, translation_prompt
from otherwords.models.endpoints.remote import Remote
from otherwords.text.languages import language

EXAMPLE = "openai:https://api.openai.com/v1#gpt-4o-mini"
TOKENS_OF_TEMPLATE = 200  # what a chat template may add to a prompt, of which no token is shorter than a byte
WHOLE = {"stop", "eos_token"}  # the model ended its answer itself
SNAPSHOT = re.compile(r"[-@:](\d{4}-\d{2}-\d{2}|\d{4,8}|latest)")  # what a dated version adds to the name of a model
MOST_TOKENS = 10**9  # of a call; more is nonsense


class OpenaiOptions(EndpointOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be chosen about an OpenAI-compatible model."""

    kind: Literal["chat", "completion"] = "chat"
    languages: str | None = None
    prompt: str | None = None  # a file, instead of our prompt for translators
    tokens: Amount | None = None
    price_in: Price | None = None
    price_out: Price | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 1024
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | Literal[""] = 0.0  # empty: not sent
    top_p: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    answers_as: str | None = None  # how the server names the model in its answers; empty: any name will do


class _ChatMessage(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    finish_reason: str | None = None
    message: _ChatMessage | None = None  # of chat
    text: str | None = None  # of completion


class _Usage(msgspec.Struct):
    prompt_tokens: int
    completion_tokens: int = 0


class Completion(msgspec.Struct):
    """An answer, as far as we read it."""

    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class OpenaiService:
    """How requests to a model look, what they cost, and what its answers mean."""

    address: Address
    options: OpenaiOptions
    key_scheme: str = "Bearer"
    answer_type: type[Completion] = Completion

    @property
    def path(self) -> str:
        return self.address.path + ("/chat/completions" if self.options.kind == "chat" else "/completions")

    @property
    def account(self) -> str:
        return f"openai:{self.address.url}#{self.address.what}"

    def request(self, prompt: str, system: str | None = None) -> dict[str, Any]:
        """The body of a request."""
        options = self.options
        body: dict[str, Any] = {"model": self.address.what, options.max_tokens_field: options.max_tokens}
        if options.kind == "chat":
            before = [{"role": "system", "content": system}] if system else []
            body["messages"] = [*before, {"role": "user", "content": prompt}]
        else:
            body["prompt"] = prompt
        more = {"temperature": options.temperature, "top_p": options.top_p, "seed": options.seed}
        return body | {name: value for name, value in more.items() if value not in (None, "")}

    def bound(self, *texts: str) -> CallCost:
        """The most that a request with these texts can cost."""
        prompt = sum(len(encoded(text)) for text in texts) + TOKENS_OF_TEMPLATE
        return self._cost(prompt, self.options.max_tokens)

    def cost(self, answer: Completion, bound: CallCost) -> CallCost:
        usage = answer.usage
        if usage is None or not all(
            0 <= count <= MOST_TOKENS for count in (usage.prompt_tokens, usage.completion_tokens)
        ):
            return bound
        return self._cost(usage.prompt_tokens, usage.completion_tokens)

    def text(self, answer: Completion) -> str:
        if len(answer.choices) != 1:
            message = f"the answer has {len(answer.choices)} choices instead of one"
            raise RequestFailed(message, code="endpoint-nonsense")
        if not self._is_our_model(answer.model):
            raise RequestFailed("the answer comes from another model", code="endpoint-other-model")
        (choice,) = answer.choices
        if choice.finish_reason == "length":
            raise RequestFailed("the answer was cut at max_tokens", code="endpoint-cut")
        if choice.finish_reason == "content_filter":
            raise RequestFailed("the answer was filtered", code="endpoint-filtered")
        if choice.finish_reason not in WHOLE:
            reason = str(choice.finish_reason)
            why = f" ({reason})" if PLAIN_WORD.fullmatch(reason) else ""
            raise RequestFailed(f"the model stopped early{why}", code="endpoint-cut")
        if choice.message is not None and choice.message.refusal:
            raise RequestFailed("the model refused to answer", code="endpoint-filtered")
        text = choice.text if choice.message is None else choice.message.content
        if not text or not text.strip():
            raise RequestFailed("the answer is empty", code="endpoint-empty")
        return text

    def _cost(self, tokens_in: int, tokens_out: int) -> CallCost:
        price_in, price_out = self.options.price_in or 0.0, self.options.price_out or 0.0
        return CallCost(1, tokens_in + tokens_out, money(tokens_in, price_in) + money(tokens_out, price_out))

    def _is_our_model(self, answered: str) -> bool:
        """Whether an answer names the model, with a date or without the name of its maker."""
        if self.options.answers_as is not None:
            return self.options.answers_as in ("", answered)
        asked, answered = (name.lower().rpartition("/")[2] for name in (self.address.what, answered))
        return asked == answered or (
            answered.startswith(asked) and SNAPSHOT.fullmatch(answered[len(asked) :]) is not None
        )


@dataclass
class OpenaiGenerator(Remote):
    """A model that answers prompts."""

    service: OpenaiService
    endpoint: Endpoint[Completion]

    @property
    def signature(self) -> str:
        return _signature(self.service)

    def generate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The answers, or what the model goes on with."""
        for item in items:
            yield self.reply(item, self.service.request(item.text), self.service.bound(item.text))


@dataclass
class OpenaiTranslator(Remote):
    """A chat model that translates, by a prompt."""

    service: OpenaiService
    endpoint: Endpoint[Completion]
    prompt: str
    languages: tuple[str, str]

    @property
    def signature(self) -> str:
        return f"{_signature(self.service)}|languages:{'-'.join(self.languages)}|prompt:{digest_hex(self.prompt)}"

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The translations."""
        for item in items:
            request, bound = self.service.request(item.text, self.prompt), self.service.bound(self.prompt, item.text)
            reply = self.reply(item, request, bound)
            if reply.value is not None and len(reply.value.splitlines()) > len(item.text.splitlines()):
                reply = Reply(item.id, None, "the answer has more lines than the text")
            yield reply


def build_generator(what: str) -> OpenaiGenerator:
    """The generator of what stands after ``openai:``."""
    service, endpoint = _built(what)
    for option in ("languages", "prompt"):
        if getattr(service.options, option) is not None:
            raise UsageError(f"openai: the option {option} is for translators only", code="bad-model-option")
    return OpenaiGenerator(service, endpoint)


def build_translator(what: str) -> OpenaiTranslator:
    """The translator of what stands after ``openai:``."""
    service, endpoint = _built(what)
    options = service.options
    if options.languages is None:
        message = f"openai: a translator needs its languages, as in {EXAMPLE}?languages=en-es"
        raise UsageError(message, code="bad-model-option")
    if options.kind != "chat":
        raise UsageError("openai: only a chat model can be a translator", code="bad-model-option")
    tags = language_pair("openai", options.languages)
    template = TRANSLATE if options.prompt is None else _template(Path(options.prompt))
    languages = (language(tags[0]), language(tags[1]))
    return OpenaiTranslator(service, endpoint, translation_prompt(template, tags), languages)


def _built(what: str) -> tuple[OpenaiService, Endpoint[Completion]]:
    address = read_address("openai", what, EXAMPLE)
    options = read_options(address, OpenaiOptions)
    if options.money is not None and (options.price_in is None or options.price_out is None):
        message = "openai: a limit on money needs price_in and price_out, the prices of a million tokens"
        raise UsageError(message, code="bad-model-option")
    limits = Limits(options.requests, options.tokens, in_billionths(options.money))
    service = OpenaiService(address, options)
    variable = key_variable(address, options, "OPENAI_API_KEY")
    return service, Endpoint(address, options, limits, service, variable)


def _template(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"{path}: the prompt cannot be read: {problem}", code="bad-model-option") from None


def _signature(service: OpenaiService) -> str:
    """What answers depend on. Not max_tokens: an answer that was cut is none, and a whole one stays the same."""
    address, options = service.address, service.options
    parts = {
        "url": address.url,
        "model": address.what,
        "kind": options.kind,
        "temperature": "default" if options.temperature == "" else f"{options.temperature:g}",
        "top_p": None if options.top_p is None else f"{options.top_p:g}",
        "seed": options.seed,
    }
    return "|".join(["openai", *(f"{name}:{value}" for name, value in parts.items() if value is not None)])
