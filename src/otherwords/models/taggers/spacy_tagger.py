"""Taggers of spaCy: ``spacy:NAME``, an installed package (``spacy:en_core_web_sm``) or the folder of a model."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from otherwords.errors import UsageError
from otherwords.models.defaults import DEFAULTS, INSTALLED_BY_USERS, missing_tagger
from otherwords.models.edges import Item, Reply, TaggedSpan, TaggedText, TaggedToken
from otherwords.text.languages import language

BATCH = 64


@dataclass
class SpacyTagger:
    """One pipeline of spaCy."""

    what: str
    pipeline: Any
    batch_size: int = BATCH
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        return f"spacy:{self.what}"

    @cached_property
    def signature(self) -> str:
        meta = self.pipeline.meta
        model = f"{meta['lang']}_{meta['name']}-{meta['version']}"
        return f"spacy|model:{model}|data:{_digest(self.pipeline.path)}|version:{version('spacy')}"

    @property
    def language(self) -> str:
        return language(self.pipeline.lang)

    def tag(self, items: Sequence[Item]) -> Iterator[Reply[TaggedText]]:
        """The words of each text, one text after the other: what stands beside it changes nothing."""
        with self._lock:
            for item in items:
                yield Reply(item.id, _tagged(self.pipeline(item.text)))

    def close(self) -> None:
        """Nothing to end."""


@cache  # loading takes seconds
def build(what: str) -> SpacyTagger:
    """The tagger of a package or a folder."""
    if not what:
        raise UsageError("spacy: needs the name of a model, as in spacy:en_core_web_sm", code="bad-model-name")
    try:
        import spacy
    except ImportError as problem:
        raise missing_tagger(what, f"the tagger spacy:{what}") from problem
    package = what.replace("-", "_")
    folder = Path(what).expanduser()
    if not folder.is_dir() and find_spec(package) is None:
        raise _not_installed(what, package)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the version of spaCy that a model was made with
        try:
            pipeline = spacy.load(folder if folder.is_dir() else package)
        except (OSError, ValueError, ImportError) as problem:
            message = f"spacy:{what} cannot be loaded: {str(problem).splitlines()[0]}"
            raise UsageError(message, code="tagger-unusable") from None
    if not {"tagger", "morphologizer"} & set(pipeline.pipe_names):
        message = f"spacy:{what} finds no parts of speech; it has {', '.join(pipeline.pipe_names) or 'nothing'}"
        raise UsageError(message, code="tagger-unusable")
    return SpacyTagger(what, pipeline)


def _not_installed(what: str, package: str) -> UsageError:
    if f"spacy:{package}" in DEFAULTS.values():
        return missing_tagger(package, f"the tagger spacy:{what}")
    for name, command in INSTALLED_BY_USERS.values():
        if name == package:
            return UsageError(f"the tagger spacy:{what} is not installed: {command}", code="tagger-missing")
    message = f"spacy:{what}: there is neither a folder nor an installed package of that name"
    return UsageError(f"{message}; pip install {what.replace('_', '-')}", code="tagger-missing")


def _tagged(doc: Any) -> TaggedText:
    words = [token for token in doc if not token.is_space]
    numbers = {token.i: number for number, token in enumerate(words)}
    tokens = tuple(
        TaggedToken(
            token.idx,
            token.idx + len(token.text),
            token.lemma_,
            token.pos_,
            str(token.morph),
            numbers.get(token.head.i, -1),
            token.dep_.lower(),
        )
        for token in words
    )
    entities = tuple(TaggedSpan(span.start_char, span.end_char, span.label_) for span in doc.ents)
    return TaggedText(tokens, entities, _noun_phrases(doc))


def _noun_phrases(doc: Any) -> tuple[TaggedSpan, ...]:
    """The noun phrases, of languages and pipelines that have them."""
    try:
        chunks = list(doc.noun_chunks) if doc.has_annotation("DEP") else []
    except NotImplementedError:
        chunks = []
    return tuple(TaggedSpan(chunk.start_char, chunk.end_char) for chunk in chunks)


def _digest(folder: Path) -> str:
    """A digest of the files of a model: another version of them is another tagger."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(folder)).encode() + b"\0" + sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]
