"""cut.py FILE COMMAND...: checks that the command survives files that are cut off or have changed bytes.

It must print a message about a file that it cannot read.
"""

import os
import subprocess
import sys


def run(path, command):
    made = subprocess.run([*command, path], capture_output=True, check=False)
    if made.returncode not in (0, 1) or (made.returncode == 1 and not made.stderr):
        sys.exit(f"{path}: status {made.returncode}: {made.stderr.decode(errors='replace')}")


def main():
    path, command = sys.argv[1], sys.argv[2:]
    with open(path, "rb") as file:
        whole = file.read()
    part = path + ".part" + os.path.splitext(path)[1]
    step = len(whole) // 4 + 1
    for end in range(0, len(whole), step):
        with open(part, "wb") as file:
            file.write(whole[:end])
        run(part, command)
        with open(part, "wb") as file:
            file.write(whole[:end] + bytes([whole[end] ^ 0x5A]) + whole[end + 1 :])
        run(part, command)


main()
