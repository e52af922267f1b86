#define _GNU_SOURCE /* open_memstream */
#include "junit.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Tests are kept until the end, because the XML has their number before them. */
struct junit_report {
  FILE *file;
  FILE *tests;
  char *text;
  size_t size;
};

junit_report *junit_open(const char *path) {
  junit_report *report = calloc(1, sizeof *report);
  if (!report)
    return NULL;
  report->file = fopen(path, "we");
  report->tests = report->file ? open_memstream(&report->text, &report->size) : NULL;
  if (report->tests)
    return report;
  const int reason = errno;
  if (report->file)
    fclose(report->file);
  free(report);
  errno = reason;
  return NULL;
}

/* Size of the UTF-8 character at text; 0 if it is malformed or XML does not allow it. */
static size_t character_size(const char *text) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char first = (unsigned char)*text;
  if (first < 0x80)
    return first >= ' ' || first == '\t' || first == '\n' || first == '\r';
  const size_t size = first >= 0xf8   ? 0
                      : first >= 0xf0 ? 4
                      : first >= 0xe0 ? 3
                      : first >= 0xc0 ? 2
                                      : 0;
  if (size == 0)
    return 0;
  uint32_t code = first & (0x7fu >> size);
  for (size_t i = 1; i < size; i++) {
    if (((unsigned char)text[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | ((unsigned char)text[i] & 0x3f);
  }
  const bool is_excluded = (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff;
  return code >= smallest[size] && code <= 0x10ffff && !is_excluded ? size : 0;
}

/* Writes text escaped for an attribute or an element. In an attribute, too, XML keeps a line's end
 * only if it is escaped. */
static void put_escaped(FILE *to, const char *text) {
  while (*text) {
    const size_t size = character_size(text);
    switch (*text) {
    case '&':
      fputs("&amp;", to);
      break;
    case '<':
      fputs("&lt;", to);
      break;
    case '>':
      fputs("&gt;", to);
      break;
    case '"':
      fputs("&quot;", to);
      break;
    case '\n':
      fputs("&#10;", to);
      break;
    case '\r':
      fputs("&#13;", to);
      break;
    case '\t':
      fputs("&#9;", to);
      break;
    default:
      if (size)
        fwrite(text, 1, size, to);
      else
        putc('?', to);
      break;
    }
    text += size ? size : 1;
  }
}

/* Returns words without the colon and blanks at its start. */
static const char *skip_lead(const char *words) {
  return words + strspn(words, ": ");
}

static void put_element(FILE *to, const char *element, const char *message, const char *text) {
  fprintf(to, "    <%s message=\"", element);
  put_escaped(to, message);
  fputs("\">", to);
  put_escaped(to, text);
  fprintf(to, "</%s>\n", element);
}

void junit_add(junit_report *report, const char *name, test_outcome outcome, double seconds,
               const char *words, const char *output) {
  const int group = (int)strcspn(name, ".");
  fprintf(report->tests, "  <testcase classname=\"%.*s\" name=\"", group, name);
  put_escaped(report->tests, name + group + (name[group] != '\0'));
  fprintf(report->tests, "\" time=\"%.3f\">\n", seconds);
  const char *said = skip_lead(words);
  if (outcome == TEST_FAILED)
    put_element(report->tests, "failure", *said ? said : "the test failed", output);
  else if (outcome == TEST_SKIPPED || outcome == TEST_KNOWN)
    put_element(report->tests, "skipped", said, outcome == TEST_KNOWN ? "a known failure" : "");
  fputs("  </testcase>\n", report->tests);
}

bool junit_close(junit_report *report, const char *plugin, const run_totals *totals) {
  int count = 0;
  for (int i = 0; i < TEST_OUTCOME_COUNT; i++)
    count += totals->tests[i];
  bool good = fclose(report->tests) == 0;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", report->file);
  put_escaped(report->file, plugin);
  fprintf(report->file,
          "\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\">\n", count,
          totals->tests[TEST_FAILED], totals->tests[TEST_SKIPPED] + totals->tests[TEST_KNOWN],
          totals->seconds);
  good = good && fwrite(report->text, 1, report->size, report->file) == report->size;
  fputs("</testsuite>\n", report->file);
  good = !ferror(report->file) && good;
  good = fclose(report->file) == 0 && good;
  free(report->text);
  free(report);
  return good;
}
