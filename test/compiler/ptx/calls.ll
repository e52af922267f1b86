; Calls are inlined whatever their size, because NVIDIA's compiler assumes that lanes are converged after a
; call. Calls stay if the function forbids inlining, or if the code would grow without bound.
; RUN: %lower --mode=default --emit=ptx %s -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %lower --mode=default --emit=ptx -O 1 %s -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
target triple = "nvptx64-nvidia-cuda"

; LLVM inlines next to nothing into a kernel with minsize.
define void @large(i32 addrspace(1)* %p) #0 {
  store volatile i32 0, i32 addrspace(1)* %p
  store volatile i32 1, i32 addrspace(1)* %p
  store volatile i32 2, i32 addrspace(1)* %p
  store volatile i32 3, i32 addrspace(1)* %p
  store volatile i32 4, i32 addrspace(1)* %p
  store volatile i32 5, i32 addrspace(1)* %p
  store volatile i32 6, i32 addrspace(1)* %p
  store volatile i32 7, i32 addrspace(1)* %p
  store volatile i32 8, i32 addrspace(1)* %p
  store volatile i32 9, i32 addrspace(1)* %p
  store volatile i32 10, i32 addrspace(1)* %p
  store volatile i32 11, i32 addrspace(1)* %p
  ret void
}

; CHECK-LABEL: .entry twice(
; CHECK-NOT: call
; CHECK: ret;
define ptx_kernel void @twice(i32 addrspace(1)* %p, i32 addrspace(1)* %q) #1 {
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %q)
  ret void
}

define void @forbidding(i32 addrspace(1)* %p) #2 {
  store volatile i32 1, i32 addrspace(1)* %p
  ret void
}

; CHECK-LABEL: .entry forbidden(
; CHECK: call
define ptx_kernel void @forbidden(i32 addrspace(1)* %p) #1 {
  call void @forbidding(i32 addrspace(1)* %p)
  ret void
}

define i32 @itself(i32 addrspace(1)* %p, i32 %n) #0 {
  store volatile i32 %n, i32 addrspace(1)* %p
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %more
more:
  %less = lshr i32 %n, 1
  %first = call i32 @itself(i32 addrspace(1)* %p, i32 %less)
  %second = call i32 @itself(i32 addrspace(1)* %p, i32 %first)
  ret i32 %second
end:
  ret i32 %n
}

; CHECK-LABEL: .entry again(
; CHECK: call
define ptx_kernel void @again(i32 addrspace(1)* %p, i32 %n) #1 {
  %m = call i32 @itself(i32 addrspace(1)* %p, i32 %n)
  store i32 %m, i32 addrspace(1)* %p
  ret void
}

; Sixteen calls of sixteen calls, six times over: 200 million stores.
define void @level0(i32 addrspace(1)* %p) #1 {
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  call void @large(i32 addrspace(1)* %p)
  ret void
}
define void @level1(i32 addrspace(1)* %p) #1 {
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  call void @level0(i32 addrspace(1)* %p)
  ret void
}
define void @level2(i32 addrspace(1)* %p) #1 {
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  call void @level1(i32 addrspace(1)* %p)
  ret void
}
define void @level3(i32 addrspace(1)* %p) #1 {
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  call void @level2(i32 addrspace(1)* %p)
  ret void
}
define void @level4(i32 addrspace(1)* %p) #1 {
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  call void @level3(i32 addrspace(1)* %p)
  ret void
}
define void @level5(i32 addrspace(1)* %p) #1 {
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  call void @level4(i32 addrspace(1)* %p)
  ret void
}

; CHECK-LABEL: .entry tower(
; CHECK: call
define ptx_kernel void @tower(i32 addrspace(1)* %p) #1 {
  call void @level5(i32 addrspace(1)* %p)
  ret void
}

attributes #0 = { nounwind }
attributes #1 = { minsize nounwind optsize }
attributes #2 = { noinline nounwind }
