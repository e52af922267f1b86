; Another kernel already has the name of the entry for launches with an offset.
; RUN: not %lower --mode=default --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=TAKEN
; RUN: %lower --mode=default --emit=ptx --no-offset %s | FileCheck %s
; TAKEN: error: 'k_with_offset' is the name of a kernel's entry for launches with an offset, and something else has it (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; CHECK: .entry k(
; CHECK: .entry k_with_offset(
target triple = "nvptx64-nvidia-cuda"
declare i64 @_Z17get_global_offsetj(i32)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %o = call i64 @_Z17get_global_offsetj(i32 0)
  store i64 %o, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @k_with_offset(ptr addrspace(1) %p) {
  ret void
}
