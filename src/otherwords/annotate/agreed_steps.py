"""What everybody said alike in a batch becomes the team's word, where answers alone would not count.

Answers given in training are no labels. Where a team discusses them and keeps the revised set (Vila et al. 2014, §5),
the pairs on which all said the same need no discussion: this step writes their consensus down.
"""

from __future__ import annotations

from typing import Any

from otherwords.annotate import schemes
from otherwords.annotate.adjudicating import Decided, decide
from otherwords.annotate.batches import batches
from otherwords.annotate.disagreements import cases
from otherwords.project.project import Project
from otherwords.project.work import Result, Running, Work

AUTHOR = "recipe"


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"rows": 0}


def _keep(running: Running) -> Result:
    project, kept, seen = running.project, 0, 0
    with project.ledger.writing() as connection:
        made = {one.id: one for one in batches(connection)}  # one of nothing was not made
        for of in (made[name] for name in running.parameters["batches"] if name in made):
            scheme = schemes.scheme(of.scheme, project.folder)
            for case in cases(connection, of, scheme):
                seen += 1
                if case.complete and not case.disagreeing and case.decision is None:
                    said = [one.id for one in case.opinions]
                    value = case.opinions[0].value
                    told = Decided(key=f"{of.id} {case.pair}", pair=case.pair, batch=of.id, value=value, made_from=said)
                    decide(connection, AUTHOR, "curator", told, scheme)
                    kept += 1
    return Result(rows_in=seen, rows_out=kept)


KEEP = Work(name="keep-agreed", version=1, parameters={"batches": []}, inputs=_inputs, run=_keep)
