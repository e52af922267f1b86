/*
 * Control of the driver by tests: the environment, failures on demand, counts of calls and reasons
 * of refusals. Also the code that every function of the API runs first.
 */
#define _POSIX_C_SOURCE 200809L
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef SPECPI_PTXAS
#define SPECPI_PTXAS ""
#endif

fake_settings fake_environment;

static bool initialized;
static bool environment_read;

static _Thread_local bool in_callback;

/* Start and end of the section with all fake_call structures; the linker defines these names. */
extern fake_call __start_fake_calls[] __attribute__((visibility("hidden")));
extern fake_call __stop_fake_calls[] __attribute__((visibility("hidden")));

const char fake_driver_name[] = "libcuda for tests";
const size_t fake_slots_kept;

const char *const fake_kind_names[] = {
#define FAKE_KIND(NAME, text) text,
    FAKE_KINDS(FAKE_KIND)
#undef FAKE_KIND
};

bool fake_is_permanent(unsigned kind) {
  (void)kind;
  return false;
}

static const char *calls_file;

/* Appends with a single write, so that lines of several processes do not mix. */
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
  const unsigned long long devices = fake_read_number("FAKE_CUDA_DEVICES", 1);
  fake_environment.devices = devices < FAKE_DEVICES_MAX ? (int)devices : FAKE_DEVICES_MAX;
  fake_environment.version = (int)fake_read_number("FAKE_CUDA_VERSION", 12040);
  const char *ptxas = getenv("FAKE_CUDA_PTXAS");
  fake_environment.ptxas = ptxas ? ptxas : SPECPI_PTXAS;
  fake_environment.memory = fake_read_number("FAKE_CUDA_MEMORY", 8ULL << 30);
  fake_environment.steps = fake_read_number("FAKE_CUDA_STEPS", 4000000000ULL);
  fake_environment.multiprocessors = (int)fake_read_number("FAKE_CUDA_UNITS", 4);
  fake_environment.has_virtual_memory = fake_read_number("FAKE_CUDA_VIRTUAL", 1) != 0;
  fake_environment.has_pools = fake_read_number("FAKE_CUDA_POOLS", 1) != 0;
  fake_is_strict = fake_read_number("FAKE_CUDA_STRICT", 0) != 0;
  fake_trace = fake_read_number("FAKE_CUDA_TRACE", 0) != 0;
  calls_file = getenv("FAKE_CUDA_CALLS");
  if (calls_file)
    atexit(write_calls);
  const char *fail = getenv("FAKE_CUDA_FAIL");
  if (fail)
    fake_read_injection(fail, CUDA_ERROR_UNKNOWN);
}

CUresult fake_initialize(void) {
  if (fake_environment.devices == 0)
    return fake_deny(CUDA_ERROR_NO_DEVICE, "cuInit: FAKE_CUDA_DEVICES is 0");
  initialized = true;
  return CUDA_SUCCESS;
}

bool fake_gives_back(const char *symbol) {
  static const char *const words[] = {"Destroy",    "Free",  "Unload", "Release",
                                      "Unregister", "Reset", "Unmap"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(symbol, words[i]))
      return true;
  return fake_is_named(symbol, "cuGetErrorName") || fake_is_named(symbol, "cuGetErrorString");
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
  int code;
  if (fake_is_injected(call->symbol, &code))
    return fake_deny(code, "%s: fails on demand", call->symbol);
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

const char *fake_cuda_reason(void) {
  return fake_reason();
}

void fake_cuda_fail(const char *call, unsigned long nth, CUresult code) {
  fake_lock();
  read_environment();
  fake_inject(call, nth, (int)code);
  fake_unlock();
}

const char *fake_cuda_unfail(void) {
  return fake_uninject();
}

size_t fake_cuda_live(fake_kind kind) {
  return fake_live(kind);
}

size_t fake_cuda_live_all(void) {
  return fake_list_live(NULL, 0);
}

size_t fake_cuda_list(char *text, size_t size) {
  return fake_list_live(text, size);
}

unsigned long fake_cuda_calls(const char *call) {
  unsigned long sum = 0;
  fake_lock();
  for (const fake_call *i = __start_fake_calls; i != __stop_fake_calls; i++)
    if (!call || fake_is_named(i->symbol, call))
      sum += i->count;
  fake_unlock();
  return sum;
}
