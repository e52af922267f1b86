/*
 * specpi-cc: compiles kernels to device images. docs/internals/specpi-cc.md is its documentation.
 *
 *   FILE -> LLVM bitcode (clang) -> the pass, once for each target (libspecpi-compiler)
 *        -> SPIR-V (llvm-spirv, spirv-val) or PTX (libspecpi-compiler)
 *        -> images with their property sets in an object file (libspecpi-compiler)
 *
 * C++ units: the same between the steps of their host's side, in program.c.
 */
#define _GNU_SOURCE /* setenv */
#include "emit.h"
#include "host_pass.h"
#include "host_text.h"
#include "options.h"
#include "program.h"
#include "scratch.h"

#include <stdlib.h>

typedef struct task {
  const cc_options *options;
  const char *temporary;
  const char *depend; /* the same for the file of dependences; NULL: none */
} task;

static int compile_in(void *data, const char *directory) {
  const task *task = data;
  if (task->options->host == CC_HOST_PASS)
    return cc_host_pass_write(task->options, task->temporary) ? CC_SUCCESS : CC_FAILURE;
  if (task->options->host != CC_HOST_NONE)
    return cc_host_text_write(task->options, task->temporary) ? CC_SUCCESS : CC_FAILURE;
  cc_work work = {.options = task->options, .scratch = directory};
  const bool done = cc_emit_has_host(task->options->emit)
                        ? cc_program_write(&work, task->temporary, task->depend)
                        : cc_emit_write(&work, task->temporary, task->depend);
  cc_work_free(&work);
  return done ? CC_SUCCESS : CC_FAILURE;
}

/*
 * Returns whether another specpi-cc started this one, as a host compiler whose name hides it, such
 * as a script's. Each would start the next.
 */
static bool is_own_host_compiler(void) {
  static const char variable[] = "SPECPI_CC_IS_PARENT";
  return getenv(variable) || setenv(variable, "1", 0) != 0;
}

int main(int argc, char **argv) {
  cc_options options;
  if (is_own_host_compiler()) {
    cc_error("this is specpi-cc again, as its own host compiler; --host-compiler=PROGRAM or CXX "
             "names another one");
    return CC_USAGE;
  }
  int status = cc_options_parse(argc, argv, &options);
  if (status >= 0)
    return status;
  char *temporary = file_temporary(options.out);
  char *depend = options.depend_out ? file_temporary(options.depend_out) : NULL;
  task task = {.options = &options, .temporary = temporary, .depend = depend};
  cc_texts leftovers = {0};
  cc_texts_add(&leftovers, temporary);
  if (depend)
    cc_texts_add(&leftovers, depend);
  status = scratch_run(compile_in, &task, &leftovers);
  cc_texts_free(&leftovers);
  free(depend);
  free(temporary);
  cc_options_free(&options);
  return status;
}
