/* The interpreter's vprintf and __assertfail. */
#include "ptx_exec.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_LIMIT = 1024, OUTPUT_LIMIT = 4096, SPECIFICATION_LIMIT = 32 };

typedef struct output {
  char text[OUTPUT_LIMIT];
  size_t used;
} output;

static void put_text(output *to, const char *text, size_t length) {
  const size_t room = sizeof(to->text) - to->used;
  length = length < room ? length : room;
  memcpy(to->text + to->used, text, length);
  to->used += length;
}

/* Reads a string from the kernel's memory, and cuts it to TEXT_LIMIT. */
static bool read_text(ptx_thread *thread, const ptx_insn *insn, uint64_t address,
                      char text[TEXT_LIMIT]) {
  for (size_t i = 0; i + 1 < TEXT_LIMIT; i++) {
    const unsigned char *byte = ptx_bytes(thread, insn, address + i, 1, false);
    if (!byte)
      return false;
    text[i] = (char)*byte;
    if (!text[i])
      return true;
  }
  text[TEXT_LIMIT - 1] = '\0';
  return true;
}

/* Reads the next argument. Each is aligned to its size. */
static bool read_value(ptx_thread *thread, const ptx_insn *insn, uint64_t *at, uint32_t size,
                       uint64_t *value) {
  *at = (*at + size - 1) & ~(uint64_t)(size - 1);
  const unsigned char *bytes = ptx_bytes(thread, insn, *at, size, false);
  if (!bytes)
    return false;
  *value = 0;
  memcpy(value, bytes, size);
  *at += size;
  return true;
}

/* A conversion specification, such as %08.3llx, in which numbers have replaced each *. */
typedef struct specification {
  char text[SPECIFICATION_LIMIT]; /* without the length and the conversion */
  size_t used;
  bool wide;
  char conversion; /* 0 if it is invalid */
} specification;

static bool add_letter(specification *spec, char c) {
  if (spec->used + 8 > sizeof(spec->text))
    return false;
  spec->text[spec->used++] = c;
  return true;
}

static bool parse_specification(ptx_thread *thread, const ptx_insn *insn, const char **format,
                                uint64_t *at, specification *spec) {
  *spec = (specification){.text = "%", .used = 1};
  const char *c = *format + 1;
  for (; *c && strchr("-+ #0123456789.*", *c); c++) {
    if (*c != '*') {
      if (!add_letter(spec, *c))
        return true;
      continue;
    }
    uint64_t number;
    char digits[16];
    if (!read_value(thread, insn, at, 4, &number))
      return false;
    const int width = (int)(int32_t)(uint32_t)number;
    snprintf(digits, sizeof(digits), "%d", width > 999 ? 999 : width < -999 ? -999 : width);
    for (const char *digit = digits; *digit; digit++)
      if (!add_letter(spec, *digit))
        return true;
  }
  for (; *c && strchr("hlzjt", *c); c++)
    spec->wide |= *c != 'h';
  if (*c && strchr("diouxXcspfFeEgGaA", *c)) {
    spec->conversion = *c;
    *format = c + 1;
  }
  return true;
}

static bool print_value(ptx_thread *thread, const ptx_insn *insn, const specification *spec,
                        uint64_t *at, output *to) {
  char format[SPECIFICATION_LIMIT + 8], text[TEXT_LIMIT + 8];
  const char c = spec->conversion;
  const bool real = strchr("fFeEgGaA", c) != NULL;
  const bool pointer = c == 'p' || c == 's';
  uint64_t value;
  if (!read_value(thread, insn, at, real || pointer || (spec->wide && c != 'c') ? 8 : 4, &value))
    return false;
  char string[TEXT_LIMIT];
  if (c == 's' && !read_text(thread, insn, value, string))
    return false;
  double number;
  memcpy(&number, &value, sizeof(number));
  const bool is_signed = c == 'd' || c == 'i';
  snprintf(format, sizeof(format), "%.*s%s%c", (int)spec->used, spec->text,
           real || pointer || c == 'c' ? "" : "ll", c);
  /* The format is not a literal, but the code above matches it to the argument's type. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  int length;
  if (real)
    length = snprintf(text, sizeof(text), format, number);
  else if (c == 's')
    length = snprintf(text, sizeof(text), format, string);
  else if (c == 'p')
    length = snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
  else if (c == 'c')
    length = snprintf(text, sizeof(text), format, (int)(unsigned char)value);
  else if (is_signed && !spec->wide)
    length = snprintf(text, sizeof(text), format, (long long)(int32_t)(uint32_t)value);
  else
    length = snprintf(text, sizeof(text), format, (long long)value);
#pragma GCC diagnostic pop
  if (length > 0)
    put_text(to, text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
  return true;
}

static void print_output(const ptx_thread *thread, const output *text) {
  const ptx_hooks *hooks = thread->block->run->hooks;
  if (hooks && hooks->print)
    hooks->print(hooks->user, text->text, text->used);
  else {
    fwrite(text->text, 1, text->used, stdout);
    fflush(stdout);
  }
}

static bool print_format(ptx_thread *thread, const ptx_insn *insn, uint64_t address, uint64_t at,
                         uint32_t *count) {
  char format[TEXT_LIMIT];
  output to = {.used = 0};
  *count = 0;
  if (!read_text(thread, insn, address, format))
    return false;
  for (const char *c = format; *c;) {
    specification spec = {.conversion = 0};
    if (*c == '%' && c[1] == '%')
      c++;
    else if (*c == '%' && !parse_specification(thread, insn, &c, &at, &spec))
      return false;
    if (!spec.conversion) {
      put_text(&to, c++, 1);
      continue;
    }
    if (!print_value(thread, insn, &spec, &at, &to))
      return false;
    ++*count;
  }
  print_output(thread, &to);
  return true;
}

static uint64_t argument(const ptx_thread *thread, const ptx_call *call, uint32_t index) {
  uint64_t value = 0;
  if (index < call->argument_count && call->arguments[index].size <= sizeof(value))
    ptx_read_actual(thread, &call->arguments[index], &value);
  return value;
}

static bool fail_assertion(ptx_thread *thread, const ptx_insn *insn, const ptx_call *call) {
  char condition[TEXT_LIMIT], file[TEXT_LIMIT], function[TEXT_LIMIT];
  if (!read_text(thread, insn, argument(thread, call, 0), condition) ||
      !read_text(thread, insn, argument(thread, call, 1), file) ||
      !read_text(thread, insn, argument(thread, call, 3), function))
    return false;
  output to;
  const int length =
      snprintf(to.text, sizeof(to.text),
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
               (unsigned)argument(thread, call, 2), function, thread->block->ctaid[0],
               thread->block->ctaid[1], thread->block->ctaid[2], thread->tid[0], thread->tid[1],
               thread->tid[2], condition);
  to.used = length > 0 && (size_t)length < sizeof(to.text) ? (size_t)length : sizeof(to.text) - 1;
  print_output(thread, &to);
  return ptx_stop(thread, insn, PTX_LAUNCH_ASSERT, "the assertion '%.100s' does not hold",
                  condition);
}

bool ptx_call_builtin(ptx_thread *thread, const ptx_insn *insn, const ptx_call *call,
                      ptx_builtin builtin) {
  if (builtin == PTX_BUILTIN_ASSERT)
    return fail_assertion(thread, insn, call);
  uint64_t count = 0;
  uint32_t values = 0;
  if (!print_format(thread, insn, argument(thread, call, 0), argument(thread, call, 1), &values))
    return false;
  count = values;
  if (call->result_count == 1 && call->results[0].size <= sizeof(count))
    ptx_write_actual(thread, &call->results[0], &count);
  return true;
}
