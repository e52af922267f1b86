/* The Level Zero plugin over the fake driver, libze_specpi_cpu.so, through the real loader. */
#include "backend.h"

#include "../../fakes/level_zero/fake_ze.h"
#include "../../plugins/level_zero/driver.h"
#include "../../plugins/objects/driver.h"
#include "../support/embed.h"

SPECPI_EMBED(probe, "probe_level_zero.spv")
SPECPI_EMBED(grouped, "group_decoration.spv")

/*
 * Without the device's clock a command has no times. A device without a status counts as absent,
 * and one without memory properties imports nothing. A build's log is optional. If a query of an
 * event or a wait for it fails, its command has failed, or nothing can be released yet.
 */
static const backend_call hints[] = {
    {"*", "zeDeviceGetGlobalTimestamps"},
    {"*", "zeDeviceGetStatus"},
    {"*", "zeDeviceGetExternalMemoryProperties"},
    {"*", "zeEventQueryStatus"},
    {"*", "zeEventHostSynchronize"},
    {"*", "zeModuleBuildLogGetString"},
    {"piEnqueueMemBufferMap", "zeMemAllocHost"},
    {"first_map", "zeMemAllocHost"},
    {"piextCommandBufferRelease", "zeCommandQueueSynchronize"},
    {"*", "zeFenceQueryStatus"},
    {"piQueueRelease", "zeCommandQueueSynchronize"},
    {"piextUSMFree", "zeCommandQueueSynchronize"},
    {"piextUSMFree", "zeEventHostReset"},
    {"piextUSMFree", "zeCommandListAppendBarrier"},
    {"piextUSMFree", "zeCommandListAppendSignalEvent"},
    {NULL, NULL},
};

/* Calls after a command that is already in a command list, which cannot take it back. */
static const char *const late[] = {"zeEventHostSynchronize", "zeCommandQueueSynchronize",
                                   "zeCommandQueueExecuteCommandLists", "zeFenceHostSynchronize",
                                   NULL};

/* These keep a build's log only if there is memory for it. */
static const char *const modest[] = {"piProgramBuild", "piProgramCompile", "piProgramLink",
                                     "piProgramCreateWithBinary", NULL};

/* A command list that holds only a part of a command is useless. */
static const char *const spoils[] = {"piextCommandBufferFinalize", "piextCommandBufferPrefetchUSM",
                                     "piextCommandBufferAdviseUSM", NULL};

static const backend_call releases[] = {{"piextUSMFree", "zeMemFree"}, {NULL, NULL}};

const backend_info backend = {
    .sub_devices = true,
    .bindless_images = true,
    .bindless_samplers = true,
    .external_memory = true,
    .external_semaphores = true,
    .peers = true,
    .usm_import = true,
    .empty_queues = true,
    .odd_slices = true,
    .function_pointers = true,
    .native_platforms = true,
    .native_programs = true,
    .failures = {{ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, PI_ERROR_OUT_OF_RESOURCES},
                 {ZE_RESULT_ERROR_UNKNOWN, PI_ERROR_UNKNOWN}},
    .partition = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                  PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0},
    .hints = hints,
    .late = late,
    .modest = modest,
    .spoils = spoils,
    .releases = releases,
    .replay = "zeCommandQueueExecuteCommandLists",
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
  fake_ze_fail(call, nth, (ze_result_t)code);
}

const char *driver_unfail(void) {
  return fake_ze_unfail();
}

unsigned long driver_calls(const char *call) {
  return fake_ze_calls(call);
}

/* Leaves out lists, fences, events and event pools, which live as long as a queue or context. */
size_t driver_live(void) {
  return fake_ze_live_all() - fake_ze_live(FAKE_LIST) - fake_ze_live(FAKE_FENCE) -
         fake_ze_live(FAKE_POOL) - fake_ze_live(FAKE_EVENT);
}

size_t driver_list(char *text, size_t size) {
  return fake_ze_list(text, size);
}

bool backend_load(void) {
  return driver_load();
}

const char *const backend_needed_calls[] = {"zeInit", NULL};
const char *const backend_helpful_calls[] = {NULL};
const char *const backend_repeated_calls[] = {"zeDriverGet",
                                              "zeDriverGetApiVersion",
                                              "zeDriverGetExtensionProperties",
                                              "zeDeviceGet",
                                              "zeDeviceGetSubDevices",
                                              "zeDeviceGetProperties",
                                              "zeDeviceGetComputeProperties",
                                              "zeDeviceGetModuleProperties",
                                              "zeDeviceGetCommandQueueGroupProperties",
                                              NULL};
