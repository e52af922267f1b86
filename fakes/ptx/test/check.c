#include "check.h"

#include <stdlib.h>
#include <string.h>

void subject_load(subject *it, const char *const *texts, size_t count) {
  ptx_module *modules[8] = {0};
  assert_true(count <= 8);
  *it = (subject){0};
  for (size_t i = 0; i < count; i++)
    if (ptx_parse(texts[i], strlen(texts[i]), NULL, &modules[i], &it->log) != PTX_OK)
      fail_msg("%s\n%s", it->log.text, texts[i]);
  if (ptx_link(modules, count, &it->program, &it->log) != PTX_OK)
    fail_msg("%s", it->log.text);
  device_place(&it->memory, it->program);
  it->hooks = (ptx_hooks){.user = &it->memory, .memory = device_find};
}

void subject_load_one(subject *it, const char *text) {
  subject_load(it, &text, 1);
}

void subject_free(subject *it) {
  ptx_program_free(it->program);
  device_free_all(&it->memory);
}

ptx_status subject_run(subject *it, const char *entry, uint32_t blocks, uint32_t threads,
                       uint32_t dynamic, const uint64_t *arguments, size_t count) {
  const ptx_launch launch = {.entry = ptx_find_entry(it->program, entry),
                             .grid = {blocks, 1, 1},
                             .block = {threads, 1, 1},
                             .dynamic_shared = dynamic,
                             .parameters = arguments,
                             .step_limit = 10000000};
  assert_non_null(launch.entry);
  assert_int_equal(launch.entry->parameter_bytes, 8 * count);
  return ptx_run(it->program, &launch, &it->hooks, &it->log);
}

void *subject_memory(subject *it, size_t size) {
  return device_allocate(&it->memory, size, true);
}
