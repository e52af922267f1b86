/* The constant store: failed allocations, and the amount of memory it allocates. */
#include "check.h"
#include "memory.h"
#include "module.h"

#include "../../pi/table.h"
#include "../../plugins/base/info.h"
#include "../../plugins/code/constants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sample(module *m) {
  module_begin(m);
  module_types(m);
  module_op(m, OP_DECORATE, ID_FREE + 50, SPEC_ID, 8);
  module_op(m, OP_DECORATION_GROUP, ID_FREE + 50);
  module_op(m, OP_GROUP_DECORATE, ID_FREE + 50, ID_FREE + 30);
  module_op(m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + 30, 70);
  module_constant(m, 2, TYPE_U32, 5);
  module_constant(m, 1, TYPE_BOOL, 1);
}

TEST(every_allocation_of_a_read_fails_once) {
  module m;
  sample(&m);
  code_constants *const untouched = (code_constants *)&untouched;
  long fail = 0;
  for (;; fail++) {
    code_constants *constants = untouched;
    memory_watch(fail);
    const pi_result result = code_constants_read(m.words, module_bytes(&m), &constants);
    const memory_use use = memory_unwatch();
    if (!use.failed) {
      assert_success(result);
      code_constants_free(constants);
      break;
    }
    assert_int_equal(result, PI_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(use.held, 0);
    assert_ptr_equal(constants, untouched);
    const char *sentence;
    assert_int_equal(plugin_error_last(&sentence), PI_ERROR_OUT_OF_HOST_MEMORY);
    assert_non_null(strstr(sentence, "no memory"));
  }
  assert_true(fail >= 5);
  module_free(&m);
}

TEST(a_read_gives_back_all_but_the_store) {
  module m;
  sample(&m);
  code_constants *constants = NULL;
  memory_watch(MEMORY_NEVER);
  assert_success(code_constants_read(m.words, module_bytes(&m), &constants));
  const memory_use reading = memory_unwatch();
  assert_int_equal(reading.held, 3);
  memory_watch(MEMORY_NEVER);
  code_constants_free(constants);
  code_constants_free(NULL);
  assert_int_equal(memory_unwatch().held, -3);

  /* A module that is refused at its last instruction. */
  module_op(&m, OP_DECORATE, ID_FREE + 31, SPEC_ID, 6);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U64, ID_FREE + 31, 1);
  memory_watch(MEMORY_NEVER);
  const pi_result result = code_constants_read(m.words, module_bytes(&m), &constants);
  const memory_use refused = memory_unwatch();
  assert_int_equal(result, PI_ERROR_INVALID_VALUE);
  assert_true(refused.calls > 0);
  assert_int_equal(refused.held, 0);
  module_free(&m);
}

TEST(a_snapshot_without_memory_keeps_the_values) {
  module m;
  sample(&m);
  code_constants *constants = NULL;
  assert_success(code_constants_read(m.words, module_bytes(&m), &constants));
  module_free(&m);
  const pi_uint32 value = 1234;
  assert_success(code_constants_set(constants, 2, sizeof value, &value));

  code_constant *const untouched = (code_constant *)&untouched;
  code_constant *all = untouched;
  size_t count = 99;
  memory_watch(0);
  const pi_result result = code_constants_snapshot(constants, &all, &count);
  const memory_use use = memory_unwatch();
  assert_true(use.failed);
  assert_failure(result, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a copy of 3 constants");
  assert_ptr_equal(all, untouched);
  assert_int_equal(count, 99);

  assert_success(code_constants_snapshot(constants, &all, &count));
  assert_int_equal(count, 3);
  assert_int_equal(all[1].id, 2);
  assert_true(all[1].is_set);
  assert_memory_equal(all[1].value, &value, sizeof value);
  free(all);
  code_constants_free(constants);
}

static void assert_modest(module *m) {
  code_constants *constants = NULL;
  memory_watch(MEMORY_NEVER);
  const pi_result result = code_constants_read(m->words, module_bytes(m), &constants);
  const memory_use use = memory_unwatch();
  assert_success(result);
  assert_true(use.bytes <= 16 * module_bytes(m) + 4096);
  code_constants_free(constants);
  module_free(m);
}

/* Large numbers in the header and the operands do not increase the allocations. */
TEST(memory_is_proportional_to_the_module) {
  module m;
  sample(&m);
  m.words[3] = UINT32_MAX; /* the bound of the ids */
  assert_modest(&m);

  module_begin(&m);
  module_types(&m);
  module_op(&m, OP_DECORATE, UINT32_MAX, SPEC_ID, UINT32_MAX);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, UINT32_MAX, 1);
  assert_modest(&m);

  module_many(&m, 10000, 0, 1);
  assert_modest(&m);

  /* Almost only targets of decoration groups, which take four bytes of the module each. */
  module_begin(&m);
  for (uint32_t group = 0; group < 4; group++) {
    module_op(&m, OP_DECORATE, ID_FREE + group, SPEC_ID, group);
    module_word(&m, 60000u << 16 | OP_GROUP_DECORATE);
    module_word(&m, ID_FREE + group);
    for (uint32_t i = 2; i < 60000; i++)
      module_word(&m, i);
  }
  assert_modest(&m);
}

/* Setting a value, answering a query and failing allocate nothing. */
TEST(setting_and_failing_never_allocate) {
  module m;
  module_many(&m, 100, 0, 1);
  code_constants *constants = NULL;
  assert_success(code_constants_read(m.words, module_bytes(&m), &constants));
  module_free(&m);
  static pi_plugin plugin = {.PiVersion = PI_VERSION_STRING};
  static const pi_function_table functions;
  const pi_uint32 value = 1;
  size_t size;
  const info_answer answer = {0, NULL, &size};
  plugin_error(PI_ERROR_UNKNOWN, "the first failure reads an environment variable");

  memory_watch(MEMORY_NEVER);
  const pi_result results[] = {
      code_constants_set(constants, 5, sizeof value, &value),
      answer_text(&answer, "text"),
      pi_table_fill(&plugin, "test", &functions),
  };
  const pi_result failures[] = {
      code_constants_set(constants, 500, sizeof value, &value),
      code_constants_set(constants, 5, 1, &value),
      answer_unknown("pi_device_info", 1),
  };
  const memory_use use = memory_unwatch();
  assert_int_equal(use.calls, 0);
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(results[i], PI_SUCCESS);
    assert_int_not_equal(failures[i], PI_SUCCESS);
  }
  code_constants_free(constants);
}
