"""Fixtures: a queue of the device of ONEAPI_DEVICE_SELECTOR, and the image of kernels.cl, compiled once."""

import os

import pytest

import specpi

HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope="session")
def image():
    return specpi.compile(os.path.join(HERE, "kernels.cl"))


@pytest.fixture
def queue():
    with specpi.Queue(profiling=True) as profiled:
        yield profiled
