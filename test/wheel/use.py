"""use.py BACKEND: the steps of docs/python.md's first page, in an environment with specpi alone."""

import array
import os
import sys

import specpi

backend = sys.argv[1]
device = specpi.devices(f"{backend}:*")[0]
image = specpi.compile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "twice.cl"))
queue = specpi.Queue(device)
for factor in (3, 7):
    data = array.array("i", range(5))
    image.kernel("multiply", factor=factor, device=queue)(queue, 5, data)
    assert data.tolist() == [factor * i for i in range(5)], data
assert "numpy" not in sys.modules
print(f"specpi {specpi.version()} on {device!r}: right")
