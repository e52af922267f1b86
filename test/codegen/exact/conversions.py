"""All conversions of numbers, the loads and stores of halves, and the same bits as another type."""
import functools
import itertools

import values
from sweep import VECTORS, Call, Table, make_module

MODES = ["", "_rte", "_rtz", "_rtp", "_rtn"]
SPACES = ["global", "local", "private"]


def rounding(mode, default):
    return mode[1:] or default


@functools.lru_cache(None)
def converted(given, kind, mode, saturated):
    def expected(bits):
        value = values.decode(given, bits)
        if kind.mantissa:
            return values.round_to(kind, value, rounding(mode, "rte"))
        whole = values.to_integer(kind, value, rounding(mode, "rtz"), saturated)
        return None if whole is None else values.encode(kind, whole)
    return expected


def conversions(given):
    for kind in values.TYPES.values():
        for saturation in ["", "_sat"] if not kind.mantissa else [""]:
            for mode in MODES:
                yield Call(f"convert_{kind.name}{{n}}{saturation}{mode}({{0}})", kind,
                           converted(given, kind, mode, saturation != ""))
        yield Call(f"({kind.name})({{0}})", kind, converted(given, kind, "", False), [""])
        if kind.bits == given.bits:
            yield Call(f"as_{kind.name}{{n}}({{0}})", kind, lambda bits: bits)


def integer_values(given):
    """Returns limits of all types, and integers between two floats."""
    some = {0}
    for one in values.INTEGERS:
        some |= {edge + step for edge in (one.low, one.high, one.high // 2) for step in range(-2, 3)}
    for bits in (11, 12, 13, 24, 25, 26, 53, 54, 55, 62, 63):
        some |= {sign * ((1 << bits) + step) for sign in (1, -1) for step in (-3, -2, -1, 0, 1, 2, 3)}
        # Long integers just above and below the middle between two floats.
        some |= {(1 << bits) + (1 << max(bits - shift, 0)) + step for shift in (11, 24, 53) for step in (-1, 0, 1)}
    for edge in (65504, 65519, 65520, 65535, 65536):
        some |= {edge + step for edge in (edge, -edge) for step in (-1, 0, 1)}
    some |= {-one for one in some}
    return sorted(values.encode(given, one) for one in some if given.low <= one <= given.high)


def conversion_module(given):
    bits = values.floats(given) if given.mantissa else integer_values(given)
    return [Table((given,), [(one,) for one in bits], list(conversions(given)))]


# ---- Halves in memory: each is stored in and loaded from every address space ----

PLACES = "local half in_local[64]; private half in_private[64]; global half *in_global = (global half *)scratch;"


def helper(name, result, taken, n, stride, space, deed):
    """Returns a function that stores or loads an element of an array; stride is the element's size in halves."""
    at = f"({space} ushort *)m + 2 * {stride}"
    move = f"vstore{n}(x, 0, {at});" if taken == "ushort" else ""
    back = f"return vload{n}(0, {at});" if result == "ushort" else ""
    if not n:
        move, back = move.replace(f"vstore(x, 0, {at})", f"*({at}) = x"), back.replace(f"vload(0, {at})", f"*({at})")
    return f"static {result}{n} {name}({taken}{n} x, {space} half *m) {{ {move} {deed} {back} }}\n"


def half_memory(given):
    """Returns stores of floats and doubles with each rounding mode, and loads, which are exact."""
    head, stores, loads = "", [], []
    for space, form, n in itertools.product(SPACES, ["", "a"], ["", *VECTORS]):
        if form and not n:
            continue
        stride = 4 if form and n == "3" else int(n or 1)
        for mode in MODES:
            deed = f"vstore{form}_half{n}{mode}(x, 2, m);"
            head += helper(f"store{form}_{space}{mode}{n}", "ushort", given.name, n, stride, space, deed)
        deed = f"return vload{form}_half{n}(2, m);"
        head += helper(f"load{form}_{space}{n}", "float", "ushort", n, stride, space, deed)
    for space, form in itertools.product(SPACES, ["", "a"]):
        widths = VECTORS if form else ["", *VECTORS]
        for mode in MODES:
            stores.append(Call(f"store{form}_{space}{mode}{{n}}({{0}}, in_{space})", values.HALF,
                               converted(given, values.HALF, mode, False), widths))
        loads.append(Call(f"load{form}_{space}{{n}}({{0}}, in_{space})", values.FLOAT,
                          lambda bits: values.encode(values.FLOAT, values.decode(values.HALF, bits)), widths))
    rows = [(one,) for one in values.floats(given)]
    halves = [(one,) for one in values.floats(values.HALF)]
    tables = [Table((given,), rows, stores, head, PLACES)]
    return tables + ([Table((values.TYPES["ushort"],), halves, loads, "", PLACES)] if given == values.FLOAT else [])


def modules():
    made = {"convert_" + given.name: conversion_module(given) for given in values.TYPES.values()}
    made |= {"memory_" + given.name: half_memory(given) for given in values.FLOATS[1:]}
    return {name: functools.partial(make_module, tables) for name, tables in made.items()}
