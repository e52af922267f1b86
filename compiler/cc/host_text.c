#include "host_text.h"

#include "../host/host.h"
#include "file.h"

#include <stdio.h>

static host_result (*const writers[])(const host_options *, host_text *) = {
#define CC_HOST(NAME, name, text) [CC_HOST_##NAME] = host_write_##name,
    CC_HOSTS(CC_HOST)
#undef CC_HOST
};

/* Each line of the warnings is one. */
static void print_warnings(const char *lines) {
  while (*lines) {
    const char *end = lines;
    while (*end && *end != '\n')
      end++;
    fprintf(stderr, "specpi-cc: warning: %.*s\n", (int)(end - lines), lines);
    lines = *end ? end + 1 : end;
  }
}

bool cc_host_text_write(const cc_options *options, const char *temporary) {
  cc_texts arguments = {0};
  for (size_t i = 0; i < options->clang_options.count; i++)
    cc_texts_add(&arguments, options->clang_options.items[i]);
  for (size_t i = 0; i < options->files.count; i++)
    cc_texts_add(&arguments, options->files.items[i]);
  const host_options how = {
      .file = options->host_file,
      .unit_id = options->unit_id,
      .arguments = arguments.items,
      .argument_count = arguments.count,
  };
  host_text text;
  const bool made = writers[options->host](&how, &text) == HOST_SUCCESS;
  cc_texts_free(&arguments);
  if (!made)
    return CC_FAIL("%s", host_get_last_error());
  print_warnings(text.warnings);
  const bool done = file_write(options->out, temporary, text.data, text.size, false);
  host_text_release(&text);
  return done;
}
