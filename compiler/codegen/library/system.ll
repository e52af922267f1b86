; Functions for NVPTX that OpenCL C for spir64 cannot express.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

define i32 @__specpi_min(ptr %at, i32 %value) {
  %old = atomicrmw min ptr %at, i32 %value monotonic
  ret i32 %old
}
define i32 @__specpi_umin(ptr %at, i32 %value) {
  %old = atomicrmw umin ptr %at, i32 %value monotonic
  ret i32 %old
}
define i64 @__specpi_min64(ptr %at, i64 %value) {
  %old = atomicrmw min ptr %at, i64 %value monotonic
  ret i64 %old
}
define i64 @__specpi_umin64(ptr %at, i64 %value) {
  %old = atomicrmw umin ptr %at, i64 %value monotonic
  ret i64 %old
}
define i32 @__specpi_max(ptr %at, i32 %value) {
  %old = atomicrmw max ptr %at, i32 %value monotonic
  ret i32 %old
}
define i32 @__specpi_umax(ptr %at, i32 %value) {
  %old = atomicrmw umax ptr %at, i32 %value monotonic
  ret i32 %old
}
define i64 @__specpi_max64(ptr %at, i64 %value) {
  %old = atomicrmw max ptr %at, i64 %value monotonic
  ret i64 %old
}
define i64 @__specpi_umax64(ptr %at, i64 %value) {
  %old = atomicrmw umax ptr %at, i64 %value monotonic
  ret i64 %old
}
define float @__specpi_fadd(ptr %at, float %value) {
  %old = atomicrmw fadd ptr %at, float %value monotonic
  ret float %old
}
define double @__specpi_fadd64(ptr %at, double %value) {
  %old = atomicrmw fadd ptr %at, double %value monotonic
  ret double %old
}

; Atomic operations of the scope "all devices".
define float @__specpi_system_fadd(ptr %at, float %value) {
  %old = call float asm sideeffect "atom.sys.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}"(ptr %at, float %value)
  ret float %old
}
define double @__specpi_system_fadd64(ptr %at, double %value) {
  %old = call double asm sideeffect "atom.sys.add.f64 $0, [$1], $2;", "=d,l,d,~{memory}"(ptr %at, double %value)
  ret double %old
}
define i32 @__specpi_system_add32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_and32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.and.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_or32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.or.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_xor32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.xor.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_exchange32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_min32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.min.s32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_umin32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.min.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_max32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.max.s32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_umax32(ptr %at, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.max.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %at, i32 %value)
  ret i32 %old
}
define i32 @__specpi_system_swap32(ptr %at, i32 %wanted, i32 %value) {
  %old = call i32 asm sideeffect "atom.sys.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}"(ptr %at, i32 %wanted, i32 %value)
  ret i32 %old
}
define i64 @__specpi_system_add64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.add.u64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_and64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.and.b64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_or64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.or.b64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_xor64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.xor.b64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_exchange64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.exch.b64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_min64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.min.s64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_umin64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.min.u64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_max64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.max.s64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_umax64(ptr %at, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.max.u64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %at, i64 %value)
  ret i64 %old
}
define i64 @__specpi_system_swap64(ptr %at, i64 %wanted, i64 %value) {
  %old = call i64 asm sideeffect "atom.sys.cas.b64 $0, [$1], $2, $3;", "=l,l,l,l,~{memory}"(ptr %at, i64 %wanted, i64 %value)
  ret i64 %old
}

; Memory of the work-group's functions: a value for each of up to 32 warps, and the result.
@__specpi_group_values = internal addrspace(3) global [33 x i64] undef
define ptr addrspace(3) @__specpi_group_memory() {
  ret ptr addrspace(3) @__specpi_group_values
}

; Returns the lanes of the warp that are active now.
define i32 @__specpi_active_lanes() convergent {
  %lanes = call i32 asm sideeffect "activemask.b32 $0;", "=r"() convergent
  ret i32 %lanes
}

; Convert the pointers that stand for an image and a sampler: to the address of the image's description,
; and to the sampler's number.
define ptr @__specpi_image(ptr addrspace(1) %image) {
  %place = ptrtoint ptr addrspace(1) %image to i64
  %ret = inttoptr i64 %place to ptr
  ret ptr %ret
}
define i32 @__specpi_sampler(ptr addrspace(1) %sampler) {
  %ret = ptrtoint ptr addrspace(1) %sampler to i32
  ret i32 %ret
}
declare i64 @__specpi_sampler_of(i32)
define ptr addrspace(1) @__translate_sampler_initializer(i32 %rules) {
  %number = call i64 @__specpi_sampler_of(i32 %rules)
  %ret = inttoptr i64 %number to ptr addrspace(1)
  ret ptr addrspace(1) %ret
}
