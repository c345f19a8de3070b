"""What tests wait for ends, and what they start obeys Ctrl-C whoever started them."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from tests.processes import SECONDS, join_all, next_line, started

SILENT = [sys.executable, "-c", "import sys; sys.stdin.read()"]
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


def test_a_silent_process_is_not_waited_for() -> None:
    with started(SILENT, **PIPES) as process, pytest.raises(AssertionError, match="printed nothing"):
        next_line(process, seconds=0.1)
    assert process.returncode == -signal.SIGKILL


def test_no_process_outlives_its_block() -> None:
    with started(SILENT, **PIPES) as process:
        assert process.poll() is None
    assert process.returncode == -signal.SIGKILL


def test_a_thread_that_does_not_end_fails() -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait, args=(SECONDS,))
    thread.start()
    with pytest.raises(AssertionError, match="did not end"):
        join_all([thread], seconds=0.05)
    end.set()
    join_all([thread])


def test_a_process_obeys_ctrl_c_where_the_tests_ignore_it() -> None:
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
        with started([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert next_line(process) == "True\n"
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, previous)
