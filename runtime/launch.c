/*
 * Launches. First all parameters are checked without calling a driver. Then the arguments are set
 * and the launch is submitted under the kernel's lock, because PI stores arguments in the kernel.
 * Nothing is allocated.
 */
#include "buffer.h"
#include "command.h"
#include "kernel.h"

#include "../plugins/base/cancellation.h"

#include <stdio.h>

/* Sizes as a text for errors: 64x4x1. */
typedef struct sizes_text {
  char text[3 * 21 + 1];
} sizes_text;

static sizes_text text_of(const size_t *sizes, unsigned dimensions) {
  sizes_text text = {""};
  int length = 0;
  for (unsigned i = 0; i < dimensions; i++)
    length += snprintf(text.text + length, sizeof text.text - (size_t)length, "%s%zu",
                       i == 0 ? "" : "x", sizes[i]);
  return text;
}

/* A range in PI's form: three entries, and no local size if the driver is to choose it. */
typedef struct sizes {
  size_t global[3];
  size_t offset[3];
  size_t local[3];
  unsigned dimensions; /* those of the local size that messages show */
  size_t group;        /* work-items of a group, if has_local; at most SIZE_MAX */
  bool has_local;
} sizes;

static specpi_result check_global(const specpi_range *range, sizes *ret) {
  for (unsigned i = 0; i < 3; i++) {
    const bool used = i < range->dimensions;
    ret->global[i] = used ? range->global[i] : 1;
    ret->offset[i] = used ? range->offset[i] : 0;
    ERROR_REQUIRE(ret->global[i] != 0, "the global size is %s: there is nothing to run",
                  text_of(range->global, range->dimensions).text);
    ERROR_REQUIRE(ret->offset[i] <= SIZE_MAX - ret->global[i],
                  "the global size %zu with the offset %zu, in dimension %u, is more than an "
                  "address reaches",
                  ret->global[i], ret->offset[i], i);
  }
  /* Drivers store the number of all work-items in a size_t, and divide by it. */
  size_t all;
  ERROR_REQUIRE(!__builtin_mul_overflow(ret->global[0], ret->global[1], &all) &&
                    !__builtin_mul_overflow(all, ret->global[2], &all),
                "the global size %s makes more work-items than the %zu that can be counted",
                text_of(range->global, range->dimensions).text, SIZE_MAX);
  return SPECPI_SUCCESS;
}

/* Reads the caller's work-group size, which has a size for each dimension or for none. */
static specpi_result take_local(const specpi_range *range, sizes *ret) {
  unsigned given = 0;
  for (unsigned i = 0; i < range->dimensions; i++)
    given += range->local[i] != 0;
  ERROR_REQUIRE(given == 0 || given == range->dimensions,
                "the local size is %s: give one for each dimension, or 0 for all of them",
                text_of(range->local, range->dimensions).text);
  ret->has_local = given != 0;
  ret->dimensions = range->dimensions;
  for (unsigned i = 0; i < 3; i++)
    ret->local[i] = ret->has_local && i < range->dimensions ? range->local[i] : 1;
  return SPECPI_SUCCESS;
}

/* Checks the local size against the one that the kernel requires; uses that if the caller passed
 * none. */
static specpi_result check_required(specpi_kernel kernel, sizes *sizes) {
  const size_t *required = kernel->info.required;
  if (required[0] == 0)
    return SPECPI_SUCCESS;
  for (unsigned i = 0; i < 3; i++) {
    if (!sizes->has_local)
      sizes->local[i] = required[i];
    ERROR_REQUIRE(sizes->local[i] == required[i],
                  "kernel \"%s\" requires the local size %s, the given one is %s", kernel->name,
                  text_of(required, 3).text, text_of(sizes->local, 3).text);
  }
  sizes->has_local = true;
  sizes->dimensions = 3;
  return SPECPI_SUCCESS;
}

/*
 * Work-items of a group that always runs; 0 if the driver does not report it. The CUDA plugin runs
 * larger ones, too, by building the kernel again with fewer registers, so only the device's own
 * maximum is checked before a launch.
 */
static size_t largest_group(specpi_kernel kernel, specpi_queue queue) {
  return kernel->info.group_size ? kernel->info.group_size : queue->limits.group_size;
}

static specpi_result refuse_group(specpi_kernel kernel, specpi_queue queue, const sizes *sizes) {
  return error_set(SPECPI_ERROR_INVALID_ARGUMENT,
                   "the local size %s makes %zu work-items, and kernel \"%s\" can have %zu in a "
                   "group on %s",
                   text_of(sizes->local, sizes->dimensions).text, sizes->group, kernel->name,
                   largest_group(kernel, queue), specpiDeviceGetSelector(queue->device));
}

static specpi_result check_local(specpi_kernel kernel, specpi_queue queue, sizes *sizes) {
  size_t group = 1;
  for (unsigned i = 0; i < 3; i++) {
    const size_t local = sizes->local[i];
    const size_t most = queue->limits.items[i];
    ERROR_REQUIRE(most == 0 || local <= most,
                  "the local size is %s: a work-group on %s has at most %zu work-items in "
                  "dimension %u",
                  text_of(sizes->local, sizes->dimensions).text,
                  specpiDeviceGetSelector(queue->device), most, i);
    ERROR_REQUIRE(sizes->global[i] % local == 0,
                  "the local size %s does not divide the global size %s in dimension %u",
                  text_of(sizes->local, sizes->dimensions).text,
                  text_of(sizes->global, sizes->dimensions).text, i);
    if (__builtin_mul_overflow(group, local, &group))
      group = SIZE_MAX;
  }
  sizes->group = group;
  const size_t most = queue->limits.group_size;
  return most == 0 || group <= most ? SPECPI_SUCCESS : refuse_group(kernel, queue, sizes);
}

static specpi_result check_range(specpi_kernel kernel, specpi_queue queue,
                                 const specpi_range *range, sizes *ret) {
  ERROR_REQUIRE(range, "range is NULL");
  ERROR_REQUIRE(range->dimensions >= 1 && range->dimensions <= 3,
                "the range has %u dimensions, not 1, 2 or 3", range->dimensions);
  ERROR_TRY(check_global(range, ret));
  ERROR_TRY(take_local(range, ret));
  ERROR_TRY(check_required(kernel, ret));
  return ret->has_local ? check_local(kernel, queue, ret) : SPECPI_SUCCESS;
}

static specpi_result check_argument(specpi_queue queue, const specpi_argument *argument,
                                    size_t index, uint64_t *local_memory) {
  switch (argument->kind) {
  case SPECPI_ARGUMENT_VALUE:
    ERROR_REQUIRE(argument->value, "argument %zu is passed by value, and value is NULL", index);
    ERROR_REQUIRE(argument->size != 0, "argument %zu is passed by value, and size is 0", index);
    return SPECPI_SUCCESS;
  case SPECPI_ARGUMENT_BUFFER:
    ERROR_REQUIRE(!argument->buffer || argument->buffer->context == queue->context,
                  "argument %zu is a buffer of %s, the queue is of %s, and they have no context in "
                  "common",
                  index, specpiDeviceGetSelector(argument->buffer->device),
                  specpiDeviceGetSelector(queue->device));
    return SPECPI_SUCCESS;
  case SPECPI_ARGUMENT_POINTER:
    return SPECPI_SUCCESS;
  case SPECPI_ARGUMENT_LOCAL:
    ERROR_REQUIRE(argument->size != 0, "argument %zu is local memory, and size is 0", index);
    if (__builtin_add_overflow(*local_memory, argument->size, local_memory))
      *local_memory = UINT64_MAX;
    return SPECPI_SUCCESS;
  case SPECPI_ARGUMENT_KIND_COUNT:
    break;
  }
  return error_set(SPECPI_ERROR_INVALID_ARGUMENT, "argument %zu is of the unknown kind %d", index,
                   (int)argument->kind);
}

static specpi_result check_arguments(specpi_kernel kernel, specpi_queue queue, size_t count,
                                     const specpi_argument *arguments) {
  ERROR_REQUIRE(count == kernel->info.argument_count,
                "kernel \"%s\" takes %zu argument%s, %zu given", kernel->name,
                kernel->info.argument_count, kernel->info.argument_count == 1 ? "" : "s", count);
  ERROR_REQUIRE(arguments || count == 0, "arguments is NULL and argument_count is %zu", count);
  uint64_t local_memory = 0;
  for (size_t i = 0; i < count; i++)
    if (kernel->places[i] != KERNEL_ELIMINATED)
      ERROR_TRY(check_argument(queue, &arguments[i], i, &local_memory));
  const uint64_t most = queue->limits.local_memory;
  ERROR_REQUIRE(most == 0 || local_memory <= most,
                "the arguments of kernel \"%s\" want %llu bytes of local memory, and %s has %llu",
                kernel->name, (unsigned long long)local_memory,
                specpiDeviceGetSelector(queue->device), (unsigned long long)most);
  return SPECPI_SUCCESS;
}

static pi_result set_argument(specpi_kernel kernel, uint32_t place,
                              const specpi_argument *argument) {
  const pi_function_table *pi = kernel->pi;
  static const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL,
                                             PI_ACCESS_READ_WRITE};
  switch (argument->kind) {
  case SPECPI_ARGUMENT_VALUE:
    return pi->piKernelSetArg(kernel->handle, place, argument->size, argument->value);
  case SPECPI_ARGUMENT_BUFFER:
    return pi->piextKernelSetArgMemObj(kernel->handle, place, &access,
                                       argument->buffer ? &argument->buffer->handle : NULL);
  case SPECPI_ARGUMENT_POINTER:
    return pi->piextKernelSetArgPointer(kernel->handle, place, sizeof argument->value,
                                        &argument->value);
  case SPECPI_ARGUMENT_LOCAL:
  case SPECPI_ARGUMENT_KIND_COUNT:
    break;
  }
  return pi->piKernelSetArg(kernel->handle, place, argument->size, NULL);
}

/*
 * The caller holds the kernel's lock. *failed receives the index of the wrong argument, or count.
 */
static pi_result launch_kernel(specpi_kernel kernel, const specpi_range *range, const sizes *sizes,
                               size_t count, const specpi_argument *arguments, command *command,
                               size_t *failed) {
  for (size_t i = 0; i < count; i++) {
    if (kernel->places[i] == KERNEL_ELIMINATED)
      continue;
    const pi_result code = set_argument(kernel, kernel->places[i], &arguments[i]);
    if (code != PI_SUCCESS) {
      *failed = i;
      return code;
    }
  }
  *failed = count;
  return kernel->pi->piEnqueueKernelLaunch(
      command->queue->handle, kernel->handle, range->dimensions, sizes->offset, sizes->global,
      sizes->has_local ? sizes->local : NULL, COMMAND_EVENTS(command));
}

static const char *kind_name(specpi_argument_kind kind) {
  static const char *const names[] = {
#define SPECPI_ARGUMENT_KIND(NAME, name) #name,
      SPECPI_ARGUMENT_KINDS(SPECPI_ARGUMENT_KIND)
#undef SPECPI_ARGUMENT_KIND
  };
  return (size_t)kind < SPECPI_ARGUMENT_KIND_COUNT ? names[kind] : "?";
}

specpi_result specpiKernelLaunch(specpi_kernel kernel, specpi_queue queue,
                                 const specpi_range *range, size_t argument_count,
                                 const specpi_argument *arguments, size_t wait_count,
                                 const specpi_event *waits, specpi_event *event) {
  ERROR_REQUIRE(kernel, "kernel is NULL");
  ERROR_REQUIRE(queue, "queue is NULL");
  ERROR_REQUIRE(kernel->device == queue->device, "kernel \"%s\" is of %s, and the queue of %s",
                kernel->name, specpiDeviceGetSelector(kernel->device),
                specpiDeviceGetSelector(queue->device));
  sizes sizes;
  ERROR_TRY(check_range(kernel, queue, range, &sizes));
  ERROR_TRY(check_arguments(kernel, queue, argument_count, arguments));
  command command;
  ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
  size_t failed;
  WITHOUT_CANCELLATION;
  pthread_mutex_lock(&kernel->lock);
  const pi_result code =
      launch_kernel(kernel, range, &sizes, argument_count, arguments, &command, &failed);
  pthread_mutex_unlock(&kernel->lock);
  if (failed < argument_count)
    return command_end(&command, code, event, "setting argument %zu of kernel \"%s\", kind %s,",
                       failed, kernel->name, kind_name(arguments[failed].kind));
  const specpi_result result =
      command_end(&command, code, event, "launching kernel \"%s\" with the global size %s",
                  kernel->name, text_of(sizes.global, range->dimensions).text);
  const bool is_too_large = code == PI_ERROR_INVALID_WORK_GROUP_SIZE && sizes.has_local &&
                            sizes.group > largest_group(kernel, queue);
  return is_too_large ? refuse_group(kernel, queue, &sizes) : result;
}
