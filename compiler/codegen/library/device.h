/*
 * Common declarations of the device library. It is written in OpenCL C for spir64;
 * specpi-codegen-library maps its bitcode to nvptx64, with the function names that modules from
 * SPIR-V call. The sources call LLVM's NVPTX intrinsics by name. system.ll has the functions that
 * OpenCL C cannot express.
 */
#ifndef LIBRARY_DEVICE_H
#define LIBRARY_DEVICE_H

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define API __attribute__((overloadable))
/* The optimiser neither moves calls of such functions into branches nor duplicates them. */
#define CONVERGENT __attribute__((convergent))

/* X(type): the numbers of OpenCL C. */
#define INTEGERS(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)
#define FLOATS(X) X(half) X(float) X(double)
#define NUMBERS(X) INTEGERS(X) FLOATS(X)

/*
 * Number of elements of a vector type with the suffix n; n is empty for a scalar. sizeof would
 * count four elements in a vector of three; the fourth is undefined, and no branch may depend on
 * it.
 */
#define ELEMENTS(n) ELEMENTS_##n
#define ELEMENTS_ 1
#define ELEMENTS_2 2
#define ELEMENTS_3 3
#define ELEMENTS_4 4
#define ELEMENTS_8 8
#define ELEMENTS_16 16

uint thread_x(void) __asm("llvm.nvvm.read.ptx.sreg.tid.x");
uint thread_y(void) __asm("llvm.nvvm.read.ptx.sreg.tid.y");
uint thread_z(void) __asm("llvm.nvvm.read.ptx.sreg.tid.z");
uint threads_x(void) __asm("llvm.nvvm.read.ptx.sreg.ntid.x");
uint threads_y(void) __asm("llvm.nvvm.read.ptx.sreg.ntid.y");
uint threads_z(void) __asm("llvm.nvvm.read.ptx.sreg.ntid.z");
uint group_x(void) __asm("llvm.nvvm.read.ptx.sreg.ctaid.x");
uint group_y(void) __asm("llvm.nvvm.read.ptx.sreg.ctaid.y");
uint group_z(void) __asm("llvm.nvvm.read.ptx.sreg.ctaid.z");
uint groups_x(void) __asm("llvm.nvvm.read.ptx.sreg.nctaid.x");
uint groups_y(void) __asm("llvm.nvvm.read.ptx.sreg.nctaid.y");
uint groups_z(void) __asm("llvm.nvvm.read.ptx.sreg.nctaid.z");
CONVERGENT void wait_in_whole_warps(void) __asm("llvm.nvvm.barrier0");
CONVERGENT void wait_for_barrier(uint number) __asm("llvm.nvvm.barrier.sync");
CONVERGENT void wait_for_warp(uint lanes) __asm("llvm.nvvm.bar.warp.sync");
void fence_group(void) __asm("llvm.nvvm.membar.cta");
void fence_device(void) __asm("llvm.nvvm.membar.gl");
void fence_system(void) __asm("llvm.nvvm.membar.sys");

/* Returns the number of work-items in a full sub-group, which the kernel sets: 8, 16 or 32. */
uint __specpi_sub_group_size(void);

static inline uint linear_id(void) {
  return (thread_z() * threads_y() + thread_y()) * threads_x() + thread_x();
}
static inline uint linear_size(void) {
  return threads_x() * threads_y() * threads_z();
}

/*
 * PTX's aligned barrier requires that all lanes of a warp run together. They may not if the warp
 * holds several sub-groups, because a vote or shuffle synchronises each sub-group separately.
 */
CONVERGENT static inline void wait_for_group(void) {
  if (__specpi_sub_group_size() == 32)
    wait_in_whole_warps();
  else
    wait_for_barrier(0);
}

/* Acquire-release fences; specpi-codegen defines them for the GPU (fences.c). */
void __specpi_fence_group(void);
void __specpi_fence_device(void);
void __specpi_fence_system(void);

/* Orders memory accesses as the order says, as seen by the work-items of the scope. */
static inline void fence(memory_order order, memory_scope scope) {
  const bool is_total = order == memory_order_seq_cst;
  if (order == memory_order_relaxed || scope == memory_scope_work_item)
    return;
  if (scope == memory_scope_all_svm_devices)
    is_total ? fence_system() : __specpi_fence_system();
  else if (scope == memory_scope_device)
    is_total ? fence_device() : __specpi_fence_device();
  else
    is_total ? fence_group() : __specpi_fence_group();
}

#endif
