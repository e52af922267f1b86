"""Threads, the GIL, forks, the end of the interpreter, and what an import costs."""

import copy
import importlib.util
import inspect
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
import typing
from pathlib import Path

import numpy as np
import pytest

import specpi

from conftest import HERE


def run(text, *arguments, **environment):
    return subprocess.run([sys.executable, "-c", text, *arguments], capture_output=True, text=True, timeout=300, cwd=HERE,
                          env={**os.environ, **environment})


def test_threads_launch_one_kernel(image, queue):
    kernel, failures = image.kernel("add", offset=5), []

    def work(number):
        try:
            own = specpi.Queue(queue.device)
            for _ in range(20):
                given, made = np.full(64, number, np.int32), np.zeros(64, np.int32)
                kernel(own, 64, given, made)
                assert (made == number + 5).all()
                image.kernel("add", offset=number)
        except BaseException as reason:
            failures.append(reason)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failures


def test_threads_close_what_others_use(image, queue):
    kernel = image.kernel("scale")
    for _ in range(50):
        buffer, seen = specpi.Buffer(4096, queue), []

        def use(buffer, seen):
            try:
                while True:
                    kernel(queue, 1024, buffer, np.float32(1))
            except ValueError as reason:
                seen.append(str(reason))

        threads = [threading.Thread(target=use, args=(buffer, seen)) for _ in range(3)]
        for one in threads:
            one.start()
        buffer.close()
        for one in threads:
            one.join()
        assert seen == ["this buffer is closed"] * 3
    queue.finish()


def test_calls_give_up_the_gil():
    """The foreign functions are CDLL's, which release the GIL; PyDLL's would not."""
    import ctypes

    from specpi import _library

    assert type(_library.library()) is ctypes.CDLL
    assert not _library.library()._FuncPtr._flags_ & 4  # FUNCFLAG_PYTHONAPI


def test_new_values_are_generated_and_compiled_once(image, tmp_path):
    if specpi.devices()[0].backend != "cuda":
        pytest.skip("specpi-codegen makes code for CUDA alone")
    path, calls = tmp_path / "kernels.o", tmp_path / "calls"
    path.write_bytes(image._content)
    done = run(
        "import sys, specpi\nimage = specpi.load(sys.argv[1])\n"
        "for offset in range(3): image.kernel('add', offset=offset)",
        str(path), FAKE_CUDA_CALLS=str(calls), SPECPI_TRACE="cache", SPECPI_CACHE_DIR="",
    )
    assert done.returncode == 0 and done.stderr.count("PTX of") == 3, done.stderr
    # The driver's linker compiles the PTX, so that other threads can run; the loaded module is a cubin.
    counted = dict(line.split() for line in calls.read_text().splitlines())
    assert counted["cuLinkComplete"] == counted["cuModuleLoadDataEx"] == "3"


def test_a_forked_child_is_told(image, queue):
    done = run(
        "import os, sys, specpi\n"
        "queue = specpi.Queue()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n"
        "        specpi.Queue()\n"
        "    except specpi.Error as reason:\n"
        "        print(reason)\n"
        "    del queue\n"
        "    sys.stdout.flush()\n"
        "    os._exit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\n"
        "queue.finish()\n"
    )
    assert done.returncode == 0, done.stderr
    assert "was forked from" in done.stdout and "spawn" in done.stdout


def test_a_fork_before_the_first_call_is_fine():
    done = run("import os, specpi\nchild = os.fork()\nspecpi.Queue().finish()\nif child == 0: os._exit(0)\n"
               "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n")
    assert done.returncode == 0, done.stderr


SLOW = """
import os, signal, sys, threading, specpi
terms = "".join(f"x[i + {n}] += sin(x[i] * {n}) * pow(x[i + 1], specpi_get(n) + {n});" for n in range(int(sys.argv[1])))
image = specpi.compile(source="#include <specpi/device.h>\\nSPECPI_CONSTANT(int, n, 3);"
                              "kernel void f(global float *x, int i) {" + terms + "}")
specpi.Queue().finish()
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    image.kernel("f", n=5)
except KeyboardInterrupt:
    os.write(2, b"interrupted\\n")
if sys.argv[2] == "again":
    image.kernel("f", n=5)
    counts = specpi.cache.statistics()
    assert counts["builds"] == 1 and counts["failures"] == 0, counts
"""


@pytest.mark.parametrize("then", ["end", "again"])
def test_an_interrupt_does_not_wait_for_a_build(then):
    terms = "100" if specpi.devices()[0].backend == "cuda" else "400"
    done = run(SLOW, terms, then, SPECPI_TRACE="cache", SPECPI_CACHE_DIR="")
    assert done.returncode == 0, done.stderr
    # The build is completed: for the next caller, or before the interpreter ends.
    lines = [line for line in done.stderr.splitlines() if line == "interrupted" or line.endswith(" was built")]
    assert lines[0] == "interrupted" and len(lines) == 2, done.stderr


@pytest.mark.parametrize(
    "ending", ["", "sys.exit(0)", "import threading; threading.Thread(target=queue.finish).start()"]
)
def test_the_interpreter_ends_with_everything_alive(ending):
    done = run(
        "import sys, specpi, numpy\n"
        f"image = specpi.compile({os.path.join(HERE, 'kernels.cl')!r})\n"
        "queue, buffer = specpi.Queue(), specpi.Buffer(4096)\n"
        "memory = specpi.Memory(64); view = numpy.asarray(memory)\n"
        "kernel = image.kernel('scale')\n"
        "event = kernel(queue, 1024, buffer, numpy.float32(1))\n"
        "cycle = [queue, buffer, memory, image, kernel, event]; cycle.append(cycle)\n" + ending
    )
    assert (done.returncode, done.stderr.replace("SYCL CPU RT Warning: Unknown host CPU.", "").strip()) == (0, "")


def test_exceptions_are_called_by_their_public_names():
    done = run("import specpi; specpi.Queue('nowhere:0')")
    assert "\nspecpi.Error: " in done.stderr
    assert pickle.dumps(specpi.BuildError).find(b"_library") == -1


def test_public_names_keep_their_sources_and_type_hints():
    for name in specpi.__all__:
        public = getattr(specpi, name)
        if inspect.isclass(public) and not issubclass(public, Exception):
            assert inspect.getsource(public).startswith(("class ", "@")), name
        if inspect.isclass(public) or inspect.isfunction(public):
            typing.get_type_hints(public)


def test_the_version_is_the_librarys():
    assert specpi.__version__ == specpi.version()


def test_the_package_runs_as_the_program():
    done = subprocess.run([sys.executable, "-m", "specpi", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith(f"specpi {specpi.__version__}, ")
    done = subprocess.run([sys.executable, "-m", "specpi", "nothing"], capture_output=True, text=True)
    assert done.returncode != 0 and "nothing" in done.stderr


def test_objects_show_what_they_are(image, queue):
    assert repr(image).endswith("take_pair; constants factor, filter, negate, offset>")
    event = image.kernel("scale", device=queue)(queue, 1, specpi.Buffer(4, queue), np.float32(0)).wait()
    assert repr(event) == "<specpi.Event, complete>"
    event.close()
    assert repr(event) == "<specpi.Event, closed>"


def test_what_is_of_this_process_does_not_leave_it(image, queue):
    buffer, memory = specpi.Buffer(4, queue), specpi.Memory(4, queue)
    kernel = image.kernel("scale", device=queue)
    for one in (queue, buffer, memory, kernel, kernel(queue, 1, buffer, np.float32(0))):
        for leave in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=f"an? {type(one).__name__} is of this process"):
                leave(one)


def test_a_device_is_the_same_one_in_another_process(queue):
    done = run("import pickle, sys\nprint(pickle.loads(bytes.fromhex(sys.argv[1])))", pickle.dumps(queue.device).hex())
    assert done.stdout.strip() == repr(queue.device), done.stderr


def test_memory_of_the_device_is_no_array(queue):
    for one in (specpi.Buffer(4, queue), specpi.Memory(4, queue, "device")):
        for make in (np.asarray, lambda given: np.array(given, dtype=np.float32)):
            with pytest.raises(TypeError, match="read.queue, array. copies its bytes into an array"):
                make(one)


def test_numpy_is_not_imported():
    done = run("import sys, specpi\nspecpi.devices()\nassert 'numpy' not in sys.modules")
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_found_is_said(tmp_path):
    done = run("import specpi; specpi.devices()", SPECPI_LIBRARY=str(tmp_path / "none.so"))
    assert f"libspecpi is not there, or belongs to another user; these files were tried: {tmp_path}/none.so" in done.stderr
    done = run("import specpi; specpi.devices()", SPECPI_LIBRARY="none.so")
    assert "not an absolute path" in done.stderr
    (tmp_path / "bad.so").write_text("text")
    done = run("import specpi; specpi.devices()", SPECPI_LIBRARY=str(tmp_path / "bad.so"))
    assert "bad.so cannot be used" in done.stderr


PACKAGE = os.path.dirname(specpi.__file__)


def installed(directory, call):
    """Copies the package into a directory, and calls its function; returns the result or error as text."""
    shutil.copytree(PACKAGE, directory / "specpi", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    done = run(f"import specpi\ntry: print(specpi.{call})\nexcept specpi.Error as reason: print('Error:', reason)",
               PYTHONPATH=str(directory), SPECPI_LIBRARY="")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def placed(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("text")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("packages, prefix", [
    ("app/vendor/site", "app/vendor/site"),
    ("lib/python3.11/site-packages", "."),
    ("local/lib/python3.11/dist-packages", "local"),
    ("lib64/python3.11/site-packages", "."),
])
def test_the_library_is_found_where_pip_puts_it(tmp_path, packages, prefix):
    library = placed(tmp_path / prefix / "lib/specpi/libspecpi.so.0")
    program = placed(tmp_path / prefix / "bin/specpi-cc")
    assert installed(tmp_path / packages, "library_path()") == str(library)
    assert installed(tmp_path / packages, "program_path('specpi-cc')") == str(program)


@pytest.mark.parametrize("packages, other", [
    ("app/vendor/site", "."), ("app/vendor/site", "app"), ("app/vendor/site", "app/vendor"),
    ("lib/site", "."), ("app/lib/python3.11/site-packages", "."),
])
def test_a_library_above_the_package_is_not_loaded(tmp_path, packages, other):
    placed(tmp_path / other / "lib/specpi/libspecpi.so.0")
    assert installed(tmp_path / packages, "library_path()").startswith("Error: libspecpi is not there")
    own = placed(tmp_path / packages / "lib/specpi/libspecpi.so.0")
    assert installed(tmp_path / packages, "library_path()") == str(own)


@pytest.mark.parametrize("library", ["app/lib/libspecpi.so.0", "app/libspecpi.so.0", "app/lib/specpi/libspecpi.so.0"])
def test_a_program_outside_of_the_librarys_prefix_is_not_run(tmp_path, library):
    placed(tmp_path / "bin/specpi-cc")
    library = placed(tmp_path / library)
    done = run("import specpi; specpi.program_path('specpi-cc')", SPECPI_LIBRARY=str(library))
    assert "specpi-cc is not there" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user")
@pytest.mark.parametrize("given", ["lib/specpi", "lib/specpi/libspecpi.so.0"])
def test_a_library_of_another_user_is_not_loaded(tmp_path, given):
    placed(tmp_path / "lib/specpi/libspecpi.so.0")
    os.chown(tmp_path / given, 65534, 65534)
    assert "belongs to another user" in installed(tmp_path, "library_path()")


def test_the_wheels_description_names_files_and_links_to_none():
    root = Path(HERE).parents[1]
    spec = importlib.util.spec_from_file_location("long_description", root / "scripts" / "long_description.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.dynamic_metadata({"page": "docs/python.md"}, {})["readme"]["text"]
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert links and all(link.startswith("https://") for link in links)
    named = re.findall(r"\((docs/[^)]*)\)", text)
    assert "docs/internals/cache.md" in named and all((root / name).is_file() for name in named)


def headers():
    directory = os.path.join(HERE, "..", "..", "include", "specpi")
    names = [name for name in sorted(os.listdir(directory)) if name.endswith(".h")]
    texts = [open(os.path.join(directory, name)).read() for name in names]
    return re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.S)


def test_functions_are_those_of_the_headers():
    from specpi import _library as lib

    text = headers()
    for table, returns in (
        (lib.RESULTS, "specpi_result"),
        (lib.TEXTS, "const char *"),
        (lib.NOTHING, "void"),
    ):
        for name, takes in table.items():
            found = re.search(r"^([a-z_ ]+[ *])" + name + r"\(([^)]*)\);", text, re.M)
            assert found and found[1].strip() == returns.strip(), name
            parameters = [] if found[2] == "void" else found[2].split(",")
            assert len(parameters) == len(takes), name
            for parameter, given in zip(parameters, takes):
                is_pointer = "*" in parameter or re.match(
                    r"\s*specpi_(device|platform|image|bundle|kernel|queue|buffer|event|image_file) ", parameter
                )
                assert bool(is_pointer) == (given in (lib._P, lib._S)), (name, parameter)
                assert ("size_t " in parameter and not is_pointer) == (given is lib._Z), (name, parameter)


def test_lists_are_those_of_the_headers():
    from specpi import _library as lib

    text = headers()

    def rows(macro, column=1):
        body = re.search(r"#define " + macro + r"\(X\)((?:.*\\\n)*.*)", text)[1]
        return [re.split(r",\s*", row)[column] for row in re.findall(r"X\(([^)]*)\)", body)]

    assert tuple(rows("SPECPI_MEMORY_KINDS")) == lib.MEMORY_KINDS
    assert rows("SPECPI_CACHE_STATISTICS", 0) == lib.STATISTICS
    assert rows("SPECPI_ARGUMENT_KINDS", 1) == ["value", "buffer", "pointer", "local"]
    assert rows("SPECPI_QUEUE_FLAGS") == [str(lib.QUEUE_OUT_OF_ORDER), str(lib.QUEUE_PROFILING)]
    enumerators = (Path(HERE).parents[1] / "include" / "pi" / "pi_enums.def").read_text()
    for query, number in lib.DEVICE_QUERIES.items():
        assert f"(pi_device_info, PI_DEVICE_INFO_{query}, {number:#x}, " in enumerators
    results = dict(zip(rows("SPECPI_RESULTS", 0), rows("SPECPI_RESULTS")))
    assert int(results["SPECPI_ERROR_BUILD_FAILED"]) == lib.BUILD_FAILED
    assert int(results["SPECPI_ERROR_DEVICE_LOST"]) == lib.DEVICE_LOST


def test_a_kernel_that_leaves_its_memory_loses_the_device(tmp_path):
    if specpi.devices()[0].backend != "cuda":
        pytest.skip("OpenCL and Level Zero do not tell")
    done = run(
        "import specpi\n"
        "image = specpi.compile(source='kernel void stray(global int *p, long i) { p[i] = 1; }')\n"
        "queue, memory = specpi.Queue(), specpi.Buffer(64)\n"
        "event = image.kernel('stray')(queue, 1, memory, 1 << 40)\n"
        "for wait in (event.wait, queue.finish, lambda: specpi.Buffer(64)):\n"
        "    try:\n"
        "        wait()\n"
        "        print('nothing')\n"
        "    except specpi.DeviceLostError as error:\n"
        "        print(error.name, error)\n",
        FAKE_CUDA_STRICT="0",
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 3 and all(line.startswith("SPECPI_ERROR_DEVICE_LOST ") for line in lines), done
    assert all("this process cannot use the device any more" in line for line in lines), done.stdout
    outside = 'CUDA_ERROR_ILLEGAL_ADDRESS (700): kernel "stray", or one before it, read or wrote outside of its memory'
    assert all(outside in line for line in lines[:2]), done.stdout
