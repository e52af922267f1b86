; A switch over a number of few bits compares 16 bits, whatever the type of its condition.
; RUN: %lower --target=nvptx64 --mode=default --emit=ptx --no-offset %s | FileCheck %s
; RUN: %if ptxas %{ %lower --target=nvptx64 --mode=default --emit=ptx %s -o %t.ptx && %ptxas %t.ptx -o %t.cubin %}
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry masked(
; CHECK-NOT: setp.{{[a-z]*}}.{{[su]}}32
; CHECK: setp.{{[a-z]*}}.s16
; CHECK: ret;
define spir_kernel void @masked(ptr addrspace(1) %to, i32 %x) {
  %few = and i32 %x, 15
  switch i32 %few, label %other [ i32 1, label %one
                                  i32 4, label %four
                                  i32 9, label %nine ]
one:
  store i32 %x, ptr addrspace(1) %to
  br label %end
four:
  store volatile i32 7, ptr addrspace(1) %to
  br label %end
nine:
  store volatile i32 %few, ptr addrspace(1) %to
  br label %end
other:
  store volatile i32 8, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; The upper byte of a loaded number.
; CHECK-LABEL: .entry shifted(
; CHECK: setp.{{[a-z]*}}.s16
; CHECK: ret;
define spir_kernel void @shifted(ptr addrspace(1) %to, i64 %x) {
  %few = lshr i64 %x, 56
  switch i64 %few, label %other [ i64 1, label %one
                                  i64 4, label %four
                                  i64 255, label %nine ]
one:
  store volatile i32 6, ptr addrspace(1) %to
  br label %end
four:
  store volatile i32 7, ptr addrspace(1) %to
  br label %end
nine:
  store volatile i32 9, ptr addrspace(1) %to
  br label %end
other:
  store volatile i32 8, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; All bits count.
; CHECK-LABEL: .entry wide(
; CHECK-NOT: s16
; CHECK: setp.{{[a-z]*}}.s32
; CHECK: ret;
define spir_kernel void @wide(ptr addrspace(1) %to, i32 %x) {
  switch i32 %x, label %other [ i32 1, label %one
                                i32 4, label %four
                                i32 70000, label %nine ]
one:
  store volatile i32 6, ptr addrspace(1) %to
  br label %end
four:
  store volatile i32 7, ptr addrspace(1) %to
  br label %end
nine:
  store volatile i32 9, ptr addrspace(1) %to
  br label %end
other:
  store volatile i32 8, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
