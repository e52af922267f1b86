; Large objects are copied in units of their alignment, several at a time, and moves between two memories name both.
; RUN: %lower --target=nvptx64 --mode=default --emit=ptx --no-offset %s | FileCheck %s
; RUN: %if ptxas %{ %lower --target=nvptx64 --mode=default --emit=ptx %s -o %t.ptx && %ptxas %t.ptx -o %t.cubin %}
; RUN: %lower --target=nvptx64 --mode=default --emit=ptx --no-offset -O 0 %s | FileCheck %s --check-prefix=PLAIN
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)

; Units of 16 bytes: all are read before they are written, without a loop.
; CHECK-LABEL: .entry copy(
; CHECK-COUNT-8: ld.global.v4.u32
; CHECK-NOT: bra
; CHECK-COUNT-8: st.global.v4.u32
; CHECK: ret;
define spir_kernel void @copy(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %to, ptr addrspace(1) align 16 %from, i64 128, i1 false)
  ret void
}

; A loop of eight units, and the rest.
; CHECK-LABEL: .entry loop(
; CHECK-COUNT-8: ld.global.u32
; CHECK-COUNT-8: st.global.u32
; CHECK: bra
; CHECK-COUNT-3: ld.global.u32
; CHECK-NOT: ld
; CHECK: ret;
define spir_kernel void @loop(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 8 %from, i64 268, i1 false)
  ret void
}

; The loop does not separate a variable from the start of its function, where alone LLVM knows its size.
; CHECK-LABEL: .entry late(
; CHECK: .local .align {{[0-9]+}} .b8 {{.*}}[28];
; CHECK: bra
; CHECK: st.local.u32
; CHECK: ret;
define spir_kernel void @late(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %i) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 268, i1 false)
  %late = alloca [7 x i32]
  %place = getelementptr [7 x i32], ptr %late, i64 0, i64 %i
  store volatile i32 1, ptr %place
  ret void
}

; Bytes are repeated, also those that are not constant.
; CHECK-LABEL: .entry fill(
; CHECK: mov.{{[bu]}}32 [[NINES:%r[0-9]+]], 151587081;
; CHECK-COUNT-8: st.global.v4.u32 {{.*}}{[[NINES]], [[NINES]], [[NINES]], [[NINES]]}
; CHECK: mul.lo.s64 {{.*}}, 72340172838076673;
; CHECK: st.global.u64
; CHECK: bra
; CHECK: ret;
define spir_kernel void @fill(ptr addrspace(1) %one, ptr addrspace(1) %other, i8 %byte) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %one, i8 9, i64 128, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %other, i8 %byte, i64 1024, i1 false)
  ret void
}

; A move of few units reads all before it writes them, so that the order does not matter.
; CHECK-LABEL: .entry few(
; CHECK-NOT: setp
; CHECK-COUNT-16: ld.global.v4.u32
; CHECK-COUNT-16: st.global.v4.u32
; CHECK: ret;
define spir_kernel void @few(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 16 %to, ptr addrspace(1) align 16 %from, i64 256, i1 false)
  ret void
}

; A generic pointer may be one to the source.
; CHECK-LABEL: .entry generic(
; CHECK: setp.lt.u64
; CHECK: ld.global.u64
; CHECK: st.u64
; CHECK: ret;
define spir_kernel void @generic(ptr addrspace(1) %place, ptr addrspace(1) %from) {
  %to = load ptr, ptr addrspace(1) %place
  call void @llvm.memmove.p0.p1.i64(ptr align 8 %to, ptr addrspace(1) align 16 %from, i64 512, i1 false)
  ret void
}

; Bytes of a number that is known at run time, volatile.
; CHECK-LABEL: .entry unknown(
; CHECK: setp.lt.u64
; CHECK: ld.volatile.global.u8
; CHECK: st.volatile.global.u8
; CHECK: ret;
define spir_kernel void @unknown(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %count) {
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 %count, i1 true)
  ret void
}

; A value keeps what it was when it was loaded.
; CHECK-LABEL: .entry exchange(
; CHECK: ld.global
; CHECK: st.local
; CHECK: ld.global
; CHECK: st.global
; CHECK: ld.local
; CHECK: st.global
; CHECK: ret;
define spir_kernel void @exchange(ptr addrspace(1) %one, ptr addrspace(1) %other) {
  %a = load [2000 x i32], ptr addrspace(1) %one
  %b = load [2000 x i32], ptr addrspace(1) %other
  store [2000 x i32] %b, ptr addrspace(1) %one
  store [2000 x i32] %a, ptr addrspace(1) %other
  ret void
}

; The two memories are apart, so nothing is compared. LLVM 15 would write ld.global and st.global.
; CHECK-LABEL: .entry local(
; CHECK: ld.global.v4.u32
; CHECK-NOT: st.global
; CHECK: st.shared.v4.u32
; CHECK-NOT: st.global
; CHECK: ret;
; PLAIN-LABEL: .entry local(
; PLAIN: ld.global
; PLAIN-NOT: st.global
; PLAIN: st.shared
; PLAIN-NOT: st.global
; PLAIN: ret;
define spir_kernel void @local(ptr addrspace(3) %to, ptr addrspace(1) %from) {
  call void @llvm.memmove.p3.p1.i64(ptr addrspace(3) align 16 %to, ptr addrspace(1) align 16 %from, i64 256, i1 false)
  ret void
}
