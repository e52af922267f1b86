#define _POSIX_C_SOURCE 200809L /* glob, access */
#include "level_zero_served.h"

#include "os.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns whether a file contains Intel's PCI vendor id. */
static bool is_intel(const char *path) {
  char text[16] = "";
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  const bool is_read = fgets(text, sizeof text, file) != NULL;
  fclose(file);
  return is_read && strtoul(text, NULL, 16) == 0x8086;
}

static bool has_intel(const char *pattern) {
  glob_t found;
  bool has = false;
  if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc && !has; i++)
      has = is_intel(found.gl_pathv[i]);
  globfree(&found);
  return has;
}

/*
 * Returns whether this is the Windows Subsystem for Linux with Intel's driver installed. Its device
 * file does not show which vendor the GPU is from.
 */
static bool may_be_windows(void) {
  void *driver =
      access("/dev/dxg", F_OK) == 0 ? dlopen("libze_intel_gpu.so.1", RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (driver)
    dlclose(driver);
  return driver != NULL;
}

bool level_zero_is_served(void) {
  return os_environment_safe("ZE_ENABLE_ALT_DRIVERS") ||
         has_intel("/sys/class/drm/renderD*/device/vendor") ||
         has_intel("/sys/class/accel/accel*/device/vendor") || may_be_windows();
}
