; The linear ids, which libclc lacks. Neither includes the offset, so that no kernel gets an entry with an offset.
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx %s | FileCheck %s
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx -O 0 %s | FileCheck %s --check-prefix=O0
; No register has the number of dimensions of a launch.
; RUN: sed s/_Z19get_local_linear_idv/_Z12get_work_dimv/ %s > %t.ll
; RUN: not %lower --mode=default --target=nvptx64 --emit=ptx %t.ll 2>&1 | FileCheck %s --check-prefix=DIMENSIONS
; CHECK: .entry k(
; CHECK-DAG: %tid.x
; CHECK-DAG: %tid.y
; CHECK-DAG: %tid.z
; CHECK-DAG: %ctaid.x
; CHECK-DAG: %ctaid.y
; CHECK-DAG: %ctaid.z
; CHECK-DAG: %ntid.x
; CHECK-DAG: %ntid.y
; CHECK-DAG: %ntid.z
; CHECK-DAG: %nctaid.x
; CHECK-DAG: %nctaid.y
; CHECK-NOT: .entry
; O0: .entry k(
; O0-NOT: .entry
; DIMENSIONS: error: 1 used and defined neither by the module nor by a library: '_Z12get_work_dimv' (SPECPI_COMPILER_ERROR_UNRESOLVED)
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z20get_global_linear_idv()
declare spir_func i64 @_Z19get_local_linear_idv()
define spir_kernel void @k(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z20get_global_linear_idv()
  %l = call spir_func i64 @_Z19get_local_linear_idv()
  %s = add i64 %i, %l
  store i64 %s, ptr addrspace(1) %p
  ret void
}
