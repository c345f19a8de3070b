"""What stands after the colon of a model's name: a file, a folder or a language, and options.

``hf:PATH?from=en&to=es&decoding=beam`` has the path ``PATH`` and three options. Characters with a meaning of their own
in a name (``>``, ``&``, ``?``) are written as in addresses: ``%3E``, ``%26``, ``%3F``.
"""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec

from otherwords.errors import UsageError
from otherwords.registry import suggest

Options = TypeVar("Options", bound=msgspec.Struct)


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
