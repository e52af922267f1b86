# The tests of specpi-cc: kernels and scripts with RUN lines, read by lit. CMake passes the tools.
import os
import shutil

import lit.formats

config.name = "specpi-cc"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".cl", ".clcpp", ".cpp", ".ll", ".spvasm", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = lit_config.params["source"]
config.test_exec_root = lit_config.params["output"]
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"
config.environment["SPECPI_CACHE_DIR"] = ""
config.environment.update(
    {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
)
for name in ("SPECPI_CLANG", "SPECPI_LLVM_SPIRV", "SPECPI_CC", "SPECPI_LIBCLC", "SPECPI_LIBDEVICE", "TMPDIR", "CXX"):
    config.environment.pop(name, None)
# Only builds with LLVM 15 accept clang 14's output.
if shutil.which("clang-14") and lit_config.params["clang"].endswith("-15"):
    config.available_features.add("clang-14")
if "NOTFOUND" not in lit_config.params["ptxas"]:
    config.available_features.add("ptxas")
if "NOTFOUND" not in lit_config.params["libdevice"]:
    config.available_features.add("libdevice")
# If libspecpi has a sanitizer, programs linked with it need GCC's runtime of the same sanitizer.
if not lit_config.params["sanitize"]:
    config.available_features.add("plain")
else:
    directory = os.path.join(lit_config.params["output"], "sanitizing")
    os.makedirs(directory, exist_ok=True)
    for name in ("c++", "g++"):
        new = os.path.join(directory, f"{name}.{os.getpid()}")
        with open(new, "w", encoding="utf-8") as file:
            file.write(
                f"#!/bin/sh\nexec {shutil.which(name)} "
                f"-fsanitize={lit_config.params['sanitize']} \"$@\"\n"
            )
        os.chmod(new, 0o755)
        os.replace(new, os.path.join(directory, name))
    config.environment["PATH"] = directory + os.pathsep + config.environment["PATH"]
# A tool is %name in a RUN line.
for tool in (
    "specpi-cc", "specpi", "python", "clang", "llvm-spirv", "FileCheck", "not", "nm",
    "spirv-as", "spirv-val", "spirv-dis", "ptxas", "libdevice", "launch", "opencl", "libraries",
):  # fmt: skip
    config.substitutions.append(("%" + tool + r"(?![-\w])", lit_config.params[tool]))
# Values that several RUN lines share.
levels = "2" if lit_config.params["sanitize"] else "0 2"
config.substitutions.append(("%levels", levels))
config.substitutions.append(("%inputs", os.path.join(lit_config.params["source"], "Inputs")))
