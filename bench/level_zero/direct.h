/*
 * Launches of a program that calls Level Zero directly, with the minimum of calls. Each function
 * ends the program on an error.
 */
#ifndef SPECPI_BENCH_LEVEL_ZERO_DIRECT_H
#define SPECPI_BENCH_LEVEL_ZERO_DIRECT_H

#include "../../plugins/level_zero/driver.h"

#include <stdbool.h>

/*
 * Sizes of two rings, whose elements are reused in turns: of events, and of command lists for
 * batches. A list is executed when it has batch_size commands.
 */
enum { DIRECT_EVENTS = 512, DIRECT_LISTS = 8 };

typedef enum direct_way { DIRECT_IMMEDIATE, DIRECT_BATCH, DIRECT_WAYS } direct_way;

typedef struct direct {
  level_zero_driver ze; /* the same functions as the plugin calls */
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_module_handle_t module;
  ze_event_pool_handle_t pool;
  ze_event_handle_t events[DIRECT_EVENTS];
  unsigned next_event;
  char name[ZE_MAX_DEVICE_NAME];
  /* For DIRECT_IMMEDIATE. */
  ze_command_list_handle_t immediate;
  /* For DIRECT_BATCH. */
  ze_command_queue_handle_t queue;
  struct {
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;
    bool is_running;
  } lists[DIRECT_LISTS];
  unsigned current; /* index of the list being filled */
  unsigned filled;  /* number of commands in that list */
  unsigned batch_size;
} direct;

/* The SPIR-V of kernels/launch.cl. */
extern const unsigned char *const direct_module_begin, *const direct_module_end;

/* Opens the loader's first device, and creates the module of kernels/launch.cl for it. */
void direct_open(direct *on, unsigned batch_size);
void direct_close(direct *on);

ze_kernel_handle_t direct_kernel(direct *on, const char *name);

/*
 * Launches a kernel with one work-item. If signals is true, resets the next event of the ring, lets
 * the launch signal it and returns it; else returns NULL. The launch waits for after, if not NULL.
 */
ze_event_handle_t direct_launch(direct *on, direct_way way, ze_kernel_handle_t kernel, bool signals,
                                ze_event_handle_t after);

/* Executes the current batch even if it is not full, and waits for an event. */
void direct_wait(direct *on, direct_way way, ze_event_handle_t event);

/* Executes the current batch, and waits for all launches. */
void direct_finish(direct *on, direct_way way);

/* Executes the current batch, if it has commands. */
void direct_flush(direct *on, direct_way way);

/* Ends the program unless result is ZE_RESULT_SUCCESS. call is the function's name. */
void direct_check(ze_result_t result, const char *call);

/* Calls a function of Level Zero: DIRECT_ZE(on, KernelDestroy, kernel) calls zeKernelDestroy. */
#define DIRECT_ZE(on, name, ...) direct_check((on)->ze.name(__VA_ARGS__), "ze" #name)

#endif
