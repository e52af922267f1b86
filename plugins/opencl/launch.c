/*
 * Kernel launches. The way of a launch that succeeds has the checks and the driver's call,
 * nothing else; why one failed is found out when it has.
 */
#include "checks.h"

#include "../objects/launch.h"

/* The arguments of a launch. */
typedef struct launch {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_uint dimensions;
  const size_t *offset; /* may be NULL */
  const size_t *global;
  const size_t *local; /* may be NULL */
} launch;

/* What the device and the kernel allow; 0 where the driver does not say. */
typedef struct launch_limits {
  char kernel[128];
  cl_uint arguments;
  size_t kernel_group; /* work-items of one work-group */
  size_t device_group;
  size_t required[3];
  size_t items[3];
} launch_limits;

static launch_limits limits_of(const launch *launch) {
  launch_limits limits = {.kernel = "?"};
  cl_device_id device = NULL;
  cl.GetCommandQueueInfo(launch->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  cl.GetKernelInfo(launch->kernel, CL_KERNEL_FUNCTION_NAME, sizeof limits.kernel, limits.kernel,
                   NULL);
  cl.GetKernelInfo(launch->kernel, CL_KERNEL_NUM_ARGS, sizeof limits.arguments, &limits.arguments,
                   NULL);
  if (!device)
    return limits;
  cl.GetKernelWorkGroupInfo(launch->kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                            sizeof limits.kernel_group, &limits.kernel_group, NULL);
  cl.GetKernelWorkGroupInfo(launch->kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                            sizeof limits.required, limits.required, NULL);
  cl.GetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof limits.device_group,
                   &limits.device_group, NULL);
  cl.GetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof limits.items, limits.items, NULL);
  return limits;
}

/* The sentence about the work-group of a refused launch; false when nothing is wrong with it. */
static bool explain_group(pi_result result, const launch *launch, const launch_limits *limits) {
  const cl_uint dimensions = launch->dimensions;
  const size_t *local = launch->local;
  const bool fixed = limits->required[0] != 0;
  if (fixed && !local) {
    pi_error(result, "kernel %s was compiled for work-groups of %s, local_work_size is NULL",
             limits->kernel, pi_text_of_sizes(limits->required, 3).text);
    return true;
  }
  if (!local)
    return false;

  const pi_sizes_text given = pi_text_of_sizes(local, dimensions);
  size_t group = 1;
  for (cl_uint i = 0; i < dimensions; i++) {
    if (local[i] == 0) {
      pi_error(result, "local_work_size is %s: entry %u is 0", given.text, i);
      return true;
    }
    if (fixed && local[i] != limits->required[i]) {
      pi_error(result, "kernel %s was compiled for work-groups of %s, local_work_size is %s",
               limits->kernel, pi_text_of_sizes(limits->required, 3).text, given.text);
      return true;
    }
    if (limits->items[i] != 0 && local[i] > limits->items[i]) {
      pi_error(result, "local_work_size is %s: entry %u exceeds the device's maximum of %zu",
               given.text, i, limits->items[i]);
      return true;
    }
    if (__builtin_mul_overflow(group, local[i], &group))
      group = SIZE_MAX;
  }
  const size_t most = limits->kernel_group ? limits->kernel_group : limits->device_group;
  if (most != 0 && group > most) {
    pi_error(result,
             "local_work_size is %s = %zu work-items, kernel %s can have %zu on this device, whose "
             "maximum is %zu",
             given.text, group, limits->kernel, most, limits->device_group);
    return true;
  }
  for (cl_uint i = 0; i < dimensions; i++) {
    if (launch->global[i] % local[i] == 0)
      continue;
    pi_error(result, "local_work_size is %s, which does not divide global_work_size %s in entry %u",
             given.text, pi_text_of_sizes(launch->global, dimensions).text, i);
    return true;
  }
  return false;
}

/* The failure of a launch: the driver's code, with what it does not say. */
__attribute__((cold, noinline)) static pi_result explain(const launch *launch, cl_int code) {
  const pi_result result = cl_result(code, "clEnqueueNDRangeKernel");
  const launch_limits limits = limits_of(launch);
  switch ((int)result) {
  case PI_ERROR_INVALID_WORK_GROUP_SIZE:
  case PI_ERROR_INVALID_WORK_ITEM_SIZE:
    explain_group(result, launch, &limits);
    return result;
  case PI_ERROR_INVALID_KERNEL_ARGS:
    return pi_error(result, "not all of the %u arguments of kernel %s are set", limits.arguments,
                    limits.kernel);
  case PI_ERROR_INVALID_GLOBAL_WORK_SIZE:
  case PI_ERROR_INVALID_GLOBAL_OFFSET:
    return pi_error(
        result, "the device cannot launch global_work_size %s with global_work_offset %s",
        pi_text_of_sizes(launch->global, launch->dimensions).text,
        launch->offset ? pi_text_of_sizes(launch->offset, launch->dimensions).text : "NULL");
  }
  return result;
}

static inline pi_result check(const launch *launch, pi_uint32 num_events_in_wait_list,
                              const pi_event *event_wait_list) {
  PI_REQUIRE(launch->queue, PI_ERROR_INVALID_QUEUE, "queue is NULL");
  PI_REQUIRE(launch->kernel, PI_ERROR_INVALID_KERNEL, "kernel is NULL");
  REQUIRE_WAIT_LIST();
  return pi_check_launch(launch->dimensions, launch->offset, launch->global);
}

static inline pi_result enqueue(const launch *launch, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  cl_event made;
  const cl_int code =
      cl.EnqueueNDRangeKernel(launch->queue, launch->kernel, launch->dimensions, launch->offset,
                              launch->global, launch->local, CL_WAIT_LIST_EVENT(&made));
  if (__builtin_expect(code != CL_SUCCESS, 0))
    return explain(launch, code);
  if (event)
    *event = pi_from_cl_event(made);
  return PI_SUCCESS;
}

pi_result piEnqueueKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                const size_t *global_work_offset, const size_t *global_work_size,
                                const size_t *local_work_size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  const launch launch = {cl_from_queue(queue), cl_from_kernel(kernel), work_dim,
                         global_work_offset,   global_work_size,       local_work_size};
  PI_TRY(check(&launch, num_events_in_wait_list, event_wait_list));
  return enqueue(&launch, num_events_in_wait_list, event_wait_list, event);
}

/* The number of work-groups; PI_ERROR_INVALID_WORK_GROUP_SIZE when the sizes make none. */
static pi_result count_groups(const launch *launch, size_t *count) {
  PI_REQUIRE(launch->local, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "a cooperative launch needs a local_work_size, it is NULL");
  size_t groups = 1;
  for (cl_uint i = 0; i < launch->dimensions; i++) {
    if (launch->local[i] == 0 || launch->global[i] % launch->local[i] != 0)
      return explain(launch, CL_INVALID_WORK_GROUP_SIZE);
    if (__builtin_mul_overflow(groups, launch->global[i] / launch->local[i], &groups))
      groups = SIZE_MAX;
  }
  *count = groups;
  return PI_SUCCESS;
}

/* Values of cl_intel_concurrent_dispatch, which Khronos' headers do not have. */
enum {
  KERNEL_EXEC_INFO_DISPATCH_TYPE = 0x4257,
  KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT = 1,
};

/* How many work-groups run at the same time, so that they may wait for each other. */
static pi_result count_concurrent(const launch *launch, const opencl_extensions *extensions,
                                  size_t *count) {
  PI_TRY(cl_result(
      extensions->GetKernelMaxConcurrentWorkGroupCount(
          launch->queue, launch->kernel, launch->dimensions, launch->offset, launch->local, count),
      "clGetKernelMaxConcurrentWorkGroupCountINTEL"));
  /*
   * A CPU runs a work-group on one thread to its end. Intel's runtime counts the machine's
   * threads even where it may use only some of them, which CL_DEVICE_MAX_COMPUTE_UNITS tells.
   */
  cl_device_id device;
  cl_device_type type;
  cl_uint units;
  PI_TRY(cl_result(
      cl.GetCommandQueueInfo(launch->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL),
      "clGetCommandQueueInfo"));
  PI_TRY(cl_result(cl.GetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL),
                   "clGetDeviceInfo"));
  PI_TRY(
      cl_result(cl.GetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL),
                "clGetDeviceInfo"));
  if ((type & CL_DEVICE_TYPE_CPU) && units < *count)
    *count = units;
  return PI_SUCCESS;
}

/*
 * All work-groups of a cooperative launch must run at the same time. One alone always
 * does; several do with cl_intel_concurrent_dispatch. Its mode belongs to the kernel, so
 * it is set on a clone: other threads may launch the kernel meanwhile.
 */
pi_result piextEnqueueCooperativeKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                              const size_t *global_work_offset,
                                              const size_t *global_work_size,
                                              const size_t *local_work_size,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list, pi_event *event) {
  launch launch = {cl_from_queue(queue), cl_from_kernel(kernel), work_dim,
                   global_work_offset,   global_work_size,       local_work_size};
  PI_TRY(check(&launch, num_events_in_wait_list, event_wait_list));
  size_t groups = 0, concurrent = 0;
  PI_TRY(count_groups(&launch, &groups));
  if (groups <= 1)
    return enqueue(&launch, num_events_in_wait_list, event_wait_list, event);

  const opencl_extensions *extensions = opencl_extensions_of_queue(launch.queue);
  if (!extensions->GetKernelMaxConcurrentWorkGroupCount || extensions->version < 210 ||
      !cl.CloneKernel || !cl.SetKernelExecInfo)
    return OPENCL_UNSUPPORTED("a cooperative launch of %zu work-groups needs OpenCL 2.1 and "
                              "cl_intel_concurrent_dispatch, which the OpenCL driver lacks",
                              groups);
  PI_TRY(count_concurrent(&launch, extensions, &concurrent));
  PI_REQUIRE(groups <= concurrent, PI_ERROR_OUT_OF_RESOURCES,
             "a cooperative launch of %zu work-groups, at most %zu run at the same time", groups,
             concurrent);

  cl_int code = CL_SUCCESS;
  launch.kernel = cl.CloneKernel(launch.kernel, &code);
  PI_TRY(cl_result(code, "clCloneKernel"));
  const cl_uint mode = KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT;
  pi_result result = cl_result(
      cl.SetKernelExecInfo(launch.kernel, KERNEL_EXEC_INFO_DISPATCH_TYPE, sizeof mode, &mode),
      "clSetKernelExecInfo");
  if (result == PI_SUCCESS)
    result = enqueue(&launch, num_events_in_wait_list, event_wait_list, event);
  cl.ReleaseKernel(launch.kernel);
  return result;
}
