; The initial values of variables, in the forms of docs/internals/ptx.md.
; RUN: %lower --mode=default --emit=ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; Numbers of PTX's types are written as numbers.
; CHECK-DAG: .visible .global .align 4 .u32 word = -7;
@word = addrspace(1) global i32 -7
; CHECK-DAG: .visible .global .align 8 .f64 wide = 0dBFF8000000000000;
@wide = addrspace(1) global double -1.5
; Others are written as bytes: a bool is 1 and not -1, and a vector of three has 16 bytes.
; CHECK-DAG: .visible .global .align 2 .b8 half[2] = {0, 62};
@half = addrspace(1) global half 1.5
; CHECK-DAG: .visible .global .align 2 .b8 brain[2] = {192, 63};
@brain = addrspace(1) global bfloat 1.5
; CHECK-DAG: .visible .global .align 1 .b8 truth[1] = {1};
@truth = addrspace(1) global i1 true
; CHECK-DAG: .visible .global .align 1 .b8 bits[2] = {5, 1};
@bits = addrspace(1) global <9 x i1> <i1 1, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1>, align 1
; CHECK-DAG: .visible .global .align 4 .b8 odd[4] = {1, 2, 3{{(, 0)*}}};
@odd = addrspace(1) global i24 197121
; CHECK-DAG: .visible .global .align 16 .b8 long[16] = {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 128};
@long = addrspace(1) global i128 -170141183460469231694793815568465002495
; CHECK-DAG: .visible .global .align 16 .b8 threes[32] = {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 0, 0, 1, 0, 192, 127, 0, 0, 0, 128, 1{{(, 0)*}}};
@threes = addrspace(1) global [2 x <3 x float>] [<3 x float> <float 1.0, float 2.0, float 3.0>, <3 x float> <float 0x7FF8000020000000, float -0.0, float 0x36A0000000000000>]
; Undefined values and padding are 0. (LLVM 19 leaves out the last zeros.)
; CHECK-DAG: .visible .global .align 8 .b8 padded[12] = {1, 0, 0, 0, 0, 0, 0, 0, 2{{(, 0)*}}};
@padded = addrspace(1) global { i8, i32, i8 } { i8 1, i32 undef, i8 2 }
; CHECK-DAG: .visible .global .align 16 .b8 zeros[16];
@zeros = addrspace(1) global <3 x i32> zeroinitializer
; CHECK-DAG: .visible .global .align 8 .b8 some[8] = {0, 0, 0, 0, 9{{(, 0)*}}};
@some = addrspace(1) global { [1 x i32], i32 } { [1 x i32] zeroinitializer, i32 9 }
; Addresses in the variable's own space and generic addresses; NULL of any space is 0.
; CHECK-DAG: .visible .global .align 16 .u64 places[6] = {word, threes+16, generic(word), generic(threes)+20, 0, threes+4};
@places = addrspace(1) global { ptr addrspace(1), ptr addrspace(1), ptr, ptr, ptr, i64 } {
  ptr addrspace(1) @word,
  ptr addrspace(1) getelementptr ([2 x <3 x float>], ptr addrspace(1) @threes, i64 0, i64 1),
  ptr addrspacecast (ptr addrspace(1) @word to ptr),
  ptr getelementptr (<3 x float>, ptr addrspacecast (ptr addrspace(1) @threes to ptr), i64 1, i64 1),
  ptr addrspacecast (ptr addrspace(3) null to ptr),
  i64 add (i64 ptrtoint (ptr addrspace(1) @threes to i64), i64 4) }
; The difference of two addresses in one variable is a number.
; CHECK-DAG: .visible .global .align 8 .u64 apart = 16;
@apart = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @threes, i64 16) to i64), i64 ptrtoint (ptr addrspace(1) @threes to i64))
; An address that is not aligned to words is written byte by byte.
; CHECK-DAG: .visible .global .align 8 .u8 tight[9] = {3, 0xFF(word), 0xFF00(word), 0xFF0000(word), 0xFF000000(word), 0xFF00000000(word), 0xFF0000000000(word), 0xFF000000000000(word), 0xFF00000000000000(word)};
@tight = addrspace(1) global <{ i8, ptr addrspace(1) }> <{ i8 3, ptr addrspace(1) @word }>
; LLVM's printer leaves out private variables of this name.
; CHECK-DAG: .global .align 1 .b8 filename[2] = {97{{(, 0)*}}};
@filename = private addrspace(1) constant [2 x i8] c"a\00"
; In shared memory, too, a vector of three has 16 bytes.
; CHECK-DAG: .shared .align 16 .b8 three[16];
@three = internal addrspace(3) global <3 x float> undef
define ptx_kernel void @k(ptr addrspace(1) %o, i32 %i) {
  %three = getelementptr float, ptr addrspace(3) @three, i32 %i
  store volatile float 1.0, ptr addrspace(3) %three
  %f = getelementptr i8, ptr addrspace(1) @filename, i32 %i
  %c = load volatile i8, ptr addrspace(1) %f
  store i8 %c, ptr addrspace(1) %o
  ret void
}
