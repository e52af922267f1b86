# The tests of specpi-cc: kernels and scripts with RUN lines, read by lit. CMake passes the tools.
import os

import lit.formats

config.name = "specpi-cc"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".cl", ".clcpp", ".cpp", ".ll", ".spvasm", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = lit_config.params["source"]
config.test_exec_root = lit_config.params["output"]
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"
config.environment.update(
    {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
)
for name in ("SPECPI_CLANG", "SPECPI_LLVM_SPIRV", "SPECPI_CC", "SPECPI_LIBCLC", "TMPDIR"):
    config.environment.pop(name, None)
if "NOTFOUND" not in lit_config.params["ptxas"]:
    config.available_features.add("ptxas")
# A tool is %name in a RUN line.
for tool in (
    "specpi-cc", "specpi", "python", "clang", "llvm-spirv", "FileCheck", "not", "nm", "spirv-as",
    "spirv-val", "spirv-dis", "ptxas", "launch",
):  # fmt: skip
    config.substitutions.append(("%" + tool + r"(?![-\w])", lit_config.params[tool]))
# What is common to all of a kind of run.
config.substitutions.append(("%inputs", os.path.join(lit_config.params["source"], "Inputs")))
