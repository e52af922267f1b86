/* Programs: compiling, building and linking. */
#include "checks.h"
#include "device.h"
#include "program_table.h"

#include "../checks/build_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arguments of a compilation or build. */
typedef struct build_request {
  bool compile_only;
  cl_uint num_devices;
  const cl_device_id *devices;
  const char *options;
  cl_uint num_headers;
  const cl_program *headers;
  const char **header_names;
} build_request;

static cl_int call_compiler(cl_program program, const build_request *request) {
  if (request->compile_only)
    return cl.CompileProgram(program, request->num_devices, request->devices, request->options,
                             request->num_headers, request->headers, request->header_names, NULL,
                             NULL);
  return cl.BuildProgram(program, request->num_devices, request->devices, request->options, NULL,
                         NULL);
}

static cl_build_status status_for(cl_program program, cl_device_id device) {
  cl_build_status status = CL_BUILD_NONE;
  cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
  return status;
}

/* Finds out whether a cl_program was compiled or built for any of its devices, also natively. */
static pi_result was_built(cl_program program, bool *ret) {
  cl_device_id *devices = NULL;
  size_t count = 0;
  TRY(opencl_program_devices(program, &devices, &count));
  *ret = false;
  for (size_t i = 0; i < count && !*ret; i++)
    *ret = status_for(program, devices[i]) != CL_BUILD_NONE;
  free(devices);
  return PI_SUCCESS;
}

/* Creates a kernel with an empty name to find out. The build status does not help: for a program
 * from a binary it is a success even before the build. */
pi_result opencl_program_check_built(cl_program program) {
  cl_int code = CL_SUCCESS;
  const cl_kernel none = cl.CreateKernel(program, "", &code);
  if (none)
    cl.ReleaseKernel(none);
  REQUIRE_BUILT(code != CL_INVALID_PROGRAM_EXECUTABLE);
  return code == CL_INVALID_KERNEL_NAME ? PI_SUCCESS : cl_result(code, "clCreateKernel");
}

/*
 * Lists the devices for a build in a new cl_program: those of the request, and those that the
 * former cl_program was built for, which would lose their code otherwise. The caller frees *ret; it
 * is NULL if the request is for all devices.
 */
static pi_result add_former_devices(cl_program former, const build_request *request,
                                    cl_device_id **ret, cl_uint *ret_count) {
  *ret = NULL;
  if (request->num_devices == 0)
    return PI_SUCCESS;
  cl_device_id *all = NULL;
  size_t all_count = 0;
  TRY(opencl_program_devices(former, &all, &all_count));
  cl_device_id *devices = calloc(request->num_devices + all_count, sizeof *devices);
  cl_uint count = request->num_devices;
  if (!devices) {
    free(all);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of %zu devices",
                        request->num_devices + all_count);
  }
  memcpy(devices, request->devices, count * sizeof *devices);
  for (size_t i = 0; i < all_count; i++) {
    bool listed = false;
    for (cl_uint j = 0; j < request->num_devices && !listed; j++)
      listed = request->devices[j] == all[i];
    if (!listed && status_for(former, all[i]) == CL_BUILD_SUCCESS)
      devices[count++] = all[i];
  }
  free(all);
  *ret = devices;
  *ret_count = count;
  return PI_SUCCESS;
}

static pi_result set_constants(cl_program program, code_constants *constants) {
  code_constant *values;
  size_t count;
  TRY(code_constants_snapshot(constants, &values, &count));
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < count && result == PI_SUCCESS; i++) {
    if (!values[i].is_set)
      continue;
    const cl_int code =
        cl.SetProgramSpecializationConstant(program, values[i].id, values[i].size, values[i].value);
    if (code != CL_SUCCESS) {
      char call[80];
      snprintf(call, sizeof call, "clSetProgramSpecializationConstant of constant %u, %u bytes,",
               values[i].id, values[i].size);
      result = cl_error(code, call);
    }
  }
  free(values);
  return result;
}

/* Makes a new cl_program from the IL of an entry. */
static pi_result create_again(const opencl_program *entry, cl_program *ret) {
  cl_context context;
  TRY(CL_GET(Program, entry->handle, CL_PROGRAM_CONTEXT, &context));
  return opencl_program_create_with_il(context, entry->il, entry->il_length, ret);
}

/*
 * Passes a request to the driver. *ran receives whether the driver has compiled anything, and so
 * left a log. After a failure the build status shows that, because some drivers refuse bad options
 * at once, and others only after compiling.
 */
static pi_result run_request(cl_program program, const build_request *request, bool *ran) {
  const cl_int code = call_compiler(program, request);
  *ran = code == CL_SUCCESS;
  if (code != CL_SUCCESS && was_built(program, ran) != PI_SUCCESS)
    *ran = false;
  return cl_result(code, request->compile_only ? "clCompileProgram" : "clBuildProgram");
}

/* Builds for the first time, in the pi_program itself. */
static pi_result build_first(opencl_program *entry, const build_request *request, bool *ran) {
  TRY(set_constants(entry->handle, entry->constants));
  entry->built = true;
  return run_request(entry->handle, request, ran);
}

static pi_result build_copy(const opencl_program *entry, const build_request *request,
                            cl_program *ret, bool *ran) {
  TRY(create_again(entry, ret));
  TRY(set_constants(*ret, entry->constants));
  return run_request(*ret, request, ran);
}

/*
 * Builds again, in a new cl_program. That becomes the active one even if the build fails, because
 * it has the log. If the driver refuses the request at once, the former one stays active.
 */
static pi_result build_again(opencl_program *entry, const build_request *request, bool *ran) {
  build_request all = *request;
  cl_device_id *devices;
  TRY(add_former_devices(opencl_program_active(entry), request, &devices, &all.num_devices));
  if (devices)
    all.devices = devices;
  cl_program target = NULL;
  const pi_result result = build_copy(entry, &all, &target, ran);
  free(devices);

  const pi_result activated = *ran ? opencl_program_set_active(entry, target) : result;
  if (target && (!*ran || activated != PI_SUCCESS))
    cl.ReleaseProgram(target);
  return result == PI_SUCCESS ? activated : result;
}

/* Builds a program from IL with its current constants. The caller holds the build lock. */
static pi_result build_entry(opencl_program *entry, const build_request *request, bool *ran) {
  if (!entry->built && atomic_load_explicit(&entry->native_known, memory_order_relaxed))
    TRY(was_built(entry->handle, &entry->built));
  return entry->built ? build_again(entry, request, ran) : build_first(entry, request, ran);
}

static pi_result copy_own_options(const char *options, pi_result refused, char *to) {
  build_option option;
  TRY(build_option_next(&options, refused, &option));
  while (option.name.length != 0) {
    const option_word *const words[] = {&option.name, &option.value};
    for (int i = 0; i < 2 && option.is_opencl && words[i]->length != 0; i++) {
      memcpy(to, words[i]->text, words[i]->length);
      to += words[i]->length;
      *to++ = ' ';
    }
    if (!option.is_opencl)
      build_option_ignore(&option, "this OpenCL driver");
    TRY(build_option_next(&options, refused, &option));
  }
  *to = '\0';
  return PI_SUCCESS;
}

/* Copies those options that OpenCL has; the caller frees *ret. refused: an option is unknown to all
 * backends. */
static pi_result take_own_options(const char *options, pi_result refused, char **ret) {
  char *own = malloc(strlen(options) + 2); /* each has a blank after it */
  REQUIRE_MEMORY(own, "build options");
  const pi_result result = copy_own_options(options, refused, own);
  if (result == PI_SUCCESS)
    *ret = own;
  else
    free(own);
  return result;
}

static pi_result attempt_build(cl_program program, opencl_program *entry,
                               const build_request *request, bool *ran) {
  if (!entry)
    return run_request(program, request, ran);
  pthread_mutex_lock(&entry->build_lock);
  const pi_result result = build_entry(entry, request, ran);
  pthread_mutex_unlock(&entry->build_lock);
  return result;
}

/*
 * Repeats a build that was refused for its options, with OpenCL's options alone: the refused ones
 * may be those of another backend for which the image was compiled. This is not done at once,
 * because only the driver knows which options it takes.
 */
static pi_result attempt_without_others(cl_program program, opencl_program *entry,
                                        const build_request *request, pi_result refused,
                                        bool *ran) {
  build_request again = *request;
  char *own;
  TRY(take_own_options(request->options, refused, &own));
  again.options = own;
  const pi_result result = attempt_build(program, entry, &again, ran);
  free(own);
  return result;
}

/*
 * Builds a program and then calls the callback once, if there was a compilation, failed or not. The
 * driver never gets the callback: so its call returns only after the build, and the callback gets
 * the caller's handle instead of the active cl_program.
 */
static pi_result build_program(pi_program program, const build_request *request,
                               void (*pfn_notify)(pi_program program, void *user_data),
                               void *user_data) {
  const pi_result refused =
      request->compile_only ? PI_ERROR_INVALID_COMPILER_OPTIONS : PI_ERROR_INVALID_BUILD_OPTIONS;
  const cl_program own = cl_from_program(program);
  opencl_program *entry = opencl_program_find(own);
  bool ran = false;
  pi_result result = attempt_build(own, entry, request, &ran);
  if (result == refused)
    result = attempt_without_others(own, entry, request, refused, &ran);
  if (ran && pfn_notify)
    pfn_notify(program, user_data);
  return result;
}

static pi_result check_list(const char *name, pi_uint32 count, const void *list) {
  REQUIRE((count != 0) == (list != NULL), PI_ERROR_INVALID_VALUE,
          "%u %s are announced and the list is %s", count, name, list ? "not NULL" : "NULL");
  return PI_SUCCESS;
}

static bool has_device(const void *context, pi_device device) {
  const opencl_device_list *list = context;
  for (size_t i = 0; i < list->count; i++)
    if (list->devices[i] == cl_from_device(device))
      return true;
  return false;
}

device_array opencl_devices_in(const opencl_device_list *list) {
  return (device_array){list, has_device};
}

static pi_result check_device_places(cl_context context, pi_uint32 count,
                                     const pi_device *devices) {
  opencl_device_list list = {NULL, 0};
  TRY(opencl_context_devices(context, &list.devices, &list.count));
  const device_array of = opencl_devices_in(&list);
  const pi_result result = check_build_devices(&of, count, devices);
  free(list.devices);
  return result;
}

static pi_result check_program_devices(cl_program program, pi_uint32 count,
                                       const pi_device *devices) {
  cl_context context;
  TRY(CL_GET(Program, program, CL_PROGRAM_CONTEXT, &context));
  return check_device_places(context, count, devices);
}

pi_result piProgramBuild(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                         const char *options,
                         void (*pfn_notify)(pi_program program, void *user_data), void *user_data) {
  REQUIRE_PROGRAM(program);
  TRY(check_program_devices(cl_from_program(program), num_devices, device_list));
  TRY(check_notify(pfn_notify, user_data));
  TRY(check_options(options ? options : "", PI_ERROR_INVALID_BUILD_OPTIONS));
  const build_request request = {.num_devices = num_devices,
                                 .devices = cl_from_devices(device_list),
                                 .options = options ? options : ""};
  return build_program(program, &request, pfn_notify, user_data);
}

pi_result piProgramCompile(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                           const char *options, pi_uint32 num_input_headers,
                           const pi_program *input_headers, const char **header_include_names,
                           void (*pfn_notify)(pi_program program, void *user_data),
                           void *user_data) {
  REQUIRE_PROGRAM(program);
  TRY(check_program_devices(cl_from_program(program), num_devices, device_list));
  TRY(check_list("headers", num_input_headers, input_headers));
  TRY(check_list("header names", num_input_headers, header_include_names));
  for (pi_uint32 i = 0; i < num_input_headers; i++)
    REQUIRE(input_headers[i] && header_include_names[i],
            input_headers[i] ? PI_ERROR_INVALID_VALUE : PI_ERROR_INVALID_PROGRAM,
            "header %u of %u has no %s", i, num_input_headers,
            input_headers[i] ? "name" : "program");
  TRY(check_notify(pfn_notify, user_data));
  TRY(check_options(options ? options : "", PI_ERROR_INVALID_COMPILER_OPTIONS));
  /* Headers are programs from source, whose handle is always the active cl_program. */
  const build_request request = {.compile_only = true,
                                 .num_devices = num_devices,
                                 .devices = cl_from_devices(device_list),
                                 .options = options ? options : "",
                                 .num_headers = num_input_headers,
                                 .headers = cl_from_programs(input_headers),
                                 .header_names = header_include_names};
  return build_program(program, &request, pfn_notify, user_data);
}

/* Holds the active cl_program of each input; *held receives how many the caller must yield, also
 * after a failure. */
static pi_result hold_inputs(pi_uint32 count, const pi_program *programs, cl_program *actives,
                             pi_uint32 *held) {
  for (*held = 0; *held < count; ++*held)
    TRY(opencl_program_hold(programs[*held], &actives[*held]));
  return PI_SUCCESS;
}

/* The arguments of a link. */
typedef struct link_request {
  cl_context context;
  cl_uint num_devices;
  const cl_device_id *devices;
  cl_uint count;
  const cl_program *inputs;
} link_request;

/* Links. Even a failed link may make a program, which has the log. */
static pi_result call_linker(const link_request *request, const char *options, cl_program *ret) {
  cl_int code = CL_SUCCESS;
  *ret = cl.LinkProgram(request->context, request->num_devices, request->devices, options,
                        request->count, request->inputs, NULL, NULL, &code);
  return cl_result(code, "clLinkProgram");
}

static pi_result link_programs(const link_request *request, const char *options, cl_program *ret) {
  const pi_result result = call_linker(request, options, ret);
  if (result != PI_ERROR_INVALID_LINKER_OPTIONS)
    return result;
  if (*ret)
    cl.ReleaseProgram(*ret);
  *ret = NULL;
  char *own;
  TRY(take_own_options(options, result, &own));
  const pi_result again = call_linker(request, own, ret);
  free(own);
  return again;
}

pi_result piProgramLink(pi_context context, pi_uint32 num_devices, const pi_device *device_list,
                        const char *options, pi_uint32 num_input_programs,
                        const pi_program *input_programs,
                        void (*pfn_notify)(pi_program program, void *user_data), void *user_data,
                        pi_program *ret_program) {
  REQUIRE_CONTEXT(context);
  TRY(check_device_places(cl_from_context(context), num_devices, device_list));
  REQUIRE(num_input_programs != 0 && input_programs, PI_ERROR_INVALID_VALUE,
          num_input_programs ? "input_programs is NULL" : "num_input_programs is 0");
  for (pi_uint32 i = 0; i < num_input_programs; i++)
    REQUIRE(input_programs[i], PI_ERROR_INVALID_PROGRAM, "input program %u of %u is NULL", i,
            num_input_programs);
  TRY(check_notify(pfn_notify, user_data));
  TRY(check_options(options ? options : "", PI_ERROR_INVALID_LINKER_OPTIONS));
  REQUIRE_POINTER(ret_program);

  cl_program *actives = calloc(num_input_programs, sizeof *actives);
  REQUIRE_MEMORY(actives, "a list of %u programs", num_input_programs);
  pi_uint32 held;
  pi_result result = hold_inputs(num_input_programs, input_programs, actives, &held);
  if (result == PI_SUCCESS) {
    cl_program linked;
    const link_request request = {cl_from_context(context), num_devices,
                                  cl_from_devices(device_list), num_input_programs, actives};
    result = link_programs(&request, options ? options : "", &linked);
    if (linked) {
      opencl_program_forget(linked);
      *ret_program = pi_from_cl_program(linked);
      if (pfn_notify)
        pfn_notify(*ret_program, user_data);
    }
  }
  while (held > 0) {
    held--;
    opencl_program_yield(input_programs[held], actives[held]);
  }
  free(actives);
  return result;
}
