; SPIR-V requires each block before the blocks that it dominates. Optimized code has them in any order.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
; RUN: %lower --mode=default --target=nvptx64 %S/Inputs/nvptx_blocks.ll | FileCheck %s --check-prefix=OTHER
; CHECK-LABEL: define spir_kernel void @k
; CHECK: entry:
; CHECK: loop:
; CHECK: after:
; CHECK: exit:
; CHECK: unreached:
; Nothing is moved for other targets.
; OTHER: entry:
; OTHER: after:
; OTHER: loop:
target triple = "spir64-unknown-unknown"

define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
unreached:
  br label %exit
after:
  store i32 %next, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 3
  %more = icmp slt i32 %next, 10
  br i1 %more, label %loop, label %after
}
