"""A server with many threads keeps what they freed in few arenas."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.web.app import ADDRESS, ARENAS, FOLDER

# Threads that are all there at once, each with something too large for Python's own allocator.
PROGRAM = """
import ctypes, sys, threading
from otherwords.web.app import from_environment

from_environment()
barrier = threading.Barrier(9)

def work():
    block = bytearray(100_000)
    barrier.wait(60)
    barrier.wait(60)

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
barrier.wait(60)
c = ctypes.CDLL(None)
c.fopen.restype = ctypes.c_void_p
stream = ctypes.c_void_p(c.fopen(sys.argv[1].encode(), b"w"))
c.malloc_info(0, stream)
c.fclose(stream)
barrier.wait(60)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have other allocators")
def test_threads_of_a_server_share_arenas(tmp_path: Path) -> None:
    report = tmp_path / "arenas.xml"
    environment = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    environment |= {FOLDER: str(tmp_path), ADDRESS: "http://127.0.0.1"}
    subprocess.run([sys.executable, "-c", PROGRAM, str(report)], check=True, env=environment, timeout=120)
    assert 1 <= len(re.findall("<heap ", report.read_text("utf-8"))) <= ARENAS
