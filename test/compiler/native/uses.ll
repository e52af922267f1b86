; Ids are in the order of functions and instructions, not of declarations. A second use of a constant
; has the ids of the first. Uses other than direct calls stay as they are.
; RUN: %lower --mode=native %s | FileCheck %s --implicit-check-not=@n.a
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%id.i32 = type { i32 }
%id.i64 = type { i64 }

; Two strings with the same name.
@n.a = private unnamed_addr addrspace(1) constant [2 x i8] c"a\00"
@n.a2 = private unnamed_addr addrspace(1) constant [2 x i8] c"a\00"
; CHECK: @n.b = private
@n.b = private unnamed_addr addrspace(1) constant [2 x i8] c"b\00"
; A string that is not a name, and a name that other modules may refer to.
; CHECK: @other = private
@other = private unnamed_addr addrspace(1) constant [6 x i8] c"other\00"
; CHECK: @n.c = addrspace(1) constant
@n.c = addrspace(1) constant [2 x i8] c"c\00"
; CHECK-NOT: @d.a =
@d.a = internal addrspace(1) constant %id.i32 { i32 1 }
@d.b = internal addrspace(1) constant %id.i64 { i64 2 }
@d.c = internal addrspace(1) constant %id.i32 { i32 3 }

; CHECK: define spir_func i32 @helper()
; CHECK: call spir_func i64 @_Z20__spirv_SpecConstantix(i32 0, i64 2)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 1, i32 1)
define spir_func i32 @helper() {
  %b = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.b to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.b to ptr addrspace(4)), ptr addrspace(4) null)
  %a = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.a to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.a to ptr addrspace(4)), ptr addrspace(4) null)
  %t = trunc i64 %b to i32
  %s = add i32 %t, %a
  ret i32 %s
}

declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))

; CHECK: define spir_kernel void @k(
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 2, i32 3)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 1, i32 1)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 1, i32 1)
; CHECK: store ptr addrspace(1) @n.b
define spir_kernel void @k(ptr addrspace(1) %out) {
  %slot = alloca ptr addrspace(1)
  %c = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.c to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.c to ptr addrspace(4)), ptr addrspace(4) null)
  %a1 = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.a2 to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.a to ptr addrspace(4)), ptr addrspace(4) null)
  %a2 = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.a to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.a to ptr addrspace(4)), ptr addrspace(4) null)
  %h = call spir_func i32 @helper()
  %s1 = add i32 %a1, %a2
  %s2 = add i32 %s1, %c
  %s3 = add i32 %s2, %h
  store i32 %s3, ptr addrspace(1) %out
  store ptr addrspace(1) @n.b, ptr %slot
  ret void
}

; CHECK: !sycl.specialization-constants = !{![[B:[0-9]+]], ![[A:[0-9]+]], ![[C:[0-9]+]]}
; CHECK: ![[B]] = !{!"b", i32 0, i32 0, i32 8}
; CHECK: ![[A]] = !{!"a", i32 1, i32 0, i32 4}
; CHECK: ![[C]] = !{!"c", i32 2, i32 0, i32 4}
