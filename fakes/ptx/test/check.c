#include "check.h"

#include <stdlib.h>
#include <string.h>

void subject_load(subject *ret, const char *const *texts, size_t count) {
  ptx_module *modules[8] = {0};
  assert_true(count <= 8);
  *ret = (subject){0};
  for (size_t i = 0; i < count; i++)
    if (ptx_parse(texts[i], strlen(texts[i]), NULL, &modules[i], &ret->log) != PTX_OK)
      fail_msg("%s\n%s", ret->log.text, texts[i]);
  if (ptx_link(modules, count, &ret->program, &ret->log) != PTX_OK)
    fail_msg("%s", ret->log.text);
  device_place(&ret->memory, ret->program);
  ret->hooks = (ptx_hooks){.user = &ret->memory, .memory = device_find};
}

void subject_load_one(subject *subject, const char *text) {
  subject_load(subject, &text, 1);
}

void subject_free(subject *subject) {
  ptx_program_free(subject->program);
  device_free_all(&subject->memory);
}

ptx_status subject_run(subject *subject, const char *entry, uint32_t blocks, uint32_t threads,
                       uint32_t dynamic, const uint64_t *arguments, size_t count) {
  const ptx_launch launch = {.entry = ptx_find_entry(subject->program, entry),
                             .grid = {blocks, 1, 1},
                             .block = {threads, 1, 1},
                             .dynamic_shared = dynamic,
                             .parameters = arguments,
                             .step_limit = 10000000};
  assert_non_null(launch.entry);
  assert_int_equal(launch.entry->parameter_bytes, 8 * count);
  return ptx_run(subject->program, &launch, &subject->hooks, &subject->log);
}

void *subject_memory(subject *subject, size_t size) {
  return device_allocate(&subject->memory, size, true);
}
