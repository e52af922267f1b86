/*
 * Declarations that all files of the fake Level Zero driver share: objects, handles, the lock,
 * refusals, memory, and appending commands. One lock guards all state. FAKE_ENTER takes it for the
 * rest of a function; commands run without it.
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
 * The start of every function of the API: takes the lock for the rest of the function and counts
 * the call. Returns from the function if it has to fail or zeInit was not called.
 */
#define FAKE_ENTER(function)                                                                       \
  const ze_result_t fake_entered = fake_enter(FAKE_ID_##function);                                 \
  __attribute__((cleanup(fake_leave), unused)) const char fake_guard = 0;                          \
  if (fake_entered != ZE_RESULT_SUCCESS)                                                           \
  return fake_entered

/*
 * The same for functions that Level Zero allows in one thread at a time per object. Refuses the
 * call if another thread is in such a function with the same handle.
 */
#define FAKE_ENTER_ALONE(function, handle)                                                         \
  __attribute__((cleanup(fake_alone_end))) fake_slot *fake_alone = fake_alone_begin(handle);       \
  FAKE_ENTER(function);                                                                            \
  FAKE_TRY(fake_alone_check(fake_alone, #function))

/* A function of any type; cast it to its type before a call. */
typedef void fake_function(void);

/* null.c: returns the replacement of a function under FAKE_ZE_NULL=1; NULL if it has none. */
fake_function *fake_null(fake_id id);
/* Counts a call. It needs no lock. */
void fake_count(fake_id id);

/* Takes the lock and counts the call. Returns not 0 if the call has to fail. */
ze_result_t fake_enter(fake_id id);
void fake_leave(const char *guard);
ze_result_t fake_alone_check(const fake_slot *slot, const char *function);

/* fake_note for a command that is running. The message is also recorded for fake_ze_fault. */
void fake_keep_fault(bool defect, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns whether only a defect of the program can cause this code. */
bool fake_is_defect(ze_result_t code);

/* Records the message, and evaluates to the code. */
#define fake_refuse(code, ...) (fake_note(fake_is_defect(code), __VA_ARGS__), (ze_result_t)(code))

/* The same for failures that a correct program may cause: never aborts. */
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

/* Checks that a descriptor or properties struct is not NULL and has its type's stype. */
#define FAKE_STRUCT(pointer, TYPE)                                                                 \
  do {                                                                                             \
    FAKE_REQUIRE(pointer, INVALID_NULL_POINTER, "%s: %s is NULL", __func__, #pointer);             \
    FAKE_REQUIRE((pointer)->stype == ZE_STRUCTURE_TYPE_##TYPE, INVALID_ARGUMENT,                   \
                 "%s: %s has stype 0x%x, not ZE_STRUCTURE_TYPE_" #TYPE, __func__, #pointer,        \
                 (unsigned)(pointer)->stype);                                                      \
  } while (0)

/* Returns the struct with this stype in a pNext chain; NULL if there is none. */
void *fake_next(const void *chain, ze_structure_type_t stype);

/*
 * Declares functions of newer versions and extension functions, because Level Zero's header does
 * not declare them.
 */
#define FAKE_PROTOTYPE(symbol, parameters) ze_result_t symbol parameters;
FAKE_OTHERS(FAKE_PROTOTYPE)
#undef FAKE_PROTOTYPE

/* The settings from the environment; see fake_ze.h. */
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

/* Declares name as the object of a handle, or refuses the call if there is none. */
#define FAKE_FIND(type, name, handle, KIND)                                                        \
  FAKE_REQUIRE(handle, INVALID_NULL_HANDLE, "%s: %s is NULL", __func__, #handle);                  \
  type *const name = fake_find((handle), FAKE_##KIND);                                             \
  FAKE_REQUIRE(name, INVALID_ARGUMENT, "%s: no live object of kind %s is %p", __func__, #KIND,     \
               (const void *)(handle))

/* Refuses to destroy an object that unfinished commands use. */
ze_result_t fake_check_unused(const fake_object *object, const char *function);

typedef struct fake_driver fake_driver;
typedef struct fake_device fake_device;

enum { FAKE_DRIVERS_MAX = 4, FAKE_DEVICES_MAX = 8 };

struct fake_device {
  fake_object head;
  fake_driver *driver;
  fake_device *root; /* the root device, itself unless it is a part (sub-device) */
  uint32_t index;    /* in the driver or in the root device */
  uint32_t part_count;
  fake_device *parts[FAKE_DEVICES_MAX];
  uint64_t memory_used; /* for root devices */
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
  fake_device **devices; /* root devices or parts */
  ze_result_t lost;      /* the failure of a command after which the context is unusable */
};

/* driver.c: creates the drivers and devices, on the first call. */
void fake_make_drivers(void);
/* Sets *count for a function that returns an array. Returns the number of elements to write. */
uint32_t fake_give(uint32_t *count, bool place, uint32_t available);

/* context.c: finds a handle's device, which must be in the context. ret may be NULL. */
ze_result_t fake_check_device(const fake_context *context, ze_device_handle_t handle,
                              const char *function, fake_device **ret);
/* Returns whether a context has a device or its root device. */
bool fake_context_has(const fake_context *context, const fake_device *device);

/* An allocation, imported host memory, or a module's variable. */
typedef struct fake_memory {
  fake_object head; /* MEMORY or IMPORT */
  char *base;
  size_t size;
  ze_memory_type_t type;
  fake_driver *driver;
  fake_device *device;      /* NULL for host memory, or memory shared by all devices */
  char *view;               /* the address at which the driver accesses it */
  struct fake_place *place; /* NULL if the driver does not own the memory */
  bool opened;              /* with zeMemOpenIpcHandle */
  bool freed;               /* with zeMemFreeExt, which still waits for commands */
  bool deferred;            /* with zeMemFreeExt, which did not wait; ends with the last command */
} fake_memory;

/* Returns the allocation that contains an address; NULL if there is none. */
fake_memory *fake_memory_at(const void *address);

/*
 * Registers memory that another object owns (a module's variables) as a device's. The caller passes
 * the result to fake_memory_forget.
 */
fake_memory *fake_memory_of(fake_context *context, fake_device *device, void *base, size_t size);
void fake_memory_forget(fake_memory *memory);

/*
 * Checks that a command of this context and device may use size bytes at an address. They must be
 * inside one allocation that the device may access, of the context or imported by its driver, or in
 * pageable host memory. *ret receives the allocation, or NULL for pageable memory, which only
 * copies accept. ret may be NULL.
 */
ze_result_t fake_memory_check(fake_context *context, const fake_device *device, const void *address,
                              size_t size, const char *function, fake_memory **ret);

/*
 * Returns the address at which the driver's own code accesses memory. Device memory is inaccessible
 * to the host, but is mapped a second time for the driver. Takes any address, and needs no lock.
 */
void *fake_view(const void *address);

/*
 * Makes device memory accessible at its own address, while kernels run. Calls may nest, in any
 * thread. They need no lock.
 */
void fake_open_memory(void);
void fake_close_memory(void);

/* The queue groups that can execute a command. */
typedef enum fake_engine {
  FAKE_ENGINE_COMPUTE, /* groups with ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE */
  FAKE_ENGINE_COPY,    /* all groups */
} fake_engine;

typedef struct fake_list fake_list;

/*
 * A command to append to a list. run is called without the lock, on a thread of the queue, once for
 * each execution of the list, never at once in two threads. If it fails, the context is lost. end
 * is called with the lock when the list drops the command, and frees data.
 */
typedef struct fake_work {
  const char *name; /* name of the function that appends it */
  fake_engine engine;
  ze_result_t (*run)(void *data);
  void (*end)(void *data); /* NULL if there is nothing to free */
  void *data;
  fake_object *const *uses; /* objects that must live until the command ends; may contain NULLs */
  size_t use_count;
  bool cooperative; /* needs a queue group for cooperative kernels */
  bool is_untimed;  /* leaves its event's timestamps undefined */
} fake_work;

/*
 * Finds a handle's list, to which commands for this engine can be appended. Call it after
 * FAKE_ENTER_ALONE(function, handle).
 */
ze_result_t fake_list_find(ze_command_list_handle_t handle, fake_engine engine,
                           const char *function, fake_list **ret);
fake_context *fake_list_context(const fake_list *list);
fake_device *fake_list_device(const fake_list *list);

/* Appends a command. Takes over work->data, also on failure. */
ze_result_t fake_append(fake_list *list, const fake_work *work, ze_event_handle_t signal,
                        uint32_t wait_count, ze_event_handle_t *waits);

#endif
