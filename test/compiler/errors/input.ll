; RUN: not %lower %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}}input.ll: {{.*}}expected type{{.*}} (SPECPI_COMPILER_ERROR_INVALID_MODULE)
define nothing
