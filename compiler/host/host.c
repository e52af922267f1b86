#include "host.h"

#include "write.h"

#include <stdlib.h>
#include <string.h>

const char *write_plain(unit *unit, const char *text) {
  char *copy = strdup(text);
  if (copy == NULL) {
    unit->strings.failed = true;
    return "";
  }
  for (char *at = copy; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7f || *at == '\\')
      *at = '?';
  const char *plain = pool_format(&unit->strings, "%s", copy);
  free(copy);
  return plain;
}

typedef host_result writer(unit *unit, const variables *found, FILE *to);

/* Lets the writer fill *ret; nothing is left when it fails. */
static host_result fill_text(unit *unit, const variables *found, writer *write, host_text *ret) {
  host_text made = {0};
  FILE *to = open_memstream(&made.data, &made.size);
  if (to == NULL)
    return host_error_memory();
  host_result result = write(unit, found, to);
  const bool is_whole = fclose(to) == 0 && !unit->strings.failed;
  if (result == HOST_SUCCESS && (!is_whole || (made.warnings = strdup(found->warnings)) == NULL))
    result = host_error_memory();
  if (result == HOST_SUCCESS)
    *ret = made;
  else
    free(made.data);
  return result;
}

/* Reads the file, and lets each writer fill the text of its number. */
static host_result write_all(const host_options *options, size_t count, writer *const *writers,
                             host_text *texts) {
  unit unit = {0};
  variables found = {0};
  host_result result = unit_open(options, &unit);
  if (result == HOST_SUCCESS)
    result = variables_find(&unit, &found);
  for (size_t i = 0; i < count && result == HOST_SUCCESS; i++)
    result = fill_text(&unit, &found, writers[i], &texts[i]);
  variables_release(&found);
  unit_close(&unit);
  return result;
}

static host_result write_with(const host_options *options, writer *write, host_text *ret) {
  HOST_REQUIRE(ret != NULL, HOST_ERROR_INVALID_ARGUMENT, "there is no place for the text");
  return write_all(options, 1, &write, ret);
}

host_result host_write_header(const host_options *options, host_text *ret) {
  return write_with(options, write_header, ret);
}

host_result host_write_footer(const host_options *options, host_text *ret) {
  return write_with(options, write_footer, ret);
}

host_result host_write_file(const host_options *options, host_text *ret) {
  return write_with(options, write_file, ret);
}

host_result host_write_list(const host_options *options, host_text *ret) {
  return write_with(options, write_list, ret);
}

host_result host_write_parts(const host_options *options, host_text *header, host_text *footer) {
  HOST_REQUIRE(header != NULL && footer != NULL, HOST_ERROR_INVALID_ARGUMENT,
               "there is no place for the texts");
  writer *const writers[] = {write_header, write_footer};
  host_text made[] = {{0}, {0}};
  const host_result result = write_all(options, 2, writers, made);
  if (result != HOST_SUCCESS) {
    host_text_release(&made[0]);
    return result;
  }
  *header = made[0];
  *footer = made[1];
  return HOST_SUCCESS;
}

void host_text_release(host_text *text) {
  if (text == NULL)
    return;
  free(text->data);
  free(text->warnings);
  *text = (host_text){0};
}
