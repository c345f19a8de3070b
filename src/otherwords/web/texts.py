"""The words of the site in the language of whoever looks at it.

Templates write English: ``_("Save")``, ``_("%(count)s left", count=n)``, or ``ngettext("%(num)s pair", "%(num)s pairs",
n)``. Scripts write ``t("Save")`` of ``static/texts.js``. The English words are the keys; a text without a translation
stays English.
"""

from __future__ import annotations


def translate(text: str) -> str:
    """A text of the site in the language of the request."""
    return text


def translate_count(singular: str, plural: str, count: int) -> str:
    """A text of the site that depends on a number."""
    return singular if count == 1 else plural
