/*
 * What tests control the Level Zero driver with: the environment, failures on demand, counts of
 * calls, the reasons of refusals; and what every function begins with.
 */
#define _POSIX_C_SOURCE 200809L
#include "fake.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

fake_settings fake_environment;

static const char *const symbols[] = {
#define FAKE_SYMBOL(Table, Object, Name) "ze" #Object #Name,
#define FAKE_TABLE(Table, type, LIST) LIST(FAKE_SYMBOL, Table)
    FAKE_TABLES(FAKE_TABLE)
#undef FAKE_TABLE
#undef FAKE_SYMBOL
#define FAKE_SYMBOL(symbol, parameters) #symbol,
        FAKE_OTHERS(FAKE_SYMBOL)
#undef FAKE_SYMBOL
};

static unsigned long counts[FAKE_ID_COUNT];

static bool environment_read;
static bool initialized;
static const char *left_out;
static const char *crash;
static const char *calls_file;

static struct {
  char *call; /* NULL: any */
  unsigned long left;
  ze_result_t code;
  const char *failed;
} injection;

static char fault[512];
static _Thread_local char reason[512];

static unsigned long long read_number(const char *name, unsigned long long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static uint32_t read_count(const char *name, uint32_t otherwise, uint32_t most) {
  const unsigned long long value = read_number(name, otherwise);
  return value < most ? (uint32_t)value : most;
}

static void inject(const char *call, unsigned long nth, ze_result_t code) {
  free(injection.call);
  injection.call = call && *call ? fake_copy(call, strlen(call) + 1) : NULL;
  injection.left = nth;
  injection.code = code;
  injection.failed = NULL;
}

static void read_injection(const char *text) {
  const char *colon = strchr(text, ':');
  if (!colon)
    return;
  char *call = fake_allocate((size_t)(colon - text) + 1);
  memcpy(call, text, (size_t)(colon - text));
  char *end;
  const unsigned long nth = strtoul(colon + 1, &end, 10);
  const unsigned long code = *end == ':' ? strtoul(end + 1, NULL, 0) : ZE_RESULT_ERROR_UNKNOWN;
  inject(call, nth, (ze_result_t)code);
  free(call);
}

/* One write, so that processes do not write into each other's lines. */
static void write_calls(void) {
  FILE *file = fopen(calls_file, "a");
  if (!file)
    return;
  static char buffer[1 << 16];
  setvbuf(file, buffer, _IOFBF, sizeof buffer);
  for (size_t i = 0; i < FAKE_ID_COUNT; i++)
    fprintf(file, "%s %lu\n", symbols[i], counts[i]);
  fclose(file);
}

static ze_api_version_t read_version(const char *text) {
  if (!text || !*text)
    return ZE_API_VERSION_1_4;
  char *end;
  const unsigned long major = strtoul(text, &end, 10);
  const unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
  return (ze_api_version_t)ZE_MAKE_VERSION(major, minor);
}

static bool is_word(const char *name, const char *word) {
  const char *text = getenv(name);
  return text && strcmp(text, word) == 0;
}

static void read_environment(void) {
  if (environment_read)
    return;
  environment_read = true;
  fake_environment = (fake_settings){
      .drivers = read_count("FAKE_ZE_DRIVERS", 1, FAKE_DRIVERS_MAX),
      .devices = read_count("FAKE_ZE_DEVICES", 1, FAKE_DEVICES_MAX),
      .parts = read_count("FAKE_ZE_PARTS", 2, FAKE_DEVICES_MAX),
      .cpu = is_word("FAKE_ZE_TYPE", "cpu"),
      .integrated = read_number("FAKE_ZE_INTEGRATED", 0) != 0,
      .peers = read_number("FAKE_ZE_PEERS", 1) != 0,
      .reverse = !is_word("FAKE_ZE_ORDER", "submission"),
      .strict = read_number("FAKE_ZE_STRICT", 0) != 0,
      .trace = read_count("FAKE_ZE_TRACE", 0, 2),
      .version = read_version(getenv("FAKE_ZE_API")),
      .copy_groups = read_count("FAKE_ZE_COPY_ENGINES", 2, 2),
      .timestamp_bits = read_count("FAKE_ZE_TIMESTAMP_BITS", 36, 64),
      .memory = read_number("FAKE_ZE_MEMORY", 8ULL << 30),
  };
  left_out = getenv("FAKE_ZE_WITHOUT");
  crash = getenv("FAKE_ZE_CRASH");
  calls_file = getenv("FAKE_ZE_CALLS");
  if (calls_file)
    atexit(write_calls);
  const char *fail = getenv("FAKE_ZE_FAIL");
  if (fail)
    read_injection(fail);
}

bool fake_is_left_out(const char *extension) {
  const size_t length = strlen(extension);
  for (const char *i = left_out; i && *i; i += strcspn(i, ","), i += *i == ',')
    if (strncmp(i, extension, length) == 0 && (i[length] == '\0' || i[length] == ','))
      return true;
  return false;
}

static bool gives_back(const char *symbol) {
  static const char *const words[] = {"Destroy", "Free", "Close", "Release"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(symbol, words[i]))
      return strcmp(symbol, "zeCommandListClose") != 0;
  return false;
}

static bool is_injected(const char *symbol) {
  if (injection.left == 0 ||
      (injection.call ? strcmp(symbol, injection.call) != 0 : gives_back(symbol)))
    return false;
  return --injection.left == 0;
}

void fake_count(fake_id id) {
  __atomic_fetch_add(&counts[id], 1, __ATOMIC_RELAXED);
}

ze_result_t fake_enter(fake_id id) {
  const char *symbol = symbols[id];
  fake_lock();
  read_environment();
  fake_count(id);
  if (fake_environment.trace > 1)
    fprintf(stderr, "Level Zero driver for tests: %s\n", symbol);
  if (crash && strcmp(crash, symbol) == 0)
    raise(SIGSEGV);
  if (is_injected(symbol)) {
    injection.failed = symbol;
    return fake_deny(injection.code, "%s: fails on demand", symbol);
  }
  if (id == FAKE_ID_zeInit)
    initialized = true;
  if (!initialized)
    return fake_refuse(ZE_RESULT_ERROR_UNINITIALIZED, "%s: zeInit was not called", symbol);
  fake_make_drivers();
  return ZE_RESULT_SUCCESS;
}

void fake_leave(const char *guard) {
  (void)guard;
  fake_unlock();
}

bool fake_is_defect(ze_result_t code) {
  switch (code) {
  case ZE_RESULT_ERROR_UNINITIALIZED:
  case ZE_RESULT_ERROR_INVALID_ARGUMENT:
  case ZE_RESULT_ERROR_INVALID_NULL_HANDLE:
  case ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE:
  case ZE_RESULT_ERROR_INVALID_NULL_POINTER:
  case ZE_RESULT_ERROR_INVALID_SIZE:
  case ZE_RESULT_ERROR_INVALID_ENUMERATION:
  case ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT:
  case ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE:
  case ZE_RESULT_ERROR_OVERLAPPING_REGIONS:
    return true;
  default:
    return false;
  }
}

static void complain(bool fatal) {
  if (fake_environment.trace != 0 || fatal)
    fprintf(stderr, "Level Zero driver for tests: %s\n", reason);
  if (fatal)
    abort();
}

void fake_note(bool defect, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  complain(defect && fake_environment.strict);
}

void fake_keep_fault(bool defect, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  if (fault[0] == '\0')
    memcpy(fault, reason, sizeof fault);
  complain(defect && fake_environment.strict);
}

void *fake_next(const void *chain, ze_structure_type_t stype) {
  const ze_base_properties_t *i = chain;
  while (i && i->stype != stype)
    i = i->pNext;
  union {
    const void *in;
    void *out;
  } found = {i};
  return found.out;
}

const char *fake_ze_reason(void) {
  return reason;
}

size_t fake_ze_fault(char *text, size_t size) {
  fake_lock();
  const size_t length = strlen(fault);
  if (size != 0)
    snprintf(text, size, "%s", fault);
  fake_unlock();
  return length;
}

void fake_ze_fail(const char *call, unsigned long nth, ze_result_t code) {
  fake_lock();
  read_environment();
  inject(call, nth, code);
  fake_unlock();
}

const char *fake_ze_unfail(void) {
  fake_lock();
  injection.left = 0;
  const char *failed = injection.failed;
  fake_unlock();
  return failed;
}

unsigned long fake_ze_calls(const char *call) {
  unsigned long sum = 0;
  fake_lock();
  for (size_t i = 0; i < FAKE_ID_COUNT; i++)
    if (!call || strcmp(symbols[i], call) == 0)
      sum += counts[i];
  fake_unlock();
  return sum;
}

void fake_ze_reset(void) {
  fake_lock();
  memset(counts, 0, sizeof counts);
  inject(NULL, 0, ZE_RESULT_SUCCESS);
  fault[0] = '\0';
  fake_unlock();
}

void fake_ze_each_call(void (*function)(const char *symbol, unsigned long calls, void *user),
                       void *user) {
  for (size_t i = 0; i < FAKE_ID_COUNT; i++) {
    fake_lock();
    const unsigned long calls = counts[i];
    fake_unlock();
    function(symbols[i], calls, user);
  }
}
