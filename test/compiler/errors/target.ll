; RUN: not %lower %s 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not %lower --target=gpu %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %lower --target=spir %S/unknown_name.ll 2>&1 | FileCheck %s --check-prefix=OTHER
; NONE: error: the module has no target triple, and no target is given (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; UNKNOWN: error: the target 'gpu' is not known (SPECPI_COMPILER_ERROR_INVALID_TARGET)
; OTHER: error: the module's target is 'spir64-unknown-unknown', 'spir' is wanted (SPECPI_COMPILER_ERROR_INVALID_TARGET)
define void @k() {
  ret void
}
