/*
 * Declarations that all files of the fake CUDA driver share: objects, handles, the lock, refusals.
 * One lock guards all state. FAKE_ENTER takes it for the rest of a function; commands of streams
 * run without it.
 */
#ifndef SPECPI_TEST_FAKE_CUDA_INTERNAL_H
#define SPECPI_TEST_FAKE_CUDA_INTERNAL_H

#include "../kit/kit.h"
#include "fake_cuda.h"

/* Each function of the API has one. They are in a section of their own, which lists them all. */
typedef struct fake_call {
  const char *symbol;
  unsigned long count;
} fake_call;

/* The preconditions of a function. */
typedef enum fake_need {
  FAKE_NEEDS_NOTHING,
  FAKE_NEEDS_INIT,    /* cuInit was called */
  FAKE_NEEDS_LIVING,  /* also, the current context was not destroyed */
  FAKE_NEEDS_CONTEXT, /* also, nothing has failed in the context */
} fake_need;

#define FAKE_TEXT(x) FAKE_TEXT_(x)
#define FAKE_TEXT_(x) #x

/* At the start of every function of the API. */
#define FAKE_ENTER(function, need)                                                                 \
  static fake_call fake_this                                                                       \
      __attribute__((section("fake_calls"), used)) = {FAKE_TEXT(function), 0};                     \
  const CUresult fake_entered = fake_enter(&fake_this, FAKE_NEEDS_##need);                         \
  __attribute__((cleanup(fake_leave), unused)) const char fake_guard = 0;                          \
  if (fake_entered != CUDA_SUCCESS)                                                                \
  return fake_entered

/* Takes the lock and counts the call. Returns not 0 if the call has to fail. */
CUresult fake_enter(fake_call *call, fake_need need);
void fake_leave(const char *guard);

/* Marks whether this thread runs a callback, in which the API refuses calls. */
void fake_calling_back(bool is);

/* Returns whether only a defect of the program can cause this code. */
bool fake_is_defect(CUresult code);

/* Records the message, and evaluates to the code. */
#define fake_refuse(code, ...) (fake_note(fake_is_defect(code), __VA_ARGS__), (CUresult)(code))

/* The same for failures that a correct program may cause: never aborts. */
#define fake_deny(code, ...) (fake_note(false, __VA_ARGS__), (CUresult)(code))

#define FAKE_REQUIRE(condition, code, ...)                                                         \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return fake_refuse(CUDA_ERROR_##code, __VA_ARGS__);                                          \
  } while (0)

#define FAKE_TRY(expression)                                                                       \
  do {                                                                                             \
    const CUresult fake_code = (expression);                                                       \
    if (fake_code != CUDA_SUCCESS)                                                                 \
      return fake_code;                                                                            \
  } while (0)

/* The settings from the environment. */
typedef struct fake_settings {
  int devices;
  int version;
  const char *ptxas; /* path; "" for none */
  size_t memory;
  unsigned long long steps;
  int multiprocessors;
  bool has_virtual_memory;
  bool has_pools;
} fake_settings;
extern fake_settings fake_environment;
CUresult fake_initialize(void);

/* Declares name as the object of a handle, or refuses the call if there is none. */
#define FAKE_FIND(type, name, handle, kind)                                                        \
  type *const name = fake_find((handle), FAKE_##kind);                                             \
  FAKE_REQUIRE(name, INVALID_HANDLE, "%s: no live object of kind %s is %p", __func__, #kind,       \
               (const void *)(handle))

enum { FAKE_DEVICES_MAX = 8, FAKE_ARCHITECTURE = 80 };

/* device.c: returns CUDA_ERROR_INVALID_DEVICE if there is no such device. */
CUresult fake_check_device(CUdevice device);
/* Returns an attribute's value from attributes.h, which must contain the attribute. */
int fake_attribute(CUdevice_attribute attribute);
bool fake_can_access_peer(CUdevice device, CUdevice peer);

typedef struct fake_stream fake_stream;

struct fake_context {
  fake_object head;
  CUdevice device;
  unsigned flags;
  unsigned retained; /* number of cuDevicePrimaryCtxRetain calls, for primary contexts */
  bool primary;
  bool ending;
  unsigned long long id;
  CUresult sticky; /* the failure after which the context is unusable */
  CUfunc_cache cache;
  size_t limits[CU_LIMIT_MAX];
  fake_stream *streams; /* all, including destroyed ones that still have work */
  fake_stream *legacy;
  bool peers[1 << 3]; /* by device: whether this context may access its memory */
};

/* context.c: returns the current context; NULL if there is none or it was destroyed. */
fake_context *fake_current(void);
/* Checks FAKE_NEEDS_LIVING. */
CUresult fake_check_current(void);
CUresult fake_context_new(CUdevice device, unsigned flags, bool primary, fake_context **ret);
void fake_context_end(fake_context *context);
/* Makes code the context's sticky failure, unless it already has one. */
void fake_break(fake_context *context, CUresult code);
/* Checks that an object belongs to the current context. */
CUresult fake_check_owner(const fake_object *object, const char *function);

#endif
