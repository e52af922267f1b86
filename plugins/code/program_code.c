#include "program_code.h"

#include "../base/error.h"
#include "../base/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pi_result code_open(program_code *code, const code_form *form) {
  if (form)
    code_set_form(code, form);
  code->info = code_new();
  REQUIRE_MEMORY(code->info, "a program");
  return constants_create(&code->constants);
}

void code_close(program_code *code) {
  code_constants_free(code->constants);
  free(code->bytes);
  spirv_code_release(code->spirv);
  if (code->form && code->form->close)
    code->form->close(code);
  ptx_image_free(code->image);
  code_release(code->info);
  free(code->blocks);
  for (size_t i = 0; i < code->global_count; i++) {
    free(code->globals[i].id);
    free(code->globals[i].name);
  }
  free(code->globals);
}

/* Writes the names of forms, truncated to size. Returns whether one of them is PTX. */
static bool name_forms(const code_form *const *forms, char *text, size_t size) {
  bool has_ptx = false;
  text[0] = '\0';
  for (size_t i = 0; forms[i]; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", i ? ", " : "", forms[i]->name);
    has_ptx = has_ptx || forms[i]->kind == CODE_IS_PTX;
  }
  return has_ptx;
}

pi_result code_find_form(const code_form *const *forms, const char *driver, const code_head *head,
                         pi_result refused, const code_form **ret) {
  char taken[128], text[64];
  code_head_describe(head, text, sizeof text);
  size_t i = 0;
  while (forms[i] && forms[i]->kind != head->kind)
    i++;
  if (forms[i]) {
    *ret = forms[i];
    return PI_SUCCESS;
  }
  const bool has_ptx = name_forms(forms, taken, sizeof taken);
  REQUIRE(
      !has_ptx || head->kind != CODE_IS_DAMAGED, PI_ERROR_INVALID_BINARY,
      "the code is damaged: it begins like PTX, a cubin or a fat binary, but its header is wrong");
  if (has_ptx && (head->kind == CODE_IS_SPIRV || head->kind == CODE_IS_BITCODE))
    return plugin_error(refused,
                        "the code is %s, which %s does not take: compile it to PTX, with specpi-cc "
                        "--target=nvptx64",
                        text, driver);
  return plugin_error(refused, "the code is %s; %s takes %s", text, driver, taken);
}

pi_result code_read(program_code *code, const code_form *form, const void *bytes, size_t size) {
  code_set_form(code, form);
  code->bytes = malloc(size);
  REQUIRE_MEMORY(code->bytes, "%zu bytes of code", size);
  memcpy(code->bytes, bytes, size);
  code->size = size;
  return form->read ? form->read(code) : PI_SUCCESS;
}

pi_result code_specialise(const program_code *code, const unsigned char *values,
                          const code_target *target, code_product *ret) {
  if (code->form->specialise)
    return code->form->specialise(code, values, target, ret);
  *ret = (code_product){.kind = code_head_read(code->bytes, code->size).kind,
                        .bytes = code->bytes,
                        .size = code->size,
                        .plain_size = code->size};
  return PI_SUCCESS;
}

void code_product_free(code_product *product) {
  free(product->made);
  code_release(product->info);
}

/* ---- Values ---- */

pi_result code_add_block(program_code *code, size_t size, const unsigned char *values, size_t *at) {
  const size_t used = constants_values_size(code->constants);
  const size_t begin = (used + VALUE_BLOCK_ALIGN - 1) / VALUE_BLOCK_ALIGN * VALUE_BLOCK_ALIGN;
  /*
   * An empty block after others gets the first one's start. If the first block is empty, the next
   * one replaces it. So no two blocks of the list start at the same offset.
   */
  if (size == 0 && code->block_count != 0) {
    *at = code->blocks[0].at;
    return PI_SUCCESS;
  }
  const bool shares = code->block_count != 0 && code->blocks[code->block_count - 1].at == begin;
  REQUIRE_MEMORY(vector_resize(&code->blocks, code->block_count + 1, sizeof *code->blocks),
                 "%zu bytes of constants", size);
  TRY(constants_extend(code->constants, begin, size, values));
  code->block_count += !shares;
  code->blocks[code->block_count - 1] = (value_block){begin, size};
  *at = begin;
  return PI_SUCCESS;
}

pi_result code_add_input(program_code *linked, const program_code *input,
                         const unsigned char *values) {
  size_t *places = calloc(input->block_count + 1, sizeof *places);
  REQUIRE_MEMORY(places, "%zu blocks of constants", input->block_count);
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < input->block_count && result == PI_SUCCESS; i++)
    result =
        code_add_block(linked, input->blocks[i].size, values + input->blocks[i].at, &places[i]);
  for (size_t k = 0; k < input->info->count && result == PI_SUCCESS; k++) {
    const code_kernel *kernel = &input->info->kernels[k];
    result = code_copy_kernel(linked->info, kernel);
    for (size_t i = 0; i < input->block_count && result == PI_SUCCESS; i++)
      if (input->blocks[i].at == kernel->values_at)
        linked->info->kernels[linked->info->count - 1].values_at = places[i];
  }
  free(places);
  return result;
}
