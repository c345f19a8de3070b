"""What people install: the source archive builds, and the wheel made from it works without the repository.

The wheel is put into a folder of its own and run by the interpreter that the environment was made with, which knows
nothing of the repository; only the packages that otherwords depends on come from the environment. No network is used.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest

from tests.conftest import ROOT
from tests.processes import SECONDS, next_line, started
from tests.shared_folders import shared_folder
from tests.tools import tool

SOURCE = ROOT / "src" / "otherwords"
INTERPRETER = getattr(sys, "_base_executable", sys.executable)
SDIST = "import setuptools.build_meta as build; print(build.build_sdist('dist'))"
FRONTEND = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]


class Built(NamedTuple):
    """The two archives, and the folder into which the wheel was installed."""

    sdist: Path
    wheel: Path
    folder: Path


WITHOUT_COMPILER = {"PATH": "/nonexistent", "CC": "/nonexistent/cc", "CXX": "/nonexistent/c++"}


def run(*command: object, cwd: Path, **changed: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **changed},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The source archive from the tree, the wheel from the source archive, and the wheel installed."""
    folder = shared_folder(tmp_path_factory, "packaging", build)
    [sdist] = (folder / "source" / "dist").glob("*.tar.gz")
    [wheel] = (folder / "wheels").glob("*.whl")
    return Built(sdist, wheel, folder / "installed")


def build(folder: Path) -> None:
    source = tool("core-size").copied(folder / "source")
    name = run(sys.executable, "-c", SDIST, cwd=source).splitlines()[-1]
    sdist = source / "dist" / name
    offline = ["--no-index", "--no-deps"]
    run(*FRONTEND, "wheel", "--no-build-isolation", *offline, "-w", folder / "wheels", sdist, cwd=folder)
    [wheel] = (folder / "wheels").glob("*.whl")
    run(*FRONTEND, "install", *offline, "--target", folder / "installed", wheel, cwd=folder, **WITHOUT_COMPILER)


def environment(built: Built) -> dict[str, str]:
    paths = os.pathsep.join([str(built.folder), sysconfig.get_path("purelib")])
    return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **WITHOUT_COMPILER}


def otherwords(built: Built, *arguments: object, cwd: Path, **variables: str) -> str:
    """Run the installed program; what it prints."""
    command = [INTERPRETER, built.folder / "bin" / "otherwords", *arguments]
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment(built) | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{arguments}: {done.stderr}"
    return done.stdout


def test_the_wheel_has_every_file_of_the_package(built: Built) -> None:
    written = {
        f"otherwords/{path.relative_to(SOURCE).as_posix()}"
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".part")
    }
    with zipfile.ZipFile(built.wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("otherwords/")}
    assert written - packed == set()
    assert packed - written == {"otherwords/_kernels.abi3.so"}
    kinds = ("py.typed", "recipes/turku.toml", "web/templates/", "web/static/", "examples/pairs.jsonl", "text/data/")
    assert [kind for kind in kinds if not any(name.startswith(f"otherwords/{kind}") for name in packed)] == []


def test_the_wheel_is_for_every_python_from_the_oldest_on(built: Built) -> None:
    assert re.fullmatch(r"otherwords-[\d.]+-cp311-abi3-\w+\.whl", built.wheel.name)


def test_the_source_archive_has_what_a_build_needs_and_no_more(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    kernels = {f"src/kernels/{path.name}" for path in (ROOT / "src" / "kernels").glob("*.[ch]")}
    assert kernels <= names
    assert {"LICENSE", "pyproject.toml", "setup.py", "src/otherwords/_kernels.pyi"} <= names
    assert [name for name in names if name.startswith("tests") or name.endswith((".so", ".pyc"))] == []


def test_the_licence_travels_with_the_wheel(built: Built) -> None:
    [licence] = built.folder.glob("otherwords-*.dist-info/licenses/LICENSE")
    assert licence.read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_everything_comes_from_the_wheel(built: Built, tmp_path: Path) -> None:
    code = "import otherwords, otherwords._kernels as k, json; print(json.dumps([otherwords.__file__, k.__file__]))"
    command = [INTERPRETER, "-c", code]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(built), capture_output=True, text=True, check=True, timeout=SECONDS
    )
    assert all(Path(path).is_relative_to(built.folder) for path in json.loads(done.stdout))


def test_the_installed_program_works(built: Built, tmp_path: Path) -> None:
    """From an empty folder to a project with pairs and a recipe, as a newcomer would."""
    assert re.fullmatch(r"otherwords [\d.]+\n", otherwords(built, "--version", cwd=tmp_path))
    otherwords(built, "examples", cwd=tmp_path)
    assert json.loads(otherwords(built, "profile", "examples/pairs.jsonl", "--json", cwd=tmp_path))["pairs"] == 260
    otherwords(built, "new", "corpus", "--lang", "en", "--scheme", "turku", cwd=tmp_path)
    otherwords(built, "import", "corpus", "pairs", "examples/pairs.jsonl", cwd=tmp_path)
    assert "pairs" in otherwords(built, "status", "corpus", cwd=tmp_path)
    json.loads(otherwords(built, "label", "corpus", "--json", cwd=tmp_path))
    planned = json.loads(otherwords(built, "run", "corpus", "--recipe", "turku", "--dry-run", "--json", cwd=tmp_path))
    assert planned
    assert "turku" in otherwords(built, "scheme", "list", cwd=tmp_path)
    assert "_otherwords_completion" in otherwords(built, "completion", "bash", cwd=tmp_path)
    asked = {"_OTHERWORDS_COMPLETE": "bash_complete", "COMP_WORDS": "otherwords scheme li", "COMP_CWORD": "2"}
    assert otherwords(built, cwd=tmp_path, **asked) == "plain,list\n"


def test_the_installed_site_has_its_pages_and_styles(built: Built, tmp_path: Path) -> None:
    otherwords(built, "new", "corpus", "--lang", "en", "--scheme", "turku", cwd=tmp_path)
    command = [INTERPRETER, str(built.folder / "bin" / "otherwords"), "serve", "corpus", "--port", "0"]
    with started(
        command, cwd=tmp_path, env=environment(built), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as served:
        address = next_line(served).strip()
        try:
            with urlopen(f"{address}/login", timeout=20) as answer:
                page = answer.read().decode()
            static = sorted(set(re.findall(r"/static/[\w./-]+", page)))
            assert static
            for path in static:
                with urlopen(address + path, timeout=20) as answer:
                    assert answer.read()
        finally:
            served.terminate()
            served.communicate(timeout=SECONDS)
