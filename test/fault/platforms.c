/* Three platforms with different abilities; see fake_opencl.h. */
#include "check.h"
#include "world.h"

#include "../../fakes/opencl/fake_opencl.h"

#include <string.h>

typedef struct platform {
  pi_platform handle;
  pi_device device;
  pi_context context;
  pi_queue queue;
} platform;

static platform platforms[FAKE_PLATFORMS_MAX];

static int open_platforms(void **state) {
  (void)state;
  pi_platform handles[FAKE_PLATFORMS_MAX];
  pi_uint32 count = 0;
  must(piPlatformsGet(FAKE_PLATFORMS_MAX, handles, &count));
  assert_int_equal(count, FAKE_PLATFORMS_MAX);
  for (size_t i = 0; i < FAKE_PLATFORMS_MAX; i++) {
    platform *p = &platforms[i];
    p->handle = handles[i];
    must(piDevicesGet(p->handle, PI_DEVICE_TYPE_ALL, 1, &p->device, NULL));
    must(piContextCreate(NULL, 1, &p->device, NULL, NULL, &p->context));
    must(piQueueCreate(p->context, p->device, 0, &p->queue));
  }
  return 0;
}

static int close_platforms(void **state) {
  (void)state;
  for (size_t i = 0; i < FAKE_PLATFORMS_MAX; i++) {
    must(piQueueRelease(platforms[i].queue));
    must(piContextRelease(platforms[i].context));
  }
  return fake_opencl_live_all() == 0 ? 0 : -1;
}

/* Expects the call to fail with the code, and with a message that contains the text. */
static void expect_failure(pi_result result, pi_result code, const char *text) {
  const char *sentence;
  plugin_error_last(&sentence);
  if (result != code || !strstr(sentence, text))
    fail_with("%s (%d): \"%s\", and not %s with \"%s\"", enumerator_name("pi_result", result),
              (int)result, sentence, enumerator_name("pi_result", code), text);
}

/* Fails the test unless the expression calls a function of the driver once. */
#define CALLS(name, expression)                                                                    \
  do {                                                                                             \
    const unsigned long calls_before = fake_opencl_calls(name);                                    \
    must(expression);                                                                              \
    assert_int_equal(fake_opencl_calls(name), calls_before + 1);                                   \
  } while (0)

/* The fake driver's functions refuse objects of another platform. */
TEST(usm_calls_reach_their_platform) {
  const size_t with[] = {FAKE_PLATFORM_FULL, FAKE_PLATFORM_MIDDLE};
  for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
    platform *p = &platforms[with[i]];
    void *host;
    void *device;
    void *shared;
    pi_uint32 type = 0;
    must(piextUSMHostAlloc(&host, p->context, NULL, 64, 0));
    must(piextUSMDeviceAlloc(&device, p->context, p->device, NULL, 64, 0));
    must(piextUSMSharedAlloc(&shared, p->context, p->device, NULL, 64, 0));
    must(piextUSMEnqueueMemset(p->queue, host, 0x5a, 64, 0, NULL, NULL));
    must(piextUSMEnqueueMemcpy(p->queue, PI_TRUE, shared, host, 64, 0, NULL, NULL));
    assert_int_equal(((unsigned char *)shared)[63], 0x5a);
    must(piextUSMEnqueuePrefetch(p->queue, shared, 64, 0, 0, NULL, NULL));
    must(piextUSMGetMemAllocInfo(p->context, device, PI_MEM_ALLOC_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, PI_MEM_TYPE_DEVICE);
    must(piextUSMFree(p->context, host));
    must(piextUSMFree(p->context, device));
    must(piextUSMFree(p->context, shared));
  }
}

TEST(usm_is_refused_where_it_is_missing) {
  platform *p = &platforms[FAKE_PLATFORM_OLD];
  void *pointer = &platforms;
  char bytes[64] = "";
  pi_uint64 support = 1;
  expect_failure(piextUSMHostAlloc(&pointer, p->context, NULL, 64, 0), PI_ERROR_UNSUPPORTED_FEATURE,
                 "cl_intel_unified_shared_memory");
  expect_failure(piextUSMDeviceAlloc(&pointer, p->context, p->device, NULL, 64, 0),
                 PI_ERROR_UNSUPPORTED_FEATURE, "cl_intel_unified_shared_memory");
  expect_failure(piextUSMSharedAlloc(&pointer, p->context, p->device, NULL, 64, 0),
                 PI_ERROR_UNSUPPORTED_FEATURE, "cl_intel_unified_shared_memory");
  assert_ptr_equal(pointer, &platforms);
  expect_failure(piextUSMFree(p->context, bytes), PI_ERROR_UNSUPPORTED_FEATURE,
                 "cl_intel_unified_shared_memory");
  expect_failure(piextUSMEnqueueMemset(p->queue, bytes, 1, 64, 0, NULL, NULL),
                 PI_ERROR_UNSUPPORTED_FEATURE, "cl_intel_unified_shared_memory");
  expect_failure(piextUSMEnqueueMemcpy(p->queue, PI_TRUE, bytes, bytes + 32, 32, 0, NULL, NULL),
                 PI_ERROR_UNSUPPORTED_FEATURE, "cl_intel_unified_shared_memory");
  pi_uint32 type = 0;
  must(piextUSMGetMemAllocInfo(p->context, bytes, PI_MEM_ALLOC_TYPE, sizeof type, &type, NULL));
  assert_int_equal(type, PI_MEM_TYPE_UNKNOWN);
  expect_failure(
      piextUSMGetMemAllocInfo(p->context, bytes, PI_MEM_ALLOC_SIZE, sizeof support, &support, NULL),
      PI_ERROR_UNSUPPORTED_FEATURE, "cl_intel_unified_shared_memory");
  must(piDeviceGetInfo(p->device, PI_DEVICE_INFO_USM_HOST_SUPPORT, sizeof support, &support, NULL));
  assert_int_equal(support, 0);
}

/* To find an object's platform, a call makes one more call of the driver. */
TEST(finding_the_platform_takes_one_driver_call) {
  platform *p = &platforms[FAKE_PLATFORM_MIDDLE];
  pi_program program;
  pi_kernel kernel;
  void *pointer = NULL;
  must(piProgramCreate(p->context, backend_code(), backend_code_size(), &program));
  must(piProgramBuild(program, 1, &p->device, "", NULL, NULL));
  must(piKernelCreate(program, "probe", &kernel));
  must(piextUSMSharedAlloc(&pointer, p->context, p->device, NULL, 64, 0));
  unsigned long before = fake_opencl_calls(NULL);
  must(piextKernelSetArgPointer(kernel, 0, sizeof pointer, &pointer));
  assert_int_equal(fake_opencl_calls(NULL), before + 2);
  before = fake_opencl_calls(NULL);
  must(piextUSMEnqueueMemset(p->queue, pointer, 0, 64, 0, NULL, NULL));
  assert_int_equal(fake_opencl_calls(NULL), before + 2);
  must(piextUSMFree(p->context, pointer));
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
}

TEST(opencl_3_0_takes_il_with_constants) {
  pi_program program;
  const pi_uint32 value = WORLD_CONSTANT;
  CALLS("clCreateProgramWithIL", piProgramCreate(platforms[FAKE_PLATFORM_FULL].context,
                                                 backend_code(), backend_code_size(), &program));
  must(piextProgramSetSpecializationConstant(program, 0, sizeof value, &value));
  must(piProgramRelease(program));
}

/* cl_khr_il_program takes IL, but its constants keep their defaults. */
TEST(the_extension_takes_il_without_constants) {
  platform *p = &platforms[FAKE_PLATFORM_MIDDLE];
  const pi_uint32 value = WORLD_CONSTANT;
  const pi_uint32 five = 5;
  const unsigned char itt = 1;
  const size_t one = 1;
  const size_t local[3] = {64, 1, 1};
  pi_uint32 size = 0;
  pi_program program;
  pi_kernel kernel;
  CALLS("clCreateProgramWithILKHR",
        piProgramCreate(p->context, backend_code(), backend_code_size(), &program));
  expect_failure(piextProgramSetSpecializationConstant(program, 0, sizeof value, &value),
                 PI_ERROR_UNSUPPORTED_FEATURE, "OpenCL 2.2");
  must(piextProgramSetSpecializationConstant(program, PI_SPEC_ID_ITT, sizeof itt, &itt));
  must(piProgramBuild(program, 1, &p->device, "", NULL, NULL));
  must(piKernelCreate(program, "probe", &kernel));
  CALLS("clGetKernelSubGroupInfoKHR",
        piKernelGetSubGroupInfo(kernel, p->device, PI_KERNEL_MAX_SUB_GROUP_SIZE, sizeof local,
                                local, sizeof size, &size, NULL));
  fake_opencl_record *records;
  must(piextUSMSharedAlloc((void **)&records, p->context, p->device, NULL, 4096, 0));
  CALLS("clSetKernelArgMemPointerINTEL",
        piextKernelSetArgPointer(kernel, 0, sizeof records, &records));
  must(piKernelSetArg(kernel, 1, sizeof five, &five));
  must(piEnqueueKernelLaunch(p->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  assert_int_equal(records[1].what, 0);
  assert_int_equal(records[1].value, WORLD_DEFAULT);
  must(piextUSMFree(p->context, records));

  /* A recorded kernel is a copy, which needs OpenCL 2.1. */
  const pi_ext_command_buffer_desc desc = {.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC};
  pi_ext_command_buffer buffer;
  must(piextCommandBufferCreate(p->context, p->device, &desc, &buffer));
  expect_failure(
      piextCommandBufferNDRangeKernel(buffer, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
      PI_ERROR_UNSUPPORTED_FEATURE, "clCloneKernel");
  must(piextCommandBufferRelease(buffer));
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
}

TEST(il_is_refused_where_it_is_missing) {
  pi_program program = NULL;
  expect_failure(piProgramCreate(platforms[FAKE_PLATFORM_OLD].context, backend_code(),
                                 backend_code_size(), &program),
                 PI_ERROR_INVALID_OPERATION,
                 "OpenCL 1.2 without cl_khr_il_program; specpi ls --verbose says which devices");
  assert_null(program);
}

/* For objects that newer functions create, OpenCL 1.2 has older functions. */
TEST(opencl_1_2_uses_older_functions) {
  platform *p = &platforms[FAKE_PLATFORM_OLD];
  pi_queue queue;
  pi_sampler sampler;
  pi_mem memory;
  uint64_t time = 0;
  const pi_sampler_properties linear[] = {PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                          PI_SAMPLER_FILTER_MODE_LINEAR, 0};
  CALLS("clCreateCommandQueue", piQueueCreate(p->context, p->device, 0, &queue));
  must(piQueueRelease(queue));
  CALLS("clCreateSampler", piSamplerCreate(p->context, linear, &sampler));
  must(piSamplerRelease(sampler));
  CALLS("clCreateBuffer",
        piMemBufferCreate(p->context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &memory, NULL));
  must(piMemRelease(memory));
  expect_failure(piGetDeviceAndHostTimer(p->device, &time, &time), PI_ERROR_INVALID_OPERATION,
                 "OpenCL 2.1");
  assert_int_equal(time, 0);
}

/* The order in which deleters were called, and whether they could still use their context. */
typedef struct deletions {
  pi_context context;
  int order[4];
  int count;
  bool usable;
} deletions;

static deletions seen;

static void note(int number) {
  pi_uint32 devices = 0;
  seen.order[seen.count++] = number;
  seen.usable = piContextGetInfo(seen.context, PI_CONTEXT_INFO_NUM_DEVICES, sizeof devices,
                                 &devices, NULL) == PI_SUCCESS &&
                devices == 1;
}

static void first_deleter(void *user_data) {
  assert_ptr_equal(user_data, &seen);
  note(1);
}

static void second_deleter(void *user_data) {
  assert_null(user_data);
  note(2);
}

/* The driver has no callback for a context's end, so the plugin watches for the last release. */
TEST(deleters_run_without_a_driver_callback) {
  platform *p = &platforms[FAKE_PLATFORM_OLD];
  pi_context other;
  seen = (deletions){0};
  must(piContextCreate(NULL, 1, &p->device, NULL, NULL, &seen.context));
  must(piContextCreate(NULL, 1, &p->device, NULL, NULL, &other));
  must(piextContextSetExtendedDeleter(seen.context, first_deleter, &seen));
  must(piextContextSetExtendedDeleter(seen.context, second_deleter, NULL));
  must(piContextRetain(seen.context));
  must(piContextRelease(seen.context));
  must(piContextRelease(other));
  assert_int_equal(seen.count, 0);
  must(piContextRelease(seen.context));
  assert_int_equal(seen.count, 2);
  assert_int_equal(seen.order[0], 2);
  assert_int_equal(seen.order[1], 1);
  assert_true(seen.usable);
}

/* A context cannot have devices of two platforms, nor a queue a device of another platform. */
TEST(platforms_refuse_each_other_s_devices) {
  const pi_device two[] = {platforms[0].device, platforms[1].device};
  pi_context context = NULL;
  expect_failure(piContextCreate(NULL, 2, two, NULL, NULL, &context), PI_ERROR_INVALID_DEVICE,
                 "clCreateContext");
  pi_queue queue = NULL;
  expect_failure(piQueueCreate(platforms[0].context, platforms[2].device, 0, &queue),
                 PI_ERROR_INVALID_DEVICE, "clCreateCommandQueue");
  for (size_t i = 0; i < FAKE_PLATFORMS_MAX; i++) {
    pi_platform of_context = NULL;
    must(piContextGetInfo(platforms[i].context, PI_CONTEXT_INFO_PLATFORM, sizeof of_context,
                          &of_context, NULL));
    assert_ptr_equal(of_context, platforms[i].handle);
  }
}

/* The plugin checks ranges itself, with the same message everywhere. */
TEST(ranges_outside_the_buffer_are_refused) {
  const platform *p = &platforms[0];
  pi_mem buffer;
  pi_mem part = NULL;
  must(piMemBufferCreate(p->context, PI_MEM_FLAGS_ACCESS_RW, 96, NULL, &buffer, NULL));
  static const struct {
    size_t offset, size;
    const char *text;
  } rows[] = {
      {0, 99, "99 bytes from offset 0 on are not all inside of the buffer, which has 96"},
      {96, 3, "3 bytes from offset 96 on are not all inside of the buffer, which has 96"},
      {90, SIZE_MAX / 3 * 3, "from offset 90 on are not all inside of the buffer, which has 96"},
      {SIZE_MAX / 3 * 3, 3, "on are not all inside of the buffer, which has 96"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    pi_buffer_region_struct region = {rows[i].offset, rows[i].size};
    expect_failure(piMemBufferPartition(buffer, PI_MEM_FLAGS_ACCESS_RW,
                                        PI_BUFFER_CREATE_TYPE_REGION, &region, &part),
                   PI_ERROR_INVALID_VALUE, rows[i].text);
    /* No driver has a command for patterns of three bytes. */
    expect_failure(piEnqueueMemBufferFill(p->queue, buffer, "abc", 3, rows[i].offset, rows[i].size,
                                          0, NULL, NULL),
                   PI_ERROR_INVALID_VALUE, rows[i].text);
  }
  assert_null(part);
  must(piEnqueueMemBufferFill(p->queue, buffer, "abc", 3, 90, 6, 0, NULL, NULL));
  must(piQueueFinish(p->queue));
  must(piMemRelease(buffer));
}

int main(void) {
  return tests_run(open_platforms, close_platforms);
}
