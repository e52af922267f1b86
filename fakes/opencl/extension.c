/* The table of the platforms' extension functions, and some small ones. */
#include "extension.h"

#include <string.h>

/*
 * A table of extension functions. The plugin's list has their symbols and types, the fake's list
 * the functions. If a function is missing here or has another type, this does not compile.
 */
typedef struct extension_table {
#define EXTENSION_MEMBER(name, type, symbol) type name;
  OPENCL_EXTENSIONS(EXTENSION_MEMBER)
#undef EXTENSION_MEMBER
} extension_table;

enum {
#define EXTENSION_KNOWN(name, ...) EXTENSION_##name##_is_missing_in_the_fake,
  FAKE_EXTENSIONS(EXTENSION_KNOWN)
#undef EXTENSION_KNOWN
#define EXTENSION_KNOWN(name, ...)                                                                 \
  EXTENSION_##name##_is_there = EXTENSION_##name##_is_missing_in_the_fake,
      OPENCL_EXTENSIONS(EXTENSION_KNOWN)
#undef EXTENSION_KNOWN
};

#define EXTENSION_FUNCTION(platform, name, result, implementation, parameters, arguments)          \
  static result CL_API_CALL name##_of_##platform parameters {                                      \
    return implementation(platform, FAKE_STRIP arguments);                                         \
  }
#define EXTENSION_OF_FULL(...) EXTENSION_FUNCTION(FAKE_PLATFORM_FULL, __VA_ARGS__)
#define EXTENSION_OF_MIDDLE(...) EXTENSION_FUNCTION(FAKE_PLATFORM_MIDDLE, __VA_ARGS__)
FAKE_EXTENSIONS(EXTENSION_OF_FULL)
FAKE_EXTENSIONS(EXTENSION_OF_MIDDLE)

static const extension_table tables[FAKE_PLATFORMS_MAX] = {
#define EXTENSION_ENTRY(name, ...) .name = name##_of_FAKE_PLATFORM_FULL,
    [FAKE_PLATFORM_FULL] = {FAKE_EXTENSIONS(EXTENSION_ENTRY)},
#undef EXTENSION_ENTRY
#define EXTENSION_ENTRY(name, ...) .name = name##_of_FAKE_PLATFORM_MIDDLE,
    [FAKE_PLATFORM_MIDDLE] = {FAKE_EXTENSIONS(EXTENSION_ENTRY)},
#undef EXTENSION_ENTRY
};

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  fake_enter(FAKE_CALL_GetExtensionFunctionAddressForPlatform);
  FAKE_LOCKED;
  static const struct {
    const char *symbol;
    size_t offset;
  } members[] = {
#define EXTENSION_MEMBER(name, type, symbol) {symbol, offsetof(extension_table, name)},
      OPENCL_EXTENSIONS(EXTENSION_MEMBER)
#undef EXTENSION_MEMBER
  };
  if (!fake_is(platform, FAKE_PLATFORM) || !name)
    return NULL;
  /* All functions of unified shared memory, and no others, have "Mem" in their names. */
  if (strstr(name, "Mem") && !fake_has_usm(platform))
    return NULL;
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    if (strcmp(name, members[i].symbol) != 0)
      continue;
    void *address;
    memcpy(&address, (const char *)&tables[platform->index] + members[i].offset, sizeof address);
    return address;
  }
  return NULL;
}

/* The bytes of the global variable and of the host pipe of every program. */
static unsigned char variable[64];
static unsigned char pipe_bytes[64];
static const char variable_name[] = "fake_variable";
static const char pipe_name[] = "fake_pipe";

static cl_int check_program(cl_program program, unsigned platform) {
  FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM) && program->context->platform->index == platform,
               CL_INVALID_PROGRAM);
  FAKE_REQUIRE(program->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
               CL_INVALID_PROGRAM_EXECUTABLE);
  return CL_SUCCESS;
}

cl_int fake_get_device_function_pointer(unsigned platform, cl_device_id device, cl_program program,
                                        const char *name, cl_ulong *address) {
  FAKE_ENTER(EXT_GetDeviceFunctionPointer);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE), CL_INVALID_DEVICE);
  FAKE_TRY(check_program(program, platform));
  for (size_t part = 0; part < program->part_count; part++)
    for (size_t i = 0; i < program->parts[part].entry_count; i++)
      if (strcmp(program->parts[part].entries[i].name, name) == 0) {
        *address = (cl_ulong)(uintptr_t)&program->parts[part].entries[i];
        return CL_SUCCESS;
      }
  return CL_INVALID_ARG_VALUE;
}

cl_int fake_get_device_global_variable_pointer(unsigned platform, cl_device_id device,
                                               cl_program program, const char *name, size_t *size,
                                               void **address) {
  FAKE_ENTER(EXT_GetDeviceGlobalVariablePointer);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE), CL_INVALID_DEVICE);
  FAKE_TRY(check_program(program, platform));
  FAKE_REQUIRE(strcmp(name, variable_name) == 0, CL_INVALID_ARG_VALUE);
  if (size)
    *size = sizeof variable;
  if (address)
    *address = variable;
  return CL_SUCCESS;
}

/* Enqueues a copy between the program's and the host's memory. */
static cl_int transfer(unsigned platform, cl_command_queue queue, cl_program program, void *to,
                       const void *from, size_t size, cl_bool blocking, cl_uint num_events,
                       const cl_event *events, cl_event *event) {
  FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE) && queue->context->platform->index == platform,
               CL_INVALID_COMMAND_QUEUE);
  FAKE_TRY(check_program(program, platform));
  fake_command command = {.type = CL_COMMAND_MEMCPY_INTEL,
                          .work = FAKE_WORK_COPY,
                          .to = {to, 0, 0},
                          .region = {size, 1, 1}};
  memcpy(&command.from.bytes, &from, sizeof from);
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

static cl_int check_variable(const char *name, size_t size, size_t offset) {
  FAKE_REQUIRE(name && strcmp(name, variable_name) == 0, CL_INVALID_ARG_VALUE);
  FAKE_REQUIRE(offset <= sizeof variable && size <= sizeof variable - offset, CL_INVALID_VALUE);
  return CL_SUCCESS;
}

cl_int fake_enqueue_write_global_variable(unsigned platform, cl_command_queue queue,
                                          cl_program program, const char *name, cl_bool blocking,
                                          size_t size, size_t offset, const void *ptr,
                                          cl_uint num_events, const cl_event *events,
                                          cl_event *event) {
  FAKE_ENTER(EXT_EnqueueWriteGlobalVariable);
  FAKE_TRY(check_variable(name, size, offset));
  return transfer(platform, queue, program, variable + offset, ptr, size, blocking, num_events,
                  events, event);
}

cl_int fake_enqueue_read_global_variable(unsigned platform, cl_command_queue queue,
                                         cl_program program, const char *name, cl_bool blocking,
                                         size_t size, size_t offset, void *ptr, cl_uint num_events,
                                         const cl_event *events, cl_event *event) {
  FAKE_ENTER(EXT_EnqueueReadGlobalVariable);
  FAKE_TRY(check_variable(name, size, offset));
  return transfer(platform, queue, program, ptr, variable + offset, size, blocking, num_events,
                  events, event);
}

static cl_int check_pipe(const char *name, size_t size) {
  return name && strcmp(name, pipe_name) == 0 && size <= sizeof pipe_bytes ? CL_SUCCESS
                                                                           : CL_INVALID_VALUE;
}

cl_int fake_enqueue_read_host_pipe(unsigned platform, cl_command_queue queue, cl_program program,
                                   const char *name, cl_bool blocking, void *ptr, size_t size,
                                   cl_uint num_events, const cl_event *events, cl_event *event) {
  FAKE_ENTER(EXT_EnqueueReadHostPipe);
  FAKE_TRY(check_pipe(name, size));
  return transfer(platform, queue, program, ptr, pipe_bytes, size, blocking, num_events, events,
                  event);
}

cl_int fake_enqueue_write_host_pipe(unsigned platform, cl_command_queue queue, cl_program program,
                                    const char *name, cl_bool blocking, const void *ptr,
                                    size_t size, cl_uint num_events, const cl_event *events,
                                    cl_event *event) {
  FAKE_ENTER(EXT_EnqueueWriteHostPipe);
  FAKE_TRY(check_pipe(name, size));
  return transfer(platform, queue, program, pipe_bytes, ptr, size, blocking, num_events, events,
                  event);
}
