; Of a C++ unit only kernels, exported functions and the code that these reach are left.
; RUN: %lower --unit-id=unit --emit=kernels %s | FileCheck %s
; RUN: %lower --unit-id=unit --mode=native --emit=bc %s -o %t.bc
target triple = "spir64-unknown-unknown"
%object = type { ptr addrspace(4), i32 }
%id = type { i32 }
@.name = private constant [11 x i8] c"_ZTS5First\00"
@.second = private constant [12 x i8] c"_ZTS6Second\00"
@_ZTS5First = linkonce_odr constant [7 x i8] c"5First\00"
@.none = private addrspace(1) constant [1 x i8] zeroinitializer
@.class = private constant [10 x i8] c"_ZTS4Need\00"
@table = linkonce_odr addrspace(1) constant [2 x i32] [i32 3, i32 4]
@_ZL4mine = internal addrspace(1) constant %id { i32 1 }
@ours = linkonce_odr addrspace(1) constant %id { i32 2 }
@state = global i32 0
@llvm.used = appending global [1 x ptr] [ptr @host], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @host, ptr null }]
@alias = alias i32 (i32), ptr @helper

; CHECK-DAG: @table = internal addrspace(1) constant
; CHECK-DAG: c"unit____ZL4mine\00"
; CHECK-DAG: c"ours\00"
; CHECK-NOT: @state
; CHECK-NOT: llvm.used
; CHECK-NOT: global_ctors
; CHECK-NOT: @_ZTS5First = {{.*}}constant
; CHECK-NOT: @host
declare void @__specpi_kernel_entry(ptr)
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare i32 @_Z33__sycl_getScalarSpecConstantValueIiEvv(ptr)
declare i32 @__gxx_personality_v0(...)
declare void @destroy()

define internal void @second_kernel(ptr byval(i8) align 1 %object) {
  call void @__specpi_kernel_entry(ptr @.second)
  ret void
}

; CHECK: define {{.*}}spir_kernel void @_ZTS6Second(ptr byval(i8) align 1 %object)
; CHECK-NEXT: ret void
; CHECK: define {{.*}}spir_kernel void @_ZTS5First(ptr byval(%object) align 8 %object)
; CHECK-NOT: __specpi_kernel_entry
; CHECK-NOT: personality
; CHECK: call i32 @helper(
; CHECK-NOT: landingpad
; CHECK: call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv({{.*}}, ptr addrspace(4) addrspacecast (ptr addrspace(1) @_ZL4mine to ptr addrspace(4)), ptr addrspace(4) null)
; CHECK: call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv({{.*}}, ptr addrspace(4) addrspacecast (ptr addrspace(1) @ours to ptr addrspace(4)), ptr addrspace(4) null)
; CHECK: call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv{{.*}}(ptr @.class, ptr addrspacecast (ptr addrspace(1) @{{.*}} to ptr), ptr null)
define linkonce_odr void @first_kernel(ptr byval(%object) align 8 %object) personality ptr @__gxx_personality_v0 {
  call void @__specpi_kernel_entry(ptr @.name)
  %r = invoke i32 @alias(i32 1) to label %on unwind label %off
on:
  %m = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr addrspace(4) addrspacecast (ptr addrspace(1) @.none to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @_ZL4mine to ptr addrspace(4)), ptr addrspace(4) null)
  %o = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiEvv(ptr addrspace(4) null, ptr addrspace(4) addrspacecast (ptr addrspace(1) @ours to ptr addrspace(4)), ptr addrspace(4) null)
  %n = call i32 @_Z33__sycl_getScalarSpecConstantValueIiEvv(ptr @.class)
  %x = add i32 %m, %o
  %y = add i32 %x, %n
  %z = add i32 %y, %r
  %place = getelementptr %object, ptr %object, i32 0, i32 1
  store i32 %z, ptr %place
  ret void
off:
  %l = landingpad { ptr, i32 } cleanup
  call void @destroy()
  resume { ptr, i32 } %l
}

; CHECK: define internal i32 @helper(
define linkonce_odr i32 @helper(i32 %x) "target-cpu"="x86-64" {
  %p = getelementptr [2 x i32], ptr addrspace(1) @table, i32 0, i32 %x
  %v = load i32, ptr addrspace(1) %p
  ret i32 %v
}

; CHECK: define {{.*}}i32 @exported(
define i32 @exported() "llvm.assume"="other,specpi.external" {
  ret i32 1
}

define void @host() {
  store i32 1, ptr @state
  call void @first_kernel(ptr byval(%object) null)
  call void @second_kernel(ptr byval(i8) null)
  ret void
}

; CHECK-NOT: target-cpu
; CHECK: !specpi.required = !{![[REQUIRED:[0-9]+]]}
; CHECK: !specpi.unit = !{![[UNIT:[0-9]+]]}
; CHECK: ![[REQUIRED]] = !{!"_ZTS4Need"}
; CHECK: ![[UNIT]] = !{!"unit"}
