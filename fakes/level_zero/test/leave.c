/* A process that ends while its kernels run. Its exit status shows that nothing crashed. */
#include "code.h"

#include "../../../test/support/embed.h"

#include <stdlib.h>

SPECPI_EMBED(code_il, "code.spv")

enum { LAUNCHES = 200, ITEMS = 1 << 16 };

TEST(a_process_may_end_while_kernels_run) {
  code_begin(state);
  const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                         .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_list_handle_t list = NULL;
  assert_fine(zeCommandListCreateImmediate(world.context, world.device, &queue, &list));
  ze_kernel_handle_t kernel =
      code_kernel(code_module(code_il_begin, SPECPI_EMBED_SIZE(code_il)), "add");
  int *memory = code_memory(ITEMS * sizeof *memory);
  const int number = 1;
  code_set(kernel, 0, memory);
  code_set(kernel, 1, memory);
  code_set(kernel, 2, number);
  assert_fine(zeKernelSetGroupSize(kernel, 64, 1, 1));
  const ze_group_count_t groups = {ITEMS / 64, 1, 1};
  for (int i = 0; i < LAUNCHES; i++)
    assert_fine(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  exit(0);
}

int main(void) {
  tests_run(NULL, NULL);
  return 1; /* not reached */
}
