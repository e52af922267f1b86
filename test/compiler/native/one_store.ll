; A stack slot with one store and no other use of its address: the code and the blocks between the
; store and the load do not matter.
; RUN: %lower --mode=native %s | FileCheck %s
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n.a = private constant [2 x i8] c"a\00"
@n.b = private constant [2 x i8] c"b\00"
@n.c = private constant [2 x i8] c"c\00"
@d = internal constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4), ptr, ptr)
declare void @change(ptr addrspace(1))

; CHECK-NOT: private constant
; CHECK-LABEL: define i32 @between(
; CHECK-NOT: alloca
; CHECK: store i32 1, ptr addrspace(1) %out
; CHECK-NEXT: call void @change(
; CHECK-NEXT: %[[A:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 0, i32 1)
; CHECK-NEXT: ret i32 %[[A]]
define i32 @between(ptr addrspace(1) %out) {
  %slot = alloca ptr addrspace(4)
  %cast = addrspacecast ptr %slot to ptr addrspace(4)
  store ptr addrspace(4) addrspacecast (ptr @n.a to ptr addrspace(4)), ptr addrspace(4) %cast
  store i32 1, ptr addrspace(1) %out
  call void @change(ptr addrspace(1) %out)
  %name = load ptr addrspace(4), ptr addrspace(4) %cast
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) %name, ptr @d, ptr null)
  ret i32 %v
}

; CHECK-LABEL: define i32 @blocks(
; CHECK-NOT: alloca
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 1, i32 1)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 2, i32 1)
; CHECK: ret i32
define i32 @blocks(i1 %which) {
  %slot.b = alloca ptr addrspace(4)
  %slot.c = alloca ptr addrspace(4)
  store ptr addrspace(4) addrspacecast (ptr @n.b to ptr addrspace(4)), ptr %slot.b
  store ptr addrspace(4) addrspacecast (ptr @n.c to ptr addrspace(4)), ptr %slot.c
  br i1 %which, label %then, label %else
then:
  %name.b = load ptr addrspace(4), ptr %slot.b
  %b = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) %name.b, ptr @d, ptr null)
  ret i32 %b
else:
  %name.c = load ptr addrspace(4), ptr %slot.c
  %c = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) %name.c, ptr @d, ptr null)
  ret i32 %c
}
