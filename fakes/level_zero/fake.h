/*
 * The parts that all files of the fake Level Zero driver share: objects, handles, the lock,
 * refusals, memory and how commands are put into a list. All state is used under one lock, which
 * FAKE_ENTER takes for the rest of a function; commands run without it.
 */
#ifndef SPECPI_TEST_FAKE_ZE_INTERNAL_H
#define SPECPI_TEST_FAKE_ZE_INTERNAL_H

#include "../kit/kit.h"
#include "fake_ze.h"
#include "functions.h"

/* FAKE_ID_zeInit and so on: a number for every function. */
typedef enum fake_id {
#define FAKE_ID(Table, Object, Name) FAKE_ID_ze##Object##Name,
#define FAKE_TABLE(Table, type, LIST) LIST(FAKE_ID, Table)
  FAKE_TABLES(FAKE_TABLE)
#undef FAKE_TABLE
#undef FAKE_ID
#define FAKE_ID(symbol, parameters) FAKE_ID_##symbol,
      FAKE_OTHERS(FAKE_ID)
#undef FAKE_ID
          FAKE_ID_COUNT
} fake_id;

/*
 * At the start of every function of the API: takes the lock for the rest of it, counts the call,
 * and returns when it has to fail, or when zeInit has not been called.
 */
#define FAKE_ENTER(function)                                                                       \
  const ze_result_t fake_entered = fake_enter(FAKE_ID_##function);                                 \
  __attribute__((cleanup(fake_leave), unused)) const char fake_guard = 0;                          \
  if (fake_entered != ZE_RESULT_SUCCESS)                                                           \
  return fake_entered

/*
 * The same for a function that Level Zero allows in one thread at a time for each object: a second
 * thread that is in such a function with the same handle is refused.
 */
#define FAKE_ENTER_ALONE(function, handle)                                                         \
  __attribute__((cleanup(fake_alone_end))) fake_slot *fake_alone = fake_alone_begin(handle);       \
  FAKE_ENTER(function);                                                                            \
  FAKE_TRY(fake_alone_check(fake_alone, #function))

/* Any function, to be cast to its type. */
typedef void fake_function(void);

/* null.c: what stands for a function with FAKE_ZE_NULL=1; NULL: the function itself. */
fake_function *fake_null(fake_id id);
/* Counts a call, without the lock. */
void fake_count(fake_id id);

/* Takes the lock and counts the call; not 0 when it has to fail. */
ze_result_t fake_enter(fake_id id);
void fake_leave(const char *guard);
ze_result_t fake_alone_check(const fake_slot *slot, const char *function);

/* fake_note of a command that has begun; kept for fake_ze_fault, too. */
void fake_keep_fault(bool defect, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Codes that only a defect of the program can cause. */
bool fake_is_defect(ze_result_t code);

/* Keeps the message, and gives the code. */
#define fake_refuse(code, ...) (fake_note(fake_is_defect(code), __VA_ARGS__), (ze_result_t)(code))

/* The same of what a program may rightly try: never aborts. */
#define fake_deny(code, ...) (fake_note(false, __VA_ARGS__), (ze_result_t)(code))

#define FAKE_REQUIRE(condition, code, ...)                                                         \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return fake_refuse(ZE_RESULT_ERROR_##code, __VA_ARGS__);                                     \
  } while (0)

#define FAKE_TRY(expression)                                                                       \
  do {                                                                                             \
    const ze_result_t fake_code = (expression);                                                    \
    if (fake_code != ZE_RESULT_SUCCESS)                                                            \
      return fake_code;                                                                            \
  } while (0)

/* A descriptor or properties struct: not NULL, and its stype is that of the type. */
#define FAKE_STRUCT(pointer, TYPE)                                                                 \
  do {                                                                                             \
    FAKE_REQUIRE(pointer, INVALID_NULL_POINTER, "%s: %s is NULL", __func__, #pointer);             \
    FAKE_REQUIRE((pointer)->stype == ZE_STRUCTURE_TYPE_##TYPE, INVALID_ARGUMENT,                   \
                 "%s: %s has stype 0x%x, not ZE_STRUCTURE_TYPE_" #TYPE, __func__, #pointer,        \
                 (unsigned)(pointer)->stype);                                                      \
  } while (0)

/* The struct of a pNext chain that has this stype; NULL: there is none. */
void *fake_next(const void *chain, ze_structure_type_t stype);

/*
 * Functions of newer versions, or found by zeDriverGetExtensionFunctionAddress: no header declares
 * them.
 */
#define FAKE_PROTOTYPE(symbol, parameters) ze_result_t symbol parameters;
FAKE_OTHERS(FAKE_PROTOTYPE)
#undef FAKE_PROTOTYPE

/* The environment; fake_ze.h says what each is. */
typedef struct fake_settings {
  uint32_t drivers, devices, parts;
  bool cpu, integrated, peers, reverse;
  ze_api_version_t version;
  uint32_t copy_groups;
  uint32_t timestamp_bits;
  uint64_t memory;
} fake_settings;
extern fake_settings fake_environment;

/* Returns whether FAKE_ZE_WITHOUT leaves an extension out. */
bool fake_is_left_out(const char *extension);

/* name becomes the object of a handle, or the call is refused. */
#define FAKE_FIND(type, name, handle, KIND)                                                        \
  FAKE_REQUIRE(handle, INVALID_NULL_HANDLE, "%s: %s is NULL", __func__, #handle);                  \
  type *const name = fake_find((handle), FAKE_##KIND);                                             \
  FAKE_REQUIRE(name, INVALID_ARGUMENT, "%s: no live object of kind %s is %p", __func__, #KIND,     \
               (const void *)(handle))

/* Refuses to destroy what commands that have not ended use. */
ze_result_t fake_check_unused(const fake_object *object, const char *function);

typedef struct fake_driver fake_driver;
typedef struct fake_device fake_device;

enum { FAKE_DRIVERS_MAX = 4, FAKE_DEVICES_MAX = 8 };

struct fake_device {
  fake_object head;
  fake_driver *driver;
  fake_device *root; /* itself unless it is a part (sub-device) */
  uint32_t index;    /* in the driver, or in the root */
  uint32_t part_count;
  fake_device *parts[FAKE_DEVICES_MAX];
  uint64_t memory_used; /* of a root */
};

struct fake_driver {
  fake_object head;
  uint32_t index;
  uint32_t device_count;
  fake_device *devices[FAKE_DEVICES_MAX];
};

struct fake_context {
  fake_object head;
  fake_driver *driver;
  uint32_t device_count;
  fake_device **devices; /* roots, or parts */
  ze_result_t lost;      /* what a command has failed with; the context is of no use any more */
};

/* driver.c: makes the drivers and devices, once. */
void fake_make_drivers(void);
/* Sets *count as functions do that give arrays; how many are to be written. */
uint32_t fake_give(uint32_t *count, bool place, uint32_t available);

/* context.c: the device after a handle, which has to be one of the context's; ret may be NULL. */
ze_result_t fake_check_device(const fake_context *context, ze_device_handle_t handle,
                              const char *function, fake_device **ret);
/* Returns whether a device, or the root of it, is one of the context's. */
bool fake_context_has(const fake_context *context, const fake_device *device);

/* An allocation, or host memory that was imported, or a variable of a module. */
typedef struct fake_memory {
  fake_object head; /* MEMORY or IMPORT */
  char *base;
  size_t size;
  ze_memory_type_t type;
  fake_driver *driver;
  fake_device *device;      /* NULL: the host's, or shared by all */
  char *view;               /* where the driver itself accesses it */
  struct fake_place *place; /* NULL: memory of somebody else */
  bool opened;              /* by zeMemOpenIpcHandle */
  bool freed;               /* by zeMemFreeExt, which still waits for commands */
  bool deferred;            /* it does not wait: the last command's end is the memory's */
} fake_memory;

/* The allocation that an address is in; NULL: none. */
fake_memory *fake_memory_at(const void *address);

/*
 * Makes memory that another object owns (a module's variables) known as a device's. The caller
 * gives it to fake_memory_forget.
 */
fake_memory *fake_memory_of(fake_context *context, fake_device *device, void *base, size_t size);
void fake_memory_forget(fake_memory *memory);

/*
 * Checks that size bytes at address may be used by a command of this context and device: inside one
 * allocation of the context (or one imported by its driver) that the device may access, or in
 * pageable memory of the host. *ret is the allocation, or NULL for pageable memory, which copies
 * accept and kernels do not. ret may be NULL.
 */
ze_result_t fake_memory_check(fake_context *context, const fake_device *device, const void *address,
                              size_t size, const char *function, fake_memory **ret);

/*
 * Where the driver's own code reads and writes what is at address: device memory is closed to the
 * host, but is mapped a second time. Takes any address; no lock is needed.
 */
void *fake_view(const void *address);

/*
 * Opens device memory to kernels, which use it where it is; calls nest, in any thread, without the
 * lock.
 */
void fake_open_memory(void);
void fake_close_memory(void);

/* Which queue groups can do a command. */
typedef enum fake_engine {
  FAKE_ENGINE_COMPUTE, /* those with ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE */
  FAKE_ENGINE_COPY,    /* all */
} fake_engine;

typedef struct fake_list fake_list;

/*
 * A command that a list is to record (or, an immediate one, to run). run is called without the
 * lock, on a thread of the queue, as often as the list is executed, one after another; what it
 * returns but ZE_RESULT_SUCCESS loses the context, and is kept for fake_ze_fault. end frees data,
 * with the lock, when the list forgets the command.
 */
typedef struct fake_work {
  const char *name; /* of the function that appends it */
  fake_engine engine;
  ze_result_t (*run)(void *data);
  void (*end)(void *data); /* NULL: nothing to do */
  void *data;
  fake_object *const
      *uses; /* the objects that have to live until it has ended; NULLs are skipped */
  size_t use_count;
  bool cooperative; /* only in groups that can */
  bool is_untimed;  /* its event's timestamps are undefined */
} fake_work;

/*
 * The list after a handle, if commands can be appended that need this engine. Called after
 * FAKE_ENTER_ALONE(function, handle).
 */
ze_result_t fake_list_find(ze_command_list_handle_t handle, fake_engine engine,
                           const char *function, fake_list **ret);
fake_context *fake_list_context(const fake_list *list);
fake_device *fake_list_device(const fake_list *list);

/* Appends a command. Takes work->data over, also when it fails. */
ze_result_t fake_append(fake_list *list, const fake_work *work, ze_event_handle_t signal,
                        uint32_t wait_count, ze_event_handle_t *waits);

#endif
