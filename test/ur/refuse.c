/*
 * Adapters refuse unknown loaders with a line on stderr. Each test asks in a process of its own,
 * because an adapter serves one release per process.
 */
#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION_12 = 12, WORDS = 512 };

static void *tables[WORDS];

typedef ur_result_t ask(void);

/* Asks in a child process; returns the result, and in line the child's output to stderr. */
static ur_result_t ask_apart(ask *what, char *line, size_t size) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = tests_fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    const unsigned result = (unsigned)what();
    const ssize_t written = write(ends[1], &result, sizeof result);
    _exit(written == sizeof result ? 0 : 1);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got; (got = read(ends[0], line + length, size - length)) > 0;)
    length += (size_t)got;
  close(ends[0]);
  tests_join(child);
  unsigned result;
  assert_true(length >= sizeof result);
  memcpy(&result, line + length - sizeof result, sizeof result);
  line[length - sizeof result] = '\0';
  return (ur_result_t)result;
}

static void check_refusal(ask *what, ur_result_t code, const char *words) {
  char line[1024];
  assert_int_equal(ask_apart(what, line, sizeof line - 1), code);
  if (!*words) {
    assert_string_equal(line, "");
    return;
  }
  if (!strstr(line, words) || strchr(line, '\n')[1] || !strstr(line, "specpi: libur_adapter_") ||
      !strstr(line, "; it knows 2025.0, 2025.1, 2025.2, 2025.3, 2026.0, 2026.1, 2026.2\n"))
    fail_msg("\"%s\" does not say \"%s\"", line, words);
}

static bool has_adapter_table(void) {
  return SINCE(2025_3);
}

static const char *first_table(void) {
  return has_adapter_table() ? "urGetAdapterProcAddrTable" : "urGetGlobalProcAddrTable";
}

static ur_result_t ask_for(const char *table, unsigned version, void *place) {
  return world_ask(world_library, table, (ur_api_version_t)version, place);
}

static ur_result_t newer_version(void) {
  return ask_for(first_table(), UR_MAKE_VERSION(0, 13), tables);
}
static ur_result_t other_major(void) {
  return ask_for(first_table(), UR_MAKE_VERSION(1, 12), tables);
}
static ur_result_t no_version(void) {
  return ask_for(first_table(), 0, tables);
}
/* The PI runtime ignores a refusal, so the refused tables need the functions that it calls. */
static ur_result_t runtime_of_pi(void) {
  void *platform[2] = {NULL, NULL};
  if (ask_for("urGetContextProcAddrTable", 9, tables) != UR_RESULT_ERROR_UNSUPPORTED_VERSION ||
      tables[0] ||
      ask_for("urGetPlatformProcAddrTable", 9, platform) != UR_RESULT_ERROR_UNSUPPORTED_VERSION ||
      platform[1] ||
      ask_for("urGetGlobalProcAddrTable", 9, tables) != UR_RESULT_ERROR_UNSUPPORTED_VERSION ||
      tables[3])
    return UR_RESULT_SUCCESS;
  ur_result_t (*get)(uint32_t, ur_adapter_handle_t *, uint32_t *);
  ur_result_t (*release)(ur_adapter_handle_t);
  ur_result_t (*get_platforms)(const ur_adapter_handle_t *, uint32_t, uint32_t,
                               ur_platform_handle_t *, uint32_t *);
  memcpy(&get, tables, sizeof get);
  memcpy(&release, tables + 1, sizeof release);
  memcpy(&get_platforms, platform, sizeof get_platforms);
  ur_adapter_handle_t adapter = NULL;
  uint32_t count = 7;
  const bool is_empty = get(1, &adapter, NULL) == UR_RESULT_SUCCESS && adapter &&
                        get_platforms(&adapter, 1, 0, NULL, &count) == UR_RESULT_SUCCESS &&
                        count == 0 && release(adapter) == UR_RESULT_SUCCESS;
  return is_empty ? UR_RESULT_ERROR_UNSUPPORTED_VERSION : UR_RESULT_SUCCESS;
}
/* Two refused tables cause one line. */
static ur_result_t newer_twice(void) {
  if (ask_for("urGetPlatformProcAddrTable", 13, tables) != UR_RESULT_ERROR_UNSUPPORTED_VERSION)
    return UR_RESULT_SUCCESS;
  return newer_version();
}

/* A loader with a known release still works after the refusal of another one. */
static ur_result_t another_one(void) {
  if (newer_version() != UR_RESULT_ERROR_UNSUPPORTED_VERSION)
    return UR_RESULT_ERROR_UNKNOWN;
  ur_adapter_handle_t adapter = NULL;
  return UR(urAdapterGet)(1, &adapter, NULL);
}

TEST(other_versions_are_refused) {
  check_refusal(newer_version, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "asks for version 0.13");
  check_refusal(other_major, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "asks for version 1.12");
  check_refusal(runtime_of_pi, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "");
  check_refusal(no_version, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "asks for version 0.0");
  check_refusal(another_one, UR_RESULT_SUCCESS, "asks for version 0.13");
  check_refusal(newer_twice, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "asks for version 0.13");
}

/* A refusal writes nothing to the table. */
static ur_result_t untouched(void) {
  memset(tables, 0x5a, sizeof tables);
  const ur_result_t result = newer_version();
  for (size_t i = 0; i < sizeof tables; i++)
    if (((const char *)tables)[i] != 0x5a)
      return UR_RESULT_SUCCESS;
  return result;
}

static ur_result_t no_place(void) {
  return ask_for(first_table(), world.version, NULL);
}

TEST(a_refusal_writes_no_table) {
  check_refusal(untouched, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "asks for version");
  check_refusal(no_place, UR_RESULT_ERROR_INVALID_NULL_POINTER, "");
}

/* Asks like a loader of an unknown release, whose tables have other places in the record. */
static ur_result_t unknown_layout(void) {
  loader other;
  memset(&other, 0, sizeof other);
  if (ask_for(first_table(), world.version, other.record) != UR_RESULT_SUCCESS)
    return UR_RESULT_SUCCESS;
  return ask_for("urGetContextProcAddrTable", world.version, other.record + 100);
}

/* After the refusal urAdapterGet, whose table was filled before, fails too. */
static ur_result_t late_adapter(void) {
  if (unknown_layout() != UR_RESULT_ERROR_UNSUPPORTED_VERSION)
    return UR_RESULT_SUCCESS;
  ur_adapter_handle_t adapter = NULL;
  return UR(urAdapterGet)(1, &adapter, NULL);
}

/* Asks for a table that the release lacks. */
static ur_result_t foreign_table(void) {
  return ask_for(has_adapter_table() ? "urGetGlobalProcAddrTable" : "urGetAdapterProcAddrTable",
                 world.version, tables);
}

TEST(unknown_layouts_are_refused) {
  check_refusal(unknown_layout, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "its table Context is ");
  check_refusal(late_adapter, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "its table Context is ");
  check_refusal(foreign_table, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "it asks for the table ");
}

/* Asks from this program, which has none of the exports that identify a loader. */
static ur_result_t not_a_loader(void) {
  ur_result_t (*get)(ur_api_version_t, void *);
  void *const found = world_symbol(first_table());
  memcpy(&get, &found, sizeof get);
  volatile ur_result_t result = get((ur_api_version_t)VERSION_12, tables);
  return result;
}

TEST(unknown_callers_are_refused) {
  check_refusal(not_a_loader, UR_RESULT_ERROR_UNSUPPORTED_VERSION, "no release that is known");
}

/* The loader may be opened again, with another record. */
TEST(the_loader_may_be_opened_again) {
  loader second;
  memset(&second, 0, sizeof second);
  assert_ok(world_fill(world_library, &second));
  assert_memory_equal(second.record, world.record, sizeof second.record);
  assert_ok(world_fill(world_library, &world));
}
