#define _POSIX_C_SOURCE 200809L /* setenv */
/*
 * Creates a program of the CUDA plugin from any bytes, without a driver: PTX, cubins, and their
 * trailers. It also tries the bytes with a correct hash in the trailer. Every constant of a program
 * can be set, and the text for the driver has the size of the input text.
 */
#include "fuzz.h"

#include "../../plugins/cuda/program.h"

#include <stdlib.h>
#include <string.h>

static struct pi_context_object *the_context(void) {
  static struct pi_device_object device = {.driver = {.major = 9}};
  static pi_device devices[] = {&device};
  static struct pi_context_object context = {
      .device_count = 1, .devices = devices, .root_count = 1, .roots = devices};
  setenv("SPECPI_CODEGEN", "/nonexistent", 1); /* no process is started for SPIR-V */
  object_init(&device.handle, OBJECT_DEVICE);
  object_init(&context.handle, OBJECT_CONTEXT);
  return &context;
}

static void check_kernels(const struct pi_program_object *program) {
  for (size_t i = 0; i < program->code.info->count; i++) {
    const code_kernel *kernel = &program->code.info->kernels[i];
    FUZZ_CHECK(i == 0 || strcmp(kernel[-1].name, kernel->name) <= 0);
    FUZZ_CHECK(code_find(program->code.info, kernel->name));
    FUZZ_CHECK(kernel->buffer_argument == PTX_NONE ||
               kernel->values_at <= constants_values_size(program->code.constants));
    (void)code_is_offset_variant(program->code.info, kernel);
  }
}

static void check_constants(pi_program program) {
  unsigned char value[256] = {0xa5};
  const ptx_image *image = program->code.image;
  const bool settable = image && (image->mode == PTX_PATCH || image->mode == PTX_EMULATE);
  for (pi_uint32 i = 0; image && i < image->leaf_count; i++) {
    const ptx_image_leaf *leaf = &image->leaves[i];
    if (leaf->size > sizeof value)
      continue;
    const pi_result result =
        piextProgramSetSpecializationConstant(program, leaf->id, leaf->size, value);
    FUZZ_CHECK(result == (settable ? PI_SUCCESS : PI_ERROR_INVALID_PROGRAM) ||
               leaf->id == PI_SPEC_ID_ITT);
    FUZZ_CHECK(piextProgramSetSpecializationConstant(program, leaf->id, leaf->size + 1, value) !=
               PI_SUCCESS);
  }
  for (size_t i = 0; i < program->code.block_count; i++)
    FUZZ_CHECK(program->code.blocks[i].at + program->code.blocks[i].size <=
               constants_values_size(program->code.constants));
}

static void check_program(const uint8_t *data, size_t size) {
  pi_program program = NULL;
  const pi_context context = the_context();
  if (piProgramCreate(context, data, size, &program) != PI_SUCCESS) {
    FUZZ_CHECK(!program);
    FUZZ_CHECK(object_references(&context->handle) == 1);
    return;
  }
  check_kernels(program);
  check_constants(program);
  code_product input;
  unsigned char *values;
  FUZZ_CHECK(constants_copy_values(program->code.constants, &values) == PI_SUCCESS);
  const code_target target = {.capability = 90};
  FUZZ_CHECK(code_specialise(&program->code, values, &target, &input) == PI_SUCCESS);
  if (program->code.image)
    FUZZ_CHECK(input.size <= size + 1 && strlen((const char *)input.bytes) + 1 == input.size);
  code_product_free(&input);
  unsigned char *binary = NULL;
  size_t binary_size = 0;
  FUZZ_CHECK(cubin_write(data, size, &program->code, program->code.info, values, &binary,
                         &binary_size) == PI_SUCCESS);
  FUZZ_CHECK(binary_size > size);
  free(binary);
  free(values);
  FUZZ_CHECK(piProgramRelease(program) == PI_SUCCESS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { HASH_DIGITS = 16 };
  if (size == 0)
    return 0;
  check_program(data, size);
  if (size <= HASH_DIGITS)
    return 0;
  uint8_t *copy = malloc(size);
  FUZZ_CHECK(copy);
  memcpy(copy, data, size);
  const uint64_t hash = ptx_image_hash(copy, size - HASH_DIGITS - 1);
  for (size_t i = 0; i < HASH_DIGITS; i++)
    copy[size - HASH_DIGITS - 1 + i] = (uint8_t) "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
  check_program(copy, size);
  free(copy);
  return 0;
}
