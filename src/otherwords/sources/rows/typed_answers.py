"""Lists of typed phenomena, as corpora have them, as answers to the questions of the scheme that they name.

The scheme ``vila`` asks whether a pair is a paraphrase and, only then, by which types. P4P and MSRP-A list the types;
whether it is a paraphrase is a label beside them, and a pair without one is a paraphrase.
"""

from __future__ import annotations

import msgspec

from otherwords.records import Judgement

SCHEME = "vila"
NOT_PARAPHRASE = "0"  # as a label
NOT_ASKED = "types"  # the key in ``meta`` of types that a corpus lists for a pair that is no paraphrase


def as_answer(judgement: Judgement) -> Judgement:
    """The judgement with an answer to each question of its scheme; what is not asked then is kept in ``meta``."""
    if judgement.scheme != SCHEME or not isinstance(judgement.value, list):
        return judgement
    if judgement.meta.get("label") != NOT_PARAPHRASE:
        return msgspec.structs.replace(judgement, value={"paraphrase": "yes", "types": judgement.value})
    meta = judgement.meta | ({NOT_ASKED: judgement.value} if judgement.value else {})
    return msgspec.structs.replace(judgement, value={"paraphrase": "no"}, meta=meta)
