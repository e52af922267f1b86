/* The OpenCL plugin over the fake libOpenCL.so.1. */
#include "backend.h"

#include "../../fakes/opencl/fake_opencl.h"
#include "../../plugins/objects/driver.h"
#include "../../plugins/opencl/opencl.h"
#include "../support/embed.h"

SPECPI_EMBED(probe, "probe.spv")
SPECPI_EMBED(grouped, "group_decoration.spv")

/* A prefetch is a hint, so the plugin may enqueue a marker instead. */
static const backend_call hints[] = {{"piextUSMEnqueuePrefetch", "clEnqueueMigrateMemINTEL"},
                                     {NULL, NULL}};

/* A command whose call failed in the driver is not enqueued. */
static const char *const late[] = {NULL};

static const char *const modest[] = {NULL};

static const backend_call releases[] = {
    {"piDeviceRelease", "clReleaseDevice"},      {"piContextRelease", "clReleaseContext"},
    {"piQueueRelease", "clReleaseCommandQueue"}, {"piMemRelease", "clReleaseMemObject"},
    {"piProgramRelease", "clReleaseProgram"},    {"piKernelRelease", "clReleaseKernel"},
    {"piEventRelease", "clReleaseEvent"},        {"piSamplerRelease", "clReleaseSampler"},
    {"piextUSMFree", "clMemBlockingFreeINTEL"},  {NULL, NULL}};

/* PI has OpenCL's status codes. */
const backend_info backend = {
    .sub_devices = true,
    .host_pipes = true,
    .function_pointers = true,
    .native_platforms = true,
    .native_programs = true,
    .native_unbuilt_programs = true,
    .failures = {{CL_OUT_OF_RESOURCES, PI_ERROR_OUT_OF_RESOURCES},
                 {CL_OUT_OF_HOST_MEMORY, PI_ERROR_OUT_OF_HOST_MEMORY}},
    .partition = {PI_DEVICE_PARTITION_EQUALLY, 2, 0},
    .hints = hints,
    .late = late,
    .modest = modest,
    .releases = releases,
    .replay = "clEnqueueNDRangeKernel",
    .replay_each_launch = true,
    .load_allocates = true,
};

const void *backend_code(void) {
  return probe_begin;
}

size_t backend_code_size(void) {
  return SPECPI_EMBED_SIZE(probe);
}

/* A program whose ids are in a decoration group, which not every driver knows. */
const void *backend_other_code(void) {
  return grouped_begin;
}

size_t backend_other_code_size(void) {
  return SPECPI_EMBED_SIZE(grouped);
}

void driver_fail(const char *call, unsigned long nth, int code) {
  fake_opencl_fail(call, nth, code);
}

const char *driver_unfail(void) {
  return fake_opencl_unfail();
}

unsigned long driver_calls(const char *call) {
  return fake_opencl_calls(call);
}

size_t driver_live(void) {
  return fake_opencl_live_all();
}

size_t driver_list(char *text, size_t size) {
  return fake_opencl_list(text, size);
}

bool backend_load(void) {
  return driver_load();
}

const char *const backend_needed_calls[] = {"clGetPlatformIDs", NULL};
/* If the plugin cannot read a platform's version, it treats the platform as the least able one. */
const char *const backend_helpful_calls[] = {"clGetPlatformInfo", NULL};
const char *const backend_repeated_calls[] = {NULL};
