/* Programs of native code, which a runtime has cached or a compiler has made ahead of time. */
#include "program.h"

#include "../objects/driver.h"

#include "../code/spirv.h"

#include <stdlib.h>
#include <string.h>

static const code_form native_form = {
    .origin = "created from native code",
    .fixed = "it was created from native code, which has its constants built in"};

/* Returns the index of the first binary for the same root device, which may be index itself. */
static pi_uint32 earlier(const binary_array *all, pi_uint32 index) {
  pi_uint32 i = 0;
  while (all->devices[i]->root != all->devices[index]->root)
    i++;
  return i;
}

static bool is_spirv(const binary_array *all, pi_uint32 index) {
  return all->lengths[index] >= 4 && spirv_load(all->bytes[index]) == SPIRV_MAGIC;
}

/* Loads one binary. Sub-devices of one root device share a module, so their binaries must match. */
static pi_result load_binary(pi_context context, const binary_array *all, pi_uint32 index,
                             build_log *log, program_build *build) {
  const pi_uint32 same = earlier(all, index);
  if (same != index) {
    REQUIRE(all->lengths[same] == all->lengths[index] &&
                memcmp(all->bytes[same], all->bytes[index], all->lengths[index]) == 0,
            PI_ERROR_INVALID_DEVICE,
            "devices %u and %u are of one root device, and their binaries differ", same, index);
    return PI_SUCCESS;
  }
  REQUIRE(!is_spirv(all, index), PI_ERROR_INVALID_BINARY,
          "binary %u of %u is SPIR-V, which piProgramCreate takes", index, all->count);
  TRY(check_binary(all, index));
  const module_input input = {all->bytes[index], all->lengths[index], "", NULL, 0};
  const pi_uint32 root = context_root(context, all->devices[index]);
  const pi_result result =
      module_create(context, root, ZE_MODULE_FORMAT_NATIVE, &input, false, PI_ERROR_INVALID_BINARY,
                    log, build->driver.modules + root);
  if (result == PI_ERROR_INVALID_BINARY)
    return plugin_error(PI_ERROR_INVALID_BINARY,
                        "binary %u of %u, %zu bytes, is no native code for "
                        "its device%s%s",
                        index, all->count, all->lengths[index], log->size ? ": " : "",
                        log->size ? log->text : "");
  return result;
}

static pi_result load_all(pi_context context, const binary_array *all, pi_int32 *status,
                          program_build *build) {
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < all->count && result == PI_SUCCESS; i++) {
    build_log log = {0};
    result = load_binary(context, all, i, &log, build);
    free(log.text);
    /* status is written on failure, too: it shows which binary was refused. */
    if (status && (result == PI_SUCCESS || result == PI_ERROR_INVALID_BINARY))
      status[i] = (pi_int32)result;
  }
  return result;
}

/* Ignores the program's metadata, which only CUDA and HIP images need. */
pi_result driver_program_load(pi_program program, const binary_array *all, pi_int32 *status) {
  code_set_form(&program->code, &native_form);
  TRY(build_open(program->context, 1, 0, &program->loaded));
  return load_all(program->context, all, status, program->loaded);
}
