; The OpenCL functions that are called come from a library of bitcode, by their names for NVPTX. There
; SPIR's pointers to constant memory are pointers to global memory.
; REQUIRES: libclc
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx --library=%libclc %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx -O 0 --library=%libclc %s -o %t.o0.ptx
; CHECK-NOT: .extern .func
; CHECK-NOT: .visible .func
; CHECK: .visible .entry k(
; CHECK-DAG: %ctaid.x
; CHECK-DAG: ld.global{{.*}}.f32
; CHECK-DAG: sqrt.rn.f32
; CHECK-DAG: bar.sync
; CHECK-NOT: ld.const
; Nothing else of the library, which has some hundred kilobytes, is in the output.
; RUN: %python -c "import os, sys; sys.exit(os.path.getsize(sys.argv[1]) > 8000)" %t.ptx
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func float @_Z4sqrtf(float)
declare spir_func void @_Z7barrierj(i32)
declare spir_func <4 x float> @_Z6vload4mPU3AS2Kf(i64, ptr addrspace(2))
declare spir_func <4 x float> @_Z6vload4mPU3AS4Kf(i64, ptr addrspace(4))
declare spir_func float @_Z5fractfPU3AS4f(float, ptr addrspace(4))
declare spir_func float @_Z5fractfPf(float, ptr)
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(2) %c) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %out, i64 %id
  %v = load float, ptr addrspace(1) %p
  %r = call spir_func float @_Z4sqrtf(float %v)
  call spir_func void @_Z7barrierj(i32 1)
  %c4 = call spir_func <4 x float> @_Z6vload4mPU3AS2Kf(i64 %id, ptr addrspace(2) %c)
  %generic = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
  %g4 = call spir_func <4 x float> @_Z6vload4mPU3AS4Kf(i64 %id, ptr addrspace(4) %generic)
  %whole = alloca float
  %whole.generic = addrspacecast ptr %whole to ptr addrspace(4)
  %f = call spir_func float @_Z5fractfPU3AS4f(float %r, ptr addrspace(4) %whole.generic)
  %f2 = call spir_func float @_Z5fractfPf(float %f, ptr %whole)
  %s4 = fadd <4 x float> %c4, %g4
  %x = extractelement <4 x float> %s4, i32 2
  %y = fadd float %x, %f2
  store float %y, ptr addrspace(1) %p
  ret void
}
