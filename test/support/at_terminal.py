"""Runs commands at a terminal.

The kernel may drop the last output of a terminal that no process has open. So it stays open here until a mark, which is
written after the command's end, was read.
"""
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

_END = b"\0end\0"


def at_terminal(command, columns=80, environment=None, stderr=None):
    """Returns the status and the output of a command, without carriage returns; None: stderr is the terminal, too."""
    ours, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=other, stderr=other if stderr is None else stderr,
                          env=environment) as process:
        marker = threading.Thread(target=lambda: (process.wait(), os.write(other, _END)))
        marker.start()
        shown = b""
        while not shown.endswith(_END):
            shown += os.read(ours, 65536)
        marker.join()
    os.close(ours)
    os.close(other)
    return process.returncode, shown.removesuffix(_END).replace(b"\r\n", b"\n").decode(errors="replace")
