/* The integration header. */
#include "captures.h"
#include "registration.h"
#include "types.h"
#include "write.h"

host_result write_header(unit *it, const variables *found, FILE *to) {
  fprintf(to,
          "// Integration header of %s, to be included before its first line: the prefix of the "
          "ids of\n"
          "// its internal variables, the ids of its typename constants, the names that lambdas "
          "may\n"
          "// capture, and the object that registers its variables, of which the footer has the "
          "rest.\n"
          "#ifndef SPECPI_UNIT_ID\n"
          "#define SPECPI_UNIT_ID \"%s\"\n"
          "#endif\n"
          "#ifndef SPECPI_INTEGRATION_HEADER\n"
          "#define SPECPI_INTEGRATION_HEADER\n",
          write_plain(it, it->options->file), it->prefix);
  captures_write(found, to);
  registration_declare(found, to);
  const host_result result = types_write(it, found, to);
  fputs("#endif\n", to);
  return result;
}
