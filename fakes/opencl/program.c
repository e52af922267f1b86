/* Programs of the fake OpenCL. */
#define _GNU_SOURCE /* strtok_r */
#include "extension.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Header of a binary. For each part follow its length, its number of values, IL and values. */
typedef struct binary_header {
  char magic[8];
  cl_uint type;
  cl_uint parts;
} binary_header;

typedef struct binary_part {
  size_t length;
  size_t constants;
} binary_part;

static const char binary_magic[8] = "FAKEBIN";

static cl_program new_program(cl_context context, fake_origin origin, size_t parts) {
  cl_program program = fake_new(FAKE_PROGRAM);
  if (!program)
    return NULL;
  fake_pin(program->context = context);
  program->origin = origin;
  program->parts = calloc(parts + 1, sizeof *program->parts);
  program->status = CL_BUILD_NONE;
  return program;
}

void fake_end_program(cl_program program) {
  for (size_t i = 0; i < program->part_count; i++)
    fake_part_free(&program->parts[i]);
  free(program->parts);
  free(program->source);
  free(program->options);
  fake_unpin(program->context);
}

static cl_program create_with_il(cl_context context, const void *il, size_t length,
                                 cl_int *errcode_ret) {
  FAKE_REQUIRE_CREATE(il && length != 0, CL_INVALID_VALUE);
  fake_part part;
  const cl_int code = fake_part_read(il, length, &part);
  FAKE_REQUIRE_CREATE(code == CL_SUCCESS, code);
  cl_program program = new_program(context, FAKE_FROM_IL, 1);
  FAKE_REQUIRE_CREATE(program, CL_OUT_OF_RESOURCES);
  program->parts[program->part_count++] = part;
  FAKE_CREATED(program);
}

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                 cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateProgramWithIL);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(fake_version(context->platform) >= 210, CL_INVALID_OPERATION);
  return create_with_il(context, il, length, errcode_ret);
}

cl_program fake_create_program_with_il_khr(unsigned platform, cl_context context, const void *il,
                                           size_t length, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(EXT_CreateProgramWithIL);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT) && context->platform->index == platform,
                      CL_INVALID_CONTEXT);
  return create_with_il(context, il, length, errcode_ret);
}

static cl_program create_with_source(cl_context context, const char *source, size_t length,
                                     cl_int *errcode_ret) {
  cl_program program = new_program(context, FAKE_FROM_SOURCE, 1);
  FAKE_REQUIRE_CREATE(program, CL_OUT_OF_RESOURCES);
  program->source = calloc(length + 1, 1);
  memcpy(program->source, source, length);
  fake_part_scan(program->source, &program->parts[program->part_count++]);
  FAKE_CREATED(program);
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                     const size_t *lengths, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateProgramWithSource);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(count == 1 && strings && strings[0], CL_INVALID_VALUE);
  const size_t length = lengths && lengths[0] ? lengths[0] : strlen(strings[0]);
  return create_with_source(context, strings[0], length, errcode_ret);
}

/* Creates a program with built-in kernels. Its source is a list of their names. */
cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                             const cl_device_id *devices, const char *names,
                                             cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateProgramWithBuiltInKernels);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(num_devices != 0 && devices && names && strlen(names) < 200,
                      CL_INVALID_VALUE);
  char list[200];
  char source[400] = "";
  size_t used = 0;
  snprintf(list, sizeof list, "%s", names);
  for (char *rest = list, *name; (name = strtok_r(rest, ";", &rest)) != NULL;) {
    FAKE_REQUIRE_CREATE(strcmp(name, "fake_built_in") == 0 || strcmp(name, "fake_other") == 0,
                        CL_INVALID_VALUE);
    used += (size_t)snprintf(source + used, sizeof source - used, "kernel void %s(global int *p)\n",
                             name);
    FAKE_REQUIRE_CREATE(used < sizeof source, CL_INVALID_VALUE);
  }
  cl_program program = create_with_source(context, source, strlen(source), errcode_ret);
  if (program) {
    program->origin = FAKE_BUILT_IN;
    program->status = CL_BUILD_SUCCESS;
    program->binary_type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
  return program;
}

/* Reads size bytes from a binary. Returns false if it is too short. */
static bool take_bytes(const unsigned char **bytes, size_t *left, void *to, size_t size) {
  if (*left < size)
    return false;
  memcpy(to, *bytes, size);
  *bytes += size;
  *left -= size;
  return true;
}

static bool read_binary_part(const unsigned char **bytes, size_t *left, fake_part *ret) {
  binary_part head;
  if (!take_bytes(bytes, left, &head, sizeof head) || *left < head.length ||
      fake_part_read(*bytes, head.length, ret) != CL_SUCCESS)
    return false;
  *bytes += head.length;
  *left -= head.length;
  if (head.constants == ret->constant_count &&
      take_bytes(bytes, left, ret->constants, head.constants * sizeof *ret->constants))
    return true;
  fake_part_free(ret);
  return false;
}

static cl_int read_binary(cl_program program, const unsigned char *bytes, size_t length) {
  binary_header head;
  FAKE_REQUIRE(take_bytes(&bytes, &length, &head, sizeof head) &&
                   memcmp(head.magic, binary_magic, sizeof binary_magic) == 0,
               CL_INVALID_BINARY);
  FAKE_REQUIRE(head.parts <= length / sizeof(binary_part), CL_INVALID_BINARY);
  free(program->parts);
  program->parts = calloc(head.parts + 1, sizeof *program->parts);
  for (cl_uint i = 0; i < head.parts; i++) {
    FAKE_REQUIRE(read_binary_part(&bytes, &length, &program->parts[i]), CL_INVALID_BINARY);
    program->part_count++;
  }
  program->binary_type = head.type;
  return CL_SUCCESS;
}

/* Uses the first binary for all devices, because a context's devices are alike. */
cl_program clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                     const cl_device_id *devices, const size_t *lengths,
                                     const unsigned char **binaries, cl_int *status,
                                     cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateProgramWithBinary);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(num_devices != 0 && devices && lengths && binaries, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; i++) {
    FAKE_REQUIRE_CREATE(fake_is(devices[i], FAKE_DEVICE) && fake_has_device(context, devices[i]),
                        CL_INVALID_DEVICE);
    FAKE_REQUIRE_CREATE(lengths[i] != 0 && binaries[i], CL_INVALID_VALUE);
  }
  cl_program program = new_program(context, FAKE_FROM_BINARY, 0);
  FAKE_REQUIRE_CREATE(program, CL_OUT_OF_RESOURCES);
  const cl_int code = read_binary(program, binaries[0], lengths[0]);
  for (cl_uint i = 0; status && i < num_devices; i++)
    status[i] = code;
  if (code != CL_SUCCESS)
    fake_release(program);
  FAKE_REQUIRE_CREATE(code == CL_SUCCESS, code);
  FAKE_CREATED(program);
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint id, size_t size,
                                          const void *value) {
  FAKE_ENTER(SetProgramSpecializationConstant);
  FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM), CL_INVALID_PROGRAM);
  FAKE_REQUIRE(fake_version(program->context->platform) >= 220, CL_INVALID_OPERATION);
  if (program->origin == FAKE_FROM_SOURCE)
    abort(); /* like Intel's CPU runtime */
  FAKE_REQUIRE(program->origin == FAKE_FROM_IL, CL_INVALID_PROGRAM);
  FAKE_REQUIRE(value, CL_INVALID_VALUE);
  fake_part *part = &program->parts[0];
  cl_int code = CL_INVALID_SPEC_ID;
  for (size_t i = 0; i < part->constant_count; i++) {
    fake_constant *constant = &part->constants[i];
    if (constant->id != id)
      continue;
    FAKE_REQUIRE(constant->size == size, CL_INVALID_VALUE);
    code = CL_SUCCESS;
    if (program->frozen)
      continue;
    constant->value = 0;
    memcpy(&constant->value, value, size);
  }
  return code;
}

cl_int clRetainProgram(cl_program program) {
  FAKE_ENTER(RetainProgram);
  FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM), CL_INVALID_PROGRAM);
  program->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseProgram(cl_program program) {
  FAKE_ENTER(ReleaseProgram);
  FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM) && program->object.references != 0,
               CL_INVALID_PROGRAM);
  fake_release(program);
  return CL_SUCCESS;
}

static cl_int check_devices(cl_context context, cl_uint count, const cl_device_id *devices) {
  FAKE_REQUIRE((count != 0) == (devices != NULL), CL_INVALID_VALUE);
  for (cl_uint i = 0; i < count; i++)
    FAKE_REQUIRE(fake_is(devices[i], FAKE_DEVICE) && fake_has_device(context, devices[i]),
                 CL_INVALID_DEVICE);
  return CL_SUCCESS;
}

/* Records a compilation's log, status and options. */
static cl_int conclude(cl_program program, const char *verb, const char *options, cl_int failure,
                       cl_program_binary_type type) {
  const bool fails = options && strstr(options, "-fake-fail");
  free(program->options);
  program->options = calloc(options ? strlen(options) + 1 : 1, 1);
  if (options)
    memcpy(program->options, options, strlen(options));
  size_t constants = 0;
  for (size_t i = 0; i < program->part_count; i++)
    constants += program->parts[i].constant_count;
  snprintf(program->log, sizeof program->log, "%s %s with %zu constants", verb,
           fails ? "failed" : "done", constants);
  program->status = fails ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
  program->binary_type = fails ? CL_PROGRAM_BINARY_TYPE_NONE : type;
  program->frozen = true;
  return fails ? failure : CL_SUCCESS;
}

/* Returns whether a program has kernels, which pin it. */
static bool has_kernels(cl_program program) {
  return program->object.pins != 0;
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *user_data) {
  cl_int result;
  {
    FAKE_ENTER(BuildProgram);
    FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM), CL_INVALID_PROGRAM);
    FAKE_REQUIRE(notify || !user_data, CL_INVALID_VALUE);
    FAKE_TRY(check_devices(program->context, num_devices, devices));
    FAKE_REQUIRE(program->origin != FAKE_BUILT_IN, CL_INVALID_OPERATION);
    FAKE_REQUIRE(program->origin == FAKE_FROM_BINARY || !fake_is_left_out("compiler"),
                 CL_COMPILER_NOT_AVAILABLE);
    FAKE_REQUIRE(!has_kernels(program), CL_INVALID_OPERATION);
    result = conclude(program, "build", options, CL_BUILD_PROGRAM_FAILURE,
                      CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  }
  if (notify)
    notify(program, user_data);
  return result;
}

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                        const char *options, cl_uint num_headers, const cl_program *headers,
                        const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                        void *user_data) {
  cl_int result;
  {
    FAKE_ENTER(CompileProgram);
    FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM), CL_INVALID_PROGRAM);
    FAKE_REQUIRE(notify || !user_data, CL_INVALID_VALUE);
    FAKE_REQUIRE((num_headers != 0) == (headers != NULL) && (num_headers != 0) == (names != NULL),
                 CL_INVALID_VALUE);
    FAKE_TRY(check_devices(program->context, num_devices, devices));
    FAKE_REQUIRE(program->origin == FAKE_FROM_IL || program->origin == FAKE_FROM_SOURCE,
                 CL_INVALID_OPERATION);
    FAKE_REQUIRE(!has_kernels(program), CL_INVALID_OPERATION);
    FAKE_REQUIRE(!fake_is_left_out("compiler"), CL_COMPILER_NOT_AVAILABLE);
    result = conclude(program, "compilation", options, CL_COMPILE_PROGRAM_FAILURE,
                      CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  }
  if (notify)
    notify(program, user_data);
  return result;
}

static cl_program link_parts(cl_context context, cl_uint count, const cl_program *inputs,
                             cl_int *errcode_ret) {
  size_t parts = 0;
  for (cl_uint i = 0; i < count; i++) {
    FAKE_REQUIRE_CREATE(fake_is(inputs[i], FAKE_PROGRAM), CL_INVALID_PROGRAM);
    FAKE_REQUIRE_CREATE(inputs[i]->binary_type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                            inputs[i]->binary_type == CL_PROGRAM_BINARY_TYPE_LIBRARY,
                        CL_INVALID_OPERATION);
    parts += inputs[i]->part_count;
  }
  cl_program program = new_program(context, FAKE_LINKED, parts);
  FAKE_REQUIRE_CREATE(program, CL_OUT_OF_RESOURCES);
  for (cl_uint i = 0; i < count; i++)
    for (size_t part = 0; part < inputs[i]->part_count; part++)
      fake_part_copy(&inputs[i]->parts[part], &program->parts[program->part_count++]);
  return program;
}

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                         const char *options, cl_uint num_inputs, const cl_program *inputs,
                         void(CL_CALLBACK *notify)(cl_program, void *), void *user_data,
                         cl_int *errcode_ret) {
  cl_program program;
  {
    FAKE_ENTER_CREATE(LinkProgram);
    FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
    FAKE_REQUIRE_CREATE(num_inputs != 0 && inputs && (notify || !user_data), CL_INVALID_VALUE);
    FAKE_REQUIRE_CREATE(!fake_is_left_out("linker"), CL_LINKER_NOT_AVAILABLE);
    cl_int code = check_devices(context, num_devices, devices);
    FAKE_REQUIRE_CREATE(code == CL_SUCCESS, code);
    program = link_parts(context, num_inputs, inputs, errcode_ret);
    if (!program)
      return NULL;
    code =
        conclude(program, "link", options, CL_LINK_PROGRAM_FAILURE,
                 options && strstr(options, "-create-library") ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                                               : CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    if (errcode_ret)
      *errcode_ret = code;
  }
  if (notify)
    notify(program, user_data);
  return program;
}

/* Writes the binary to bytes, unless that is NULL. Returns its length. */
static size_t write_binary(cl_program program, unsigned char *bytes) {
  size_t length = sizeof(binary_header);
  if (bytes) {
    binary_header head = {.type = program->binary_type, .parts = (cl_uint)program->part_count};
    memcpy(head.magic, binary_magic, sizeof head.magic);
    memcpy(bytes, &head, sizeof head);
  }
  for (size_t i = 0; i < program->part_count; i++) {
    const fake_part *part = &program->parts[i];
    const binary_part head = {part->length, part->constant_count};
    const size_t constants = part->constant_count * sizeof *part->constants;
    if (bytes) {
      memcpy(bytes + length, &head, sizeof head);
      memcpy(bytes + length + sizeof head, part->il, part->length);
      memcpy(bytes + length + sizeof head + part->length, part->constants, constants);
    }
    length += sizeof head + part->length + constants;
  }
  return length;
}

static cl_int answer_binaries(cl_program program, cl_program_info param_name,
                              size_t param_value_size, void *param_value,
                              size_t *param_value_size_ret) {
  const cl_uint count = program->context->device_count;
  const size_t length = program->status == CL_BUILD_SUCCESS ? write_binary(program, NULL) : 0;
  if (param_name == CL_PROGRAM_BINARY_SIZES) {
    FAKE_REQUIRE(!param_value || param_value_size >= count * sizeof length, CL_INVALID_VALUE);
    for (cl_uint i = 0; param_value && i < count; i++)
      ((size_t *)param_value)[i] = length;
  } else {
    FAKE_REQUIRE(!param_value || param_value_size >= count * sizeof(void *), CL_INVALID_VALUE);
    for (cl_uint i = 0; param_value && length != 0 && i < count; i++)
      if (((unsigned char **)param_value)[i])
        write_binary(program, ((unsigned char **)param_value)[i]);
  }
  if (param_value_size_ret)
    *param_value_size_ret = count * sizeof(size_t);
  return CL_SUCCESS;
}

static cl_int answer_kernels(cl_program program, cl_program_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret) {
  FAKE_REQUIRE(program->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
               CL_INVALID_PROGRAM_EXECUTABLE);
  char names[4096] = "";
  size_t length = 0;
  size_t count = 0;
  for (size_t part = 0; part < program->part_count; part++)
    for (size_t i = 0; i < program->parts[part].entry_count && length < sizeof names; i++)
      length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", count++ ? ";" : "",
                                 program->parts[part].entries[i].name);
  return param_name == CL_PROGRAM_NUM_KERNELS ? FAKE_ANSWER(count) : FAKE_ANSWER_TEXT(names);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                        void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetProgramInfo);
  FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM), CL_INVALID_PROGRAM);
  switch (param_name) {
  case CL_PROGRAM_REFERENCE_COUNT:
    return FAKE_ANSWER_AS(cl_uint, program->object.references + program->object.pins);
  case CL_PROGRAM_CONTEXT:
    return FAKE_ANSWER(program->context);
  case CL_PROGRAM_NUM_DEVICES:
    return FAKE_ANSWER(program->context->device_count);
  case CL_PROGRAM_DEVICES:
    return fake_answer(program->context->devices,
                       program->context->device_count * sizeof(cl_device_id), param_value_size,
                       param_value, param_value_size_ret);
  case CL_PROGRAM_SOURCE:
    return FAKE_ANSWER_TEXT(program->source ? program->source : "");
  case CL_PROGRAM_IL:
    FAKE_REQUIRE(fake_version(program->context->platform) >= 210, CL_INVALID_VALUE);
    return fake_answer(program->part_count ? program->parts[0].il : NULL,
                       program->origin == FAKE_FROM_IL ? program->parts[0].length : 0,
                       param_value_size, param_value, param_value_size_ret);
  case CL_PROGRAM_BINARY_SIZES:
  case CL_PROGRAM_BINARIES:
    return answer_binaries(program, param_name, param_value_size, param_value,
                           param_value_size_ret);
  case CL_PROGRAM_NUM_KERNELS:
  case CL_PROGRAM_KERNEL_NAMES:
    return answer_kernels(program, param_name, param_value_size, param_value, param_value_size_ret);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device,
                             cl_program_build_info param_name, size_t param_value_size,
                             void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetProgramBuildInfo);
  FAKE_REQUIRE(fake_is(program, FAKE_PROGRAM), CL_INVALID_PROGRAM);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE) && fake_has_device(program->context, device),
               CL_INVALID_DEVICE);
  switch (param_name) {
  case CL_PROGRAM_BUILD_STATUS:
    return FAKE_ANSWER(program->status);
  case CL_PROGRAM_BUILD_OPTIONS:
    return FAKE_ANSWER_TEXT(program->options ? program->options : "");
  case CL_PROGRAM_BUILD_LOG:
    return FAKE_ANSWER_TEXT(program->log);
  case CL_PROGRAM_BINARY_TYPE:
    return FAKE_ANSWER(program->binary_type);
  default:
    return CL_INVALID_VALUE;
  }
}
