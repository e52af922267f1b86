#define _GNU_SOURCE /* fopencookie */
#include "terminal.h"

#include "../plugins/base/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BOLD "\033[1m"

/* X(words, colour). A line's first match in this order is coloured, so longer words come first. */
#define VERDICTS(X)                                                                                \
  X("What to do:", BOLD)                                                                           \
  X("No device works.", "\033[31m")                                                                \
  X("does not work", "\033[31m")                                                                   \
  X("cannot be", "\033[31m")                                                                       \
  X("works", "\033[32m")                                                                           \
  X("work.", "\033[32m")

/* In columns, one per character. Terminals narrower than NARROWEST count as this wide. */
enum { NARROWEST = 40, CONTINUATION = 4, INDENT_MAX = 20 };

static const char colour_end[] = "\033[0m";

static struct terminal {
  size_t width;  /* in columns; 0: lines are not broken */
  size_t column; /* number of columns printed in the current line of the screen */
  size_t indent; /* blanks at the start of the program's current line */
  size_t blanks; /* trailing blanks that are put off until a word follows them */
  bool is_in_indent;
  bool has_colours;
  enum terminal_colours colours;
  FILE *to; /* collects the output of one write */
} screen = {.is_in_indent = true};

/* A part of a line that has a colour. */
typedef struct span {
  const char *begin, *end, *colour;
} span;

static span find_verdict(const char *line, size_t size) {
  static const struct {
    const char *words, *colour;
  } verdicts[] = {
#define VERDICT(words, colour) {words, colour},
      VERDICTS(VERDICT)
#undef VERDICT
  };
  for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
    const size_t length = strlen(verdicts[i].words);
    const char *at = memmem(line, size, verdicts[i].words, length);
    if (at)
      return (span){at, at + length, verdicts[i].colour};
  }
  return (span){NULL, NULL, NULL};
}

static span find_head(const char *line, size_t size) {
  const char *blank = memchr(line, ' ', size);
  return (span){line, blank ? blank : line + size, BOLD};
}

/* Returns the span to colour in a line or a part of one; its pointers are NULL if there is none. */
static span find_colour(const char *line, size_t size) {
  if (screen.has_colours && screen.colours == TERMINAL_VERDICTS)
    return find_verdict(line, size);
  if (screen.has_colours && screen.colours == TERMINAL_HEADS && screen.is_in_indent && size &&
      *line != ' ')
    return find_head(line, size);
  return (span){NULL, NULL, NULL};
}

/* Counts characters of UTF-8, by the bytes that start one. */
static size_t count_columns(const char *text, size_t size) {
  size_t columns = 0;
  for (size_t i = 0; i < size; i++)
    columns += ((unsigned char)text[i] & 0xc0) != 0x80;
  return columns;
}

static void put_bytes(const char *text, size_t size, const span *coloured) {
  for (const char *at = text; at < text + size; at++) {
    if (at == coloured->begin)
      fputs(coloured->colour, screen.to);
    putc(*at, screen.to);
    if (at + 1 == coloured->end)
      fputs(colour_end, screen.to);
  }
}

/* Prints blanks and then a word, on a new line if the word does not fit. */
static void put_word(size_t blanks, const char *word, size_t size, const span *coloured) {
  const size_t columns = count_columns(word, size);
  blanks += screen.blanks;
  screen.blanks = 0;
  if (size == 0) {
    screen.blanks = blanks;
    return;
  }
  if (screen.is_in_indent) {
    screen.indent = blanks;
  } else if (screen.width && screen.column + blanks + columns > screen.width) {
    blanks = (screen.indent < INDENT_MAX ? screen.indent : INDENT_MAX) + CONTINUATION;
    putc('\n', screen.to);
    screen.column = 0;
  }
  fprintf(screen.to, "%*s", (int)blanks, "");
  put_bytes(word, size, coloured);
  screen.column += blanks + columns;
  screen.is_in_indent = false;
}

/* Prints a line or a part of one, without the newline. */
static void put_line(const char *line, size_t size) {
  const span colour = find_colour(line, size);
  for (const char *at = line, *end = line + size; at < end;) {
    const char *blanks = at;
    while (at < end && *at == ' ')
      at++;
    const char *word = at;
    while (at < end && *at != ' ')
      at++;
    put_word((size_t)(word - blanks), word, (size_t)(at - word), &colour);
  }
}

static ssize_t write_screen(void *cookie, const char *text, size_t size) {
  (void)cookie;
  char *made = NULL;
  size_t made_size = 0;
  screen.to = open_memstream(&made, &made_size);
  if (!screen.to)
    return 0;
  for (const char *at = text, *end = text + size; at < end;) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    put_line(at, (size_t)((line_end ? line_end : end) - at));
    if (line_end) {
      putc('\n', screen.to);
      screen.column = screen.indent = screen.blanks = 0;
      screen.is_in_indent = true;
    }
    at = line_end ? line_end + 1 : end;
  }
  const bool written = fclose(screen.to) == 0 && write_all(STDOUT_FILENO, made, made_size);
  free(made);
  return written ? (ssize_t)size : 0;
}

static size_t find_width(void) {
  struct winsize window;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
    return 0;
  return window.ws_col < NARROWEST ? NARROWEST : window.ws_col;
}

static bool wants_colours(void) {
  const char *none = getenv("NO_COLOR");
  const char *kind = getenv("TERM");
  return !(none && *none) && kind && *kind && strcmp(kind, "dumb") != 0;
}

void terminal_use(enum terminal_colours colours) {
  if (!isatty(STDOUT_FILENO))
    return;
  screen.width = find_width();
  screen.has_colours = wants_colours();
  screen.colours = colours;
  FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_screen});
  if (!out)
    return;
  /* Buffers lines, so that no word is split into two writes. */
  setvbuf(out, NULL, _IOLBF, BUFSIZ);
  stdout = out;
}
