/*
 * Kernels and launches: arguments of every kind, which a release sets one by one or passes with the
 * launch; launch properties; sizes; queries of kernels; bad input.
 */
#include "run.h"

#include <pthread.h>
#include <string.h>

/* ---- Arguments ---- */

typedef struct record {
  int32_t number;
  char letter;
  int64_t large;
} record;

TEST(values_of_every_type_arrive) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "values");
  const int8_t c = -1;
  const uint8_t uc = 200;
  const int16_t s = -3;
  const uint16_t us = 60000;
  const int32_t i = -5, v[4] = {1, 2, 3, 4};
  const uint32_t ui = 4000000000u;
  const int64_t l = -7;
  const float f = 1.0f;
  const record r = {9, 'x', 1234567890123};
  int64_t *out = run_memory(12 * sizeof *out);
  const size_t one = 1;
  const run_argument arguments[] = {
      run_pointer(0, out),          run_value(1, sizeof c, &c),   run_value(2, sizeof uc, &uc),
      run_value(3, sizeof s, &s),   run_value(4, sizeof us, &us), run_value(5, sizeof i, &i),
      run_value(6, sizeof ui, &ui), run_value(7, sizeof l, &l),   run_value(8, sizeof f, &f),
      run_value(9, sizeof v, v),    run_value(10, sizeof r, &r)};
  assert_ok(run_launch(kernel, 1, &one, &one, 11, arguments));
  const int64_t expected[] = {-1, 200,        -3,   60000, -5,  4000000000,
                              -7, 0x3f800000, 4321, 9,     'x', 1234567890123};
  for (int at = 0; at < 12; at++)
    assert_int_equal(out[at], expected[at]);
  run_free(out);
  assert_ok(UR(urKernelRelease)(kernel));
}

/* Passes buffers, and local memory whose size the host chooses. */
TEST(buffers_and_local_memory_are_arguments) {
  enum { ITEMS = 16, GROUP = 4 };
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "group_sum");
  int32_t in[ITEMS], out[ITEMS / GROUP];
  for (int i = 0; i < ITEMS; i++)
    in[i] = i;
  ur_mem_handle_t from = NULL, to = NULL;
  ur_buffer_properties_t properties = {.stype = UR_STRUCTURE_TYPE_BUFFER_PROPERTIES, .pHost = in};
  assert_ok(UR(urMemBufferCreate)(place.context,
                                  UR_MEM_FLAG_READ_ONLY | UR_MEM_FLAG_ALLOC_COPY_HOST_POINTER,
                                  sizeof in, &properties, &from));
  assert_ok(UR(urMemBufferCreate)(place.context, UR_MEM_FLAG_WRITE_ONLY, sizeof out, NULL, &to));
  const size_t items = ITEMS, group = GROUP;
  run_argument arguments[] = {run_memory_object(0, from), run_memory_object(1, to),
                              run_local(2, GROUP * sizeof(int32_t))};
  assert_ok(run_launch(kernel, 1, &items, &group, 3, arguments));
  assert_ok(UR(urEnqueueMemBufferRead)(place.queue, to, true, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 0; i < ITEMS / GROUP; i++)
    assert_int_equal(out[i], 6 + 16 * i);
  const run_argument nothing = run_local(2, 0);
  assert_refused(run_launch(kernel, 1, &items, &group, 1, &nothing), INVALID_KERNEL_ARGUMENT_SIZE,
                 "local memory of 0 bytes");
  assert_ok(UR(urMemRelease)(from));
  assert_ok(UR(urMemRelease)(to));
  assert_ok(UR(urKernelRelease)(kernel));
}

TEST(wrong_arguments_are_refused) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "add");
  const uint64_t number = 0;
  const size_t one = 1;
  const run_argument no_index = run_pointer(3, NULL);
  const run_argument wrong_size = run_value(0, 4, &number);
  const run_argument nothing = run_value(0, 8, NULL);
  run_argument dead = run_memory_object(0, NULL);
  void *released[8] = {NULL};
  dead.value.memObjTuple.hMem = (ur_mem_handle_t)(void *)released;
  assert_refused(run_launch(kernel, 1, &one, NULL, 1, &no_index), INVALID_KERNEL_ARGUMENT_INDEX,
                 "has 3 arguments");
  assert_refused(run_launch(kernel, 1, &one, NULL, 1, &wrong_size), INVALID_KERNEL_ARGUMENT_SIZE,
                 "4 given");
  assert_refused(run_launch(kernel, 1, &one, NULL, 1, &nothing), INVALID_NULL_POINTER, "NULL");
  assert_refused(run_launch(kernel, 1, &one, NULL, 1, &dead), INVALID_MEM_OBJECT,
                 "not a live handle");
  /* A launch that lacks an argument is refused, even if an earlier launch had it. */
  const run_argument some[] = {run_pointer(0, NULL), run_pointer(1, NULL), run_pointer(2, NULL)};
  assert_refused(run_launch(kernel, 1, &one, NULL, 2, some), INVALID_KERNEL_ARGS, "not set: 2");
  const size_t none = 0;
  assert_ok(run_launch(kernel, 1, &none, NULL, 3, some));
  if (HAS(urEnqueueKernelLaunchWithArgsExp)) {
    assert_refused(run_launch(kernel, 1, &none, NULL, 2, some), INVALID_KERNEL_ARGS, "not set: 2");
    assert_refused(run_launch(kernel, 1, &none, NULL, 1, NULL), INVALID_NULL_POINTER,
                   "pArgs is NULL");
    run_argument odd = some[0];
    odd.type = (ur_exp_kernel_arg_type_t)9;
    assert_refused(run_launch(kernel, 1, &none, NULL, 1, &odd), INVALID_ENUMERATION, "0x9");
  }
  if (HAS(urKernelSetArgMemObj)) {
    ur_kernel_arg_mem_obj_properties_t access = {
        .stype = UR_STRUCTURE_TYPE_KERNEL_ARG_MEM_OBJ_PROPERTIES, .memoryAccess = 0x100};
    assert_refused(UR(urKernelSetArgMemObj)(kernel, 0, &access, NULL), INVALID_ENUMERATION,
                   "0x100");
    access.memoryAccess = UR_MEM_FLAG_READ_ONLY | UR_MEM_FLAG_WRITE_ONLY;
    assert_refused(UR(urKernelSetArgMemObj)(kernel, 0, &access, NULL), INVALID_VALUE, "excludes");
  }
  assert_ok(UR(urKernelRelease)(kernel));
}

/* ---- Ranges and properties ---- */

TEST(wrong_ranges_are_refused) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "fixed_group");
  uint32_t *out = run_memory(64 * sizeof *out);
  const run_argument argument = run_pointer(0, out);
  const size_t global[] = {8, 4, 1}, right[] = {4, 2, 1}, wrong[] = {2, 2, 1};
  const size_t huge[] = {SIZE_MAX, SIZE_MAX, 1}, odd[] = {9, 4, 1};
  assert_ok(run_launch(kernel, 2, global, right, 1, &argument));
  assert_int_equal(out[0], 4);
  assert_ok(run_launch(kernel, 2, global, NULL, 1, &argument));
  assert_refused(run_launch(kernel, 2, global, wrong, 1, &argument), INVALID_WORK_GROUP_SIZE,
                 "compiled for work-groups of 4x2x1");
  assert_refused(run_launch(kernel, 2, odd, right, 1, &argument), INVALID_WORK_GROUP_SIZE,
                 "does not divide");
  assert_refused(run_launch(kernel, 2, huge, right, 1, &argument), INVALID_GLOBAL_WIDTH_DIMENSION,
                 "work-items");
  assert_refused(run_launch(kernel, 4, global, right, 1, &argument), INVALID_WORK_DIMENSION,
                 "work_dim is 4");
  assert_refused(run_launch(kernel, 2, NULL, right, 1, &argument), INVALID_NULL_POINTER,
                 "pGlobalWorkSize is NULL");
  run_free(out);
  assert_ok(UR(urKernelRelease)(kernel));
}

/* Enqueues one work-item with a property, in the form of 2025.0, 2025.1 or 2025.3. */
static ur_result_t launch_with(ur_kernel_handle_t kernel, uint32_t id, uint32_t value) {
  const size_t one = 1;
  if (HAS(urEnqueueKernelLaunchCustomExp_2025_0)) {
    ur_exp_launch_property_t_2025_0 property = {.id = (ur_exp_launch_property_id_t)id};
    for (int i = 0; i < 3; i++)
      property.value.clusterDim[i] = value;
    return UR(urEnqueueKernelLaunchCustomExp_2025_0)(place.queue, kernel, 1, &one, &one, 1,
                                                     &property, 0, NULL, NULL);
  }
  if (HAS(urEnqueueKernelLaunchCustomExp)) {
    ur_exp_launch_property_t property = {.id = (ur_exp_launch_property_id_t)id};
    for (int i = 0; i < 3; i++)
      property.value.clusterDim[i] = value;
    return UR(urEnqueueKernelLaunchCustomExp)(place.queue, kernel, 1, NULL, &one, &one, 1,
                                              &property, 0, NULL, NULL);
  }
  ur_kernel_launch_property_t property = {.id = (ur_kernel_launch_property_id_t)id};
  for (int i = 0; i < 3; i++)
    property.value.clusterDim[i] = value;
  return UR(urEnqueueKernelLaunch_2025_3)(place.queue, kernel, 1, NULL, &one, &one, 1, &property, 0,
                                          NULL, NULL);
}

TEST(listed_properties_are_checked) {
  if (SINCE(2026_0))
    return;
  const ur_kernel_handle_t kernel = run_kernel(MODULE_scalars, "value");
  uint64_t *out = run_memory(7 * sizeof *out);
  const run_argument argument = run_pointer(0, out);
  assert_ok(run_set(kernel, 1, &argument));
  assert_ok(launch_with(kernel, UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE, 5));
  assert_ok(launch_with(kernel, UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE, 1));
  assert_ok(launch_with(kernel, UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION, 1));
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_int_equal(out[4], 43);
  assert_refused(launch_with(kernel, UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION, 2),
                 UNSUPPORTED_FEATURE, "2x2x2");
  if (SINCE(2025_1))
    assert_refused(launch_with(kernel, UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY, 64),
                   UNSUPPORTED_FEATURE, "bytes of memory");
  assert_refused(launch_with(kernel, 9, 1), INVALID_ENUMERATION, "0x9");
  run_free(out);
  assert_ok(UR(urKernelRelease)(kernel));
}

TEST(chained_properties_are_checked) {
  if (!SINCE(2026_0))
    return;
  const ur_kernel_handle_t kernel = run_kernel(MODULE_scalars, "value");
  uint64_t *out = run_memory(7 * sizeof *out);
  const run_argument argument = run_pointer(0, out);
  const size_t one = 1;
  ur_kernel_launch_cluster_property_t cluster = {
      .stype = UR_STRUCTURE_TYPE_KERNEL_LAUNCH_CLUSTER_PROPERTY, .clusterDim = {1, 1, 1}};
  ur_kernel_launch_ext_properties_t first = {.stype =
                                                 UR_STRUCTURE_TYPE_KERNEL_LAUNCH_EXT_PROPERTIES,
                                             .pNext = &cluster,
                                             .flags = UR_KERNEL_LAUNCH_FLAG_COOPERATIVE};
#define LAUNCH(local)                                                                              \
  UR(urEnqueueKernelLaunchWithArgsExp)                                                             \
  (place.queue, kernel, 1, NULL, &one, local, 1, &argument, &first, 0, NULL, NULL)
  assert_ok(LAUNCH(&one));
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_int_equal(out[4], 43);
  assert_ok(LAUNCH(NULL));
  cluster.clusterDim[1] = 2;
  assert_refused(LAUNCH(&one), UNSUPPORTED_FEATURE, "1x2x1");
  cluster.stype = UR_STRUCTURE_TYPE_KERNEL_LAUNCH_WORKGROUP_PROPERTY;
  assert_refused(LAUNCH(&one), UNSUPPORTED_FEATURE, "bytes of memory");
  cluster.stype = UR_STRUCTURE_TYPE_IMAGE_DESC;
  assert_refused(LAUNCH(&one), INVALID_ENUMERATION, "no property of a launch");
  first.flags = 0x10;
  assert_refused(LAUNCH(&one), INVALID_ENUMERATION, "0x10");
#undef LAUNCH
  if (HAS(urEnqueueKernelLaunch)) {
    assert_ok(run_set(kernel, 1, &argument));
    assert_ok(
        UR(urEnqueueKernelLaunch)(place.queue, kernel, 1, NULL, &one, NULL, NULL, 0, NULL, NULL));
    assert_ok(UR(urQueueFinish)(place.queue));
  }
  run_free(out);
  assert_ok(UR(urKernelRelease)(kernel));
}

TEST(cooperative_launches_are_limited) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "add");
  const size_t local[] = {32, 2, 1}, none[] = {0, 1, 1};
  uint32_t count = 0;
  if (HAS(urKernelSuggestMaxCooperativeGroupCount)) {
    assert_ok(
        UR(urKernelSuggestMaxCooperativeGroupCount)(kernel, place.device, 2, local, 0, &count));
    assert_refused(
        UR(urKernelSuggestMaxCooperativeGroupCount)(kernel, place.device, 2, none, 0, &count),
        INVALID_WORK_GROUP_SIZE, "local_work_size is 0");
    assert_refused(
        UR(urKernelSuggestMaxCooperativeGroupCount)(kernel, place.device, 4, local, 0, &count),
        INVALID_WORK_DIMENSION, "work_dim is 4");
  } else if (HAS(urKernelSuggestMaxCooperativeGroupCountExp)) {
    assert_ok(
        UR(urKernelSuggestMaxCooperativeGroupCountExp)(kernel, place.device, 2, local, 0, &count));
  } else if (HAS(urKernelSuggestMaxCooperativeGroupCountExp_2025_1)) {
    assert_ok(UR(urKernelSuggestMaxCooperativeGroupCountExp_2025_1)(kernel, 2, local, 0, &count));
  } else {
    assert_ok(UR(urKernelSuggestMaxCooperativeGroupCountExp_2025_0)(kernel, 64, 0, &count));
  }
  assert_true(count > 0);
  assert_ok(UR(urKernelRelease)(kernel));
}

/* Asks without arguments, and with an argument in releases whose query takes arguments. */
TEST(a_required_size_is_suggested) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "fixed_group");
  const size_t global[] = {8, 4, 1};
  size_t local[3] = {7, 7, 7};
  assert_ok(UR(urKernelGetSuggestedLocalWorkSize)(kernel, place.queue, 2, NULL, global, local));
  assert_int_equal(local[0], 4);
  assert_int_equal(local[1], 2);
  assert_int_equal(local[2], 7);
  assert_refused(UR(urKernelGetSuggestedLocalWorkSize)(kernel, place.queue, 2, NULL, NULL, local),
                 INVALID_NULL_POINTER, "pGlobalWorkSize is NULL");
  assert_refused(UR(urKernelGetSuggestedLocalWorkSize)(kernel, place.queue, 0, NULL, global, local),
                 INVALID_WORK_DIMENSION, "work_dim is 0");
  if (HAS(urKernelGetSuggestedLocalWorkSizeWithArgs)) {
    const run_argument argument = run_pointer(0, NULL);
    assert_ok(UR(urKernelGetSuggestedLocalWorkSizeWithArgs)(kernel, place.queue, 2, NULL, global, 1,
                                                            &argument, local));
    assert_int_equal(local[0], 4);
    assert_refused(UR(urKernelGetSuggestedLocalWorkSizeWithArgs)(kernel, place.queue, 2, NULL,
                                                                 global, 1, NULL, local),
                   INVALID_NULL_POINTER, "pArgs is NULL");
  }
  assert_ok(UR(urKernelRelease)(kernel));
}

/* ---- Queries ---- */

TEST(kernels_answer_queries) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "fixed_group");
  char name[32];
  uint32_t number = 0;
  size_t sizes[3] = {0}, size = 0;
  uint64_t bytes = 7;
  assert_ok(UR(urKernelGetInfo)(kernel, UR_KERNEL_INFO_FUNCTION_NAME, sizeof name, name, &size));
  assert_string_equal(name, "fixed_group");
  assert_int_equal(size, 12);
  assert_answer(urKernelGetInfo, kernel, UR_KERNEL_INFO_NUM_ARGS, uint32_t, 1);
  assert_ok(UR(urKernelRetain)(kernel));
  assert_answer(urKernelGetInfo, kernel, UR_KERNEL_INFO_REFERENCE_COUNT, uint32_t, 2);
  assert_ok(UR(urKernelRelease)(kernel));
  assert_ok(UR(urKernelGetInfo)(kernel, UR_KERNEL_INFO_NUM_REGS, 4, &number, NULL));
  assert_refused(UR(urKernelGetInfo)(kernel, UR_KERNEL_INFO_SPILL_MEM_SIZE, 4, &number, NULL),
                 UNSUPPORTED_ENUMERATION, "ur_kernel_info_t");
  assert_refused(UR(urKernelGetInfo)(kernel, UR_KERNEL_INFO_CONTEXT, 4, &number, NULL),
                 INVALID_SIZE, "propSize is 4");
  assert_ok(UR(urKernelGetGroupInfo)(kernel, place.device,
                                     UR_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, sizeof sizes,
                                     sizes, NULL));
  assert_int_equal(sizes[0], 4);
  assert_int_equal(sizes[1], 2);
  assert_ok(UR(urKernelGetGroupInfo)(kernel, place.device, UR_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, 8,
                                     &bytes, NULL));
  assert_int_equal(bytes, 0);
  assert_int_equal(UR(urKernelGetGroupInfo)(kernel, place.device,
                                            UR_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE, sizeof sizes,
                                            sizes, NULL),
                   UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  assert_ok(UR(urKernelGetSubGroupInfo)(
      kernel, place.device, UR_KERNEL_SUB_GROUP_INFO_MAX_SUB_GROUP_SIZE, 4, &number, &size));
  assert_int_equal(number, 32);
  assert_int_equal(size, 4);
  const ur_device_handle_t other = world_device(place.device_count);
  assert_refused(UR(urKernelGetGroupInfo)(kernel, other, UR_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, 8,
                                          &bytes, NULL),
                 INVALID_DEVICE, "not a device of");
  assert_ok(UR(urKernelRelease)(kernel));
}

TEST(kernels_are_created_by_name_or_handle) {
  const ur_program_handle_t program = run_program(MODULE_scalars);
  ur_kernel_handle_t kernel = NULL;
  ur_native_handle_t native = 0;
  assert_refused(UR(urKernelCreate)(program, "value", &kernel), INVALID_PROGRAM_EXECUTABLE,
                 "not built");
  assert_ok(run_build(program, ""));
  assert_refused(UR(urKernelCreate)(program, "none", &kernel), INVALID_KERNEL_NAME, "none");
  assert_refused(UR(urKernelCreate)(program, NULL, &kernel), INVALID_NULL_POINTER, "pKernelName");
  assert_refused(UR(urKernelCreate)(program, "value", NULL), INVALID_NULL_POINTER, "phKernel");
  assert_null(kernel);
  assert_ok(UR(urKernelCreate)(program, "value", &kernel));
  ur_kernel_handle_t again = NULL;
  assert_ok(UR(urKernelGetNativeHandle)(kernel, &native));
  assert_ok(UR(urKernelCreateWithNativeHandle)(native, place.context, program, NULL, &again));
  assert_ok(UR(urKernelRelease)(again));
  assert_ok(UR(urKernelRelease)(kernel));
  assert_ok(UR(urProgramRelease)(program));
}

TEST(exec_info_is_checked) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "indirect");
  const ur_bool_t yes = 1;
  const uint32_t cache = UR_KERNEL_CACHE_CONFIG_LARGE_SLM, none = 9;
  const void *const pointers[] = {&yes, &cache};
#define SET(name, size, value) UR(urKernelSetExecInfo)(kernel, name, size, NULL, value)
  assert_ok(SET(UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS, 1, &yes));
  assert_ok(SET(UR_KERNEL_EXEC_INFO_USM_PTRS, sizeof pointers, pointers));
  assert_ok(SET(UR_KERNEL_EXEC_INFO_CACHE_CONFIG, sizeof cache, &cache));
  assert_refused(SET(UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS, 4, &cache), INVALID_SIZE, "1 byte");
  assert_refused(SET(UR_KERNEL_EXEC_INFO_USM_PTRS, 9, pointers), INVALID_SIZE, "multiple");
  assert_refused(SET(UR_KERNEL_EXEC_INFO_CACHE_CONFIG, sizeof none, &none), INVALID_VALUE, "9");
  assert_refused(SET(UR_KERNEL_EXEC_INFO_USM_PTRS, 8, NULL), INVALID_NULL_POINTER, "pPropValue");
  assert_refused(SET((ur_kernel_exec_info_t)7, 1, &yes), INVALID_ENUMERATION, "0x7");
#undef SET
  assert_ok(UR(urKernelRelease)(kernel));
}

/* ---- One kernel in several threads, in releases whose launches pass arguments ---- */

enum { THREADS = 4, ROUNDS = 200 };
static ur_kernel_handle_t shared_kernel;

static void *launch_often(void *data) {
  uint32_t *const out = data;
  const uint32_t rounds = 1;
  ur_queue_handle_t queue = NULL;
  const size_t one = 1;
  const run_argument arguments[] = {run_pointer(0, out), run_value(1, sizeof rounds, &rounds)};
  ur_result_t result = UR(urQueueCreate)(place.context, place.device, NULL, &queue);
  for (int i = 0; i < ROUNDS && result == UR_RESULT_SUCCESS; i++)
    result = UR(urEnqueueKernelLaunchWithArgsExp)(queue, shared_kernel, 1, NULL, &one, NULL, 2,
                                                  arguments, NULL, 0, NULL, NULL);
  if (result == UR_RESULT_SUCCESS)
    result = UR(urQueueFinish)(queue);
  if (queue)
    UR(urQueueRelease)(queue);
  return result == UR_RESULT_SUCCESS ? NULL : out;
}

/* While a command runs, its event has the host's times, but not yet the device's. */
TEST(the_host_s_times_are_there_early) {
  if (!HAS(urEnqueueKernelLaunchWithArgsExp))
    return;
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "slow");
  const ur_queue_properties_t properties = {.stype = UR_STRUCTURE_TYPE_QUEUE_PROPERTIES,
                                            .flags = UR_QUEUE_FLAG_PROFILING_ENABLE};
  uint32_t *out = run_memory(sizeof *out);
  const uint32_t rounds = 4000000;
  const run_argument arguments[] = {run_pointer(0, out), run_value(1, sizeof rounds, &rounds)};
  const size_t one = 1;
  ur_queue_handle_t queue = NULL;
  ur_event_handle_t event = NULL;
  uint64_t queued = 0, submitted = 0, start = 0, status = 0;
  assert_ok(UR(urQueueCreate)(place.context, place.device, &properties, &queue));
  assert_ok(UR(urEnqueueKernelLaunchWithArgsExp)(queue, kernel, 1, NULL, &one, NULL, 2, arguments,
                                                 NULL, 0, NULL, &event));
  assert_ok(UR(urEventGetProfilingInfo)(event, UR_PROFILING_INFO_COMMAND_QUEUED, 8, &queued, NULL));
  assert_ok(
      UR(urEventGetProfilingInfo)(event, UR_PROFILING_INFO_COMMAND_SUBMIT, 8, &submitted, NULL));
  assert_refused(
      UR(urEventGetProfilingInfo)(event, UR_PROFILING_INFO_COMMAND_START, 8, &start, NULL),
      PROFILING_INFO_NOT_AVAILABLE, "not complete");
  assert_ok(UR(urEventGetInfo)(event, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, 4, &status, NULL));
  assert_int_not_equal(status, UR_EVENT_STATUS_COMPLETE);
  assert_true(queued != 0 && queued <= submitted);
  assert_ok(UR(urQueueFinish)(queue));
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urQueueRelease)(queue));
  run_free(out);
  assert_ok(UR(urKernelRelease)(kernel));
}

TEST(threads_launch_one_kernel) {
  if (!HAS(urEnqueueKernelLaunchWithArgsExp))
    return;
  shared_kernel = run_kernel(MODULE_arguments, "slow");
  uint32_t *outs[THREADS], expected = 0;
  pthread_t ids[THREADS];
  for (int i = 0; i < ROUNDS; i++)
    expected = expected * 1664525u + 1013904223u;
  for (int i = 0; i < THREADS; i++) {
    outs[i] = run_memory(sizeof expected);
    assert_int_equal(pthread_create(&ids[i], NULL, launch_often, outs[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    assert_int_equal(pthread_join(ids[i], &failed), 0);
    assert_null(failed);
    assert_int_equal(*outs[i], expected);
    run_free(outs[i]);
  }
  assert_ok(UR(urKernelRelease)(shared_kernel));
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(run_open, run_close);
}
