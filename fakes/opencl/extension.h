/*
 * The extension functions of the fake OpenCL. Each platform has its own set, like the drivers of
 * an ICD loader: thin functions that call the ones in FAKE_EXTENSIONS with the platform's number.
 */
#ifndef SPECPI_TEST_FAKE_EXTENSION_H
#define SPECPI_TEST_FAKE_EXTENSION_H

#include "fake.h"

/* X(name, result, implementation, (parameters), (arguments)) for all of OPENCL_EXTENSIONS */
#define FAKE_EXTENSIONS(X)                                                                         \
  X(HostMemAlloc, void *, fake_host_mem_alloc,                                                     \
    (cl_context context, const cl_mem_properties_intel *properties, size_t size,                   \
     cl_uint alignment, cl_int *errcode_ret),                                                      \
    (context, properties, size, alignment, errcode_ret))                                           \
  X(DeviceMemAlloc, void *, fake_device_mem_alloc,                                                 \
    (cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,           \
     size_t size, cl_uint alignment, cl_int *errcode_ret),                                         \
    (context, device, properties, size, alignment, errcode_ret))                                   \
  X(SharedMemAlloc, void *, fake_shared_mem_alloc,                                                 \
    (cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,           \
     size_t size, cl_uint alignment, cl_int *errcode_ret),                                         \
    (context, device, properties, size, alignment, errcode_ret))                                   \
  X(MemFree, cl_int, fake_mem_free, (cl_context context, void *ptr), (context, ptr))               \
  X(MemBlockingFree, cl_int, fake_mem_blocking_free, (cl_context context, void *ptr),              \
    (context, ptr))                                                                                \
  X(GetMemAllocInfo, cl_int, fake_get_mem_alloc_info,                                              \
    (cl_context context, const void *ptr, cl_mem_info_intel name, size_t size, void *value,        \
     size_t *size_ret),                                                                            \
    (context, ptr, name, size, value, size_ret))                                                   \
  X(SetKernelArgMemPointer, cl_int, fake_set_kernel_arg_mem_pointer,                               \
    (cl_kernel kernel, cl_uint index, const void *pointer), (kernel, index, pointer))              \
  X(EnqueueMemFill, cl_int, fake_enqueue_mem_fill,                                                 \
    (cl_command_queue queue, void *ptr, const void *pattern, size_t pattern_size, size_t size,     \
     cl_uint num_events, const cl_event *events, cl_event *event),                                 \
    (queue, ptr, pattern, pattern_size, size, num_events, events, event))                          \
  X(EnqueueMemcpy, cl_int, fake_enqueue_memcpy,                                                    \
    (cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t size,            \
     cl_uint num_events, const cl_event *events, cl_event *event),                                 \
    (queue, blocking, to, from, size, num_events, events, event))                                  \
  X(EnqueueMigrateMem, cl_int, fake_enqueue_migrate_mem,                                           \
    (cl_command_queue queue, const void *ptr, size_t size, cl_mem_migration_flags flags,           \
     cl_uint num_events, const cl_event *events, cl_event *event),                                 \
    (queue, ptr, size, flags, num_events, events, event))                                          \
  X(EnqueueMemAdvise, cl_int, fake_enqueue_mem_advise,                                             \
    (cl_command_queue queue, const void *ptr, size_t size, cl_mem_advice_intel advice,             \
     cl_uint num_events, const cl_event *events, cl_event *event),                                 \
    (queue, ptr, size, advice, num_events, events, event))                                         \
  X(CreateBufferWithProperties, cl_mem, fake_create_buffer_with_properties_intel,                  \
    (cl_context context, const cl_mem_properties_intel *properties, cl_mem_flags flags,            \
     size_t size, void *host_ptr, cl_int *errcode_ret),                                            \
    (context, properties, flags, size, host_ptr, errcode_ret))                                     \
  X(GetKernelMaxConcurrentWorkGroupCount, cl_int, fake_get_kernel_max_concurrent,                  \
    (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,           \
     const size_t *local, size_t *count),                                                          \
    (queue, kernel, dimensions, offset, local, count))                                             \
  X(GetDeviceFunctionPointer, cl_int, fake_get_device_function_pointer,                            \
    (cl_device_id device, cl_program program, const char *name, cl_ulong *address),                \
    (device, program, name, address))                                                              \
  X(GetDeviceGlobalVariablePointer, cl_int, fake_get_device_global_variable_pointer,               \
    (cl_device_id device, cl_program program, const char *name, size_t *size, void **address),     \
    (device, program, name, size, address))                                                        \
  X(EnqueueWriteGlobalVariable, cl_int, fake_enqueue_write_global_variable,                        \
    (cl_command_queue queue, cl_program program, const char *name, cl_bool blocking, size_t size,  \
     size_t offset, const void *ptr, cl_uint num_events, const cl_event *events, cl_event *event), \
    (queue, program, name, blocking, size, offset, ptr, num_events, events, event))                \
  X(EnqueueReadGlobalVariable, cl_int, fake_enqueue_read_global_variable,                          \
    (cl_command_queue queue, cl_program program, const char *name, cl_bool blocking, size_t size,  \
     size_t offset, void *ptr, cl_uint num_events, const cl_event *events, cl_event *event),       \
    (queue, program, name, blocking, size, offset, ptr, num_events, events, event))                \
  X(EnqueueReadHostPipe, cl_int, fake_enqueue_read_host_pipe,                                      \
    (cl_command_queue queue, cl_program program, const char *name, cl_bool blocking, void *ptr,    \
     size_t size, cl_uint num_events, const cl_event *events, cl_event *event),                    \
    (queue, program, name, blocking, ptr, size, num_events, events, event))                        \
  X(EnqueueWriteHostPipe, cl_int, fake_enqueue_write_host_pipe,                                    \
    (cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,               \
     const void *ptr, size_t size, cl_uint num_events, const cl_event *events, cl_event *event),   \
    (queue, program, name, blocking, ptr, size, num_events, events, event))                        \
  X(CreateProgramWithIL, cl_program, fake_create_program_with_il_khr,                              \
    (cl_context context, const void *il, size_t length, cl_int *errcode_ret),                      \
    (context, il, length, errcode_ret))                                                            \
  X(GetKernelSubGroupInfo, cl_int, fake_get_kernel_sub_group_info_khr,                             \
    (cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name, size_t input_size,      \
     const void *input, size_t size, void *value, size_t *size_ret),                               \
    (kernel, device, name, input_size, input, size, value, size_ret))

/* Declares the implementations: result implementation(unsigned platform, parameters...); */
#define FAKE_STRIP(...) __VA_ARGS__
#define FAKE_DECLARE(name, result, implementation, parameters, arguments)                          \
  result implementation(unsigned platform, FAKE_STRIP parameters);
FAKE_EXTENSIONS(FAKE_DECLARE)
#undef FAKE_DECLARE

#endif
