/*
 * Launches of kernels. A launch has a copy of the kernel's arguments, group size and offset from
 * the time when it was appended. It runs in each execution of the list.
 */
#include "image.h"
#include "kernel.h"

#include <stdlib.h>

/* The value of an argument when the launch was appended. */
typedef struct snapshot {
  fake_argument_kind kind;
  size_t size;
  unsigned char *bytes; /* NULL for local memory */
  cl_mem image;
  cl_sampler sampler;
} snapshot;

typedef struct launch {
  fake_code *code; /* a reference */
  cl_kernel kernel;
  char *name;
  size_t argument_count;
  snapshot *arguments;
  size_t offset[3], group[3];
  ze_group_count_t groups;
  const ze_group_count_t *groups_at; /* memory with the groups, read at its start; or NULL */
} launch;

/* One command: several launches, one after another. */
typedef struct launches {
  uint32_t count;
  const uint32_t *count_at; /* memory with the number of launches, at most count; or NULL */
  launch *all;
} launches;

static cl_int set_argument(cl_kernel kernel, cl_uint index, const snapshot *argument) {
  void *pointer = NULL;
  switch (argument->kind) {
  case FAKE_ARGUMENT_BUFFER:
    memcpy(&pointer, argument->bytes, sizeof pointer);
    return fake_cl.SetKernelArgMemPointer(kernel, index, pointer);
  case FAKE_ARGUMENT_LOCAL:
    return fake_cl.SetKernelArg(kernel, index, argument->size, NULL);
  case FAKE_ARGUMENT_IMAGE:
    return fake_cl.SetKernelArg(kernel, index, sizeof argument->image, &argument->image);
  case FAKE_ARGUMENT_SAMPLER:
    return fake_cl.SetKernelArg(kernel, index, sizeof argument->sampler, &argument->sampler);
  case FAKE_ARGUMENT_VALUE:
    return fake_cl.SetKernelArg(kernel, index, argument->size, argument->bytes);
  }
  return CL_INVALID_ARG_INDEX;
}

/* Runs one launch. The caller holds OpenCL's lock. */
static cl_int execute(const launch *this, const ze_group_count_t *groups) {
  const uint32_t counts[3] = {groups->groupCountX, groups->groupCountY, groups->groupCountZ};
  size_t global[3];
  for (int i = 0; i < 3; i++)
    global[i] = this->group[i] * counts[i];
  if (global[0] == 0 || global[1] == 0 || global[2] == 0)
    return CL_SUCCESS;
  for (size_t i = 0; i < this->argument_count; i++) {
    const cl_int code = set_argument(this->kernel, (cl_uint)i, &this->arguments[i]);
    if (code != CL_SUCCESS)
      return code;
  }
  const cl_int code = fake_cl.EnqueueNDRangeKernel(fake_cl.queue, this->kernel, 3, this->offset,
                                                   global, this->group, 0, NULL, NULL);
  const cl_int end = fake_cl.Finish(fake_cl.queue);
  return code == CL_SUCCESS ? end : code;
}

static ze_result_t run_launch(void *data) {
  const launches *these = data;
  uint32_t count = these->count;
  if (these->count_at)
    memcpy(&count, fake_view(these->count_at), sizeof count);
  if (count > these->count) {
    fake_keep_fault(true, "%u launches in the count buffer, of at most %u", count, these->count);
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++) {
    const launch *this = &these->all[i];
    ze_group_count_t groups = this->groups;
    if (this->groups_at)
      memcpy(&groups, fake_view(this->groups_at), sizeof groups);
    fake_open_memory();
    result = fake_cl_open();
    cl_int code = CL_SUCCESS;
    if (result == ZE_RESULT_SUCCESS) {
      code = execute(this, &groups);
      fake_cl_close();
    }
    fake_close_memory();
    if (code != CL_SUCCESS) {
      result = ZE_RESULT_ERROR_DEVICE_LOST;
      fake_keep_fault(false, "OpenCL does not run \"%s\": %s", this->name, fake_cl_code(code));
    }
  }
  /* While the process ends no launch starts, and that is no failure. */
  return result == ZE_RESULT_ERROR_UNINITIALIZED ? ZE_RESULT_SUCCESS : result;
}

static void end_launch(launch *this) {
  for (size_t i = 0; i < this->argument_count; i++)
    free(this->arguments[i].bytes);
  free(this->arguments);
  free(this->name);
  if (this->code)
    fake_code_release(this->code);
}

static void end_launches(void *data) {
  launches *these = data;
  for (uint32_t i = 0; i < these->count; i++)
    end_launch(&these->all[i]);
  free(these->all);
  free(these);
}

/* The objects that a command uses. */
typedef struct uses {
  fake_object **objects;
  size_t count;
} uses;

static void use_object(uses *these, void *object) {
  these->objects = fake_grow(these->objects, (these->count + 1) * sizeof(fake_object *));
  these->objects[these->count++] = object;
}

static ze_result_t take_argument(const fake_kernel *kernel, uint32_t index, const char *function,
                                 snapshot *ret, uses *these) {
  const fake_kernel_argument *argument = &kernel->arguments[index];
  const fake_argument *declared = &kernel->entry->arguments[index];
  FAKE_REQUIRE(argument->set, INVALID_ARGUMENT, "%s: argument %u of \"%s\" is not set", function,
               index, kernel->entry->name);
  void *pointer = NULL;
  if (argument->bytes && declared->kind != FAKE_ARGUMENT_VALUE)
    memcpy(&pointer, argument->bytes, sizeof pointer);
  cl_mem image = NULL;
  cl_sampler sampler = NULL;
  fake_memory *memory = NULL;
  if (declared->kind == FAKE_ARGUMENT_BUFFER && pointer) {
    FAKE_TRY(fake_memory_check(kernel->head.context, kernel->module->device, pointer, 1, function,
                               &memory));
    FAKE_REQUIRE(memory, INVALID_ARGUMENT, "%s: argument %u of \"%s\" is %p, which was freed",
                 function, index, kernel->entry->name, pointer);
    use_object(these, memory);
  } else if (declared->kind == FAKE_ARGUMENT_IMAGE) {
    fake_image *object = fake_find(pointer, FAKE_IMAGE);
    FAKE_REQUIRE(object, INVALID_ARGUMENT, "%s: argument %u of \"%s\" is no image any more",
                 function, index, kernel->entry->name);
    image = object->memory;
    use_object(these, object);
  } else if (declared->kind == FAKE_ARGUMENT_SAMPLER) {
    fake_sampler *object = fake_find(pointer, FAKE_SAMPLER);
    FAKE_REQUIRE(object, INVALID_ARGUMENT, "%s: argument %u of \"%s\" is no sampler any more",
                 function, index, kernel->entry->name);
    sampler = object->sampler;
    use_object(these, object);
  }
  *ret = (snapshot){.kind = declared->kind,
                    .size = argument->size,
                    .bytes = argument->bytes ? fake_copy(argument->bytes, argument->size) : NULL,
                    .image = image,
                    .sampler = sampler};
  return ZE_RESULT_SUCCESS;
}

/* Checks the conditions of a launch except the arguments. */
static ze_result_t check_kernel(const fake_kernel *kernel, const fake_list *list,
                                const char *function) {
  const fake_device *device = fake_list_device(list);
  FAKE_REQUIRE(kernel->head.context == fake_list_context(list), INVALID_ARGUMENT,
               "%s: \"%s\" is of another context than the list", function, kernel->entry->name);
  FAKE_REQUIRE(device == kernel->module->device || device->root == kernel->module->device,
               INVALID_ARGUMENT, "%s: the module of \"%s\" is of another device than the list",
               function, kernel->entry->name);
  FAKE_REQUIRE(kernel->group[0] != 0, INVALID_GROUP_SIZE_DIMENSION,
               "%s: the group size of \"%s\" is not set", function, kernel->entry->name);
  uint64_t local = kernel->facts.local_memory;
  for (size_t i = 0; i < kernel->entry->argument_count; i++)
    if (kernel->entry->arguments[i].kind == FAKE_ARGUMENT_LOCAL)
      local += kernel->arguments[i].size;
  FAKE_REQUIRE(local <= FAKE_LOCAL_MAX, INVALID_ARGUMENT,
               "%s: \"%s\" has %llu bytes of local memory, of at most %d", function,
               kernel->entry->name, (unsigned long long)local, FAKE_LOCAL_MAX);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t take_kernel(fake_kernel *kernel, const fake_list *list, const char *function,
                               launch *ret, uses *these) {
  FAKE_TRY(check_kernel(kernel, list, function));
  ret->code = kernel->code;
  ret->code->references++;
  ret->kernel = kernel->kernel;
  ret->name = fake_copy(kernel->entry->name, strlen(kernel->entry->name) + 1);
  ret->arguments = fake_allocate(kernel->entry->argument_count * sizeof *ret->arguments);
  for (int i = 0; i < 3; i++) {
    ret->offset[i] = kernel->offset[i];
    ret->group[i] = kernel->group[i];
  }
  use_object(these, kernel);
  use_object(these, kernel->module);
  for (uint32_t i = 0; i < kernel->entry->argument_count; i++) {
    FAKE_TRY(take_argument(kernel, i, function, &ret->arguments[i], these));
    ret->argument_count++;
  }
  return ZE_RESULT_SUCCESS;
}

/* Checks that the device may access a buffer from which a command reads numbers. */
static ze_result_t use_buffer(const fake_list *list, const void *address, size_t size,
                              const char *function, uses *these) {
  fake_memory *memory = NULL;
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "%s: a buffer is NULL", function);
  FAKE_TRY(fake_memory_check(fake_list_context(list), fake_list_device(list), address, size,
                             function, &memory));
  FAKE_REQUIRE(memory, INVALID_ARGUMENT, "%s: %p is memory that is no device's", function, address);
  use_object(these, memory);
  return ZE_RESULT_SUCCESS;
}

/* The parameters of a launch. */
typedef struct request {
  const char *function;
  uint32_t count;
  ze_kernel_handle_t *kernels;
  const ze_group_count_t *groups;    /* for a single launch; NULL if groups_at is set */
  const ze_group_count_t *groups_at; /* array of count elements in device memory */
  const uint32_t *count_at;
  bool cooperative;
} request;

static ze_result_t take_all(const request *asked, const fake_list *list, launches *ret,
                            uses *these) {
  for (uint32_t i = 0; i < asked->count; i++) {
    FAKE_FIND(fake_kernel, kernel, asked->kernels[i], KERNEL);
    launch *this = &ret->all[ret->count++];
    FAKE_TRY(take_kernel(kernel, list, asked->function, this, these));
    if (asked->groups)
      this->groups = *asked->groups;
    else
      this->groups_at = asked->groups_at + i;
  }
  if (asked->groups_at)
    FAKE_TRY(use_buffer(list, asked->groups_at, asked->count * sizeof *asked->groups_at,
                        asked->function, these));
  if (asked->count_at)
    FAKE_TRY(use_buffer(list, asked->count_at, sizeof *asked->count_at, asked->function, these));
  ret->count_at = asked->count_at;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_cooperative(const request *asked) {
  uint32_t most = 0;
  FAKE_TRY(fake_kernel_most_groups(asked->kernels[0], asked->function, &most));
  const ze_group_count_t *groups = asked->groups;
  const uint64_t plane = (uint64_t)groups->groupCountX * groups->groupCountY;
  FAKE_REQUIRE(plane <= most && plane * groups->groupCountZ <= most, INVALID_ARGUMENT,
               "%s: %u * %u * %u groups, and %u run at once", asked->function, groups->groupCountX,
               groups->groupCountY, groups->groupCountZ, most);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_launch(ze_command_list_handle_t handle, const request *asked,
                                 ze_event_handle_t signal, uint32_t wait_count,
                                 ze_event_handle_t *waits) {
  FAKE_REQUIRE(asked->kernels, INVALID_NULL_POINTER, "%s: phKernels is NULL", asked->function);
  FAKE_REQUIRE(asked->groups || asked->groups_at, INVALID_NULL_POINTER,
               "%s: the group counts are NULL", asked->function);
  FAKE_REQUIRE(asked->kernels[0], INVALID_NULL_HANDLE, "%s: hKernel is NULL", asked->function);
  if (asked->cooperative)
    FAKE_TRY(check_cooperative(asked));
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COMPUTE, asked->function, &list));
  launches *these = fake_allocate(sizeof *these);
  these->all = fake_allocate(asked->count * sizeof *these->all);
  uses used = {0};
  ze_result_t result = take_all(asked, list, these, &used);
  if (result == ZE_RESULT_SUCCESS) {
    const fake_work work = {.name = asked->function,
                            .engine = FAKE_ENGINE_COMPUTE,
                            .run = run_launch,
                            .end = end_launches,
                            .data = these,
                            .uses = used.objects,
                            .use_count = used.count,
                            .cooperative = asked->cooperative};
    result = fake_append(list, &work, signal, wait_count, waits);
  } else {
    end_launches(these);
  }
  free(used.objects);
  return result;
}

/* Enters a function that also requires that no other thread uses the kernel. */
#define ENTER_KERNEL(function, list, kernel)                                                       \
  __attribute__((cleanup(fake_alone_end))) fake_slot *kernel_alone = fake_alone_begin(kernel);     \
  FAKE_ENTER_ALONE(function, list);                                                                \
  FAKE_TRY(fake_alone_check(kernel_alone, #function))

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            const ze_group_count_t *groups,
                                            ze_event_handle_t signal, uint32_t wait_count,
                                            ze_event_handle_t *waits) {
  ENTER_KERNEL(zeCommandListAppendLaunchKernel, list, kernel);
  const request asked = {.function = "zeCommandListAppendLaunchKernel",
                         .count = 1,
                         .kernels = &kernel,
                         .groups = groups};
  return append_launch(list, &asked, signal, wait_count, waits);
}

ze_result_t
zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                           const ze_group_count_t *groups, ze_event_handle_t signal,
                                           uint32_t wait_count, ze_event_handle_t *waits) {
  ENTER_KERNEL(zeCommandListAppendLaunchCooperativeKernel, list, kernel);
  const request asked = {.function = "zeCommandListAppendLaunchCooperativeKernel",
                         .count = 1,
                         .kernels = &kernel,
                         .groups = groups,
                         .cooperative = true};
  FAKE_REQUIRE(groups, INVALID_NULL_POINTER, "%s: the group counts are NULL", asked.function);
  return append_launch(list, &asked, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list,
                                                    ze_kernel_handle_t kernel,
                                                    const ze_group_count_t *groups,
                                                    ze_event_handle_t signal, uint32_t wait_count,
                                                    ze_event_handle_t *waits) {
  ENTER_KERNEL(zeCommandListAppendLaunchKernelIndirect, list, kernel);
  const request asked = {.function = "zeCommandListAppendLaunchKernelIndirect",
                         .count = 1,
                         .kernels = &kernel,
                         .groups_at = groups};
  return append_launch(list, &asked, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t list, uint32_t count, ze_kernel_handle_t *kernels,
    const uint32_t *count_at, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendLaunchMultipleKernelsIndirect, list);
  const request asked = {.function = "zeCommandListAppendLaunchMultipleKernelsIndirect",
                         .count = count,
                         .kernels = kernels,
                         .groups_at = groups,
                         .count_at = count_at};
  FAKE_REQUIRE(count != 0, INVALID_SIZE, "%s: no kernels", asked.function);
  FAKE_REQUIRE(count_at, INVALID_NULL_POINTER, "%s: pCountBuffer is NULL", asked.function);
  return append_launch(list, &asked, signal, wait_count, waits);
}
