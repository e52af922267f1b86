# The tests of compiler/host: C++ files with RUN lines, read by lit. CMake passes the tools.
import os

import lit.formats

config.name = "specpi-host"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp"]
config.excludes = ["Inputs"]
config.test_source_root = lit_config.params["source"]
config.test_exec_root = lit_config.params["output"]
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"
config.environment.update(
    {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
)
warnings = " -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wredundant-decls -Werror"
config.substitutions.append(("%include", "-I" + lit_config.params["source"] + "/Inputs/include"))
for tool, options in (("host", ""), ("gxx", warnings), ("clangxx", warnings), ("python", "")):
    config.substitutions.append(("%" + tool + r"\b", lit_config.params[tool] + options))
for tool in ("FileCheck", "not"):
    config.substitutions.append((r"(?<![-\w/.])" + tool + r"\b(?!-)", lit_config.params[tool]))
