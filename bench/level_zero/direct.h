/*
 * A launch by a program that calls Level Zero itself: the calls that a launch has to make, and no
 * more. A program has as little to go on with after an error as the other benches, so each
 * function ends it on one.
 */
#ifndef SPECPI_BENCH_LEVEL_ZERO_DIRECT_H
#define SPECPI_BENCH_LEVEL_ZERO_DIRECT_H

#include "../../plugins/level_zero/driver.h"

#include <stdbool.h>

/*
 * DIRECT_EVENTS: of a ring, used again in turns. DIRECT_LISTS: command lists of a ring, which are
 * executed in turns when they have as many commands as direct_open's argument says.
 */
enum { DIRECT_EVENTS = 512, DIRECT_LISTS = 8 };

typedef enum direct_way { DIRECT_IMMEDIATE, DIRECT_BATCH, DIRECT_WAYS } direct_way;

typedef struct direct {
  level_zero_driver ze; /* found as the plugin finds it */
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_module_handle_t module;
  ze_event_pool_handle_t pool;
  ze_event_handle_t events[DIRECT_EVENTS];
  unsigned next_event;
  char name[ZE_MAX_DEVICE_NAME];
  /* Immediate. */
  ze_command_list_handle_t immediate;
  /* Batches. */
  ze_command_queue_handle_t queue;
  struct {
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;
    bool is_running;
  } lists[DIRECT_LISTS];
  unsigned current; /* in lists */
  unsigned filled;  /* commands of the current list */
  unsigned batch_size;
} direct;

/* The SPIR-V of kernels/launch.cl. */
extern const unsigned char *const direct_module_begin, *const direct_module_end;

/* The loader's first device, and that module for it. */
void direct_open(direct *on, unsigned batch_size);
void direct_close(direct *on);

ze_kernel_handle_t direct_kernel(direct *on, const char *name);

/*
 * Launches a kernel of one work-item. With signals it signals the next event of the ring, which is
 * returned, after a reset; else NULL. It waits for after, unless that is NULL.
 */
ze_event_handle_t direct_launch(direct *on, direct_way way, ze_kernel_handle_t kernel, bool signals,
                                ze_event_handle_t after);

/* Waits for an event; a batch which is not full is executed first. */
void direct_wait(direct *on, direct_way way, ze_event_handle_t event);

/* Waits for everything. */
void direct_finish(direct *on, direct_way way);

/* Executes a batch that has commands. */
void direct_flush(direct *on, direct_way way);

/* Ends the program unless result is ZE_RESULT_SUCCESS; call says what was called. */
void direct_check(ze_result_t result, const char *call);

/* Calls zeNAME: DIRECT_ZE(on, KernelDestroy, kernel). */
#define DIRECT_ZE(on, name, ...) direct_check((on)->ze.name(__VA_ARGS__), "ze" #name)

#endif
