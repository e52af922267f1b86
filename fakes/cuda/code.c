/* PTX texts that are linked into one program. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>

fake_code *fake_code_new(void) {
  fake_code *code = fake_allocate(sizeof *code);
  code->references = 1;
  code->architecture = FAKE_ARCHITECTURE;
  return code;
}

void fake_code_release(fake_code *code) {
  if (!code || --code->references != 0)
    return;
  ptx_program_free(code->program);
  for (size_t i = 0; i < code->count; i++)
    free(code->texts[i]);
  free(code->texts);
  free(code->assemblies);
  free(code);
}

static CUresult result_of(ptx_status status) {
  switch (status) {
  case PTX_OK:
    return CUDA_SUCCESS;
  case PTX_OUT_OF_MEMORY:
    return CUDA_ERROR_OUT_OF_MEMORY;
  case PTX_UNSUPPORTED_VERSION:
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  case PTX_UNSUPPORTED_TARGET:
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  default:
    return CUDA_ERROR_INVALID_PTX;
  }
}

static ptx_limits limits_of(const fake_jit *jit) {
  /* CUDA 12.x supports PTX 8.x; for example, 12.4 supports 8.4. */
  const unsigned driver = (unsigned)fake_environment.version;
  return (ptx_limits){.version = 10 * (driver / 1000 - 4) + driver % 1000 / 10,
                      .target = jit->target ? jit->target : FAKE_ARCHITECTURE};
}

/* Refuses a text with ptxas's message, which it also writes to the log. */
static CUresult refused(const fake_assembly *assembly, fake_jit *jit) {
  fake_jit_log(jit, true, "%s", assembly->words);
  if (strstr(assembly->words, "Unsupported .version"))
    return fake_deny(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "%.400s", assembly->words);
  if (strstr(assembly->words, "SM version specified by .target"))
    return fake_deny(CUDA_ERROR_NO_BINARY_FOR_GPU, "%.400s", assembly->words);
  return fake_deny(CUDA_ERROR_INVALID_PTX, "%.400s", assembly->words);
}

CUresult fake_code_add(fake_code *code, const char *text, size_t size, bool relocatable,
                       fake_jit *jit) {
  const size_t length = strnlen(text, size);
  char *copy = fake_allocate(length + 1);
  memcpy(copy, text, length);
  const fake_assembly *assembly = fake_assemble(copy, relocatable, jit);
  CUresult code_of_failure = CUDA_SUCCESS;
  if (assembly && !assembly->fine)
    code_of_failure = refused(assembly, jit);
  if (code_of_failure == CUDA_SUCCESS) {
    const ptx_limits limits = limits_of(jit);
    ptx_module *module = NULL;
    ptx_log log = {{0}};
    code_of_failure = result_of(ptx_parse(copy, length, &limits, &module, &log));
    ptx_module_free(module);
    if (code_of_failure != CUDA_SUCCESS) {
      fake_jit_log(jit, true, "error   : %s\n", log.text);
      fake_note(false, "%s", log.text);
    }
  }
  if (code_of_failure != CUDA_SUCCESS) {
    free(copy);
    return code_of_failure;
  }
  if (assembly && jit->verbose)
    fake_jit_log(jit, false, "%s", assembly->words);
  code->texts = fake_grow(code->texts, (code->count + 1) * sizeof *code->texts);
  code->assemblies = fake_grow(code->assemblies, (code->count + 1) * sizeof *code->assemblies);
  code->texts[code->count] = copy;
  code->assemblies[code->count] = assembly;
  code->count++;
  return CUDA_SUCCESS;
}

CUresult fake_code_link(fake_code *code, fake_jit *jit) {
  const ptx_limits limits = limits_of(jit);
  ptx_module **modules = fake_allocate(code->count * sizeof *modules);
  ptx_log log = {{0}};
  ptx_status status = PTX_OK;
  size_t count = 0;
  while (count < code->count && status == PTX_OK) {
    status =
        ptx_parse(code->texts[count], strlen(code->texts[count]), &limits, &modules[count], &log);
    if (status == PTX_OK)
      count++;
  }
  if (status == PTX_OK)
    status = ptx_link(modules, count, &code->program, &log);
  if (status != PTX_OK)
    for (size_t i = 0; i < count; i++)
      ptx_module_free(modules[i]);
  free(modules);
  if (status == PTX_OK)
    return CUDA_SUCCESS;
  fake_jit_log(jit, true, "error   : %s\n", log.text);
  return fake_deny(result_of(status), "%s", log.text);
}
