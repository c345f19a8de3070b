"""The texts of a scheme in the language of a page.

The schemes of the package are translated; what somebody wrote into a scheme of their own stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from otherwords.annotate.schemes.scheme import Scheme
from otherwords.web.texts import speaking, word

OPTIONS = ("values", "flags", "types")  # of a question; each has a name and help
TEXTS = ("name", "help", "class", "subclass")


def scheme_for_page(scheme: Scheme, language: str) -> dict[str, Any]:
    """The scheme as JSON for the script of a page, with its texts in that language; names of questions are no texts."""
    content: dict[str, Any] = scheme.as_page()
    with speaking(language):
        for place, key in _places(content):
            place[key] = word(place[key])
    return content


def texts_of_scheme(scheme: Scheme) -> set[str]:
    """The texts of a scheme that can be translated."""
    return {place[key] for place, key in _places(scheme.as_page())}


def _places(content: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Where the texts are: dictionaries and keys."""
    parts = [(content, "title"), *((question, "title") for question in content["questions"])]
    options = [option for question in content["questions"] for kind in OPTIONS for option in question.get(kind, ())]
    parts += [(option, key) for option in options for key in TEXTS]
    return ((place, key) for place, key in parts if place.get(key))
