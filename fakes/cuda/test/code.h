/* PTX for the tests of modules, launches and graphs. */
#ifndef SPECPI_TEST_FAKE_CUDA_CODE_H
#define SPECPI_TEST_FAKE_CUDA_CODE_H

#include "check.h"

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"

/* add(out, n): out[i] += n for each thread of the grid. counter is a variable of the module. */
static const char add_text[] = HEAD ".visible .global .align 4 .u32 counter = 5;\n"
                                    ".visible .entry add(.param .u64 out, .param .u32 n)\n"
                                    "{\n"
                                    "  .reg .b32 %r<6>;\n"
                                    "  .reg .b64 %rd<4>;\n"
                                    "  ld.param.u64 %rd1, [out];\n"
                                    "  ld.param.u32 %r1, [n];\n"
                                    "  mov.u32 %r2, %ctaid.x;\n"
                                    "  mov.u32 %r3, %ntid.x;\n"
                                    "  mov.u32 %r4, %tid.x;\n"
                                    "  mad.lo.u32 %r2, %r2, %r3, %r4;\n"
                                    "  mul.wide.u32 %rd2, %r2, 4;\n"
                                    "  add.u64 %rd1, %rd1, %rd2;\n"
                                    "  ld.global.u32 %r5, [%rd1];\n"
                                    "  add.u32 %r5, %r5, %r1;\n"
                                    "  st.global.u32 [%rd1], %r5;\n"
                                    "  ret;\n"
                                    "}\n"
                                    ".visible .entry count()\n"
                                    "{\n"
                                    "  .reg .b32 %r<2>;\n"
                                    "  .reg .b64 %rd<2>;\n"
                                    "  mov.u64 %rd1, counter;\n"
                                    "  atom.global.add.u32 %r1, [%rd1], 1;\n"
                                    "  ret;\n"
                                    "}\n";

static inline CUfunction load(CUmodule *module, const char *text, const char *name) {
  CUfunction function = NULL;
  ok(cuModuleLoadData(module, text));
  ok(cuModuleGetFunction(&function, *module, name));
  return function;
}

#endif
