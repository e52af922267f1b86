; RUN: %lower %S/../native/scalars.ll -o %t.ll
; RUN: not %lower %t.ll 2>&1 | FileCheck %s
; RUN: not %lower --mode=none %s 2>&1 | FileCheck %s --check-prefix=MODE
; CHECK: error: the module has records of constants: it was lowered before (SPECPI_COMPILER_ERROR_CONFLICT)
; MODE: there is no mode 'none'
