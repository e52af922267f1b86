/*
 * The library's language: OpenCL C for spir64, of which specpi-codegen-library makes bitcode for
 * nvptx64 with the names that modules from SPIR-V call. LLVM's intrinsics for NVPTX are called by
 * their names; system.ll has the functions that OpenCL C cannot express.
 */
#ifndef LIBRARY_DEVICE_H
#define LIBRARY_DEVICE_H

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define API __attribute__((overloadable))
/* Code between two of these is not moved into branches, nor made two. */
#define CONVERGENT __attribute__((convergent))

/* X(type): the numbers of OpenCL C. */
#define INTEGERS(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)
#define FLOATS(X) X(half) X(float) X(double)
#define NUMBERS(X) INTEGERS(X) FLOATS(X)

/*
 * Number of elements that a type with the number n has, which is empty for no vector. sizeof counts
 * four for three, and the fourth one is undefined: no branch may depend on it.
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

/* Work-items of a sub-group: 8, 16 or 32, which the kernel says. */
uint __specpi_sub_group_size(void);

static inline uint linear_id(void) {
  return (thread_z() * threads_y() + thread_y()) * threads_x() + thread_x();
}
static inline uint linear_size(void) {
  return threads_x() * threads_y() * threads_z();
}

/*
 * PTX's aligned barrier is for warps whose lanes are together. They are not where a warp is of
 * several sub-groups: a vote or a shuffle leaves each of these on its own.
 */
CONVERGENT static inline void wait_for_group(void) {
  if (__specpi_sub_group_size() == 32)
    wait_in_whole_warps();
  else
    wait_for_barrier(0);
}

/* Orders less than all memory, which the GPU may not have apart (fences.c). */
void __specpi_fence_group(void);
void __specpi_fence_device(void);
void __specpi_fence_system(void);

/* Makes what the order is about seen, and sees it, by those of the scope. */
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
