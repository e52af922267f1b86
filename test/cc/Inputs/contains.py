"""contains.py WHOLE PART...: whether each file PART is somewhere in the file WHOLE."""

import sys

whole, *parts = [open(path, "rb").read() for path in sys.argv[1:]]
for path, part in zip(sys.argv[2:], parts):
    if not part or part not in whole:
        sys.exit(f"{path} is not in {sys.argv[1]}")
