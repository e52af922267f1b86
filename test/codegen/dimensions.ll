; Reads components of built-in vectors with computed indices of 32 and of 64 bits: four results for each
; number.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"
@__spirv_BuiltInNumWorkgroups = external addrspace(1) constant <3 x i64>
@__spirv_BuiltInLocalInvocationId = external addrspace(1) constant <3 x i64>

define spir_kernel void @dimensions(i64 addrspace(1)* %out, i64 addrspace(1)* %in) {
  %at = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr i64, i64 addrspace(1)* %in, i64 %at
  %wide = load i64, i64 addrspace(1)* %from
  %narrow = trunc i64 %wide to i32
  %groups = load <3 x i64>, <3 x i64> addrspace(1)* @__spirv_BuiltInNumWorkgroups
  %ids = load <3 x i64>, <3 x i64> addrspace(1)* @__spirv_BuiltInLocalInvocationId
  %a = extractelement <3 x i64> %groups, i64 %wide
  %b = extractelement <3 x i64> %groups, i32 %narrow
  %c = extractelement <3 x i64> %ids, i64 %wide
  %place = getelementptr <3 x i64>, <3 x i64> addrspace(1)* @__spirv_BuiltInLocalInvocationId, i64 0, i64 %wide
  %d = load i64, i64 addrspace(1)* %place
  %first = mul i64 %at, 4
  %p = getelementptr i64, i64 addrspace(1)* %out, i64 %first
  store i64 %a, i64 addrspace(1)* %p
  %q = getelementptr i64, i64 addrspace(1)* %p, i64 1
  store i64 %b, i64 addrspace(1)* %q
  %r = getelementptr i64, i64 addrspace(1)* %p, i64 2
  store i64 %c, i64 addrspace(1)* %r
  %s = getelementptr i64, i64 addrspace(1)* %p, i64 3
  store i64 %d, i64 addrspace(1)* %s
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
