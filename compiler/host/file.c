/* The integration header, and the whole file for the host's compiler. */
#include "captures.h"
#include "registration.h"
#include "types.h"
#include "write.h"

/* A name in quotes, for #line: what would end it, or not be text, is written as C++ has it. */
static void write_name(const char *name, FILE *to) {
  for (const char *at = name; *at != '\0'; at++) {
    const unsigned char c = (unsigned char)*at;
    if (c < 0x20 || c == 0x7f)
      fprintf(to, "\\%03o", c);
    else
      fprintf(to, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
  }
}

void host_write_line(const char *file, const char *ending, FILE *to) {
  fputs("#line 1 \"", to);
  write_name(file, to);
  fprintf(to, "%s\"\n", ending);
}

host_result write_header(unit *unit, const variables *found, FILE *to) {
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
          write_plain(unit, unit->options->file), unit->prefix);
  captures_write(found, to);
  registration_declare(found, to);
  const host_result result = types_write(unit, found, to);
  fputs("#endif\n", to);
  return result;
}

host_result write_file(unit *unit, const variables *found, FILE *to) {
  host_write_line(unit->options->file, ".header", to);
  HOST_TRY(write_header(unit, found, to));
  host_write_line(unit->options->file, "", to);
  fwrite(unit->text, 1, unit->size, to);
  return write_footer(unit, found, to);
}
