/* specpi-host writes the host side of one C++ file, for tests and for inspection. */
#include "../host/host.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: specpi-host --header|--footer|--file|--list [--unit-id=ID] [-o OUT] FILE [-- "
    "OPTION...]\n"
    "Writes the integration header or footer of a C++ file, both around it, or its variables.\n"
    "The options after -- are the compiler's.\n";

typedef host_result writer(const host_options *options, host_text *ret);

static int write_out(const char *path, const host_text *text) {
  FILE *file = path != NULL ? fopen(path, "wb") : stdout;
  if (file == NULL || fwrite(text->data, 1, text->size, file) != text->size ||
      (path != NULL ? fclose(file) : fflush(file)) != 0) {
    perror(path != NULL ? path : "standard output");
    return 1;
  }
  return 0;
}

int main(int count, char **values) {
  static const struct option names[] = {
      {"header", no_argument, NULL, 'h'},        {"footer", no_argument, NULL, 'f'},
      {"file", no_argument, NULL, 'w'},          {"list", no_argument, NULL, 'l'},
      {"unit-id", required_argument, NULL, 'u'}, {NULL, 0, NULL, 0}};
  host_options options = {0};
  writer *write = NULL;
  const char *out = NULL;
  int option;
  while ((option = getopt_long(count, values, "o:", names, NULL)) != -1) {
    if (option == 'h')
      write = host_write_header;
    else if (option == 'f')
      write = host_write_footer;
    else if (option == 'w')
      write = host_write_file;
    else if (option == 'l')
      write = host_write_list;
    else if (option == 'u')
      options.unit_id = optarg;
    else if (option == 'o')
      out = optarg;
    else
      write = NULL, optind = count;
  }
  /* getopt_long moves the file to after the "--". */
  const bool has_rest = optind > 0 && optind < count && strcmp(values[optind - 1], "--") == 0;
  if (write == NULL || optind >= count || (!has_rest && optind != count - 1)) {
    fputs(usage, stderr);
    return 2;
  }
  options.file = values[optind];
  options.arguments = (const char *const *)values + optind + 1;
  options.argument_count = (size_t)(count - optind - 1);
  host_text text = {0};
  const host_result result = write(&options, &text);
  if (result != HOST_SUCCESS) {
    fprintf(stderr, "error: %s (%s)\n", host_get_last_error(), host_result_get_name(result));
    return 1;
  }
  for (const char *at = text.warnings, *end; (end = strchr(at, '\n')) != NULL; at = end + 1)
    fprintf(stderr, "warning: %.*s\n", (int)(end - at), at);
  const int status = write_out(out, &text);
  host_text_release(&text);
  return status;
}
