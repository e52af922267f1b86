; Initial values that PTX cannot express.
; RUN: sed 's/VALUE/i32 ptrtoint (ptr addrspace(1) @one to i32)/' %s >%t.ll && not %lower --mode=default --emit=ptx %t.ll 2>&1 | FileCheck --check-prefix=PART %s
; PART: the initial value of the variable 'it' has a part of an address
; RUN: sed 's/VALUE/ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @one, i64 -4)/' %s >%t.ll && not %lower --mode=default --emit=ptx %t.ll 2>&1 | FileCheck --check-prefix=BEFORE %s
; BEFORE: the initial value of the variable 'it' has an address before the start of a variable, or far after its end
; RUN: sed 's/VALUE/ptr addrspacecast (ptr addrspace(3) @local to ptr)/' %s >%t.ll && not %lower --mode=default --emit=ptx %t.ll 2>&1 | FileCheck --check-prefix=LOCAL %s
; LOCAL: the initial value of the variable 'it' has the address of local memory, which each work-group has its own of
; RUN: sed 's/VALUE/i64 add (i64 ptrtoint (ptr addrspace(1) @one to i64), i64 ptrtoint (ptr addrspace(1) @two to i64))/' %s >%t.ll && not %lower --mode=default --emit=ptx %t.ll 2>&1 | FileCheck --check-prefix=TWO %s
; TWO: the initial value of the variable 'it' combines two addresses
; RUN: sed 's/VALUE/i64 mul (i64 ptrtoint (ptr addrspace(1) @one to i64), i64 3)/' %s >%t.ll && not %lower --mode=default --emit=ptx %t.ll 2>&1 | FileCheck --check-prefix=COMPUTED %s
; COMPUTED: the initial value of the variable 'it' is computed from an address
; RUN: sed 's/VALUE/ptr addrspace(1) @other/' %s >%t.ll && not %lower --mode=default --emit=ptx %t.ll 2>&1 | FileCheck --check-prefix=CIRCLE %s
; CIRCLE: the initial value of the variable 'it' points to the variable itself, or to one that does, for which neither SPIR-V nor PTX has a form
target triple = "nvptx64-nvidia-cuda"
@one = addrspace(1) global i32 1
@two = addrspace(1) global i32 2
@local = addrspace(3) global i32 undef
@it = addrspace(1) global VALUE
@other = addrspace(1) global ptr addrspace(1) @it
define ptx_kernel void @k(ptr addrspace(1) %o) {
  %l = load i32, ptr addrspace(3) @local
  store i32 %l, ptr addrspace(1) %o
  ret void
}
