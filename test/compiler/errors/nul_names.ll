; A symbol's name with a NUL, possible only in bitcode, is refused: a look-up would use only a part of the name.
; RUN: %lower --mode=default --emit=bc %s -o %t.bc
; RUN: sed 's/_Z8f_xU3AS1U3AS4U3AS4/_Z8f\x00xU3AS1U3AS4U3AS4/' %t.bc > %t.function.bc
; RUN: sed 's/v_x/v\x00x/' %t.bc > %t.variable.bc
; RUN: sed 's/a_x/a\x00x/' %t.bc > %t.alias.bc
; RUN: not %lower --mode=default --target=nvptx64 %t.function.bc 2>&1 | FileCheck %s --check-prefix=FUNCTION
; RUN: not %lower %t.variable.bc 2>&1 | FileCheck %s --check-prefix=VARIABLE
; RUN: not %lower --emit=kernels --unit-id=u %t.alias.bc 2>&1 | FileCheck %s --check-prefix=ALIAS
; RUN: not %lower --mode=default --target=nvptx64 --emit=ptx --library=%t.function.bc %S/../ptx/libclc.ll 2>&1 | FileCheck %s --check-prefix=FUNCTION
; FUNCTION: error: {{.*}}.function.bc: a symbol's name has 21 bytes and a NUL among them, after '_Z8f' (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; VARIABLE: error: {{.*}}.variable.bc: a symbol's name has 3 bytes and a NUL among them, after 'v' (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; ALIAS: error: {{.*}}.alias.bc: a symbol's name has 3 bytes and a NUL among them, after 'a' (SPECPI_COMPILER_ERROR_INVALID_MODULE)
target triple = "spir64-unknown-unknown"
@v_x = addrspace(1) global i32 0
@a_x = alias void (), ptr @g
declare spir_func void @_Z8f_xU3AS1U3AS4U3AS4(ptr addrspace(4))
define void @g() {
  ret void
}
define spir_kernel void @k(ptr addrspace(4) %p) {
  call spir_func void @_Z8f_xU3AS1U3AS4U3AS4(ptr addrspace(4) %p)
  ret void
}
