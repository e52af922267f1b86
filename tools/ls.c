/* specpi ls: lists platforms and devices, in the format of sycl-ls. */
#include "adapters.h"
#include "constants.h"
#include "device_facts.h"
#include "doctor_adapters.h"
#include "json.h"
#include "release.h"
#include "runtime.h"
#include "terminal.h"
#include "tool.h"

#include "../plugins/base/nearest.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "Usage: specpi ls [--json] [--verbose]\n"
    "Lists the devices that ONEAPI_DEVICE_SELECTOR chooses, all of them when it is not set.\n"
    "The second pair of brackets selects the device alone; of several the one that programs of\n"
    "libspecpi take without a wish of their own is marked. A last line has the name that NVIDIA's\n"
    "GPUs have in SYCL programs. The exit status is 1 if there is no device.\n"
    "\n"
    "  --json         print everything as one JSON object\n"
    "  -v, --verbose  print the platforms with their devices too, the code in which constants are\n"
    "                 native on a device, its sizes of groups and of memory, and its extensions;\n"
    "                 adapters, and the SYCL runtimes that programs find\n"
    "  -h, --help     print this text\n";

static void print_verbose_device(specpi_device device) {
  printf("        Device [%s]:\n", specpiDeviceGetSelector(device));
  printf("        Type       : %s\n", specpiDeviceGetTypeName(device));
  printf("        Version    : %s\n", specpiDeviceGetVersion(device));
  printf("        Name       : %s\n", specpiDeviceGetName(device));
  printf("        Vendor     : %s\n", specpiDeviceGetVendor(device));
  printf("        Driver     : %s\n", specpiDeviceGetDriverVersion(device));
  const char *code = constants_code(device);
  if (code)
    printf("        Constants  : native in %s\n", code);
  else
    printf("        Constants  : none; the device %s\n", CONSTANTS_NO_CODE);
  device_facts_print(device);
}

/* Prints platforms and their devices. devices must be grouped by platform. */
static void print_verbose(const specpi_device *devices, size_t count) {
  size_t platforms = 0;
  for (size_t i = 0; i < count; i++)
    platforms +=
        i == 0 || specpiDeviceGetPlatform(devices[i]) != specpiDeviceGetPlatform(devices[i - 1]);
  printf("\nPlatforms: %zu\n", platforms);

  size_t number = 0;
  for (size_t i = 0; i < count;) {
    specpi_platform platform = specpiDeviceGetPlatform(devices[i]);
    size_t end = i;
    while (end < count && specpiDeviceGetPlatform(devices[end]) == platform)
      end++;
    printf("Platform [#%zu]:\n", ++number);
    printf("    Version  : %s\n", specpiPlatformGetVersion(platform));
    printf("    Name     : %s\n", specpiPlatformGetName(platform));
    printf("    Vendor   : %s\n", specpiPlatformGetVendor(platform));
    printf("    Devices  : %zu\n", end - i);
    for (; i < end; i++)
      print_verbose_device(devices[i]);
  }
}

static bool has_cuda(const specpi_device *devices, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (specpiDeviceGetBackend(devices[i]) == SPECPI_BACKEND_CUDA)
      return true;
  return false;
}

/* Prints the adapters, which runtimes of Unified Runtime load instead of plugins. */
static void print_adapters(void) {
  adapter_list adapters;
  if (!adapters_list(&adapters))
    return;
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    if (adapters.files[b]) {
      const char *reason = adapters_fault(adapters.files[b]);
      printf("Adapter %s: %s: %s%s\n", specpiBackendGetName((specpi_backend)b), adapters.files[b],
             reason ? "cannot be used: " : "can be loaded", reason ? reason : "");
    }
  adapters_clear(&adapters);
}

static json_t *json_adapters(void) {
  json_t *list = tool_json_array();
  adapter_list adapters;
  if (!adapters_list(&adapters))
    return list;
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    if (adapters.files[b]) {
      const char *reason = adapters_fault(adapters.files[b]);
      json_t *object = tool_json_object();
      tool_json_member(object, "backend", tool_json_text(specpiBackendGetName((specpi_backend)b)));
      tool_json_member(object, "path", tool_json_text(adapters.files[b]));
      tool_json_member(object, "reason", tool_json_text(reason ? reason : ""));
      tool_json_add(list, object);
    }
  adapters_clear(&adapters);
  return list;
}

/* Adds a runtime to a list: its release, null if unknown, and the file it takes per backend. */
static void add_runtime(void *list, const runtime *runtime) {
  const bool is_ur = runtime->kind == RUNTIME_UR;
  const char *release = is_ur ? release_find(runtime) : NULL;
  json_t *object = tool_json_object();
  json_t *adapters = tool_json_object();
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT && is_ur; b++) {
    char *file = adapters_choice(runtime, (specpi_backend)b);
    tool_json_member(adapters, specpiBackendGetName((specpi_backend)b),
                     file ? tool_json_text(file) : json_null());
    free(file);
  }
  tool_json_member(object, "directory", tool_json_text(runtime->directory));
  tool_json_member(object, "library", tool_json_text(runtime->name));
  tool_json_member(object, "interface", tool_json_text(is_ur ? "ur" : "pi"));
  tool_json_member(object, "release", release ? tool_json_text(release) : json_null());
  tool_json_member(object, "adapters", adapters);
  tool_json_add(list, object);
}

static json_t *json_runtimes(void) {
  json_t *list = tool_json_array();
  runtime_list(add_runtime, list);
  return list;
}

/* Returns how SYCL programs select NVIDIA's GPUs; null if they find none. */
static json_t *json_sycl(const specpi_device *devices, size_t count) {
  doctor_sycl_name name;
  if (!has_cuda(devices, count) || !doctor_find_sycl_name(&name))
    return json_null();
  json_t *object = tool_json_object();
  char *selector = tool_format("%s:gpu", name.backend);
  tool_json_member(object, "selector", tool_json_text(selector));
  free(selector);
  tool_json_member(object, "platform", tool_json_text(name.platform));
  tool_json_member(object, "needs_run", json_boolean(name.needs_run));
  tool_json_member(object, "takes_ptx_alone", json_boolean(name.takes_ptx_alone));
  return object;
}

static json_t *json_device(specpi_device device, specpi_device preferred) {
  json_t *object = tool_json_object();
  tool_json_member(object, "selector", tool_json_text(specpiDeviceGetSelector(device)));
  tool_json_member(object, "backend",
                   tool_json_text(specpiBackendGetName(specpiDeviceGetBackend(device))));
  tool_json_member(object, "type", tool_json_text(specpiDeviceGetTypeName(device)));
  tool_json_member(object, "platform",
                   tool_json_text(specpiPlatformGetName(specpiDeviceGetPlatform(device))));
  tool_json_member(object, "name", tool_json_text(specpiDeviceGetName(device)));
  tool_json_member(object, "vendor", tool_json_text(specpiDeviceGetVendor(device)));
  tool_json_member(object, "version", tool_json_text(specpiDeviceGetVersion(device)));
  tool_json_member(object, "driver_version", tool_json_text(specpiDeviceGetDriverVersion(device)));
  const char *code = constants_code(device);
  tool_json_member(object, "native_constants", code ? tool_json_text(code) : json_null());
  tool_json_member(object, "default", json_boolean(device == preferred));
  device_facts_add(object, device);
  specpi_device parent = specpiDeviceGetParent(device);
  tool_json_member(object, "parent",
                   parent ? tool_json_text(specpiDeviceGetSelector(parent)) : json_null());
  return object;
}

static json_t *json_platform(specpi_platform platform) {
  json_t *object = tool_json_object();
  tool_json_member(object, "name", tool_json_text(specpiPlatformGetName(platform)));
  tool_json_member(object, "vendor", tool_json_text(specpiPlatformGetVendor(platform)));
  tool_json_member(object, "version", tool_json_text(specpiPlatformGetVersion(platform)));
  json_t *list = tool_json_array();
  size_t count;
  specpi_device *devices = tool_platform_devices(platform, &count);
  for (size_t i = 0; i < count; i++)
    tool_json_add(list, tool_json_text(specpiDeviceGetSelector(devices[i])));
  free(devices);
  tool_json_member(object, "devices", list);
  return object;
}

static json_t *json_plugin(specpi_plugin plugin) {
  json_t *object = tool_json_object();
  tool_json_member(object, "backend",
                   tool_json_text(specpiBackendGetName(specpiPluginGetBackend(plugin))));
  tool_json_member(object, "path", tool_json_text(specpiPluginGetPath(plugin)));
  tool_json_member(object, "state", tool_json_text(specpiPluginGetStateName(plugin)));
  tool_json_member(object, "reason", tool_json_text(specpiPluginGetReason(plugin)));
  tool_json_member(object, "version", tool_json_text(specpiPluginGetVersion(plugin)));
  json_t *list = tool_json_array();
  size_t count;
  specpi_platform *platforms = tool_platforms(plugin, &count);
  for (size_t i = 0; i < count; i++)
    tool_json_add(list, json_platform(platforms[i]));
  free(platforms);
  tool_json_member(object, "platforms", list);
  return object;
}

/* Returns every plugin file that was tried; NULL after an error. */
static json_t *json_plugins(void) {
  json_t *list = tool_json_array();
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++) {
    size_t count;
    specpi_plugin *plugins = tool_plugins((specpi_backend)b, &count);
    if (!plugins) {
      json_decref(list);
      return NULL;
    }
    for (size_t i = 0; i < count; i++)
      tool_json_add(list, json_plugin(plugins[i]));
    free(plugins);
  }
  return list;
}

static int print_json(const specpi_device *devices, size_t count, specpi_device preferred) {
  json_t *plugins = json_plugins();
  if (!plugins) {
    tool_error("%s", specpiGetLastError());
    return TOOL_FAILURE;
  }
  json_t *root = tool_json_object();
  tool_json_member(root, "version", tool_json_text(specpiGetVersion()));
  const char *selector = getenv("ONEAPI_DEVICE_SELECTOR");
  tool_json_member(root, "selector", selector ? tool_json_text(selector) : json_null());
  json_t *list = tool_json_array();
  for (size_t i = 0; i < count; i++)
    tool_json_add(list, json_device(devices[i], preferred));
  tool_json_member(root, "devices", list);
  tool_json_member(root, "plugins", plugins);
  tool_json_member(root, "adapters", json_adapters());
  tool_json_member(root, "runtimes", json_runtimes());
  tool_json_member(root, "sycl", json_sycl(devices, count));
  const bool written = json_dumpf(root, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
  json_decref(root);
  if (!written)
    tool_error("the list could not be written");
  return written ? TOOL_SUCCESS : TOOL_FAILURE;
}

static void print_lines(const specpi_device *devices, size_t count, specpi_device preferred) {
  const char *selector = getenv("ONEAPI_DEVICE_SELECTOR");
  if (selector && *selector)
    fprintf(stderr,
            "INFO: Output filtered by ONEAPI_DEVICE_SELECTOR environment variable, which is set "
            "to %s.\n",
            selector);
  if (count == 0)
    fprintf(stderr, "No device was found%s; specpi doctor says why.\n",
            selector && *selector ? " that the selector chooses" : "");
  for (size_t i = 0; i < count; i++) {
    char *line = tool_device_line(devices[i]);
    printf("%s%s\n", line, count > 1 && devices[i] == preferred ? " (default)" : "");
    free(line);
  }
  doctor_sycl_name name;
  if (has_cuda(devices, count) && doctor_find_sycl_name(&name))
    printf("SYCL programs%s: [%s:gpu] %s%s\n", name.needs_run ? " under specpi run" : "",
           name.backend, name.platform, name.takes_ptx_alone ? ", for kernels in PTX alone" : "");
}

/* Finds the default device; *ret is NULL if there is none. Returns false after an error. */
static bool find_preferred(specpi_device *ret) {
  specpi_device *devices;
  size_t count;
  if (tool_devices(true, &devices, &count) != SPECPI_SUCCESS)
    return false;
  *ret = count != 0 ? devices[0] : NULL;
  free(devices);
  return true;
}

int tool_ls(int argc, char **argv) {
  static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  bool json = false;
  bool verbose = false;
  for (int option; (option = getopt_long(argc, argv, "vh", options, NULL)) != -1;)
    switch (option) {
    case 'j':
      json = true;
      break;
    case 'v':
      verbose = true;
      break;
    case 'h':
      fputs(usage, stdout);
      return TOOL_SUCCESS;
    default:
      nearest_option(argv[0], argv[optind - 1], options);
      return TOOL_USAGE;
    }
  if (optind < argc)
    return tool_refuse_use("ls", "ls takes no argument \"%s\"", argv[optind]);

  specpi_device *devices, preferred = NULL;
  size_t count;
  if (!find_preferred(&preferred) || tool_devices(false, &devices, &count) != SPECPI_SUCCESS) {
    tool_error("%s", specpiGetLastError());
    return TOOL_FAILURE;
  }
  int status = TOOL_SUCCESS;
  if (json) {
    status = print_json(devices, count, preferred);
  } else {
    terminal_use(TERMINAL_HEADS);
    print_lines(devices, count, preferred);
    if (verbose) {
      print_verbose(devices, count);
      print_adapters();
      doctor_print_runtimes();
    }
  }
  free(devices);
  return count ? status : TOOL_FAILURE;
}
