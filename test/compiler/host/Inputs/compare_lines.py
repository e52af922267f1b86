"""compare_lines.py DWARFDUMP FILE COMPILER... -- INPUT...: compares debug information about FILE's lines.

FILE is compiled alone, and as a part of INPUT. Its functions must have the same tables of lines in
both: rows with the same offsets from the function's start, and the same lines and columns of FILE.
"""

import os
import re
import subprocess
import sys
import tempfile


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def functions(dump):
    """The start and end of each function that the debug information declares in a file."""
    found = {}
    for entry in run(*dump, "--debug-info").split("DW_TAG_subprogram")[1:]:
        entry = entry.split("DW_TAG_")[0]
        name = re.search(r'DW_AT_name\s*\("(.*?)"\)', entry)
        low = re.search(r"DW_AT_low_pc\s*\((0x[0-9a-f]+)\)", entry)
        high = re.search(r"DW_AT_high_pc\s*\((0x[0-9a-f]+)\)", entry)
        if name and low and high:
            found[name.group(1)] = int(low.group(1), 16), int(high.group(1), 16)
    return found


def rows(dump, path):
    """The rows of the table of lines that are of the file."""
    text = run(*dump, "--debug-line")
    names = {}
    for number, name in re.findall(r'file_names\[ *(\d+)\]:\n +name: "(.*?)"', text):
        names[number] = os.path.basename(name)
    table = re.findall(r"^(0x[0-9a-f]+) +(\d+) +(\d+) +(\d+) ", text, re.MULTILINE)
    return [
        (int(address, 16), int(line), int(column))
        for address, line, column, file in table
        if names[file] == os.path.basename(path)
    ]


def describe(dwarfdump, compiler, inputs, path):
    with tempfile.TemporaryDirectory() as directory:
        program = os.path.join(directory, "object")
        run(*compiler, "-g", "-c", *inputs, "-o", program)
        dump = dwarfdump, program
        table = rows(dump, path)
        return {
            name: [(at - low, line, column) for at, line, column in table if low <= at < high]
            for name, (low, high) in functions(dump).items()
        }


def main():
    dwarfdump, path = sys.argv[1], sys.argv[2]
    split = sys.argv.index("--")
    compiler, inputs = sys.argv[3:split], sys.argv[split + 1 :]
    alone = describe(dwarfdump, compiler, [path], path)
    whole = describe(dwarfdump, compiler, inputs, path)
    compared = 0
    for name, table in alone.items():
        if not table:
            continue
        if whole.get(name) != table:
            sys.exit(f"{name}: {table} alone, {whole.get(name)} with the footer")
        compared += 1
    # With -O2 the compiler may have inlined the other functions into main.
    if compared < (1 if "-O2" in compiler else 3):
        sys.exit(f"only these functions were found: {sorted(alone)}")


main()
