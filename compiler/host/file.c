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

void write_line(unit *it, FILE *to, const char *ending) {
  fputs("#line 1 \"", to);
  write_name(it->options->file, to);
  fprintf(to, "%s\"\n", ending);
}

host_result write_file(unit *it, const variables *found, FILE *to) {
  write_line(it, to, ".header");
  HOST_TRY(write_header(it, found, to));
  write_line(it, to, "");
  fwrite(it->text, 1, it->size, to);
  return write_footer(it, found, to);
}
