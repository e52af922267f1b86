; An alloca whose size is a constant, on the CPU: with the default, with a larger value, and with the
; default built in. SPIR-V needs an extension for it.
; RUN: %specpi-cc --emit=so --llvm-spirv-option=--spirv-ext=+SPV_INTEL_variable_length_array %s -o %t.so
; RUN: %launch %t.so k --global 1 --arg 'i32[1]=zero' --arg i32=10 --json | %FileCheck %s
; RUN: %launch %t.so k --global 1 --arg 'i32[1]=zero' --arg i32=1500 --set n=i64:1500 --json | %FileCheck %s --check-prefix=SET
; RUN: %specpi-cc --spec-const=default --emit=so --llvm-spirv-option=--spirv-ext=+SPV_INTEL_variable_length_array %s -o %t.so
; RUN: %launch %t.so k --global 1 --arg 'i32[1]=zero' --arg i32=10 --json | %FileCheck %s
; CHECK: "args":{{\[\[285\]\]}}
; SET: "args":{{\[\[1123875250\]\]}}
; Writes the squares of 0 to count - 1 to memory, and adds them up.
target triple = "spir64-unknown-unknown"
%id = type { i64 }
@n = private addrspace(1) constant [2 x i8] c"n\00"
@d = internal addrspace(1) constant %id { i64 10 }
declare i32* @llvm.sycl.alloca.p0i32.p1.p1.p1.i32(i8 addrspace(1)*, i8 addrspace(1)*, i8 addrspace(1)*, i32, i64)
define spir_kernel void @k(i32 addrspace(1)* %out, i32 %count) {
entry:
  %a = call i32* @llvm.sycl.alloca.p0i32.p1.p1.p1.i32(i8 addrspace(1)* getelementptr ([2 x i8], [2 x i8] addrspace(1)* @n, i64 0, i64 0), i8 addrspace(1)* bitcast (%id addrspace(1)* @d to i8 addrspace(1)*), i8 addrspace(1)* null, i32 0, i64 16)
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %next, %fill ]
  %at = getelementptr i32, i32* %a, i32 %i
  %square = mul i32 %i, %i
  store i32 %square, i32* %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %fill, label %sum
sum:
  %j = phi i32 [ 0, %fill ], [ %after, %sum ]
  %total = phi i32 [ 0, %fill ], [ %added, %sum ]
  %from = getelementptr i32, i32* %a, i32 %j
  %one = load i32, i32* %from
  %added = add i32 %total, %one
  %after = add i32 %j, 1
  %again = icmp slt i32 %after, %count
  br i1 %again, label %sum, label %end
end:
  store i32 %added, i32 addrspace(1)* %out
  ret void
}
