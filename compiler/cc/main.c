/*
 * specpi-cc: compiles kernels to device images. docs/specpi-cc.md is its documentation.
 *
 *   FILE -> LLVM bitcode (clang) -> the pass, once for each target (libspecpi-compiler)
 *        -> SPIR-V (llvm-spirv, spirv-val) or PTX (libspecpi-compiler)
 *        -> images with their property sets in an object file (libspecpi-compiler)
 */
#include "emit.h"
#include "host_pass.h"
#include "host_text.h"
#include "options.h"
#include "scratch.h"

#include <stdlib.h>

typedef struct task {
  const cc_options *options;
  const char *temporary;
} task;

static int compile(void *data, const char *folder) {
  const task *it = data;
  if (it->options->host == CC_HOST_PASS)
    return cc_host_pass_write(it->options, it->temporary) ? CC_SUCCESS : CC_FAILURE;
  if (it->options->host != CC_HOST_NONE)
    return cc_host_text_write(it->options, it->temporary) ? CC_SUCCESS : CC_FAILURE;
  cc_work work = {.options = it->options, .scratch = folder};
  const bool done = cc_emit_write(&work, it->temporary);
  cc_texts_free(&work.host_folders);
  file_free(&work.host_words);
  return done ? CC_SUCCESS : CC_FAILURE;
}

int main(int argc, char **argv) {
  cc_options options;
  int status = cc_options_parse(argc, argv, &options);
  if (status >= 0)
    return status;
  char *temporary = file_temporary(options.out);
  task it = {.options = &options, .temporary = temporary};
  status = scratch_run(compile, &it, temporary);
  free(temporary);
  cc_options_free(&options);
  return status;
}
