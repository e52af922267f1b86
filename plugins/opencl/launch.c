/*
 * Kernel launches. A launch does only the necessary checks and the driver's call. The reason of a
 * failure is found out after the failure.
 */
#include "command_buffer.h"

#include "../../pi/sinks.h"
#include "../checks/launch.h"

#include <string.h>

/* The arguments of a launch. */
typedef struct launch {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_uint dimensions;
  const size_t *offset; /* may be NULL */
  const size_t *global;
  const size_t *local; /* may be NULL */
} launch;

/* A kernel and its limits; SIZE_MAX for a limit that the driver does not report. */
typedef struct launch_facts {
  char kernel[128];
  cl_uint arguments;
  kernel_limits limits;
} launch_facts;

static launch_facts facts_of(const launch *launch) {
  launch_facts facts = {.kernel = "?"};
  kernel_limits *limits = &facts.limits;
  cl_device_id device = NULL;
  cl.GetCommandQueueInfo(launch->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  cl.GetKernelInfo(launch->kernel, CL_KERNEL_FUNCTION_NAME, sizeof facts.kernel, facts.kernel,
                   NULL);
  cl.GetKernelInfo(launch->kernel, CL_KERNEL_NUM_ARGS, sizeof facts.arguments, &facts.arguments,
                   NULL);
  limits->max_items = limits->max_device_items = SIZE_MAX;
  for (int i = 0; i < 3; i++)
    limits->max_group[i] = limits->max_groups[i] = SIZE_MAX;
  if (!device)
    return facts;
  cl.GetKernelWorkGroupInfo(launch->kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                            sizeof limits->required, limits->required, NULL);
  cl.GetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof limits->max_device_items,
                   &limits->max_device_items, NULL);
  limits->max_items = limits->max_device_items;
  cl.GetKernelWorkGroupInfo(launch->kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                            sizeof limits->max_items, &limits->max_items, NULL);
  cl.GetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof limits->max_group,
                   limits->max_group, NULL);
  return facts;
}

/* Makes the error for bad work-groups of a refused launch; PI_SUCCESS if they are right. */
static pi_result explain_groups(const launch *launch, const launch_facts *facts) {
  launch_range range;
  launch_range_set(&range, launch->dimensions, launch->offset, launch->global, launch->local);
  return launch_check_groups(facts->kernel, &facts->limits, &range);
}

/* Makes the error of a failed launch, with the reason that the driver's code does not show. */
__attribute__((cold, noinline)) static pi_result explain_launch(const launch *launch, cl_int code) {
  const pi_result result = cl_result(code, "clEnqueueNDRangeKernel");
  const launch_facts facts = facts_of(launch);
  switch ((int)result) {
  case PI_ERROR_INVALID_WORK_GROUP_SIZE:
  case PI_ERROR_INVALID_WORK_ITEM_SIZE:
    /* For a group that is too large some drivers return one of these codes, some the other. */
    TRY(explain_groups(launch, &facts));
    return result;
  case PI_ERROR_INVALID_KERNEL_ARGS:
    return plugin_error(result, "not all of the %u arguments of kernel %s are set", facts.arguments,
                        facts.kernel);
  case PI_ERROR_INVALID_GLOBAL_WORK_SIZE:
  case PI_ERROR_INVALID_GLOBAL_OFFSET:
    return plugin_error(
        result, "the device cannot launch global_work_size %s with global_work_offset %s",
        text_of_sizes(launch->global, launch->dimensions).text,
        launch->offset ? text_of_sizes(launch->offset, launch->dimensions).text : "NULL");
  }
  return result;
}

static inline pi_result enqueue_launch(const launch *launch, sink *sink) {
  const cl_int code =
      cl.EnqueueNDRangeKernel(launch->queue, launch->kernel, launch->dimensions, launch->offset,
                              launch->global, launch->local, CL_WAIT_LIST_EVENT);
  if (__builtin_expect(code != CL_SUCCESS, 0))
    return explain_launch(launch, code);
  return enqueued(sink, code, "clEnqueueNDRangeKernel");
}

/* Checks that the entries of a launch share; they make `launch` of their arguments. */
#define LAUNCH_ENTRY()                                                                             \
  REQUIRE_QUEUE(queue);                                                                            \
  REQUIRE_KERNEL(kernel);                                                                          \
  REQUIRE_WAIT_LIST();                                                                             \
  TRY(check_launch(work_dim, global_work_offset, global_work_size));                               \
  sink sink = SINK_OF_QUEUE(NDRANGE_KERNEL, false);                                                \
  launch launch = {cl_from_queue(queue), cl_from_kernel(kernel), work_dim,                         \
                   global_work_offset,   global_work_size,       local_work_size}

pi_result piEnqueueKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                const size_t *global_work_offset, const size_t *global_work_size,
                                const size_t *local_work_size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  LAUNCH_ENTRY();
  return enqueue_launch(&launch, &sink);
}

static pi_result replay_launch(const command *command, sink *sink) {
  const launch_command *recorded = &command->launch;
  const launch launch = {cl_from_queue(sink->queue), command->kernel,
                         recorded->dimensions,       recorded->has_offset ? recorded->offset : NULL,
                         recorded->global,           recorded->has_local ? recorded->local : NULL};
  return enqueue_launch(&launch, sink);
}

/* Records the kernel with its current arguments. Memory objects that are arguments must outlive the
 * command buffer. */
pi_result piextCommandBufferNDRangeKernel(pi_ext_command_buffer command_buffer, pi_kernel kernel,
                                          pi_uint32 work_dim, const size_t *global_work_offset,
                                          const size_t *global_work_size,
                                          const size_t *local_work_size,
                                          pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_KERNEL(kernel);
  TRY(check_launch(work_dim, global_work_offset, global_work_size));
  command command = {.replay = replay_launch, .kernel = cl_from_kernel(kernel)};
  launch_command *launch = &command.launch;
  launch->dimensions = work_dim;
  launch->has_offset = global_work_offset != NULL;
  launch->has_local = local_work_size != NULL;
  memcpy(launch->global, global_work_size, work_dim * sizeof(size_t));
  if (global_work_offset)
    memcpy(launch->offset, global_work_offset, work_dim * sizeof(size_t));
  if (local_work_size)
    memcpy(launch->local, local_work_size, work_dim * sizeof(size_t));
  const sink sink = SINK_OF_COMMAND_BUFFER();
  return command_buffer_append(&sink, &command, NULL);
}

/* Counts the work-groups; PI_ERROR_INVALID_WORK_GROUP_SIZE if the local size does not divide the
 * global size. */
static pi_result count_groups(const launch *launch, size_t *count) {
  TRY(launch_check_cooperative_local(launch->local));
  *count = 1;
  for (cl_uint i = 0; i < launch->dimensions; i++) {
    if (launch->local[i] == 0 || launch->global[i] % launch->local[i] != 0)
      return explain_launch(launch, CL_INVALID_WORK_GROUP_SIZE);
    *count *= launch->global[i] / launch->local[i];
  }
  return PI_SUCCESS;
}

/* Values of cl_intel_concurrent_dispatch, which Khronos' headers do not have. */
enum {
  KERNEL_EXEC_INFO_DISPATCH_TYPE = 0x4257,
  KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT = 1,
};

/* Counts the work-groups that can run at the same time, and so may wait for each other. */
static pi_result count_concurrent(const launch *launch, const opencl_extensions *extensions,
                                  size_t *count) {
  TRY(CL_EXTENSION_CALL(extensions, GetKernelMaxConcurrentWorkGroupCount, launch->queue,
                        launch->kernel, launch->dimensions, launch->offset, launch->local, count));
  /*
   * A CPU runs each work-group on one thread to its end. Intel's runtime counts all threads of the
   * machine, even if it may use only some of them; CL_DEVICE_MAX_COMPUTE_UNITS has the right
   * number.
   */
  cl_device_id device;
  cl_device_type type;
  cl_uint units;
  TRY(CL_GET(CommandQueue, launch->queue, CL_QUEUE_DEVICE, &device));
  TRY(CL_GET(Device, device, CL_DEVICE_TYPE, &type));
  TRY(CL_GET(Device, device, CL_DEVICE_MAX_COMPUTE_UNITS, &units));
  if ((type & CL_DEVICE_TYPE_CPU) && units < *count)
    *count = units;
  return PI_SUCCESS;
}

/*
 * All work-groups of a cooperative launch must run at the same time, which for more than one needs
 * cl_intel_concurrent_dispatch. Its mode is a property of the kernel, so it is set on a clone:
 * other threads may launch the kernel at the same time.
 */
pi_result piextEnqueueCooperativeKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                              const size_t *global_work_offset,
                                              const size_t *global_work_size,
                                              const size_t *local_work_size,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list, pi_event *event) {
  LAUNCH_ENTRY();
  size_t groups = 0, concurrent = 0;
  TRY(count_groups(&launch, &groups));
  if (groups <= 1)
    return enqueue_launch(&launch, &sink);

  const opencl_extensions *extensions = opencl_extensions_of_queue(launch.queue);
  if (!extensions->GetKernelMaxConcurrentWorkGroupCount || extensions->version < 210 ||
      !cl.CloneKernel || !cl.SetKernelExecInfo)
    return OPENCL_UNSUPPORTED("a cooperative launch of %zu work-groups needs OpenCL 2.1 and "
                              "cl_intel_concurrent_dispatch, which the OpenCL driver lacks",
                              groups);
  TRY(count_concurrent(&launch, extensions, &concurrent));
  TRY(launch_check_cooperative(groups, concurrent));

  cl_int code = CL_SUCCESS;
  launch.kernel = cl.CloneKernel(launch.kernel, &code);
  TRY(cl_result(code, "clCloneKernel"));
  const cl_uint mode = KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT;
  pi_result result =
      CL_CALL(SetKernelExecInfo, launch.kernel, KERNEL_EXEC_INFO_DISPATCH_TYPE, sizeof mode, &mode);
  if (result == PI_SUCCESS)
    result = enqueue_launch(&launch, &sink);
  cl.ReleaseKernel(launch.kernel);
  return result;
}
