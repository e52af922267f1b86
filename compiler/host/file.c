/* The whole file for the host's compiler. */
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

host_result write_file(unit *it, const variables *found, FILE *to) {
  host_write_line(it->options->file, ".header", to);
  HOST_TRY(write_header(it, found, to));
  host_write_line(it->options->file, "", to);
  fwrite(it->text, 1, it->size, to);
  return write_footer(it, found, to);
}
