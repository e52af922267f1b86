#include "programs.h"

#include "../support/embed.h"

#define MODULE(name) SPECPI_EMBED(name, #name ".spv")
MODULES(MODULE)
#undef MODULE

module_bytes module_of(module_index index) {
  const module_bytes modules[] = {
#define MODULE(name) {name##_begin, SPECPI_EMBED_SIZE(name)},
      MODULES(MODULE)
#undef MODULE
  };
  return modules[index];
}

pi_program new_program(module_index index) {
  const module_bytes code = module_of(index);
  pi_program program = NULL;
  must(piProgramCreate(w.context, code.bytes, code.size, &program));
  return program;
}

void build(pi_program program) {
  must(piProgramBuild(program, 0, NULL, "", NULL, NULL));
}

pi_program built_program(module_index index) {
  const pi_program program = new_program(index);
  build(program);
  return program;
}

void compile(pi_program program) {
  must(piProgramCompile(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
}

pi_program linked_program(pi_program first, pi_program second) {
  const pi_program parts[2] = {first, second};
  pi_program linked = NULL;
  must(piProgramLink(w.context, 0, NULL, "", 2, parts, NULL, NULL, &linked));
  return linked;
}

pi_kernel new_kernel(pi_program program, const char *name) {
  pi_kernel kernel = NULL;
  must(piKernelCreate(program, name, &kernel));
  return kernel;
}

pi_kernel built_kernel(module_index index, const char *name) {
  const pi_program program = built_program(index);
  const pi_kernel kernel = new_kernel(program, name);
  must(piProgramRelease(program));
  return kernel;
}

void set32(pi_program program, pi_uint32 id, pi_uint32 value) {
  must(piextProgramSetSpecializationConstant(program, id, sizeof value, &value));
}

void set_buffer(pi_kernel kernel, pi_uint32 index, pi_mem buffer) {
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_WRITE};
  must(piextKernelSetArgMemObj(kernel, index, &access, &buffer));
}

void launch(pi_kernel kernel, size_t items) {
  const size_t global[3] = {items, 1, 1};
  const size_t zero[3] = {0, 0, 0};
  must(piEnqueueKernelLaunch(w.queue, kernel, 3, zero, global, NULL, 0, NULL, NULL));
}

pi_uint32 number_of_kernel(pi_kernel kernel) {
  pi_uint32 numbers[16] = {0};
  const pi_mem out = new_buffer(sizeof numbers, NULL);
  set_buffer(kernel, 0, out);
  launch(kernel, 1);
  must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
  must(piMemRelease(out));
  return numbers[0];
}

pi_uint32 number_of(pi_program program, const char *name) {
  const pi_kernel kernel = new_kernel(program, name);
  const pi_uint32 number = number_of_kernel(kernel);
  must(piKernelRelease(kernel));
  return number;
}

char *log_of(pi_program program) {
  size_t size = 0;
  must(piProgramGetBuildInfo(program, w.device, PI_PROGRAM_BUILD_INFO_LOG, 0, NULL, &size));
  char *log = calloc(1, size + 1);
  assert_non_null(log);
  must(piProgramGetBuildInfo(program, w.device, PI_PROGRAM_BUILD_INFO_LOG, size, log, NULL));
  return log;
}

unsigned char *binary_of(pi_program program, size_t *size) {
  *size = 0;
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof *size, size, NULL));
  assert_int_not_equal(*size, 0);
  unsigned char *binary = malloc(*size);
  assert_non_null(binary);
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, sizeof binary, &binary, NULL));
  return binary;
}
