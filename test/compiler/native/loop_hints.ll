; Loop hints that the translator would turn into an invalid OpLoopMerge are removed; the others stay.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
; RUN: spirv-dis %t.spv | FileCheck %s --check-prefix=SPIRV
; RUN: sed -e 's/spir64-unknown-unknown/nvptx64-nvidia-cuda/' -e 's/spir_kernel/ptx_kernel/' %s > %t.other.ll
; RUN: %lower --mode=default %t.other.ll | FileCheck %s --check-prefix=OTHER
; OTHER-COUNT-9: br {{.*}}!llvm.loop
target triple = "spir64-unknown-unknown"

; A loop of one block, as most loops are after optimization.
; CHECK-LABEL: @one_block
; CHECK-NOT: !llvm.loop
define spir_kernel void @one_block(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 10
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: @counted
; CHECK: br label %header, !llvm.loop
; SPIRV: OpLoopMerge %exit{{.*}} %latch{{.*}} DontUnroll
define spir_kernel void @counted(ptr addrspace(1) %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %i, 10
  br i1 %more, label %latch, label %exit
latch:
  %next = add i32 %i, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; The translator assumes that the header's second successor is the exit.
; CHECK-LABEL: @end_first
; CHECK-NOT: !llvm.loop
define spir_kernel void @end_first(ptr addrspace(1) %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %done = icmp eq i32 %i, 10
  br i1 %done, label %exit, label %latch
latch:
  %next = add i32 %i, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: @only_loop
; CHECK: br i1 %done, label %exit, label %header, !llvm.loop
; SPIRV: OpLoopMerge %exit{{.*}} %latch{{.*}} DontUnroll
define spir_kernel void @only_loop(ptr addrspace(1) %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %seven = icmp eq i32 %i, 7
  br i1 %seven, label %then, label %latch
then:
  store i32 1, ptr addrspace(1) %p
  br label %latch
latch:
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %exit, label %header, !llvm.loop !0
exit:
  ret void
}

; The outer loop would get an OpLoopMerge for each hint.
; CHECK-LABEL: @nested
; CHECK-NOT: !llvm.loop
define spir_kernel void @nested(ptr addrspace(1) %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store i32 %j, ptr addrspace(1) %p
  %j.next = add i32 %j, 1
  %j.more = icmp slt i32 %j.next, %i
  br i1 %j.more, label %inner, label %latch, !llvm.loop !0
latch:
  %i.next = add i32 %i, 1
  %i.more = icmp slt i32 %i.next, 10
  br i1 %i.more, label %outer, label %exit, !llvm.loop !0
exit:
  ret void
}

; Two back edges become one.
; CHECK-LABEL: @twice
; CHECK: header.backedge:
; CHECK-NEXT: br label %header, !llvm.loop
define spir_kernel void @twice(ptr addrspace(1) %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %left ], [ %next, %right ]
  %more = icmp slt i32 %i, 10
  %next = add i32 %i, 1
  br i1 %more, label %body, label %exit
body:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %left, label %right
left:
  store i32 %i, ptr addrspace(1) %p
  br label %header, !llvm.loop !0
right:
  br label %header, !llvm.loop !0
exit:
  ret void
}

; The translator ignores metadata without a hint.
; CHECK-LABEL: @progress
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop
define spir_kernel void @progress(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 10
  br i1 %more, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
