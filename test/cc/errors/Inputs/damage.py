"""damage.py SPECPI-CC FILE OUT: checks that specpi-cc exits with 0, or with 1 and a message, for damaged copies."""

import os
import random
import subprocess
import sys

compiler, name, out = sys.argv[1:]
data = open(name, "rb").read()
random.seed(4)
copies = [data[:size] for size in range(0, len(data), len(data) // 12)]
for _ in range(24):
    changed = bytearray(data)
    for _ in range(random.choice((1, 4, 64))):
        changed[random.randrange(len(changed))] = random.randrange(256)
    copies.append(bytes(changed))
path = "damaged" + os.path.splitext(name)[1]
refused = 0
for number, copy in enumerate(copies):
    with open(path, "wb") as file:
        file.write(copy)
    if os.path.exists(out):
        os.remove(out)
    ran = subprocess.run(
        [compiler, "--emit=json", path, "-o", out], capture_output=True, text=True, errors="replace"
    )
    good = ran.returncode == 0 and os.path.exists(out)
    bad = (
        ran.returncode == 1
        and not os.path.exists(out)
        and f"specpi-cc: {path}: " in ran.stderr
    )
    if not good and not bad:
        sys.exit(f"copy {number}: status {ran.returncode}: {ran.stderr}")
    refused += bad
if refused < 12:
    sys.exit(f"only {refused} of {len(copies)} were refused")
