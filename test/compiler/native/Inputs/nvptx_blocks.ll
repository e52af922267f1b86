target triple = "nvptx64-nvidia-cuda"

define void @k(ptr addrspace(1) %p) {
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
