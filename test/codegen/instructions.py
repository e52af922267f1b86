"""instructions.py SPIRV_AS: checks every instruction of SPIR-V 1.0 to 1.4 that kernels may have.

Each instruction has a small module, which is compiled to PTX and runs on cuda:*. The result must be right, or the
module must be refused with a message that names the instruction. Prints the differences, and exits with 1 if there
are any.
"""
import itertools
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
import specpi

X, Y, Z = 0xFFFFFFFB, 7, 0x80000001  # -5, 7, the smallest number and 1
F, G = -7.5, 2.0


def single(value):
    return struct.unpack("I", struct.pack("f", value))[0]


HEAD = """OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpCapability Float64
OpCapability Linkage
OpCapability GenericPointer
OpCapability Vector16
OpCapability Groups
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformArithmetic
OpCapability ImageBasic
{capabilities}
%ocl = OpExtInstImport "OpenCL.std"
{imports}OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "t"
{modes}{strings}{decorations}%void = OpTypeVoid
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%v2 = OpTypeVector %u32 2
%v3 = OpTypeVector %u32 3
%v4 = OpTypeVector %u32 4
%w2 = OpTypeVector %u64 2
%b2 = OpTypeVector %bool 2
%p2 = OpTypeVector %f32 2
%n1 = OpConstant %u32 1
%n2 = OpConstant %u32 2
%n3 = OpConstant %u32 3
%n5 = OpConstant %u32 5
%n16 = OpConstant %u32 16
%n0 = OpConstant %u32 0
%l0 = OpConstant %u64 0
%l1 = OpConstant %u64 1
%l2 = OpConstant %u64 2
%l8 = OpConstant %u64 8
%arr = OpTypeArray %u32 %n3
%st = OpTypeStruct %u32 %u32
%st3 = OpTypeStruct %u32 %arr %u8
%st4 = OpTypeStruct %u32 %arr %u8
%gu32 = OpTypePointer CrossWorkgroup %u32
%gu8 = OpTypePointer CrossWorkgroup %u8
%gst = OpTypePointer CrossWorkgroup %st3
%xu32 = OpTypePointer Generic %u32
%pu32 = OpTypePointer Function %u32
%pst = OpTypePointer Function %st3
%plain = OpTypeFunction %u32 %u32
%fn = OpTypeFunction %void %gu32 %gu32
{globals}
{functions}%k = OpFunction %void None %fn
%to = OpFunctionParameter %gu32
%from = OpFunctionParameter %gu32
%entry = OpLabel
{variables}%x = OpLoad %u32 %from Aligned 4
%yp = OpInBoundsPtrAccessChain %gu32 %from %l1
%y = OpLoad %u32 %yp Aligned 4
%zp = OpInBoundsPtrAccessChain %gu32 %from %l2
%z = OpLoad %u32 %zp Aligned 4
%fx = OpUConvert %u64 %n3
%fp = OpInBoundsPtrAccessChain %gu32 %from %fx
%fi = OpLoad %u32 %fp Aligned 4
%f = OpBitcast %f32 %fi
%gx = OpIAdd %u64 %l2 %l2
%gp = OpInBoundsPtrAccessChain %gu32 %from %gx
%gi = OpLoad %u32 %gp Aligned 4
%g = OpBitcast %f32 %gi
%vx = OpCompositeInsert %v2 %x %undef 0
%v = OpCompositeInsert %v2 %y %vx 1
%qx = OpCompositeInsert %p2 %f %undefp 0
%q = OpCompositeInsert %p2 %g %qx 1
{body}
OpStore %to %r Aligned 4
OpReturn
OpFunctionEnd
"""


class Case:
    """An instruction by name. body computes %r, a %u32; wanted is its value, or a text of the expected message."""

    def __init__(self, name, body, wanted, **parts):
        self.name, self.body, self.wanted, self.parts = name, body, wanted, parts

    def text(self):
        empty = dict.fromkeys(("capabilities", "imports", "modes", "strings", "decorations", "globals", "functions",
                               "variables"), "")
        made = {**empty, **{name: text.strip() + "\n" for name, text in self.parts.items()}}
        made["globals"] += "%undef = OpUndef %v2\n%undefp = OpUndef %p2"
        return HEAD.format(body=self.body, **made)


def sign(x):
    return x - (1 << 32) if x >> 31 else x


def cut(x):
    return int(x) & 0xFFFFFFFF


def toward_zero(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGERS = {
    "IAdd": lambda a, b: a + b, "ISub": lambda a, b: a - b, "IMul": lambda a, b: a * b, "UDiv": lambda a, b: a // b,
    "UMod": lambda a, b: a % b, "SDiv": lambda a, b: toward_zero(sign(a), sign(b)),
    "SRem": lambda a, b: sign(a) - sign(b) * toward_zero(sign(a), sign(b)), "SMod": lambda a, b: sign(a) % sign(b),
    "BitwiseOr": lambda a, b: a | b, "BitwiseXor": lambda a, b: a ^ b, "BitwiseAnd": lambda a, b: a & b,
    "ShiftLeftLogical": lambda a, b: a << b, "ShiftRightLogical": lambda a, b: a >> b,
    "ShiftRightArithmetic": lambda a, b: sign(a) >> b,
}
COMPARISONS = {
    "IEqual": lambda a, b: a == b, "INotEqual": lambda a, b: a != b, "UGreaterThan": lambda a, b: a > b,
    "SGreaterThan": lambda a, b: sign(a) > sign(b), "UGreaterThanEqual": lambda a, b: a >= b,
    "SGreaterThanEqual": lambda a, b: sign(a) >= sign(b), "ULessThan": lambda a, b: a < b,
    "SLessThan": lambda a, b: sign(a) < sign(b), "ULessThanEqual": lambda a, b: a <= b,
    "SLessThanEqual": lambda a, b: sign(a) <= sign(b),
}
FLOATS = {
    "FAdd": lambda a, b: a + b, "FSub": lambda a, b: a - b, "FMul": lambda a, b: a * b, "FDiv": lambda a, b: a / b,
    "FRem": math.fmod, "FMod": lambda a, b: a - b * math.floor(a / b),
}
ORDERS = {
    "Equal": lambda a, b: a == b, "NotEqual": lambda a, b: a != b, "LessThan": lambda a, b: a < b,
    "GreaterThan": lambda a, b: a > b, "LessThanEqual": lambda a, b: a <= b, "GreaterThanEqual": lambda a, b: a >= b,
}
LOGIC = {
    "LogicalEqual": lambda a, b: a == b, "LogicalNotEqual": lambda a, b: a != b, "LogicalOr": lambda a, b: a or b,
    "LogicalAnd": lambda a, b: a and b,
}
CHOICE = "\n%r = OpSelect %u32 %c %n1 %n0"
BITS = "\n%r = OpBitcast %u32 %s"


def integer_cases():
    for name, rule in INTEGERS.items():
        yield Case(f"Op{name}", f"%r = Op{name} %u32 %x %y", rule(X, Y))
        yield Case(f"Op{name}", f"%v1 = OpCompositeInsert %v2 %y %v 0\n%s = Op{name} %v2 %v %v1\n"
                   "%r = OpCompositeExtract %u32 %s 0", rule(X, Y))
        yield Case(f"OpSpecConstantOp {name}", "%r = OpCopyObject %u32 %s", rule(X, Y),
                   globals=f"%a = OpSpecConstant %u32 {X}\n%b = OpSpecConstant %u32 {Y}\n"
                   f"%s = OpSpecConstantOp %u32 {name} %a %b")
        yield Case(f"OpSpecConstantOp {name}", "%r = OpCompositeExtract %u32 %s 1", rule(X, Y),
                   globals=f"%a = OpSpecConstant %u32 {X}\n%b = OpSpecConstant %u32 {Y}\n"
                   "%va = OpSpecConstantComposite %v2 %b %a\n%vb = OpSpecConstantComposite %v2 %b %b\n"
                   f"%s = OpSpecConstantOp %v2 {name} %va %vb")
    for name, rule in COMPARISONS.items():
        yield Case(f"Op{name}", f"%c = Op{name} %bool %x %y" + CHOICE, rule(X, Y))
        yield Case(f"OpSpecConstantOp {name}", "%r = OpSelect %u32 %s %n1 %n0", rule(X, Y),
                   globals=f"%a = OpSpecConstant %u32 {X}\n%b = OpSpecConstant %u32 {Y}\n"
                   f"%s = OpSpecConstantOp %bool {name} %a %b")
    for name, rule in {"SNegate": lambda a: -a, "Not": lambda a: ~a}.items():
        yield Case(f"Op{name}", f"%r = Op{name} %u32 %x", rule(X))
        yield Case(f"OpSpecConstantOp {name}", "%r = OpCopyObject %u32 %s", rule(X),
                   globals=f"%a = OpSpecConstant %u32 {X}\n%s = OpSpecConstantOp %u32 {name} %a")
    yield Case("OpBitCount", "%r = OpBitCount %u32 %x", bin(X).count("1"))
    for width in (8, 16, 32, 64):
        for name, carry in (("IAddCarry", lambda a, b, n: (a + b) >> n), ("ISubBorrow", lambda a, b, n: a < b),
                            ("UMulExtended", lambda a, b, n: (a * b) >> n),
                            ("SMulExtended", lambda a, b, n: (signed(a, n) * signed(b, n)) >> n)):
            for a, b in ((X, Y), (Y, X), (X, X), (Z, Z), (0, X), (Y, Y)):
                cuts = [(x if x < 1 << 31 else x - (1 << 32)) & ((1 << width) - 1) for x in (a, b)]
                letters = {X: "%x", Y: "%y", Z: "%z", 0: "%n0"}
                operands = [letters[one] for one in (a, b)]
                body = ""
                if width != 32:
                    body = "".join(f"%a{i} = OpSConvert %u{width} {one}\n" for i, one in enumerate(operands))
                    operands = ["%a0", "%a1"]
                body += f"%s = Op{name} %pair {' '.join(operands)}\n%h = OpCompositeExtract %u{width} %s 1\n"
                body += "%r = OpCopyObject %u32 %h" if width == 32 else "%r = OpUConvert %u32 %h"
                yield Case(f"Op{name} of {width} bits", body, carry(*cuts, width) & ((1 << width) - 1),
                           globals=f"%pair = OpTypeStruct %u{width} %u{width}")
    yield Case("OpIAddCarry of vectors", "%w = OpCompositeInsert %v2 %x %v 1\n%s = OpIAddCarry %pair %v %w\n"
               "%r = OpCompositeExtract %u32 %s 1 1", 1, globals="%pair = OpTypeStruct %v2 %v2")
    yield Case("OpUMulExtended of vectors", "%s = OpUMulExtended %pair %v %v\n%r = OpCompositeExtract %u32 %s 1 0",
               X * X >> 32, globals="%pair = OpTypeStruct %v2 %v2")


def signed(x, n):
    return x - (1 << n) if x >> (n - 1) else x


def float_cases():
    for name, rule in FLOATS.items():
        yield Case(f"Op{name}", f"%s = Op{name} %f32 %f %g" + BITS, single(rule(F, G)))
        for kind, bits in (("f16", "e"), ("f32", "f"), ("f64", "d")):
            yield Case(f"OpSpecConstantOp {name} of {kind}", "%s = OpFConvert %f32 %d" + BITS if kind != "f32" else
                       "%r = OpBitcast %u32 %d", single(rule(F, G)),
                       globals=f"%a = OpSpecConstant %{kind} {F}\n%b = OpSpecConstant %{kind} {G}\n"
                       f"%d = OpSpecConstantOp %{kind} {name} %a %b")
    yield Case("OpFNegate", "%s = OpFNegate %f32 %f" + BITS, single(-F))
    yield Case("OpSpecConstantOp FNegate", "%r = OpBitcast %u32 %d", single(-F),
               globals=f"%a = OpSpecConstant %f32 {F}\n%d = OpSpecConstantOp %f32 FNegate %a")
    for order, rule in ORDERS.items():
        for prefix in ("FOrd", "FUnord"):
            yield Case(f"Op{prefix}{order}", f"%c = Op{prefix}{order} %bool %f %g" + CHOICE, rule(F, G))
    for name, value in {"IsNan": 0, "IsInf": 0, "IsFinite": 1, "IsNormal": 1, "SignBitSet": 1}.items():
        yield Case(f"Op{name}", f"%c = Op{name} %bool %f" + CHOICE, value)
    for name, value in {"LessOrGreater": 1, "Ordered": 1, "Unordered": 0}.items():
        yield Case(f"Op{name}", f"%c = Op{name} %bool %f %g" + CHOICE, value)
    yield Case("OpDot", "%s = OpDot %f32 %q %q" + BITS, single(F * F + G * G))
    yield Case("OpVectorTimesScalar", "%t = OpVectorTimesScalar %p2 %q %g\n%s = OpCompositeExtract %f32 %t 0" + BITS,
               single(F * G))
    for name, body, value in (
            ("ConvertFToU", "%r = OpConvertFToU %u32 %g", 2), ("ConvertFToS", "%r = OpConvertFToS %u32 %f", -7),
            ("ConvertSToF", "%s = OpConvertSToF %f32 %x" + BITS, single(-5)),
            ("ConvertUToF", "%s = OpConvertUToF %f32 %y" + BITS, single(7)),
            ("FConvert", "%d = OpFConvert %f64 %f\n%s = OpFConvert %f32 %d" + BITS, single(F)),
            ("UConvert", "%h = OpUConvert %u16 %x\n%r = OpUConvert %u32 %h", 0xFFFB),
            ("SConvert", "%h = OpSConvert %u16 %x\n%r = OpSConvert %u32 %h", -5),
            ("SatConvertSToU", "%r = OpSatConvertSToU %u32 %x", 0),
            ("SatConvertUToS", "%r = OpSatConvertUToS %u32 %x", 0x7FFFFFFF)):
        yield Case(f"Op{name}", body, value)
    for name, kinds, literal, value in (
            ("ConvertFToS", ("f32", "u32"), F, -7), ("ConvertFToU", ("f32", "u32"), G, 2),
            ("UConvert", ("u16", "u32"), 65531, 65531), ("SConvert", ("u16", "u32"), 65531, -5)):
        yield Case(f"OpSpecConstantOp {name}", "%r = OpCopyObject %u32 %s", value,
                   globals=f"%a = OpSpecConstant %{kinds[0]} {literal}\n%s = OpSpecConstantOp %{kinds[1]} {name} %a")
    for name, value in (("ConvertSToF", -5.0), ("ConvertUToF", float(np.float32(X)))):
        yield Case(f"OpSpecConstantOp {name}", "%r = OpBitcast %u32 %s", single(value),
                   globals=f"%a = OpSpecConstant %u32 {X}\n%s = OpSpecConstantOp %f32 {name} %a")
    for value in (F, 65504.0, 6e-8, 1e-7, 0.1, 65536.0, -0.0):
        with np.errstate(over="ignore"):
            wanted = single(float(np.float16(np.float32(value))))
        yield Case("OpSpecConstantOp FConvert", "%s = OpFConvert %f32 %h" + BITS, wanted,
                   globals=f"%a = OpSpecConstant %f32 {value!r}\n%h = OpSpecConstantOp %f16 FConvert %a")


def other_cases():
    for name, rule in LOGIC.items():
        yield Case(f"Op{name}", f"%a = OpSLessThan %bool %x %y\n%b = OpULessThan %bool %x %y\n%c = Op{name} %bool %a %b"
                   + CHOICE, bool(rule(True, False)))
        yield Case(f"OpSpecConstantOp {name}", "%r = OpSelect %u32 %s %n1 %n0", bool(rule(True, False)),
                   globals=f"%a = OpSpecConstantTrue %bool\n%b = OpSpecConstantFalse %bool\n"
                   f"%s = OpSpecConstantOp %bool {name} %a %b")
    yield Case("OpLogicalNot", "%a = OpSLessThan %bool %x %y\n%c = OpLogicalNot %bool %a" + CHOICE, 0)
    yield Case("OpSpecConstantOp LogicalNot", "%r = OpSelect %u32 %s %n1 %n0", 0,
               globals="%a = OpSpecConstantTrue %bool\n%s = OpSpecConstantOp %bool LogicalNot %a")
    for name, value in (("Any", 1), ("All", 0)):
        yield Case(f"Op{name}", "%w = OpCompositeInsert %v2 %x %v 1\n%e = OpIEqual %b2 %v %w\n"
                   f"%c = Op{name} %bool %e" + CHOICE, value)
    yield Case("OpSelect", "%a = OpSLessThan %bool %x %y\n%r = OpSelect %u32 %a %z %x", Z)
    yield Case("OpSpecConstantOp Select", "%r = OpCopyObject %u32 %s", 5,
               globals="%a = OpSpecConstantFalse %bool\n%s = OpSpecConstantOp %u32 Select %a %n3 %n5")
    spec_vector = f"%a = OpSpecConstant %u32 {X}\n%va = OpSpecConstantComposite %v2 %n5 %a\n"
    for name, text, value in (
            ("CompositeExtract", "%s = OpSpecConstantOp %u32 CompositeExtract %va 1", X),
            ("CompositeInsert", "%t = OpSpecConstantOp %v2 CompositeInsert %n3 %va 1\n"
             "%s = OpSpecConstantOp %u32 CompositeExtract %t 1", 3),
            ("VectorShuffle", "%vb = OpConstantComposite %v3 %n1 %n2 %n3\n"
             "%t = OpSpecConstantOp %v4 VectorShuffle %va %vb 4 1 0 2\n"
             "%s = OpSpecConstantOp %u32 CompositeExtract %t 1", X),
            ("Bitcast", "%t = OpSpecConstantOp %u64 Bitcast %va\n%t2 = OpSpecConstantOp %u64 ShiftRightLogical %t %l8\n"
             "%s = OpSpecConstantOp %u32 UConvert %t2", (5 | X << 32) >> 8)):
        yield Case(f"OpSpecConstantOp {name}", "%r = OpCopyObject %u32 %s", value, globals=spec_vector + text)
    for text, value in (("%n = OpConstantNull %u32\n%s = OpSpecConstantOp %u32 IAdd %n %n5", 5),
                        ("%n = OpConstantNull %v2\n%s = OpSpecConstantOp %u32 CompositeExtract %n 1", 0)):
        yield Case("OpConstantNull", "%r = OpCopyObject %u32 %s", value, globals=text)
    for kind, body in (("u8", "%r = OpUConvert %u32 %n"), ("u64", "%r = OpUConvert %u32 %n"),
                       ("f16", "%s = OpFConvert %f32 %n" + BITS), ("f64", "%s = OpFConvert %f32 %n" + BITS),
                       ("bool", "%r = OpSelect %u32 %n %n1 %n0"), ("gu32", "%l = OpConvertPtrToU %u64 %n\n"
                                                                  "%r = OpUConvert %u32 %l"),
                       ("st", "%r = OpCompositeExtract %u32 %n 1")):
        yield Case(f"OpConstantNull of {kind}", body, 0, globals=f"%n = OpConstantNull %{kind}")
    yield Case("OpVectorExtractDynamic", "%r = OpVectorExtractDynamic %u32 %v %n1", Y)
    yield Case("OpVectorInsertDynamic", "%w = OpVectorInsertDynamic %v2 %v %z %n1\n%r = OpCompositeExtract %u32 %w 1", Z)
    for first, second, parts, index in (("v", "v", "0 1 2 3", 3), ("v", "w", "4 1 2 0", 0), ("w", "v", "4 1 3 0", 0),
                                        ("v", "w", "1 4294967295 0 3", 0)):
        all_of = {"v": [X, Y], "w": [X, Y, Z]}
        chosen = [*all_of[first], *all_of[second]][int(parts.split()[index])]
        yield Case("OpVectorShuffle", "%w = OpCompositeConstruct %v3 %v %z\n"
                   f"%s = OpVectorShuffle %v4 %{first} %{second} {parts}\n%r = OpCompositeExtract %u32 %s {index}", chosen)
    for kind, parts, index, value in (("v4", "%v %v", "2", X), ("v3", "%z %v", "2", Y), ("st", "%x %y", "1", Y),
                                      ("arr", "%x %y %z", "2", Z), ("v4", "%x %y %z %x", "3", X)):
        yield Case(f"OpCompositeConstruct of {kind}", f"%s = OpCompositeConstruct %{kind} {parts}\n"
                   f"%r = OpCompositeExtract %u32 %s {index}", value)
    for kind, operand in (("u32", "x"), ("v2", "v"), ("f32", "f"), ("gu32", "to"), ("p2", "q")):
        after = {"u32": "%r = OpCopyObject %u32 %s", "v2": "%r = OpCompositeExtract %u32 %s 0", "f32": BITS[1:],
                 "gu32": "OpStore %s %y Aligned 4\n%r = OpLoad %u32 %to Aligned 4",
                 "p2": "%e = OpCompositeExtract %f32 %s 0\n%r = OpBitcast %u32 %e"}[kind]
        value = {"u32": X, "v2": X, "f32": single(F), "gu32": Y, "p2": single(F)}[kind]
        yield Case(f"OpCopyObject of {kind}", f"%s = OpCopyObject %{kind} %{operand}\n{after}", value)
    yield Case("OpCopyObject of a structure", "%a = OpCompositeConstruct %st %x %y\n%s = OpCopyObject %st %a\n"
               "%r = OpCompositeExtract %u32 %s 1", Y)
    yield Case("OpCompositeInsert, OpCompositeExtract in a vector", "%a = OpCompositeConstruct %nest %v %v\n"
               "%b = OpCompositeInsert %nest %z %a 1 0\n%c = OpCompositeExtract %u32 %b 1 0\n"
               "%d = OpCompositeExtract %u32 %b 1 1\n%r = OpIAdd %u32 %c %d", Z + Y,
               globals="%nest = OpTypeStruct %v2 %v2")
    yield Case("OpCopyLogical", "%a = OpCompositeConstruct %arr %x %y %z\n%e = OpUConvert %u8 %x\n"
               "%b = OpCompositeConstruct %st3 %x %a %e\n%s = OpCopyLogical %st4 %b\n"
               "%r = OpCompositeExtract %u32 %s 1 2", Z)
    yield Case("OpUndef", "%u = OpUndef %u32\n%a = OpBitwiseAnd %u32 %u %n0\n%r = OpIAdd %u32 %a %x", X)
    yield Case("OpNop", "OpNop\n%r = OpCopyObject %u32 %x", X)
    yield Case("OpFunctionCall of a function without a name", "%r = OpFunctionCall %u32 %sq %y", Y * Y,
               functions="%sq = OpFunction %u32 DontInline %plain\n%p = OpFunctionParameter %u32\n%e1 = OpLabel\n"
               "%m = OpIMul %u32 %p %p\nOpReturnValue %m\nOpFunctionEnd")
    yield Case("OpPhi, OpBranch, OpLoopMerge, OpBranchConditional", "OpBranch %head\n%head = OpLabel\n"
               "%i = OpPhi %u32 %n0 %entry %j %head\n%s = OpPhi %u32 %n0 %entry %t %head\n%j = OpIAdd %u32 %i %n1\n"
               "%t = OpIAdd %u32 %s %y\n%d = OpUGreaterThan %bool %j %n3\nOpLoopMerge %end %head None\n"
               "OpBranchConditional %d %end %head\n%end = OpLabel\n%r = OpCopyObject %u32 %t", 28)
    yield Case("OpSwitch, OpSelectionMerge, OpUnreachable", "OpSelectionMerge %end None\n"
               "OpSwitch %y %bad 7 %good\n%bad = OpLabel\nOpUnreachable\n%good = OpLabel\nOpBranch %end\n%end = OpLabel\n"
               "%r = OpCopyObject %u32 %x", X)


def memory_cases():
    yield Case("OpPtrEqual", "%c = OpPtrEqual %bool %from %yp" + CHOICE, 0)
    yield Case("OpPtrNotEqual", "%c = OpPtrNotEqual %bool %from %yp" + CHOICE, 1)
    yield Case("OpPtrDiff", "%d = OpPtrDiff %u64 %from %zp\n%r = OpUConvert %u32 %d", -2)
    yield Case("OpPtrDiff of 32 bits", "%r = OpPtrDiff %u32 %gp %yp", 3)
    yield Case("OpSizeOf", "%r = OpSizeOf %u32 %var", 20, variables="%var = OpVariable %pst Function")
    yield Case("OpSizeOf of 64 bits", "%l = OpSizeOf %u64 %from\n%r = OpUConvert %u32 %l", 4)
    yield Case("OpCopyMemory", "%w = OpVariable_\nOpCopyMemory %var %cast\n%p = OpInBoundsAccessChain %pu32 %var %n1 %n2\n"
               "%r = OpLoad %u32 %p Aligned 4".replace("%w = OpVariable_\n", "%cast = OpBitcast %gst %from\n"),
               single(F), variables="%var = OpVariable %pst Function")
    for access in ("", " Aligned 4", " Volatile|Aligned 4", " Volatile", " Aligned 8 Aligned 4", " None Volatile"):
        yield Case(f"OpCopyMemory{access}", f"OpCopyMemory %var %zp{access}\n%r = OpLoad %u32 %var Aligned 4", Z,
                   variables="%var = OpVariable %pu32 Function")
        yield Case(f"OpCopyMemorySized{access}", f"%a = OpBitcast %gu8 %to\n%b = OpBitcast %gu8 %zp\n"
                   f"OpCopyMemorySized %a %b %l8{access}\n%r = OpLoad %u32 %to Aligned 4", Z)
    yield Case("OpBitcast of pointers", "%i = OpBitcast %u64 %from\n%j = OpIAdd %u64 %i %l8\n%p = OpBitcast %gu32 %j\n"
               "%r = OpLoad %u32 %p Aligned 4", Z)
    yield Case("OpConvertPtrToU, OpConvertUToPtr", "%i = OpConvertPtrToU %u64 %zp\n%p = OpConvertUToPtr %gu32 %i\n"
               "%r = OpLoad %u32 %p Aligned 4", Z)
    yield Case("OpPtrCastToGeneric, OpGenericCastToPtr", "%i = OpPtrCastToGeneric %xu32 %zp\n"
               "%p = OpGenericCastToPtr %gu32 %i\n%r = OpLoad %u32 %p Aligned 4", Z)
    yield Case("OpLifetimeStart, OpLifetimeStop", "%b = OpBitcast %pb %var\nOpLifetimeStart %b 4\nOpStore %var %x Aligned 4\n"
               "%r = OpLoad %u32 %var Aligned 4\nOpLifetimeStop %b 4", X, variables="%var = OpVariable %pu32 Function",
               globals="%pb = OpTypePointer Function %u8")
    atomics = {"IIncrement": ("", X + 1), "IDecrement": ("", X - 1), "IAdd": (" %y", X + Y), "ISub": (" %y", X - Y),
               "SMin": (" %y", X), "UMin": (" %y", Y), "SMax": (" %y", Y), "UMax": (" %y", X), "And": (" %y", X & Y),
               "Or": (" %y", X | Y), "Xor": (" %y", X ^ Y), "Exchange": (" %y", Y)}
    for name, (operand, value) in atomics.items():
        yield Case(f"OpAtomic{name}", f"%old = OpAtomic{name} %u32 %from %n1 %n16{operand}\n"
                   "%r = OpLoad %u32 %from Aligned 4", value)
    yield Case("OpAtomicLoad, OpAtomicStore", "OpAtomicStore %from %n1 %n16 %y\n%r = OpAtomicLoad %u32 %from %n1 %n16", Y)
    for name in ("", "Weak"):
        yield Case(f"OpAtomicCompareExchange{name}", f"%old = OpAtomicCompareExchange{name} %u32 %from %n1 %n16 %n16 %y %x\n"
                   "%r = OpLoad %u32 %from Aligned 4", Y)
    yield Case("OpAtomicFlagTestAndSet, OpAtomicFlagClear", "OpAtomicFlagClear %from %n1 %n0\n"
               "%c = OpAtomicFlagTestAndSet %bool %from %n1 %n0" + CHOICE, 0)
    yield Case("OpControlBarrier, OpMemoryBarrier", "OpMemoryBarrier %n2 %sem\nOpControlBarrier %n2 %n2 %sem\n"
               "%r = OpCopyObject %u32 %x", X, globals="%sem = OpConstant %u32 272")


def move_cases(count):
    """Yields moves of large objects as OpLoad and OpStore: to each memory, exchanges, and moves by one element within a
    memory. LLVM does not know the index of the element that is read."""
    memories = {"Function": "%fbig", "Workgroup": "%wbig", "CrossWorkgroup": "%cbig", "Generic": "%xbig"}
    declared = f"%all = OpConstant %u32 {count}\n%most = OpConstant %u32 {count - 1}\n%n6 = OpConstant %u32 6\n" \
               "%n7 = OpConstant %u32 7\n%big = OpTypeArray %u32 %all\n%part = OpTypeArray %u32 %most\n"
    for storage, pointer in memories.items():
        declared += "".join(f"{pointer}{suffix} = OpTypePointer {storage} {of}\n"
                            for suffix, of in (("", "%big"), ("part", "%part"), ("u32", "%u32")))
    declared += "%zeros = OpConstantNull %big\n%aWorkgroup = OpVariable %wbig Workgroup\n" \
                "%bWorkgroup = OpVariable %wbig Workgroup\n"
    parts = {"globals": declared,
             "variables": "%aFunction = OpVariable %fbig Function\n%bFunction = OpVariable %fbig Function\n"}
    # A generic pointer is that to work-group memory.
    head = "%aCrossWorkgroup = OpBitcast %cbig %from\n%bCrossWorkgroup = OpBitcast %cbig %to\n" \
           "%i = OpISub %u32 %y %n6\n%is = OpIEqual %bool %y %n7\n"
    head += "".join(f"%{name}w = OpPtrCastToGeneric %xbig %{name}Workgroup\n"
                    f"%{name}c = OpPtrCastToGeneric %xbig %{name}CrossWorkgroup\n"
                    f"%{name}Generic = OpSelect %xbig %is %{name}w %{name}c\n" for name in "ab")

    def move(of, source, to, name):
        return f"%{name} = OpLoad {of} {source} Aligned 4\nOpStore {to} %{name} Aligned 4\n"

    def fill(storage):
        return "" if storage == "CrossWorkgroup" else move("%big", "%aCrossWorkgroup", f"%a{storage}", "filled")

    def read(storage, name):
        return f"%e = OpInBoundsAccessChain {memories[storage]}u32 %{name}{storage} %i\n%r = OpLoad %u32 %e Aligned 4"

    for source, to in itertools.product(memories, memories):
        begin = head + fill(source)
        yield Case(f"OpLoad, OpStore of {4 * count} bytes from {source} to {to}",
                   begin + move("%big", f"%a{source}", f"%b{to}", "moved") + read(to, "b"), Y, **parts)
        yield Case(f"OpLoad, OpStore of {4 * count} bytes exchanged between {source} and {to}",
                   begin + f"%one = OpLoad %big %a{source} Aligned 4\n%other = OpLoad %big %b{to} Aligned 4\n"
                   f"OpStore %a{source} %other Aligned 4\nOpStore %b{to} %one Aligned 4\n" + read(to, "b"), Y, **parts)
    for storage, pointer in memories.items():
        yield Case(f"OpStore of {4 * count} null bytes to {storage}",
                   head + fill(storage) + f"OpStore %a{storage} %zeros Aligned 4\n" + read(storage, "a"), 0, **parts)
        for name, source, to, value in (("up", "%first", "%second", X), ("down", "%second", "%first", Z)):
            yield Case(f"OpLoad, OpStore of {4 * count - 4} bytes within {storage}, {name}",
                       f"{head}{fill(storage)}%start = OpBitcast {pointer}u32 %a{storage}\n"
                       f"%next = OpInBoundsPtrAccessChain {pointer}u32 %start %l1\n"
                       f"%first = OpBitcast {pointer}part %start\n%second = OpBitcast {pointer}part %next\n"
                       + move("%part", source, to, "moved") + read(storage, "a"), value, **parts)


def moves():
    """LLVM takes arrays of up to 1024 elements apart."""
    return itertools.chain(move_cases(64), move_cases(1030))


def computed_cases(cases):
    """Yields the cases with scope and semantics computed at run time (work-group, sequentially consistent)."""
    for case in cases:
        body = case.body.replace("%n1 %n16", "%s %m").replace("%n2 %sem", "%s %m")
        if body != case.body:
            yield Case(f"{case.name} of a scope that is computed", "%one = OpBitwiseAnd %u32 %y %n1\n"
                       f"%s = OpBitwiseAnd %u32 %y %n2\n%m = OpIMul %u32 %n16 %one\n{body}", case.wanted, **case.parts)


def group_cases():
    for name, operands, value in (
            ("All %bool", " %c0", 1), ("Any %bool", " %c0", 1)):
        yield Case(f"OpGroup{name}", f"%c0 = OpSLessThan %bool %x %y\n%c = OpGroup{name} %n2{operands}" + CHOICE, value)
    for name, value in (("IAdd", X), ("UMin", X), ("SMin", X), ("UMax", X), ("SMax", X)):
        yield Case(f"OpGroup{name}", f"%r = OpGroup{name} %u32 %n2 Reduce %x", value)
    for name in ("FAdd", "FMin", "FMax"):
        yield Case(f"OpGroup{name}", f"%s = OpGroup{name} %f32 %n2 Reduce %f" + BITS, single(F))
    yield Case("OpGroupBroadcast", "%r = OpGroupBroadcast %u32 %n2 %x %l0", X)
    for name in ("All", "Any"):
        yield Case(f"OpGroupNonUniform{name}", f"%c0 = OpSLessThan %bool %x %y\n%c = OpGroupNonUniform{name} %bool %n3 %c0"
                   + CHOICE, 1)
    yield Case("OpGroupNonUniformElect", "%c = OpGroupNonUniformElect %bool %n3" + CHOICE, 1)
    yield Case("OpGroupNonUniformAllEqual", "%c = OpGroupNonUniformAllEqual %bool %n3 %x" + CHOICE, 1)
    yield Case("OpGroupNonUniformBroadcastFirst", "%r = OpGroupNonUniformBroadcastFirst %u32 %n3 %x", X)
    for name in ("IAdd", "IMul", "SMin", "UMin", "SMax", "UMax", "BitwiseAnd", "BitwiseOr", "BitwiseXor"):
        yield Case(f"OpGroupNonUniform{name}", f"%r = OpGroupNonUniform{name} %u32 %n3 Reduce %x", X)
    uniform = 'OpCapability GroupUniformArithmeticKHR\nOpExtension "SPV_KHR_uniform_group_instructions"'
    for scope, operation in itertools.product(("%n2", "%n3"), ("Reduce", "InclusiveScan", "ExclusiveScan")):
        alone = operation != "ExclusiveScan"
        for name, none in (("IMul", 1), ("BitwiseAnd", -1), ("BitwiseOr", 0), ("BitwiseXor", 0)):
            yield Case(f"OpGroup{name}KHR {operation}", f"%r = OpGroup{name}KHR %u32 {scope} {operation} %x",
                       X if alone else none, capabilities=uniform)
        yield Case(f"OpGroupFMulKHR {operation}", f"%s = OpGroupFMulKHR %f32 {scope} {operation} %f" + BITS,
                   single(F if alone else 1), capabilities=uniform)
        for name, none in (("And", 1), ("Or", 0), ("Xor", 0)):
            for given in (0, 1):
                yield Case(f"OpGroupLogical{name}KHR {operation} of {given}", f"%c0 = OpIEqual %bool %n0 %n{1 - given}\n"
                           f"%c = OpGroupLogical{name}KHR %bool {scope} {operation} %c0" + CHOICE,
                           given if alone else none, capabilities=uniform)
    ballot = 'OpCapability SubgroupBallotKHR\nOpCapability SubgroupVoteKHR\nOpExtension "SPV_KHR_shader_ballot"\n' \
             'OpExtension "SPV_KHR_subgroup_vote"'
    for name, body, value in (
            ("SubgroupAllKHR", "%c0 = OpSLessThan %bool %x %y\n%c = OpSubgroupAllKHR %bool %c0" + CHOICE, 1),
            ("SubgroupAnyKHR", "%c0 = OpSLessThan %bool %x %y\n%c = OpSubgroupAnyKHR %bool %c0" + CHOICE, 1),
            ("SubgroupAllEqualKHR", "%c0 = OpSLessThan %bool %x %y\n%c = OpSubgroupAllEqualKHR %bool %c0" + CHOICE, 1),
            ("SubgroupBallotKHR", "%c0 = OpSLessThan %bool %x %y\n%s = OpSubgroupBallotKHR %v4 %c0\n"
             "%r = OpCompositeExtract %u32 %s 0", 1),
            ("SubgroupFirstInvocationKHR", "%r = OpSubgroupFirstInvocationKHR %u32 %x", X),
            ("SubgroupReadInvocationKHR", "%r = OpSubgroupReadInvocationKHR %u32 %x %n0", X)):
        yield Case(f"Op{name}", body, value, capabilities=ballot)


def note_cases():
    """Yields cases with instructions that do not affect code, and are ignored."""
    kept = "%r = OpCopyObject %u32 %x"
    for name, parts in {
        "UserSemantic of a kernel": {"decorations": 'OpDecorate %k UserSemantic "grf_size"'},
        "UserSemantic of all": {"decorations": 'OpDecorate %x UserSemantic "a"\nOpDecorate %to UserSemantic "b"\n'
                                'OpMemberDecorate %st3 1 UserSemantic "c"'},
        "OpDecorateString": {"decorations": 'OpDecorateString %to UserSemantic "d"\n'
                             'OpMemberDecorateString %st 0 UserSemantic "e"'},
        "OpGroupDecorate": {"decorations": 'OpDecorate %grp UserSemantic "f"\nOpDecorate %grp Restrict\n'
                            "%grp = OpDecorationGroup\nOpGroupDecorate %grp %k %to\n"
                            'OpDecorate %mem UserSemantic "g"\n'
                            "%mem = OpDecorationGroup\nOpGroupMemberDecorate %mem %st 0"},
        "OpModuleProcessed": {"strings": '%file = OpString "x.cl"\nOpSourceExtension "e"\nOpSource OpenCL_C 200000 %file "a"\n'
                              'OpSourceContinued "b"\nOpName %file "file"\nOpMemberName %st 0 "m"\n'
                              'OpModuleProcessed "p"'},
        "debug information": {"capabilities": 'OpExtension "SPV_KHR_non_semantic_info"',
                              "imports": '%dbg = OpExtInstImport "OpenCL.DebugInfo.100"\n'
                              '%non = OpExtInstImport "NonSemantic.Any.1"',
                              "globals": "%none = OpExtInst %void %dbg DebugInfoNone\n%any = OpExtInst %void %non 7 %none",
                              },
        "VecTypeHint": {"modes": "OpExecutionMode %k VecTypeHint 3\nOpExecutionMode %k LocalSizeHint 1 1 1\n"
                        "OpExecutionMode %k ContractionOff"},
        "LocalSizeId": {"modes": "OpExecutionModeId %k LocalSizeId %one %one %one",
                        "globals": "%one = OpSpecConstantOp %u32 ISub %n3 %n2"},
        "AlignmentId": {"decorations": "OpDecorateId %to AlignmentId %four",
                        "globals": "%four = OpSpecConstantOp %u32 IAdd %n2 %n2"},
    }.items():
        yield Case(name, kept, X, **parts)
    yield Case("OpLine, OpNoLine", "OpLine %file 3 4\n%r = OpCopyObject %u32 %x\nOpNoLine", X,
               strings='%file = OpString "x.cl"')


def refused_cases():
    for name, body, more in (
            ("OpQuantizeToF16", "%s = OpQuantizeToF16 %f32 %f" + BITS, ""),
            ("OpSpecConstantOp", "%r = OpCopyObject %u32 %x",
             "%s = OpSpecConstantOp %st CompositeInsert %n1 %whole 0\n"),
            ("OpGetKernelMaxNumSubgroups", "%r = OpGetKernelMaxNumSubgroups %u32 %k %from %n1 %n1", "")):
        globals_of = "%whole = OpConstantComposite %st %n1 %n2\n" + more
        yield Case(name, body, f"SPIR-V's {'instruction ' if more == '' else ''}{name}", globals=globals_of,
                   capabilities="OpCapability SubgroupDispatch")
    yield Case("Initializer", "%r = OpCopyObject %u32 %x", "Initializer", modes="OpExecutionMode %k Initializer",
               capabilities="OpCapability SubgroupDispatch")


def run_case(case, assembler, directory, queue):
    source, binary = directory / "case.spvasm", directory / "case.spv"
    source.write_text(case.text(), encoding="utf-8")
    version = "spv1.3" if "Weak" in case.name else "spv1.4"
    done = subprocess.run([assembler, "--target-env", version, str(source), "-o", str(binary)], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        return f"{done.stderr.strip()}\n{case.body}"
    given = np.zeros(1030, np.uint32)
    given[:5] = X, Y, Z, single(F), single(G)
    to = np.zeros(1030, np.uint32)
    try:
        image = specpi.compile(binary)
    except specpi.Error as error:
        return f"is not valid: {error}"
    try:
        image.kernel("t", device=queue)(queue, 1, to, given, local_size=[1])
    except specpi.Error as error:
        if isinstance(case.wanted, str) and case.wanted in str(error) and "ended" not in str(error):
            return None
        return str(error)
    if isinstance(case.wanted, str):
        return "is not refused"
    return None if int(to[0]) == cut(case.wanted) else f"gives {int(to[0]):#x}, not {cut(case.wanted):#x}"


def main():
    queue = specpi.Queue("cuda:*")
    count = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for cases in (integer_cases, float_cases, other_cases, memory_cases, moves, group_cases, note_cases, refused_cases):
            for case in itertools.chain(cases(), computed_cases(cases())):
                if len(sys.argv) > 2 and sys.argv[2] not in case.name:
                    continue
                why = run_case(case, sys.argv[1], pathlib.Path(directory), queue)
                count += 1
                failed += why is not None
                if why is not None:
                    print(f"{case.name}: {why}")
    print(f"{count} modules, {failed} differ")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
