; The properties of kernels, and their requirements for devices.
; RUN: %lower --mode=emulate --emit=prop %s | FileCheck %s --match-full-lines --check-prefixes=CHECK,EMULATE
; RUN: %lower --mode=native --emit=prop %s | FileCheck %s --match-full-lines --implicit-check-not=specpi --check-prefixes=CHECK,NATIVE
; RUN: %lower --mode=default --emit=prop %s | FileCheck %s --match-full-lines --implicit-check-not=specpi --check-prefix=DEFAULT
; RUN: sed -e 's/^define spir_kernel void @free.*/define void @free() {/' %s > %t.ll
; RUN: %lower --mode=native --emit=prop %t.ll | FileCheck %s --match-full-lines --check-prefix=AGREE
; The aspects are 5, 6, 28 and, from metadata, 9. One kernel requires no sizes, so that the device needs none.
; EMULATE:     [SYCL/specialization constants default values]
; CHECK:       [SYCL/device requirements]
; CHECK-NEXT:  aspects=2|ACAAAAAAAAQBAAAAGAAAAkAAAAAHAAAA
; CHECK-NEXT:  [SYCL/kernel param opt]
; EMULATE-NEXT: masked=2|DAAAAAAAAAQA
; NATIVE-NEXT:  masked=2|CAAAAAAAAAQA
; CHECK:  [SYCL/program metadata]
; CHECK-NEXT:  masked@reqd_work_group_size=2|gBAAAAAAAAAQAAAACAAAAEAAAAA
; CHECK-NEXT:  plain@reqd_work_group_size=2|gBAAAAAAAAAQAAAACAAAAEAAAAA
; CHECK-NEXT:  [SYCL/misc properties]
; CHECK-NEXT:  optLevel=1|2
; EMULATE-NEXT: [specpi/buffer arguments]
; EMULATE-NEXT: masked=1|1
; EMULATE-NOT: {{.+}}
; DEFAULT:      [SYCL/misc properties]
; DEFAULT-NEXT: optLevel=1|2
; DEFAULT-NEXT: specConstsReplacedWithDefault=1|1
; AGREE:      [SYCL/device requirements]
; AGREE-NEXT: aspects=2|ACAAAAAAAAQBAAAAGAAAAkAAAAAHAAAA
; AGREE-NEXT: reqd_work_group_size=2|gBAAAAAAAAAQAAAACAAAAEAAAAA
; AGREE-NEXT: reqd_sub_group_size=1|8
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private addrspace(1) constant [2 x i8] c"n\00"
@d = internal addrspace(1) constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(4))
declare spir_func i64 @_Z8atom_addPU3AS1Vll(ptr addrspace(1), i64)

; The first argument of the source is removed, and the new one has been added.
define spir_kernel void @masked(ptr addrspace(1) %out) #0 !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 !sycl_kernel_omit_args !2 !sycl_used_aspects !3 {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1) @n, ptr addrspace(1) @d, ptr addrspace(4) null)
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @plain(ptr addrspace(1) %out) #1 !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  store <2 x half> zeroinitializer, ptr addrspace(1) %out
  %v = call spir_func i64 @_Z8atom_addPU3AS1Vll(ptr addrspace(1) %out, i64 1)
  ret void
}

define spir_kernel void @free() {
  ret void
}

define internal spir_func { float, [2 x double] } @helper({ float, [2 x double] } %x) {
  ret { float, [2 x double] } %x
}

attributes #0 = { "sycl-optlevel"="1" }
attributes #1 = { "sycl-optlevel"="2" }
!0 = !{i32 64, i32 2, i32 1}
!1 = !{i32 8}
!2 = !{i1 true, i1 false}
!3 = !{!4, i32 -1}
!4 = !{!"image", i32 9}
