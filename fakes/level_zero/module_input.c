/* The inputs of modules: SPIR-V, build flags, values of specialization constants. */
#include "module.h"

#include <stdlib.h>

/*
 * X(begin, mapped): begin is a flag, or, if it ends in '=' or '-', the start of one. mapped is
 * OpenCL's option for it, or "" if there is none.
 */
#define FLAGS(X)                                                                                   \
  X("-ze-opt-disable", "-cl-opt-disable")                                                          \
  X("-ze-opt-level=0", "-cl-opt-disable")                                                          \
  X("-ze-opt-level=1", "")                                                                         \
  X("-ze-opt-level=2", "")                                                                         \
  X("-ze-opt-greater-than-4GB-buffer-required", "")                                                \
  X("-ze-opt-large-register-file", "")                                                             \
  X("-ze-opt-has-buffer-offset-arg", "")                                                           \
  X("-ze-intel-enable-auto-large-GRF-mode", "")                                                    \
  X("-ze-exp-register-file-size=", "")                                                             \
  X("-ze-take-global-address", "")                                                                 \
  X("-ze-kernel-debug-enable", "")                                                                 \
  X("-ze-no-fusion", "")                                                                           \
  X("-ze-allow-zebin", "")                                                                         \
  X("-library-compilation", "")                                                                    \
  X("-vc-codegen", "")                                                                             \
  X("-doubleGRF", "")                                                                              \
  X("-disable-finalizer-msg", "")                                                                  \
  X("-g", "")                                                                                      \
  X("-w", "-w")                                                                                    \
  X("-Werror", "-Werror")                                                                          \
  X("-cl-opt-disable", "-cl-opt-disable")                                                          \
  X("-cl-single-precision-constant", "-cl-single-precision-constant")                              \
  X("-cl-denorms-are-zero", "-cl-denorms-are-zero")                                                \
  X("-cl-fp32-correctly-rounded-divide-sqrt", "-cl-fp32-correctly-rounded-divide-sqrt")            \
  X("-cl-strict-aliasing", "-cl-strict-aliasing")                                                  \
  X("-cl-mad-enable", "-cl-mad-enable")                                                            \
  X("-cl-no-signed-zeros", "-cl-no-signed-zeros")                                                  \
  X("-cl-unsafe-math-optimizations", "-cl-unsafe-math-optimizations")                              \
  X("-cl-finite-math-only", "-cl-finite-math-only")                                                \
  X("-cl-fast-relaxed-math", "-cl-fast-relaxed-math")                                              \
  X("-cl-uniform-work-group-size", "-cl-uniform-work-group-size")                                  \
  X("-cl-no-subgroup-ifp", "-cl-no-subgroup-ifp")                                                  \
  X("-cl-kernel-arg-info", "-cl-kernel-arg-info")                                                  \
  X("-cl-std=", "")                                                                                \
  X("-cl-intel-", "")

static const struct {
  const char *begin, *mapped;
} flag_table[] = {
#define ROW(begin, mapped) {begin, mapped},
    FLAGS(ROW)
#undef ROW
};

/* Flags that take the next word as a value, for Intel's compiler, which is not used here. */
static const char *const pairs[] = {"-igc_opts", "-Xfinalizer"};

/* A word of the flags. */
typedef struct word {
  const char *text;
  size_t length; /* 0 at the end */
} word;

static bool is_word(const char *text, word of) {
  return of.length == strlen(text) && strncmp(of.text, text, of.length) == 0;
}

static bool matches(const char *begin, word flag) {
  const size_t size = strlen(begin);
  const char last = begin[size - 1];
  if (last == '=' || last == '-')
    return flag.length > size && strncmp(flag.text, begin, size) == 0;
  return is_word(begin, flag);
}

static const char *map_flag(word flag) {
  for (size_t i = 0; i < sizeof flag_table / sizeof flag_table[0]; i++)
    if (matches(flag_table[i].begin, flag))
      return flag_table[i].mapped;
  return NULL;
}

/* Reads the word at *at, which may be in quotes, and advances *at past it. */
static word next_word(const char **at) {
  *at += strspn(*at, " \t\n");
  const char *begin = *at;
  char quote = '\0';
  for (; **at && (quote || !strchr(" \t\n", **at)); ++*at) {
    if (quote && **at == quote)
      quote = '\0';
    else if (!quote && (**at == '\'' || **at == '"'))
      quote = **at;
  }
  return (word){begin, (size_t)(*at - begin)};
}

static bool is_pair(word flag) {
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (is_word(pairs[i], flag))
      return true;
  return false;
}

/* Converts Level Zero's flags to OpenCL's options. */
static bool map_flags(const char *flags, fake_text *ret, fake_text *log) {
  for (word flag = next_word(&flags); flag.length != 0; flag = next_word(&flags)) {
    char level[] = "-ze-opt-level=?";
    if (is_pair(flag) || is_word("-ze-opt-level", flag)) {
      const word value = next_word(&flags);
      if (value.length == 0) {
        fake_text_add(log, "error: build flag without a value: %.*s\n", (int)flag.length,
                      flag.text);
        return false;
      }
      if (is_pair(flag))
        continue;
      if (value.length == 1)
        level[sizeof level - 2] = *value.text;
      flag = (word){level, sizeof level - 1};
    }
    const char *mapped = map_flag(flag);
    if (!mapped) {
      fake_text_add(log, "error: unknown build flag: %.*s\n", (int)flag.length, flag.text);
      return false;
    }
    if (*mapped)
      fake_text_add(ret, "%s%s", ret->length ? " " : "", mapped);
  }
  return true;
}

static int compare_values(const void *left, const void *right) {
  const uint32_t a = ((const fake_value *)left)->id;
  const uint32_t b = ((const fake_value *)right)->id;
  return (a > b) - (a < b);
}

static bool read_values(const ze_module_constants_t *constants, fake_input *input, fake_text *log) {
  const uint32_t count = constants->numConstants;
  if (count != 0 && (!constants->pConstantIds || !constants->pConstantValues)) {
    fake_text_add(log, "error: %u specialization constants without ids or values\n", count);
    return false;
  }
  /* The last value of an id wins, so this goes backward and skips ids that it has seen. */
  const size_t known = input->reflection.constant_count;
  bool *seen = fake_allocate(known);
  input->values = fake_allocate(count * sizeof *input->values);
  bool fine = true;
  for (uint32_t i = count; i-- > 0 && fine;) {
    const uint32_t id = constants->pConstantIds[i];
    const void *bytes = constants->pConstantValues[i];
    const fake_constant *constant = fake_reflection_constant(&input->reflection, id);
    if (!constant || constant->is_mixed || !bytes) {
      fake_text_add(log,
                    !constant            ? "error: the module has no specialization constant %u\n"
                    : constant->is_mixed ? "error: specialization constant %u has several sizes\n"
                                         : "error: specialization constant %u has no value\n",
                    id);
      fine = false;
      continue;
    }
    bool *before = &seen[constant - input->reflection.constants];
    if (!*before) {
      fake_value *value = &input->values[input->value_count++];
      *value = (fake_value){.id = id, .size = (uint32_t)constant->size};
      memcpy(value->bytes, bytes, constant->size);
    }
    *before = true;
  }
  free(seen);
  qsort(input->values, input->value_count, sizeof *input->values, compare_values);
  return fine;
}

bool fake_input_make(const void *il, size_t size, const char *flags,
                     const ze_module_constants_t *constants, fake_input *ret, fake_text *log) {
  fake_input input = {0};
  char message[256];
  if (!fake_reflect(il, size, &input.reflection, message, sizeof message)) {
    fake_text_add(log, "error: %s\n", message);
    return false;
  }
  if (!flags)
    flags = "";
  input.il = fake_copy(il, size);
  input.size = size;
  input.flags = fake_copy(flags, strlen(flags) + 1);
  fake_text options = {0};
  const bool fine =
      map_flags(flags, &options, log) && (!constants || read_values(constants, &input, log));
  input.options = options.text ? options.text : fake_copy("", 1);
  if (fine)
    *ret = input;
  else
    fake_input_end(&input);
  return fine;
}

void fake_input_end(fake_input *input) {
  free(input->il);
  free(input->flags);
  free(input->options);
  free(input->values);
  fake_reflection_end(&input->reflection);
}

fake_source *fake_source_new(size_t count) {
  fake_source *source = fake_allocate(sizeof *source);
  source->references = 1;
  source->inputs = fake_allocate(count * sizeof *source->inputs);
  return source;
}

void fake_source_release(fake_source *source) {
  if (!source || --source->references != 0)
    return;
  for (size_t i = 0; i < source->count; i++)
    fake_input_end(&source->inputs[i]);
  free(source->inputs);
  free(source);
}

const fake_symbol *fake_source_export(const fake_source *source, const char *name) {
  for (size_t i = 0; i < source->count; i++) {
    const fake_reflection *reflection = &source->inputs[i].reflection;
    for (size_t k = 0; k < reflection->symbol_count; k++)
      if (!reflection->symbols[k].is_import && strcmp(reflection->symbols[k].name, name) == 0)
        return &reflection->symbols[k];
  }
  return NULL;
}

bool fake_source_imports(const fake_source *source, const fake_symbol *symbol) {
  return symbol->is_import && !fake_source_export(source, symbol->name);
}
