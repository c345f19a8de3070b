"""Programs that the tests of clusters start: three nodes on this machine, and a run of mining in many small pieces.

``nodes`` prints the address, then does what each line of its input says: kill a node, kill the head. ``mine`` takes a
file of sentences, a folder, the address of a cluster or ``-`` for this machine, and a stage at which it waits until the
file ``go`` is in the folder. With ``dying``, two workers of a cluster die in every stage, before and after they have
done their work.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

OBJECT_STORE = 80 * 2**20


def nodes() -> None:
    """A cluster of three nodes that lives until the input ends."""
    from ray.cluster_utils import Cluster

    size: dict[str, Any] = {"num_cpus": 1, "object_store_memory": OBJECT_STORE}
    cluster = Cluster(initialize_head=True, head_node_args={**size, "include_dashboard": False})
    others = [cluster.add_node(**size), cluster.add_node(**size)]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        match line.strip():
            case "node":
                cluster.remove_node(others.pop(), allow_graceful=False)
                print("killed", flush=True)
            case "head":
                cluster.head_node.kill_raylet()
                cluster.head_node.kill_gcs_server()
                print("killed", flush=True)
    cluster.shutdown()


def dying(folder: Path, function: Callable[[Any], Any], shard: Any) -> Any:
    """A shard function whose worker dies twice."""
    name = getattr(function, "func", function).__name__
    _die_once(folder / f"{name}.before")
    result = function(shard)
    _die_once(folder / f"{name}.after")
    return result


def _die_once(marker: Path) -> None:
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def mine(file: str, out: str, cluster: str, waiting: str = "", workers: str = "") -> None:
    """Mine a file with small pieces."""
    from otherwords import ray_engine
    from otherwords.errors import OtherwordsError
    from otherwords.mining import encode, pairs
    from otherwords.mining import mine as run
    from otherwords.mining.pool import build
    from otherwords.mining.pool.options import WorkOptions
    from otherwords.mining.vectors import VectorPlan
    from otherwords.ray_engine import RayEngine
    from otherwords.sources.source import ReadLog

    ray_engine.GONE_SECONDS = 8.0  # a busy machine may take some to answer
    if workers == "dying":
        deaths, mapped = Path(f"{out}.deaths"), RayEngine.map
        deaths.mkdir(exist_ok=True)
        RayEngine.map = lambda self, function, shards: mapped(self, partial(dying, deaths, function), shards)  # type: ignore
    plan = build.make_plan
    build.make_plan = lambda *given: msgspec.structs.replace(plan(*given), partitions=5, rows_per_block=400)
    encode.VectorPlan = partial(VectorPlan, rows_per_shard=300)  # type: ignore[misc, assignment]
    pairs.ROWS_PER_PART = 250
    run.nearest_neighbours = partial(run.nearest_neighbours, all_pairs=500)
    request = run.MineRequest(
        paths=(file,),
        out=out,
        encoder="tfidf",
        k=3,
        work=WorkOptions(jobs=1, cluster=None if cluster == "-" else cluster),
    )

    def report(stage: str, done: int, total: int | None) -> None:
        print(stage, done, flush=True)
        while stage == waiting and not Path(f"{out}.go").exists():
            time.sleep(0.05)

    try:
        print(run.mine_pairs(request, ReadLog("stop"), report).signature)
    except OtherwordsError as problem:
        sys.exit(f"{problem} [{problem.code}]")


if __name__ == "__main__":
    {"nodes": nodes, "mine": mine}[sys.argv[1]](*sys.argv[2:])  # type: ignore[operator]
