"""Kernels of many calls, whose results are compared with exact results, element by element."""
import array
import functools
import itertools
import operator
from typing import Any, Callable, NamedTuple

import values

VECTORS = ["2", "3", "4", "8", "16"]
WIDTHS = ["", *VECTORS]
ITEMS = 48  # elements are a multiple of it, and so of each width
CALLS = 24  # in one kernel
HEAD = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"


class Call(NamedTuple):
    """A call: {0}, {1}, {2} in its text are the arguments, {n} is the number of elements.

    result is a type, or a type for scalars and one for vectors. expected maps the arguments' bits to the result's bits,
    or to None if any result is allowed.
    """

    text: str
    result: Any
    expected: Callable
    widths: Any = None  # all of them


class Table(NamedTuple):
    """Calls with the same types of arguments, and rows of the arguments' bits, one for each element."""

    types: Any
    rows: Any
    calls: Any
    head: str = ""  # definitions of the functions called
    places: str = ""  # variables of a kernel with groups of one work-item; scratch is 256 bytes of global memory


class Kernel(NamedTuple):
    name: str
    text: str
    inputs: Any  # bytes
    items: int
    size: int  # bytes of the results
    checks: Any  # tuples of a call, the type of its result, the width, the offset of its results, the rows
    launch: Any = {}  # sizes and the like


def valued(result, types, function):
    """Makes `expected` of a Call from a function of values."""

    def expected(*bits):
        value = function(*map(values.decode, types, bits))
        return None if value is None else values.encode(result, value)

    return expected


def result_type(call, width):
    return call.result[width != ""] if isinstance(call.result, list) else call.result


def load(kind, width, name):
    if not width:
        return f"{name}[i]"
    loaded = f"vload{width}(i, (global const u{integer_name(kind)} *){name})"
    return f"as_{kind.name}{width}({loaded})"


def integer_name(kind):
    return values.of_size(kind.bits, True).name


def store(kind, width, value, offset):
    bits = f"as_u{integer_name(kind)}{width}({value})"
    to = f"(global u{integer_name(kind)} *)(o + {offset})"
    return f"vstore{width}({bits}, i, {to});" if width else f"({to})[i] = {bits};"


def padded(rows):
    """Repeats rows until every width divides their number."""
    return list(itertools.islice(itertools.cycle(rows), -(-len(rows) // ITEMS) * ITEMS))


def make_kernel(name, table, calls, width):
    rows = padded(table.rows)
    body, checks, offset = [], [], 0
    for call in calls:
        kind = result_type(call, width)
        text = call.text.format("x0", "x1", "x2", n=width)
        body.append("  " + store(kind, width, text, offset))
        checks.append((call, kind, width, offset, rows))
        offset += len(rows) * kind.bits // 8
    items = len(rows) // int(width or 1)
    arguments = "".join(f", global const {kind.name} *a{i}" for i, kind in enumerate(table.types))
    start = ["  const size_t i = get_global_id(0);"]
    if table.places:
        start += [f"  global uchar *scratch = o + {offset} + 256 * i;", "  " + table.places]
        offset += 256 * items
    required = "__attribute__((reqd_work_group_size(1, 1, 1))) " * (table.places != "")
    loads = [f"  const {kind.name}{width} x{i} = {load(kind, width, f'a{i}')};" for i, kind in enumerate(table.types)]
    text = "\n".join([f"{required}kernel void {name}(global uchar *o{arguments}) {{", *start, *loads, *body, "}", ""])
    columns = zip(*rows)
    inputs = [array.array(values.ARRAYS[kind.bits], one).tobytes() for kind, one in zip(table.types, columns)]
    return Kernel(name, text, inputs, items, offset, checks)


def make_literal_kernel(name, table, calls, width):
    """Makes a kernel for one work-item with literal arguments, so that the compiler may compute the results."""
    body, checks, offset = [], [], 0
    for call in calls:
        kind = result_type(call, width)
        count = int(width or 1)
        for row in table.rows:
            given = [f"({one.name}{width})(as_{one.name}((u{integer_name(one)}){bits:#x}ul))"
                     for one, bits in zip(table.types, row)]
            body.append("  " + store(kind, width, call.text.format(*given, n=width), offset))
            checks.append((call, kind, width, offset, [row] * count))
            offset += -(-count * kind.bits // 64) * 8
    text = "\n".join([f"kernel void {name}(global uchar *o) {{", "  const size_t i = 0;", *body, "}", ""])
    return Kernel(name, text, [], 1, offset, checks)


def literal_rows(table):
    """Draws some of all the rows, and adds the corners of the types."""
    corners = [values.corners(kind) for kind in table.types]
    special = [row for row in table.rows if all(map(operator.contains, corners, row))]
    return table.rows[::max(1, len(table.rows) // 16)] + special[::max(1, len(special) // 32)]


def make_kernels(tables, every_width):
    """Makes kernels of all calls, for scalars and for vectors of every width or, by turns, of one width."""
    kernels = []

    def add(make, table, calls, width):
        for at in range(0, len(calls), CALLS):
            kernels.append(make(f"k{len(kernels)}", table, calls[at:at + CALLS], width))

    for table in tables:
        for at, width in enumerate(WIDTHS):
            calls = [call for i, call in enumerate(table.calls) if width in (call.widths or WIDTHS)
                     and (every_width or not width or i % 5 == at - 1 or call.widths)]
            fewer = table.rows[::7] if width and len(table.types) > 1 else table.rows
            add(make_kernel, table._replace(rows=fewer), calls, width)
        if table.places:
            continue
        some = table._replace(rows=literal_rows(table))
        add(make_literal_kernel, some, [call for call in table.calls if "" in (call.widths or WIDTHS)], "")
    return kernels


def make_module(tables, every_width):
    """Returns the source of the tables' kernels, and the kernels."""
    kernels = make_kernels(tables, every_width)
    return HEAD + "".join(table.head for table in tables) + "\n".join(kernel.text for kernel in kernels), kernels


# ---- Comparing ----


@functools.lru_cache(None)
def remembered(function):
    """Caches a function's results, because every width needs the same ones."""
    return functools.lru_cache(None)(function)


def differences(check, results):
    """Describes each wrong result by the call's text and the values."""
    call, kind, width, offset, rows = check
    size = len(rows) * kind.bits // 8
    found = array.array(values.ARRAYS[kind.bits])
    found.frombytes(results[offset:offset + size])
    expected = remembered(call.expected[width != ""] if isinstance(call.result, list) else call.expected)
    wrong = []
    for row, bits in zip(rows, found):
        wanted = expected(*row)
        if wanted is None or bits == wanted or (values.is_nan(kind, bits) and values.is_nan(kind, wanted)):
            continue
        given = ", ".join(f"{one:#x}" for one in row)
        wrong.append((call.text.format("x", "y", "z", n=width), f"{given}: {bits:#x}, not {wanted:#x}"))
    return wrong
