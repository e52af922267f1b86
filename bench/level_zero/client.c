/*
 * A client of bench-level_zero-launch: it obeys the orders of bench-launch-client with the minimum
 * of Level Zero calls. Each launch signals an event, because libsycl returns an event for each. The
 * program's argument is "immediate" or "batch".
 */
#include "direct.h"

#include "../support/orders.h"
#include "../support/report.h"

#include <string.h>

/* Commands per batch. Large, because in a flood nothing waits for a launch before the last one. */
enum { BATCH_SIZE = 64 };

typedef struct session {
  direct direct;
  direct_way way;
  ze_kernel_handle_t empty, arguments;
  int *memory;
} session;

static void wait_each(void *session_of, int count) {
  session *on = session_of;
  for (int i = 0; i < count; i++)
    direct_wait(&on->direct, on->way, direct_launch(&on->direct, on->way, on->empty, true, NULL));
}

static void flood(void *session_of, int count) {
  session *on = session_of;
  for (int i = 0; i < count; i++)
    direct_launch(&on->direct, on->way, on->empty, true, NULL);
  direct_finish(&on->direct, on->way);
}

static void set_argument(session *on, uint32_t index, size_t size, const void *value) {
  DIRECT_ZE(&on->direct, KernelSetArgumentValue, on->arguments, index, size, value);
}

/* The kernel adds i to memory[0], so that a launch without effect is noticed. */
static void arguments_each(void *session_of, int count) {
  session *on = session_of;
  static const int factor = 1;
  static const float fraction = 0.5f;
  int expected = on->memory[0];
  for (int i = 0; i < count; i++) {
    const int *const sum = on->memory, *const zero = on->memory + 1;
    set_argument(on, 0, sizeof sum, &sum);
    set_argument(on, 1, sizeof zero, &zero);
    set_argument(on, 2, sizeof i, &i);
    set_argument(on, 3, sizeof factor, &factor);
    set_argument(on, 4, sizeof fraction, &fraction);
    direct_wait(&on->direct, on->way,
                direct_launch(&on->direct, on->way, on->arguments, true, NULL));
    expected += i;
  }
  if (on->memory[0] != expected)
    bench_die("the kernel made %d, expected %d", on->memory[0], expected);
}

int main(int argc, char **argv) {
  static const bench_order orders[] = {
      {"wait", wait_each}, {"flood", flood}, {"arguments", arguments_each}, {0}};
  static session on;
  on.way = argc > 1 && strcmp(argv[1], "batch") == 0 ? DIRECT_BATCH : DIRECT_IMMEDIATE;
  direct_open(&on.direct, BATCH_SIZE);
  on.empty = direct_kernel(&on.direct, "empty");
  on.arguments = direct_kernel(&on.direct, "five_arguments");
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory;
  DIRECT_ZE(&on.direct, MemAllocShared, on.direct.context, &device, &host, 2 * sizeof(int), 0,
            on.direct.device, &memory);
  memset(memory, 0, 2 * sizeof(int));
  on.memory = memory;
  bench_obey(on.direct.name, "none", orders, &on);
  DIRECT_ZE(&on.direct, MemFree, on.direct.context, memory);
  DIRECT_ZE(&on.direct, KernelDestroy, on.empty);
  DIRECT_ZE(&on.direct, KernelDestroy, on.arguments);
  direct_close(&on.direct);
  return 0;
}
