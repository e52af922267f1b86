/*
 * Unified shared memory, with cl_intel_unified_shared_memory. A driver without it has none of the
 * functions, so every entry fails with a message.
 */
#include "command_buffer.h"
#include "fill.h"

#include "../checks/usm_arguments.h"
#include "../objects/queue_command.h"
#include "../objects/usm_command.h"

#include <stdio.h>

#define REQUIRE_USM(extensions, function)                                                          \
  REQUIRE((extensions)->function, PI_ERROR_UNSUPPORTED_FEATURE,                                    \
          "the OpenCL driver lacks cl_intel_unified_shared_memory: it has no cl" #function         \
          "INTEL")

/* The flags that OpenCL has. DEVICE_READ_ONLY is missing and ignored; it is only a promise of the
 * application. */
enum {
  CL_ALLOC_FLAGS = PI_MEM_ALLOC_WRTITE_COMBINED | PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE |
                   PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST,
};

_Static_assert(PI_MEM_ALLOC_WRTITE_COMBINED == CL_MEM_ALLOC_WRITE_COMBINED_INTEL &&
                   PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE ==
                       CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL &&
                   PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST ==
                       CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL &&
                   PI_MEM_ALLOC_FLAGS == CL_MEM_ALLOC_FLAGS_INTEL &&
                   PI_MEM_USM_ALLOC_BUFFER_LOCATION == CL_MEM_ALLOC_BUFFER_LOCATION_INTEL,
               "PI's allocation properties have OpenCL's numbers");

/* The checked arguments that all kinds of allocations share. */
typedef struct allocation {
  cl_mem_properties_intel properties[5]; /* two keys with values, and the 0 at the end */
  size_t size;
  cl_uint alignment;
} allocation;

static pi_result read_allocation(void **result_ptr, pi_context context,
                                 const pi_usm_mem_properties *properties, size_t size,
                                 pi_uint32 alignment, allocation *ret) {
  usm_properties read;
  REQUIRE_POINTER(result_ptr);
  REQUIRE_CONTEXT(context);
  TRY(check_usm_alloc(size, alignment));
  TRY(read_usm_properties(properties, &read));
  cl_mem_properties_intel *list = ret->properties;
  /* Leaves out the key if no flag remains, because a driver may refuse 0. */
  if (read.flags & CL_ALLOC_FLAGS) {
    *list++ = CL_MEM_ALLOC_FLAGS_INTEL;
    *list++ = read.flags & CL_ALLOC_FLAGS;
  }
  if (read.has_location) {
    *list++ = CL_MEM_ALLOC_BUFFER_LOCATION_INTEL;
    *list++ = read.location;
  }
  *list = 0;
  ret->size = size;
  ret->alignment = alignment;
  return PI_SUCCESS;
}

static pi_result allocated(void **result_ptr, void *pointer, cl_int code, const char *call,
                           const allocation *arguments) {
  if (code != CL_SUCCESS) {
    char text[96];
    snprintf(text, sizeof text, "%s of %zu bytes with alignment %u", call, arguments->size,
             arguments->alignment);
    return cl_result(code, text);
  }
  *result_ptr = pointer;
  return PI_SUCCESS;
}

pi_result piextUSMHostAlloc(void **result_ptr, pi_context context,
                            pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  allocation a;
  TRY(read_allocation(result_ptr, context, properties, size, alignment, &a));
  const opencl_extensions *extensions = opencl_extensions_of_context(cl_from_context(context));
  REQUIRE_USM(extensions, HostMemAlloc);
  cl_int code = CL_SUCCESS;
  void *pointer =
      extensions->HostMemAlloc(cl_from_context(context), a.properties, a.size, a.alignment, &code);
  return allocated(result_ptr, pointer, code, "clHostMemAllocINTEL", &a);
}

pi_result piextUSMDeviceAlloc(void **result_ptr, pi_context context, pi_device device,
                              pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  allocation a;
  TRY(read_allocation(result_ptr, context, properties, size, alignment, &a));
  REQUIRE_DEVICE(device);
  const opencl_extensions *extensions = opencl_extensions_of_context(cl_from_context(context));
  REQUIRE_USM(extensions, DeviceMemAlloc);
  cl_int code = CL_SUCCESS;
  void *pointer = extensions->DeviceMemAlloc(cl_from_context(context), cl_from_device(device),
                                             a.properties, a.size, a.alignment, &code);
  return allocated(result_ptr, pointer, code, "clDeviceMemAllocINTEL", &a);
}

/* Allocates shared memory; device may be NULL for memory of no device in particular. */
pi_result piextUSMSharedAlloc(void **result_ptr, pi_context context, pi_device device,
                              pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  allocation a;
  TRY(read_allocation(result_ptr, context, properties, size, alignment, &a));
  const opencl_extensions *extensions = opencl_extensions_of_context(cl_from_context(context));
  REQUIRE_USM(extensions, SharedMemAlloc);
  cl_int code = CL_SUCCESS;
  void *pointer = extensions->SharedMemAlloc(cl_from_context(context), cl_from_device(device),
                                             a.properties, a.size, a.alignment, &code);
  return allocated(result_ptr, pointer, code, "clSharedMemAllocINTEL", &a);
}

/*
 * Allocates device memory with aligned rows. The pitch is the width rounded up to the device's
 * alignment of sub-buffers (CL_DEVICE_MEM_BASE_ADDR_ALIGN) or to the element size, whichever is
 * larger.
 */
pi_result piextUSMPitchedAlloc(void **result_ptr, size_t *result_pitch, pi_context context,
                               pi_device device, pi_usm_mem_properties *properties,
                               size_t width_in_bytes, size_t height,
                               unsigned int element_size_bytes) {
  REQUIRE_POINTER(result_ptr);
  REQUIRE_POINTER(result_pitch);
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE(device);
  cl_uint alignment_bits;
  TRY(CL_GET(Device, cl_from_device(device), CL_DEVICE_MEM_BASE_ADDR_ALIGN, &alignment_bits));
  const pi_uint32 alignment =
      alignment_bits / 8 > element_size_bytes ? alignment_bits / 8 : element_size_bytes;
  size_t pitch;
  TRY(check_usm_pitched(width_in_bytes, height, element_size_bytes, alignment, &pitch));
  TRY(piextUSMDeviceAlloc(result_ptr, context, device, properties, pitch * height, alignment));
  *result_pitch = pitch;
  return PI_SUCCESS;
}

/*
 * Frees USM; ptr may be NULL. Uses the blocking free, which waits for kernels that may still use
 * the memory: with indirect access the driver cannot know whether they do.
 */
pi_result piextUSMFree(pi_context context, void *ptr) {
  REQUIRE_CONTEXT(context);
  const opencl_extensions *extensions = opencl_extensions_of_context(cl_from_context(context));
  if (extensions->MemBlockingFree)
    return CL_EXTENSION_CALL(extensions, MemBlockingFree, cl_from_context(context), ptr);
  REQUIRE_USM(extensions, MemFree);
  return CL_EXTENSION_CALL(extensions, MemFree, cl_from_context(context), ptr);
}

/* Answers a query about a pointer. For one that is no USM the type is PI_MEM_TYPE_UNKNOWN. */
pi_result piextUSMGetMemAllocInfo(pi_context context, const void *ptr, pi_mem_alloc_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_CONTEXT(context);
  TRY(answer_check(&answer));
  const opencl_extensions *extensions = opencl_extensions_of_context(cl_from_context(context));
  /* libsycl asks for the type of any pointer; without USM every one is PI_MEM_TYPE_UNKNOWN. */
  if (!extensions->GetMemAllocInfo && param_name == PI_MEM_ALLOC_TYPE)
    return answer_uint32(&answer, PI_MEM_TYPE_UNKNOWN);
  REQUIRE_USM(extensions, GetMemAllocInfo);

  union {
    cl_unified_shared_memory_type_intel type;
    void *base;
    size_t size;
    cl_device_id device;
  } value;
  size_t size;
  switch (param_name) {
  case PI_MEM_ALLOC_TYPE:
    size = sizeof value.type;
    break;
  case PI_MEM_ALLOC_BASE_PTR:
    size = sizeof value.base;
    break;
  case PI_MEM_ALLOC_SIZE:
    size = sizeof value.size;
    break;
  case PI_MEM_ALLOC_DEVICE:
    size = sizeof value.device;
    break;
  default:
    return answer_unknown("pi_mem_alloc_info", (pi_uint32)param_name);
  }
  TRY(CL_EXTENSION_CALL(extensions, GetMemAllocInfo, cl_from_context(context), ptr,
                        (cl_mem_info_intel)param_name, size, &value, NULL));
  return answer_bytes(&answer, &value, size);
}

/* ---- Commands, enqueued or recorded; pi/ has their entries ---- */

static pi_result replay_usm_copy(const command *command, sink *sink) {
  const range_command *range = &command->range;
  return usm_copy(sink, range->destination, range->source, range->size);
}

pi_result usm_copy(sink *sink, void *to, const void *from, size_t size) {
  RECORD(NULL, .replay = replay_usm_copy,
         .range = {.destination = to, .source = from, .size = size});
  TRY(check_bytes("dst_ptr", to, size));
  TRY(check_bytes("src_ptr", from, size));
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(sink->queue));
  REQUIRE_USM(extensions, EnqueueMemcpy);
  return CL_EXTENSION_ENQUEUE(extensions, EnqueueMemcpy, cl_from_queue(sink->queue),
                              sink->is_blocking, to, from, size);
}

static pi_result copy_rows(sequence *sequence, const opencl_extensions *extensions, char *dst,
                           size_t dst_pitch, const char *src, size_t src_pitch, size_t width,
                           size_t height) {
  if (dst_pitch == width && src_pitch == width) {
    width *= height;
    height = 1;
  }
  for (size_t row = 0; row < height; row++) {
    TRY(sequence_add(sequence,
                     extensions->EnqueueMemcpy(sequence->queue, CL_FALSE, dst + row * dst_pitch,
                                               src + row * src_pitch, width, sequence->wait.count,
                                               sequence->wait.list, sequence_event(sequence)),
                     "clEnqueueMemcpyINTEL"));
  }
  return PI_SUCCESS;
}

pi_result usm_copy_rows(sink *sink, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height) {
  size_t size;
  TRY(rows_size("dst_pitch", to, to_pitch, width, height, &size));
  TRY(rows_size("src_pitch", from, from_pitch, width, height, &size));
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(sink->queue));
  REQUIRE_USM(extensions, EnqueueMemcpy);

  sequence steps;
  sequence_begin(&steps, sink);
  pi_result result = PI_SUCCESS;
  if (width != 0) /* without rows the event stands for the wait list alone */
    result = copy_rows(&steps, extensions, to, to_pitch, from, from_pitch, width, height);
  return sequence_end(&steps, result);
}

static pi_result replay_usm_fill(const command *command, sink *sink) {
  const fill_command *fill = &command->fill;
  return usm_fill(sink, fill->pointer, command->pattern, fill->pattern_size, fill->size);
}

/* Fills one row, because usm_fill_rows takes patterns of any size. */
pi_result usm_fill(sink *sink, void *pointer, const void *pattern, size_t pattern_size,
                   size_t size) {
  TRY(fill_check(pattern_size, "size", size));
  RECORD(pattern, .replay = replay_usm_fill,
         .fill = {.pointer = pointer, .size = size, .pattern_size = pattern_size});
  if (pattern_size != 1)
    return usm_fill_rows(sink, pointer, size, pattern, pattern_size, size, 1);
  TRY(check_bytes("ptr", pointer, size));
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(sink->queue));
  REQUIRE_USM(extensions, EnqueueMemFill);
  return CL_EXTENSION_ENQUEUE(extensions, EnqueueMemFill, cl_from_queue(sink->queue), pointer,
                              pattern, 1, size);
}

pi_result usm_fill_rows(sink *sink, void *pointer, size_t pitch, const void *pattern,
                        size_t pattern_size, size_t width, size_t height) {
  TRY(fill_check(pattern_size, "width", width));
  size_t size;
  TRY(rows_size("pitch", pointer, pitch, width, height, &size));
  const fill_target target = {.pointer = pointer,
                              .extensions = opencl_extensions_of_queue(cl_from_queue(sink->queue))};
  REQUIRE_USM(target.extensions, EnqueueMemFill);
  REQUIRE_USM(target.extensions, EnqueueMemcpy);
  if (width == 0 || height == 0)
    return marker_enqueue(sink, false);

  sequence steps;
  sequence_begin(&steps, sink);
  return sequence_end(&steps,
                      fill_rows(&steps, &target, 0, pitch, width, height, pattern, pattern_size));
}

static pi_result replay_prefetch(const command *command, sink *sink) {
  return usm_prefetch(sink, command->hint.pointer, command->hint.size, false);
}

/*
 * Enqueues a prefetch, which is only a hint. Drivers refuse it if memory cannot move: Intel's CPU
 * runtime refuses every move to the device, and no driver moves memory from malloc. The plugin then
 * enqueues a marker, which keeps the order, makes the event, and reports a bad queue or wait list.
 */
pi_result usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host) {
  (void)to_host; /* PI has no such prefetch */
  RECORD(NULL, .replay = replay_prefetch, .hint = {.pointer = pointer, .size = size});
  TRY(check_bytes("ptr", pointer, size));
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(sink->queue));
  REQUIRE_USM(extensions, EnqueueMemcpy);
  if (extensions->EnqueueMigrateMem &&
      extensions->EnqueueMigrateMem(cl_from_queue(sink->queue), pointer, size, 0,
                                    CL_WAIT_LIST_EVENT) == CL_SUCCESS)
    return enqueued(sink, CL_SUCCESS, "clEnqueueMigrateMemINTEL");
  sink->made = NULL;
  return marker_enqueue(sink, false);
}

static pi_result replay_advise(const command *command, sink *sink) {
  return usm_advise(sink, command->hint.pointer, command->hint.size, command->hint.advice);
}

/*
 * Ignores the advice, which is only a hint. PI has CUDA's and HIP's advice; OpenCL defines none,
 * and a driver may give the same numbers another meaning.
 */
pi_result usm_advise(sink *sink, const void *pointer, size_t size, pi_mem_advice advice) {
  unsigned unused;
  TRY(read_usm_advice(advice, &unused));
  RECORD(NULL, .replay = replay_advise,
         .hint = {.pointer = pointer, .size = size, .advice = advice});
  TRY(check_bytes("ptr", pointer, size));
  REQUIRE_USM(opencl_extensions_of_queue(cl_from_queue(sink->queue)), EnqueueMemcpy);
  return marker_enqueue(sink, false);
}

/* ---- Memory of the application ---- */

pi_result piextUSMImport(const void *ptr, size_t size, pi_context context) {
  (void)ptr;
  (void)size;
  (void)context;
  return OPENCL_UNSUPPORTED("OpenCL cannot make memory of the application part of USM");
}

pi_result piextUSMRelease(const void *ptr, pi_context context) {
  (void)ptr;
  (void)context;
  return OPENCL_UNSUPPORTED("OpenCL imports no memory of the application, so there is none to "
                            "release");
}
