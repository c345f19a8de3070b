"""Apply a function to many shards on the nodes of a Ray cluster, with the results of one machine.

A shard function reads and writes files that all nodes see, and returns a small record; what is large never travels
through Ray. A task whose worker or node dies is tried again elsewhere, which is safe because every file is written
aside and moved into place. A cluster that goes away as a whole ends the run with a word, and what is there is kept.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from otherwords.errors import ClusterError, MissingExtra, OtherwordsError

Shard = TypeVar("Shard")
Result = TypeVar("Result")
RETRIES = 5  # of a task whose worker died
AHEAD = 2  # tasks for each core that wait or run
LOOK_SECONDS = 2.0  # between two looks whether the cluster is still there
GONE_SECONDS = 20.0  # without an answer until it counts as gone; Ray itself would end the process after 60
RESUME = "what is finished is kept, and the same command goes on from there"


class NodeState(NamedTuple):
    """What a node of a cluster says of itself."""

    name: str
    sees_folder: bool
    version: str


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Workers of a cluster to which this process is connected; a task has ``cpus`` cores."""

    address: str
    cpus: int = 1
    watched: tuple[str, int] | None = None  # host and port that answer as long as the cluster is there

    def whole_nodes(self) -> RayEngine:
        """The same with tasks that have all cores of a node, for what uses them by itself."""
        sizes = [int(node["Resources"].get("CPU", 0)) for node in _nodes()]
        return replace(self, cpus=max(1, min((size for size in sizes if size), default=1)))

    def map(self, function: Callable[[Shard], Result], shards: Iterable[Shard]) -> Iterator[Result]:
        """The results in the order of the shards, of which some for each core are given out ahead."""
        import ray

        task = ray.remote(num_cpus=self.cpus, max_retries=RETRIES)(function_of_shard)
        pending: deque[Any] = deque()
        with self._explained():
            self._wait_for_answer()
            most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)) // self.cpus)
            shared = ray.put(function)
            try:
                for shard in shards:
                    self._wait_for_answer()
                    pending.append(task.remote(shared, shard))
                    if len(pending) > most:
                        yield self._result(pending.popleft())
                while pending:
                    yield self._result(pending.popleft())
            finally:
                with contextlib.suppress(Exception):  # the cluster may be gone
                    for waiting in pending:
                        ray.cancel(waiting)

    def check(self, folder: Path) -> int:
        """Whether every node sees a folder and has the same version of this package; how many nodes there are."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        probe = folder / f".cluster-{time.time_ns()}"
        probe.write_bytes(b"")
        try:
            with self._explained():
                nodes = [node for node in _nodes() if node["Resources"].get("CPU")]
                asked = []
                for node in nodes:
                    place = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
                    task = ray.remote(num_cpus=1, max_retries=RETRIES, scheduling_strategy=place)(node_state)
                    asked.append(task.remote(str(probe)))
                states = [self._state_of_node(node, answer) for node, answer in zip(nodes, asked, strict=True)]
        finally:
            probe.unlink(missing_ok=True)
        check_states(folder, alive := [state for state in states if state is not None])
        return len(alive)

    def _state_of_node(self, node: dict[str, Any], answer: Any) -> NodeState | None:
        """What a node says of itself; none of a dead one, which the head lists as alive for some seconds."""
        from ray.exceptions import NodeDiedError, TaskUnschedulableError, WorkerCrashedError

        try:
            sees, version = self._result(answer)
        except (NodeDiedError, TaskUnschedulableError, WorkerCrashedError):
            if any(other["NodeID"] == node["NodeID"] for other in _nodes()):
                raise
            return None
        return NodeState(f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']})", sees, version)

    def _result(self, reference: Any) -> Any:
        """The result of a task; while it runs, the cluster is watched."""
        import ray

        while not ray.wait([reference], timeout=LOOK_SECONDS)[0]:
            self._wait_for_answer()
        return ray.get(reference)

    def _wait_for_answer(self) -> None:
        """Raise an error if the head does not answer for a while: Ray would wait for it and then end the process."""
        end = time.monotonic() + GONE_SECONDS
        while not self._answers():
            if time.monotonic() > end:
                raise ClusterError(f"the cluster {self.address} went away; {RESUME}", code="cluster-lost")
            time.sleep(GONE_SECONDS / 20)

    def _answers(self) -> bool:
        if self.watched is None:
            return True
        try:
            socket.create_connection(self.watched, LOOK_SECONDS).close()
        except OSError:
            return False
        return True

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors of a shard as they were raised there, and those of the cluster in our words."""
        import ray.exceptions

        try:
            yield
        except ray.exceptions.RayTaskError as problem:
            if isinstance(problem.cause, OtherwordsError):
                raise problem.cause from None
            raise
        except (ray.exceptions.RayError, ConnectionError) as problem:
            first = str(problem).strip().splitlines()[0]
            message = f"the cluster {self.address} could not finish a shard ({first}); {RESUME}"
            raise ClusterError(message, code="cluster-lost") from None


def function_of_shard(function: Callable[[Shard], Result], shard: Shard) -> Result:
    """A task: the function travels once, the shards one by one."""
    return function(shard)


def node_state(probe: str) -> tuple[bool, str]:
    """Whether a file is seen here, and which versions run here."""
    from importlib.metadata import version

    return Path(probe).is_file(), f"otherwords {version('otherwords')} on Python {sys.version.split()[0]}"


def check_states(folder: Path, states: Iterable[NodeState]) -> None:
    """Refuse nodes, by name, that do not see a folder or have other versions than there are here."""
    _, here = node_state("")
    for state in states:
        if not state.sees_folder:
            message = (
                f"the node {state.name} does not see {folder}; choose a folder that all nodes share, such as on NFS"
            )
            raise ClusterError(message, code="cluster-folder")
        if state.version != here:
            message = f"the node {state.name} has {state.version}, and here is {here}; install the same on all nodes"
            raise ClusterError(message, code="cluster-version")


@contextlib.contextmanager
def ray_cluster(address: str) -> Iterator[RayEngine]:
    """A connection to a running cluster: ``auto``, ``HOST:PORT`` of its head, or ``ray://HOST:PORT``."""
    try:
        import ray
    except ImportError:
        raise MissingExtra("cluster", "a Ray cluster") from None
    try:
        ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    except (ConnectionError, OSError, RuntimeError, ValueError, ray.exceptions.RayError) as problem:
        first = str(problem).strip().splitlines()[0]
        message = f"no cluster answers at {address} ({first}); start one with: ray start --head"
        raise ClusterError(message, code="no-cluster") from None
    lost = False
    try:
        yield RayEngine(address, watched=_watched(address))
    except ClusterError as problem:
        lost = problem.code == "cluster-lost"
        raise
    finally:
        if not lost:  # what is gone cannot be left in order
            ray.shutdown()


def _watched(address: str) -> tuple[str, int] | None:
    """Where the head of the cluster listens; the connection of ``ray://`` watches itself."""
    import ray

    if address.startswith("ray://"):
        return None
    host, _, port = ray.get_runtime_context().gcs_address.rpartition(":")
    return host, int(port)


def _nodes() -> list[dict[str, Any]]:
    import ray

    return [node for node in ray.nodes() if node["Alive"]]
