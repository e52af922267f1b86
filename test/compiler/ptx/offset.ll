; Launches with an offset: each kernel whose code depends on it gets a second entry, with the offset as an
; argument. The kernel itself is the same as without that entry.
; RUN: %lower --mode=patch --emit=ptx %s -o %t.ptx
; RUN: %lower --mode=patch --emit=ptx --no-offset %s -o %t.no.ptx
; RUN: %python -B %S/entries.py %t.no.ptx %t.ptx | FileCheck %s --check-prefix=NAMES
; RUN: %lower --mode=patch --emit=ptx -O 0 %s -o %t.o0.ptx
; RUN: %lower --mode=patch --emit=ptx -O 0 --no-offset %s -o %t.o0.no.ptx
; RUN: %python -B %S/entries.py %t.o0.no.ptx %t.o0.ptx | FileCheck %s --check-prefix=NAMES
; RUN: %python -B %S/entries.py %t.no.ptx %t.no.ptx | count 1
; NAMES: {{^}}both_with_offset
; NAMES-NEXT: {{^}}computed_with_offset
; NAMES-NEXT: {{^}}deep_with_offset
; NAMES-NEXT: {{^}}only_offset_with_offset
; NAMES-NEXT: {{^}}required_with_offset
; NAMES-NOT: {{.}}
; RUN: FileCheck %s < %t.ptx
; RUN: FileCheck %s < %t.o0.ptx --check-prefix=O0
; RUN: %patch %t.ptx n=ffeeddcc > %t.text
; RUN: grep -c '0xccddeeff; //specpi:0' %t.text | FileCheck %s --check-prefix=TWO
; TWO: {{^2$}}
target triple = "nvptx64-nvidia-cuda"
%id.i32 = type { i32 }
@n = private constant [2 x i8] c"n\00"
@d = internal constant %id.i32 { i32 3 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare i64 @_Z17get_global_offsetj(i32)
; The entries share global variables, whose visibility stays. Each has its own memory of a work-group.
; CHECK-DAG: {{^}}.global .align 4 .u32 counter = 5;
; CHECK-DAG: {{^}}.weak .global .align 4 .u32 other_counter;
; O0-DAG: {{^}}.global .align 4 .u32 counter = 5;
@counter = internal addrspace(1) global i32 5
@other_counter = linkonce_odr addrspace(1) global i32 0
@together = internal addrspace(3) global [64 x i32] undef
; Takes the place of the library's function, which may be inlined.
define internal i64 @_Z13get_global_idj(i32 %d) alwaysinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  ret i64 %w
}
define internal i64 @at() noinline {
  %i = call i64 @_Z13get_global_idj(i32 0)
  ret i64 %i
}
define i64 @further(i64 %x) noinline optnone {
  %i = call i64 @at()
  %s = add i64 %i, %x
  ret i64 %s
}
define internal i64 @aside(i64 %x) noinline {
  %m = mul i64 %x, %x
  ret i64 %m
}
; CHECK: .visible .entry both(
; CHECK-NEXT: both_param_0,
; CHECK-NEXT: both_param_1
; CHECK-NEXT: )
; CHECK: .shared .align 16 .b8 together
; CHECK: 0x00000003; //specpi:0
; CHECK: .visible .entry both_with_offset(
; CHECK-NEXT: .param .u64 both_with_offset_param_0,
; CHECK-NEXT: .param .u32 both_with_offset_param_1,
; CHECK-NEXT: .param .align 4 .b8 both_with_offset_param_2[12]
; CHECK-NEXT: )
; CHECK-NOT: .reqntid
; CHECK: .shared .align 16 .b8 together
; CHECK-DAG: ld.param.u32 {{.*}}, [both_with_offset_param_2];
; CHECK-DAG: ld.param.u32 {{.*}}, [both_with_offset_param_2+4];
; CHECK: 0x00000003; //specpi:0
define ptx_kernel void @both(ptr addrspace(1) %p, ptr addrspace(3) %l) {
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  %i = call i64 @_Z13get_global_idj(i32 0)
  %o = call i64 @_Z17get_global_offsetj(i32 1)
  %at = getelementptr [64 x i32], ptr addrspace(3) @together, i64 0, i64 %i
  store i32 %n, ptr addrspace(3) %at
  call void @llvm.nvvm.barrier0()
  %c = load i32, ptr addrspace(1) @counter
  %c1 = add i32 %c, 1
  store i32 %c1, ptr addrspace(1) @counter
  %oc = atomicrmw add ptr addrspace(1) @other_counter, i32 %c1 monotonic
  %v = load i32, ptr addrspace(3) @together
  store i32 %v, ptr addrspace(3) %l
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %o
  store i64 %i, ptr addrspace(1) %q
  ret void
}
; Both entries have the required size.
; CHECK: .visible .entry required_with_offset(
; CHECK: .reqntid 8, 4, 1
define ptx_kernel void @required(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %i = call i64 @_Z13get_global_idj(i32 2)
  store i64 %i, ptr addrspace(1) %p
  ret void
}
; The offset reaches functions that are not inlined. Functions that do not depend on it are called as before.
; CHECK: .visible .entry deep_with_offset(
; CHECK-NOT: further
; CHECK: call.uni
; CHECK-NEXT: aside{{[0-9]*}},
; CHECK: .visible
; O0: .visible .entry deep_with_offset(
; O0-NOT: further
; O0: ret;
define ptx_kernel void @deep(ptr addrspace(1) %p) noinline optnone {
  %i = call i64 @further(i64 2)
  %a = call i64 @aside(i64 %i)
  store i64 %a, ptr addrspace(1) %p
  ret void
}
; If the dimension is computed, the entry needs the offsets of all three.
; CHECK: computed_with_offset(
; CHECK: selp
define ptx_kernel void @computed(ptr addrspace(1) %p, i32 %d) {
  %i = call i64 @_Z13get_global_idj(i32 %d)
  store i64 %i, ptr addrspace(1) %p
  ret void
}
; CHECK: only_offset_with_offset(
; CHECK: ld.param.u32 {{.*}}, [only_offset_with_offset_param_1+8];
; CHECK-NOT: ld.param.u32
; CHECK: ret;
define ptx_kernel void @only_offset(ptr addrspace(1) %p) {
  %o = call i64 @_Z17get_global_offsetj(i32 2)
  %o3 = call i64 @_Z17get_global_offsetj(i32 3)
  %s = add i64 %o, %o3
  store i64 %s, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @nothing(ptr addrspace(1) %p) {
  store i64 1, ptr addrspace(1) %p
  ret void
}
; Recursive functions cannot be inlined, nor can functions that are called through a pointer.
define internal i64 @around(i64 %x) noinline {
  %done = icmp eq i64 %x, 0
  br i1 %done, label %end, label %more
more:
  %y = lshr i64 %x, 1
  %r = call i64 @around(i64 %y)
  %i = call i64 @_Z13get_global_idj(i32 0)
  %s = add i64 %r, %i
  ret i64 %s
end:
  ret i64 1
}
define ptx_kernel void @recursive(ptr addrspace(1) %p, i64 %x) {
  %i = call i64 @around(i64 %x)
  store i64 %i, ptr addrspace(1) %p
  ret void
}
define internal i64 @pointed() {
  %i = call i64 @_Z13get_global_idj(i32 0)
  ret i64 %i
}
define internal i64 @one() {
  ret i64 1
}
@functions = internal addrspace(1) constant [2 x ptr] [ptr @pointed, ptr @one]
define internal i64 @through(i64 %x) noinline {
  %at = getelementptr [2 x ptr], ptr addrspace(1) @functions, i64 0, i64 %x
  %f = load ptr, ptr addrspace(1) %at
  %v = call i64 %f()
  ret i64 %v
}
define ptx_kernel void @by_pointer(ptr addrspace(1) %p, i64 %x) {
  %i = call i64 @through(i64 %x)
  %j = call i64 @_Z13get_global_idj(i32 0)
  %s = add i64 %i, %j
  store i64 %s, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 8, i32 4, i32 1}
