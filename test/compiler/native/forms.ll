; Code that the translator refuses or would translate to invalid SPIR-V.
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

; The inner loop exits to the outer loop's header. The translator would add a block between them before the
; outer loop, so the compiler adds one after it. Functions with optnone get the block too, and keep optnone.
; CHECK-LABEL: @inner_ends_at_outer(
; CHECK-SAME: #[[NONE:[0-9]+]]
; CHECK: outer.loopexit:
; CHECK-NEXT: br label %outer
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

; A phi of SPIR-V has one entry per predecessor.
; CHECK-LABEL: @cases(
; CHECK: switch i32 %a, label %other [
; CHECK-NEXT: i32 1, label %[[ONE:[0-9a-z]+]]
; CHECK-NEXT: i32 2, label %[[ONE]]
; CHECK-NEXT: i32 3, label %[[ONE]]
; CHECK: phi i32 [ 5, %[[ONE]] ], [ 7, %other ]
; CHECK: phi i32 [ %a, %[[ONE]] ], [ 0, %other ]
define spir_kernel void @cases(ptr addrspace(1) %p, i32 %a) {
entry:
  switch i32 %a, label %other [
    i32 1, label %end
    i32 2, label %end
    i32 3, label %end
  ]
other:
  br label %end
end:
  %x = phi i32 [ 5, %entry ], [ 5, %entry ], [ 5, %entry ], [ 7, %other ]
  %y = phi i32 [ %a, %entry ], [ 0, %other ], [ %a, %entry ], [ %a, %entry ]
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes #[[NONE]] = { noinline optnone }
