"""Mining on nodes that have networks of their own: what they share are files and a wire, as machines do."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.mining.test_cluster import ROOT, content, needs_ray, program, until
from tests.processes import SECONDS, started

NODES = 3
NODE = ("--num-cpus=1", "--object-store-memory=80000000", "--disable-usage-stats", "--block")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=SECONDS)


@contextlib.contextmanager
def networks(name: str) -> Iterator[list[tuple[list[str], str]]]:
    """Namespaces at one bridge: what to write before a command that runs in one, and its address."""
    found = []
    with contextlib.ExitStack() as stack:
        ip("link", "add", name, "type", "bridge")
        stack.callback(ip, "link", "del", name)
        ip("addr", "add", "10.213.0.254/24", "dev", name)
        ip("link", "set", name, "up")
        for number in range(1, NODES + 1):
            space, wire, address = f"{name}-{number}", f"{name}v{number}", f"10.213.0.{number}"
            ip("netns", "add", space)
            stack.callback(ip, "netns", "del", space)
            ip("link", "add", wire, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("link", "set", wire, "master", name, "up")
            ip("-n", space, "addr", "add", f"{address}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "lo", "up")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "route", "add", "default", "via", "10.213.0.254")
            found.append((["ip", "netns", "exec", space], address))
        yield found


@contextlib.contextmanager
def node(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A node with all processes that it starts."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with started(command, start_new_session=True, **quiet) as process:
        try:
            yield process
        finally:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def wait_for_nodes(inside: list[str], address: str, nodes: int) -> None:
    script = (
        f"import ray, time; ray.init('{address}', log_to_driver=False)\n"
        f"while sum(node['Alive'] for node in ray.nodes()) < {nodes}: time.sleep(0.2)"
    )
    command = [*inside, program()[0], "-c", script]
    for _ in range(20):  # the head may not listen yet
        if subprocess.run(command, capture_output=True, timeout=SECONDS).returncode == 0:
            return
    pytest.fail("the nodes do not find each other")


@needs_ray
@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="namespaces need root and iproute2")
def test_nodes_in_networks_of_their_own(tmp_path: Path, sentences: Path) -> None:
    ray = str(Path(program()[0]).with_name("ray"))
    here, there = str(tmp_path / "here"), str(tmp_path / "there")
    subprocess.run(program("mine", str(sentences), here, "-"), cwd=ROOT, timeout=SECONDS, check=True)
    with networks(f"ow{os.getpid() % 10**6}") as spaces, contextlib.ExitStack() as stack:
        (inside, first), *others = spaces
        stack.enter_context(node([*inside, ray, "start", "--head", "--port=6379", f"--node-ip-address={first}", *NODE]))
        joined = []
        for number, (space, address) in enumerate(others, 1):  # one by one: their files are in one folder here
            wait_for_nodes(inside, f"{first}:6379", number)
            start = [*space, ray, "start", f"--address={first}:6379", f"--node-ip-address={address}", *NODE]
            joined.append(stack.enter_context(node(start)))
        wait_for_nodes(inside, f"{first}:6379", NODES)
        command = [*inside, *program("mine", str(sentences), there, f"{first}:6379", "encode", "dying")]
        with started(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as run:
            until("encode", run)
            end(joined[-1])
            Path(f"{there}.go").touch()
            assert run.communicate(timeout=SECONDS)[0].splitlines()[-1].startswith("mine|")
        assert run.returncode == 0
    assert content(Path(there)) == content(Path(here))
