/* Forms for cubins and fat binaries. The compiler has built in the values of their constants. */
#include "program_code.h"

#include "../base/error.h"

static pi_result read_cubin(program_code *code) {
  TRY(cubin_read_trailers(code));
  code_sort(code->info);
  TRY(cubin_check(code->bytes, code->size));
  return cubin_merge_kernels(code->bytes, code->size, code->info);
}

const code_form code_form_cubin = {
    .kind = CODE_IS_CUBIN,
    .name = "cubins",
    .origin = "created from a cubin",
    .fixed = "it was created from a cubin, which has its constants built in",
    .read = read_cubin};

const code_form code_form_fatbin = {
    .kind = CODE_IS_FATBIN,
    .name = "fat binaries",
    .origin = "created from a fat binary",
    .fixed = "it was created from a fat binary, which does not name its constants"};
