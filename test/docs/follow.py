"""follow.py PAGE COUNT: runs the commands of a page in the working directory and one shell, and compares their output.

A block in ``` with the name of a language and of a file is the text of that file. A block of "sh" has
commands, which must succeed; the next block of "text" is their standard output, which is otherwise empty.
An indented block that begins with "// NAME" or "# NAME" is the file NAME. In other indented blocks lines
that begin with "$ " are commands, and the lines below are their output, errors included. "..." matches
anything in a line, and any number of lines if it is alone. The page must have COUNT commands and blocks of
commands."""

import pathlib
import re
import subprocess
import sys
import tempfile

FENCED = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)
NAME = re.compile(r"(?://|#) (\S+\.\S+|Makefile)\n")


def steps_of_fence(kind, name, text):
    if kind == "sh":
        return [("run", "set -eu\n" + text, "")]
    if kind == "text":
        return [("prints", text, None)]
    return [("file", text, name)] if name else []


def steps_of_indented(block):
    text = re.sub(r"^    ", "", block.strip("\n"), flags=re.MULTILINE).rstrip("\n") + "\n"
    name = NAME.match(text)
    if name:
        return [("file", text, name[1])]
    if not text.startswith("$ "):
        return []
    # A command continues on the next line after a backslash.
    found = re.findall(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    return [("run", f"set +e\nexec 2>&1\n{command}", out) for command, out in found]


def steps_of(page):
    """Returns the steps of the page in order: (kind, text, file's name or expected output)."""
    steps, at = [], 0
    for fence in [*FENCED.finditer(page), None]:
        for block in INDENTED.findall(page[at : fence.start() if fence else None]):
            steps += steps_of_indented(block)
        if fence:
            steps += steps_of_fence(*fence.groups())
            at = fence.end()
    for i in reversed(range(len(steps))):
        if steps[i][0] == "prints":
            if i == 0 or steps[i - 1][0] != "run":
                sys.exit(f"nothing prints this:\n{steps[i][1]}")
            steps[i - 1] = (*steps[i - 1][:2], steps.pop(i)[1])
    return steps


def pattern_of(text):
    lines = (".*".join(map(re.escape, line.split("..."))) for line in text.splitlines())
    return "".join(r"(?:.*\n)*" if line == ".*" else line + r"\n" for line in lines)


def follow(steps, directory):
    """Runs all in one shell, which stops at the first failure, and says what went wrong."""
    shell = []
    for i, (what, text, name) in enumerate(steps):
        (directory / str(i)).write_text(text, encoding="utf-8")
        copy = f"cat '{directory}/{i}' >'{name}'"
        run = f"exec >'{directory}/{i}.out'; . '{directory}/{i}'; set -e; exec 2>&3"
        shell.append(copy if what == "file" else run)
    text = "exec 3>&2\n" + "\n".join(shell)
    status = subprocess.run(["sh", "-c", text], stdin=subprocess.DEVNULL).returncode
    for i, (what, text, expected) in enumerate(steps):
        if what == "file":
            continue
        out = directory / f"{i}.out"
        if not out.exists():
            sys.exit("the commands before this one have failed:\n" + text)
        # Intel's OpenCL runtime prints this warning on a machine with an unknown processor.
        said = out.read_text("utf-8").replace("SYCL CPU RT Warning: Unknown host CPU.\n", "")
        print(text + said)
        if not re.fullmatch(pattern_of(expected), said):
            sys.exit(f"\n{said}\nis not\n{expected}")
    if status != 0:
        sys.exit(f"the last commands have failed: exit status {status}")


def main(page, count):
    steps = steps_of(pathlib.Path(page).read_text(encoding="utf-8"))
    ran = sum(what == "run" for what, _, _ in steps)
    if ran != int(count):
        sys.exit(f"{ran} commands, not {count}")
    with tempfile.TemporaryDirectory() as directory:
        follow(steps, pathlib.Path(directory))


main(*sys.argv[1:])
