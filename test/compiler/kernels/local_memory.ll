; Kernels that reach a request for local memory get an argument for it, and pass it on to the functions.
; RUN: %lower --unit-id=unit --emit=kernels %s | FileCheck %s
; RUN: %lower --unit-id=unit --emit=ll --mode=emulate %s | FileCheck %s --check-prefix=EMULATE
; RUN: not %lower --unit-id=unit --emit=kernels %S/Inputs/exported_local.ll 2>&1 | FileCheck %s --check-prefix=EXPORTED
; EXPORTED: error: function 'shared()' is declared SYCL_EXTERNAL and uses local memory, which kernels of other units do not hand it (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@.first = private constant [11 x i8] c"_ZTS5First\00"
@.second = private constant [12 x i8] c"_ZTS6Second\00"
@value = addrspace(1) constant %id { i32 1 }
declare void @__specpi_kernel_entry(ptr)
declare ptr addrspace(3) @__specpi_local_memory()
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))

; CHECK-NOT: __specpi_local_memory
; CHECK: define {{.*}}spir_kernel void @_ZTS6Second(ptr byval(i32) align 4 %object)
define void @second(ptr byval(i32) align 4 %object) {
  call void @__specpi_kernel_entry(ptr @.second)
  ret void
}

; CHECK: define internal spir_func {{.*}}i32 @inner(i32 {{.*}}%x, ptr addrspace(3) %_arg_local_memory)
; CHECK: getelementptr i32, ptr addrspace(3) %_arg_local_memory, i32 %x
define spir_func i32 @inner(i32 zeroext %x) {
  %m = call ptr addrspace(3) @__specpi_local_memory()
  %n = call ptr addrspace(3) @__specpi_local_memory()
  %p = getelementptr i32, ptr addrspace(3) %m, i32 %x
  %c = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr addrspace(4) null, ptr addrspace(4) addrspacecast (ptr addrspace(1) @value to ptr addrspace(4)), ptr addrspace(4) null)
  store i32 %c, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(3) %n
  ret i32 %v
}
; CHECK: define {{.*}}spir_kernel void @_ZTS5First(ptr byval(i32) align 4 %object, ptr addrspace(3) %_arg_local_memory)
; CHECK: call spir_func i32 @inner(i32 2, ptr addrspace(3) %_arg_local_memory) #[[CALL:[0-9]+]], !kept
; CHECK: call spir_func i32 @inner(i32 3, ptr addrspace(3) %_arg_local_memory)
; EMULATE: define {{.*}}spir_kernel void @_ZTS5First(ptr byval(i32) align 4 %object, ptr addrspace(3) %_arg_local_memory, ptr addrspace(1) %_arg__specialization_constants_buffer)
define void @first(ptr byval(i32) align 4 %object) {
  call void @__specpi_kernel_entry(ptr @.first)
  %a = call spir_func i32 @inner(i32 2) "call"="attribute", !kept !0
  %b = call spir_func i32 @inner(i32 3)
  ret void
}

; CHECK: attributes #[[CALL]] = { "call"="attribute" }
!0 = !{}
