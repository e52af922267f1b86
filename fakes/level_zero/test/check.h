/* Helpers of the fake Level Zero driver's tests. */
#ifndef SPECPI_TEST_FAKE_ZE_CHECK_H
#define SPECPI_TEST_FAKE_ZE_CHECK_H

#include "../../../test/support/tests.h"
#include "../fake_ze.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fails the test with the line, the returned code and the driver's reason if the code differs. */
#define expect(code, call)                                                                         \
  do {                                                                                             \
    const ze_result_t check_result = (call);                                                       \
    if (check_result != (code)) {                                                                  \
      print_error("%s:%d: %s is 0x%x, not 0x%x: %s\n", __FILE__, __LINE__, #call,                  \
                  (unsigned)check_result, (unsigned)(code), fake_ze_reason());                     \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

#define ok(call) expect(ZE_RESULT_SUCCESS, call)

/* Checks that a call is refused. Without the validation layer the reason must have these words. */
#define refused(code, words, call)                                                                 \
  do {                                                                                             \
    expect(ZE_RESULT_ERROR_##code, call);                                                          \
    if (!strstr(fake_ze_reason(), words) && !getenv("ZE_ENABLE_VALIDATION_LAYER")) {               \
      print_error("%s:%d: no '%s' in '%s'\n", __FILE__, __LINE__, words, fake_ze_reason());        \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

/* The first driver, its first device, and a context. */
typedef struct check {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
} check;

static inline ze_driver_handle_t first_driver(void) {
  uint32_t count = 1;
  ze_driver_handle_t driver;
  ok(zeInit(0));
  ok(zeDriverGet(&count, &driver));
  return driver;
}

static inline int make_context(void **state) {
  static check made;
  uint32_t count = 1;
  made.driver = first_driver();
  ok(zeDeviceGet(made.driver, &count, &made.device));
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ok(zeContextCreate(made.driver, &desc, &made.context));
  *state = &made;
  return 0;
}

/* Test teardown: destroys the context, and checks that no object is left. */
static inline int end_context(void **state) {
  const check *made = *state;
  char list[2048];
  ok(zeContextDestroy(made->context));
  if (fake_ze_list(list, sizeof list) != 0) {
    print_error("%s", list);
    return -1;
  }
  return 0;
}

#define CONTEXT_TEST(name) TEST_WITH(name, make_context, end_context)

static inline ze_command_list_handle_t new_immediate(const check *test, uint32_t ordinal) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                        .ordinal = ordinal,
                                        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_list_handle_t list;
  ok(zeCommandListCreateImmediate(test->context, test->device, &desc, &list));
  return list;
}

static inline ze_command_list_handle_t new_list(const check *test) {
  const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list;
  ok(zeCommandListCreate(test->context, test->device, &desc, &list));
  return list;
}

static inline ze_command_queue_handle_t new_queue(const check *test) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_queue_handle_t queue;
  ok(zeCommandQueueCreate(test->context, test->device, &desc, &queue));
  return queue;
}

static inline ze_event_pool_handle_t new_pool(const check *test, uint32_t count,
                                              ze_event_pool_flags_t flags) {
  const ze_event_pool_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = flags, .count = count};
  ze_event_pool_handle_t pool;
  ok(zeEventPoolCreate(test->context, &desc, 0, NULL, &pool));
  return pool;
}

static inline ze_event_handle_t new_event(ze_event_pool_handle_t pool, uint32_t index) {
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = index};
  ze_event_handle_t event;
  ok(zeEventCreate(pool, &desc, &event));
  return event;
}

static inline void *new_memory(const check *test, ze_memory_type_t type, size_t size) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  if (type == ZE_MEMORY_TYPE_DEVICE)
    ok(zeMemAllocDevice(test->context, &device, size, 8, test->device, &memory));
  else if (type == ZE_MEMORY_TYPE_HOST)
    ok(zeMemAllocHost(test->context, &host, size, 8, &memory));
  else
    ok(zeMemAllocShared(test->context, &device, &host, size, 8, test->device, &memory));
  return memory;
}

#endif
