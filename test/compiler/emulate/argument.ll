; Uses without a buffer get the kernel's buffer: an argument from the runtime, or a new argument. The
; functions on the way to a use pass it on.
; RUN: %lower --mode=emulate %s | FileCheck %s
; RUN: %lower --mode=emulate --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
; Functions with a new argument come after the others.
; CHECK-LABEL: define internal spir_func i32 @free(i32 %x) {
; CHECK-LABEL: define spir_kernel void @given(ptr addrspace(1) %_arg__specialization_constants_buffer, ptr addrspace(1) %out) {
; CHECK: call spir_func i64 @leaf(i32 noundef 3, ptr addrspace(1) %_arg__specialization_constants_buffer)
; CHECK-LABEL: define spir_kernel void @without(ptr addrspace(1) %out) {
; CHECK-LABEL: define spir_func i64 @outside() {
; CHECK: call spir_func i64 @leaf(i32 noundef 5, ptr addrspace(1) null)
; CHECK-LABEL: define internal spir_func i64 @leaf(i32 noundef %x, ptr addrspace(1) %_arg__specialization_constants_buffer) #0 {
; CHECK: %[[P:.*]] = getelementptr i8, ptr addrspace(1) %_arg__specialization_constants_buffer, i32 0
; CHECK-NEXT: load i64, ptr addrspace(1) %[[P]], align 8
; CHECK-LABEL: define internal spir_func i64 @middle(i32 %x, ptr addrspace(1) %_arg__specialization_constants_buffer) {
; CHECK: %y = add i32 %x, 1
; CHECK-NEXT: %[[R:.*]] = call spir_func i64 @leaf(i32 noundef %y, ptr addrspace(1) %_arg__specialization_constants_buffer)
; CHECK-NEXT: ret i64 %[[R]]
; CHECK: define spir_kernel void @added(ptr addrspace(1) %out, ptr addrspace(1) %_arg__specialization_constants_buffer) !kernel_arg_addr_space ![[AS:[0-9]+]] !kernel_arg_type ![[T:[0-9]+]] {
; CHECK: call spir_func i64 @middle(i32 %{{.*}}, ptr addrspace(1) %_arg__specialization_constants_buffer)
; CHECK: getelementptr i8, ptr addrspace(1) %_arg__specialization_constants_buffer, i32 8
target triple = "spir64-unknown-unknown"
%id = type { i32 }
%id64 = type { i64 }
@n = private addrspace(1) constant [2 x i8] c"n\00"
@m = private addrspace(1) constant [2 x i8] c"m\00"
@d = internal addrspace(1) constant %id { i32 1 }
@d64 = internal addrspace(1) constant %id64 { i64 2 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(4))
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(4))

define internal spir_func i64 @leaf(i32 noundef %x) #0 {
  %v = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr addrspace(1) @m, ptr addrspace(1) @d64, ptr addrspace(4) null)
  %z = zext i32 %x to i64
  %s = add i64 %v, %z
  ret i64 %s
}

define internal spir_func i64 @middle(i32 %x) {
  %y = add i32 %x, 1
  %v = call spir_func i64 @leaf(i32 noundef %y)
  ret i64 %v
}

define internal spir_func i32 @free(i32 %x) {
  ret i32 %x
}

define spir_kernel void @added(ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_type !1 {
  %f = call spir_func i32 @free(i32 4)
  %v = call spir_func i64 @middle(i32 %f)
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1) @n, ptr addrspace(1) @d, ptr addrspace(4) null)
  %z = zext i32 %n to i64
  %s = add i64 %v, %z
  store i64 %s, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @given(ptr addrspace(1) %_arg__specialization_constants_buffer, ptr addrspace(1) %out) {
  %v = call spir_func i64 @leaf(i32 noundef 3)
  store i64 %v, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @without(ptr addrspace(1) %out) {
  store i64 0, ptr addrspace(1) %out
  ret void
}

; No kernel calls this function. It keeps its type, and passes null as the buffer.
define spir_func i64 @outside() {
  %v = call spir_func i64 @leaf(i32 noundef 5)
  ret i64 %v
}

; CHECK: attributes #0 = { nounwind }
attributes #0 = { nounwind }
; CHECK-DAG: ![[AS]] = !{i32 1, i32 1}
; CHECK-DAG: ![[T]] = !{!"long*", !"char*"}
!0 = !{i32 1}
!1 = !{!"long*"}
