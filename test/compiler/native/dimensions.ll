; SPIR-V's built-in variables have three dimensions: others have size 1 and id 0. Code compares a computed dimension with 3.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %if typed-pointers %{ %spirv %t.bc -o %t.spv && spirv-val %t.spv %}
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z15get_global_sizej(i32)
declare spir_func i64 @_Z12get_group_idj(i32)

; CHECK-LABEL: define spir_kernel void @known
; CHECK-DAG: [[SIZE:%.*]] = call spir_func i64 @_Z15get_global_sizej(i32 2)
; CHECK-DAG: store volatile i64 [[SIZE]],
; CHECK-DAG: store volatile i64 1,
; CHECK-DAG: store volatile i64 0,
define spir_kernel void @known(i64 addrspace(1)* %to) {
  %a = call spir_func i64 @_Z15get_global_sizej(i32 2)
  store volatile i64 %a, i64 addrspace(1)* %to
  %b = call spir_func i64 @_Z15get_global_sizej(i32 3)
  store volatile i64 %b, i64 addrspace(1)* %to
  %c = call spir_func i64 @_Z12get_group_idj(i32 -1)
  store volatile i64 %c, i64 addrspace(1)* %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @computed
; CHECK: [[IS:%.*]] = icmp ult i32 %n, 3
; CHECK-NEXT: [[ONE:%.*]] = select i1 [[IS]], i32 %n, i32 0
; CHECK-NEXT: [[SIZE:%.*]] = call spir_func i64 @_Z15get_global_sizej(i32 [[ONE]])
; CHECK-NEXT: [[RESULT:%.*]] = select i1 [[IS]], i64 [[SIZE]], i64 1
; CHECK-NEXT: store i64 [[RESULT]],
define spir_kernel void @computed(i64 addrspace(1)* %to, i32 %n) {
  %a = call spir_func i64 @_Z15get_global_sizej(i32 %n)
  store i64 %a, i64 addrspace(1)* %to
  ret void
}
