"""contains.py WHOLE PART...: checks that the file WHOLE contains the bytes of each file PART."""

import sys

whole, *parts = [open(path, "rb").read() for path in sys.argv[1:]]
for path, part in zip(sys.argv[2:], parts):
    if not part or part not in whole:
        sys.exit(f"{path} is not in {sys.argv[1]}")
