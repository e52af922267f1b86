; Variables get a name if they have none, as in SPIR-V, or one that PTX cannot use.
; RUN: %lower --mode=default --emit=ptx --target=nvptx64 %s -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; REQUIRES: ptxas
target triple = "spir64-unknown-unknown"

; CHECK-DAG: .b8 _unnamed[36]
; CHECK-DAG: .b8 _unnamed{{[_$1]+}}[20]
; CHECK-DAG: .b8 __[12]
@0 = internal addrspace(2) constant [36 x i8] c"abcdefghijklmnopqrstuvwxyz0123456789"
@1 = internal addrspace(2) constant [20 x i8] c"ABCDEFGHIJKLMNOPQRST"
@_ = internal addrspace(2) constant [12 x i8] c"abcdefghijkl"

; CHECK: .entry get(
define spir_kernel void @get(ptr addrspace(1) %to, i64 %at) {
  %a = getelementptr [36 x i8], ptr addrspace(2) @0, i64 0, i64 %at
  %b = getelementptr [20 x i8], ptr addrspace(2) @1, i64 0, i64 %at
  %c = getelementptr [12 x i8], ptr addrspace(2) @_, i64 0, i64 %at
  %x = load i8, ptr addrspace(2) %a
  %y = load i8, ptr addrspace(2) %b
  %z = load i8, ptr addrspace(2) %c
  %s = add i8 %x, %y
  %t = add i8 %s, %z
  store i8 %t, ptr addrspace(1) %to
  ret void
}
