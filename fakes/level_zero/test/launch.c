/* Kernels of the fake Level Zero driver: arguments, sizes, queries, launches. */
#include "code.h"

#include "../../../test/support/embed.h"

#include <string.h>

SPECPI_EMBED(code_il, "code.spv")

static ze_module_handle_t module;

static int begin(void **state) {
  code_begin(state);
  module = code_module(code_il_begin, SPECPI_EMBED_SIZE(code_il));
  return 0;
}

static int end(void **state) {
  assert_fine(zeModuleDestroy(module));
  return code_end(state);
}

TEST(a_kernel_gets_its_arguments) {
  ze_kernel_handle_t kernel = code_kernel(module, "add");
  int *out = code_memory(64 * sizeof *out);
  int *in = code_memory(64 * sizeof *in);
  for (int i = 0; i < 64; i++)
    in[i] = i * i;
  const int number = 7;
  code_set(kernel, 0, out);
  code_set(kernel, 1, in);
  code_set(kernel, 2, number);
  code_launch(kernel, 4, 16);
  for (int i = 0; i < 64; i++)
    assert_int_equal(out[i], i * i + 7);
  code_free(out);
  code_free(in);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(kernels_use_pointers_into_device_memory) {
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *memory = NULL;
  assert_fine(zeMemAllocDevice(world.context, &desc, 256, 64, world.device, &memory));
  int values[16];
  for (int i = 0; i < 16; i++)
    values[i] = i;
  assert_fine(
      zeCommandListAppendMemoryCopy(world.list, memory, values, sizeof values, NULL, 0, NULL));
  ze_kernel_handle_t kernel = code_kernel(module, "add");
  const int number = 100;
  int *middle = (int *)memory + 8;
  code_set(kernel, 0, middle);
  code_set(kernel, 1, memory);
  code_set(kernel, 2, number);
  code_launch(kernel, 1, 8);
  assert_fine(
      zeCommandListAppendMemoryCopy(world.list, values, memory, sizeof values, NULL, 0, NULL));
  for (int i = 0; i < 16; i++)
    assert_int_equal(values[i], i < 8 ? i : i - 8 + 100);
  assert_fine(zeKernelDestroy(kernel));
  code_free(memory);
}

typedef struct mixed {
  char a;
  _Alignas(16) int b[4];
  short c[3];
  _Alignas(8) double d;
} mixed;

TEST(structures_and_vectors_arrive_by_value) {
  ze_kernel_handle_t kernel = code_kernel(module, "by_value");
  double *out = code_memory(5 * sizeof *out);
  const mixed value = {.a = 1, .b = {2, 3, 4, 0}, .c = {5, 6, 7}, .d = 0.5};
  const signed char small = -3;
  const float vector[4] = {1, 2, 3, 4};
  code_set(kernel, 0, out);
  assert_ze(zeKernelSetArgumentValue(kernel, 1, sizeof value - 1, &value),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  code_set(kernel, 1, value);
  code_set(kernel, 2, small);
  code_set(kernel, 3, vector);
  code_launch(kernel, 1, 1);
  const double expected[] = {10, 18, 0.5, -3, 10};
  for (int i = 0; i < 5; i++)
    assert_true(out[i] == expected[i]);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(each_group_has_its_own_local_memory) {
  ze_kernel_handle_t kernel = code_kernel(module, "reversed");
  int *out = code_memory(32 * sizeof *out);
  code_set(kernel, 0, out);
  assert_ze(zeKernelSetArgumentValue(kernel, 1, 4, out),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_ze(zeKernelSetArgumentValue(kernel, 1, 0, NULL),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_ze(zeKernelSetArgumentValue(kernel, 1, (32 << 10) + 1, NULL),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_fine(zeKernelSetArgumentValue(kernel, 1, 8 * sizeof *out, NULL));
  code_launch(kernel, 4, 8);
  for (int i = 0; i < 32; i++)
    assert_int_equal(out[i], i / 8 * 8 + 7 - i % 8);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(a_required_group_size_is_set_and_enforced) {
  ze_kernel_handle_t kernel = code_kernel(module, "sized");
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  assert_fine(zeKernelGetProperties(kernel, &properties));
  assert_int_equal(properties.numKernelArgs, 1);
  assert_int_equal(properties.requiredGroupSizeX, 4);
  assert_int_equal(properties.requiredGroupSizeY, 2);
  assert_int_equal(properties.requiredGroupSizeZ, 1);
  assert_ze(zeKernelSetGroupSize(kernel, 2, 4, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  uint32_t x = 0, y = 0, z = 0;
  assert_fine(zeKernelSuggestGroupSize(kernel, 8, 4, 1, &x, &y, &z));
  assert_true(x == 4 && y == 2 && z == 1);
  int *out = code_memory(32 * sizeof *out);
  code_set(kernel, 0, out);
  /* The required group size is set from the start. */
  const ze_group_count_t groups = {2, 2, 1};
  assert_fine(zeCommandListAppendLaunchKernel(world.list, kernel, &groups, NULL, 0, NULL));
  for (int i = 0; i < 32; i++)
    assert_int_equal(out[i], i % 8 / 4 * 100 + i / 8 / 2 * 10 + i / 8 % 2);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(wrong_or_missing_group_sizes_are_refused) {
  ze_kernel_handle_t kernel = code_kernel(module, "add");
  assert_ze(zeKernelSetGroupSize(kernel, 0, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_ze(zeKernelSetGroupSize(kernel, 1025, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_ze(zeKernelSetGroupSize(kernel, 32, 32, 2), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  uint32_t x = 0, y = 0, z = 0;
  assert_fine(zeKernelSuggestGroupSize(kernel, 4096, 6, 1, &x, &y, &z));
  assert_true(x == 1024 && y == 1 && z == 1);
  assert_fine(zeKernelSuggestGroupSize(kernel, 10, 7, 3, &x, &y, &z));
  assert_true(x == 10 && y == 7 && z == 3);
  assert_fine(zeKernelSuggestGroupSize(kernel, 1031, 1, 1, &x, &y, &z)); /* a prime */
  assert_true(x == 1 && y == 1 && z == 1);
  assert_ze(zeKernelSuggestGroupSize(kernel, 0, 1, 1, &x, &y, &z),
            ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
  /* A launch without a group size is refused. */
  const ze_group_count_t groups = {1, 1, 1};
  assert_ze(zeCommandListAppendLaunchKernel(world.list, kernel, &groups, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_fine(zeKernelSetGroupSize(kernel, 1, 1, 1));
  assert_ze(zeCommandListAppendLaunchKernel(world.list, kernel, &groups, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT); /* arguments are not set */
  assert_fine(zeKernelDestroy(kernel));
}

TEST(global_ids_begin_at_the_offset) {
  ze_kernel_handle_t kernel = code_kernel(module, "place");
  int *out = code_memory(8 * sizeof *out);
  code_set(kernel, 0, out);
  assert_fine(zeKernelSetGlobalOffsetExp(kernel, 50, 0, 0));
  code_launch(kernel, 2, 4);
  for (int i = 0; i < 8; i++)
    assert_int_equal(out[i], 50 + i);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(wrong_arguments_are_refused) {
  ze_kernel_handle_t kernel = code_kernel(module, "add");
  int *out = code_memory(64);
  int here = 1;
  int *const stack = &here;
  assert_ze(zeKernelSetArgumentValue(kernel, 3, 4, &here),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  assert_ze(zeKernelSetArgumentValue(kernel, 2, 8, out),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_ze(zeKernelSetArgumentValue(kernel, 0, 4, &out),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  /* Memory that is not from a driver. */
  assert_ze(zeKernelSetArgumentValue(kernel, 0, sizeof stack, &stack),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  code_set(kernel, 0, out);
  code_set(kernel, 1, out);
  code_set(kernel, 2, here);
  code_free(out); /* the launch finds out that this argument is freed */
  assert_fine(zeKernelSetGroupSize(kernel, 1, 1, 1));
  const ze_group_count_t groups = {1, 1, 1};
  assert_ze(zeCommandListAppendLaunchKernel(world.list, kernel, &groups, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(null_pointers_arrive_as_null) {
  ze_kernel_handle_t kernel = code_kernel(module, "is_null");
  int *out = code_memory(sizeof *out);
  int *const nothing = NULL;
  code_set(kernel, 0, out);
  assert_fine(zeKernelSetArgumentValue(kernel, 1, sizeof nothing, NULL));
  code_launch(kernel, 1, 1);
  assert_int_equal(*out, 1);
  *out = 0;
  code_set(kernel, 1, nothing);
  code_launch(kernel, 1, 1);
  assert_int_equal(*out, 1);
  code_set(kernel, 1, out);
  code_launch(kernel, 1, 1);
  assert_int_equal(*out, 0);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(kernels_reach_memory_through_pointers) {
  ze_kernel_handle_t kernel = code_kernel(module, "through");
  int *out = code_memory(4 * sizeof *out);
  int **holder = code_memory(sizeof *holder);
  *holder = out;
  code_set(kernel, 0, holder);
  assert_fine(zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED));
  ze_kernel_indirect_access_flags_t flags = 0;
  assert_fine(zeKernelGetIndirectAccess(kernel, &flags));
  assert_int_equal(flags, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
  assert_ze(zeKernelSetIndirectAccess(kernel, 8), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  code_launch(kernel, 4, 1);
  for (int i = 0; i < 4; i++)
    assert_int_equal(out[i], 7);
  code_free(out);
  code_free(holder);
  assert_fine(zeKernelDestroy(kernel));
}

/* A list keeps the kernel's state from the append, and can be executed several times. */
TEST(a_list_keeps_the_arguments_of_its_append) {
  const ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  const ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_list_handle_t list = NULL;
  ze_command_queue_handle_t queue = NULL;
  assert_fine(zeCommandListCreate(world.context, world.device, &list_desc, &list));
  assert_fine(zeCommandQueueCreate(world.context, world.device, &queue_desc, &queue));
  ze_kernel_handle_t kernel = code_kernel(module, "add");
  int *memory = code_memory(4 * sizeof *memory);
  int *second = memory + 1;
  int number = 1;
  const ze_group_count_t groups = {1, 1, 1};
  assert_fine(zeKernelSetGroupSize(kernel, 1, 1, 1));
  code_set(kernel, 0, memory);
  code_set(kernel, 1, memory);
  code_set(kernel, 2, number);
  assert_fine(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  number = 10;
  code_set(kernel, 0, second);
  code_set(kernel, 1, second);
  code_set(kernel, 2, number);
  assert_fine(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  assert_fine(zeCommandListClose(list));
  for (int i = 1; i <= 3; i++) {
    assert_fine(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_fine(zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_int_equal(memory[0], i);
    assert_int_equal(memory[1], 10 * i);
  }
  assert_fine(zeCommandListDestroy(list));
  assert_fine(zeCommandQueueDestroy(queue));
  code_free(memory);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(indirect_launches_read_their_sizes_from_memory) {
  ze_kernel_handle_t kernels[2] = {code_kernel(module, "place"), code_kernel(module, "place")};
  int *out = code_memory(8 * sizeof *out);
  int *half = out + 4;
  ze_group_count_t *groups = code_memory(2 * sizeof *groups);
  uint32_t *count = code_memory(sizeof *count);
  groups[0] = (ze_group_count_t){2, 1, 1};
  groups[1] = (ze_group_count_t){4, 1, 1};
  for (int i = 0; i < 2; i++) {
    assert_fine(zeKernelSetGroupSize(kernels[i], 1, 1, 1));
    assert_fine(zeKernelSetGlobalOffsetExp(kernels[i], 10, 0, 0));
  }
  code_set(kernels[0], 0, out);
  code_set(kernels[1], 0, half);
  assert_fine(
      zeCommandListAppendLaunchKernelIndirect(world.list, kernels[0], groups, NULL, 0, NULL));
  assert_true(out[1] == 11 && out[2] == 0);
  memset(out, 0, 8 * sizeof *out);
  *count = 2;
  assert_fine(zeCommandListAppendLaunchMultipleKernelsIndirect(world.list, 2, kernels, count,
                                                               groups, NULL, 0, NULL));
  assert_true(out[1] == 11 && out[2] == 0 && out[7] == 13);
  assert_ze(zeCommandListAppendLaunchKernelIndirect(world.list, kernels[0], NULL, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  code_free(out);
  code_free(groups);
  code_free(count);
  assert_fine(zeKernelDestroy(kernels[0]));
  assert_fine(zeKernelDestroy(kernels[1]));
}

TEST(groups_of_a_cooperative_launch_meet) {
  ze_kernel_handle_t kernel = code_kernel(module, "meet");
  int *arrived = code_memory(sizeof *arrived);
  uint32_t most = 0;
  assert_ze(zeKernelSuggestMaxCooperativeGroupCount(kernel, &most),
            ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_fine(zeKernelSetGroupSize(kernel, 1, 1, 1));
  assert_fine(zeKernelSuggestMaxCooperativeGroupCount(kernel, &most));
  assert_true(most != 0);
  int *out = code_memory(most * sizeof *out);
  code_set(kernel, 0, arrived);
  code_set(kernel, 1, out);
  code_set(kernel, 2, most);
  ze_group_count_t groups = {most + 1, 1, 1};
  assert_ze(zeCommandListAppendLaunchCooperativeKernel(world.list, kernel, &groups, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  groups.groupCountX = most;
  assert_fine(
      zeCommandListAppendLaunchCooperativeKernel(world.list, kernel, &groups, NULL, 0, NULL));
  for (uint32_t i = 0; i < most; i++)
    assert_int_equal(out[i], 1);
  code_free(out);
  code_free(arrived);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(kernels_report_their_properties) {
  ze_kernel_handle_t kernel = code_kernel(module, "sized");
  char name[16];
  size_t size = 0;
  assert_fine(zeKernelGetName(kernel, &size, NULL));
  assert_int_equal(size, sizeof "sized");
  size = 3;
  assert_ze(zeKernelGetName(kernel, &size, name), ZE_RESULT_ERROR_INVALID_SIZE);
  size = sizeof name;
  assert_fine(zeKernelGetName(kernel, &size, name));
  assert_string_equal(name, "sized");
  uint32_t length = 0;
  char *attributes = NULL;
  assert_fine(zeKernelGetSourceAttributes(kernel, &length, &attributes));
  assert_int_equal(strlen(attributes) + 1, length);
  ze_kernel_preferred_group_size_properties_t preferred = {
      .stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES};
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES,
                                       .pNext = &preferred};
  assert_fine(zeKernelGetProperties(kernel, &properties));
  assert_true(preferred.preferredMultiple != 0);
  assert_true(properties.maxSubgroupSize != 0 && properties.maxNumSubgroups != 0);
  assert_fine(zeKernelSetCacheConfig(kernel, ZE_CACHE_CONFIG_FLAG_LARGE_SLM));
  assert_fine(zeKernelDestroy(kernel));
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "absent"};
  assert_ze(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
}

int main(void) {
  return tests_run(begin, end);
}
