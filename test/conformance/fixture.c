#include "fixture.h"

#include <stdlib.h>

typedef struct later {
  pi_result (*release)(void *object);
  void *object;
  struct later *next;
} later;

static later *objects;
static pi_platform platform;
enum { DEVICES_MAX = 16 };

static pi_device devices[DEVICES_MAX];
static pi_uint32 device_count; /* devices of a context; 0 until the first query */
static pi_context context;
static pi_queue queue;

static void release_later(void *object, pi_result (*release)(void *object)) {
  later *entry = malloc(sizeof *entry);
  expect(entry, "no memory");
  *entry = (later){release, object, objects};
  objects = entry;
}

/* X(name, type, entry): the kinds of object that the fixture releases. */
#define RELEASED(X)                                                                                \
  X(context, pi_context, piContextRelease)                                                         \
  X(queue, pi_queue, piQueueRelease)                                                               \
  X(mem, pi_mem, piMemRelease)                                                                     \
  X(program, pi_program, piProgramRelease)                                                         \
  X(kernel, pi_kernel, piKernelRelease)                                                            \
  X(event, pi_event, piEventRelease)                                                               \
  X(sampler, pi_sampler, piSamplerRelease)
#define RELEASE(name, type, entry)                                                                 \
  static pi_result release_##name(void *object) { return pi.entry((type)object); }
RELEASED(RELEASE)
#undef RELEASE

void release_event_later(pi_event event) {
  release_later(event, release_event);
}

void release_mem_later(pi_mem mem) {
  release_later(mem, release_mem);
}

void release_program_later(pi_program program) {
  release_later(program, release_program);
}

void release_kernel_later(pi_kernel kernel) {
  release_later(kernel, release_kernel);
}

void release_sampler_later(pi_sampler sampler) {
  release_later(sampler, release_sampler);
}

static pi_result release_usm(void *pointer) {
  return pi.piextUSMFree(context, pointer);
}

void fixture_release(void) {
  while (objects) {
    later *entry = objects;
    objects = entry->next;
    expect_success(entry->release(entry->object));
    free(entry);
  }
  /* The process may run another test after this one. */
  platform = NULL;
  device_count = 0;
  context = NULL;
  queue = NULL;
}

pi_platform the_platform(void) {
  if (platform)
    return platform;
  pi_uint32 count = 0;
  expect_success(pi.piPlatformsGet(0, NULL, &count));
  if (count == 0)
    skip_test("the plugin has no platform");
  expect_success(pi.piPlatformsGet(1, &platform, NULL));
  return platform;
}

pi_device the_device(void) {
  if (device_count)
    return devices[device_count - 1];
  pi_uint32 count = 0;
  expect_success(pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, 0, NULL, &count));
  if (count == 0)
    skip_test("the platform has no device");
  device_count = all_devices && count <= DEVICES_MAX ? count : 1;
  expect_success(pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, device_count, devices, NULL));
  return devices[device_count - 1];
}

pi_context the_context(void) {
  if (context)
    return context;
  the_device();
  expect_success(pi.piContextCreate(NULL, device_count, devices, NULL, NULL, &context));
  release_later(context, release_context);
  return context;
}

pi_context the_context_with(pi_device other) {
  const pi_device both[2] = {the_device(), other};
  expect(!context, "the context is there already");
  expect_success(pi.piContextCreate(NULL, 2, both, NULL, NULL, &context));
  release_later(context, release_context);
  return context;
}

const pi_device *the_devices(pi_uint32 *count) {
  the_device();
  *count = device_count;
  return devices;
}

pi_queue new_queue(uint64_t flags) {
  pi_queue made = NULL;
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, flags, 0};
  const pi_context in = the_context();
  const pi_result result = pi.piextQueueCreate(in, the_device(), properties, &made);
  if (result == PI_ERROR_INVALID_QUEUE_PROPERTIES)
    skip_test("the device has no queue with flags 0x%llx", (unsigned long long)flags);
  expect(result == PI_SUCCESS, "piextQueueCreate returned %d", result);
  release_later(made, release_queue);
  return made;
}

pi_queue the_queue(void) {
  if (!queue)
    queue = new_queue(PI_QUEUE_FLAG_PROFILING_ENABLE);
  return queue;
}

bool device_has(const char *extension) {
  size_t size = 0;
  expect_success(pi.piDeviceGetInfo(the_device(), PI_DEVICE_INFO_EXTENSIONS, 0, NULL, &size));
  char *text = malloc(size + 1);
  expect(text, "no memory");
  expect_success(pi.piDeviceGetInfo(the_device(), PI_DEVICE_INFO_EXTENSIONS, size, text, NULL));
  const size_t length = strlen(extension);
  bool found = false;
  for (const char *at = text; !found && (at = strstr(at, extension)); at += length)
    found = (at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
  free(text);
  return found;
}

void device_answer(pi_device_info query, size_t size, void *value) {
  expect_success(pi.piDeviceGetInfo(the_device(), query, size, value, NULL));
}

pi_mem new_buffer(size_t size, const void *data) {
  pi_mem buffer = NULL;
  const pi_mem_flags flags = PI_MEM_FLAGS_ACCESS_RW | (data ? PI_MEM_FLAGS_HOST_PTR_COPY : 0);
  /* The parameter lacks const, although the plugin only reads the memory with HOST_PTR_COPY. */
  void *host = NULL;
  memcpy(&host, &data, sizeof host);
  expect_success(pi.piMemBufferCreate(the_context(), flags, size, host, &buffer, NULL));
  release_later(buffer, release_mem);
  return buffer;
}

void read_buffer(pi_mem buffer, size_t size, void *data) {
  expect_success(
      pi.piEnqueueMemBufferRead(the_queue(), buffer, PI_TRUE, 0, size, data, 0, NULL, NULL));
}

void *new_usm(usm_kind kind, size_t size) {
  static const pi_device_info queries[] = {PI_DEVICE_INFO_USM_HOST_SUPPORT,
                                           PI_DEVICE_INFO_USM_DEVICE_SUPPORT,
                                           PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT};
  pi_usm_capabilities can = 0;
  device_answer(queries[kind], sizeof can, &can);
  if (!(can & PI_USM_ACCESS))
    skip_test("the device has no USM of kind %d", (int)kind);
  void *pointer = NULL;
  pi_usm_mem_properties none[] = {0};
  const pi_context in = the_context();
  switch (kind) {
  case USM_HOST:
    expect_success(pi.piextUSMHostAlloc(&pointer, in, none, size, 0));
    break;
  case USM_DEVICE:
    expect_success(pi.piextUSMDeviceAlloc(&pointer, in, the_device(), none, size, 0));
    break;
  case USM_SHARED:
    expect_success(pi.piextUSMSharedAlloc(&pointer, in, the_device(), none, size, 0));
    break;
  }
  expect(pointer, "an allocation that succeeded is NULL");
  release_later(pointer, release_usm);
  return pointer;
}

pi_platform_backend the_backend(void) {
  pi_platform_backend backend = PI_EXT_PLATFORM_BACKEND_UNKNOWN;
  expect_success(pi.piPlatformGetInfo(the_platform(), PI_EXT_PLATFORM_INFO_BACKEND, sizeof backend,
                                      &backend, NULL));
  return backend;
}

bool device_takes_il(void) {
  size_t size = 0;
  if (code_is_ptx())
    return true;
  expect_success(pi.piDeviceGetInfo(the_device(), PI_DEVICE_INFO_IL_VERSION, 0, NULL, &size));
  return size > 1;
}

pi_program new_program(module code) {
  pi_program program = NULL;
  if (!device_takes_il())
    skip_test("the device takes no IL");
  expect_success(pi.piProgramCreate(the_context(), code.bytes, code.size, &program));
  release_later(program, release_program);
  return program;
}

unsigned char *binary_of(pi_program program, size_t *size) {
  size_t sizes[DEVICES_MAX] = {0};
  unsigned char *list[DEVICES_MAX] = {NULL}; /* NULL for a binary that is not wanted */
  pi_uint32 count;
  the_devices(&count);
  expect_success(pi.piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, count * sizeof sizes[0],
                                     sizes, NULL));
  *size = sizes[count - 1];
  expect(*size > 0, "the binary is empty");
  list[count - 1] = malloc(*size);
  expect(list[count - 1], "no memory");
  expect_success(
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, count * sizeof list[0], list, NULL));
  return list[count - 1];
}

pi_program reload(pi_program program) {
  size_t size;
  unsigned char *binary = binary_of(program, &size);
  const unsigned char *list = binary;
  const pi_device device = the_device();
  pi_program loaded = NULL;
  pi_int32 status = 99;
  const pi_result result = pi.piProgramCreateWithBinary(the_context(), 1, &device, &size, &list, 0,
                                                        NULL, &status, &loaded);
  free(binary);
  expect_success(result);
  expect_equal(PI_SUCCESS, status);
  release_program_later(loaded);
  return loaded;
}

void build_program(pi_program program, const char *options) {
  const pi_device one = the_device();
  const pi_result result = pi.piProgramBuild(program, 1, &one, options, NULL, NULL);
  if (result == PI_SUCCESS)
    return;
  char log[4096] = "";
  pi.piProgramGetBuildInfo(program, one, PI_PROGRAM_BUILD_INFO_LOG, sizeof log - 1, log, NULL);
  fprintf(stderr, "build log: %s\n", log);
  expect(false, "piProgramBuild returned %d", result);
}

pi_program new_built_program(module code) {
  const pi_program program = new_program(code);
  build_program(program, NULL);
  return program;
}

const char *unoptimised_option(void) {
  const char *option = NULL;
  expect_success(pi.piPluginGetBackendOption(the_platform(), "-O0", &option));
  return option;
}

pi_kernel new_kernel(pi_program program, const char *name) {
  pi_kernel kernel = NULL;
  expect_success(pi.piKernelCreate(program, name, &kernel));
  release_later(kernel, release_kernel);
  return kernel;
}

void set_buffer(pi_kernel kernel, pi_uint32 index, pi_mem buffer) {
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_WRITE};
  expect_success(pi.piextKernelSetArgMemObj(kernel, index, &access, &buffer));
}

void run_kernel(pi_kernel kernel, size_t n) {
  const size_t offset[3] = {0, 0, 0};
  const size_t global[3] = {n, 1, 1};
  pi_event event = NULL;
  expect_success(
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 1, offset, global, NULL, 0, NULL, &event));
  expect_success(pi.piEventsWait(1, &event));
  expect_success(pi.piEventRelease(event));
}

bool is_built_only(pi_program program, const char *name) {
  if (!builds_only)
    return false;
  new_kernel(program, name);
  note_built();
  return true;
}

void run_for_output(pi_program program, const char *name, size_t n, size_t size, void *output) {
  memset(output, 0xff, size);
  const pi_mem buffer = new_buffer(size, output);
  const pi_kernel kernel = new_kernel(program, name);
  set_buffer(kernel, 0, buffer);
  run_kernel(kernel, n);
  read_buffer(buffer, size, output);
}
