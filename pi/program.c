/* PI's entries for programs. */
#include "../plugins/objects/program.h"

#include "../plugins/checks/arguments.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"

pi_result piProgramCreate(pi_context context, const void *il, size_t length,
                          pi_program *res_program) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(il);
  REQUIRE(length != 0, PI_ERROR_INVALID_VALUE, "length is 0");
  REQUIRE_POINTER(res_program);
  return program_create(context, il, length, res_program);
}

pi_result piProgramCreateWithBinary(pi_context context, pi_uint32 num_devices,
                                    const pi_device *device_list, const size_t *lengths,
                                    const unsigned char **binaries, size_t num_metadata_entries,
                                    const pi_device_binary_property *metadata,
                                    pi_int32 *binary_status, pi_program *ret_program) {
  const binary_array all = {num_devices, device_list,          lengths,
                            binaries,    num_metadata_entries, metadata};
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_program);
  const device_array devices = program_devices(context);
  TRY(check_binaries(&devices, &all));
  return program_create_with_binary(context, &all, binary_status, ret_program);
}

pi_result piProgramRetain(pi_program program) {
  REQUIRE_PROGRAM(program);
  program_retain(program);
  return PI_SUCCESS;
}

pi_result piProgramRelease(pi_program program) {
  REQUIRE_PROGRAM(program);
  program_release(program);
  return PI_SUCCESS;
}

pi_result piextProgramGetNativeHandle(pi_program program, pi_native_handle *native_handle) {
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(native_handle);
  return program_native(program, native_handle);
}

pi_result piextProgramCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                             bool plugin_owns_native_handle, pi_program *program) {
  REQUIRE(native_handle, PI_ERROR_INVALID_PROGRAM, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(program);
  return program_adopt(context, native_handle, plugin_owns_native_handle, program);
}

pi_result piextProgramSetSpecializationConstant(pi_program program, pi_uint32 spec_id,
                                                size_t spec_size, const void *spec_value) {
  const constant_setting setting = {spec_id, spec_size, spec_value};
  REQUIRE_PROGRAM(program);
  return program_set_constants(program, &setting, 1);
}

pi_result piProgramGetInfo(pi_program program, pi_program_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  TRY(answer_check(&answer));
  return program_answer(program, param_name, &answer);
}

pi_result piProgramGetBuildInfo(pi_program program, pi_device device,
                                pi_program_build_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE_OF(program->context, device);
  TRY(answer_check(&answer));
  return program_answer_build(program, device, param_name, &answer);
}

/* ---- Building ---- */

pi_result piProgramBuild(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                         const char *options,
                         void (*pfn_notify)(pi_program program, void *user_data), void *user_data) {
  const build_request request = {num_devices, device_list, options, pfn_notify, user_data};
  REQUIRE_PROGRAM(program);
  TRY(build_check_request(program->context, &request));
  return program_make(program, &request);
}

pi_result piProgramCompile(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                           const char *options, pi_uint32 num_input_headers,
                           const pi_program *input_headers, const char **header_include_names,
                           void (*pfn_notify)(pi_program program, void *user_data),
                           void *user_data) {
  const build_request request = {num_devices, device_list, options, pfn_notify, user_data};
  REQUIRE_PROGRAM(program);
  TRY(build_check_request(program->context, &request));
  REQUIRE(num_input_headers == 0 && !input_headers && !header_include_names, PI_ERROR_INVALID_VALUE,
          "%u headers: the code of programs includes none", num_input_headers);
  return program_compile(program, &request);
}

pi_result piProgramLink(pi_context context, pi_uint32 num_devices, const pi_device *device_list,
                        const char *options, pi_uint32 num_input_programs,
                        const pi_program *input_programs,
                        void (*pfn_notify)(pi_program program, void *user_data), void *user_data,
                        pi_program *ret_program) {
  const build_request request = {num_devices, device_list, options, pfn_notify, user_data};
  REQUIRE_CONTEXT(context);
  TRY(build_check_request(context, &request));
  TRY(build_check_inputs(context, num_input_programs, input_programs));
  REQUIRE_POINTER(ret_program);
  return program_link(context, &request, num_input_programs, input_programs, ret_program);
}
