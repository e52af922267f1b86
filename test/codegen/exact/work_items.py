"""Work-item functions for every dimension: those of the launch, and higher ones, which have one work-item."""
import array

import values
from sweep import Call, Kernel

ULONG = values.TYPES["ulong"]
SIZES, GROUP, OFFSET = (6, 4, 2), (3, 2, 1), (5, 1, 3)
DIMENSIONS = [0, 1, 2, 3, 4, 7, 8, 16, 255, 256, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1]

# Each function's value for a work-item in a dimension below 3, and its value for every other dimension.
FUNCTIONS = {
    "get_global_size": (lambda item, d, offset: SIZES[d], 1),
    "get_local_size": (lambda item, d, offset: GROUP[d], 1),
    "get_enqueued_local_size": (lambda item, d, offset: GROUP[d], 1),
    "get_num_groups": (lambda item, d, offset: SIZES[d] // GROUP[d], 1),
    "get_global_id": (lambda item, d, offset: item[d] + offset[d], 0),
    "get_local_id": (lambda item, d, offset: item[d] % GROUP[d], 0),
    "get_group_id": (lambda item, d, offset: item[d] // GROUP[d], 0),
    "get_global_offset": (lambda item, d, offset: offset[d], 0),
}


def expectation(function, offset):
    of, beyond = FUNCTIONS[function]
    return lambda *row: of(row[:3], row[3], offset) if row[3] < 3 else beyond


def make_kernel(name, dimension, offset):
    """Makes a kernel. dimension(d) is the text of a call's argument for dimension d: a literal or computed."""
    items = [(x, y, z) for z in range(SIZES[2]) for y in range(SIZES[1]) for x in range(SIZES[0])]
    rows = [(*item, d) for item in items for d in DIMENSIONS]
    body, checks, size = [], [], 0
    for function in FUNCTIONS:
        stores = [f"  to[{i}] = {function}({dimension.format(i=i, d=d)});" for i, d in enumerate(DIMENSIONS)]
        body += [f"  to = (global ulong *)(o + {size}) + {len(DIMENSIONS)} * item;", *stores]
        text = f"{function}({dimension.format(i='i', d='d')}) of the work-item and dimension"
        checks.append((Call(text, ULONG, expectation(function, offset)), ULONG, "", size, rows))
        size += 8 * len(rows)
    text = "\n".join([
        f"kernel void {name}(global uchar *o, global const uint *u, global const int *s, global const ulong *l) {{",
        "  global ulong *to;",
        "  const size_t item = (get_group_id(2) * get_local_size(2) + get_local_id(2)) * "
        f"{SIZES[0] * SIZES[1]} + (get_group_id(1) * get_local_size(1) + get_local_id(1)) * {SIZES[0]} + "
        "get_group_id(0) * get_local_size(0) + get_local_id(0);", *body, "}", ""])
    inputs = [array.array(kind, DIMENSIONS).tobytes() for kind in ("I", "I", "Q")]
    return Kernel(name, text, inputs, SIZES, size, checks, {"local_size": GROUP, "offset": offset})


def make_module(every_width):
    del every_width
    kernels = []
    for offset in (0, 0, 0), OFFSET:
        for dimension in "u[{i}]", "s[{i}]", "l[{i}]", "{d}":
            kernels.append(make_kernel(f"k{len(kernels)}", dimension, offset))
    return "\n".join(kernel.text for kernel in kernels), kernels


def modules():
    return {"work_items": make_module}
