/* The plugin itself: piPluginInit, last error, tear-down, backend options, opaque data. */
#include "fixture.h"

TEST(plugin, init_fills_every_entry) {
  void *entries[PI_FUNCTION_COUNT];
  memcpy(entries, &plugin.PiFunctionTable, sizeof entries);
  for (int i = 0; i < PI_FUNCTION_COUNT; i++)
    expect(entries[i] != NULL, "entry %d, %s, is NULL", i, entry_name(i));
}

TEST(plugin, init_writes_its_version_only) {
  pi_plugin other;
  memset(&other, 0, sizeof other);
  snprintf(other.PiVersion, PI_VERSION_SIZE, "%s", PI_VERSION_STRING);
  other.SanitizeType = PI_SANITIZE_TYPE_NONE;
  expect(plugin_init(&other) == PI_SUCCESS, "a second piPluginInit fails");
  expect(strcmp(other.PiVersion, PI_VERSION_STRING) == 0, "PiVersion was changed to \"%s\"",
         other.PiVersion);
  expect(strncmp(other.PluginVersion, PI_VERSION_STRING, strlen(PI_VERSION_STRING)) == 0,
         "PluginVersion is \"%s\", which is not %s", other.PluginVersion, PI_VERSION_STRING);
  expect(memchr(other.PluginVersion, '\0', PI_VERSION_SIZE), "PluginVersion does not end");
  expect(other.Targets == NULL, "Targets was changed");
  expect_bytes(&plugin.PiFunctionTable, &other.PiFunctionTable, sizeof other.PiFunctionTable);
}

/* A refusal leaves the structure untouched, because another version may have another layout. */
static void refuses_version(const char *version) {
  pi_plugin other;
  pi_plugin before;
  memset(&other, UNTOUCHED_BYTE, sizeof other);
  memset(other.PiVersion, 0, PI_VERSION_SIZE);
  snprintf(other.PiVersion, PI_VERSION_SIZE, "%s", version);
  before = other;
  expect(plugin_init(&other) != PI_SUCCESS, "version \"%s\" is accepted", version);
  expect_bytes(&before, &other, sizeof before);
}

TEST(plugin, init_refuses_old_and_empty_versions) {
  refuses_version("");
  refuses_version("1.2");
  refuses_version("11.99");
}

/* The plugin cannot know the table of a newer or a misspelt version. */
TEST(plugin, init_refuses_unknown_versions) {
  refuses_version("15.99");
  refuses_version("16.0");
  refuses_version("9.11");
  refuses_version("nonsense");
}

TEST(plugin, init_refuses_null) {
  expect(plugin_init(NULL) != PI_SUCCESS, "piPluginInit(NULL) succeeds");
}

TEST(plugin, tear_down) {
  bool parameter = true;
  the_context();
  fixture_release();
  expect_success(pi.piTearDown(&parameter));
}

/* piTearDown ignores its parameter, so NULL is fine. */
TEST(plugin, tear_down_null) {
  expect_success(pi.piTearDown(NULL));
}

TEST(plugin, last_error) {
  char *message = NULL;
  const pi_result first = pi.piPluginGetLastError(&message);
  expect(first == PI_SUCCESS, "before any failure the last error is %d", first);
  expect_success(first);
  expect(message, "the text is NULL");
}

TEST(plugin, last_error_null) {
  expect_error(PI_ERROR_INVALID_VALUE, pi.piPluginGetLastError(NULL));
}

/* After a failure the message is not empty; only the thread that failed sees it. */
TEST(plugin, last_error_says_what_was_wrong) {
  pi_uint32 count;
  expect_refused(pi.piDevicesGet(NULL, PI_DEVICE_TYPE_ALL, 0, NULL, &count));
  char *message = NULL;
  pi.piPluginGetLastError(&message);
  expect(message && *message, "the text is empty after a failure");
}

TEST(plugin, backend_option) {
  static const char *const options[] = {"", "-O0", "-O1", "-O2", "-O3"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    const char *backend = NULL;
    expect_success(pi.piPluginGetBackendOption(the_platform(), options[i], &backend));
    expect(backend, "no text for \"%s\"", options[i]);
  }
  const char *backend = NULL;
  const pi_platform_backend kind = the_backend();
  expect_success(pi.piPluginGetBackendOption(the_platform(), "-O0", &backend));
  const char *expected = kind == PI_EXT_PLATFORM_BACKEND_OPENCL       ? "-cl-opt-disable"
                         : kind == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO ? "-ze-opt-disable"
                                                                      : "";
  /* A plugin that takes PTX returns options of the PTX compiler, whatever backend it reports. */
  if (*expected && !code_is_ptx())
    expect(strcmp(backend, expected) == 0, "-O0 became \"%s\"", backend);
}

TEST(plugin, backend_option_refuses_unknown) {
  const char *backend;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, backend,
                     pi.piPluginGetBackendOption(the_platform(), "-O9 or so", &backend));
}

TEST(plugin, backend_option_refuses_null) {
  const char *backend;
  expect_error_keeps(PI_ERROR_INVALID_PLATFORM, backend,
                     pi.piPluginGetBackendOption(NULL, "-O2", &backend));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, backend,
                     pi.piPluginGetBackendOption(the_platform(), NULL, &backend));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piPluginGetBackendOption(the_platform(), "-O2", NULL));
}

/* Only the ESIMD emulator has opaque data; other plugins report it as unsupported. */
TEST(plugin, opaque_data) {
  void *data = NULL;
  const pi_platform_backend kind = the_backend();
  if (is_supported(pi.piextPluginGetOpaqueData(NULL, &data)))
    expect(kind == PI_EXT_PLATFORM_BACKEND_ESIMD, "succeeded on backend %d", (int)kind);
  expect_refused(pi.piextPluginGetOpaqueData(NULL, NULL));
}
