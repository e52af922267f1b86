/*
 * External semaphores of the fake Level Zero driver. Each is an eventfd: a signal increments its
 * counter, and a wait decrements it.
 */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */
#include "bindless.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPAQUE_FD = 1 };

typedef struct semaphore_fd_desc {
  ze_structure_type_t stype;
  const void *next;
  int fd;
} semaphore_fd_desc;

typedef struct fake_semaphore {
  fake_object head;
  int file; /* a duplicate of the program's descriptor */
} fake_semaphore;

static bool is_eventfd(int file) {
  static const char kind[] = "anon_inode:[eventfd]";
  char path[64];
  char target[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(path, target, sizeof target);
  return size == (ssize_t)sizeof kind - 1 && memcmp(target, kind, sizeof kind - 1) == 0;
}

ze_result_t zeDeviceImportExternalSemaphoreExt(ze_device_handle_t handle,
                                               const struct fake_semaphore_desc *desc,
                                               struct fake_semaphore_handle **ret) {
  FAKE_ENTER(zeDeviceImportExternalSemaphoreExt);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(desc && ret, INVALID_NULL_POINTER,
               "zeDeviceImportExternalSemaphoreExt: a pointer is NULL");
  (void)device; /* all are alike */
  const semaphore_fd_desc *file =
      fake_next(desc->next, (ze_structure_type_t)FAKE_STYPE_SEMAPHORE_FD);
  FAKE_REQUIRE((unsigned)desc->stype == FAKE_STYPE_SEMAPHORE && desc->flags == OPAQUE_FD && file,
               INVALID_ARGUMENT,
               "zeDeviceImportExternalSemaphoreExt: no description of an opaque descriptor");
  const int duplicate = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0 || !is_eventfd(duplicate)) {
    if (duplicate >= 0)
      close(duplicate);
    return fake_deny(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                     "zeDeviceImportExternalSemaphoreExt: %d is not an open semaphore", file->fd);
  }
  fake_semaphore *semaphore = fake_new(FAKE_SEMAPHORE, sizeof *semaphore, NULL, false);
  semaphore->file = duplicate;
  *ret = FAKE_HANDLE(struct fake_semaphore_handle *, semaphore);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceReleaseExternalSemaphoreExt(struct fake_semaphore_handle *handle) {
  FAKE_ENTER(zeDeviceReleaseExternalSemaphoreExt);
  FAKE_FIND(fake_semaphore, semaphore, handle, SEMAPHORE);
  FAKE_TRY(fake_check_unused(&semaphore->head, "zeDeviceReleaseExternalSemaphoreExt"));
  close(semaphore->file);
  fake_delete(semaphore);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t run_signal(void *data) {
  const uint64_t one = 1;
  return write(*(const int *)data, &one, sizeof one) == (ssize_t)sizeof one
             ? ZE_RESULT_SUCCESS
             : ZE_RESULT_ERROR_UNKNOWN;
}

static ze_result_t run_wait(void *data) {
  struct pollfd file = {.fd = *(const int *)data, .events = POLLIN};
  uint64_t taken;
  while (poll(&file, 1, -1) < 0)
    if (errno != EINTR)
      return ZE_RESULT_ERROR_UNKNOWN;
  return read(file.fd, &taken, sizeof taken) == (ssize_t)sizeof taken ? ZE_RESULT_SUCCESS
                                                                      : ZE_RESULT_ERROR_UNKNOWN;
}

/* The events of a command. */
typedef struct events {
  ze_event_handle_t signal;
  uint32_t wait_count;
  ze_event_handle_t *waits;
} events;

static ze_result_t append_semaphores(ze_command_list_handle_t handle, uint32_t count,
                                     struct fake_semaphore_handle *const *semaphores,
                                     const struct fake_semaphore_params *params, unsigned stype,
                                     ze_result_t (*run)(void *), const char *function,
                                     const events *with) {
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, &list));
  FAKE_REQUIRE(list->stream, INVALID_COMMAND_LIST_TYPE, "%s: the list is no immediate one",
               function);
  FAKE_REQUIRE(count == 1 && semaphores && params, INVALID_ARGUMENT, "%s: %u semaphores", function,
               count);
  FAKE_REQUIRE((unsigned)params->stype == stype, INVALID_ARGUMENT, "%s: stype 0x%x", function,
               (unsigned)params->stype);
  FAKE_FIND(fake_semaphore, semaphore, semaphores[0], SEMAPHORE);
  fake_object *const uses[1] = {&semaphore->head};
  const fake_work work = {.name = function,
                          .engine = FAKE_ENGINE_COPY,
                          .run = run,
                          .end = free,
                          .data = fake_copy(&semaphore->file, sizeof semaphore->file),
                          .uses = uses,
                          .use_count = 1};
  return fake_append(list, &work, with->signal, with->wait_count, with->waits);
}

ze_result_t zeCommandListAppendSignalExternalSemaphoreExt(
    ze_command_list_handle_t list, uint32_t count, struct fake_semaphore_handle **semaphores,
    struct fake_semaphore_params *params, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendSignalExternalSemaphoreExt, list);
  const events with = {signal, wait_count, waits};
  return append_semaphores(list, count, semaphores, params, FAKE_STYPE_SEMAPHORE_SIGNAL, run_signal,
                           "zeCommandListAppendSignalExternalSemaphoreExt", &with);
}

ze_result_t zeCommandListAppendWaitExternalSemaphoreExt(
    ze_command_list_handle_t list, uint32_t count, struct fake_semaphore_handle **semaphores,
    struct fake_semaphore_params *params, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendWaitExternalSemaphoreExt, list);
  const events with = {signal, wait_count, waits};
  return append_semaphores(list, count, semaphores, params, FAKE_STYPE_SEMAPHORE_WAIT, run_wait,
                           "zeCommandListAppendWaitExternalSemaphoreExt", &with);
}
