; Functions that are declared static because their types are local to the unit.
; RUN: %lower --mode=native %s | FileCheck %s
target triple = "spir64-unknown-unknown"
%pair = type { i32, float }
@default = internal constant { i32 } { i32 7 }
@defaults = internal constant { %pair } { %pair { i32 1, float 2.0 } }
@n.a = private constant [2 x i8] c"a\00"
@n.b = private constant [2 x i8] c"b\00"
declare i32 @_ZL37__sycl_getScalar2020SpecConstantValueIiN5sycl17specialization_idIiEEET_PKcPKT0_PKv(ptr, ptr, ptr)
declare void @_ZL40__sycl_getComposite2020SpecConstantValueIN12_GLOBAL__N_14pairEXET_PKcPKT0_PKv(ptr sret(%pair), ptr, ptr, ptr)
declare i32 @_ZL3fooi(i32)

; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 0, i32 7)
; CHECK: call spir_func %pair @_Z29__spirv_SpecConstantCompositeif_Rpair(
; CHECK: call i32 @_ZL3fooi
define spir_kernel void @k(ptr addrspace(1) %out) {
  %slot = alloca %pair
  %a = call i32 @_ZL37__sycl_getScalar2020SpecConstantValueIiN5sycl17specialization_idIiEEET_PKcPKT0_PKv(ptr @n.a, ptr @default, ptr null)
  call void @_ZL40__sycl_getComposite2020SpecConstantValueIN12_GLOBAL__N_14pairEXET_PKcPKT0_PKv(ptr sret(%pair) %slot, ptr @n.b, ptr @defaults, ptr null)
  %b = call i32 @_ZL3fooi(i32 %a)
  store i32 %b, ptr addrspace(1) %out
  ret void
}
