"""Every sandbox test runs on both real backends. `make test` builds the Docker image where an engine answers (`.ci/run` starts one)."""

import os

import pytest

from stone.sandbox.docker import docker_trouble


@pytest.fixture(params=["bubblewrap", "docker"], scope="session")
def backend(request) -> str:
    if request.param == "docker" and docker_trouble():
        if os.environ.get("CI"):
            pytest.fail(f"Docker is needed in continuous integration: {docker_trouble()}")
        pytest.skip(docker_trouble())
    return request.param
