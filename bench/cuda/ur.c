/*
 * bench-cuda-ur: compares launches as libsycl makes them, through the CUDA adapter's tables for one
 * release of Unified Runtime, with the driver's own calls. docs/internals/bench.md explains the
 * output.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "../../test/ur/world.h"

#include "../../test/gpu/image.h"
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct adapter_side {
  ur_context_handle_t context;
  ur_queue_handle_t queue;
  ur_program_handle_t program;
  ur_kernel_handle_t kernel;
  int *memory;
  /* The release's functions; NULL for launches that it lacks. */
  urKernelSetArgValue_fn *set_value;
  urKernelSetArgPointer_fn *set_pointer;
  urEnqueueKernelLaunch_2025_0_fn *launch;
  urEnqueueKernelLaunch_2025_3_fn *launch_with_properties;
  urEnqueueKernelLaunchWithArgsExp_fn *launch_with_arguments;
  urEventRelease_fn *release;
} adapter_side;

static void check_adapter(ur_result_t result, const char *call) {
  if (result == UR_RESULT_SUCCESS)
    return;
  const char *message = "";
  int32_t number;
  UR(urAdapterGetLastError)(world_adapter, &message, &number);
  bench_die("%s returned 0x%x: %s", call, (unsigned)result, message);
}
#define CHECK_UR(name, ...) check_adapter(UR(name)(__VA_ARGS__), #name)

static ur_result_t set_arguments(const adapter_side *on) {
  const int number = LAUNCH_NUMBER;
  ur_result_t result = on->set_pointer(on->kernel, 0, NULL, on->memory);
  for (uint32_t i = 1; i < LAUNCH_ARGUMENT_COUNT; i++)
    result |= on->set_value(on->kernel, i, sizeof number, NULL, &number);
  return result;
}

/* Launches as the newest releases do, whose only launch takes the arguments. */
static ur_result_t launch_with_arguments(const adapter_side *on, ur_event_handle_t *event) {
  static const int number = LAUNCH_NUMBER;
  static const size_t one = 1;
  ur_exp_kernel_arg_properties_t arguments[LAUNCH_ARGUMENT_COUNT];
  for (uint32_t i = 0; i < LAUNCH_ARGUMENT_COUNT; i++)
    arguments[i] = (ur_exp_kernel_arg_properties_t){
        .stype = UR_STRUCTURE_TYPE_EXP_KERNEL_ARG_PROPERTIES,
        .type = i == 0 ? UR_EXP_KERNEL_ARG_TYPE_POINTER : UR_EXP_KERNEL_ARG_TYPE_VALUE,
        .index = i,
        .size = i == 0 ? sizeof on->memory : sizeof number};
  arguments[0].value.pointer = on->memory;
  for (uint32_t i = 1; i < LAUNCH_ARGUMENT_COUNT; i++)
    arguments[i].value.value = &number;
  return on->launch_with_arguments(on->queue, on->kernel, 1, NULL, &one, &one,
                                   LAUNCH_ARGUMENT_COUNT, arguments, NULL, 0, NULL, event);
}

static ur_result_t launch_one(const adapter_side *on, ur_event_handle_t *event) {
  static const size_t one = 1;
  if (on->launch_with_arguments)
    return launch_with_arguments(on, event);
  return on->launch ? on->launch(on->queue, on->kernel, 1, NULL, &one, &one, 0, NULL, event)
                    : on->launch_with_properties(on->queue, on->kernel, 1, NULL, &one, &one, 0,
                                                 NULL, 0, NULL, event);
}

static double time_adapter(const void *ours, launch_kind kind) {
  const adapter_side *on = ours;
  ur_result_t result = UR_RESULT_SUCCESS;
  const double start = bench_now();
  for (unsigned i = 0; i < LAUNCH_BURST; i++) {
    ur_event_handle_t event = NULL;
    if (kind == LAUNCH_ARGUMENTS && !on->launch_with_arguments)
      result |= set_arguments(on);
    result |= launch_one(on, kind == LAUNCH_EVENT ? &event : NULL);
    if (kind == LAUNCH_EVENT)
      result |= on->release(event);
  }
  const double time = (bench_now() - start) / LAUNCH_BURST;
  check_adapter(result, "a launch");
  CHECK_UR(urQueueFinish, on->queue);
  return time;
}

static int count_adapter(const void *ours) {
  const adapter_side *on = ours;
  int counted = 0;
  CHECK_UR(urEnqueueUSMMemcpy, on->queue, true, &counted, on->memory, sizeof counted, 0, NULL,
           NULL);
  return counted;
}

static adapter_side open_adapter_side(const char *images) {
  adapter_side on = {.set_value = UR(urKernelSetArgValue),
                     .set_pointer = UR(urKernelSetArgPointer),
                     .launch = UR(urEnqueueKernelLaunch_2025_0),
                     .launch_with_properties = UR(urEnqueueKernelLaunch_2025_3),
                     .launch_with_arguments = UR(urEnqueueKernelLaunchWithArgsExp),
                     .release = UR(urEventRelease)};
  const ur_device_handle_t device = world_device(0);
  const int zero = 0;
  void *memory;
  gpu_image image = gpu_image_read(images, "launch.native.spv");
  on.context = world_context(1);
  CHECK_UR(urQueueCreate, on.context, device, NULL, &on.queue);
  CHECK_UR(urProgramCreateWithIL, on.context, image.text, image.size, NULL, &on.program);
  if (HAS(urProgramBuildExp))
    CHECK_UR(urProgramBuildExp, on.program, 1, (ur_device_handle_t[]){device}, 0, "");
  else
    CHECK_UR(urProgramBuildExp_2025_0, on.program, 1, (ur_device_handle_t[]){device}, "");
  gpu_image_close(&image);
  CHECK_UR(urKernelCreate, on.program, "add", &on.kernel);
  CHECK_UR(urUSMDeviceAlloc, on.context, device, NULL, NULL, sizeof zero, &memory);
  on.memory = memory;
  CHECK_UR(urEnqueueUSMMemcpy, on.queue, true, on.memory, &zero, sizeof zero, 0, NULL, NULL);
  if (!on.launch_with_arguments)
    check_adapter(set_arguments(&on), "urKernelSetArgValue");
  return on;
}

static void close_adapter_side(const adapter_side *on) {
  CHECK_UR(urUSMFree, on->context, on->memory);
  CHECK_UR(urKernelRelease, on->kernel);
  CHECK_UR(urProgramRelease, on->program);
  CHECK_UR(urQueueRelease, on->queue);
  CHECK_UR(urContextRelease, on->context);
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fputs("usage: bench-cuda-ur ADAPTER LOADER IMAGES ROUNDS\n", stderr);
    return 2;
  }
  const unsigned rounds = (unsigned)strtoul(argv[4], NULL, 10);
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  world_open(argc, argv);
  driver_open();
  static const char *const releases[] = {
#define UR_RELEASE(name, text, ...) text,
#include <ur/ur_releases.def>
  };
  printf("Unified Runtime %s, %u rounds, the median of each\n", releases[world.release], rounds);
  const adapter_side on = open_adapter_side(argv[3]);
  json_decref(launch_compare("adapter", argv[3], rounds, &on, time_adapter, count_adapter));
  close_adapter_side(&on);
  driver_close();
  return 0;
}
