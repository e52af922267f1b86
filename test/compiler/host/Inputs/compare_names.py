"""compare_names.py LIST COUNT FILE...: checks that every id of the list is a variable's name in each file.

A file is the output of nm, or LLVM assembly. A variable with internal linkage in the list must be
local there, one with external linkage must not. The list must have COUNT variables. In a file whose
name ends in .gcc.nm only external variables are checked, because GCC uses other names for some local
ones.
"""

import json
import re
import sys


def read_symbols(path):
    """The names in the file, and whether each is local."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".ll"):
        found = re.findall(r'^@"?([^"\s]+)"? = (.*?)(?:constant|global) ', text, re.MULTILINE)
        return {name: "internal" in rest.split() for name, rest in found}
    found = re.findall(r"^[0-9a-f]* +([A-Za-z]) (\S+)$", text, re.MULTILINE)
    return {name: kind in "bdr" for kind, name in found}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        listed = json.load(file)
    variables = listed["variables"]
    if len(variables) != int(sys.argv[2]):
        sys.exit(f"there are {len(variables)} variables, not {sys.argv[2]}")
    for path in sys.argv[3:]:
        symbols = read_symbols(path)
        for variable in variables:
            is_local = variable["linkage"] == "internal"
            if is_local and path.endswith(".gcc.nm"):
                continue
            prefix = listed["unit"] + "___" if is_local else ""
            if not variable["id"].startswith(prefix):
                sys.exit(f"{variable['id']} does not begin with the unit's id")
            name = variable["id"][len(prefix) :]
            if name not in symbols:
                sys.exit(f"{path} does not have {name}")
            if symbols[name] != is_local:
                sys.exit(f"{path} has {name}, but not with {variable['linkage']} linkage")


main()
