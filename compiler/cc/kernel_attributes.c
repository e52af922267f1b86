#define _GNU_SOURCE /* open_memstream */
#include "kernel_attributes.h"

#include "../../plugins/base/vector.h"
#include "file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(name): attributes whose arguments are numbers. vec_type_hint has a type, and no effect. */
#define ATTRIBUTES(X)                                                                              \
  X(reqd_work_group_size) X(work_group_size_hint) X(reqd_sub_group_size) X(device_has)

/*
 * The values that the calls need. A call's arguments are surely constants, since those of a
 * template are; there are as many as count says, and zeros after them. A constexpr function may
 * have such calls.
 */
#define NUMBERS 8
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define DECLARE(name)                                                                              \
  "template <unsigned long... N> constexpr void __specpi_" #name "() { "                           \
  "if (!__builtin_is_constant_evaluated()) __specpi_kernel_attribute(\"" #name "\", N...); } "
static const char prologue[] =
    "extern \"C\" void __specpi_kernel_attribute(const char *, unsigned long, unsigned long, "
    "unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, "
    "unsigned long) noexcept; "
    "struct __specpi_list { unsigned long count; unsigned long at[" TEXT(
        NUMBERS) "]; }; "
                 "template <class... N> constexpr __specpi_list __specpi_numbers(N... n) { "
                 "static_assert(sizeof...(N) <= " TEXT(
                     NUMBERS) ", \"an attribute has too many arguments\"); "
                              "return {sizeof...(N), {static_cast<unsigned long>(n)...}}; "
                              "} " ATTRIBUTES(DECLARE) "\n";

/* ---- Tokens ---- */

typedef struct token {
  const char *start;
  const char *end; /* equal at the end of the text */
} token;

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static const char *line_end(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline ? newline : end;
}

/* After spaces, and lines that are directives. */
static const char *skip_blank(const char *at, const char *text, const char *end) {
  for (;; at++) {
    while (at < end && isspace((unsigned char)*at))
      at++;
    if (at == end || *at != '#' || (at > text && at[-1] != '\n'))
      return at;
    at = line_end(at, end);
    if (at == end)
      return at;
  }
}

/* After a literal whose quote is here; a line ends one that is not closed. */
static const char *literal_end(const char *at, const char *end) {
  const char quote = *at++;
  while (at < end && *at != quote && *at != '\n')
    at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end ? at + 1 : end;
}

/* The same of a raw string, whose R is before. */
static const char *raw_end(const char *at, const char *end) {
  const char *open = memchr(at, '(', (size_t)(end - at));
  if (!open)
    return end;
  const size_t size = (size_t)(open - at); /* of the delimiter and a character */
  for (at = open; (at = memchr(at, ')', (size_t)(end - at))) && (size_t)(end - at) > size; at++)
    if (memcmp(at + 1, open - size + 1, size - 1) == 0 && at[size] == '"')
      return at + size + 1;
  return end;
}

static const char *word_end(const char *at, const char *end) {
  const bool number = isdigit((unsigned char)*at);
  while (at < end && (is_letter(*at) || (number && (*at == '\'' || *at == '.'))))
    at++;
  return at;
}

/* A word or number, a literal with its prefix as the word before, or one character. */
static token next_token(const char *at, const char *text, const char *end) {
  at = skip_blank(at, text, end);
  token token = {at, at};
  if (at == end)
    return token;
  if (is_letter(*at)) {
    token.end = word_end(at, end);
    if (token.end < end && *token.end == '"' && token.end[-1] == 'R' && token.end - at <= 3)
      token.end = raw_end(token.end, end);
  } else if (*at == '"' || *at == '\'') {
    token.end = literal_end(at, end);
  } else {
    token.end = at + 1;
  }
  return token;
}

static bool is(token token, const char *word) {
  const size_t size = strlen(word);
  return (size_t)(token.end - token.start) == size && memcmp(token.start, word, size) == 0;
}

/* ---- Attributes, and the bodies that they are of ---- */

typedef struct attribute {
  token scope;
  token name;
  const char *arguments; /* without the parentheses */
  const char *arguments_end;
  size_t depth;     /* of parentheses and brackets around it */
  const char *body; /* after the brace; NULL: not known yet, or none */
} attribute;

typedef struct rewriting {
  const char *text;
  const char *end;
  attribute *items;
  size_t count, capacity;
  size_t *open; /* those that wait for a body, the innermost last */
  size_t open_count, open_capacity;
} rewriting;

static token next(const rewriting *rewriting, token after) {
  return next_token(after.end, rewriting->text, rewriting->end);
}

/* An error with the file and the line of the source, as the directives before have them. */
static bool refuse_attribute(const rewriting *rewriting, const char *at, const char *why) {
  const char *file = "";
  int size = 0;
  unsigned long line = 1;
  for (const char *here = rewriting->text; here < at;) {
    const char *stop = line_end(here, rewriting->end);
    char *after;
    const unsigned long number =
        stop - here > 2 && here[0] == '#' && here[1] == ' ' ? strtoul(here + 2, &after, 10) : 0;
    if (number > 0 && after + 2 < stop && after[1] == '"') {
      file = after + 2;
      const char *quote = memchr(file, '"', (size_t)(stop - file));
      size = (int)((quote ? quote : stop) - file);
      line = number;
    } else if (stop < at) {
      line++;
    }
    here = stop + 1;
  }
  return CC_FAIL("%.*s:%lu: %s", size, file, line, why);
}

static bool is_known(const attribute *attribute) {
  static const char *const names[] = {
#define NAME(name) #name,
      ATTRIBUTES(NAME)
#undef NAME
  };
  bool known = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && !known; i++)
    known = is(attribute->name, names[i]);
  return known && (is(attribute->scope, "sycl") || is(attribute->scope, "cl") ||
                   is(attribute->scope, "intel"));
}

static void add_attribute(rewriting *rewriting, const attribute *of, size_t depth) {
  if (!vector_reserve(&rewriting->items, &rewriting->capacity, rewriting->count,
                      sizeof *rewriting->items) ||
      !vector_reserve(&rewriting->open, &rewriting->open_capacity, rewriting->open_count,
                      sizeof *rewriting->open))
    cc_no_memory();
  rewriting->open[rewriting->open_count++] = rewriting->count;
  rewriting->items[rewriting->count] = *of;
  rewriting->items[rewriting->count++].depth = depth;
}

/* Returns whether the innermost attribute without a body stands at the depth. */
static bool waits_at(const rewriting *rewriting, size_t depth) {
  return rewriting->open_count > 0 &&
         rewriting->items[rewriting->open[rewriting->open_count - 1]].depth == depth;
}

/* Gives this body to all that stands at the depth; NULL: none, which only declarations may have. */
static bool give_body(rewriting *rewriting, size_t depth, const char *body) {
  while (waits_at(rewriting, depth)) {
    attribute *of = &rewriting->items[rewriting->open[--rewriting->open_count]];
    of->body = body;
    if (!body && !is(of->name, "device_has"))
      return refuse_attribute(
          rewriting, of->name.start,
          "an attribute of a kernel stands at its function's definition, not elsewhere");
  }
  return true;
}

/* Reads one attribute of a list; *at is its first token and becomes the one after it. */
static attribute read_attribute(const rewriting *rewriting, token scope, token *at) {
  attribute ret = {.scope = scope, .name = *at};
  token after = next(rewriting, *at);
  if (is(after, ":")) {
    ret.scope = *at;
    ret.name = next(rewriting, next(rewriting, after));
    after = next(rewriting, ret.name);
  }
  *at = after;
  if (!is(*at, "("))
    return ret;
  ret.arguments = at->end;
  int depth = 0;
  for (; at->start < at->end; *at = next(rewriting, *at)) {
    depth += is(*at, "(") - is(*at, ")");
    if (depth == 0)
      break;
  }
  ret.arguments_end = at->start;
  *at = next(rewriting, *at);
  return ret;
}

/* Reads the list whose brackets are open at *at, which becomes its last token. */
static void read_list(rewriting *rewriting, token *at, size_t depth) {
  token scope = {at->end, at->end};
  token here = next(rewriting, *at);
  if (is(here, "using")) {
    scope = next(rewriting, here);
    here = next(rewriting, next(rewriting, scope));
  }
  while (here.start < here.end && !is(here, "]")) {
    const char *before = here.start;
    const attribute one = read_attribute(rewriting, scope, &here);
    if (is_known(&one))
      add_attribute(rewriting, &one, depth);
    while (is(here, ",") || is(here, "."))
      here = next(rewriting, here);
    if (here.start == before)
      break;
  }
  *at = next(rewriting, here);
}

static bool is_class_key(token token) {
  return is(token, "class") || is(token, "struct") || is(token, "union") || is(token, "enum");
}

static bool find_attributes(rewriting *rewriting) {
  token first = {rewriting->text, rewriting->text}; /* of the three latest */
  token before = first;
  size_t depth = 0;
  for (token at = next(rewriting, before); at.start < at.end;
       first = before, before = at, at = next(rewriting, at)) {
    const char c = *at.start;
    if (c == '[' && is(before, "[") && before.end == at.start) {
      depth--; /* two of these are always a list of attributes */
      read_list(rewriting, &at, depth);
      if (is_class_key(first) && !give_body(rewriting, depth, NULL))
        return false;
    } else if (c == '(' || c == '[') {
      depth++;
    } else if (c == '{') {
      give_body(rewriting, depth, at.end);
    } else if (c == ';' || c == '}' || c == ')' || c == ']') {
      if (!give_body(rewriting, depth, NULL))
        return false;
      depth -= (c == ')' || c == ']') && depth > 0;
    }
  }
  return true;
}

/* ---- Calls ---- */

/* The arguments on one line. */
static void write_arguments(const attribute *attribute, FILE *to) {
  for (const char *at = attribute->arguments; at < attribute->arguments_end; at++) {
    if (*at != '\n')
      fputc(*at, to);
    else if (at + 1 < attribute->arguments_end && at[1] == '#')
      at = line_end(at + 1, attribute->arguments_end) - 1;
    else
      fputc(' ', to);
  }
}

static void write_call(const attribute *attribute, size_t number, FILE *to) {
  const int length = (int)(attribute->name.end - attribute->name.start);
  fprintf(to, " constexpr auto __specpi_%zu = ::__specpi_numbers(", number);
  write_arguments(attribute, to);
  fprintf(to, "); ::__specpi_%.*s<__specpi_%zu.count", length, attribute->name.start, number);
  for (int i = 0; i < NUMBERS; i++)
    fprintf(to, ", __specpi_%zu.at[%d]", number, i);
  fputs(">();", to);
}

/* ---- The text with calls ---- */

/* In the order of bodies; those without one come first. */
static int compare_edits(const void *left, const void *right) {
  const attribute *a = left;
  const attribute *b = right;
  if (a->body != b->body)
    return !a->body || (b->body && a->body < b->body) ? -1 : 1;
  return a->name.start < b->name.start ? -1 : a->name.start > b->name.start;
}

static void write_text(const rewriting *rewriting, FILE *to) {
  /* The first line names the source. */
  const char *at = line_end(rewriting->text, rewriting->end);
  at += at < rewriting->end;
  fwrite(rewriting->text, 1, (size_t)(at - rewriting->text), to);
  fputs(prologue, to);
  for (size_t i = 0; i < rewriting->count; i++) {
    if (!rewriting->items[i].body)
      continue;
    fwrite(at, 1, (size_t)(rewriting->items[i].body - at), to);
    write_call(&rewriting->items[i], i, to);
    at = rewriting->items[i].body;
  }
  fwrite(at, 1, (size_t)(rewriting->end - at), to);
}

static bool write_file(const rewriting *rewriting, const char *made) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to)
    cc_no_memory();
  write_text(rewriting, to);
  if (fclose(to) != 0)
    cc_no_memory();
  const bool done = file_write(made, made, text, size, false);
  free(text);
  return done;
}

bool cc_kernel_attributes_rewrite(const char *from, const char *made, bool *any) {
  file_bytes text;
  if (!file_read(from, &text))
    return false;
  rewriting rewriting = {.text = text.data, .end = text.data + text.size};
  const bool done = find_attributes(&rewriting);
  if (rewriting.count > 0)
    qsort(rewriting.items, rewriting.count, sizeof *rewriting.items, compare_edits);
  *any = rewriting.count > 0;
  const bool written = done && (!*any || write_file(&rewriting, made));
  free(rewriting.items);
  free(rewriting.open);
  file_free(&text);
  return written;
}
