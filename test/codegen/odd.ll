; Integers of 48 bits, which LLVM uses to copy small structures. SPIR-V needs the capability
; ArbitraryPrecisionIntegersINTEL for them. The sum is truncated to 48 bits.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

define spir_kernel void @odd(i64 addrspace(1)* %out, i64 addrspace(1)* %in) {
  %at = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr i64, i64 addrspace(1)* %in, i64 %at
  %whole = load i64, i64 addrspace(1)* %from
  %narrow = trunc i64 %whole to i48
  %sum = add i48 %narrow, %narrow
  %wide = zext i48 %sum to i64
  %to = getelementptr i64, i64 addrspace(1)* %out, i64 %at
  store i64 %wide, i64 addrspace(1)* %to
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
