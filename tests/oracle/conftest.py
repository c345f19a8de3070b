"""The simulated projects, made once for all tests of a process: these only read them."""

from __future__ import annotations

import pytest

from tests.oracle.simulated import SimulatedProject, make_crowd, make_team, release_team


@pytest.fixture(scope="session")
def team(tmp_path_factory: pytest.TempPathFactory) -> SimulatedProject:
    return make_team(tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="session")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> SimulatedProject:
    return make_crowd(tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="session")
def released(team: SimulatedProject, tmp_path_factory: pytest.TempPathFactory) -> SimulatedProject:
    return release_team(team, tmp_path_factory.mktemp("oracle"))
