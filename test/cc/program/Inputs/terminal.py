"""terminal.py COMMAND...: runs a command at a terminal and prints its output, with control characters as \\x1b."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "support"))
from at_terminal import at_terminal  # noqa: E402

status, text = at_terminal(sys.argv[1:])
sys.stdout.write(text.replace("\x1b", "\\x1b").replace("\r", "\n"))
sys.exit(status)
