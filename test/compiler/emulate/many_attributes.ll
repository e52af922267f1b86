; Functions, calls and arguments keep all of their attributes, however many.
; RUN: %python -c "import sys; print(sys.stdin.read().replace('\"many\"', ' '.join('\"a%%d\"=\"x\"' %% i for i in range(3000))))" < %s > %t.ll
; RUN: %lower --mode=emulate %t.ll | FileCheck %s
; CHECK: define spir_kernel void @k(ptr addrspace(1) {{.*}}%p, ptr addrspace(1) %_arg__specialization_constants_buffer) #[[MANY:[0-9]+]]
; CHECK-NEXT: call spir_func void @f({{.*}}) #[[MANY]]
; CHECK: attributes #[[MANY]] = {{.*}} "a2999"="x"
target triple = "spir64-unknown-unknown"
@name = private constant [2 x i8] c"a\00"
@default = constant { i32 } { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr, ptr, ptr)

define spir_kernel void @k(ptr addrspace(1) %p) "many" {
  call spir_func void @f(ptr addrspace(1) %p) "many"
  ret void
}

define spir_func void @f(ptr addrspace(1) %p) {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr @name, ptr @default, ptr null)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
