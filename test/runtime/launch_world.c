#include "launch_world.h"

#include "../support/embed.h"

#include <stdlib.h>

SPECPI_EMBED(launch, "launch.spv")
SPECPI_EMBED(arguments, "launch_arguments.spv")
SPECPI_EMBED(launch_ptx, "launch.ptx")
SPECPI_EMBED(arguments_ptx, "launch_arguments.ptx")

typedef struct code {
  const unsigned char *begin;
  const unsigned char *end;
} code;

static const struct {
  code spirv;
  code ptx;
  const char *kernels[8];
} modules[] = {
    [WORLD_LAUNCH] = {{launch_begin, launch_end},
                      {launch_ptx_begin, launch_ptx_end},
                      {"scale", "stamp", "two_left", "emulated", "nothing", "positions"}},
    [WORLD_ARGUMENTS] = {{arguments_begin, arguments_end},
                         {arguments_ptx_begin, arguments_ptx_end},
                         {"values", "add", "group_sum", "from_constant", "fixed_group", "indirect",
                          "slow"}},
};

static specpi_bundle kept[COUNT_OF(modules)];

specpi_device world_device(void) {
  static specpi_device device;
  size_t count = 0;
  if (!device)
    WORKS(specpiDevicesGet(NULL, 1, &device, &count));
  if (!device)
    fail_msg("there is no device");
  return device;
}

bool world_is_cuda(void) {
  return specpiDeviceGetBackend(world_device()) == SPECPI_BACKEND_CUDA;
}

specpi_queue world_queue(unsigned flags) {
  specpi_queue queue;
  WORKS(specpiQueueCreate(world_device(), flags, &queue));
  return queue;
}

specpi_buffer world_buffer(size_t size, const void *bytes) {
  specpi_buffer buffer;
  unsigned char *zeros = calloc(1, size);
  assert_non_null(zeros);
  WORKS(specpiBufferCreate(world_device(), size, bytes ? bytes : zeros, &buffer));
  free(zeros);
  return buffer;
}

void world_read(specpi_queue queue, specpi_buffer buffer, void *bytes) {
  WORKS(specpiBufferRead(queue, buffer, 0, specpiBufferGetSize(buffer), bytes, 0, NULL, NULL));
}

/* Builds an image of that module with these entries. */
static specpi_result build(world_module module, pi_offload_entry entries, size_t entry_count,
                           pi_device_binary_property_set sets, size_t set_count,
                           specpi_bundle *ret) {
  const bool cuda = world_is_cuda();
  const code code = cuda ? modules[module].ptx : modules[module].spirv;
  const pi_device_binary_struct binary = {
      .Version = 2,
      .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
      .Format = cuda ? PI_DEVICE_BINARY_TYPE_NATIVE : PI_DEVICE_BINARY_TYPE_SPIRV,
      .DeviceTargetSpec = cuda ? PI_DEVICE_BINARY_TARGET_NVPTX64 : PI_DEVICE_BINARY_TARGET_SPIRV64,
      .CompileOptions = "",
      .LinkOptions = "",
      .BinaryStart = code.begin,
      .BinaryEnd = code.end,
      .EntriesBegin = entries,
      .EntriesEnd = entries + entry_count,
      .PropertySetsBegin = sets,
      .PropertySetsEnd = sets ? sets + set_count : NULL,
  };
  specpi_image image;
  WORKS(specpiImageCreate(&binary, &image));
  specpi_bundle input;
  WORKS(specpiBundleCreate(world_device(), 1, &image, &input));
  specpiImageRelease(image);
  const specpi_result result = specpiBundleBuild(input, NULL, ret);
  specpiBundleRelease(input);
  return result;
}

/* The names in pi.h's structures are not constant, though nobody writes to them. */
static char *name_of(const char *name) {
  return (char *)(uintptr_t)name;
}

specpi_bundle world_bundle(world_module module) {
  if (!kept[module]) {
    pi_offload_entry_struct entries[COUNT_OF(modules[0].kernels)] = {{0}};
    size_t count = 0;
    while (count < COUNT_OF(entries) && modules[module].kernels[count]) {
      entries[count].name = name_of(modules[module].kernels[count]);
      count++;
    }
    WORKS(build(module, entries, count, NULL, 0, &kept[module]));
  }
  return kept[module];
}

specpi_result world_try_bundle_with(world_module module, const char *kernel,
                                    pi_device_binary_property_set sets, size_t set_count,
                                    specpi_bundle *ret) {
  pi_offload_entry_struct entry = {.name = name_of(kernel)};
  return build(module, &entry, 1, sets, set_count, ret);
}

specpi_bundle world_bundle_with(world_module module, const char *kernel,
                                pi_device_binary_property_set sets, size_t set_count) {
  specpi_bundle bundle = NULL;
  WORKS(world_try_bundle_with(module, kernel, sets, set_count, &bundle));
  return bundle;
}

specpi_kernel world_kernel(world_module module, const char *name) {
  specpi_kernel kernel;
  WORKS(specpiKernelCreate(world_bundle(module), name, &kernel));
  return kernel;
}

int world_end(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT_OF(kept); i++) {
    specpiBundleRelease(kept[i]);
    kept[i] = NULL;
  }
  return 0;
}
