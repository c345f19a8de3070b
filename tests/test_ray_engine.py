"""A cluster as far as one process can tell; tests/mining/test_cluster.py has a real one."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from otherwords import ray_engine
from otherwords.ray_engine import NodeState, RayEngine, check_states, function_of_shard, node_state, ray_cluster
from tests.errors import raises


def test_nodes_see_the_folder_and_have_the_same_versions(tmp_path: Path) -> None:
    (tmp_path / "probe").touch()
    state = node_state(str(tmp_path / "probe"))
    assert state[0]
    first = NodeState("first", *state)
    check_states(tmp_path, [first, NodeState("second", *state)])
    with raises("cluster-folder", "second"):
        check_states(tmp_path, [first, NodeState("second", *node_state(str(tmp_path / "nothing")))])
    with raises("cluster-version", "otherwords 0.0"):
        check_states(tmp_path, [NodeState("first", True, "otherwords 0.0 on Python 3.11")])


def test_a_head_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "GONE_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        engine = RayEngine("here", watched=server.getsockname())
        engine._wait_for_answer()
    with raises("cluster-lost", "goes on from there"):
        engine._wait_for_answer()
    RayEngine("ray://here")._wait_for_answer()  # whose connection watches itself


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with raises("missing-extra", "cluster"), ray_cluster("auto"):
        pass


def test_a_task_applies_the_function() -> None:
    assert function_of_shard(abs, -3) == 3


def test_a_node_that_died_is_left_out_and_the_fault_of_a_living_one_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    exceptions = pytest.importorskip("ray.exceptions")

    def fail(engine: RayEngine, reference: object) -> None:
        raise exceptions.NodeDiedError("it died")

    node = {"NodeID": "second", "NodeManagerHostname": "host", "NodeManagerAddress": "127.0.0.1"}
    monkeypatch.setattr(RayEngine, "_result", fail)
    monkeypatch.setattr(ray_engine, "_nodes", lambda: [{"NodeID": "first"}])
    assert RayEngine("here")._state_of_node(node, None) is None
    monkeypatch.setattr(ray_engine, "_nodes", lambda: [{"NodeID": "first"}, node])
    with pytest.raises(exceptions.NodeDiedError):
        RayEngine("here")._state_of_node(node, None)
