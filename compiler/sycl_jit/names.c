#define _GNU_SOURCE /* memrchr, strndup */
#include "names.h"

#include "../error.h"

#include <ctype.h>
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

/* ---- Kernels' types in the integration header ---- */

/* Returns whether the header declares a class or, after "template <..>", a class template. */
static bool is_declared(const char *header, const char *name, int length) {
  static const char *const forms[] = {"class ", "struct "};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    char line[256];
    const int size = snprintf(line, sizeof line, "%s%.*s;\n", forms[i], length, name);
    const char *at = size < (int)sizeof line ? strstr(header, line) : NULL;
    if (at != NULL && at < strstr(header, "kernel_names[]"))
      return true;
  }
  return false;
}

/* Returns the number of characters of a name with its scopes. */
static int name_length(const char *text) {
  int length = 0;
  while (isalnum((unsigned char)text[length]) || strchr("_:", text[length]) != NULL)
    length += text[length] != '\0' ? 1 : 0;
  return length;
}

/*
 * Writes a type up to the end of the line, with "class" and "::" before the names of declared
 * classes. The header uses them in namespace sycl::detail, in which a template of SYCL's may have
 * the same name, and without "class" a function's hides it, as that of stdio's remove does.
 */
static void put_type(const char *text, const char *header, FILE *to) {
  while (*text != '\n') {
    const int length = name_length(text);
    const char *name = text[0] == ':' && text[1] == ':' ? text + 2 : text;
    const int rest = length - (int)(name - text);
    const char *scope = memrchr(name, ':', (size_t)rest);
    const char *last = scope != NULL ? scope + 1 : name;
    const bool is_whole = rest > 0 && strchr("< ", text[-1]) != NULL &&
                          is_declared(header, last, rest - (int)(last - name));
    const bool is_global_class = is_whole && last == name && text[length] != '<';
    fprintf(to, "%s%s%.*s", is_global_class ? "class " : "", is_whole ? "::" : "",
            is_whole ? rest : length, is_whole ? name : text);
    text += length;
    if (length == 0)
      fputc(*text++, to);
  }
}

/* Writes a part of the header, which ends before one of its texts or with the header. */
static void put_part(const char *text, const char *end, const char *header, FILE *to) {
  static const char before[] = "struct KernelInfo<";
  for (const char *at; (at = strstr(text, before)) != NULL && at < end; text = strchr(text, '\n')) {
    const char *type = at + sizeof before - 1;
    fprintf(to, "%.*s", (int)(type - text), text);
    put_type(type, header, to);
    text = type;
  }
  fprintf(to, "%.*s", (int)(end - text), text);
}

specpi_compiler_result jit_names_write_header(const char *text, const char *suffix,
                                              const char *path) {
  FILE *to = fopen(path, "w");
  COMPILER_REQUIRE(to != NULL, SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  /* Compilers warn about the code, which nobody can change. */
  fputs("#pragma GCC system_header\n", to);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  const char *const header = text;
  const char *name = strstr(text, "\"_ZTS");
  while (name != NULL && result == SPECPI_COMPILER_SUCCESS) {
    const char *end = name + 1 + strcspn(name + 1, "\"");
    char *copy = strndup(name + 1, (size_t)(end - name - 1));
    put_part(text, end, header, to);
    if (copy == NULL)
      result = compiler_error_memory();
    else
      fputs(jit_names_end(copy, suffix), to);
    free(copy);
    text = end;
    name = *end ? strstr(end + 1, "\"_ZTS") : NULL;
  }
  put_part(text, text + strlen(text), header, to);
  const bool failed = ferror(to);
  if ((fclose(to) != 0 || failed) && result == SPECPI_COMPILER_SUCCESS)
    result = compiler_error(SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  return result;
}
