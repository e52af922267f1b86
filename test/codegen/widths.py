"""widths.py: compares integer operations of LLVM that SPIR-V lacks with exact arithmetic.

Each width has a module of LLVM assembly with a kernel for each operation and intrinsic that LLVM may use for integer
code, on scalars and on vectors. specpi-cc compiles the module to SPIR-V. The kernels run on Intel's CPU runtime and on
cuda:*, with all pairs of limits and some numbers between. Prints the differences, and exits with 1 if there are any.
"""
import os
import pathlib
import sys
import tempfile

import numpy as np
import specpi

WIDTHS = [2, 8, 24, 33, 64, 65, 128]


def signed(x, n):
    return x - (1 << n) if x >> (n - 1) else x


def saturate(x, low, high):
    return max(low, min(high, x))


def quotient(a, b):
    """Divides and rounds towards zero, as LLVM does."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def rounded(x, digits):
    """Rounds an integer to this many binary digits, ties to even."""
    drop = max(abs(x).bit_length() - digits, 0)
    size, rest, half = abs(x) >> drop, abs(x) & ((1 << drop) - 1), 1 << drop >> 1
    size += drop > 0 and (rest > half or (rest == half and size & 1))
    return (size << drop) * (1 if x >= 0 else -1)


def leading(x, n):
    return n - x.bit_length()


def trailing(x, n):
    return n if x == 0 else (x & -x).bit_length() - 1


def reverse(x, n, step=1):
    return sum((x >> at & ((1 << step) - 1)) << (n - step - at) for at in range(0, n, step))


def funnel(a, b, c, n, left):
    both, c = a << n | b, c % n
    return both >> (n - c) if left else both >> c


def operations(n):
    """Returns a dictionary of names to LLVM text, which computes %r from %a and %b, and a function of the exact result.

The function returns None where the result is undefined.
"""
    top, least = (1 << (n - 1)) - 1, -(1 << (n - 1))
    full = (1 << n) - 1
    made = {}
    for name, rule in {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "and": lambda a, b: a & b,
        "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
        "shl": lambda a, b: a << b if b < n else None, "lshr": lambda a, b: a >> b if b < n else None,
        "ashr": lambda a, b: signed(a, n) >> b if b < n else None,
    }.items():
        made[name] = (f"%r = {name} T %a, %b", rule)
    # Avoids division by 0 and of the smallest number by -1, which may kill the process on a CPU.
    safe = ("%z = icmp eq T %b, zeroinitializer\n%zi = zext B %z to T\n%d = or T %b, %zi\n"
            "%t = icmp uge T %b, zeroinitializer\n%one = zext B %t to T\n%n = {shift} T %a, %one\n")
    for name, rule in {"udiv": lambda a, b: a // b, "urem": lambda a, b: a % b, "sdiv": quotient,
                       "srem": lambda a, b: a - b * quotient(a, b)}.items():
        cast = signed if name[0] == "s" else (lambda x, n: x)
        made[name] = (safe.replace("{shift}", "ashr" if name[0] == "s" else "lshr") + f"%r = {name} T %n, %d",
                      lambda a, b, rule=rule, cast=cast: rule(cast(a, n) >> 1, cast(b or 1, n)))
    shifts = {"uadd": lambda a, b: a + b, "usub": lambda a, b: a - b, "umul": lambda a, b: a * b}
    shifts |= {"s" + name[1:]: lambda a, b, rule=rule: rule(signed(a, n), signed(b, n))
               for name, rule in list(shifts.items())}
    for name, rule in shifts.items():
        low, high = (least, top) if name[0] == "s" else (0, full)
        if name[1:] != "mul":
            made[f"{name}.sat"] = (f"%r = call T @llvm.{name}.sat.M(T %a, T %b)",
                                   lambda a, b, rule=rule, low=low, high=high: saturate(rule(a, b), low, high))
        text = f"%p = call {{T, B}} @llvm.{name}.with.overflow.M(T %a, T %b)\n"
        made[f"{name}.value"] = (text + "%r = extractvalue {T, B} %p, 0", rule)
        made[f"{name}.over"] = (text + "%o = extractvalue {T, B} %p, 1\n%r = zext B %o to T",
                                lambda a, b, rule=rule, low=low, high=high: not low <= rule(a, b) <= high)
    for name, scale in (("smul.fix", n // 2), ("umul.fix", n // 2)):
        rule = shifts[name[:4]]
        low, high = (least, top) if name[0] == "s" else (0, full)
        made[name] = (f"%r = call T @llvm.{name}.M(T %a, T %b, i32 {scale})",
                      lambda a, b, rule=rule, scale=scale, low=low, high=high:
                      rule(a, b) >> scale if low <= rule(a, b) >> scale <= high else None)
        made[name + ".sat"] = (f"%r = call T @llvm.{name}.sat.M(T %a, T %b, i32 {scale})",
                               lambda a, b, rule=rule, scale=scale, low=low, high=high:
                               saturate(rule(a, b) >> scale, low, high))
    made["sshl.sat"] = ("%r = call T @llvm.sshl.sat.M(T %a, T %b)",
                        lambda a, b: saturate(signed(a, n) << b, least, top) if b < n else None)
    made["ushl.sat"] = ("%r = call T @llvm.ushl.sat.M(T %a, T %b)",
                        lambda a, b: saturate(a << b, 0, full) if b < n else None)
    for name, rule in {"umax": max, "umin": min, "smax": lambda a, b: max(signed(a, n), signed(b, n)),
                       "smin": lambda a, b: min(signed(a, n), signed(b, n))}.items():
        made[name] = (f"%r = call T @llvm.{name}.M(T %a, T %b)", rule)
    made["abs"] = ("%r = call T @llvm.abs.M(T %a, i1 false)", lambda a, b: abs(signed(a, n)))
    for name, left in (("fshl", True), ("fshr", False)):
        made[name] = (f"%r = call T @llvm.{name}.M(T %a, T %b, T %b)",
                      lambda a, b, left=left: funnel(a, b, b, n, left))
        made[name + ".turn"] = (f"%r = call T @llvm.{name}.M(T %a, T %a, T %b)",
                                lambda a, b, left=left: funnel(a, a, b, n, left))
        made[name + ".none"] = (f"%r = call T @llvm.{name}.M(T %a, T %b, T zeroinitializer)",
                                lambda a, b, left=left: funnel(a, b, 0, n, left))
    for name, rule in {"ctlz": leading, "cttz": trailing}.items():
        made[name] = (f"%r = call T @llvm.{name}.M(T %a, i1 false)", lambda a, b, rule=rule: rule(a, n))
    made["ctpop"] = ("%r = call T @llvm.ctpop.M(T %a)", lambda a, b: bin(a).count("1"))
    made["bitreverse"] = ("%r = call T @llvm.bitreverse.M(T %a)", lambda a, b: reverse(a, n))
    if n % 16 == 0:
        made["bswap"] = ("%r = call T @llvm.bswap.M(T %a)", lambda a, b: reverse(a, n, 8))
    for name, rule in {"ult": lambda a, b: a < b, "uge": lambda a, b: a >= b, "eq": lambda a, b: a == b,
                       "slt": lambda a, b: signed(a, n) < signed(b, n),
                       "sle": lambda a, b: signed(a, n) <= signed(b, n),
                       "sgt": lambda a, b: signed(a, n) > signed(b, n)}.items():
        made[name] = (f"%c = icmp {name} T %a, %b\n%r = select B %c, T %a, T %b",
                      lambda a, b, rule=rule: a if rule(a, b) else b)
        made[name + ".sext"] = (f"%c = icmp {name} T %a, %b\n%r = sext B %c to T",
                                lambda a, b, rule=rule: -rule(a, b))
    made["freeze"] = ("%f = freeze T %a\n%r = add T %f, %b", lambda a, b: a + b)
    made["expect"] = ("%f = call T @llvm.ssa.copy.M(T %a)\n%r = sub T %f, %b", lambda a, b: a - b)
    return made


def scalar_operations(n):
    """Returns the operations that only scalars have."""
    made = {}
    for name, (bits, rule) in {
        "zext": (n + 9, lambda a, b: (a ^ b) >> 2), "sext": (n + 9, lambda a, b: signed(a, n) >> 2)}.items():
        text = "%a2 = xor T %a, %b\n" if name == "zext" else ""
        made[name] = (text + f"%w = {name} T %a{'2' if text else ''} to i{bits}\n%s = ashr i{bits} %w, 2\n"
                      f"%r = trunc i{bits} %s to T", rule)
    made["memory"] = ("%v = alloca T\nstore T %a, T* %v\n%l = load T, T* %v\n%r = xor T %l, %b", lambda a, b: a ^ b)
    made["loop"] = ("br label %head\nhead:\n%i = phi i32 [0, %entry], [%j, %head]\n"
                    "%lx = phi T [%a, %entry], [%ly, %head]\n%ly = phi T [%b, %entry], [%z, %head]\n"
                    "%z = add T %lx, %ly\n%j = add i32 %i, 1\n%d = icmp eq i32 %j, 6\n"
                    "br i1 %d, label %end, label %head\nend:\n%r = sub T %z, %a", lambda a, b: 13 * b + 7 * a)
    if n <= 64:
        made["switch"] = ("switch T %a, label %end [T 1, label %one T -1, label %two]\none:\nbr label %end\n"
                          "two:\nbr label %end\nend:\n%r = phi T [%b, %entry], [3, %one], [%a, %two]",
                          lambda a, b: a if a == (1 << n) - 1 else 3 if a == 1 else b)
    for kind, type_bits in (("float", 24), ("double", 53)):
        for name, cast in (("sitofp", signed), ("uitofp", lambda x, n: x)):
            back = "fptosi" if cast is signed else "fptoui"
            # The shift keeps the rounded number in range.
            made[f"{name}.{kind}"] = (
                f"%h = {'ashr' if cast is signed else 'lshr'} T %a, 1\n%f = {name} T %h to {kind}\n"
                f"%m = fmul {kind} %f, 5.0e-1\n%r = {back} {kind} %m to T",
                lambda a, b, cast=cast, type_bits=type_bits:
                quotient(rounded(cast(a, n) >> 1, type_bits), 2))
    if n in (24, 48, 96):
        count = n // 8
        made["bytes"] = (f"%v = bitcast T %a to <{count} x i8>\n%e = extractelement <{count} x i8> %v, i32 1\n"
                         f"%f = insertelement <{count} x i8> %v, i8 %e, i32 0\n%r = bitcast <{count} x i8> %f to T",
                         lambda a, b: a & ~255 | a >> 8 & 255)
    return made


def vector_operations(n):
    """Returns reductions over a vector of %a, %b and constants."""
    four = ("%v0 = insertelement <5 x T> undef, T %a, i32 0\n%v1 = insertelement <5 x T> %v0, T %b, i32 1\n"
            "%v2 = insertelement <5 x T> %v1, T 1, i32 2\n%v3 = insertelement <5 x T> %v2, T %b, i32 3\n"
            "%v = insertelement <5 x T> %v3, T -1, i32 4\n")
    full = (1 << n) - 1
    values = lambda a, b: [a, b, 1, b, full]
    made = {}

    def fold(rule):
        def run(a, b):
            all_of = values(a, b)
            x = all_of[0]
            for y in all_of[1:]:
                x = rule(x, y)
            return x
        return run

    key = lambda x: signed(x, n)
    for name, rule in {"add": lambda x, y: x + y, "mul": lambda x, y: x * y, "and": lambda x, y: x & y,
                       "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y, "umax": max, "umin": min,
                       "smax": lambda x, y: max(x, y, key=key), "smin": lambda x, y: min(x, y, key=key)}.items():
        made["reduce." + name] = (four + f"%r = call T @llvm.vector.reduce.{name}.v5iN(<5 x T> %v)", fold(rule))
    made["shuffle"] = (four + "%s = shufflevector <5 x T> %v, <5 x T> undef, <2 x i32> <i32 1, i32 4>\n"
                       "%s0 = extractelement <2 x T> %s, i32 0\n%s1 = extractelement <2 x T> %s, i32 1\n"
                       "%r = sub T %s0, %s1", lambda a, b: b - full)
    made["index"] = (four + "%i = and i32 %gid32, 1\n%j = add i32 %i, 2\n"
                     "%w = insertelement <5 x T> %v, T 2, i32 %j\n%r = extractelement <5 x T> %w, i32 2", None)
    return made


def values_of(n):
    full = (1 << n) - 1
    some = [0, 1, 2, 3, full, full - 1, 1 << (n - 1), (1 << (n - 1)) - 1, (1 << (n - 1)) + 1, n - 1, n, n // 2,
            0x5A5A123456789ABCDEF0F1E2D3C4B5A69788 & full, 0xFEDCBA98765432100123456789ABCDEF >> 3 & full]
    return sorted({x & full for x in some})


def kernel_text(name, body, n, form):
    """Returns a kernel's text. form is the number of elements of %a and %b; all elements are checked."""
    words = (n + 63) // 64
    wide = 64 * words
    text = [f"define spir_kernel void @{name}(i64 addrspace(1)* %to, i64 addrspace(1)* %from) {{\nentry:",
            "%gid = call spir_func i64 @_Z13get_global_idj(i32 0)\n%gid32 = trunc i64 %gid to i32"]
    for at, which in enumerate("xy"):
        text.append(f"%{which}.acc0 = add i{wide} 0, 0")
        for word in range(words):
            text += [f"%{which}.at{word} = mul i64 %gid, {2 * words}",
                     f"%{which}.in{word} = add i64 %{which}.at{word}, {at * words + word}",
                     f"%{which}.p{word} = getelementptr i64, i64 addrspace(1)* %from, i64 %{which}.in{word}",
                     f"%{which}.w{word} = load i64, i64 addrspace(1)* %{which}.p{word}",
                     f"%{which}.e{word} = {'zext i64' if wide > 64 else 'add i64 0,'} %{which}.w{word}"
                     + (f" to i{wide}" if wide > 64 else ""),
                     f"%{which}.s{word} = shl i{wide} %{which}.e{word}, {64 * word}",
                     f"%{which}.acc{word + 1} = or i{wide} %{which}.acc{word}, %{which}.s{word}"]
        text.append(f"%{which} = {'trunc' if wide > n else 'add'} i{wide} "
                    + (f"%{which}.acc{words} to i{n}" if wide > n else f"0, %{which}.acc{words}"))
    mangled = f"i{n}"
    kind, bools, result = f"i{n}", "i1", "%r"
    if form == 1:
        text.append("%a = add T %x, 0\n%b = add T %y, 0")
    else:
        kind, bools, mangled = f"<{form} x i{n}>", f"<{form} x i1>", f"v{form}i{n}"
        for which, other, to in (("x", "y", "a"), ("y", "x", "b")):
            last = "undef"
            for i in range(form):
                value = which if i == form - 1 else other
                name_of = f"%{to}" if i == form - 1 else f"%{to}{i}v"
                text.append(f"{name_of} = insertelement T {last}, i{n} %{value}, i32 {i}")
                last = name_of
        body += f"\n%r.one = extractelement T %r, i32 {form - 1}"
        result = "%r.one"
    text.append(body)
    text.append(f"%r.wide = {'zext' if wide > n else 'add'} i{n} "
                + (f"{result} to i{wide}" if wide > n else f"0, {result}"))
    for word in range(words):
        text += [f"%r.s{word} = lshr i{wide} %r.wide, {64 * word}",
                 f"%r.t{word} = " + (f"trunc i{wide} %r.s{word} to i64" if wide > 64 else f"add i64 0, %r.s{word}"),
                 f"%r.at{word} = mul i64 %gid, {words}\n%r.in{word} = add i64 %r.at{word}, {word}",
                 f"%r.p{word} = getelementptr i64, i64 addrspace(1)* %to, i64 %r.in{word}",
                 f"store i64 %r.t{word}, i64 addrspace(1)* %r.p{word}"]
    return "\n".join([*text, "ret void\n}\n"]), kind, bools, mangled


def fill(text, kind, bools, mangled, n):
    """Replaces T and B by types, and adds declarations of the called functions."""
    import re

    text = re.sub(r"\bT\b", kind, text)
    text = re.sub(r"\bB\b", bools, text)
    return text.replace("iN", f"i{n}").replace(".M(", f".{mangled}(")


def declarations(text):
    import re

    found = {}
    for result, name, arguments in re.findall(r"call (?:spir_func )?(\{[^}]*\}|<[^>]*>|\w+) (@[\w.]+)\(([^\n]*)\)", text):
        kinds = re.findall(r"(<\d+ x i\d+>|i\d+) [%\w-]+", arguments)
        immediate = re.search(r", i(1|32) (false|\d+)$", arguments)
        found[name] = (result, kinds, bool(immediate))
    lines = []
    for name, (result, kinds, immediate) in found.items():
        if name.startswith("@_Z"):
            lines.append(f"declare spir_func {result} {name}({', '.join(kinds)})")
        else:
            shown = [f"{kind} immarg" if immediate and i == len(kinds) - 1 else kind for i, kind in enumerate(kinds)]
            lines.append(f"declare {result} {name}({', '.join(shown)})")
    return "\n".join(lines)


def module_of(n):
    """Returns the module's text, and the operation of each kernel."""
    cases = {}
    text = []
    # Vectors leave out div and rem above 64 bits, whose code is long.
    elements = {name: one for name, one in operations(n).items() if n <= 64 or name[1:] not in ("div", "rem")}
    plans = [(1, operations(n)), (1, scalar_operations(n)), (1, vector_operations(n)), (3, elements), (5, elements)]
    for form, plan in plans:
        for name, (body, rule) in plan.items():
            label = f"k{len(cases)}"
            made, kind, bools, mangled = kernel_text(label, body, n, form)
            text.append(fill(made, kind, bools, mangled, n))
            cases[label] = (f"{name} of {f'vectors of {form} ' if form > 1 else ''}i{n}", rule)
    joined = "\n".join(text)
    head = ('target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"\n'
            'target triple = "spir64-unknown-unknown"\n')
    return head + joined + declarations(joined), cases


def check_width(n, queues):
    text, cases = module_of(n)
    words, full = (n + 63) // 64, (1 << n) - 1
    pairs = [(a, b) for a in values_of(n) for b in values_of(n)]
    given = np.array([x >> (64 * word) & (2**64 - 1) for pair in pairs for x in pair for word in range(words)], np.uint64)
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "widths.ll"
        path.write_text(text, encoding="utf-8")
        try:
            image = specpi.compile(path)
        except Exception as error:
            print(f"i{n}: {error}")
            return len(cases)
    for where, queue in queues.items():
        # Asked for a build log, the CUDA plugin builds all kernels of a module at once.
        options = "-v" if where.startswith("cuda") else ""
        for label, (name, rule) in cases.items():
            to = np.zeros(words * len(pairs), np.uint64)
            image.kernel(label, device=queue, options=options)(queue, len(pairs), to, given)
            found = [sum(int(to[i * words + word]) << (64 * word) for word in range(words)) for i in range(len(pairs))]
            for i, ((a, b), got) in enumerate(zip(pairs, found)):
                wanted = rule(a, b) if rule else (2 if i % 2 == 0 else 1)
                if wanted is not None and int(wanted) & full != got:
                    print(f"{where}: {name} ({a:#x}, {b:#x}): {got:#x}, not {int(wanted) & full:#x}")
                    failed += 1
                    break
    return failed


def main():
    names = sys.argv[2:] or ["opencl:cpu", "cuda:*"]
    queues = {name: specpi.Queue(name) for name in names}
    widths = [int(n) for n in sys.argv[1].split(",")] if len(sys.argv) > 1 and sys.argv[1] else WIDTHS
    failed = sum(check_width(n, queues) for n in widths)
    print(f"{failed} results differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
