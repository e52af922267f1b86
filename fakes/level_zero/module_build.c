/* Builds modules with OpenCL. Called with OpenCL's lock and without the driver's. */
#include "module.h"

#include <stdlib.h>

static void add_log(cl_program program, fake_text *log) {
  size_t size = 0;
  if (fake_cl.GetProgramBuildInfo(program, fake_cl.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
          CL_SUCCESS ||
      size <= 1)
    return;
  char *text = fake_allocate(size + 1);
  fake_cl.GetProgramBuildInfo(program, fake_cl.device, CL_PROGRAM_BUILD_LOG, size, text, NULL);
  fake_text_add(log, "%s", text);
  free(text);
}

/* Compiles one input. Returns NULL with a line in log on failure. */
static cl_program compile_source(const fake_input *input, bool keep_functions, fake_text *log) {
  cl_int code = CL_SUCCESS;
  size_t size = input->size;
  void *kept = keep_functions ? fake_reflection_keep_functions(&input->reflection, input->il,
                                                               input->size, &size)
                              : NULL;
  cl_program program =
      fake_cl.CreateProgramWithIL(fake_cl.context, kept ? kept : input->il, size, &code);
  free(kept);
  if (code != CL_SUCCESS) {
    fake_text_add(log, "error: OpenCL takes no such SPIR-V: %s\n", fake_cl_code(code));
    return NULL;
  }
  for (size_t i = 0; i < input->value_count && code == CL_SUCCESS; i++) {
    const fake_value *value = &input->values[i];
    code = fake_cl.SetProgramSpecializationConstant(program, value->id, value->size, value->bytes);
    if (code != CL_SUCCESS)
      fake_text_add(log, "error: specialization constant %u: %s\n", value->id, fake_cl_code(code));
  }
  if (code == CL_SUCCESS) {
    code = fake_cl.CompileProgram(program, 1, &fake_cl.device, input->options, 0, NULL, NULL, NULL,
                                  NULL);
    add_log(program, log);
    if (code != CL_SUCCESS)
      fake_text_add(log, "error: %s\n", fake_cl_code(code));
  }
  if (code == CL_SUCCESS)
    return program;
  fake_cl.ReleaseProgram(program);
  return NULL;
}

static void release_all(cl_program *programs, size_t count) {
  for (size_t i = 0; i < count; i++)
    fake_cl.ReleaseProgram(programs[i]);
  free(programs);
}

static fake_build_result build_sources(fake_source *const *sources, size_t count,
                                       bool keep_functions, fake_code **ret, fake_text *log) {
  size_t all = 0;
  for (size_t i = 0; i < count; i++)
    all += sources[i]->count;
  cl_program *programs = fake_allocate(all * sizeof(cl_program));
  size_t compiled = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sources[i]->count; k++) {
      programs[compiled] = compile_source(&sources[i]->inputs[k], keep_functions, log);
      if (!programs[compiled]) {
        release_all(programs, compiled);
        return FAKE_BUILD_FAILED;
      }
      compiled++;
    }
  cl_int code = CL_SUCCESS;
  cl_program linked = fake_cl.LinkProgram(fake_cl.context, 1, &fake_cl.device, "",
                                          (cl_uint)compiled, programs, NULL, NULL, &code);
  fake_text words = {0};
  if (linked)
    add_log(linked, &words);
  release_all(programs, compiled);
  fake_text_add(log, "%s", words.text ? words.text : "");
  /* Intel's runtime reports missing imports with this message. */
  const bool unresolved = words.text && strstr(words.text, "Symbols not found: [");
  fake_text_end(&words);
  if (code == CL_SUCCESS) {
    *ret = fake_allocate(sizeof **ret);
    **ret = (fake_code){.references = 1, .program = linked, .keeps_functions = keep_functions};
    return FAKE_BUILD_DONE;
  }
  if (linked)
    fake_cl.ReleaseProgram(linked);
  return unresolved ? FAKE_BUILD_UNRESOLVED : FAKE_BUILD_FAILED;
}

static bool has_functions(fake_source *const *sources, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sources[i]->count; k++) {
      const fake_reflection *reflection = &sources[i]->inputs[k].reflection;
      for (size_t s = 0; s < reflection->symbol_count; s++) {
        const fake_symbol *symbol = &reflection->symbols[s];
        if (symbol->is_function && !symbol->is_import && !symbol->is_kernel)
          return true;
      }
    }
  return false;
}

fake_build_result fake_build(fake_source *const *sources, size_t count, fake_code **ret,
                             fake_text *log) {
  if (has_functions(sources, count)) {
    /* Tries again without functions' addresses, with which OpenCL may refuse the module. */
    fake_text words = {0};
    const fake_build_result result = build_sources(sources, count, true, ret, &words);
    if (result != FAKE_BUILD_FAILED)
      fake_text_add(log, "%s", words.text ? words.text : "");
    fake_text_end(&words);
    if (result != FAKE_BUILD_FAILED)
      return result;
  }
  return build_sources(sources, count, false, ret, log);
}

void fake_code_release(fake_code *code) {
  if (!code || --code->references != 0)
    return;
  fake_cl_drop_program(code->program);
  free(code);
}
