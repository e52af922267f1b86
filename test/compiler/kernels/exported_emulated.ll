; In mode emulate a function for other images is refused if it reads constants, and accepted otherwise.
; RUN: %lower --unit-id=unit --mode=emulate --emit=prop %s | FileCheck %s
; RUN: sed 's/@_Z6readerv() {/@_Z6readerv() "llvm.assume"="specpi.external" {/' %s > %t.ll
; RUN: not %lower --unit-id=unit --mode=emulate --emit=prop %t.ll 2>&1 | FileCheck %s --check-prefix=REFUSED
; RUN: %lower --unit-id=unit --mode=native --emit=prop %t.ll | FileCheck %s --check-prefix=NATIVE
; CHECK: [specpi/exported functions]
; CHECK-NEXT: _Z5plainv=1|1
; REFUSED: error: function 'reader()' is declared SYCL_EXTERNAL and reads a constant, which in mode emulate is in a buffer that kernels of other units do not hand it (SPECPI_COMPILER_ERROR_INVALID_KERNEL)
; NATIVE: _Z6readerv=1|1
target triple = "spir64-unknown-unknown"
@.name = private constant [7 x i8] c"_ZTS1k\00"
@.empty = private addrspace(1) constant [1 x i8] zeroinitializer
@id = internal addrspace(1) constant { i32 } { i32 7 }
declare void @__specpi_kernel_entry(ptr)
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
define void @entry(ptr byval(i32) align 4 %object) {
  call void @__specpi_kernel_entry(ptr @.name)
  %1 = call i32 @_Z6readerv()
  ret void
}
define i32 @_Z6readerv() {
  %1 = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @.empty to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @id to ptr addrspace(4)), ptr addrspace(4) null)
  ret i32 %1
}
define i32 @_Z5plainv() "llvm.assume"="specpi.external" {
  ret i32 1
}
