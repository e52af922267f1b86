/*
 * Control of the fake Level Zero driver by tests: the environment, failures on demand, counts of
 * calls and reasons of refusals. Also the code that every function of the API runs first.
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

static char fault[512];

const char fake_driver_name[] = "fake Level Zero driver";
const size_t fake_slots_kept = 1 << 12;

const char *const fake_kind_names[] = {
#define FAKE_KIND(NAME, text) text,
    FAKE_KINDS(FAKE_KIND)
#undef FAKE_KIND
};

bool fake_is_permanent(unsigned kind) {
  return kind == FAKE_DRIVER || kind == FAKE_DEVICE;
}

static uint32_t read_count(const char *name, uint32_t otherwise, uint32_t most) {
  const unsigned long long value = fake_read_number(name, otherwise);
  return value < most ? (uint32_t)value : most;
}

/* Appends with a single write, so that lines of several processes do not mix. */
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
      .integrated = fake_read_number("FAKE_ZE_INTEGRATED", 0) != 0,
      .peers = fake_read_number("FAKE_ZE_PEERS", 1) != 0,
      .reverse = !is_word("FAKE_ZE_ORDER", "submission"),
      .version = read_version(getenv("FAKE_ZE_API")),
      .copy_groups = read_count("FAKE_ZE_COPY_ENGINES", 2, 2),
      .timestamp_bits = read_count("FAKE_ZE_TIMESTAMP_BITS", 36, 64),
      .memory = fake_read_number("FAKE_ZE_MEMORY", 8ULL << 30),
  };
  fake_is_strict = fake_read_number("FAKE_ZE_STRICT", 0) != 0;
  fake_trace = read_count("FAKE_ZE_TRACE", 0, 2);
  left_out = getenv("FAKE_ZE_WITHOUT");
  crash = getenv("FAKE_ZE_CRASH");
  calls_file = getenv("FAKE_ZE_CALLS");
  if (calls_file)
    atexit(write_calls);
  const char *fail = getenv("FAKE_ZE_FAIL");
  if (fail)
    fake_read_injection(fail, ZE_RESULT_ERROR_UNKNOWN);
}

bool fake_is_left_out(const char *extension) {
  const size_t length = strlen(extension);
  for (const char *i = left_out; i && *i; i += strcspn(i, ","), i += *i == ',')
    if (strncmp(i, extension, length) == 0 && (i[length] == '\0' || i[length] == ','))
      return true;
  return false;
}

bool fake_gives_back(const char *symbol) {
  static const char *const words[] = {"Destroy", "Free", "Close", "Release"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(symbol, words[i]))
      return strcmp(symbol, "zeCommandListClose") != 0;
  return false;
}

void fake_count(fake_id id) {
  __atomic_fetch_add(&counts[id], 1, __ATOMIC_RELAXED);
}

ze_result_t fake_enter(fake_id id) {
  const char *symbol = symbols[id];
  fake_lock();
  read_environment();
  fake_count(id);
  if (fake_trace > 1)
    fprintf(stderr, "fake Level Zero driver: %s\n", symbol);
  if (crash && strcmp(crash, symbol) == 0)
    raise(SIGSEGV);
  int code;
  if (fake_is_injected(symbol, &code))
    return fake_deny(code, "%s: fails on demand", symbol);
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

void fake_keep_fault(bool defect, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  if (fault[0] == '\0')
    vsnprintf(fault, sizeof fault, format, again);
  va_end(again);
  fake_note_list(defect, format, arguments);
  va_end(arguments);
}

ze_result_t fake_check_unused(const fake_object *object, const char *function) {
  FAKE_REQUIRE(object->pending == 0, HANDLE_OBJECT_IN_USE,
               "%s: %u commands that have not ended use it", function, object->pending);
  return ZE_RESULT_SUCCESS;
}

ze_result_t fake_alone_check(const fake_slot *slot, const char *function) {
  FAKE_REQUIRE(fake_is_alone(slot), INVALID_ARGUMENT,
               "%s: two threads use the same object at the same time", function);
  return ZE_RESULT_SUCCESS;
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
  return fake_reason();
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
  fake_inject(call, nth, (int)code);
  fake_unlock();
}

const char *fake_ze_unfail(void) {
  return fake_uninject();
}

size_t fake_ze_live(fake_kind kind) {
  return fake_live(kind);
}

size_t fake_ze_live_all(void) {
  return fake_list_live(NULL, 0);
}

size_t fake_ze_list(char *text, size_t size) {
  return fake_list_live(text, size);
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
  fake_inject(NULL, 0, 0);
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
