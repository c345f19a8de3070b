"""Programs that the tests of clusters start: three nodes on this machine, and a run of mining in many small pieces.

``nodes`` prints the address, then does what each line of its input says: kill a worker that works, kill a node, kill the
head. ``mine`` takes a file of sentences, a folder and the address of a cluster, or ``-`` for this machine.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

OBJECT_STORE = 80 * 2**20
WORKING = b"ray::function_of_shard"
SECONDS = 60.0


def nodes() -> None:
    """A cluster of three nodes that lives until the input ends."""
    from ray.cluster_utils import Cluster

    size: dict[str, Any] = {"num_cpus": 1, "object_store_memory": OBJECT_STORE}
    cluster = Cluster(initialize_head=True, head_node_args={**size, "include_dashboard": False})
    others = [cluster.add_node(**size), cluster.add_node(**size)]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        match line.strip():
            case "worker":
                print(killed_worker(), flush=True)
            case "node":
                cluster.remove_node(others.pop(), allow_graceful=False)
                print("killed", flush=True)
            case "head":
                cluster.head_node.kill_raylet()
                cluster.head_node.kill_gcs_server()
                print("killed", flush=True)
    cluster.shutdown()


def killed_worker() -> str:
    """Kill a worker of this cluster while it computes a shard."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for process in descendants(os.getpid()):
            if Path(f"/proc/{process}/cmdline").read_bytes().startswith(WORKING):
                os.kill(process, signal.SIGKILL)
                return "killed"
        time.sleep(0.01)
    return "nobody works"


def descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


def mine(file: str, out: str, cluster: str, slow: str = "") -> None:
    """Mine a file with small pieces; ``slow`` is a file without which the run waits before its pairs."""
    from otherwords.errors import OtherwordsError
    from otherwords.mining import encode, pairs
    from otherwords.mining import mine as run
    from otherwords.mining.pool import build
    from otherwords.mining.pool.options import WorkOptions
    from otherwords.mining.vectors import VectorPlan
    from otherwords.sources.source import ReadLog

    plan = build.make_plan
    build.make_plan = lambda *given: msgspec.structs.replace(plan(*given), partitions=5, rows_per_block=400)
    encode.VectorPlan = partial(VectorPlan, rows_per_shard=300)  # type: ignore[misc, assignment]
    pairs.ROWS_PER_PART = 250
    request = run.MineRequest(
        paths=(file,),
        out=out,
        encoder="tfidf",
        k=3,
        work=WorkOptions(jobs=1, cluster=None if cluster == "-" else cluster),
    )

    def report(stage: str, done: int, total: int | None) -> None:
        print(stage, done, flush=True)
        while stage == "neighbours" and slow and not Path(slow).exists():
            time.sleep(0.05)

    try:
        print(run.mine_pairs(request, ReadLog("stop"), report).signature)
    except OtherwordsError as problem:
        sys.exit(f"{problem} [{problem.code}]")


if __name__ == "__main__":
    {"nodes": nodes, "mine": mine}[sys.argv[1]](*sys.argv[2:])  # type: ignore[operator]
