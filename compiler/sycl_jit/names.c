#define _GNU_SOURCE /* memrchr, strndup */
#include "names.h"

#include "../error.h"
#include "../identifier.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the name of a type, as kernels have it, has a part of internal linkage: a
 * namespace without a name, or a function or variable that is static. */
static bool is_internal(const char *name) {
  if (strncmp(name, "_ZTS", 4) != 0)
    return false;
  if (strstr(name, "_GLOBAL__N_") != NULL)
    return true;
  for (const char *at = name; (at = strstr(at, "ZL")) != NULL; at++)
    if (at[2] >= '1' && at[2] <= '9')
      return true;
  return false;
}

const char *jit_names_end(const char *kernel, const char *suffix) {
  return is_internal(kernel) ? suffix : "";
}

/* Writes an entry point with a longer name. */
static void put_entry_point(word_output *to, const spirv_instruction *at, const char *name,
                            const char *suffix) {
  enum { FIRST = 3 }; /* word of the name */
  const size_t old = strlen(name) / 4 + 1;
  const size_t size = strlen(name) + strlen(suffix);
  const size_t words = size / 4 + 1;
  const size_t rest = at->words - FIRST - old;
  static const unsigned char zeros[4];
  word_output_put(to, (uint32_t)(FIRST + words + rest) << 16 | SPIRV_OP_ENTRY_POINT);
  word_output_put(to, spirv_word(at, 1));
  word_output_put(to, spirv_word(at, 2));
  word_output_bytes(to, name, strlen(name));
  word_output_bytes(to, suffix, strlen(suffix));
  word_output_bytes(to, zeros, words * 4 - size);
  for (size_t i = 0; i < rest; i++)
    word_output_put(to, spirv_word(at, (uint32_t)(FIRST + old + i)));
}

specpi_compiler_result jit_names_lower(const word_output *module, const char *suffix,
                                       word_output *ret) {
  spirv_words words;
  COMPILER_REQUIRE(spirv_open(module->bytes, module->size, &words) == PI_SUCCESS,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE, "the image is no SPIR-V");
  word_output_bytes(ret, module->bytes, (size_t)SPIRV_HEADER_WORDS * 4);
  spirv_instruction at;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS) {
    const char *name =
        at.opcode == SPIRV_OP_ENTRY_POINT && at.words > 3 ? spirv_text(&at, 3) : NULL;
    if (name != NULL && *jit_names_end(name, suffix))
      put_entry_point(ret, &at, name, suffix);
    else
      word_output_copy(ret, &at);
  }
  return ret->has_failed ? compiler_error_memory() : SPECPI_COMPILER_SUCCESS;
}

/* ---- The integration header ---- */

/* Returns whether the header's declarations have a class or, after "template <..>", a class
 * template. */
static bool is_declared(const char *declared, const char *name, int length) {
  static const char *const forms[] = {"class ", "struct "};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    char line[256];
    const int size = snprintf(line, sizeof line, "%s%.*s;\n", forms[i], length, name);
    if (size < (int)sizeof line && strstr(declared, line) != NULL)
      return true;
  }
  return false;
}

/*
 * Writes a type up to end, with "class" and "::" before the names of declared classes. The header
 * uses them in namespace sycl::detail, in which a template of SYCL's may have the same name, and
 * without "class" a function's hides it, as that of stdio's remove does.
 */
static void put_type(const char *text, const char *end, const char *declared, FILE *to) {
  while (text < end) {
    const int length = (int)strspn(text, IDENTIFIER_LETTERS ":");
    const char *name = text[0] == ':' && text[1] == ':' ? text + 2 : text;
    const int rest = length - (int)(name - text);
    const char *scope = memrchr(name, ':', (size_t)rest);
    const char *last = scope != NULL ? scope + 1 : name;
    const bool is_whole = rest > 0 && strchr("< ", text[-1]) != NULL &&
                          is_declared(declared, last, rest - (int)(last - name));
    const bool is_global_class = is_whole && last == name && text[length] != '<';
    fprintf(to, "%s%s%.*s", is_global_class ? "class " : "", is_whole ? "::" : "",
            is_whole ? rest : length, is_whole ? name : text);
    text += length;
    if (length == 0)
      fputc(*text++, to);
  }
}

/* Writes the header from text to the end of the kernel's name, which is quoted, with what follows
 * it. Returns that end, or NULL without memory. */
static const char *put_name(const char *text, const char *name, const char *suffix, FILE *to) {
  const char *end = name + 1 + strcspn(name + 1, "\"");
  char *copy = strndup(name + 1, (size_t)(end - name - 1));
  if (copy == NULL)
    return NULL;
  fprintf(to, "%.*s%s", (int)(end - text), text, jit_names_end(copy, suffix));
  free(copy);
  return end;
}

/* Writes a header whose declarations these are. */
static specpi_compiler_result put_header(const char *text, const char *declared, const char *suffix,
                                         FILE *to) {
  static const char name_begin[] = "\"_ZTS", type_begin[] = "struct KernelInfo<";
  const char *name = strstr(text, name_begin), *type = strstr(text, type_begin);
  while (name != NULL || type != NULL) {
    if (type != NULL && (name == NULL || type < name)) {
      const char *start = type + sizeof type_begin - 1, *end = start + strcspn(start, "\n");
      fprintf(to, "%.*s", (int)(start - text), text);
      put_type(start, end, declared, to);
      text = end;
      type = strstr(text, type_begin);
    } else {
      text = put_name(text, name, suffix, to);
      if (text == NULL)
        return compiler_error_memory();
      name = strstr(text, name_begin);
    }
  }
  fputs(text, to);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result jit_names_write_header(const char *text, const char *suffix,
                                              const char *path) {
  const char *tables = strstr(text, "kernel_names[]");
  char *declared = strndup(text, tables != NULL ? (size_t)(tables - text) : 0);
  if (declared == NULL)
    return compiler_error_memory();
  FILE *to = fopen(path, "w");
  if (to == NULL) {
    free(declared);
    return compiler_error(SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  }
  /* Compilers warn about the code, which nobody can change. */
  fputs("#pragma GCC system_header\n", to);
  specpi_compiler_result result = put_header(text, declared, suffix, to);
  free(declared);
  const bool failed = ferror(to);
  if ((fclose(to) != 0 || failed) && result == SPECPI_COMPILER_SUCCESS)
    result = compiler_error(SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  return result;
}
