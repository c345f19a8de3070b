"""A full disk in every kind of step: a clear code, nothing half-written, and with room again it goes on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.steps.catalogue import STEP_KINDS
from tests.processes import SECONDS

MOUNT = 'mount -t tmpfs -o size=64m none "$0" || exit 77; exec "$@"'
CODES = {"cache-unusable", "cannot-write", "file-unwritable", "folder-unwritable", "ledger-unavailable"}
# They write to the ledger alone.
NO_FILES = {"need", "people", "batch", "check-rewrites", "check-machine", "keep-agreed", "filter", "sample", "outputs"}
# They need minutes, and write their folders as a classifier does.
WITHOUT_STAGE = {"train-encoder", "train-generator"}


def on_a_full_disk(place: Path, rooms: list[int], seconds: float) -> dict[str, list[str]]:
    """How a step of every kind ended, by the room that it had, and last of all with its ledger on another disk."""
    if not (unshare := shutil.which("unshare")):
        pytest.skip("unshare is not installed")
    disk, elsewhere = place / "disk", place / "elsewhere"
    disk.mkdir()
    elsewhere.mkdir()
    command = [sys.executable, "-m", "tests.steps.full_disk", disk, elsewhere, *rooms]
    shell = [unshare, "-m", "sh", "-c", MOUNT, disk, *command]
    done = subprocess.run([str(word) for word in shell], capture_output=True, text=True, check=False, timeout=seconds)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip(f"this machine allows no mounts: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr[-5000:]
    return {row["kind"]: row["codes"] for row in map(json.loads, done.stdout.splitlines())}


def check(found: dict[str, list[str]]) -> None:
    assert set(found) == set(STEP_KINDS) - WITHOUT_STAGE
    for kind, (*inside, outside) in found.items():
        assert not inside or inside[0] in CODES, f"{kind} did not notice the full disk: {inside[0]}"
        assert {*inside, outside} <= CODES | {"done"}, (kind, inside, outside)
        assert outside == "done" if kind in NO_FILES else outside in CODES - {"ledger-unavailable"}, (kind, outside)


@pytest.mark.soak  # every step runs three times: half a minute of the processor
def test_a_full_disk_in_every_kind_of_step(tmp_path: Path) -> None:
    check(on_a_full_disk(tmp_path, [], 10 * SECONDS))


@pytest.mark.soak
def test_a_disk_that_fills_up_at_any_moment(tmp_path: Path) -> None:
    found = on_a_full_disk(tmp_path, [0, *(2**power for power in range(12, 22))], 3000)
    check(found)
    assert all(codes[-2] == "done" for codes in found.values()), found
    print(json.dumps(found, indent=1))
