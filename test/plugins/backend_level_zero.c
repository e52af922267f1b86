/* The Level Zero plugin over the fake driver, libze_specpi_cpu.so, through the real loader. */
#define _DEFAULT_SOURCE /* usleep */
#include "../level_zero/world.h"

#include "../../plugins/level_zero/device.h"
#include "../../plugins/level_zero/image_format.h"
#include "../../plugins/level_zero/queue.h"
#include "../support/embed.h"

#include <unistd.h>

SPECPI_EMBED(kernels, "plugin_kernels.spv")

static const pi_device_info queries[] = {PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH,
                                         PI_DEVICE_INFO_GLOBAL_MEM_SIZE,
                                         PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE,
                                         PI_DEVICE_INFO_USM_HOST_SUPPORT,
                                         PI_DEVICE_INFO_DRIVER_VERSION,
                                         PI_DEVICE_INFO_EXTENSIONS,
                                         PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH};

const backend_info backend = {
    .name = "level_zero",
    .max_alignment = 65536,
    .platform = PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO,
    .platform_name = "Level",
    .refused_queries = {1, 24},
    .driver_queries = queries,
    .driver_query_count = sizeof queries / sizeof queries[0],
    .native_platforms = true,
    .chooses_engines = true,
    .records_parts = true,
    .counts_memory_together = true,
    .frees_later = true,
    .spreads_failures = true,
    .pools_commands = true,
    .call = {.copy = "zeCommandListAppendMemoryCopy",
             .create_image = "zeImageCreate",
             .prefetch = "zeCommandListAppendMemoryPrefetch",
             .advise = "zeCommandListAppendMemAdvise"},
};

unsigned long driver_calls(const char *call) {
  return fake_ze_calls(call);
}

size_t driver_live(driver_kind kind) {
  static const fake_kind kinds[] = {
      [DRIVER_MEMORY] = FAKE_MEMORY,     [DRIVER_HOST] = FAKE_MEMORY, [DRIVER_SHARED] = FAKE_MEMORY,
      [DRIVER_REGISTERED] = FAKE_IMPORT, [DRIVER_IMAGE] = FAKE_IMAGE, [DRIVER_RUN] = FAKE_QUEUE,
      [DRIVER_CONTEXT] = FAKE_CONTEXT,   [DRIVER_EVENT] = FAKE_EVENT};
  return fake_ze_live(kinds[kind]);
}

size_t driver_live_all(void) {
  return fake_ze_live_all();
}

void driver_fail(const char *call, unsigned long nth) {
  fake_ze_fail(call, nth, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

const char *driver_unfail(void) {
  return fake_ze_unfail();
}

pi_uint32 backend_to_report(void) {
  return PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO;
}

const void *backend_kernels(void) {
  return kernels_begin;
}

size_t backend_kernels_size(void) {
  return SPECPI_EMBED_SIZE(kernels);
}

bool barriers_end_alone(pi_queue queue) {
  return queue->driver.copy_lane == QUEUE_COPY;
}

bool device_is_integrated(void) {
  return w.device->driver.properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
}

bool device_moves_memory(void) {
  return true;
}

bool driver_imports_memory(void) {
  return w.platform->driver.extensions.ImportExternalPointer;
}

bool driver_has_format(const pi_image_format *format, bool is_writable) {
  image_form form = {.format = *format};
  ze_image_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC, .type = ZE_IMAGE_TYPE_2D, .width = 1, .height = 1};
  ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
  must(image_pixel_read(format, is_writable, &form.pixel));
  desc.format = image_format_of(&form);
  driver(ze.ImageGetProperties(w.device->driver.device, &desc, &properties));
  return properties.samplerFilterFlags != 0;
}

size_t driver_size_of(const void *memory) {
  void *base = NULL;
  size_t size = 0;
  driver(ze.MemGetAddressRange(w.context->driver.context, memory, &base, &size));
  return size;
}

void driver_finish(void) {}

/* A queue with pending commands ends after them, so this may take a moment. */
static size_t wait_for_end(void) {
  for (int i = 0; i < 3000 && fake_ze_live_all() != 0; i++)
    usleep(1000);
  return fake_ze_live_all();
}

/* Leaves out events, which are many, and end with their pools. */
static void print_left(void) {
  static char left[1 << 18];
  fake_ze_list(left, sizeof left);
  for (char *line = strtok(left, "\n"); line; line = strtok(NULL, "\n"))
    if (strncmp(line, "event ", 6) != 0 || strncmp(line, "event pool", 10) == 0)
      print_error("left in the driver: %s\n", line);
}

bool driver_is_clean(void) {
  char fault[512];
  if (wait_for_end() != 0) {
    print_left();
    return false;
  }
  if (fake_ze_fault(fault, sizeof fault) == 0)
    return true;
  print_error("a command failed: %s\n", fault);
  return false;
}

bool is_batching(void) {
  const char *word = getenv("SPECPI_LEVEL_ZERO_COMMAND_LISTS");
  return word && strcmp(word, "batch") == 0;
}
