"""specpi at a terminal of 60 columns, with wrapped lines and colours, and in a pipe, where the text is unchanged.

usage: terminal.py SPECPI FILE [KERNEL]: FILE contains device images or, with KERNEL, is a library with that kernel
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

COLUMNS = 60


def at_terminal(command, **variables):
    """Returns the output of a command at a terminal, without its carriage returns."""
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    environment.update(variables)
    ours, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=other, stderr=subprocess.DEVNULL,
                          env=environment) as process:
        os.close(other)
        text = b""
        while True:
            try:
                got = os.read(ours, 65536)
            except OSError:  # the end of a terminal
                break
            if not got:
                break
            text += got
        process.wait()
    os.close(ours)
    return text.replace(b"\r\n", b"\n").decode(errors="replace")


def in_pipe(command):
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode(errors="replace")


def check_lines(text, plain, what):
    """Checks that each line fits or is a word that is too long, and that the words are the same."""
    assert text.split() == plain.split(), what
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
    text, plain = (re.sub("Time .*\n", "", text) for text in (at_terminal(command), in_pipe(command)))
    assert "\nDevice  [" in plain, plain
    check_lines(text, plain, command)
    command.append("--json")
    assert at_terminal(command).count("\n") == 1


def main():
    specpi, images = sys.argv[1:3]
    if sys.argv[3:]:
        check_launch(specpi, images, sys.argv[3])
        return
    escapes = re.compile("\x1b\\[[0-9]*m")
    for command, bold in (([specpi, "doctor"], "What to do:"), ([specpi, "inspect", images], "image"),
                          ([specpi, "ls", "--verbose"], "Platforms:")):
        coloured = at_terminal(command)
        check_lines(escapes.sub("", coloured), in_pipe(command), command)
        assert f"\x1b[1m{bold}\x1b[0m" in coloured, coloured
        assert all(re.match(r"\x1b\[1m\S+\x1b\[0m( |$)|\s|$", line) or command[1] == "doctor"
                   for line in coloured.splitlines()), coloured
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert "\x1b" not in at_terminal(command, **variables), (command, variables)
    # JSON is the same at a terminal and in a pipe.
    command = [specpi, "inspect", "--json", images]
    assert at_terminal(command) == in_pipe(command)


main()
