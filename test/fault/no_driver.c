/*
 * fault-PLUGIN-no-driver REASON [LIBRARY]: no driver can be used. The plugin has no platforms and
 * reports the text REASON; nothing crashes. With LIBRARY the plugin opens a library of that name,
 * as if the machine had no driver.
 */
#include "check.h"

#include "../../plugins/base/load.h"
#include "../../plugins/objects/driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char *reason;
static const char *library;

void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags);

void *__wrap_dlopen(const char *name, int flags) {
  return __real_dlopen(library ? library : name, flags);
}

/* If WITHOUT_SYMBOL names a function, the driver lacks it and the query for functions. */
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlsym(void *library, const char *name) {
  const char *missing = getenv("WITHOUT_SYMBOL");
  if (missing && (strcmp(name, missing) == 0 || strcmp(name, "cuGetProcAddress") == 0))
    return NULL;
  return __real_dlsym(library, name);
}

TEST(there_are_no_platforms) {
  pi_plugin plugin = {.PiVersion = PI_VERSION_STRING};
  must(piPluginInit(&plugin));
  pi_uint32 count = 99;
  must(plugin.PiFunctionTable.piPlatformsGet(0, NULL, &count));
  assert_int_equal(count, 0);
  pi_platform platform = NULL;
  must(plugin.PiFunctionTable.piPlatformsGet(1, &platform, &count));
  assert_null(platform);
}

TEST(the_reason_is_reported) {
  pi_uint32 count = 0;
  const char *noted;
  must(piPlatformsGet(0, NULL, &count));
  plugin_error_last(&noted);
  /* A driver may be loaded and have no device. */
  const char *text = driver_load() ? noted : load_reason();
  if (!strstr(text, reason))
    fail_with("the reason is \"%s\", not \"%s\"", text, reason);
}

/* Entry points that need no object. */
TEST(entries_without_objects_do_not_crash) {
  pi_uint32 count = 0;
  char *message = NULL;
  size_t size = 0;
  bool ignored = false;
  pi_platform platform = NULL;
  assert_int_equal(piDevicesGet(NULL, PI_DEVICE_TYPE_ALL, 0, NULL, &count),
                   PI_ERROR_INVALID_PLATFORM);
  assert_int_equal(piPlatformGetInfo(NULL, PI_PLATFORM_INFO_NAME, 0, NULL, &size),
                   PI_ERROR_INVALID_PLATFORM);
  const pi_result result = piextPlatformCreateWithNativeHandle(1, &platform);
  assert_int_not_equal(result, PI_SUCCESS);
  assert_int_equal(piPluginGetLastError(&message), result);
  assert_non_null(message);
  must(piTearDown(&ignored));
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  reason = argv[1];
  library = argc > 2 ? argv[2] : NULL;
  return tests_run(NULL, NULL);
}
