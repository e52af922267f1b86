/* The integration header. */
#include "write.h"

host_result write_header(unit *it, const variables *found, FILE *to) {
  fprintf(
      to,
      "// Integration header of %s, to be included before its first line.\n"
      "// It has the prefix of the ids of internal variables. It has no kernels, no arguments of\n"
      "// kernels and no ids of types: to know them takes a SYCL compiler's front end.\n"
      "#ifndef SPECPI_UNIT_ID\n"
      "#define SPECPI_UNIT_ID \"%s\"\n"
      "#endif\n",
      write_plain(it, it->options->file), it->prefix);
  (void)found;
  return HOST_SUCCESS;
}
