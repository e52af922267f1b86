#include "host_text.h"

#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static host_result (*const writers[])(const host_options *, host_text *) = {
#define CC_HOST(NAME, name, text) [CC_HOST_##NAME] = host_write_##name,
    CC_HOSTS(CC_HOST)
#undef CC_HOST
};

/* Each line of the warnings is one. */
void cc_host_text_warn(const host_text *text) {
  const char *lines = text->warnings;
  while (*lines) {
    const char *end = lines;
    while (*end && *end != '\n')
      end++;
    fprintf(stderr, "specpi-cc: warning: %.*s\n", (int)(end - lines), lines);
    lines = *end ? end + 1 : end;
  }
}

static bool write_one(const cc_options *options, const host_options *how, const char *temporary) {
  host_text text;
  if (writers[options->host](how, &text) != HOST_SUCCESS)
    return CC_FAIL("%s", host_get_last_error());
  cc_host_text_warn(&text);
  const bool done = file_write(options->out, temporary, text.data, text.size, false);
  host_text_release(&text);
  return done;
}

static bool write_parts(const cc_options *options, const host_options *how, const char *temporary) {
  host_text header;
  host_text footer;
  if (host_write_parts(how, &header, &footer) != HOST_SUCCESS)
    return CC_FAIL("%s", host_get_last_error());
  cc_host_text_warn(&footer);
  char *header_name = cc_format("%s.header.hpp", options->out);
  char *footer_name = cc_format("%s.footer.hpp", options->out);
  const bool done = file_may_write(header_name) && file_may_write(footer_name) &&
                    file_write(header_name, temporary, header.data, header.size, false) &&
                    file_write(footer_name, temporary, footer.data, footer.size, false);
  free(header_name);
  free(footer_name);
  host_text_release(&header);
  host_text_release(&footer);
  return done;
}

bool cc_host_text_write(const cc_options *options, const char *temporary) {
  cc_texts arguments = {0};
  cc_texts_add_all(&arguments, &options->clang_options);
  cc_texts_add_all(&arguments, &options->files);
  const host_options how = {
      .file = options->host_file,
      .unit_id = options->unit_id,
      .arguments = arguments.items,
      .argument_count = arguments.count,
  };
  const bool done =
      (options->host == CC_HOST_PARTS ? write_parts : write_one)(options, &how, temporary);
  cc_texts_free(&arguments);
  return done;
}
