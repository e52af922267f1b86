"""Kernel Tuner over images with constants."""

import inspect
import json
import logging
import os
import pickle
import tempfile
import threading
import time

import numpy as np
import pytest
import ray
from kernel_tuner.observers import BenchmarkObserver

import specpi
from specpi import kernel_tuner
from specpi.kernel_tuner import run_kernel, tune_kernel

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tuned.cl")
SIZE = 64
TUNED = {"block_size_x": [4, 8], "items": [1, 2, 4]}


@pytest.fixture(scope="module")
def tuned_image():
    return specpi.compile(SOURCE)


def tune(source, tuned=None, factor=2, **given):
    data = np.arange(SIZE, dtype=np.int32)
    return tune_kernel(
        "affine",
        source,
        SIZE,
        [np.zeros(SIZE, np.int32), data],
        TUNED if tuned is None else tuned,
        **{
            "grid_div_x": ["block_size_x", "items"],
            "answer": [factor * data, None],
            "iterations": 2,
            "quiet": True,
            **given,
        },
    )


def is_valid(result):
    return "__error__" not in result


def test_brute_force_tries_every_configuration(tuned_image):
    results, env = tune(tuned_image)
    assert sorted((one["block_size_x"], one["items"]) for one in results) == [
        (x, items) for x in TUNED["block_size_x"] for items in TUNED["items"]
    ]
    assert all(is_valid(one) and one["time"] >= 0 and len(one["times"]) == 2 for one in results)
    assert env["device_name"] == specpi.devices()[0].name
    assert env["best_config"]["time"] == min(one["time"] for one in results)


@pytest.mark.parametrize("strategy", ["random_sample", "greedy_ils", "genetic_algorithm"])
def test_other_strategies_find_configurations(tuned_image, strategy):
    options = {"max_fevals": 4}
    if strategy == "genetic_algorithm":
        options["popsize"] = 4
    results, _ = tune(tuned_image, strategy=strategy, strategy_options=options)
    assert 1 <= len(results) <= len(TUNED["block_size_x"]) * len(TUNED["items"]) and all(map(is_valid, results))


def test_a_path_of_a_source_is_compiled_once_with_defines(monkeypatch):
    made = []
    compiled = specpi.compile
    monkeypatch.setattr("specpi._tunables.compile", lambda *given, **named: made.append(1) or compiled(*given, **named))
    data = np.arange(SIZE, dtype=np.int32)
    results, _ = tune(SOURCE, defines={"SHIFT": 5}, answer=[2 * data + 5, None])
    assert len(results) == 6 and all(map(is_valid, results)) and made == [1]


def test_each_value_of_several_arrives(tuned_image):
    data = np.arange(SIZE, dtype=np.float32)
    results, _ = tune_kernel(
        "weigh", tuned_image, SIZE, [np.zeros_like(data), data, np.float32(2), np.int32(7), np.float32(3)],
        {"block_size_x": [4, 8]}, answer=[2 * data + 21, None, None, None, None], quiet=True,
    )
    assert len(results) == 2 and all(map(is_valid, results))


@pytest.mark.parametrize("dtype", [np.int64, np.float32, ">i4"])
def test_an_array_of_another_type_is_refused(tuned_image, dtype):
    given = [np.zeros(SIZE, np.int32), np.zeros(SIZE, dtype)]
    with pytest.raises(TypeError, match="elements of (int64|float32) given|other byte order"):
        tune_kernel("affine", tuned_image, SIZE, given, TUNED, grid_div_x=["block_size_x", "items"], quiet=True)


def test_values_are_those_of_the_parameters_type(tuned_image):
    data = np.arange(SIZE, dtype=np.float32)
    given = [np.zeros_like(data), data, np.float64(2), np.int64(7), np.float64(3)]
    results, _ = tune_kernel("weigh", tuned_image, SIZE, given, {"block_size_x": [4]},
                             answer=[2 * data + 21, None, None, None, None], quiet=True)
    assert all(map(is_valid, results))
    given[3] = np.float32(7)
    with pytest.raises(TypeError, match="argument 3 is i32, float32 given"):
        tune_kernel("weigh", tuned_image, SIZE, given, {"block_size_x": [4]}, quiet=True)


def test_a_text_of_source_is_tuned():
    with open(SOURCE, encoding="utf-8") as file:
        results, _ = tune(file.read(), {"block_size_x": [8], "items": [2]})
    assert is_valid(results[0])


def test_a_ready_image_is_tuned(tuned_image, tmp_path):
    path = tmp_path / "tuned.o"
    path.write_bytes(tuned_image._content)
    results, _ = tune(path, {"block_size_x": [8], "items": [2]})
    assert is_valid(results[0])


def test_a_wrong_kernel_is_found(tuned_image):
    with pytest.raises(RuntimeError, match="verification failed"):
        tune(tuned_image, factor=3)
    # Only one value of the constant gives the right result.
    with pytest.raises(RuntimeError, match="verification failed.*factor=3"):
        tune(tuned_image, {**TUNED, "factor": [2, 3]})


def test_verify_is_called(tuned_image):
    seen = []

    def verify(answer, result, atol):
        seen.append(int(result[0][1]))
        return True

    tune(tuned_image, {**TUNED, "factor": [5]}, verify=verify)
    assert set(seen) == {5}


def test_too_large_a_group_is_an_invalid_configuration(tuned_image):
    # Kernel Tuner refuses groups of more than the backend's max_threads, 1024, before a build.
    results, _ = tune(tuned_image, {"block_size_x": [8, 1 << 14], "items": [1]})
    assert [one["block_size_x"] for one in results if is_valid(one)] == [8]


def test_a_launch_with_too_much_local_memory_is_an_invalid_configuration(tuned_image):
    data = np.ones(SIZE, np.int32)
    results, _ = tune_kernel(
        "sum",
        tuned_image,
        SIZE,
        [np.zeros(SIZE, np.int32), data],
        {"block_size_x": [4, 8], "factor": [1, 2]},
        smem_args={"size": lambda p: 4 * p["block_size_x"] if p["factor"] == 1 else 1 << 33},
        verify=lambda answer, result, atol: bool(result[0][0] in (4, 8)),
        answer=[np.zeros(SIZE, np.int32), None],
        iterations=1,
        quiet=True,
    )
    assert [one["factor"] for one in results if is_valid(one)] == [1, 1]
    assert len(results) == 4


class Counter(BenchmarkObserver):
    def __init__(self):
        self.launches = 0
        self.configurations = []

    def register_configuration(self, params):
        self.configurations.append(params["items"])

    def after_finish(self):
        self.launches += 1

    def get_results(self):
        found, self.launches = {"launches": self.launches}, 0
        return found


def test_observers_see_each_launch(tuned_image):
    counter = Counter()
    results, _ = tune(tuned_image, observers=[counter], metrics={"twice": lambda p: 2 * p["launches"]})
    assert [one["launches"] for one in results] == [2] * 6 and [one["twice"] for one in results] == [4] * 6
    assert set(counter.configurations) == {1, 2, 4} and counter.dev.name == specpi.devices()[0].name


class Device(Counter):
    """Finds the GPU as NVML's observers do."""

    def register_device(self, dev):
        super().register_device(dev)
        self.uuid = dev.env["uuid"]


def test_observers_find_the_device_by_its_uuid(tuned_image):
    found = Device()
    tune(tuned_image, observers=[found])
    device = specpi.Queue().device
    assert found.uuid == (device.uuid and str(device.uuid))
    assert found.uuid or device.backend != "cuda"


def test_a_cache_file_is_continued(tuned_image, tmp_path):
    cache = tmp_path / "cache.json"
    tune(tuned_image, strategy="random_sample", strategy_options={"max_fevals": 3}, cache=str(cache))
    there = json.loads(cache.read_text())["cache"]
    assert len(there) == 3
    counter = Counter()
    results, _ = tune(tuned_image, cache=str(cache), observers=[counter])
    assert len(results) == 6 and len(json.loads(cache.read_text())["cache"]) == 6
    # Only the 3 missing configurations are measured. The first one is twice, because Kernel Tuner warms up.
    assert len(counter.configurations) == 4
    simulated, _ = tune(tuned_image, cache=str(cache), simulation_mode=True)
    assert len(simulated) == 6


def test_an_unknown_constant_is_told(tuned_image):
    with pytest.raises(ValueError, match='"itms" is neither a constant of .*; its constants are block_size_x, factor, items'):
        tune(tuned_image, {"block_size_x": [4], "itms": [1]})


def test_a_value_of_another_type_is_told(tuned_image):
    with pytest.raises(TypeError, match='constant "factor" is i32, float given'):
        tune(tuned_image, {"block_size_x": [4], "items": [1], "factor": [1.5]})


class Watched:
    """An image that records its builds, which may wait or fail."""

    def __init__(self, image, monkeypatch, before=lambda values: None):
        self.image, self.built, self.kernel, self.before = image, [], image.kernel, before
        monkeypatch.setattr(image, "kernel", self)

    def __call__(self, name, values, **given):
        self.built.append(tuple(values[key] for key in TUNED))
        self.before(values)
        return self.kernel(name, values, **given)


class Steps(BenchmarkObserver):
    """Calls a function before each measurement of a configuration."""

    def __init__(self, step):
        self.step = step

    def register_configuration(self, params):
        self.step(params)

    def get_results(self):
        return {}


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def builders():
    return [one for one in threading.enumerate() if one.name.startswith("specpi-tune")]


CONFIGURATIONS = [(x, items) for x in TUNED["block_size_x"] for items in TUNED["items"]]


class Listed:
    """A strategy that passes these configurations to the runner at once."""

    def __init__(self, configurations):
        self.configurations = configurations

    def tune(self, searchspace, runner, tuning_options):
        return [one for one in runner.run(iter(self.configurations), tuning_options) if one]


def test_configurations_are_built_ahead(tuned_image, monkeypatch):
    watched, counts = Watched(tuned_image, monkeypatch), []

    def step(params):
        if not counts:  # the first one, to warm up
            wait_until(lambda: len(watched.built) == 3)
        counts.append(len(watched.built))

    specpi.cache.clear()
    before = specpi.cache.statistics()["builds"]
    results, _ = tune(tuned_image, strategy=Listed(CONFIGURATIONS), observers=[Steps(step)], builds_ahead=1)
    assert [(one["block_size_x"], one["items"]) for one in results] == CONFIGURATIONS and all(map(is_valid, results))
    # Builds run ahead by twice the number of threads, none is repeated, and each launch uses its own build.
    assert counts[:2] == [3, 3] and all(count <= turn + 3 for turn, count in enumerate(counts[1:]))
    assert watched.built == CONFIGURATIONS and specpi.cache.statistics()["builds"] - before == len(CONFIGURATIONS)
    assert not builders()


@pytest.mark.parametrize(
    "strategy, options", [("random_sample", {"fraction": 1}), ("genetic_algorithm", {"popsize": 3})]
)
def test_strategies_that_hand_out_lists_are_built_ahead(tuned_image, monkeypatch, strategy, options):
    watched = Watched(tuned_image, monkeypatch)
    step = Steps(lambda params: wait_until(lambda: len(watched.built) >= 3))
    results, _ = tune(tuned_image, strategy=strategy, strategy_options=options, observers=[step], builds_ahead=2)
    assert len(results) >= 3 and all(map(is_valid, results))


def test_nothing_is_built_ahead_where_that_is_asked_for(tuned_image, monkeypatch):
    watched, counts = Watched(tuned_image, monkeypatch), []
    tune(tuned_image, observers=[Steps(lambda params: counts.append(len(watched.built)))], builds_ahead=0)
    assert counts == [1, 2, 3, 4, 5, 6, 7]  # the first one twice: Kernel Tuner warms up


def test_the_number_of_cores_limits_builds_ahead(monkeypatch):
    device = specpi.devices()[0]
    for cores, count in [(1, 0), (2, 1), (9, 8), (64, 8)]:
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
        assert kernel_tuner._count_builds(None, device) == (0 if device.type == "cpu" else count)
        assert kernel_tuner._count_builds(3, device) == 3


def test_what_is_not_measured_is_not_built(tuned_image, monkeypatch, tmp_path):
    watched, cache = Watched(tuned_image, monkeypatch), str(tmp_path / "cache.json")
    limited = {"strategy_options": {"max_fevals": 3}, "cache": cache, "builds_ahead": 2}
    assert len(tune(tuned_image, strategy=Listed(CONFIGURATIONS), **limited)[0]) == 3
    assert sorted(watched.built) == CONFIGURATIONS[:3]
    results, _ = tune(tuned_image, cache=cache, builds_ahead=2)
    assert len(results) == 6 and sorted(watched.built) == CONFIGURATIONS
    tune(tuned_image, cache=cache, simulation_mode=True, builds_ahead=2)
    # Kernel Tuner refuses a group that is too large before the kernel is built.
    results, _ = tune(tuned_image, strategy=Listed([(1 << 14, 1), (16, 1)]), builds_ahead=2)
    assert list(map(is_valid, results)) == [False, True] and sorted(watched.built) == [*CONFIGURATIONS, (16, 1)]


@pytest.mark.parametrize("builds", [0, 2])
def test_a_configuration_that_does_not_build_is_told_in_its_turn(tuned_image, monkeypatch, caplog, builds):
    def refuse(values):
        if values["items"] == 2:
            raise specpi.BuildError("it has two", -11, "SPECPI_ERROR_BUILD_FAILED", "")

    Watched(tuned_image, monkeypatch, refuse)
    measure = Steps(lambda params: logging.warning("measured"))
    results, _ = tune(tuned_image, strategy=Listed(CONFIGURATIONS), observers=[measure], builds_ahead=builds)
    assert [one["items"] for one in results if is_valid(one)] == [1, 4, 1, 4] and len(results) == 6
    refused = "a configuration is not built: it has two"
    assert [one.getMessage() for one in caplog.records] == [
        *["measured"] * 2,  # to warm up, and in its turn
        refused,
        *["measured"] * 2,
        refused,
        "measured",
    ]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_no_thread_outlives_the_call(tuned_image, monkeypatch, error):
    hold = threading.Event()
    watched = Watched(tuned_image, monkeypatch, lambda values: values == first or hold.wait(60))
    first = dict(zip(TUNED, CONFIGURATIONS[0]))

    def step(params):
        wait_until(lambda: len(watched.built) == 3)
        threading.Timer(0.5, hold.set).start()
        raise error("in the middle")

    with pytest.raises(error, match="in the middle"):
        tune(tuned_image, strategy=Listed(CONFIGURATIONS), observers=[Steps(step)], builds_ahead=2)
    # Two builds were running, and the others are cancelled.
    assert not builders() and sorted(watched.built) == CONFIGURATIONS[:3]


def test_an_error_of_a_build_ahead_comes_in_its_turn(tuned_image, monkeypatch):
    counts = []
    with pytest.raises(TypeError, match='constant "factor" is i32, float given'):
        tune(
            tuned_image,
            {"block_size_x": [4], "items": [1], "factor": [2, 1.5]},
            observers=[Steps(counts.append)],
            strategy=Listed([(4, 1, 2), (4, 1, 1.5)]),
            builds_ahead=2,
        )
    assert len(counts) == 2 and not builders()


@pytest.mark.parametrize("builds", [-1, 1.5, "4"])
def test_a_wrong_number_of_builds_is_told(tuned_image, builds):
    with pytest.raises(ValueError, match="^builds_ahead is .*: give how many builds run at the same time, 0 for none$"):
        tune(tuned_image, builds_ahead=builds)
    assert "builds_ahead" in inspect.signature(tune_kernel).parameters
    with pytest.raises(TypeError, match="builds_ahead"):
        run_kernel("affine", tuned_image, SIZE, [], {}, builds_ahead=1)


@pytest.mark.parametrize(
    "given, error, part",
    [
        ({"source": 3}, TypeError, "kernel_source is a int"),
        ({"source": SOURCE, "compiler_options": ["-DSHIFT=(("]}, specpi.BuildError, "does not compile"),
        ({"source": SOURCE, "device": 77}, specpi.Error, "there is no device 77"),
    ],
)
def test_wrong_arguments_are_told(given, error, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # Kernel Tuner leaves the source there
    with pytest.raises(error, match=part):
        tune(**given)


def test_run_kernel_gives_the_arguments(tuned_image):
    data = np.arange(SIZE, dtype=np.int32)
    made = run_kernel(
        "affine",
        tuned_image,
        SIZE,
        [np.zeros(SIZE, np.int32), data],
        {"block_size_x": 8, "items": 2, "factor": 7},
        grid_div_x=["block_size_x", "items"],
        quiet=True,
    )
    assert made[0].tolist() == (7 * data).tolist()


def test_an_image_is_pickled(tuned_image):
    other = pickle.loads(pickle.dumps(tuned_image))
    assert other.kernels == tuned_image.kernels and set(other.constants) == set(tuned_image.constants)
    assert pickle.loads(pickle.dumps(other)).kernels == tuned_image.kernels


def test_the_parallel_runner_uses_two_workers(tuned_image, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # else it writes into the home
    with tempfile.TemporaryDirectory(prefix="ray-") as directory:  # a short path, for its sockets
        ray.init(num_cpus=2, num_gpus=2, include_dashboard=False, _temp_dir=directory)  # each worker takes a "GPU"
        try:
            results, env = tune(tuned_image, parallel=2, builds_ahead=2)
        finally:
            ray.shutdown()
    assert len(results) == 6 and all(map(is_valid, results))
    assert len(env["workers"]) == 2
    assert {one["ray_actor_id"] for one in results} == {one["ray"]["actor_id"] for one in env["workers"]}
