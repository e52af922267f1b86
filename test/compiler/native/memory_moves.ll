; SPIR-V has no memmove. A short move is two copies, through a variable in the first block. A move that cannot
; overlap is one copy. The others become loops.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; A newer LLVM gives llvm.memcpy attributes that the translator cannot read.
; RUN: %if typed-pointers %{ %spirv %t.bc -o %t.spv && spirv-val %t.spv %}
target triple = "spir64-unknown-unknown"
declare void @llvm.memmove.p0i8.p0i8.i64(i8*, i8*, i64, i1)
declare void @llvm.memmove.p1i8.p0i8.i32(i8 addrspace(1)*, i8*, i32, i1)
declare void @llvm.memmove.p1i8.p4i8.i64(i8 addrspace(1)*, i8 addrspace(4)*, i64, i1)
declare void @llvm.memmove.p4i8.p4i8.i64(i8 addrspace(4)*, i8 addrspace(4)*, i64, i1)
declare void @llvm.memmove.p4i8.p2i8.i64(i8 addrspace(4)*, i8 addrspace(2)*, i64, i1)

; CHECK-LABEL: define spir_kernel void @short
; CHECK-DAG: [[VARIABLE:%.*]] = alloca [28 x i8], align 4
; CHECK-DAG: %w = alloca [8 x i32]
; CHECK: br i1
; CHECK: call void @llvm.memcpy.{{.*}} align 4 {{.*}}, {{.*}} align 8 %from, i64 28, i1 false)
; CHECK-NEXT: call void @llvm.memcpy.{{.*}} align 4 %to, {{.*}} align 4 {{.*}}, i64 28, i1 false)
; CHECK-NEXT: br label
define spir_kernel void @short(i1 %again) {
  %w = alloca [8 x i32], align 4
  %to = bitcast [8 x i32]* %w to i8*
  %from = getelementptr i8, i8* %to, i64 4
  br label %loop
loop:
  br i1 %again, label %move, label %end
move:
  call void @llvm.memmove.p0i8.p0i8.i64(i8* align 4 %to, i8* align 8 %from, i64 28, i1 false)
  call void @llvm.memmove.p0i8.p0i8.i64(i8* %to, i8* %from, i64 0, i1 false)
  br label %loop
end:
  ret void
}

; Calls of one kind share a function.
; CHECK-LABEL: define spir_kernel void @long
; CHECK: call spir_func void @[[BYTES:__specpi_memmove[.0-9]*]]({{.*}} %g, {{.*}} %g, i64 %n)
; CHECK-NEXT: call spir_func void @[[BYTES]](
; CHECK: call spir_func void @[[WORDS:__specpi_memmove[.0-9]*]]({{.*}} %g, {{.*}} %g, i64 4004)
; CHECK: call spir_func void @[[VOLATILE:__specpi_memmove[.0-9]*]]({{.*}} %g, {{.*}} %g, i64 %n)
; CHECK: call spir_func void @[[GENERIC:__specpi_memmove[.0-9]*]]({{.*}} %p, {{.*}} %g, i64 %n)
; CHECK: call void @llvm.memcpy.{{.*}} %p, {{.*}}, i32 8, i1 true)
; CHECK: call void @llvm.memcpy.{{.*}} %g, {{.*}} %c, i64 %n, i1 false)
define spir_kernel void @long(i8 addrspace(1)* %p, i8 addrspace(2)* %c, i64 %n) {
  %array = alloca [8 x i8]
  %private = bitcast [8 x i8]* %array to i8*
  %g = addrspacecast i8 addrspace(1)* %p to i8 addrspace(4)*
  call void @llvm.memmove.p4i8.p4i8.i64(i8 addrspace(4)* align 4 %g, i8 addrspace(4)* align 4 %g, i64 %n, i1 false)
  call void @llvm.memmove.p4i8.p4i8.i64(i8 addrspace(4)* %g, i8 addrspace(4)* %g, i64 %n, i1 false)
  call void @llvm.memmove.p4i8.p4i8.i64(i8 addrspace(4)* align 16 %g, i8 addrspace(4)* align 8 %g, i64 4004, i1 false)
  call void @llvm.memmove.p4i8.p4i8.i64(i8 addrspace(4)* %g, i8 addrspace(4)* %g, i64 %n, i1 true)
  call void @llvm.memmove.p1i8.p4i8.i64(i8 addrspace(1)* %p, i8 addrspace(4)* %g, i64 %n, i1 false)
  call void @llvm.memmove.p1i8.p0i8.i32(i8 addrspace(1)* %p, i8* %private, i32 8, i1 true)
  call void @llvm.memmove.p4i8.p2i8.i64(i8 addrspace(4)* %g, i8 addrspace(2)* %c, i64 %n, i1 false)
  ret void
}
; CHECK: define internal spir_func void @[[BYTES]](
; CHECK: load i8, {{.*}}, align 1
; CHECK: define internal spir_func void @[[WORDS]](
; CHECK: load i32, {{.*}}, align 4
; CHECK: define internal spir_func void @[[VOLATILE]](
; CHECK: load volatile i8
; CHECK: store volatile i8
; CHECK: define internal spir_func void @[[GENERIC]](
; CHECK: addrspacecast
