"""The texts that the site uses, as far as they can be translated: in its templates, in its scripts and in its words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import get_args

from jinja2.ext import babel_extract

from otherwords.annotate import schemes
from otherwords.annotate.batch_plans.request import BatchPurpose
from otherwords.annotate.browse import provenance
from otherwords.annotate.browse.filter import FILTER_NAMES
from otherwords.steps.catalogue import KIND_WORDS, TASK_WORDS
from otherwords.steps.known_recipes import shipped_recipes
from otherwords.web.accounts.audit import Action
from otherwords.web.accounts.roles import ROLES, SCOPES
from otherwords.web.batch_starts import _QUALITY_GROUPS as QUALITY_GROUPS
from otherwords.web.batch_starts import GROUPS, STARTS
from otherwords.web.finding_texts import finding_words
from otherwords.web.pages import about, adjudicate, browse, crowd, method, new_batch
from otherwords.web.sentences import SENTENCES, agreement_words
from otherwords.web.texts import HERE, SCRIPT_WORDS, SCRIPTS, script_keys, texts_of_scheme
from tests.messages import messages

TEMPLATES = HERE / "templates"
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
STATES = ("open", "closed", "active", "invited", "paused")
WORKER_DECISIONS = ("paused", "resumed", "kept", "voided", "unvoided")
DOCUMENT_PAIR_STATES = ("candidate", "accepted", "rejected", "finished", "empty", "superseded")
WORK = ("Triage", "Extract", "Seeds", "Adjudicate", "Discussions that call you")
NO_AGREEMENT = (
    "the team has not decided on any pair yet",
    "none of the pairs judged so far has a consensus",
)
SPREAD_DETAILS = ("failures", "platform", "seconds", "tokens")  # of the audit trail, which are passed together
LINK_PURPOSES = ("join", "reset", "setup")
# Rooms whose errors can reach a browser, and the parts of them that only the command line and its files come to.
ON_THE_SITE = ("web/", "annotate/", "project/")
NOT_ON_THE_SITE = (
    "web/client.py",
    "web/server.py",
    "web/address.py",
    "annotate/candidates.py",
    "annotate/crowd/slot_handles.py",
    "annotate/pseudonyms.py",
    "annotate/schemes/checks.py",
    "annotate/schemes/reading.py",
    "project/config.py",
    "project/exchange/",
    "project/importing/",
    "project/lock.py",
    "project/mined_pools.py",
    "project/project.py",
    "project/sections.py",
    "project/simulated.py",
    "project/trace.py",
    "project/webhooks/",
    "project/withdrawal/",
)
TRANSLATED_SCHEMES = tuple(schemes.scheme_names(None))


def template_keys() -> dict[str, str | None]:
    """The texts of templates, each with its plural if it depends on a number."""
    found: dict[str, str | None] = {}
    options = {"trim_blocks": "true", "lstrip_blocks": "true"}
    for path in sorted(TEMPLATES.glob("*.html")):
        with path.open("rb") as file:
            for _, function, message, _ in babel_extract(file, ("_", "gettext", "ngettext", "pgettext"), [], options):
                if message is None:
                    continue  # a word of a vocabulary, which is not written out
                parts = (message,) if isinstance(message, str) else tuple(part for part in message if part is not None)
                if function == "ngettext":
                    found[parts[0]] = parts[1]
                else:
                    found["|".join(parts)] = None
    return found


def words() -> set[str]:
    """The words of fixed vocabularies, which templates show with ``word``."""
    found = {
        *ROLES,
        *SCOPES,
        *get_args(BatchPurpose),
        *new_batch.PURPOSE_MEANINGS.values(),
        "quality control",
        "a check",
    }
    found |= {*STATES, *WORKER_DECISIONS, *DOCUMENT_PAIR_STATES, *WORK, *DAYS, *NO_AGREEMENT, *SCRIPT_WORDS}
    found |= {*browse.HAS, *browse.HAS.values(), *browse.READ_AS.values(), *adjudicate.TITLES.values()}
    found |= {*crowd.METHODS.values(), *about.LABELS.values()} - {"Dawid–Skene"}
    found |= {f"vote|{vote}" for vote in crowd.VOTES}
    found |= {"words", "language", *FILTER_NAMES} - {"query", "lang", "low", "high", "projection"}
    found |= {text for start in STARTS for text in (start.title, start.about)}
    found |= {*KIND_WORDS.values(), *TASK_WORDS.values(), *method.STATES.values()} | {method.MINUTES, method.HOURS}
    found |= {text for recipe in shipped_recipes() for text in (recipe.about, *recipe.sources)}
    found |= {*SENTENCES, *audit_words(), *making_words(), *finding_words(), *agreement_words()}
    return found | {group.title for group in (*GROUPS, *QUALITY_GROUPS)}


def making_words() -> set[str]:
    """What the page of a pair says of how it was made."""
    names = {title for title, _ in provenance.NAMES.values()} | {*provenance.PAIRS.values()}
    names |= {"How", "Nearness", "Stratum", "Mining run", "Harvested from", "Precision of the harvest"}
    return names | {*provenance.METHODS.values(), *provenance.ROUNDS.values()}


def audit_words() -> set[str]:
    """The actions of the audit trail and the names of their details, as they are written in the source."""
    found = {f"event|{action}" for action in get_args(Action)}
    found |= {f"detail|{detail}" for detail in (*SPREAD_DETAILS, *LINK_PURPOSES)}
    for path in sorted(HERE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            match call:
                case ast.Call(func=ast.Name("note"), keywords=details):
                    found |= {f"detail|{detail.arg}" for detail in details if detail.arg not in (None, "account")}
    return found


def shown_codes() -> set[str]:
    """The codes of errors that can reach a browser, by the rooms that its requests go through."""
    own = (message for message in messages() if message.place.startswith(ON_THE_SITE))
    return {str(message.code) for message in own if not message.place.startswith(NOT_ON_THE_SITE)} - {"…"}


def scheme_texts() -> set[str]:
    """The texts of the schemes of the package."""
    return {text for name in TRANSLATED_SCHEMES for text in texts_of_scheme(schemes.load_scheme(name, None))}


def loose_calls() -> Iterator[str]:
    """Calls in scripts whose text is not written out, which nobody could translate."""
    for path in sorted(SCRIPTS.rglob("*.js")):
        if path.name != "texts.js":
            for match in re.finditer(r"(?<![\w.])tn?\((?!\s*\")[^)]*", path.read_text("utf-8")):
                yield f"{path.name}: {match[0]}"


def all_keys() -> dict[str, str | None]:
    """Every key that a language file has to have, with its plural; error codes are apart."""
    return template_keys() | script_keys() | dict.fromkeys(words() | scheme_texts())
