; Code that PTX cannot express is refused with a reason.
; RUN: split-file %s %t
; RUN: not %lower --mode=default --emit=ptx %t/unresolved.ll 2>&1 | FileCheck %s --check-prefix=UNRESOLVED
; UNRESOLVED: error: 3 used and defined neither by the module nor by a library: 'first', '_Z6secondv', 'variable' (SPECPI_COMPILER_ERROR_UNRESOLVED)
; RUN: not %lower --mode=default --emit=ptx %t/called.ll 2>&1 | FileCheck %s --check-prefix=CALLED
; CALLED: error: kernel 'inner' is called or pointed to, which kernels for NVPTX cannot be (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; RUN: not %lower --mode=native --emit=ptx %t/empty.ll 2>&1 | FileCheck %s --check-prefix=NATIVE
; NATIVE: error: an output of mode native has constants of SPIR-V, for which there is no PTX (SPECPI_COMPILER_ERROR_INVALID_ARGUMENT)
; RUN: not %lower --mode=default --emit=ptx %t/spir.ll 2>&1 | FileCheck %s --check-prefix=SPIR
; SPIR: error: PTX is for the target nvptx64, and the output is for 'spir64' (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; RUN: not %lower --mode=patch %t/spir.ll 2>&1 | FileCheck %s --check-prefix=PATCH
; PATCH: error: mode patch is for the target nvptx64, not for 'spir64' (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; RUN: not %lower --mode=patch --target=nvptx64 %t/spir32.ll 2>&1 | FileCheck %s --check-prefix=SPIR32
; SPIR32: error: the module's target is 'spir', 'nvptx64' is wanted (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; RUN: not %lower --mode=default --target=nvptx64 %t/space.ll 2>&1 | FileCheck %s --check-prefix=SPACE
; SPACE: error: the module has pointers of address space 8, which NVPTX has not (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; RUN: not %lower --mode=default --target=nvptx64 %t/alias.ll 2>&1 | FileCheck %s --check-prefix=ALIAS
; ALIAS: error: the module has aliases, which NVPTX has not (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; RUN: not %lower --mode=default --emit=ptx %t/alloca.ll 2>&1 | FileCheck %s --check-prefix=ALLOCA
; ALLOCA: error: function 'k' allocates memory of a size, or as often, as is not known (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; RUN: not %lower --mode=patch --emit=ptx %t/tag.ll 2>&1 | FileCheck %s --check-prefix=TAG
; TAG: error: the assembly has a tag '//specpi:0' that is at no constant's place (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; RUN: not %lower --mode=default --emit=ptx --library=%t/none.bc %t/empty.ll 2>&1 | FileCheck %s --check-prefix=MISSING
; MISSING: error: library '{{.*}}none.bc': No such file or directory (SPECPI_COMPILER_ERROR_FILE)
; RUN: not %lower --mode=default --emit=ptx --library=%s %t/unresolved.ll 2>&1 | FileCheck %s --check-prefix=DAMAGED
; DAMAGED: error: library '{{.*}}refused.ll': {{.*}} (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; RUN: not %lower --mode=default --emit=ptx %t/name.ll 2>&1 | FileCheck %s --check-prefix=NAME
; NAME: error: kernel 'a.b' has a name that PTX cannot have (SPECPI_COMPILER_ERROR_INVALID_MODULE)

;--- unresolved.ll
target triple = "nvptx64-nvidia-cuda"
@variable = external addrspace(1) global i32
@unused = external addrspace(1) global i32
declare void @first()
declare i32 @_Z6secondv()
declare void @third()
declare i32 @vprintf(ptr, ptr)
define void @dead() {
  call void @third()
  ret void
}
define ptx_kernel void @k() {
  call void @first()
  %v = call i32 @_Z6secondv()
  store i32 %v, ptr addrspace(1) @variable
  %w = call i32 @vprintf(ptr null, ptr null)
  ret void
}
;--- called.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @inner() {
  ret void
}
define ptx_kernel void @k() {
  call ptx_kernel void @inner()
  ret void
}
;--- empty.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() {
  ret void
}
;--- spir.ll
target triple = "spir64"
;--- spir32.ll
target triple = "spir"
;--- space.ll
target triple = "spir64"
define spir_kernel void @k(ptr addrspace(8) %p) {
  ret void
}
;--- alias.ll
target triple = "spir64"
@v = addrspace(1) global i32 0
@a = alias i32, ptr addrspace(1) @v
;--- alloca.ll
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.donothing()
define ptx_kernel void @k(i32 %n, ptr addrspace(1) %p) {
  %a = alloca i32, i32 %n
  store volatile i32 1, ptr %a
  ret void
}
;--- tag.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() {
  call void asm sideeffect "//specpi:0", ""()
  ret void
}
;--- name.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @"a.b"() {
  ret void
}
