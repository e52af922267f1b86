"""cut.py FILE COMMAND...: the command reads any beginning of the file, without dying of it.

It says why it does not like what it cannot read. Bytes are changed, too.
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
