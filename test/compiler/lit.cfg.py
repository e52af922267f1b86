# The tests of the compiler: modules with RUN lines, read by lit. CMake passes the tools.
import lit.formats

config.name = "specpi-compiler"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.excludes = ["Inputs"]
config.test_source_root = lit_config.params["source"]
config.test_exec_root = lit_config.params["output"]
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"
config.environment["SPECPI_CACHE_DIR"] = ""
config.environment.update(
    {name: value for name, value in __import__("os").environ.items() if name.endswith("SAN_OPTIONS")}
)
for tool in ("ptxas", "libclc"):
    if not lit_config.params[tool].endswith("-NOTFOUND"):
        config.available_features.add(tool)
if lit_config.params["pointers"] == "TYPED":
    config.available_features.add("typed-pointers")
# Assembles for a GPU that every version of ptxas knows.
lit_config.params["ptxas"] += " -arch=sm_80"
for tool in ("lower", "spirv", "ptxas", "libclc", "patch", "python", "pointers"):
    config.substitutions.append(("%" + tool + r"\b", lit_config.params[tool]))
for tool in ("FileCheck", "count", "llc", "not", "spirv-val", "spirv-dis", "readelf", "split-file"):
    config.substitutions.append((r"(?<![-\w/.])" + tool + r"\b(?!-)", lit_config.params[tool]))
