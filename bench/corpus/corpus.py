"""Makes PTX of every device image in wheels of dpctl and dpnp, and has ptxas take it.

usage: corpus.py --specpi FILE --codegen FILE --build FILE --ptxas FILE --cache DIRECTORY [--count N] [--seconds N]
           [--jobs N] [--gpu GPU] [--keep DIRECTORY]

The wheels are downloaded into the cache once, and their images are taken out of them. Equal modules are built
once. Modules go in the order of the hashes of their bytes, so that what --count or --seconds leaves of them is a
sample without a preference. It prints how many build, of each wheel, and what does not, by reason; --keep gets a
module of each reason.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

WHEELS = ["dpctl==0.17.0", "dpctl==0.21.1", "dpnp==0.15.0", "dpnp==0.20.0"]
ESIMD = "ESIMD, for Intel's GPUs only"


def download(wheel, cache):
    """The wheel's file."""
    directory = cache / "wheels"
    pattern = wheel.replace("==", "-") + "-*.whl"
    if not list(directory.glob(pattern)):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", directory, wheel]
        subprocess.run(command, check=True)
    return next(directory.glob(pattern))


def extract(specpi, library, modules):
    """Takes the modules out of a library; a line with each one's hash."""
    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch, library.filename.rsplit("/", 1)[-1])
        file.write_bytes(library.read())
        images = pathlib.Path(scratch, "images")
        command = [specpi, "inspect", file, "--extract", images]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        for image in sorted(images.glob("*.spv")):
            bytes_ = image.read_bytes()
            name = hashlib.sha256(bytes_).hexdigest()
            (modules / f"{name}.spv").write_bytes(bytes_)
            lines.append(f"{name} {library.filename} {image.stem}")
    return lines


class Member:
    """A file in a wheel."""

    def __init__(self, archive, info):
        self.archive = archive
        self.filename = info.filename

    def read(self):
        return self.archive.read(self.filename)


def index(specpi, wheel, cache):
    """The hashes of the images of a wheel, an image's as often as it is there."""
    modules = cache / "modules"
    modules.mkdir(parents=True, exist_ok=True)
    done = cache / f"{wheel}.txt"
    if not done.exists():
        lines = []
        with zipfile.ZipFile(download(wheel, cache)) as archive:
            for info in archive.infolist():
                if re.search(r"\.so(\.\d+)*$", info.filename):
                    lines += extract(specpi, Member(archive, info), modules)
        done.write_text("\n".join(lines) + "\n")
    return [line.split()[0] for line in done.read_text().split("\n") if line]


class Builder:
    """A program that builds, with a directory for what it makes."""

    def __init__(self, options):
        self.options = options
        self.directory = tempfile.TemporaryDirectory()
        self.program = subprocess.Popen(
            [options.build, options.codegen, options.gpu], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            errors="replace")

    def build(self, module):
        """Returns the fault of a module, "ok" if there is none."""
        ptx = pathlib.Path(self.directory.name, "module.ptx")
        print(f"{module}\t{ptx}", file=self.program.stdin, flush=True)
        said = self.program.stdout.readline().strip()
        if said != "ok":
            return said or "bench-corpus-build ended"
        command = [self.options.ptxas, f"-arch={self.options.gpu}", "-O0", ptx, "-o", "/dev/null"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return "ptxas: " + (done.stderr.strip().splitlines() or ["it said nothing"])[0]
        return "ok"


def group(sentence):
    """The reason that a message gives, without what differs from module to module."""
    if ESIMD in sentence:
        return "ESIMD"
    if sentence.startswith("ptxas"):
        sentence = re.sub(r"^ptxas: \S+, line \d+; ", "ptxas: ", sentence)
    sentence = re.sub(r"0x[0-9a-f]+", "0x..", sentence)
    return re.sub(r"(_Z\w{60})\w+", r"\1...", sentence)[:300]


def build_all(options, names, modules):
    """The message about each module that there was time for."""
    results = {}
    end = time.monotonic() + options.seconds if options.seconds else None
    local = threading.local()
    lock = threading.Lock()

    def one(name):
        if end and time.monotonic() > end:
            return
        if not hasattr(local, "builder"):
            local.builder = Builder(options)
        said = local.builder.build(modules / f"{name}.spv")
        with lock:
            results[name] = said
            if group(said) not in ("ok", "ESIMD"):
                print(f"{name}: {said}", file=sys.stderr, flush=True)
            if len(results) % 500 == 0:
                print(f"... {len(results)}", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, names))
    return results


def report(results, wheels, options, modules):
    """Prints what was found; whether all that are no ESIMD build."""
    reasons = collections.defaultdict(list)
    print(f"{'wheel':16} {'images':>7} {'built':>7} {'fail':>6} {'ESIMD':>6}  share without ESIMD")
    for wheel, hashes in list(wheels.items()) + [("different ones", sorted(set().union(*wheels.values())))]:
        said = [group(results[name]) for name in hashes if name in results]
        good = said.count("ok")
        esimd = said.count("ESIMD")
        tried = len(said) - esimd
        share = f"{100 * good / tried:.2f}% of {tried}" if tried else "none was tried"
        print(f"{wheel:16} {len(hashes):7} {good:7} {tried - good:6} {esimd:6}  {share}")
    for name, said in results.items():
        if said != "ok":
            reasons[group(said)].append(name)
    print("\nmodules  reason")
    for reason, names in sorted(reasons.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(names):7}  {reason}; for example {names[0][:16]}")
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(modules / f"{names[0]}.spv", options.keep)
    return set(reasons) <= {"ESIMD"}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("specpi", "codegen", "build", "ptxas", "cache"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--gpu", default="sm_90")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    wheels = {wheel: index(options.specpi, wheel, options.cache) for wheel in WHEELS}
    modules = options.cache / "modules"
    names = sorted(set().union(*wheels.values()))
    begun = time.monotonic()
    results = build_all(options, names[: options.count], modules)
    print(f"{len(results)} of {len(names)} different modules in {time.monotonic() - begun:.0f} s\n")
    sys.exit(not report(results, wheels, options, modules))


main()
