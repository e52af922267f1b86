#define _POSIX_C_SOURCE 200809L /* strndup */
#include "names.h"

#include "../error.h"

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

specpi_compiler_result jit_names_write_header(const char *text, const char *suffix,
                                              const char *path) {
  FILE *to = fopen(path, "w");
  COMPILER_REQUIRE(to != NULL, SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  /* Compilers warn about the code, which nobody can change. */
  fputs("#pragma GCC system_header\n", to);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  const char *name = strstr(text, "\"_ZTS");
  while (name != NULL && result == SPECPI_COMPILER_SUCCESS) {
    const char *end = name + 1 + strcspn(name + 1, "\"");
    char *copy = strndup(name + 1, (size_t)(end - name - 1));
    if (copy == NULL)
      result = compiler_error_memory();
    else
      fprintf(to, "%.*s%s", (int)(end - text), text, jit_names_end(copy, suffix));
    free(copy);
    text = end;
    name = *end ? strstr(end + 1, "\"_ZTS") : NULL;
  }
  fputs(text, to);
  const bool failed = ferror(to);
  if ((fclose(to) != 0 || failed) && result == SPECPI_COMPILER_SUCCESS)
    result = compiler_error(SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  return result;
}
