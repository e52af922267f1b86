/* specpi doctor: prints what was found, what is missing, and what to do about it. */
#define _GNU_SOURCE /* strsignal */
#include "cache.h"

#include "../plugins/base/child.h"
#include "codegen.h"
#include "constants.h"
#include "doctor_adapters.h"
#include "drivers.h"
#include "probe.h"
#include "terminal.h"
#include "tool.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "Usage: specpi doctor\n"
    "Tries every plugin and its driver, and each device with a small transfer, and says in\n"
    "messages what was found, what is missing, and what to do about it. The exit status is 0\n"
    "if at least one device works, else 1. At a terminal verdicts have colours, unless\n"
    "NO_COLOR is set.\n"
    "\n"
    "  -h, --help   print this text\n";

/*
 * The help for each backend: advice on how to install its loader, its driver, or a later version,
 * and advice about a driver that ends processes (only if the plugin detects that); the environment
 * variables that its driver reads; a function that prints its files (drivers.h), and one that
 * prints the parts of the plugin with this path. A backend without a row gets general advice.
 */
static const struct {
  const char *loader;
  const char *driver;
  const char *later;
  const char *broken;
  const char *variables[8]; /* terminated by NULL */
  bool (*print_files)(bool is_idle);
  void (*print_parts)(const char *plugin);
} help[SPECPI_BACKEND_COUNT] = {
    [SPECPI_BACKEND_OPENCL] =
        {"Install an OpenCL loader (Debian: ocl-icd-libopencl1), or put the directory that has "
         "libOpenCL.so.1 into LD_LIBRARY_PATH; that of Python's intel-opencl-rt needs the package "
         "intel-cmplr-lib-rt beside it.",
         "Install an OpenCL driver (Debian: intel-opencl-icd or pocl-opencl-icd; Intel's runtime "
         "for CPUs is the Python packages intel-opencl-rt and intel-cmplr-lib-rt), or, if there is "
         "one, write the path of its library into a file that ends in .icd and name the directory "
         "of "
         "that file in OCL_ICD_VENDORS.",
         "Install a later OpenCL loader (Debian: ocl-icd-libopencl1).",
         NULL,
         {"OCL_ICD_FILENAMES", "OCL_ICD_VENDORS"},
         drivers_print_opencl,
         NULL},
    [SPECPI_BACKEND_LEVEL_ZERO] =
        {"Install the Level Zero loader (Debian: libze1), or put the directory that has "
         "libze_loader.so.1 into LD_LIBRARY_PATH.",
         "Install the Level Zero driver of the GPU (Debian: intel-opencl-icd has it) and see that "
         "the files under /dev/dri may be opened.",
         "Install a later Level Zero loader (Debian: libze1).",
         "Nothing where the machine has no GPU for that driver: some crash without one; else "
         "install a later driver.",
         {"ZE_FLAT_DEVICE_HIERARCHY", "ZE_AFFINITY_MASK", "ZE_ENABLE_ALT_DRIVERS",
          "SPECPI_LEVEL_ZERO_COMMAND_LISTS", "SPECPI_LEVEL_ZERO_BATCH_SIZE",
          "SPECPI_LEVEL_ZERO_COPY_ENGINE", "SPECPI_LEVEL_ZERO_POOL_BYTES"},
         drivers_print_level_zero,
         NULL},
    [SPECPI_BACKEND_CUDA] =
        {"Install the NVIDIA driver (Debian: libcuda1), or put the directory that has libcuda.so.1 "
         "into LD_LIBRARY_PATH.",
         "See that nvidia-smi lists a GPU, that the files /dev/nvidia* may be opened, and that "
         "CUDA_VISIBLE_DEVICES does not hide it.",
         "Install a later NVIDIA driver.",
         NULL,
         {"CUDA_VISIBLE_DEVICES", "SPECPI_CUDA_BACKEND", "SPECPI_CODEGEN", "SPECPI_LIBDEVICE",
          "SPECPI_CUDA_POOL_BYTES"},
         drivers_print_cuda,
         codegen_print},
};

/* Returns the advice for a plugin that is loaded but has no device. */
static const char *advice_for(specpi_plugin plugin) {
  const specpi_backend backend = specpiPluginGetBackend(plugin);
  const char *const texts[SPECPI_DRIVER_STATE_COUNT] = {
      [SPECPI_DRIVER_UNKNOWN] = help[backend].driver,
      [SPECPI_DRIVER_ABSENT] = help[backend].loader,
      [SPECPI_DRIVER_OLD] = help[backend].later,
      [SPECPI_DRIVER_BROKEN] = help[backend].broken,
  };
  const char *text = texts[specpiPluginGetDriverState(plugin)];
  return text ? text : "Install the backend's driver, or a later one.";
}

static void print_plugin_advice(specpi_plugin plugin) {
  const specpi_backend backend = specpiPluginGetBackend(plugin);
  switch (specpiPluginGetState(plugin)) {
  case SPECPI_PLUGIN_READY:
  case SPECPI_PLUGIN_ABSENT:
    break;
  case SPECPI_PLUGIN_IDLE:
    printf("    What to do: %s\n", advice_for(plugin));
    break;
  case SPECPI_PLUGIN_REFUSED:
    if (*specpiPluginGetPath(plugin) != '/')
      puts("    What to do: Write the whole path of the directory into SPECPI_PLUGIN_PATH.");
    else if (*specpiPluginGetVersion(plugin))
      printf("    What to do: Use the %s that was built with this libspecpi.\n",
             specpiBackendGetFileName(backend));
    else
      puts("    What to do: Replace the file by one that was built for this machine and whose "
           "libraries are installed, or remove it.");
    break;
  }
}

static void print_plugin(specpi_plugin plugin) {
  const char *version = specpiPluginGetVersion(plugin);
  const char *reason = specpiPluginGetReason(plugin);
  printf("  %s: %s%s%s%s%s\n", specpiPluginGetPath(plugin), specpiPluginGetStateName(plugin),
         *version ? ", PI version " : "", version, *reason ? ": " : "", reason);
  if (*specpiPluginGetMissing(plugin))
    printf("    It lacks functions, whose calls fail: %s\n", specpiPluginGetMissing(plugin));
  const specpi_plugin_state state = specpiPluginGetState(plugin);
  const specpi_backend backend = specpiPluginGetBackend(plugin);
  const bool loaded = state == SPECPI_PLUGIN_READY || state == SPECPI_PLUGIN_IDLE;
  const bool is_advised =
      loaded && help[backend].print_files && help[backend].print_files(state == SPECPI_PLUGIN_IDLE);
  if (!is_advised)
    print_plugin_advice(plugin);
  if (loaded && help[backend].print_parts)
    help[backend].print_parts(specpiPluginGetPath(plugin));
}

/* Returns whether ONEAPI_DEVICE_SELECTOR lets programs use a device. */
static bool is_chosen(specpi_device device) {
  specpi_device *chosen;
  size_t count;
  bool ret = tool_devices(false, &chosen, &count) != SPECPI_SUCCESS;
  if (ret)
    return true; /* print_selection reports the bad selector */
  for (size_t i = 0; i < count; i++)
    ret |= chosen[i] == device;
  free(chosen);
  return ret;
}

/* Prints a device and tries it. Returns whether transfers work and it takes kernels. */
static bool check_device(specpi_device device) {
  char *line = tool_device_line(device);
  printf("      %s: ", line);
  free(line);
  fflush(stdout);
  char *reason = probe_device(device);
  const bool takes_code = reason || constants_code(device);
  const char *verdict = reason ? "does not work: " : takes_code ? "works" : CONSTANTS_NO_CODE;
  printf("%s%s%s\n", verdict, reason ? reason : "",
         is_chosen(device) ? "" : "; ONEAPI_DEVICE_SELECTOR leaves it out");
  const bool works = !reason && takes_code;
  free(reason);
  return works;
}

static size_t check_platforms(specpi_plugin plugin) {
  size_t works = 0;
  size_t platform_count;
  specpi_platform *platforms = tool_platforms(plugin, &platform_count);
  for (size_t p = 0; p < platform_count; p++) {
    size_t count;
    specpi_device *devices = tool_platform_devices(platforms[p], &count);
    printf("    Platform \"%s\" of %s, %s, has %zu device%s%s\n",
           specpiPlatformGetName(platforms[p]), specpiPlatformGetVendor(platforms[p]),
           specpiPlatformGetVersion(platforms[p]), count, count == 1 ? "" : "s", count ? ":" : ".");
    for (size_t d = 0; d < count; d++)
      works += check_device(devices[d]);
    free(devices);
  }
  free(platforms);
  return works;
}

/* Loads one backend and prints its plugins and devices. Returns the number of working devices. */
static size_t check_backend(specpi_backend backend) {
  printf("%s\n", specpiBackendGetName(backend));
  fflush(stdout);
  size_t count;
  specpi_plugin *plugins = tool_plugins(backend, &count);
  if (!plugins) {
    printf("  %s\n", specpiGetLastError());
    return 0;
  }
  size_t works = 0;
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    print_plugin(plugins[i]);
    works += check_platforms(plugins[i]);
    found |= specpiPluginGetState(plugins[i]) != SPECPI_PLUGIN_ABSENT;
  }
  free(plugins);
  if (!found)
    printf(
        "    What to do: Nothing, unless you want this backend; then name the directory of its %s "
        "in SPECPI_PLUGIN_PATH.\n",
        specpiBackendGetFileName(backend));
  return works;
}

static void print_directories(void) {
  size_t count;
  const char **directories = tool_plugin_directories(&count);
  if (!directories)
    return;
  puts("Plugins are searched in");
  for (size_t i = 0; i < count; i++)
    printf("  %s\n", directories[i]);
  free(directories);
}

/* Prints the environment variables of a list that are set. Returns whether any is. */
static bool print_variables(const char *const *names) {
  bool any = false;
  for (; *names; names++) {
    const char *value = getenv(*names);
    if (value)
      printf("  %s=%s\n", *names, value);
    any |= value != NULL;
  }
  return any;
}

/* Prints the environment variables on which the search for plugins and devices depends. */
static void print_environment(void) {
  static const char *const names[] = {"ONEAPI_DEVICE_SELECTOR",   "SYCL_DEVICE_ALLOWLIST",
                                      "SPECPI_PLUGIN_PATH",       "LD_LIBRARY_PATH",
                                      "UR_ADAPTERS_SEARCH_PATH",  "UR_ADAPTERS_FORCE_LOAD",
                                      "UR_LOADER_PRELOAD_FILTER", "SPECPI_CACHE_DIR",
                                      "XDG_CACHE_HOME",           NULL};
  puts("Environment");
  bool any = print_variables(names);
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    any |= print_variables(help[b].variables);
  if (!any)
    puts("  none of the variables that matter here is set");
}

/* Prints how many devices ONEAPI_DEVICE_SELECTOR chooses. */
static void print_selection(void) {
  const char *selector = getenv("ONEAPI_DEVICE_SELECTOR");
  if (!selector || !*selector)
    return;
  size_t count;
  if (specpiDevicesGet(NULL, 0, NULL, &count) != SPECPI_SUCCESS)
    printf("ONEAPI_DEVICE_SELECTOR cannot be understood: %s\n", specpiGetLastError());
  else if (count == 0)
    printf("ONEAPI_DEVICE_SELECTOR=%s chooses no device at all.\n", selector);
  else
    printf("ONEAPI_DEVICE_SELECTOR=%s chooses %zu device%s.\n", selector, count,
           count == 1 ? "" : "s");
}

static int examine_backends(void) {
  printf("specpi %s, PI version %s\n", specpiGetVersion(), PI_VERSION_STRING);
  print_directories();
  print_environment();
  if (!cache_print())
    puts("    What to do: Nothing, if programs may be built anew by each process.");
  size_t works = 0;
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    works += check_backend((specpi_backend)b);
  doctor_print_adapters();
  codegen_print_compilers();
  print_selection();
  if (works)
    printf("%zu device%s.\n", works, works == 1 ? " works" : "s work");
  else
    puts("No device works.");
  return works ? TOOL_SUCCESS : TOOL_FAILURE;
}

/* Exit statuses of a child that finished. Unusual, because a driver may call exit(0) or exit(1). */
enum { CHILD_WORKS = 100, CHILD_WORKS_NOT };

/* Does the work in a child process, because drivers may crash, and doctor has to report that. */
static int examine_in_child(void) {
  const pid_t child = child_fork();
  if (child < 0)
    return examine_backends();
  if (child == 0) {
    /* Flushes each line, so that the lines before a crash are seen. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    exit(examine_backends() == TOOL_SUCCESS ? CHILD_WORKS : CHILD_WORKS_NOT);
  }
  int status;
  (void)child_wait(child, &status);
  if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_WORKS)
    return TOOL_SUCCESS;
  if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_WORKS_NOT)
    return TOOL_FAILURE;
  if (WIFSIGNALED(status))
    printf("\nThe step above ended the process with signal %d (%s).\n", WTERMSIG(status),
           strsignal(WTERMSIG(status)));
  else
    printf("\nThe step above ended the process with exit status %d.\n", WEXITSTATUS(status));
  puts("    What to do: Update the driver that it was about, or remove the plugin named there.");
  return TOOL_FAILURE;
}

int tool_doctor(int argc, char **argv) {
  int status;
  if (tool_takes_option(argc, argv, usage, &status))
    return status;
  if (optind < argc)
    return tool_refuse_use("doctor", "doctor takes no argument \"%s\"", argv[optind]);
  terminal_use(TERMINAL_VERDICTS);
  return examine_in_child();
}
