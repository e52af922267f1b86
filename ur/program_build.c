/* UR's entries that build, compile and link programs. */
#include "../plugins/objects/driver.h"
#include "../plugins/objects/program.h"

#include "checks.h"

#include <string.h>

/* ---- Building and compiling ---- */

typedef pi_result build_function(pi_program program, const build_request *request);

static pi_result do_build(pi_program program, build_function *build, const build_request *request) {
  TRY(build_check_request(program->context, request));
  return build(program, request);
}

/* Builds a program for all devices of its context, which is hContext. */
static ur_result_t build_whole(ur_context_handle_t hContext, ur_program_handle_t hProgram,
                               build_function *build, const char *options) {
  const build_request request = {.options = options};
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_PROGRAM_OF_CONTEXT();
  return face_result(do_build(program_of(hProgram), build, &request));
}

/* Refuses programs with unresolved symbols: drivers here cannot link loaded programs. */
static ur_result_t check_flags(ur_exp_program_flags_t flags) {
  const ur_exp_program_flags_t known = UR_EXP_PROGRAM_FLAG_ALLOW_UNRESOLVED_SYMBOLS;
  UR_REQUIRE((flags & ~known) == 0, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "flags 0x%x has bits outside of 0x%x, UR's ur_exp_program_flags_t", flags, known);
  UR_REQUIRE(flags == 0, UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
             "a program whose symbols are not all resolved cannot be built: %s has no linker of "
             "what is loaded already",
             driver_name);
  return UR_RESULT_SUCCESS;
}

static ur_result_t check_devices_given(uint32_t count, const ur_device_handle_t *devices) {
  UR_REQUIRE_POINTER(devices);
  UR_REQUIRE(count != 0, UR_RESULT_ERROR_INVALID_SIZE, "numDevices is 0");
  return UR_RESULT_SUCCESS;
}

static ur_result_t build_for(ur_program_handle_t hProgram, uint32_t count,
                             const ur_device_handle_t *devices, build_function *build,
                             const char *options) {
  const build_request request = {count, devices_of(devices), options, NULL, NULL};
  UR_REQUIRE_PROGRAM(hProgram);
  UR_PASS(check_devices_given(count, devices));
  return face_result(do_build(program_of(hProgram), build, &request));
}

ur_result_t urProgramBuild(ur_context_handle_t hContext, ur_program_handle_t hProgram,
                           const char *pOptions) {
  return build_whole(hContext, hProgram, program_make, pOptions);
}

ur_result_t urProgramCompile(ur_context_handle_t hContext, ur_program_handle_t hProgram,
                             const char *pOptions) {
  return build_whole(hContext, hProgram, program_compile, pOptions);
}

ur_result_t urProgramBuildExp_2025_0(ur_program_handle_t hProgram, uint32_t numDevices,
                                     ur_device_handle_t *phDevices, const char *pOptions) {
  return build_for(hProgram, numDevices, phDevices, program_make, pOptions);
}

ur_result_t urProgramCompileExp_2025_0(ur_program_handle_t hProgram, uint32_t numDevices,
                                       ur_device_handle_t *phDevices, const char *pOptions) {
  return build_for(hProgram, numDevices, phDevices, program_compile, pOptions);
}

ur_result_t urProgramBuildExp(ur_program_handle_t hProgram, uint32_t numDevices,
                              ur_device_handle_t *phDevices, ur_exp_program_flags_t flags,
                              const char *pOptions) {
  UR_REQUIRE_PROGRAM(hProgram);
  UR_PASS(check_flags(flags));
  return build_for(hProgram, numDevices, phDevices, program_make, pOptions);
}

ur_result_t urProgramCompileExp(ur_program_handle_t hProgram, uint32_t numDevices,
                                ur_device_handle_t *phDevices, ur_exp_program_flags_t flags,
                                const char *pOptions) {
  UR_REQUIRE_PROGRAM(hProgram);
  UR_PASS(check_flags(flags));
  return build_for(hProgram, numDevices, phDevices, program_compile, pOptions);
}

/* ---- Linking ---- */

typedef struct link_inputs {
  uint32_t count;
  const ur_program_handle_t *programs;
} link_inputs;

static pi_result do_link(pi_context context, const build_request *request,
                         const link_inputs *inputs, pi_program *ret) {
  const pi_program *programs = programs_of(inputs->programs);
  TRY(build_check_request(context, request));
  TRY(build_check_inputs(context, inputs->count, programs));
  return program_link(context, request, inputs->count, programs, ret);
}

static ur_result_t check_inputs(const link_inputs *inputs) {
  UR_REQUIRE(inputs->programs, UR_RESULT_ERROR_INVALID_NULL_POINTER, "phPrograms is NULL");
  UR_REQUIRE(inputs->count != 0, UR_RESULT_ERROR_INVALID_SIZE, "count is 0");
  for (uint32_t i = 0; i < inputs->count; i++)
    UR_REQUIRE(inputs->programs[i], UR_RESULT_ERROR_INVALID_NULL_HANDLE, "phPrograms[%u] is NULL",
               i);
  return UR_RESULT_SUCCESS;
}

/* Links programs. As UR requires, *phProgram is written whenever the arguments are valid: after a
 * failure it is a program with the log, or NULL. */
static ur_result_t link_for(ur_context_handle_t hContext, const build_request *request,
                            const link_inputs *inputs, ur_program_handle_t *phProgram) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_PASS(check_inputs(inputs));
  UR_REQUIRE_POINTER(phProgram);
  pi_program linked = NULL;
  const pi_result result = do_link(context_of(hContext), request, inputs, &linked);
  *phProgram = program_handle(linked);
  return face_result(result);
}

ur_result_t urProgramLink(ur_context_handle_t hContext, uint32_t count,
                          const ur_program_handle_t *phPrograms, const char *pOptions,
                          ur_program_handle_t *phProgram) {
  const build_request request = {.options = pOptions};
  const link_inputs inputs = {count, phPrograms};
  return link_for(hContext, &request, &inputs, phProgram);
}

ur_result_t urProgramLinkExp_2025_0(ur_context_handle_t hContext, uint32_t numDevices,
                                    ur_device_handle_t *phDevices, uint32_t count,
                                    const ur_program_handle_t *phPrograms, const char *pOptions,
                                    ur_program_handle_t *phProgram) {
  const build_request request = {numDevices, devices_of(phDevices), pOptions, NULL, NULL};
  const link_inputs inputs = {count, phPrograms};
  UR_REQUIRE_CONTEXT(hContext);
  UR_PASS(check_devices_given(numDevices, phDevices));
  return link_for(hContext, &request, &inputs, phProgram);
}

ur_result_t urProgramLinkExp(ur_context_handle_t hContext, uint32_t numDevices,
                             ur_device_handle_t *phDevices, ur_exp_program_flags_t flags,
                             uint32_t count, const ur_program_handle_t *phPrograms,
                             const char *pOptions, ur_program_handle_t *phProgram) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_PASS(check_flags(flags));
  return urProgramLinkExp_2025_0(hContext, numDevices, phDevices, count, phPrograms, pOptions,
                                 phProgram);
}

ur_result_t urProgramDynamicLinkExp(ur_context_handle_t hContext, uint32_t count,
                                    const ur_program_handle_t *phPrograms) {
  const link_inputs inputs = {count, phPrograms};
  UR_REQUIRE_CONTEXT(hContext);
  UR_PASS(check_inputs(&inputs));
  UR_TRY(build_check_inputs(context_of(hContext), count, programs_of(phPrograms)));
  return check_flags(UR_EXP_PROGRAM_FLAG_ALLOW_UNRESOLVED_SYMBOLS);
}
