/* Form for PTX. A trailer of the text, if any, declares constants (docs/internals/ptx.md). */
#include "program_code.h"

#include "../base/error.h"

#include <stdlib.h>
#include <string.h>

/* Checks a kernel of the trailer against its declaration in the text, and adds its facts. */
static pi_result take_kernel(program_code *code, const ptx_image_kernel *image_kernel) {
  code_kernel *kernel = code_find(code->info, image_kernel->name);
  REQUIRE(kernel, PI_ERROR_INVALID_BINARY,
          "damaged PTX image: its trailer has kernel %s, its text does not", image_kernel->name);
  if (image_kernel->required_size[0] != 0)
    memcpy(kernel->required, image_kernel->required_size, sizeof kernel->required);
  kernel->sub_group = image_kernel->sub_group;
  kernel->local_memory = image_kernel->local_memory;
  if (image_kernel->buffer_argument == PTX_NONE)
    return PI_SUCCESS;
  REQUIRE(code->image->mode == PTX_EMULATE, PI_ERROR_INVALID_BINARY,
          "damaged PTX image: kernel %s has a buffer of constants, which mode emulate alone has",
          image_kernel->name);
  REQUIRE(kernel->parameter_count == CODE_UNKNOWN ||
              (image_kernel->buffer_argument < kernel->parameter_count &&
               kernel->parameters[image_kernel->buffer_argument].size == sizeof(pi_uint64)),
          PI_ERROR_INVALID_BINARY,
          "damaged PTX image: argument %u of kernel %s is no pointer to a buffer of constants",
          image_kernel->buffer_argument, image_kernel->name);
  kernel->buffer_argument = image_kernel->buffer_argument;
  return PI_SUCCESS;
}

static pi_result declare_constants(code_constants *constants, const ptx_image *image) {
  code_constant *declared = calloc((size_t)image->leaf_count + 1, sizeof *declared);
  REQUIRE_MEMORY(declared, "%u constants", image->leaf_count);
  /* Booleans need no kind of their own: PTX treats any byte except 0 as true. */
  for (pi_uint32 i = 0; i < image->leaf_count; i++)
    declared[i] = (code_constant){.id = image->leaves[i].id,
                                  .size = image->leaves[i].size,
                                  .kind = CODE_CONSTANT_NUMBER,
                                  .at = image->leaves[i].at};
  constants_declare(constants, declared, image->leaf_count);
  return PI_SUCCESS;
}

static pi_result read_ptx(program_code *code) {
  TRY(ptx_image_read(code->bytes, code->size, &code->image));
  const ptx_image *image = code->image;
  if (image->mode == PTX_DEFAULT)
    code->fixed = "its PTX was compiled in mode default, with all defaults built in";
  if (image->mode == PTX_PLAIN)
    code->fixed = "its PTX does not say where its constants are (it has no //!specpi trailer)";
  const char *text = (const char *)code->bytes;
  const char *zero = memchr(text, '\0', image->text_size);
  REQUIRE(!zero, PI_ERROR_INVALID_BINARY,
          "damaged PTX image: there is a zero byte at %zu of its text", (size_t)(zero - text));
  code->digest = digest_make(code->bytes, code->size);
  code->has_state = true; /* the safe value, because the text is not examined for variables */
  TRY(ptx_read_kernels(text, image->text_size, code->info));
  code_sort(code->info);
  for (pi_uint32 i = 0; i < image->kernel_count; i++)
    TRY(take_kernel(code, &image->kernels[i]));
  TRY(declare_constants(code->constants, image));
  size_t at;
  return image->mode == PTX_EMULATE
             ? code_add_block(code, image->default_size, image->defaults, &at)
             : constants_extend(code->constants, 0, image->default_size, image->defaults);
}

/* Copies the text and writes the values into its places. */
static pi_result write_ptx(const program_code *code, const unsigned char *values,
                           const code_target *target, code_product *ret) {
  (void)target;
  const size_t size = code->image->text_size + 1;
  char *text = malloc(size);
  REQUIRE_MEMORY(text, "%zu bytes of PTX", size);
  ptx_image_write(code->image, code->bytes, values, text);
  unsigned char *made = (unsigned char *)text;
  *ret = (code_product){.kind = CODE_IS_PTX,
                        .bytes = made,
                        .size = size,
                        .plain_size = code->image->plain_size,
                        .made = made};
  return PI_SUCCESS;
}

const code_form code_form_ptx = {.kind = CODE_IS_PTX,
                                 .name = "PTX",
                                 .origin = "created from PTX",
                                 .is_compiled = true,
                                 .read = read_ptx,
                                 .specialise = write_ptx};
