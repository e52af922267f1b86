/* Launches of the fake CUDA driver. */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct launch_task {
  fake_task task;
  fake_code *code;
  ptx_launch launch;
  unsigned char *parameters;
  fake_memory *workspace; /* for a cooperative launch */
} launch_task;

static char last_fault[sizeof(ptx_log) + 128];
static uint64_t grid_ids;

size_t fake_cuda_fault(char *text, size_t size) {
  fake_lock();
  const int length = snprintf(text, size, "%s", last_fault);
  fake_unlock();
  return (size_t)length;
}

/* Finds the memory at an address, if kernels of the context may use it. */
static bool find_memory(void *user, uint64_t address, ptx_range *ret) {
  const fake_context *context = user;
  fake_lock();
  const fake_memory *memory = fake_memory_at(address);
  const bool found = memory && !memory->coming && fake_memory_reaches(memory, context);
  if (found)
    *ret = (ptx_range){memory->base, memory->base + memory->size, memory->host,
                       fake_memory_takes(memory, context)};
  fake_unlock();
  return found;
}

static bool is_cancelled(void *user) {
  const fake_context *context = user;
  fake_lock();
  const bool ending = context->ending;
  fake_unlock();
  return ending;
}

static CUresult result_of(ptx_status status) {
  switch (status) {
  case PTX_OK:
    return CUDA_SUCCESS;
  case PTX_LAUNCH_ILLEGAL_ADDRESS:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case PTX_LAUNCH_MISALIGNED_ADDRESS:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case PTX_LAUNCH_ILLEGAL_INSTRUCTION:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case PTX_LAUNCH_ASSERT:
    return CUDA_ERROR_ASSERT;
  case PTX_LAUNCH_STACK:
    return CUDA_ERROR_HARDWARE_STACK_ERROR;
  case PTX_LAUNCH_TIMEOUT:
  case PTX_LAUNCH_DEADLOCK:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  case PTX_OUT_OF_RESOURCES:
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  default:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
}

static CUresult run_launch(fake_task *task) {
  const launch_task *self = (launch_task *)task;
  ptx_hooks hooks = {.user = task->context, .memory = find_memory, .cancelled = is_cancelled};
  fake_texture_hooks(&hooks);
  ptx_log log = {{0}};
  ptx_launch launch = self->launch;
  fake_lock();
  launch.grid_id = ++grid_ids;
  fake_unlock();
  if (self->workspace)
    memset(self->workspace->host, 0, self->workspace->size);
  const ptx_status status = ptx_run(self->code->program, &launch, &hooks, &log);
  if (status == PTX_OK)
    return CUDA_SUCCESS;
  fake_lock();
  snprintf(last_fault, sizeof last_fault, "%s: %s", self->launch.entry->name, log.text);
  if (fake_trace || fake_is_strict)
    fprintf(stderr, "libcuda for tests: %s\n", last_fault);
  if (fake_is_strict && status != PTX_LAUNCH_TIMEOUT)
    abort();
  fake_unlock();
  return result_of(status);
}

static void end_launch(fake_task *task) {
  launch_task *self = (launch_task *)task;
  if (self->workspace)
    fake_memory_end(self->workspace);
  fake_code_release(self->code);
  free(self->parameters);
}

static CUresult check_extents(const fake_function *function, const fake_launch *launch,
                              const char *caller) {
  static const CUdevice_attribute grids[] = {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
                                             CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
                                             CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z};
  static const CUdevice_attribute blocks[] = {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
                                              CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
                                              CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z};
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    FAKE_REQUIRE(launch->grid[i] != 0 && launch->grid[i] <= (unsigned)fake_attribute(grids[i]),
                 INVALID_VALUE, "%s: a grid of %u * %u * %u blocks", caller, launch->grid[0],
                 launch->grid[1], launch->grid[2]);
    FAKE_REQUIRE(launch->block[i] != 0 && launch->block[i] <= (unsigned)fake_attribute(blocks[i]),
                 INVALID_VALUE, "%s: a block of %u * %u * %u threads", caller, launch->block[0],
                 launch->block[1], launch->block[2]);
    threads *= launch->block[i];
  }
  FAKE_REQUIRE(threads <= (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
               INVALID_VALUE, "%s: a block of %u * %u * %u threads", caller, launch->block[0],
               launch->block[1], launch->block[2]);
  const uint32_t *required = function->entry->reqntid;
  const uint32_t *most = required[0] ? required : function->entry->maxntid;
  for (int i = 0; i < 3 && required[0]; i++)
    FAKE_REQUIRE(launch->block[i] <= required[i], INVALID_VALUE,
                 "%s: '%s' needs blocks of %u * %u * %u threads, and not %u * %u * %u", caller,
                 function->entry->name, required[0], required[1], required[2], launch->block[0],
                 launch->block[1], launch->block[2]);
  FAKE_REQUIRE(!most[0] || threads <= (uint64_t)most[0] * most[1] * most[2], INVALID_VALUE,
               "%s: '%s' takes at most %u * %u * %u threads in a block", caller,
               function->entry->name, most[0], most[1], most[2]);
  FAKE_REQUIRE(threads <= function->most_threads, LAUNCH_OUT_OF_RESOURCES,
               "%s: %llu threads with %u registers each", caller, (unsigned long long)threads,
               function->resources.registers);
  return CUDA_SUCCESS;
}

static CUresult check_size(const fake_function *function, const fake_launch *launch,
                           const char *caller) {
  FAKE_TRY(check_extents(function, launch, caller));
  FAKE_REQUIRE(launch->shared <= function->dynamic_shared, INVALID_VALUE,
               "%s: %u bytes of dynamic shared memory, where '%s' may have %u", caller,
               launch->shared, function->entry->name, function->dynamic_shared);
  const unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
  const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  if (launch->cooperative && blocks > fake_cooperative_blocks(function, threads, launch->shared))
    return fake_deny(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                     "%s: %llu blocks, of which the device runs %u at once", caller,
                     (unsigned long long)blocks,
                     fake_cooperative_blocks(function, threads, launch->shared));
  return CUDA_SUCCESS;
}

/* Copies the parameters passed with CU_LAUNCH_PARAM_BUFFER_POINTER. */
static CUresult copy_extra(const ptx_entry *entry, void **extra, unsigned char *parameters,
                           const char *caller) {
  const void *buffer = NULL;
  size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    FAKE_REQUIRE(extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER ||
                     extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE,
                 INVALID_VALUE, "%s: an unknown word in extra", caller);
    FAKE_REQUIRE(extra[1], INVALID_VALUE, "%s: NULL in extra", caller);
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else
      size = *(const size_t *)extra[1];
  }
  FAKE_REQUIRE(entry->parameter_bytes == 0 || (buffer && size >= entry->parameter_bytes),
               INVALID_VALUE, "%s: %zu bytes of parameters, where '%s' has %u", caller,
               buffer ? size : 0, entry->name, entry->parameter_bytes);
  if (entry->parameter_bytes != 0)
    memcpy(parameters, buffer, entry->parameter_bytes);
  return CUDA_SUCCESS;
}

static CUresult copy_parameters(const ptx_entry *entry, const fake_launch *launch,
                                unsigned char *parameters, const char *caller) {
  FAKE_REQUIRE(!launch->parameters || !launch->extra, INVALID_VALUE, "%s: parameters come twice",
               caller);
  if (launch->extra)
    return copy_extra(entry, launch->extra, parameters, caller);
  FAKE_REQUIRE(launch->parameters || entry->parameter_count == 0, INVALID_VALUE,
               "%s: '%s' has %u parameters, but there are none", caller, entry->name,
               entry->parameter_count);
  for (uint32_t i = 0; i < entry->parameter_count; i++) {
    FAKE_REQUIRE(launch->parameters[i], INVALID_VALUE, "%s: parameter %u of '%s' is NULL", caller,
                 i, entry->name);
    memcpy(parameters + entry->parameters[i].offset, launch->parameters[i],
           entry->parameters[i].size);
  }
  return CUDA_SUCCESS;
}

static CUresult fill_launch(launch_task *task, const fake_function *function,
                            const fake_launch *launch, const char *caller) {
  FAKE_TRY(copy_parameters(function->entry, launch, task->parameters, caller));
  task->launch = (ptx_launch){
      .entry = function->entry,
      .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
      .block = {launch->block[0], launch->block[1], launch->block[2]},
      .dynamic_shared = launch->shared,
      .parameters = task->parameters,
      .cooperative = launch->cooperative,
      .step_limit = fake_environment.steps,
      .multiprocessors = (uint32_t)fake_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
  };
  if (launch->cooperative) {
    FAKE_TRY(fake_memory_new(task->task.context, 4096, true, &task->workspace));
    task->launch.workspace = task->workspace->base;
  }
  return CUDA_SUCCESS;
}

CUresult fake_launch_task(const fake_launch *launch, fake_context *context, const char *caller,
                          fake_task **ret) {
  const fake_function *function = fake_find(launch->function, FAKE_FUNCTION);
  FAKE_REQUIRE(function, INVALID_HANDLE, "%s: no function of a loaded module is %p", caller,
               (void *)launch->function);
  FAKE_REQUIRE(function->head.context == context, INVALID_HANDLE,
               "%s: '%s' and the stream are of different contexts", caller, function->entry->name);
  FAKE_TRY(check_size(function, launch, caller));
  launch_task *task =
      fake_task_new(sizeof *task, CU_GRAPH_NODE_TYPE_KERNEL, context, run_launch, end_launch);
  task->parameters = fake_allocate(function->entry->parameter_bytes);
  task->code = function->module->code;
  task->code->references++;
  const CUresult result = fill_launch(task, function, launch, caller);
  if (result != CUDA_SUCCESS) {
    fake_task_free(task);
    return result;
  }
  *ret = &task->task;
  return CUDA_SUCCESS;
}

const unsigned char *fake_launch_parameters(const fake_task *task) {
  return ((const launch_task *)task)->parameters;
}

static CUresult issue(const fake_launch *launch, CUstream handle, const char *caller) {
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, caller, &stream));
  FAKE_REQUIRE(stream->head.context == fake_current(), INVALID_HANDLE,
               "%s: the stream is of another context than the current one", caller);
  fake_task *task;
  FAKE_TRY(fake_launch_task(launch, stream->head.context, caller, &task));
  fake_issue(stream, task);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream,
                        void **parameters, void **extra) {
  FAKE_ENTER(cuLaunchKernel, CONTEXT);
  const fake_launch launch = {
      function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, parameters, extra,
      false};
  return issue(&launch, stream, "cuLaunchKernel");
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void **parameters) {
  FAKE_ENTER(cuLaunchCooperativeKernel, CONTEXT);
  const fake_launch launch = {
      function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, parameters, NULL,
      true};
  return issue(&launch, stream, "cuLaunchCooperativeKernel");
}
