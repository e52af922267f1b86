"""The integer functions of OpenCL C (section 6.15.3), functions of bits and relations, and operators on limits."""
import functools
import itertools

import values
from sweep import VECTORS, Call, Table, make_module, valued


def clamped(kind, value):
    return min(max(value, kind.low), kind.high)


def wrapped(kind, value):
    return values.decode(kind, value & (1 << kind.bits) - 1)


def truncated(x, y):
    """The quotient towards zero."""
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def leading_zeros(kind, x):
    return kind.bits - (x & (1 << kind.bits) - 1).bit_length()


def trailing_zeros(kind, x):
    bits = x & (1 << kind.bits) - 1
    return (bits & -bits).bit_length() - 1 if bits else kind.bits


def rotated(kind, x, y):
    bits, places = x & (1 << kind.bits) - 1, y % kind.bits
    return wrapped(kind, bits << places | bits >> kind.bits - places)


def unary(kind, unsigned):
    return [(unsigned, "abs({0})", abs), (kind, "clz({0})", lambda x: leading_zeros(kind, x)),
            (kind, "ctz({0})", lambda x: trailing_zeros(kind, x)),
            (kind, "popcount({0})", lambda x: bin(x & (1 << kind.bits) - 1).count("1"))]


def binary(kind, unsigned):
    def divides(x, y):
        return y != 0 and kind.low <= truncated(x, y) <= kind.high

    product = f"as_{unsigned.name}{{n}}({{0}}) * as_{unsigned.name}{{n}}({{1}})"
    return [
        (unsigned, "abs_diff({0}, {1})", lambda x, y: abs(x - y)),
        (kind, "add_sat({0}, {1})", lambda x, y: clamped(kind, x + y)),
        (kind, "sub_sat({0}, {1})", lambda x, y: clamped(kind, x - y)),
        (kind, "hadd({0}, {1})", lambda x, y: x + y >> 1),
        (kind, "rhadd({0}, {1})", lambda x, y: x + y + 1 >> 1),
        (kind, "max({0}, {1})", max), (kind, "min({0}, {1})", min),
        (kind, "mul_hi({0}, {1})", lambda x, y: x * y >> kind.bits),
        (kind, "rotate({0}, {1})", lambda x, y: rotated(kind, x, y)),
        (kind, f"as_{kind.name}{{n}}(({unsigned.name}{{n}})({product}))", lambda x, y: wrapped(kind, x * y)),
        (kind, f"({kind.name}{{n}})({{0}} / {{1}})", lambda x, y: truncated(x, y) if divides(x, y) else None),
        (kind, f"({kind.name}{{n}})({{0}} % {{1}})", lambda x, y: x - y * truncated(x, y) if divides(x, y) else None),
    ]


def shifts(kind):
    """Shifts. Only the lowest bits of the count are used. A scalar of fewer than 32 bits is promoted to int."""
    for promoted, widths in ((max(kind.bits, 32), [""]), (kind.bits, VECTORS)):
        for sign, shift in (("<<", lambda x, y: x << y), (">>", lambda x, y: x >> y)):
            def expected(x, y, shift=shift, promoted=promoted):
                return wrapped(kind, shift(x, y % promoted))
            yield Call(f"({kind.name}{{n}})({{0}} {sign} {{1}})", kind, valued(kind, (kind, kind), expected), widths)


def ternary(kind):
    return [
        (kind, "mad_hi({0}, {1}, {2})", lambda x, y, z: wrapped(kind, (x * y >> kind.bits) + z)),
        (kind, "mad_sat({0}, {1}, {2})", lambda x, y, z: clamped(kind, x * y + z)),
        (kind, "clamp({0}, {1}, {2})", lambda x, y, z: min(max(x, y), z) if y <= z else None),
        (kind, "bitselect({0}, {1}, {2})", lambda x, y, z: x & ~z | y & z),
    ]


def calls_of(types, made):
    return [Call(text, result, valued(result, types, function)) for result, text, function in made]


def with_comparisons(types, made):
    """Yields the calls, and comparisons of their results that an optimizer gets wrong if it assumes no overflow."""
    yield from calls_of(types, made)
    for result, text, function in made:
        def is_less(*given, result=result, function=function):
            value = function(*given)
            return None if value is None else int(value < wrapped(result, given[-1]))

        def is_high(*given, result=result, function=function):
            value = function(*given)
            return None if value is None else value >> result.bits - 1 & 1
        high = "< 0" if result.signed else f"> {(1 << result.bits - 1) - 1}"
        for question, expected in (f"< ({result.name}){{{len(types) - 1}}}", is_less), (high, is_high):
            yield Call(f"(int)({text} {question})", values.INT, valued(values.INT, types, expected), [""])


def rows_of(kind, some, count):
    return list(itertools.product([values.encode(kind, one) for one in some], repeat=count))


def with_numbers(kind):
    """Yields functions of a vector and a scalar."""
    for one in kind.low, 1, kind.high:
        text = f"as_{kind.name}((u{values.of_size(kind.bits, True).name}){values.encode(kind, one):#x}ul)"
        for call, function in ((f"max({{0}}, {text})", max), (f"min({{0}}, {text})", min),
                               (f"clamp({{0}}, {text}, ({kind.name}){kind.high})", lambda x, y: max(x, y))):
            def expected(x, one=one, function=function):
                return function(x, one)
            yield Call(call, kind, valued(kind, (kind,), expected), VECTORS)


def picked(kind):
    """select(x, y, z), signed and unsigned z. A scalar z chooses y if nonzero, a vector's element by its top bit."""
    for signed in (True, False):
        choice = values.of_size(kind.bits, signed)
        text = f"select({{0}}, {{1}}, as_{choice.name}{{n}}({{2}}))"
        yield Call(text, [kind, kind], [lambda x, y, z: y if z else x, lambda x, y, z: y if z >> kind.bits - 1 else x])


def highest_bits(kind):
    """any and all of signed integers."""
    for name, choose in (("any", any), ("all", all)):
        yield Call(f"{name}({{0}})", values.INT, lambda x, y, z: x >> kind.bits - 1, [""])
        for width in VECTORS:
            def expected(*x, choose=choose, count=int(width)):
                return int(choose(one >> kind.bits - 1 for one in x[:count]))
            parts = ", ".join(f"{{{i % 3}}}" for i in range(int(width)))
            yield Call(f"{name}(({kind.name}{width})({parts}))", values.INT, expected, [""])


def integer_module(kind):
    unsigned = values.of_size(kind.bits, False)
    some = values.limits(kind)
    fewer = some[::2] + [some[-1]]
    one, two, three = ((kind,) * count for count in (1, 2, 3))
    tables = [
        Table(one, rows_of(kind, some, 1), [*calls_of(one, unary(kind, unsigned)), *with_numbers(kind)]),
        Table(two, rows_of(kind, some, 2), [*with_comparisons(two, binary(kind, unsigned)), *shifts(kind)]),
        Table(three, rows_of(kind, fewer, 3), [*with_comparisons(three, ternary(kind)), *picked(kind)]),
    ]
    if kind.signed:
        tables.append(Table(three, rows_of(kind, [kind.low, -1, 0, 1, kind.high], 3), list(highest_bits(kind))))
    if kind.bits == 32:
        places = [one for one in some if -(1 << 23) <= one < (1 << 23 + (not kind.signed))]
        places += [-(1 << 23), -(1 << 23) + 1] if kind.signed else [(1 << 24) - 1, (1 << 24) - 2]
        places += [(1 << 23) - 1, (1 << 23) - 2, 4095, 4096]
        made = [(kind, "mul24({0}, {1})", lambda x, y, z: wrapped(kind, x * y)),
                (kind, "mad24({0}, {1}, {2})", lambda x, y, z: wrapped(kind, x * y + z)),
                (kind, "mul24({0}, {1}) / {1}", lambda x, y, z: truncated(wrapped(kind, x * y), y) if y else None)]
        tables.append(Table(three, rows_of(kind, places[::2] + places[-3:], 3), list(with_comparisons(three, made))))
    if kind.bits < 64:
        wider = values.of_size(2 * kind.bits, kind.signed)
        types = (kind, unsigned)
        rows = list(itertools.product([values.encode(kind, one) for one in some],
                                      [values.encode(unsigned, one) for one in values.limits(unsigned)]))
        tables.append(Table(types, rows, calls_of(types, [
            (wider, "upsample({0}, {1})", lambda x, y: x << kind.bits | y)])))
    return tables


# ---- Relations of floats, and bitselect ----

RELATIONS = {"isequal": lambda x, y: x == y, "isnotequal": lambda x, y: x != y, "isgreater": lambda x, y: x > y,
             "isgreaterequal": lambda x, y: x >= y, "isless": lambda x, y: x < y, "islessequal": lambda x, y: x <= y,
             "islessgreater": lambda x, y: x < y or x > y, "isordered": lambda x, y: x == x and y == y,
             "isunordered": lambda x, y: x != x or y != y}


def relation(text, kind, function):
    """Relations. True is 1 for scalars, and -1 for vectors, whose elements are integers of the operands' size."""
    signed = values.of_size(kind.bits, True)
    return Call(text, [values.INT, signed],
                [lambda *x: int(bool(function(*x))), lambda *x: values.encode(signed, -bool(function(*x)))])


def float_module(kind):
    infinity, top = kind.infinity, 1 << kind.bits - 1
    questions = {"isnan": lambda x: x & top - 1 > infinity, "isinf": lambda x: x & top - 1 == infinity,
                 "isfinite": lambda x: x & top - 1 < infinity, "signbit": lambda x: x & top,
                 "isnormal": lambda x: 1 << kind.mantissa <= x & top - 1 < infinity}
    some = values.special_floats(kind)
    pairs = list(itertools.product(some, repeat=2))
    asked = [relation(name + "({0})", kind, function) for name, function in questions.items()]
    related = [relation(name + "({0}, {1})", kind,
                        lambda x, y, function=function: function(values.decode(kind, x), values.decode(kind, y)))
               for name, function in RELATIONS.items()]
    choices = []
    for signed in (True, False):
        choice = values.of_size(kind.bits, signed)
        rows = [(x, y, z) for x, y in pairs[::5] for z in (0, 1, top, top - 1, 2 * top - 1)]
        choices.append(Table((kind, kind, choice), rows, [
            Call("select({0}, {1}, {2})", [kind, kind],
                 [lambda x, y, z: y if z else x, lambda x, y, z: y if z & top else x])]))
    rows = list(itertools.product(some, repeat=3))[::7]
    select = Call("bitselect({0}, {1}, {2})", kind, lambda x, y, z: x & ~z | y & z)
    return [Table((kind,), [(one,) for one in some], asked), Table((kind, kind), pairs, related), *choices,
            Table((kind,) * 3, rows, [select])]


def modules():
    made = {kind.name: integer_module(kind) for kind in values.INTEGERS}
    made |= {"relations_" + kind.name: float_module(kind) for kind in values.FLOATS}
    return {name: functools.partial(make_module, tables) for name, tables in made.items()}
