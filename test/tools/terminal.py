"""specpi at a terminal of 60 columns, with wrapped lines and colours, and in a pipe, where the text is unchanged.

usage: terminal.py SPECPI FILE [KERNEL]: FILE contains device images or, with KERNEL, is a library with that kernel
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from at_terminal import at_terminal  # noqa: E402

COLUMNS = 60


def show(command, **variables):
    """Returns the output of a command at a terminal."""
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    environment.update(variables)
    return at_terminal(command, COLUMNS, environment, subprocess.DEVNULL)[1]


def in_pipe(command):
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode(errors="replace")


def check_lines(text, plain, what):
    """Checks that each line fits or is a word that is too long, and that the words are the same."""
    assert text.split() == plain.split(), (what, text, plain)
    assert "\x1b" not in plain
    for line in text.splitlines():
        assert len(line) <= COLUMNS or len(line.split()) == 1 or len(line.split()[-1]) > COLUMNS // 2, (what, line)
    assert len(text.splitlines()) > len(plain.splitlines()), what
    # Each plain line starts a new line at the terminal.
    for line in plain.splitlines():
        begin = re.match(" *[^ ]*", line).group()
        assert text.startswith(begin) or "\n" + begin in text, (what, line)


def check_launch(specpi, library, kernel):
    """Checks the lines of a launch, except the time, which varies."""
    command = [specpi, "launch", library, kernel, "--global", "8", "--arg", "f32[8]=iota", "--arg", "f32=0"]
    text, plain = (re.sub("Time .*\n", "", text) for text in (show(command), in_pipe(command)))
    assert "\nDevice  [" in plain, plain
    check_lines(text, plain, command)
    command.append("--json")
    assert show(command).count("\n") == 1


def main():
    specpi, images = sys.argv[1:3]
    if sys.argv[3:]:
        check_launch(specpi, images, sys.argv[3])
        return
    escapes = re.compile("\x1b\\[[0-9]*m")
    for command, bold in (([specpi, "doctor"], "What to do:"), ([specpi, "inspect", images], "image"),
                          ([specpi, "ls", "--verbose"], "Platforms:")):
        coloured = show(command)
        check_lines(escapes.sub("", coloured), in_pipe(command), command)
        assert f"\x1b[1m{bold}\x1b[0m" in coloured, coloured
        assert all(re.match(r"\x1b\[1m\S+\x1b\[0m( |$)|\s|$", line) or command[1] == "doctor"
                   for line in coloured.splitlines()), coloured
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert "\x1b" not in show(command, **variables), (command, variables)
    # JSON is the same at a terminal and in a pipe.
    command = [specpi, "inspect", "--json", images]
    assert show(command) == in_pipe(command)


main()
