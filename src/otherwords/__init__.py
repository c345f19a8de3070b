"""otherwords: a workbench for paraphrase corpora.

Every command of the command line is a function of the same name here: ``otherwords.profile("pairs.jsonl")``. What
``__all__`` lists is public; everything else may change from one version to the next.

``import otherwords`` is cheap: nothing heavy is loaded before it is used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from otherwords.api import batch as batch
    from otherwords.api import crowd as crowd
    from otherwords.api import evaluate as evaluate
    from otherwords.api import guideline as guideline
    from otherwords.api import mine as mine
    from otherwords.api import scheme as scheme
    from otherwords.api import train as train
    from otherwords.api import user as user
    from otherwords.api.candidates import acquire as acquire
    from otherwords.api.corpora import agree as agree
    from otherwords.api.corpora import analyse as analyse
    from otherwords.api.corpora import bins as bins
    from otherwords.api.corpora import clusters as clusters
    from otherwords.api.corpora import compare as compare
    from otherwords.api.corpora import convert as convert
    from otherwords.api.corpora import formats as formats
    from otherwords.api.corpora import leaks as leaks
    from otherwords.api.corpora import measures as measures
    from otherwords.api.corpora import profile as profile
    from otherwords.api.corpora import report as report
    from otherwords.api.corpora import score as score
    from otherwords.api.corpora import types as types
    from otherwords.api.demo import demo as demo
    from otherwords.api.filtering import filter as filter
    from otherwords.api.filtering import sample as sample
    from otherwords.api.generation import generate as generate
    from otherwords.api.learning import denoise as denoise
    from otherwords.api.learning import errors as errors
    from otherwords.api.learning import predict as predict
    from otherwords.api.left_out import leave_out as leave_out
    from otherwords.api.models import judge as judge
    from otherwords.api.models import models as models
    from otherwords.api.papers import plan as plan
    from otherwords.api.papers import reproduce as reproduce
    from otherwords.api.people import adjudicate as adjudicate
    from otherwords.api.people import serve as serve
    from otherwords.api.people import simulate as simulate
    from otherwords.api.projects import align as align
    from otherwords.api.projects import backup as backup
    from otherwords.api.projects import examples as examples
    from otherwords.api.projects import export as export
    from otherwords.api.projects import import_ as import_
    from otherwords.api.projects import lines as lines
    from otherwords.api.projects import new as new
    from otherwords.api.projects import restore as restore
    from otherwords.api.projects import run as run
    from otherwords.api.projects import status as status
    from otherwords.api.projects import trace as trace
    from otherwords.api.projects import withdraw as withdraw
    from otherwords.api.release import grow as grow
    from otherwords.api.release import label as label
    from otherwords.api.release import publish as publish
    from otherwords.api.release import release as release
    from otherwords.api.release import split as split
    from otherwords.api.release import verify as verify
    from otherwords.api.webhooks import webhooks as webhooks
    from otherwords.errors import OtherwordsError as OtherwordsError
    from otherwords.project.project import Project as Project
    from otherwords.records import Document as Document
    from otherwords.records import DocumentPair as DocumentPair
    from otherwords.records import Judgement as Judgement
    from otherwords.records import Pair as Pair
    from otherwords.records import Passage as Passage
    from otherwords.records import Phenomenon as Phenomenon

__version__ = "0.1.0"

_API = {
    "corpora": (
        *("convert", "score", "bins", "profile", "types", "agree", "analyse", "report", "compare", "leaks", "clusters"),
        *("formats", "measures"),
    ),
    "projects": (
        *("new", "import_", "align", "lines", "run", "status", "trace", "export", "backup", "restore", "withdraw"),
        *("examples",),
    ),
    "candidates": ("acquire",),
    "filtering": ("filter", "sample"),
    "left_out": ("leave_out",),
    "models": ("models", "judge"),
    "learning": ("predict", "errors", "denoise"),
    "generation": ("generate",),
    "demo": ("demo",),
    "papers": ("reproduce", "plan"),
    "people": ("serve", "adjudicate", "simulate"),
    "webhooks": ("webhooks",),
    "release": ("label", "split", "release", "verify", "grow", "publish"),
}
_RECORDS = ("Document", "DocumentPair", "Passage", "Pair", "Judgement", "Phenomenon")
PUBLIC = {  # where each name is; a target without a colon is a module
    **{name: f"otherwords.api.{module}:{name}" for module, names in _API.items() for name in names},
    **{name: f"otherwords.api.{name}" for name in ("batch", "crowd", "user", "scheme", "guideline")},
    **{name: f"otherwords.api.{name}" for name in ("train", "evaluate", "mine")},
    "Project": "otherwords.project.project:Project",
    **{name: f"otherwords.records:{name}" for name in _RECORDS},
    "OtherwordsError": "otherwords.errors:OtherwordsError",
}
__all__ = sorted(["__version__", *PUBLIC])


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        raise AttributeError(f"module 'otherwords' has no attribute {name!r}")
    module, _, attribute = PUBLIC[name].partition(":")
    value = getattr(import_module(module), attribute) if attribute else import_module(module)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__]


class _Package(ModuleType):
    """A package whose public functions stay visible when a sub-package of the same name is imported.

    Python binds ``otherwords.align`` to the sub-package as soon as anything imports it; the function has precedence.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name not in PUBLIC or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
