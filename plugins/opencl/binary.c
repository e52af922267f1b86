/* Programs of native code, which a runtime has cached or a compiler has made ahead of time. */
#include "checks.h"
#include "device.h"
#include "program_table.h"

#include <stdlib.h>

/* Makes the error that names the refused binary, which the driver's status for each one shows. */
static pi_result binary_error(cl_int code, pi_uint32 count, const cl_int *status) {
  for (pi_uint32 i = 0; code == CL_INVALID_BINARY && i < count; i++)
    if (status[i] != CL_SUCCESS)
      return plugin_error(PI_ERROR_INVALID_BINARY, "binary %u of %u is not one for its device (%d)",
                          i, count, status[i]);
  return cl_error(code, "clCreateProgramWithBinary");
}

/* Checks the binaries' hashes. status receives the refused one, as from the driver, unless NULL. */
static pi_result check_hashes(const binary_array *all, pi_int32 *status) {
  pi_uint32 i = 0;
  pi_result result = PI_SUCCESS;
  while (i < all->count && (result = check_binary(all, i)) == PI_SUCCESS)
    i++;
  for (pi_uint32 j = 0; status && i < all->count && j <= i; j++)
    status[j] = j < i ? PI_SUCCESS : (pi_int32)result;
  return result;
}

/* Ignores the metadata, which only CUDA and HIP images need. */
pi_result piProgramCreateWithBinary(pi_context context, pi_uint32 num_devices,
                                    const pi_device *device_list, const size_t *lengths,
                                    const unsigned char **binaries, size_t num_metadata_entries,
                                    const pi_device_binary_property *metadata,
                                    pi_int32 *binary_status, pi_program *ret_program) {
  const binary_array all = {num_devices, device_list,          lengths,
                            binaries,    num_metadata_entries, metadata};
  opencl_device_list list = {NULL, 0};
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_program);
  TRY(opencl_context_devices(cl_from_context(context), &list.devices, &list.count));
  const device_array devices = opencl_devices_in(&list);
  const pi_result checked = check_binaries(&devices, &all);
  free(list.devices);
  TRY(checked);

  TRY(check_hashes(&all, binary_status));
  cl_int *status = calloc(num_devices, sizeof *status);
  REQUIRE_MEMORY(status, "the status of %u binaries", num_devices);
  cl_int code;
  const cl_program program =
      cl.CreateProgramWithBinary(cl_from_context(context), num_devices,
                                 cl_from_devices(device_list), lengths, binaries, status, &code);
  /* The status is written on failure, too: it shows which binary was refused. */
  const bool has_status = code == CL_SUCCESS || code == CL_INVALID_BINARY;
  for (pi_uint32 i = 0; has_status && binary_status && i < num_devices; i++)
    binary_status[i] = status[i];
  const pi_result result =
      code == CL_SUCCESS ? PI_SUCCESS : binary_error(code, num_devices, status);
  free(status);
  TRY(result);
  opencl_program_forget(program);
  *ret_program = pi_from_cl_program(program);
  return PI_SUCCESS;
}
