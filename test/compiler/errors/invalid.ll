; RUN: not %lower %s 2>&1 | FileCheck %s
; RUN: not %lower %t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT
; CHECK: error: {{.*}}invalid.ll: {{.*}}Instruction does not dominate all uses!{{.*}} (SPECPI_COMPILER_ERROR_INVALID_MODULE)
; ABSENT: error: {{.*}}.absent: No such file or directory (SPECPI_COMPILER_ERROR_FILE)
define i32 @k() {
  %a = add i32 %b, 1
  %b = add i32 1, 1
  ret i32 %a
}
