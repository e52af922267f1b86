#include "host.h"

#include "write.h"

#include <stdlib.h>
#include <string.h>

const char *write_plain(unit *it, const char *text) {
  char *copy = strdup(text);
  if (copy == NULL) {
    it->strings.failed = true;
    return "";
  }
  for (char *at = copy; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7f || *at == '\\')
      *at = '?';
  const char *plain = pool_format(&it->strings, "%s", copy);
  free(copy);
  return plain;
}

typedef host_result writer(unit *it, const variables *found, FILE *to);

/* Lets the writer fill *ret; nothing is left behind when it fails. */
static host_result fill(unit *it, const variables *found, writer *write, host_text *ret) {
  host_text made = {0};
  FILE *to = open_memstream(&made.data, &made.size);
  if (to == NULL)
    return host_error_memory();
  host_result result = write(it, found, to);
  if (fclose(to) != 0 && result == HOST_SUCCESS)
    result = host_error_memory();
  if (result == HOST_SUCCESS && it->strings.failed)
    result = host_error_memory();
  if (result == HOST_SUCCESS && (made.warnings = strdup(found->warnings)) == NULL)
    result = host_error_memory();
  if (result == HOST_SUCCESS)
    *ret = made;
  else
    free(made.data);
  return result;
}

static host_result write_with(const host_options *options, writer *write, host_text *ret) {
  HOST_REQUIRE(ret != NULL, HOST_ERROR_INVALID_ARGUMENT, "there is no place for the text");
  unit it = {0};
  variables found = {0};
  host_result result = unit_open(options, &it);
  if (result == HOST_SUCCESS)
    result = variables_find(&it, &found);
  if (result == HOST_SUCCESS)
    result = fill(&it, &found, write, ret);
  variables_release(&found);
  unit_close(&it);
  return result;
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

void host_text_release(host_text *text) {
  if (text == NULL)
    return;
  free(text->data);
  free(text->warnings);
  *text = (host_text){0};
}
