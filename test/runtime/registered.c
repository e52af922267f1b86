/*
 * A library that registers its device images, as a compiler makes it: it calls __sycl_register_lib
 * of whatever library has the function. Its second image is damaged.
 */
#include <pi/pi.h>

#include "../support/embed.h"

SPECPI_EMBED(library_report, "library_report.spv")

void __sycl_register_lib(pi_device_binaries binaries);
void __sycl_unregister_lib(pi_device_binaries binaries);

static char kernel[] = "from_library";
static pi_offload_entry_struct entries[] = {{.name = kernel}};
static pi_device_binary_struct images[2];
static pi_device_binaries_struct binaries = {
    .Version = PI_DEVICE_BINARIES_VERSION, .NumDeviceBinaries = 2, .DeviceBinaries = images};

__attribute__((constructor)) static void load(void) {
  images[0] = (pi_device_binary_struct){.Version = 2,
                                        .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                        .DeviceTargetSpec = PI_DEVICE_BINARY_TARGET_SPIRV64,
                                        .BinaryStart = library_report_begin,
                                        .BinaryEnd = library_report_begin +
                                                     SPECPI_EMBED_SIZE(library_report),
                                        .EntriesBegin = entries,
                                        .EntriesEnd = entries + 1};
  images[1] = images[0];
  images[1].Kind = 99;
  __sycl_register_lib(&binaries);
}

__attribute__((destructor)) static void unload(void) {
  __sycl_unregister_lib(&binaries);
}
