; What the translator refuses, or would put where SPIR-V cannot have it.
; RUN: %lower --mode=native %s | FileCheck %s --implicit-check-not=freeze
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: @frozen
; CHECK: %sum = add i32 %a, %a
define spir_kernel void @frozen(ptr addrspace(1) %p, i32 %a) {
  %known = freeze i32 %a
  %again = freeze i32 %known
  %sum = add i32 %known, %again
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; The inner loop ends where the outer one begins: without a block between them the translator makes
; one, and puts it before the outer loop. Functions that are not to be optimised get it too, and stay such.
; CHECK-LABEL: @inner_ends_at_outer(
; CHECK-SAME: #[[NONE:[0-9]+]]
; CHECK: outer.loopexit:
; CHECK-NEXT: br label %outer
; CHECK: attributes #[[NONE]] = { noinline optnone }
define spir_kernel void @inner_ends_at_outer(ptr addrspace(1) %p, i32 %n) noinline optnone {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %i.next = add i32 %i, 1
  %done = icmp sgt i32 %i, %n
  br i1 %done, label %exit, label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %step ]
  %j.next = add i32 %j, 1
  br label %body
body:
  store i32 %j, ptr addrspace(1) %p
  %more = icmp slt i32 %j, %i
  br i1 %more, label %step, label %outer
step:
  br label %inner
exit:
  ret void
}
