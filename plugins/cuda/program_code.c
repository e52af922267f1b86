/* What code says of itself when it comes in: trailer, kernels, values; and what metadata adds. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pi_result program_add_block(pi_program program, size_t size, const unsigned char *values,
                            size_t *at) {
  const size_t used = constants_values_size(program->constants);
  const size_t begin = (used + VALUE_BLOCK_ALIGN - 1) / VALUE_BLOCK_ALIGN * VALUE_BLOCK_ALIGN;
  /* No two blocks begin at the same place: one that is empty shares another's. */
  if (size == 0 && program->driver.block_count != 0) {
    *at = program->driver.blocks[0].at;
    return PI_SUCCESS;
  }
  const bool shares = program->driver.block_count != 0 &&
                      program->driver.blocks[program->driver.block_count - 1].at == begin;
  value_block *blocks = realloc(program->driver.blocks,
                                (program->driver.block_count + 1) * sizeof *program->driver.blocks);
  PI_REQUIRE(blocks, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of constants", size);
  program->driver.blocks = blocks;
  PI_TRY(constants_extend(program->constants, begin, size, values));
  program->driver.block_count += !shares;
  program->driver.blocks[program->driver.block_count - 1] = (value_block){begin, size};
  *at = begin;
  return PI_SUCCESS;
}

/* ---- PTX ---- */

/* Checks a kernel of the trailer against its declaration in the text, and takes it over. */
static pi_result take_kernel(pi_program program, const pi_ptx_kernel *it) {
  code_kernel *kernel = code_find(program->driver.info, it->name);
  PI_REQUIRE(kernel, PI_ERROR_INVALID_BINARY,
             "damaged PTX image: its trailer has kernel %s, its text does not", it->name);
  if (it->required_size[0] != 0)
    memcpy(kernel->required, it->required_size, sizeof kernel->required);
  if (it->buffer_argument == PI_PTX_NONE)
    return PI_SUCCESS;
  PI_REQUIRE(program->driver.image->mode == PI_PTX_EMULATE, PI_ERROR_INVALID_BINARY,
             "damaged PTX image: kernel %s has a buffer of constants, which mode emulate alone has",
             it->name);
  PI_REQUIRE(kernel->parameter_count == CODE_UNKNOWN ||
                 (it->buffer_argument < kernel->parameter_count &&
                  kernel->parameters[it->buffer_argument].size == sizeof(CUdeviceptr)),
             PI_ERROR_INVALID_BINARY,
             "damaged PTX image: argument %u of kernel %s is no pointer to a buffer of constants",
             it->buffer_argument, it->name);
  kernel->buffer_argument = it->buffer_argument;
  return PI_SUCCESS;
}

static pi_result declare_constants(pi_constants *constants, const pi_ptx_image *image) {
  pi_constant *declared = calloc((size_t)image->leaf_count + 1, sizeof *declared);
  PI_REQUIRE(declared, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u constants",
             image->leaf_count);
  /* The code takes any byte but 0 of a boolean for true (docs/ptx.md). */
  for (pi_uint32 i = 0; i < image->leaf_count; i++)
    declared[i] = (pi_constant){.id = image->leaves[i].id,
                                .size = image->leaves[i].size,
                                .kind = PI_CONSTANT_NUMBER,
                                .at = image->leaves[i].at};
  constants_declare(constants, declared, image->leaf_count);
  return PI_SUCCESS;
}

pi_result program_read_ptx(pi_program program) {
  PI_TRY(
      pi_ptx_image_read(program->driver.code, program->driver.code_size, &program->driver.image));
  const pi_ptx_image *image = program->driver.image;
  const char *text = (const char *)program->driver.code;
  const char *zero = memchr(text, '\0', image->text_size);
  PI_REQUIRE(!zero, PI_ERROR_INVALID_BINARY,
             "damaged PTX image: there is a zero byte at %zu of its text", (size_t)(zero - text));
  PI_TRY(ptx_read_kernels(text, image->text_size, program->driver.info));
  code_sort(program->driver.info);
  for (pi_uint32 i = 0; i < image->kernel_count; i++)
    PI_TRY(take_kernel(program, &image->kernels[i]));
  PI_TRY(declare_constants(program->constants, image));
  size_t at;
  return image->mode == PI_PTX_EMULATE
             ? program_add_block(program, image->default_size, image->defaults, &at)
             : constants_extend(program->constants, 0, image->default_size, image->defaults);
}

/* ---- Cubins ---- */

pi_result program_read_cubin(pi_program program) {
  PI_TRY(binary_read_trailers(program, program->driver.code, &program->driver.code_size));
  code_sort(program->driver.info);
  PI_TRY(cubin_check(program->driver.code, program->driver.code_size));
  return cubin_merge_kernels(program->driver.code, program->driver.code_size, program->driver.info);
}

/* ---- Metadata ---- */

#define REQUIRED_SIZE_SUFFIX "@reqd_work_group_size"
#define GLOBAL_SUFFIX "@global_id_mapping"

/* Whether a name ends so; *length receives the length of what is before. */
static bool ends_with(const char *name, const char *suffix, size_t *length) {
  const size_t all = strlen(name);
  const size_t end = strlen(suffix);
  if (all <= end || strcmp(name + all - end, suffix) != 0)
    return false;
  *length = all - end;
  return true;
}

/* The bytes of a property behind the prefix with their number of bits. */
static pi_result payload_of(const pi_device_binary_property_struct *it, const unsigned char **bytes,
                            size_t *size) {
  enum { PREFIX = 8 };
  PI_REQUIRE(it->Type == PI_PROPERTY_TYPE_BYTE_ARRAY && it->ValAddr && it->ValSize > PREFIX,
             PI_ERROR_INVALID_VALUE, "metadata \"%s\" is no list of bytes", it->Name);
  *bytes = (const unsigned char *)it->ValAddr + PREFIX;
  *size = (size_t)it->ValSize - PREFIX;
  return PI_SUCCESS;
}

static char *copy_text(const void *bytes, size_t size) {
  char *text = malloc(size + 1);
  if (text) {
    memcpy(text, bytes, size);
    text[size] = '\0';
  }
  return text;
}

static pi_result take_required(pi_program program, const pi_device_binary_property_struct *it,
                               size_t name_length) {
  const unsigned char *bytes;
  size_t size;
  pi_uint32 sizes[3] = {1, 1, 1};
  PI_TRY(payload_of(it, &bytes, &size));
  PI_REQUIRE(size <= sizeof sizes && size % sizeof sizes[0] == 0, PI_ERROR_INVALID_VALUE,
             "metadata \"%s\" has %zu bytes, not 1 to 3 times %zu", it->Name, size,
             sizeof sizes[0]);
  memcpy(sizes, bytes, size);
  PI_REQUIRE(sizes[0] != 0 && sizes[1] != 0 && sizes[2] != 0, PI_ERROR_INVALID_VALUE,
             "metadata \"%s\" is %u x %u x %u, and no size of a work-group is 0", it->Name,
             sizes[0], sizes[1], sizes[2]);
  char *name = copy_text(it->Name, name_length);
  PI_REQUIRE(name, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the name of a kernel");
  code_kernel *kernel = code_find(program->driver.info, name);
  free(name);
  /* All kernels of PTX are known; one that it does not have is none. */
  if (!kernel && program->form->is_compiled)
    return PI_SUCCESS;
  if (!kernel)
    PI_TRY(code_add_kernel(program->driver.info, it->Name, name_length, &kernel));
  if (kernel->required[0] == 0)
    memcpy(kernel->required, sizes, sizeof sizes);
  code_sort(program->driver.info);
  return PI_SUCCESS;
}

static pi_result take_global(pi_program program, const pi_device_binary_property_struct *it,
                             size_t name_length) {
  const unsigned char *bytes;
  size_t size;
  PI_TRY(payload_of(it, &bytes, &size));
  program_global *globals =
      realloc(program->driver.globals, (program->driver.global_count + 1) * sizeof *globals);
  PI_REQUIRE(globals, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of %zu variables",
             program->driver.global_count + 1);
  program->driver.globals = globals;
  program_global *global = &globals[program->driver.global_count];
  *global = (program_global){copy_text(bytes, size), copy_text(it->Name, name_length)};
  if (!global->id || !global->name) {
    free(global->id);
    free(global->name);
    return pi_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the name of a variable");
  }
  program->driver.global_count++;
  return PI_SUCCESS;
}

pi_result program_read_metadata(pi_program program, size_t count,
                                const pi_device_binary_property *metadata) {
  for (size_t i = 0; i < count; i++) {
    size_t length;
    PI_REQUIRE(metadata[i] && metadata[i]->Name, PI_ERROR_INVALID_VALUE,
               "metadata entry %zu of %zu is NULL or has no name", i, count);
    if (ends_with(metadata[i]->Name, REQUIRED_SIZE_SUFFIX, &length))
      PI_TRY(take_required(program, metadata[i], length));
    else if (ends_with(metadata[i]->Name, GLOBAL_SUFFIX, &length))
      PI_TRY(take_global(program, metadata[i], length));
  }
  return PI_SUCCESS;
}

const char *program_global_name(pi_program program, const char *id) {
  for (size_t i = 0; i < program->driver.global_count; i++)
    if (strcmp(program->driver.globals[i].id, id) == 0)
      return program->driver.globals[i].name;
  return id;
}
