/*
 * Kernels over a driver that records what it is passed (stub.h): arguments, local memory, the
 * checks of a launch. A launch like an earlier one costs no allocation and no call of the driver.
 */
#include "stub.h"

#include "../unit/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT                                                                                       \
  ".version 7.8\n.target sm_80\n.address_size 64\n"                                                \
  ".visible .entry k(.param .u64 a, .param .u32 b, .param .align 16 .b8 c[32], .param .u8 d,"      \
  " .param .u32 e)\n{ ret; }\n"                                                                    \
  ".visible .entry k_with_offset(.param .u64 a, .param .u32 b, .param .align 16 .b8 c[32],"        \
  " .param .u8 d, .param .u32 e, .param .align 4 .b8 o[12])\n{ ret; }\n"                           \
  ".visible .entry empty()\n{ ret; }\n"                                                            \
  ".visible .entry fixed() .reqntid 4, 2\n{ ret; }\n"

static pi_program program;

static int start(void **state) {
  stub_start(state);
  program = stub_built(TEXT, NULL);
  return 0;
}

static int end(void **state) {
  assert_success(piProgramRelease(program));
  return stub_end(state);
}

#define KERNEL_TEST(name) TEST_WITH(name, start, end)

/* A checked launch as the driver gets it. */
typedef struct prepared_launch {
  launch_groups groups;
  bool is_empty;
  CUfunction function;
  size_t shared, asked; /* bytes of local memory: of the arguments, and requested from the driver */
  void **parameters;
} prepared_launch;

static pi_result prepare_in(pi_context context, pi_kernel kernel, pi_uint32 dimensions,
                            const size_t *offset, const size_t *global, const size_t *local,
                            prepared_launch *launch) {
  const sink sink = {.context = context, .device = context->devices[0]};
  kernel_launch made;
  const pi_result result = launch_prepare(&sink, kernel, dimensions, offset, global, local, &made);
  if (result == PI_SUCCESS)
    *launch = (prepared_launch){
        made.groups,          made.range.is_empty,  launch_function(&made)->function,
        kernel->local_memory, launch_shared(&made), launch_parameters(&made)};
  return result;
}

static pi_result prepare(pi_kernel kernel, pi_uint32 dimensions, const size_t *offset,
                         const size_t *global, const size_t *local, prepared_launch *launch) {
  return prepare_in(&stub_context, kernel, dimensions, offset, global, local, launch);
}

KERNEL_TEST(a_launch_needs_every_argument) {
  const pi_kernel kernel = stub_kernel(program, "k");
  const size_t one = 1;
  prepared_launch launch;
  const uint64_t pointer = 0x1122334455667788;
  const pi_uint32 number = 7;
  const uint8_t byte = 9;
  unsigned char large[32];
  memset(large, 0xab, sizeof large);
  assert_failure(prepare(kernel, 1, NULL, &one, NULL, &launch), PI_ERROR_INVALID_KERNEL_ARGS,
                 "5 of the 5 arguments of kernel k are not set: 0, 1, 2, 3, 4");
  /* piKernelSetArg also takes a pi_mem. Eight bytes that are not one count as a number. */
  assert_success(piKernelSetArg(kernel, 0, sizeof pointer, &pointer));
  assert_success(piKernelSetArg(kernel, 2, sizeof large, large));
  assert_success(piKernelSetArg(kernel, 3, sizeof byte, &byte));
  assert_success(piKernelSetArg(kernel, 3, sizeof byte, &byte));
  assert_failure(prepare(kernel, 1, NULL, &one, NULL, &launch), PI_ERROR_INVALID_KERNEL_ARGS,
                 "2 of the 5 arguments of kernel k are not set: 1, 4");
  assert_success(piKernelSetArg(kernel, 1, sizeof number, &number));
  assert_success(piKernelSetArg(kernel, 4, sizeof number, &number));
  assert_success(prepare(kernel, 1, NULL, &one, NULL, &launch));
  assert_memory_equal(launch.parameters[0], &pointer, sizeof pointer);
  assert_memory_equal(launch.parameters[1], &number, sizeof number);
  assert_memory_equal(launch.parameters[2], large, sizeof large);
  assert_memory_equal(launch.parameters[3], &byte, sizeof byte);
  assert_failure(piKernelSetArg(kernel, 5, sizeof number, &number), PI_ERROR_INVALID_ARG_INDEX,
                 "kernel k has 5 arguments, there is none with index 5");
  assert_failure(piKernelSetArg(kernel, 1, 8, &pointer), PI_ERROR_INVALID_ARG_SIZE,
                 "argument 1 of kernel k has 4 bytes, 8 given");
  assert_int_equal(piKernelSetArg(kernel, 0, 8, NULL), PI_ERROR_INVALID_ARG_VALUE);
  assert_int_equal(piKernelSetArg(kernel, 1, 0, NULL), PI_ERROR_INVALID_ARG_SIZE);
  assert_int_equal(piKernelSetArg(kernel, 1, 1 << 30, NULL), PI_ERROR_INVALID_ARG_SIZE);
  assert_int_equal(piextKernelSetArgPointer(kernel, 0, 4, &pointer), PI_ERROR_INVALID_ARG_SIZE);
  assert_int_equal(piextKernelSetArgPointer(kernel, 0, 8, NULL), PI_ERROR_INVALID_VALUE);
  assert_int_equal(piextKernelSetArgMemObj(kernel, 1, NULL, NULL), PI_ERROR_INVALID_ARG_SIZE);
  assert_int_equal(piextKernelSetArgSampler(kernel, 1, NULL), PI_ERROR_INVALID_VALUE);
  /* The other arguments are unchanged; without a memory object the pointer is 0. */
  assert_memory_equal(launch.parameters[0], &pointer, sizeof pointer);
  assert_memory_equal(launch.parameters[1], &number, sizeof number);
  assert_success(piextKernelSetArgMemObj(kernel, 0, NULL, NULL));
  const uint64_t zero = 0;
  assert_memory_equal(launch.parameters[0], &zero, sizeof zero);
  assert_success(piKernelRelease(kernel));
}

/* Each piece of local memory is aligned to its size, rounded up to a power of two of at most 128.
 */
KERNEL_TEST(local_memory_of_arguments_is_packed) {
  const pi_kernel kernel = stub_kernel(program, "k");
  const uint64_t pointer = 0;
  const unsigned char large[32] = {0};
  const size_t one = 1;
  prepared_launch launch;
  pi_uint32 offsets[2];
  assert_success(piKernelSetArg(kernel, 0, sizeof pointer, &pointer));
  assert_success(piKernelSetArg(kernel, 2, sizeof large, large));
  assert_success(piKernelSetArg(kernel, 3, 1, large));
  /* CHECK(bytes of the first, bytes of the second, offset of the second, bytes of both). */
#define CHECK(first, second, at, all)                                                              \
  assert_success(piKernelSetArg(kernel, 4, second, NULL));                                         \
  assert_success(piKernelSetArg(kernel, 1, first, NULL));                                          \
  assert_success(prepare(kernel, 1, NULL, &one, NULL, &launch));                                   \
  memcpy(&offsets[0], launch.parameters[1], sizeof offsets[0]);                                    \
  memcpy(&offsets[1], launch.parameters[4], sizeof offsets[1]);                                    \
  assert_int_equal(offsets[0], 0);                                                                 \
  assert_int_equal(offsets[1], at);                                                                \
  assert_int_equal(launch.shared, all);                                                            \
  assert_int_equal(launch.asked, ((all) + 1023) / 1024 * 1024)
  CHECK(4, 8, 8, 16);
  CHECK(1, 1, 1, 2);
  CHECK(3, 12, 16, 28);
  CHECK(100, 1000, 128, 1128);
  CHECK(48, 6, 48, 54);
#undef CHECK
  /* More than the default limit of a block is requested once. */
  assert_int_equal(stub.set_attributes, 0);
  assert_success(piKernelSetArg(kernel, 4, 100000, NULL));
  assert_success(prepare(kernel, 1, NULL, &one, NULL, &launch));
  assert_success(prepare(kernel, 1, NULL, &one, NULL, &launch));
  assert_int_equal(stub.set_attributes, 1);
  assert_int_equal(stub.set_dynamic, 232448);
  assert_int_equal(launch.asked, 98 * 1024);
  assert_success(piKernelSetArg(kernel, 4, 232448, NULL));
  assert_failure(prepare(kernel, 1, NULL, &one, NULL, &launch), PI_ERROR_OUT_OF_RESOURCES,
                 "kernel k has 0 bytes of local memory of its own and 232576 by its arguments; a "
                 "work-group of the device has up to 232448");
  assert_int_equal(stub.set_attributes, 1);
  assert_success(piKernelSetArg(kernel, 4, 200000, NULL));
  assert_success(prepare(kernel, 1, NULL, &one, &one, &launch));
  assert_int_equal(stub.set_attributes, 1);
  /* Replacing local memory by a value gives that memory back. */
  const pi_uint32 number = 5;
  assert_success(piKernelSetArg(kernel, 4, sizeof number, &number));
  assert_success(prepare(kernel, 1, NULL, &one, NULL, &launch));
  assert_int_equal(launch.shared, 48);
  pi_uint64 bytes = 0;
  assert_success(piKernelGetGroupInfo(kernel, stub_context.devices[0],
                                      PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                                      NULL));
  assert_int_equal(bytes, 48);
  assert_success(piKernelRelease(kernel));
}

/* The kernel's own local memory counts too; the driver may still refuse. */
KERNEL_TEST(the_kernel_s_local_memory_counts) {
  static const char text[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                             ".visible .entry l(.param .u32 a)\n{ ret; }\n";
  const size_t one = 1;
  prepared_launch launch;
  const pi_program local = stub_built(text, NULL);
  stub.static_shared = 1000;
  const pi_kernel kernel = stub_kernel(local, "l");
  stub.static_shared = 0;
  assert_success(piKernelSetArg(kernel, 0, 232448 - 999, NULL));
  assert_failure(prepare(kernel, 1, NULL, &one, NULL, &launch), PI_ERROR_OUT_OF_RESOURCES,
                 "kernel l has 1000 bytes of local memory of its own and 231449 by its arguments; "
                 "a work-group of the device has up to 232448");
  assert_int_equal(stub.set_attributes, 0);
  assert_success(piKernelSetArg(kernel, 0, 232448 - 1000, NULL));
  stub.set_attribute_code = CUDA_ERROR_INVALID_VALUE;
  assert_int_equal(prepare(kernel, 1, NULL, &one, NULL, &launch), PI_ERROR_OUT_OF_RESOURCES);
  stub.set_attribute_code = CUDA_SUCCESS;
  assert_success(prepare(kernel, 1, NULL, &one, NULL, &launch));
  assert_int_equal(stub.set_dynamic, 232448 - 1000);
  assert_success(piKernelRelease(kernel));
  assert_success(piProgramRelease(local));
}

KERNEL_TEST(variables_come_before_arguments) {
  static const char text[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                             ".visible .entry l(.param .u32 a, .param .u32 b)\n{ ret; }\n";
  const size_t one = 1;
  prepared_launch launch;
  pi_uint32 offsets[2];
  pi_uint64 bytes = 0;
  const pi_program local =
      stub_built(text, "//!specpi 1 default 0 0 0 0 1\n//!specpi kernel l - 0 0 0 0 65536\n");
  const pi_kernel kernel = stub_kernel(local, "l");
  assert_success(piKernelSetArg(kernel, 0, 100, NULL));
  assert_success(piKernelSetArg(kernel, 1, 8, NULL));
  assert_success(prepare(kernel, 1, NULL, &one, NULL, &launch));
  memcpy(&offsets[0], launch.parameters[0], sizeof offsets[0]);
  memcpy(&offsets[1], launch.parameters[1], sizeof offsets[1]);
  assert_int_equal(offsets[0], 65536);
  assert_int_equal(offsets[1], 65536 + 104);
  assert_int_equal(launch.shared, 65536 + 112);
  assert_success(piKernelGetGroupInfo(kernel, stub_context.devices[0],
                                      PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                                      NULL));
  assert_int_equal(bytes, 65536 + 112);
  assert_success(piKernelSetArg(kernel, 0, 200000, NULL));
  assert_failure(prepare(kernel, 1, NULL, &one, NULL, &launch), PI_ERROR_OUT_OF_RESOURCES,
                 "kernel l has 65536 bytes of local memory of its own and 200008 by its "
                 "arguments; a work-group of the device has up to 232448");
  assert_success(piKernelRelease(kernel));
  assert_success(piProgramRelease(local));
}

KERNEL_TEST(group_sizes_are_checked) {
  const pi_kernel kernel = stub_kernel(program, "empty");
  prepared_launch launch;
  const size_t global[3] = {64, 8, 6};
  const size_t local[3] = {32, 4, 2};
  assert_success(prepare(kernel, 3, NULL, global, local, &launch));
  assert_int_equal(launch.groups.count[0], 2);
  assert_int_equal(launch.groups.count[1], 2);
  assert_int_equal(launch.groups.count[2], 3);
  assert_int_equal(launch.groups.size[0], 32);
  assert_int_equal(launch.groups.size[1], 4);
  assert_int_equal(launch.groups.size[2], 2);
  assert_false(launch.is_empty);
  assert_success(prepare(kernel, 1, NULL, global, local, &launch));
  assert_int_equal(launch.groups.count[1], 1);
  assert_int_equal(launch.groups.size[2], 1);
#define CHECK(dimensions, code, sentence, g0, g1, g2, l0, l1, l2)                                  \
  do {                                                                                             \
    const size_t bad_global[3] = {g0, g1, g2};                                                     \
    const size_t bad_local[3] = {l0, l1, l2};                                                      \
    assert_failure(prepare(kernel, dimensions, NULL, bad_global, bad_local, &launch), code,        \
                   sentence);                                                                      \
  } while (0)
  CHECK(1, PI_ERROR_INVALID_WORK_GROUP_SIZE, "local_work_size is 0: entry 0 is 0", 8, 1, 1, 0, 1,
        1);
  CHECK(1, PI_ERROR_INVALID_WORK_ITEM_SIZE,
        "local_work_size is 2048: entry 0 exceeds the device's maximum of 1024", 2048, 1, 1, 2048,
        1, 1);
  CHECK(3, PI_ERROR_INVALID_WORK_ITEM_SIZE,
        "local_work_size is 1x1x128: entry 2 exceeds the device's maximum of 64", 1, 1, 128, 1, 1,
        128);
  CHECK(2, PI_ERROR_INVALID_WORK_GROUP_SIZE,
        "local_work_size is 64x32 = 2048 work-items, kernel empty can have 1024 on this device, "
        "whose maximum is 1024",
        64, 32, 1, 64, 32, 1);
  CHECK(2, PI_ERROR_INVALID_WORK_GROUP_SIZE,
        "local_work_size is 8x3, which does not divide global_work_size 16x8 in entry 1: all "
        "work-groups have one size",
        16, 8, 1, 8, 3, 1);
  CHECK(2, PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
        "global_work_size 1x65536 in work-groups of 1x1 has 65536 groups in entry 1, the device's "
        "maximum is 65535",
        1, 65536, 1, 1, 1, 1);
#undef CHECK
  const size_t huge[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
  assert_int_equal(prepare(kernel, 3, NULL, huge, huge, &launch),
                   PI_ERROR_INVALID_GLOBAL_WORK_SIZE);
  /* An empty range does not excuse a wrong local size. */
  const size_t none[3] = {0, 8, 6};
  assert_success(prepare(kernel, 3, NULL, none, local, &launch));
  assert_true(launch.is_empty);
  assert_success(prepare(kernel, 3, NULL, none, NULL, &launch));
  assert_true(launch.is_empty);
  const size_t zeros[3] = {0, 0, 0};
  assert_int_equal(prepare(kernel, 3, NULL, none, zeros, &launch),
                   PI_ERROR_INVALID_WORK_GROUP_SIZE);
  struct pi_context_object other = {.devices = stub_context.devices};
  assert_int_equal(prepare_in(&other, kernel, 1, NULL, global, local, &launch),
                   PI_ERROR_INVALID_CONTEXT);
  assert_success(piKernelRelease(kernel));
}

KERNEL_TEST(a_required_group_size_is_kept) {
  const pi_kernel kernel = stub_kernel(program, "fixed");
  prepared_launch launch;
  const size_t global[2] = {8, 8};
  const size_t right[2] = {4, 2};
  const size_t wrong[2] = {2, 2};
  assert_success(prepare(kernel, 2, NULL, global, right, &launch));
  assert_success(prepare(kernel, 2, NULL, global, NULL, &launch));
  assert_int_equal(launch.groups.size[0], 4);
  assert_int_equal(launch.groups.size[1], 2);
  assert_int_equal(stub.occupancies, 0);
  assert_failure(prepare(kernel, 2, NULL, global, wrong, &launch), PI_ERROR_INVALID_WORK_GROUP_SIZE,
                 "kernel fixed was compiled for work-groups of 4x2x1, local_work_size is 2x2");
  const size_t odd[2] = {6, 8};
  assert_int_equal(prepare(kernel, 2, NULL, odd, NULL, &launch), PI_ERROR_INVALID_WORK_GROUP_SIZE);
  size_t sizes[3] = {0};
  assert_success(piKernelGetGroupInfo(kernel, stub_context.devices[0],
                                      PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, sizeof sizes,
                                      sizes, NULL));
  assert_true(sizes[0] == 4 && sizes[1] == 2 && sizes[2] == 1);
  assert_success(piKernelRelease(kernel));
}

static pi_kernel ready_kernel(void) {
  const pi_kernel kernel = stub_kernel(program, "k");
  const unsigned char zeros[32] = {0};
  static const size_t sizes[5] = {8, 4, 32, 1, 4};
  for (pi_uint32 i = 0; i < 5; i++)
    assert_success(piKernelSetArg(kernel, i, sizes[i], zeros));
  return kernel;
}

KERNEL_TEST(an_offset_takes_the_entry_for_it) {
  const pi_kernel kernel = ready_kernel();
  prepared_launch launch;
  const size_t global[3] = {64, 1, 1};
  const size_t none[3] = {0, 0, 0};
  const size_t some[3] = {5, 0, 7};
  assert_success(prepare(kernel, 3, none, global, NULL, &launch));
  assert_ptr_equal(launch.function, kernel->driver.instances[0].plain.function);
  assert_success(prepare(kernel, 3, some, global, NULL, &launch));
  assert_ptr_equal(launch.function, kernel->driver.instances[0].with_offset.function);
  assert_ptr_not_equal(launch.function, kernel->driver.instances[0].plain.function);
  const unsigned want[3] = {5, 0, 7};
  assert_memory_equal(launch.parameters[5], want, sizeof want);
  assert_ptr_equal(launch.parameters[4], kernel->driver.pointers[4]);
  const size_t large[3] = {(size_t)UINT32_MAX + 1, 0, 0};
  assert_failure(prepare(kernel, 1, large, global, NULL, &launch), PI_ERROR_INVALID_GLOBAL_OFFSET,
                 "global_work_offset is 4294967296, and the driver takes offsets of 32 bits");
  assert_success(piKernelRelease(kernel));
  const pi_kernel without = stub_kernel(program, "empty");
  assert_failure(
      prepare(without, 2, some, global, NULL, &launch), PI_ERROR_INVALID_GLOBAL_OFFSET,
      "global_work_offset is 5x0, and the program has no kernel empty_with_offset, which "
      "a launch with an offset takes");
  assert_success(piKernelRelease(without));
}

#define APART                                                                                      \
  ".version 7.8\n.target sm_80\n.address_size 64\n"                                                \
  ".visible .entry k(.param .u64 a)\n{ mov.b32 %r1, 0x0000002a; //specpi:0\n ret; }\n"
#define APART_OFFSETS                                                                              \
  ".visible .entry k_with_offset(.param .u64 a, .param .align 4 .b8 o[12])\n"                      \
  "{ mov.b32 %r1, 0x0000002a; //specpi:0\n ret; }\n"
#define APART_TRAILER                                                                              \
  "//!specpi 1 patch 1 1 4 2 1\n//!specpi constant c scalar 0 4 1\n//!specpi leaf 0 0 4\n"         \
  "//!specpi bytes 2a000000\n//!specpi place 0 94 4\n//!specpi place 0 212 4\n"                    \
  "//!specpi kernel k - 0 0 0\n//!specpi offsets 123\n"

/*
 * The build leaves out entries for launches with an offset if the trailer keeps them apart. The
 * first launch that needs these entries builds them once, with the build's values.
 */
KERNEL_TEST(entries_for_offsets_are_built_on_demand) {
  const pi_program apart = stub_program(APART APART_OFFSETS, APART_TRAILER);
  const pi_uint32 value = 0x11223344;
  const pi_uint32 later = 5;
  assert_success(piextProgramSetSpecializationConstant(apart, 0, sizeof value, &value));
  assert_success(piProgramBuild(apart, 0, NULL, NULL, NULL, NULL));
  assert_non_null(strstr(stub.text, "0x11223344"));
  assert_int_equal(strlen(stub.text), strlen(APART));
  assert_success(piextProgramSetSpecializationConstant(apart, 0, sizeof later, &later));
  const pi_kernel kernels[2] = {stub_kernel(apart, "k"), stub_kernel(apart, "k")};
  const unsigned loads = stub.loads;
  const void *none = NULL;
  const size_t global[3] = {64, 1, 1};
  const size_t some[3] = {5, 0, 7};
  prepared_launch launch;
  for (int i = 0; i < 2; i++)
    assert_success(piextKernelSetArgPointer(kernels[i], 0, sizeof none, &none));
  assert_success(prepare(kernels[0], 3, NULL, global, NULL, &launch));
  assert_int_equal(stub.loads, loads);
  stub.load_code = CUDA_ERROR_OUT_OF_MEMORY;
  assert_int_equal(prepare(kernels[0], 3, some, global, NULL, &launch), PI_ERROR_OUT_OF_RESOURCES);
  stub.load_code = CUDA_SUCCESS;
  for (int i = 0; i < 4; i++) {
    assert_success(prepare(kernels[i % 2], 3, some, global, NULL, &launch));
    assert_ptr_equal(launch.function, kernels[i % 2]->driver.instances[0].with_offset.function);
    assert_memory_equal(launch.parameters[1], ((const unsigned[]){5, 0, 7}), 12);
  }
  assert_int_equal(stub.loads, loads + 2); /* one of them failed */
  assert_int_equal(stub.modules, 3);       /* one is the other tests' program */
  assert_int_equal(strlen(stub.text), strlen(APART APART_OFFSETS));
  assert_non_null(strstr(strstr(stub.text, "k_with_offset"), "0x11223344"));
  for (int i = 0; i < 2; i++)
    assert_success(piKernelRelease(kernels[i]));
  assert_success(piProgramRelease(apart));
  assert_int_equal(stub.modules, 1);
}

/* The same for kernels adopted by native handle, after another build replaced theirs. */
KERNEL_TEST(adopted_kernels_build_entries_for_offsets) {
  const pi_program apart = stub_program(APART APART_OFFSETS, APART_TRAILER);
  const pi_uint32 value = 0x11223344;
  const pi_uint32 later = 5;
  pi_native_handle module = 0;
  pi_native_handle function = 0;
  pi_program programs[2];
  pi_kernel kernels[2];
  const void *none = NULL;
  const size_t one = 1;
  prepared_launch launch;
  assert_success(piextProgramSetSpecializationConstant(apart, 0, sizeof value, &value));
  assert_success(piProgramBuild(apart, 0, NULL, NULL, NULL, NULL));
  assert_success(piextProgramGetNativeHandle(apart, &module));
  for (int i = 0; i < 2; i++) {
    assert_success(piextProgramCreateWithNativeHandle(module, &stub_context, false, &programs[i]));
    assert_success(piextProgramGetNativeHandle(programs[i], &module));
  }
  kernels[0] = stub_kernel(programs[1], "k");
  assert_success(piextKernelGetNativeHandle(kernels[0], &function));
  /* The program is built again, and released. */
  assert_success(piextProgramSetSpecializationConstant(apart, 0, sizeof later, &later));
  assert_success(piProgramBuild(apart, 0, NULL, NULL, NULL, NULL));
  assert_success(piProgramRelease(apart));
  assert_success(
      piextKernelCreateWithNativeHandle(function, &stub_context, programs[1], false, &kernels[1]));
  for (int i = 0; i < 2; i++) {
    assert_success(piextKernelSetArgPointer(kernels[i], 0, sizeof none, &none));
    assert_success(prepare(kernels[i], 1, &one, &one, NULL, &launch));
    assert_non_null(strstr(strstr(stub.text, "k_with_offset"), "0x11223344"));
    assert_success(piKernelRelease(kernels[i]));
    assert_success(piProgramRelease(programs[i]));
  }
  assert_int_equal(stub.modules, 1);
}

/* Without a local size the plugin chooses one that divides the range, once for each range. */
KERNEL_TEST(a_chosen_group_divides_the_range) {
  const pi_kernel kernel = stub_kernel(program, "empty");
  prepared_launch launch;
  size_t global[3] = {1000, 1, 1};
  assert_success(prepare(kernel, 1, NULL, global, NULL, &launch));
  assert_int_equal(launch.groups.size[0] * launch.groups.count[0], 1000);
  assert_int_equal(launch.groups.size[0], 1000);
  assert_success(prepare(kernel, 1, NULL, global, NULL, &launch));
  assert_int_equal(stub.occupancies, 1);
  global[1] = 65537;
  assert_int_equal(prepare(kernel, 2, NULL, global, NULL, &launch),
                   PI_ERROR_INVALID_GLOBAL_WORK_SIZE);
  assert_success(piKernelRelease(kernel));
}

/* Setting arguments and preparing a repeated launch allocates nothing and calls no driver. */
KERNEL_TEST(a_repeated_launch_allocates_nothing) {
  const pi_kernel kernel = ready_kernel();
  const pi_kernel chosen = stub_kernel(program, "empty");
  const size_t global[3] = {1024, 64, 1};
  const size_t local[3] = {32, 8, 1};
  const size_t offset[3] = {1, 2, 3};
  const pi_uint32 number = 3;
  prepared_launch launch;
  assert_success(prepare(chosen, 2, NULL, global, NULL, &launch));
  assert_success(prepare(kernel, 3, offset, global, local, &launch));
  stub.fail = 1; /* the next driver call would fail */
  memory_watch(0);
  for (int i = 0; i < 100; i++) {
    assert_success(piKernelSetArg(kernel, 1, sizeof number, &number));
    assert_success(piKernelSetArg(kernel, 4, 256, NULL));
    assert_success(prepare(kernel, 3, NULL, global, local, &launch));
    assert_success(prepare(kernel, 3, offset, global, local, &launch));
    assert_success(prepare(chosen, 2, NULL, global, NULL, &launch));
  }
  const memory_use use = memory_unwatch();
  assert_int_equal(use.calls, 0);
  assert_int_equal(stub.fail, 1);
  stub.fail = 0;
  assert_success(piKernelRelease(kernel));
  assert_success(piKernelRelease(chosen));
}

/* ---- The host runs out of memory ---- */

#define EMULATE_TEXT                                                                               \
  ".version 7.8\n.target sm_80\n.address_size 64\n"                                                \
  ".visible .entry e(.param .u64 out, .param .u64 buffer)\n{ ret; }\n"
#define EMULATE_LINES                                                                              \
  "//!specpi 1 emulate 1 1 4 0 1\n//!specpi constant a scalar 0 4 1\n//!specpi leaf 0 0 4\n"       \
  "//!specpi bytes 01000000\n//!specpi kernel e 1 0 0 0\n"

/* Does everything that allocates; returns the first failure's status. */
static pi_result everything(const char *image, size_t size) {
  pi_program made = NULL;
  pi_kernel kernel = NULL;
  size_t binary_size = 0;
  pi_program linked = NULL;
  pi_result result = piProgramCreate(&stub_context, image, size, &made);
  if (result != PI_SUCCESS)
    return result;
  result = piProgramBuild(made, 0, NULL, "-O2", NULL, NULL);
  if (result == PI_SUCCESS)
    result = piKernelCreate(made, "e", &kernel);
  if (result == PI_SUCCESS)
    result = piProgramGetInfo(made, PI_PROGRAM_INFO_BINARY_SIZES, sizeof binary_size, &binary_size,
                              NULL);
  if (result == PI_SUCCESS)
    result = piProgramGetInfo(made, PI_PROGRAM_INFO_KERNEL_NAMES, 0, NULL, &binary_size);
  if (result == PI_SUCCESS)
    result = piProgramCompile(made, 0, NULL, "", 0, NULL, NULL, NULL, NULL);
  if (result == PI_SUCCESS)
    result = piProgramLink(&stub_context, 0, NULL, "", 1, &made, NULL, NULL, &linked);
  if (kernel)
    piKernelRelease(kernel);
  if (linked)
    piProgramRelease(linked);
  piProgramRelease(made);
  return result;
}

KERNEL_TEST(failed_allocations_leak_nothing) {
  size_t size;
  char *image = stub_image(EMULATE_TEXT, EMULATE_LINES, &size);
  for (long n = 0;; n++) {
    memory_watch(n);
    const pi_result result = everything(image, size);
    const memory_use use = memory_unwatch();
    assert_int_equal(use.held, 0);
    if (!use.failed) {
      assert_success(result);
      break;
    }
    /* Only the allocation of a build's log may fail without an error. */
    assert_true(result == PI_SUCCESS || result == PI_ERROR_OUT_OF_HOST_MEMORY ||
                result == PI_ERROR_OUT_OF_RESOURCES);
  }
  free(image);
}
