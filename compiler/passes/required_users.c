#include "required_users.h"
#include "sycl_unit.h"

#include <string.h>

static bool is_used(const pass *p, const char *constant, const value_set *reached) {
  for (size_t i = 0; i < p->uses.count; i++)
    if (value_set_has(reached, p->uses.items[i].call.caller) &&
        strcmp(p->constants.items[p->uses.items[i].constant].name, constant) == 0)
      return true;
  return false;
}

/* Adds a kernel or function to the users of the constants that it uses. */
static specpi_compiler_result add_user(const pass *p, const char *name, const value_set *reached) {
  specpi_compiler_output output = p->output;
  for (size_t i = 0; i < output->required.count; i++) {
    if (!is_used(p, output->required.items[i], reached))
      continue;
    if (!VECTOR_RESERVE(&output->required_users))
      return compiler_error_memory();
    output->required_users.items[output->required_users.count++] =
        (output_user){output->required.items[i], name};
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result find_used(const pass *p, const char *name) {
  value_set reached = {0};
  specpi_compiler_result result = sycl_reach(LLVMGetNamedFunction(p->module, name), &reached);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = add_user(p, name, &reached);
  value_set_free(&reached);
  return result;
}

specpi_compiler_result required_users_find(const pass *p) {
  const specpi_compiler_output output = p->output;
  if (output->required.count == 0)
    return SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; i < output->kernels.count; i++)
    COMPILER_TRY(find_used(p, output->kernels.items[i].name));
  for (size_t i = 0; i < output->exported.count; i++)
    COMPILER_TRY(find_used(p, output->exported.items[i]));
  return SPECPI_COMPILER_SUCCESS;
}
