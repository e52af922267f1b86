/*
 * What tests control the driver with: the environment, failures on demand, counts of calls, the
 * reasons of refusals; and what every function begins with.
 */
#define _POSIX_C_SOURCE 200809L
#include "fake.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SPECPI_PTXAS
#define SPECPI_PTXAS ""
#endif

fake_settings fake_environment;

static bool initialized;
static bool environment_read;

static struct {
  char *call; /* NULL: any */
  unsigned long left;
  CUresult code;
  const char *failed;
} injection;

static _Thread_local char reason[512];
static _Thread_local bool in_callback;

/* The ends of the section of all calls, as the linker names them. */
extern fake_call __start_fake_calls[] __attribute__((visibility("hidden")));
extern fake_call __stop_fake_calls[] __attribute__((visibility("hidden")));

static unsigned long long read_number(const char *name, unsigned long long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static void inject(const char *call, unsigned long nth, CUresult code) {
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
  const unsigned long code = *end == ':' ? strtoul(end + 1, NULL, 10) : CUDA_ERROR_UNKNOWN;
  inject(call, nth, (CUresult)code);
  free(call);
}

static const char *calls_file;

/* One write, so that processes do not write into each other's lines. */
static void write_calls(void) {
  FILE *file = fopen(calls_file, "a");
  if (!file)
    return;
  static char buffer[1 << 16];
  setvbuf(file, buffer, _IOFBF, sizeof buffer);
  for (const fake_call *i = __start_fake_calls; i != __stop_fake_calls; i++)
    fprintf(file, "%s %lu\n", i->symbol, i->count);
  fclose(file);
}

static void read_environment(void) {
  if (environment_read)
    return;
  environment_read = true;
  const unsigned long long devices = read_number("FAKE_CUDA_DEVICES", 1);
  fake_environment.devices = devices < FAKE_DEVICES_MAX ? (int)devices : FAKE_DEVICES_MAX;
  fake_environment.version = (int)read_number("FAKE_CUDA_VERSION", 12040);
  const char *ptxas = getenv("FAKE_CUDA_PTXAS");
  fake_environment.ptxas = ptxas ? ptxas : SPECPI_PTXAS;
  fake_environment.memory = read_number("FAKE_CUDA_MEMORY", 8ULL << 30);
  fake_environment.steps = read_number("FAKE_CUDA_STEPS", 4000000000ULL);
  fake_environment.strict = read_number("FAKE_CUDA_STRICT", 0) != 0;
  fake_environment.trace = read_number("FAKE_CUDA_TRACE", 0) != 0;
  calls_file = getenv("FAKE_CUDA_CALLS");
  if (calls_file)
    atexit(write_calls);
  const char *fail = getenv("FAKE_CUDA_FAIL");
  if (fail)
    read_injection(fail);
}

bool fake_initialized(void) {
  return initialized;
}

CUresult fake_initialize(void) {
  if (fake_environment.devices == 0)
    return fake_deny(CUDA_ERROR_NO_DEVICE, "cuInit: FAKE_CUDA_DEVICES is 0");
  initialized = true;
  return CUDA_SUCCESS;
}

/* Whether text is symbol, or symbol without "_v2" or so. */
static bool is_named(const char *symbol, const char *text) {
  const size_t length = strlen(text);
  if (strncmp(symbol, text, length) != 0)
    return false;
  return symbol[length] == '\0' || (strncmp(symbol + length, "_v", 2) == 0);
}

static bool gives_back(const char *symbol) {
  static const char *const words[] = {"Destroy", "Free",       "Unload",
                                      "Release", "Unregister", "Reset"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(symbol, words[i]))
      return true;
  return is_named(symbol, "cuGetErrorName") || is_named(symbol, "cuGetErrorString");
}

static bool is_injected(const char *symbol) {
  if (injection.left == 0 ||
      (injection.call ? !is_named(symbol, injection.call) : gives_back(symbol)))
    return false;
  return --injection.left == 0;
}

static CUresult check_need(const char *symbol, fake_need need) {
  if (need == FAKE_NEEDS_NOTHING)
    return CUDA_SUCCESS;
  if (!initialized)
    return fake_refuse(CUDA_ERROR_NOT_INITIALIZED, "%s: cuInit was not called", symbol);
  if (in_callback)
    return fake_refuse(CUDA_ERROR_NOT_PERMITTED, "%s: called in a stream's callback", symbol);
  if (need == FAKE_NEEDS_INIT)
    return CUDA_SUCCESS;
  FAKE_TRY(fake_check_current());
  const CUresult sticky = fake_current()->sticky;
  if (need == FAKE_NEEDS_CONTEXT && sticky != CUDA_SUCCESS)
    return fake_deny(sticky, "%s: something failed in the context before", symbol);
  return CUDA_SUCCESS;
}

CUresult fake_enter(fake_call *call, fake_need need) {
  fake_lock();
  read_environment();
  call->count++;
  if (is_injected(call->symbol)) {
    injection.failed = call->symbol;
    return fake_deny(injection.code, "%s: fails on demand", call->symbol);
  }
  return check_need(call->symbol, need);
}

void fake_leave(const char *guard) {
  (void)guard;
  fake_unlock();
}

void fake_calling_back(bool is) {
  in_callback = is;
}

bool fake_is_defect(CUresult code) {
  return code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_INVALID_HANDLE ||
         code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_CONTEXT_IS_DESTROYED ||
         code == CUDA_ERROR_NOT_INITIALIZED || code == CUDA_ERROR_ILLEGAL_ADDRESS ||
         code == CUDA_ERROR_NOT_PERMITTED || code == CUDA_ERROR_INVALID_DEVICE;
}

void fake_note(bool defect, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  defect = defect && fake_environment.strict;
  if (fake_environment.trace || defect)
    fprintf(stderr, "libcuda for tests: %s\n", reason);
  if (defect)
    abort();
}

const char *fake_cuda_reason(void) {
  return reason;
}

void fake_cuda_fail(const char *call, unsigned long nth, CUresult code) {
  fake_lock();
  read_environment();
  inject(call, nth, code);
  fake_unlock();
}

const char *fake_cuda_unfail(void) {
  fake_lock();
  injection.left = 0;
  const char *failed = injection.failed;
  fake_unlock();
  return failed;
}

unsigned long fake_cuda_calls(const char *call) {
  unsigned long sum = 0;
  fake_lock();
  for (const fake_call *i = __start_fake_calls; i != __stop_fake_calls; i++)
    if (!call || is_named(i->symbol, call))
      sum += i->count;
  fake_unlock();
  return sum;
}

void fake_cuda_each_call(void (*function)(const char *symbol, unsigned long calls, void *user),
                         void *user) {
  for (const fake_call *i = __start_fake_calls; i != __stop_fake_calls; i++) {
    fake_lock();
    const unsigned long count = i->count;
    fake_unlock();
    function(i->symbol, count, user);
  }
}
