"""DeepL and services with the same interface: ``deepl:URL#en-es`` sends texts to ``URL/v2/translate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

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
from otherwords.models.endpoints.endpoint import Endpoint
from otherwords.models.endpoints.remote import Remote
from otherwords.text.languages import language

EXAMPLE = "deepl:https://api-free.deepl.com#en-es"
PATH = "/v2/translate"


class DeeplOptions(EndpointOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be chosen about a translation service."""

    characters: Amount | None = None
    price: Price | None = None  # of a million characters


class _Translation(msgspec.Struct):
    text: str
    detected_source_language: str | None = None


class Translations(msgspec.Struct):
    """An answer, as far as we read it."""

    translations: list[_Translation]


@dataclass(frozen=True, slots=True)
class DeeplService:
    """How requests for translations look, what they cost, and what the answers mean."""

    address: Address
    options: DeeplOptions
    tags: tuple[str, str]
    key_scheme: str = "DeepL-Auth-Key"
    answer_type: type[Translations] = Translations

    @property
    def path(self) -> str:
        return self.address.path if self.address.path.endswith("/translate") else self.address.path + PATH

    @property
    def account(self) -> str:
        return f"deepl:{self.address.url}"  # all pairs of languages are on one bill

    def request(self, text: str) -> dict[str, object]:
        """The body of a request; line breaks stay where they are."""
        source, target = self.tags
        return {
            "text": [text],
            "source_lang": source.upper(),
            "target_lang": target.upper(),
            "split_sentences": "nonewlines",
        }

    def bound(self, text: str) -> CallCost:
        """What a request costs: the characters of the source are billed."""
        return CallCost(1, len(text), money(len(text), self.options.price or 0.0))

    def cost(self, answer: Translations, bound: CallCost) -> CallCost:
        return bound

    def text(self, answer: Translations) -> str:
        if len(answer.translations) != 1:
            message = f"the answer has {len(answer.translations)} translations instead of one"
            raise RequestFailed(message, code="endpoint-nonsense")
        (translation,) = answer.translations
        source = translation.detected_source_language
        if source is not None and source.lower().partition("-")[0] != self.tags[0].lower():
            raise RequestFailed("the server took the text for another language", code="endpoint-nonsense")
        if not translation.text.strip():
            raise RequestFailed("the answer is empty", code="endpoint-empty")
        return translation.text


@dataclass
class DeeplTranslator(Remote):
    """A translation service, in one direction."""

    service: DeeplService
    endpoint: Endpoint[Translations]
    languages: tuple[str, str]

    @property
    def signature(self) -> str:
        return f"deepl|url:{self.service.address.url}|languages:{'-'.join(self.service.tags)}"

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The translations."""
        for item in items:
            yield self.reply(item, self.service.request(item.text), self.service.bound(item.text))


def build(what: str) -> DeeplTranslator:
    """The translator of what stands after ``deepl:``."""
    address = read_address("deepl", what, EXAMPLE)
    options = read_options(address, DeeplOptions)
    if options.money is not None and options.price is None:
        message = "deepl: a limit on money needs price, the price of a million characters"
        raise UsageError(message, code="bad-model-option")
    tags = language_pair("deepl", address.what)
    limits = Limits(options.requests, options.characters, in_billionths(options.money), "characters")
    service = DeeplService(address, options, tags)
    endpoint = Endpoint(address, options, limits, service, key_variable(address, options, "DEEPL_API_KEY"))
    return DeeplTranslator(service, endpoint, (language(tags[0]), language(tags[1])))
