# The tests of compiler/host: C++ files with RUN lines, read by lit. CMake passes the tools.
import os

import lit.formats

config.name = "specpi-host"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = lit_config.params["source"]
config.test_exec_root = lit_config.params["output"]
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"
config.environment.update(
    {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
)
warnings = " -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wredundant-decls -Werror"
config.substitutions.append(("%include", "-I" + lit_config.params["source"] + "/Inputs/include"))
# include/sycl and libspecpi. Programs cannot run if libspecpi has a sanitizer, because they have none.
config.substitutions.append(("%sycl", "-I" + lit_config.params["headers"]))
library = lit_config.params["library"]
config.substitutions.append(("%link", f"-L{library} -lspecpi -Wl,-rpath,{library} -ldl"))
if not lit_config.params["sanitizers"]:
    config.available_features.add("run")
for tool, options in (("specpi-cc", ""), ("dwarfdump", ""), ("clang-15", ""), ("host", ""), ("gxx", warnings), ("clangxx", warnings), ("python", "")):
    config.substitutions.append(("%" + tool + r"\b", lit_config.params[tool] + options))
for tool in ("FileCheck", "not", "split-file"):
    config.substitutions.append((r"(?<![-\w/.])" + tool + r"\b(?!-)", lit_config.params[tool]))
