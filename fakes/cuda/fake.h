/*
 * The parts that all files of the fake CUDA driver share: objects, handles, the lock, refusals. All
 * state is used under one lock, which FAKE_ENTER takes for the rest of a function; commands of
 * streams run without it.
 */
#ifndef SPECPI_TEST_FAKE_CUDA_INTERNAL_H
#define SPECPI_TEST_FAKE_CUDA_INTERNAL_H

#include "../kit/kit.h"
#include "fake_cuda.h"

/* Every function has one, in a section of its own so that the list of them makes itself. */
typedef struct fake_call {
  const char *symbol;
  unsigned long count;
} fake_call;

/* The needs of a function before it does anything. */
typedef enum fake_need {
  FAKE_NEEDS_NOTHING,
  FAKE_NEEDS_INIT,    /* cuInit */
  FAKE_NEEDS_LIVING,  /* a current context that was not destroyed */
  FAKE_NEEDS_CONTEXT, /* and in which nothing has failed */
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

/* Takes the lock and counts the call; not 0 when it has to fail. */
CUresult fake_enter(fake_call *call, fake_need need);
void fake_leave(const char *guard);

/* On the threads that call back: functions of the API are refused there. */
void fake_calling_back(bool is);

/* Codes that only a defect of the program can cause. */
bool fake_is_defect(CUresult code);

/* Keeps the message, and gives the code. */
#define fake_refuse(code, ...) (fake_note(fake_is_defect(code), __VA_ARGS__), (CUresult)(code))

/* The same of what a program may rightly try: never aborts. */
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

/* The environment. */
typedef struct fake_settings {
  int devices;
  int version;
  const char *ptxas; /* "": none */
  size_t memory;
  unsigned long long steps;
  int multiprocessors;
  bool has_virtual_memory;
  bool has_pools;
} fake_settings;
extern fake_settings fake_environment;
bool fake_initialized(void);
CUresult fake_initialize(void);

/* name becomes the object of a handle, or the call is refused. */
#define FAKE_FIND(type, name, handle, kind)                                                        \
  type *const name = fake_find((handle), FAKE_##kind);                                             \
  FAKE_REQUIRE(name, INVALID_HANDLE, "%s: no live object of kind %s is %p", __func__, #kind,       \
               (const void *)(handle))

enum { FAKE_DEVICES_MAX = 8, FAKE_ARCHITECTURE = 80 };

/* device.c: CUDA_ERROR_INVALID_DEVICE when there is no such device. */
CUresult fake_check_device(CUdevice device);
/* The table's value; the attribute is one that it has. */
int fake_attribute(CUdevice_attribute attribute);
bool fake_can_access_peer(CUdevice device, CUdevice peer);

typedef struct fake_stream fake_stream;

struct fake_context {
  fake_object head;
  CUdevice device;
  unsigned flags;
  unsigned retained; /* primary contexts: by cuDevicePrimaryCtxRetain */
  bool primary;
  bool ending;
  unsigned long long id;
  CUresult sticky; /* what has failed; the context is of no use any more */
  CUfunc_cache cache;
  size_t limits[CU_LIMIT_MAX];
  fake_stream *streams; /* all of them, the destroyed ones that still have work too */
  fake_stream *legacy;
  bool peers[1 << 3]; /* devices whose memory may be accessed */
};

/* context.c: the current one; NULL: none. Destroyed ones are NULL, too. */
fake_context *fake_current(void);
/* The check of FAKE_NEEDS_LIVING. */
CUresult fake_check_current(void);
CUresult fake_context_new(CUdevice device, unsigned flags, bool primary, fake_context **ret);
void fake_context_end(fake_context *context);
/* Keeps the first failure of a kernel. */
void fake_break(fake_context *context, CUresult code);
/* The object belongs to the current context. */
CUresult fake_check_owner(const fake_object *object, const char *function);

#endif
