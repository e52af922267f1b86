; Calls of __specpi_kernel_attribute become metadata of the kernels that reach them.
; RUN: %lower --unit-id=unit --emit=kernels %s | FileCheck %s
; RUN: sed 's/@two, i64 1/@two, i64 9/' %s > %t.ll
; RUN: not %lower --unit-id=unit --emit=kernels %t.ll 2>&1 | FileCheck %s --check-prefix=COUNT
; COUNT: error: kernel 'First': function 'first' has the attribute device_has with a wrong number of arguments (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
; RUN: sed 's/i64 3, i64 4, i64 5/i64 3, i64 4, i64 %%v/' %s > %t.ll
; RUN: not %lower --unit-id=unit --emit=kernels %t.ll 2>&1 | FileCheck %s --check-prefix=VALUE
; VALUE: error: kernel 'First': function 'first' has the attribute reqd_work_group_size whose arguments are no constants
; RUN: sed 's/c"device_has/c"device_hat/' %s > %t.ll
; RUN: not %lower --unit-id=unit --emit=kernels %t.ll 2>&1 | FileCheck %s --check-prefix=NAME
; NAME: function '{{.*}}' has the attribute __specpi_kernel_attribute whose name is not known
; RUN: sed 's/@two, i64 1, i64 6, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0/@two, i64 8, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8/' %s > %t.ll
; RUN: not %lower --unit-id=unit --emit=kernels %t.ll 2>&1 | FileCheck %s --check-prefix=MANY
; MANY: has the attribute device_has with too many aspects for one kernel
target triple = "spir64-unknown-unknown"
@.first = private constant [11 x i8] c"_ZTS5First\00"
@.second = private constant [12 x i8] c"_ZTS6Second\00"
@one = private constant [21 x i8] c"reqd_work_group_size\00"
@two = private constant [11 x i8] c"device_has\00"
declare void @__specpi_kernel_entry(ptr)
declare void @__specpi_kernel_attribute(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64)

; CHECK-NOT: @__specpi_kernel_attribute
define void @_Z4bothv() {
  %v = load i64, ptr null
  call void @__specpi_kernel_attribute(ptr @one, i64 3, i64 3, i64 4, i64 5, i64 0, i64 0, i64 0, i64 0, i64 0)
  ret void
}
define void @_Z4morev() {
  call void @__specpi_kernel_attribute(ptr @two, i64 1, i64 6, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0)
  ret void
}
; A repeated attribute is no conflict. A kernel needs the aspects of all functions that it reaches.
; CHECK: define {{.*}}spir_kernel void @_ZTS5First(ptr byval(i32) align 4 %object) !sycl_used_aspects ![[BOTH:[0-9]+]] !reqd_work_group_size ![[SIZE:[0-9]+]]
define void @first(ptr byval(i32) align 4 %object) {
  call void @__specpi_kernel_entry(ptr @.first)
  call void @__specpi_kernel_attribute(ptr @two, i64 1, i64 9, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0)
  call void @_Z4bothv()
  call void @_Z4bothv()
  call void @_Z4morev()
  ret void
}
; CHECK: define {{.*}}spir_kernel void @_ZTS6Second(ptr byval(i32) align 4 %object) !sycl_used_aspects ![[MORE:[0-9]+]]
define void @second(ptr byval(i32) align 4 %object) {
  call void @__specpi_kernel_entry(ptr @.second)
  call void @_Z4morev()
  ret void
}
; CHECK-DAG: ![[SIZE]] = !{i32 5, i32 4, i32 3}
; CHECK-DAG: ![[BOTH]] = !{i32 {{[69]}}, i32 {{[69]}}}
; CHECK-DAG: ![[MORE]] = !{i32 6}
