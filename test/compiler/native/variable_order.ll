; SPIR-V requires a function's variables before all other code. Clang's optimizer puts casts between them.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: define spir_kernel void @k
; CHECK-NEXT: %a = alloca i64, align 8
; CHECK-NEXT: %1 = alloca i64, align 4
; CHECK-NEXT: %c = alloca [2 x i32], align 4
; CHECK-NEXT: %cast = bitcast {{i64\*|ptr}} %a to {{i32\*|ptr}}
; CHECK-NEXT: %other = bitcast {{i64\*|ptr}} %1 to {{i32\*|ptr}}
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %a = alloca i64, align 8
  %cast = bitcast i64* %a to i32*
  %1 = alloca i64, align 4
  %other = bitcast i64* %1 to i32*
  store i32 1, i32* %cast
  store i32 2, i32* %other
  %c = alloca [2 x i32], align 4
  %first = getelementptr [2 x i32], [2 x i32]* %c, i64 0, i64 0
  store i32 3, i32* %first
  %v = load i32, i32* %first
  store i32 %v, i32 addrspace(1)* %p
  ret void
}
