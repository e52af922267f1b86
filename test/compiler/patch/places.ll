; Values that are written at the places take effect: the machine code is the same as with these values
; as defaults. Nothing else of the text changes.
; REQUIRES: ptxas
; RUN: %lower --mode=patch --emit=ptx %s -o %t.ptx
; RUN: %patch %t.ptx > %t.text
; RUN: %ptxas %t.text -o %t.cubin
; RUN: %patch %t.ptx n=05000000 pair=0700000000000000 pair+8=09 > %t.patched
; RUN: %ptxas %t.patched -o %t.patched.cubin
; RUN: not diff -U 0 %t.text %t.patched | FileCheck %s --check-prefix=DIFF
; Patching changes three lines of the text.
; DIFF: @@
; DIFF-NEXT: {{^}}-{{.*}}mov.b32 [[R:%r[0-9]+]], 0x00000003; //specpi:0
; DIFF-NEXT: {{^}}+{{.*}}mov.b32 [[R]], 0x00000005; //specpi:0
; DIFF-NEXT: @@
; DIFF-NEXT: {{^}}-{{.*}} 0x0000000000000002; //specpi:1
; DIFF-NEXT: {{^}}+{{.*}} 0x0000000000000007; //specpi:1
; DIFF-NEXT: @@
; DIFF-NEXT: {{^}}-{{.*}} 0x04; //specpi:2
; DIFF-NEXT: {{^}}+{{.*}} 0x09; //specpi:2
; DIFF-NOT: {{^[-+@]}}

; RUN: sed -e 's/i32 3 }/i32 5 }/' -e 's/i64 2, i8 4/i64 7, i8 9/' %s > %t.typed.ll
; RUN: %lower --mode=patch --emit=ptx %t.typed.ll -o %t.typed.ptx
; RUN: %patch %t.typed.ptx > %t.typed.text
; RUN: diff %t.patched %t.typed.text
; RUN: %lower --mode=default --emit=ptx %t.typed.ll -o %t.typed.ptx
; RUN: %ptxas %t.typed.ptx -o %t.typed.cubin
; RUN: readelf -x .text.k %t.patched.cubin > %t.patched.code
; RUN: readelf -x .text.k %t.typed.cubin > %t.typed.code
; RUN: readelf -x .text.k %t.cubin > %t.code
; RUN: diff %t.patched.code %t.typed.code
; RUN: not diff %t.patched.code %t.code
target triple = "nvptx64-nvidia-cuda"
%id.i32 = type { i32 }
%pair = type { i64, i8 }
%id.pair = type { %pair }
@n = private constant [2 x i8] c"n\00"
@m = private constant [5 x i8] c"pair\00"
@d = internal constant %id.i32 { i32 3 }
@e = internal constant %id.pair { %pair { i64 2, i8 4 } }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
declare %pair @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_(ptr, ptr, ptr)

define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  %pair = call %pair @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_(ptr @m, ptr @e, ptr null)
  %a = extractvalue %pair %pair, 0
  %b = extractvalue %pair %pair, 1
  %b32 = zext i8 %b to i32
  %v = load i32, ptr addrspace(1) %p
  %x = mul i32 %v, %n
  %y = add i32 %x, %b32
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %a
  store i32 %y, ptr addrspace(1) %q
  ret void
}
