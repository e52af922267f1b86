"""terminal.py COMMAND...: runs a command at a terminal and prints its output, with control characters as \\x1b."""

import os
import pty
import sys

shown = bytearray()


def read(fd):
    data = os.read(fd, 4096)
    shown.extend(data)
    return data


sink = os.open(os.devnull, os.O_WRONLY)
out = os.dup(1)
os.dup2(sink, 1)
status = pty.spawn(sys.argv[1:], read, lambda fd: b"")
os.dup2(out, 1)
text = shown.decode("utf-8", "replace").replace("\x1b", "\\x1b").replace("\r\n", "\n")
sys.stdout.write(text.replace("\r", "\n"))
sys.exit(os.waitstatus_to_exitcode(status))
