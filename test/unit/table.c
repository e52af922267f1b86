/* Filling the caller's table, for the known version of PI and for others. */
#define _POSIX_C_SOURCE 200809L /* dup2, fileno */
#include "check.h"

#include "../../pi/table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns a table whose entry i is the address i + 1. Nothing calls the entries. */
static pi_function_table numbered(void) {
  pi_function_table table;
  for (uintptr_t i = 0; i < PI_FUNCTION_COUNT; i++) {
    const uintptr_t address = i + 1;
    memcpy((char *)&table + i * sizeof address, &address, sizeof address);
  }
  return table;
}

/* Fills a table and captures the text that the call writes to stderr. */
static pi_result fill(pi_plugin *plugin, char *text, size_t size) {
  const pi_function_table functions = numbered();
  FILE *file = tmpfile();
  assert_non_null(file);
  fflush(stderr);
  const int real_stderr = dup(STDERR_FILENO);
  assert_int_not_equal(dup2(fileno(file), STDERR_FILENO), -1);
  const pi_result result = pi_table_fill(plugin, "libpi_test.so", &functions);
  fflush(stderr);
  assert_int_not_equal(dup2(real_stderr, STDERR_FILENO), -1);
  close(real_stderr);
  rewind(file);
  text[fread(text, 1, size - 1, file)] = 0;
  fclose(file);
  return result;
}

/* Returns a structure as libsycl passes it: both versions are equal, the functions are NULL. */
static pi_plugin fresh(const char *version) {
  pi_plugin plugin = {.Targets = NULL, .SanitizeType = PI_SANITIZE_TYPE_ADDRESS};
  snprintf(plugin.PiVersion, PI_VERSION_SIZE, "%s", version);
  snprintf(plugin.PluginVersion, PI_VERSION_SIZE, "%s", version);
  return plugin;
}

TEST(the_known_version_is_filled) {
  pi_plugin plugin = fresh(PI_VERSION_STRING);
  /* Bytes after the NUL are ignored. */
  memset(plugin.PiVersion + sizeof PI_VERSION_STRING, 'x',
         PI_VERSION_SIZE - sizeof PI_VERSION_STRING);
  char text[256];
  assert_success(fill(&plugin, text, sizeof text));
  assert_string_equal(text, "");
  assert_string_equal(plugin.PiVersion, "15.47");
  assert_string_equal(plugin.PluginVersion, "15.47.1");
  assert_null(plugin.Targets);
  assert_int_equal(plugin.SanitizeType, PI_SANITIZE_TYPE_ADDRESS);
  const pi_function_table expected = numbered();
  assert_memory_equal(&plugin.PiFunctionTable, &expected, sizeof expected);
}

TEST(filling_twice_is_fine) {
  pi_plugin plugin = fresh(PI_VERSION_STRING);
  char text[256];
  assert_success(fill(&plugin, text, sizeof text));
  const pi_plugin once = plugin;
  assert_success(fill(&plugin, text, sizeof text));
  assert_memory_equal(&plugin, &once, sizeof once);
}

TEST(unknown_versions_are_refused) {
  const char *versions[] = {"15.99", "15.4", "15.470", "15.47.1", "16.0", "9.11", "", " 15.47"};
  for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
    pi_plugin plugin = fresh(versions[i]);
    const pi_plugin before = plugin;
    char expected[256];
    char text[256];
    snprintf(expected, sizeof expected, "PI version \"%s\" is not known, 15.47 is", versions[i]);
    assert_failure(fill(&plugin, text, sizeof text), PI_ERROR_INVALID_OPERATION, expected);
    assert_memory_equal(&plugin, &before, sizeof before);
    snprintf(expected, sizeof expected,
             "specpi: libpi_test.so cannot serve a runtime of PI version \"%s\"; it knows 15.47\n",
             versions[i]);
    assert_string_equal(text, expected);
  }
}

/* The structure of 14.39 is smaller than that of 15.47, so that the plugin must not write to it. */
TEST(an_older_table_is_not_touched) {
  pi_plugin plugin = fresh("14.39");
  const pi_plugin before = plugin;
  char text[256];
  assert_int_equal(fill(&plugin, text, sizeof text), PI_ERROR_INVALID_OPERATION);
  assert_memory_equal(&plugin, &before, sizeof before);
  assert_non_null(strstr(text, "\"14.39\""));
}

/* A version without a NUL is read up to the end of its 20 bytes. */
TEST(a_version_without_nul_is_refused) {
  pi_plugin plugin = fresh("");
  memcpy(plugin.PiVersion, "15.47xxxxxxxxxxxxxxx", PI_VERSION_SIZE);
  memset(plugin.PluginVersion, 'y', PI_VERSION_SIZE);
  const pi_plugin before = plugin;
  char text[256];
  assert_failure(fill(&plugin, text, sizeof text), PI_ERROR_INVALID_OPERATION,
                 "PI version \"15.47xxxxxxxxxxxxxxx\" is not known, 15.47 is");
  assert_memory_equal(&plugin, &before, sizeof before);
  assert_string_equal(text, "specpi: libpi_test.so cannot serve a runtime of PI version "
                            "\"15.47xxxxxxxxxxxxxxx\"; it knows 15.47\n");
}

TEST(a_missing_structure_is_refused) {
  char text[256];
  assert_failure(fill(NULL, text, sizeof text), PI_ERROR_INVALID_VALUE, "plugin_info is NULL");
}
