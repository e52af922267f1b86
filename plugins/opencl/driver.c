#include "driver.h"

#include "../base/digits.h"
#include "../base/load.h"
#include "../base/side_table.h"
#include "../objects/driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

opencl_driver cl;
cl_uint opencl_platform_count;
cl_platform_id *opencl_platforms;

/* Extension functions, one table per platform in the order of opencl_platforms. */
static opencl_extensions *platform_extensions;
static const opencl_extensions no_extensions;

static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static const char library_name[] = "libOpenCL.so.1";

static const load_symbol driver_symbols[] = {
#define OPENCL_SYMBOL(name) {"cl" #name, true, offsetof(opencl_driver, name)},
    OPENCL_REQUIRED(OPENCL_SYMBOL)
#undef OPENCL_SYMBOL
#define OPENCL_SYMBOL(name) {"cl" #name, false, offsetof(opencl_driver, name)},
        OPENCL_OPTIONAL(OPENCL_SYMBOL)
#undef OPENCL_SYMBOL
};

static const struct {
  const char *symbol;
  size_t offset;
} extension_symbols[] = {
#define OPENCL_SYMBOL(name, type, symbol) {symbol, offsetof(opencl_extensions, name)},
    OPENCL_EXTENSIONS(OPENCL_SYMBOL)
#undef OPENCL_SYMBOL
};

static bool load_symbols(void *library) {
  opencl_driver loaded = {0};
  if (!load_functions(library, library_name, driver_symbols,
                      sizeof driver_symbols / sizeof driver_symbols[0], &loaded))
    return false;
  cl = loaded;
  return true;
}

unsigned opencl_version_of_text(const char *text) {
  static const char prefix[] = "OpenCL ";
  if (strncmp(text, prefix, sizeof prefix - 1) != 0)
    return 0;
  uint64_t major, minor;
  text += sizeof prefix - 1;
  return digits_read(&text, NULL, 9, &major) && *text++ == '.' &&
                 digits_read(&text, NULL, 9, &minor)
             ? (unsigned)(major * 100 + minor * 10)
             : 0;
}

static unsigned platform_version(cl_platform_id platform) {
  char text[256] = "";
  if (cl.GetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, NULL) != CL_SUCCESS)
    return 0;
  return opencl_version_of_text(text);
}

static void load_extensions(cl_platform_id platform, opencl_extensions *extensions) {
  extensions->version = platform_version(platform);
  for (size_t i = 0; i < sizeof extension_symbols / sizeof extension_symbols[0]; i++)
    load_store(extensions, extension_symbols[i].offset,
               cl.GetExtensionFunctionAddressForPlatform(platform, extension_symbols[i].symbol));
}

static void load_platforms(void) {
  cl_uint count = 0;
  const cl_int code = cl.GetPlatformIDs(0, NULL, &count);
  if (code != CL_SUCCESS || count == 0) {
    /* -1001 is CL_PLATFORM_NOT_FOUND_KHR: the ICD loader works but finds no driver. */
    load_refuse(PI_SUCCESS, "%s knows no OpenCL driver (clGetPlatformIDs: %d, %u platforms)",
                library_name, code, count);
    return;
  }
  cl_platform_id *platforms = calloc(count, sizeof *platforms);
  opencl_extensions *extensions = calloc(count, sizeof *extensions);
  if (!platforms || !extensions || cl.GetPlatformIDs(count, platforms, NULL) != CL_SUCCESS) {
    load_refuse(PI_SUCCESS, "the OpenCL platforms could not be listed");
    free(platforms);
    free(extensions);
    return;
  }
  for (cl_uint i = 0; i < count; i++)
    load_extensions(platforms[i], &extensions[i]);
  opencl_platforms = platforms;
  platform_extensions = extensions;
  opencl_platform_count = count;
}

static void load_driver(void) {
  void *library = load_library(library_name);
  if (library && load_symbols(library))
    load_platforms();
}

bool driver_load(void) {
  pthread_once(&load_once, load_driver);
  return opencl_platform_count != 0;
}

const opencl_extensions *opencl_extensions_of_platform(cl_platform_id platform) {
  for (cl_uint i = 0; i < opencl_platform_count; i++)
    if (opencl_platforms[i] == platform)
      return &platform_extensions[i];
  return &no_extensions;
}

const opencl_extensions *opencl_extensions_of_device(cl_device_id device) {
  if (opencl_platform_count == 1)
    return &platform_extensions[0];
  cl_platform_id platform;
  if (cl.GetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS)
    return &no_extensions;
  return opencl_extensions_of_platform(platform);
}

size_t opencl_devices_of_context(cl_context context,
                                 cl_device_id devices[OPENCL_CONTEXT_DEVICES_MAX]) {
  const size_t room = OPENCL_CONTEXT_DEVICES_MAX * sizeof devices[0];
  size_t size = 0;
  if (cl.GetContextInfo(context, CL_CONTEXT_DEVICES, room, devices, &size) != CL_SUCCESS)
    return 0;
  return size / sizeof devices[0];
}

/* Returns the extensions of the context's first device, because all its devices belong to one
 * platform. */
static const opencl_extensions *ask_extensions(cl_context context) {
  cl_device_id devices[OPENCL_CONTEXT_DEVICES_MAX];
  if (opencl_devices_of_context(context, devices) == 0)
    return &no_extensions;
  return opencl_extensions_of_device(devices[0]);
}

/*
 * The extensions of each context that came through PI, if there are several platforms. A launch
 * then needs one query of the driver instead of three. The entry of a context that has ended stays
 * until another context gets its address. A context without an entry, for lack of memory, is
 * queried.
 */
static side_table context_extensions;
static pthread_mutex_t context_lock = PTHREAD_MUTEX_INITIALIZER;

void opencl_context_known(cl_context context) {
  if (opencl_platform_count == 1)
    return;
  const opencl_extensions *extensions = ask_extensions(context);
  pthread_mutex_lock(&context_lock);
  if (side_table_find(&context_extensions, context) != extensions) {
    side_table_remove(&context_extensions, context);
    side_table_put(&context_extensions, context, (void *)extensions);
  }
  pthread_mutex_unlock(&context_lock);
}

const opencl_extensions *opencl_extensions_of_context(cl_context context) {
  if (opencl_platform_count == 1)
    return &platform_extensions[0];
  const opencl_extensions *known = side_table_find(&context_extensions, context);
  return known ? known : ask_extensions(context);
}

const opencl_extensions *opencl_extensions_of_queue(cl_command_queue queue) {
  if (opencl_platform_count == 1)
    return &platform_extensions[0];
  cl_context context;
  if (cl.GetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS)
    return &no_extensions;
  return opencl_extensions_of_context(context);
}

const opencl_extensions *opencl_extensions_of_kernel(cl_kernel kernel) {
  if (opencl_platform_count == 1)
    return &platform_extensions[0];
  cl_context context;
  if (cl.GetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS)
    return &no_extensions;
  return opencl_extensions_of_context(context);
}
