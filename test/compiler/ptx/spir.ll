; A module for spir64 becomes a module for nvptx64: generic pointers are in address space 0, constant
; memory is part of global memory, and kernels have NVPTX's calling convention.
; RUN: %lower --mode=default --target=nvptx64 %s | FileCheck %s
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx %s | FileCheck %s --check-prefix=PTX
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx -O 0 %s | FileCheck %s --check-prefix=PTX
; CHECK: target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; CHECK-NEXT: target triple = "nvptx64-nvidia-cuda"
; CHECK: %node{{.*}} = type { ptr, ptr addrspace(1), i32 }
; CHECK: @table = internal addrspace(1) constant [2 x i32]
; CHECK: @shared = internal addrspace(3) global [4 x i32] undef
; CHECK: @pointer = internal addrspace(1) global ptr null
; CHECK: @casted = internal addrspace(1) global ptr addrspacecast (ptr addrspace(1) @table to ptr)
; CHECK-LABEL: define internal i32 @read(ptr %p)
; CHECK-LABEL: define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %c, ptr addrspace(3) %l)
; CHECK-NEXT: %private = alloca [4 x i32]
; CHECK-NEXT: %a = call i32 @read(ptr %private)
; CHECK-NEXT: %from.out = addrspacecast ptr addrspace(1) %out to ptr
; CHECK-NEXT: %b = call i32 @read(ptr %from.out)
; CHECK-NEXT: %from.local = addrspacecast ptr addrspace(3) %l to ptr
; CHECK-NEXT: %again = addrspacecast ptr %from.local to ptr addrspace(3)
; CHECK-NEXT: %e = call i32 @read(ptr null)
; CHECK-NEXT: %number = ptrtoint ptr addrspace(1) %c to i64
; CHECK-NEXT: %f = load volatile i32, ptr addrspace(1) %c, align 4
; CHECK: call void @llvm.memcpy.p0.p1.i64(ptr {{.*}}%private, ptr addrspace(1) {{.*}}@table, i64 8, i1 false)
; CHECK: call float @fast(float 1.000000e+00)
; CHECK: %x = fadd nnan float
; CHECK: %y = add nuw nsw i32
; CHECK: atomicrmw add ptr addrspace(1) %out, i32 %y seq_cst, align 4
; CHECK-NEXT: ret void
; PTX: .extern .shared .align 128 .b8 __specpi_dynamic_local_memory[];
; PTX: .visible .entry k(
; PTX-NEXT: .param .u64 k_param_0,
; PTX-NEXT: .param .u64 k_param_1,
; PTX-NEXT: .param .u32 k_param_2
; PTX: ld.volatile.global.u32
; PTX-NEXT: st.volatile.shared.u32
; PTX: atom.global.add.u32
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"
%node = type { ptr addrspace(4), ptr addrspace(2), i32 }
@table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2]
@shared = internal addrspace(3) global [4 x i32] undef
@pointer = internal addrspace(1) global ptr addrspace(4) addrspacecast (ptr null to ptr addrspace(4))
@casted = internal addrspace(1) global ptr addrspace(4) addrspacecast (ptr addrspace(2) @table to ptr addrspace(4))
declare void @llvm.memcpy.p0.p2.i64(ptr, ptr addrspace(2), i64, i1)

define internal spir_func i32 @read(ptr addrspace(4) %p) noinline {
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}
define internal spir_func float @fast(float %x) {
  ret float %x
}
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(2) %c, ptr addrspace(3) %l) {
  %private = alloca [4 x i32]
  %generic = addrspacecast ptr %private to ptr addrspace(4)
  %a = call spir_func i32 @read(ptr addrspace(4) %generic)
  %from.out = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
  %b = call spir_func i32 @read(ptr addrspace(4) %from.out)
  %from.local = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %again = addrspacecast ptr addrspace(4) %from.local to ptr addrspace(3)
  %e = call spir_func i32 @read(ptr addrspace(4) addrspacecast (ptr null to ptr addrspace(4)))
  %number = ptrtoint ptr addrspace(2) %c to i64
  %f = load volatile i32, ptr addrspace(2) %c, align 4
  store volatile i32 %f, ptr addrspace(3) %again
  call void @llvm.memcpy.p0.p2.i64(ptr %private, ptr addrspace(2) @table, i64 8, i1 false)
  %d = load i32, ptr %private
  %fast = call spir_func float @fast(float 1.0)
  %x = fadd nnan float %fast, 1.0
  %z = fptosi float %x to i32
  %n = getelementptr %node, ptr addrspace(4) %generic, i64 0, i32 2
  %nv = load i32, ptr addrspace(4) %n
  %s = add i32 %a, %b
  %t = add i32 %s, %z
  %u = add i32 %t, %d
  %w = add i32 %u, %nv
  %pv = load ptr addrspace(4), ptr addrspace(1) @pointer
  %isnull = icmp eq ptr addrspace(4) %pv, null
  %cv = load ptr addrspace(4), ptr addrspace(1) @casted
  %cw = load i32, ptr addrspace(4) %cv
  %sel = select i1 %isnull, i32 %w, i32 %cw
  %y = add nuw nsw i32 %sel, 1
  %old = atomicrmw add ptr addrspace(1) %out, i32 %y seq_cst
  ret void
}
