/* Writes lists of kernels as fields of a frame, and reads them back. */
#include "code_info.h"
#include "codegen_frame.h"

#include "../base/error.h"

#include <string.h>

void code_info_put(const code_info *info, codegen_frame *to) {
  codegen_frame_put_number(to, (pi_uint32)info->count);
  for (size_t i = 0; i < info->count; i++) {
    const code_kernel *kernel = &info->kernels[i];
    const pi_uint32 count = kernel->parameter_count == CODE_UNKNOWN ? 0 : kernel->parameter_count;
    codegen_frame_put(to, kernel->name, strlen(kernel->name) + 1);
    codegen_frame_put(to, kernel->required, sizeof kernel->required);
    codegen_frame_put_number(to, kernel->sub_group);
    codegen_frame_put_number(to, kernel->local_memory);
    codegen_frame_put_number(to, kernel->buffer_argument);
    codegen_frame_put_number(to, kernel->parameter_count);
    codegen_frame_put(to, kernel->parameters, count * sizeof *kernel->parameters);
  }
}

/* Copies the next field. Returns false unless it has exactly size bytes. */
static bool take_bytes(codegen_fields *from, void *ret, size_t size) {
  const void *bytes;
  size_t found;
  if (!codegen_fields_take(from, &bytes, &found) || found != size)
    return false;
  if (size != 0)
    memcpy(ret, bytes, size);
  return true;
}

static pi_result take_kernel(codegen_fields *from, code_info *info) {
  const char *name;
  code_kernel *kernel;
  pi_uint32 required[3];
  pi_uint32 sub_group;
  pi_uint32 local_memory;
  pi_uint32 buffer_argument;
  pi_uint32 count;
  REQUIRE(codegen_fields_take_text(from, &name) && take_bytes(from, required, sizeof required) &&
              codegen_fields_take_number(from, &sub_group) &&
              codegen_fields_take_number(from, &local_memory) &&
              codegen_fields_take_number(from, &buffer_argument) &&
              codegen_fields_take_number(from, &count) &&
              (count == CODE_UNKNOWN || count <= from->size / sizeof(code_parameter)),
          PI_ERROR_INVALID_BINARY, "a list of kernels is damaged");
  TRY(code_add_kernel(info, name, strlen(name), &kernel));
  memcpy(kernel->required, required, sizeof required);
  kernel->sub_group = sub_group;
  kernel->local_memory = local_memory;
  kernel->buffer_argument = buffer_argument;
  if (count != CODE_UNKNOWN)
    TRY(code_set_parameter_count(kernel, count));
  REQUIRE(take_bytes(from, kernel->parameters,
                     count == CODE_UNKNOWN ? 0 : count * sizeof *kernel->parameters),
          PI_ERROR_INVALID_BINARY, "the parameters of kernel %s are damaged", kernel->name);
  return PI_SUCCESS;
}

static pi_result take_kernels(codegen_fields *from, code_info *info) {
  pi_uint32 count;
  REQUIRE(codegen_fields_take_number(from, &count), PI_ERROR_INVALID_BINARY,
          "a list of kernels has no number of them");
  for (pi_uint32 i = 0; i < count; i++)
    TRY(take_kernel(from, info));
  code_sort(info);
  return PI_SUCCESS;
}

pi_result code_info_take(codegen_fields *from, code_info **ret) {
  code_info *made = code_new();
  REQUIRE_MEMORY(made, "a list of kernels");
  const pi_result result = take_kernels(from, made);
  if (result == PI_SUCCESS)
    *ret = made;
  else
    code_release(made);
  return result;
}
