/* A kernel for the tests of launches: each work-item writes a value at its own index. */
#ifndef SPECPI_TEST_CUDA_LAUNCH_H
#define SPECPI_TEST_CUDA_LAUNCH_H

#include "world.h"

#define LAUNCH_BODY                                                                                \
  "{\n.reg .b32 %r<8>; .reg .b64 %rd<4>;\n"                                                        \
  "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1; ld.param.u32 %r1, [v];\n"              \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                            \
  "mad.lo.s32 %r5, %r2, %r3, %r4;\n"

#define LAUNCH_END                                                                                 \
  "mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; ret;\n}\n"

/* write(out, v): out[id] = v; id starts at the offset. */
static const char launch_text[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry write(.param .u64 out, .param .u32 v)\n" LAUNCH_BODY LAUNCH_END
    ".visible .entry write_with_offset(.param .u64 out, .param .u32 v, .param .align 4 .b8 "
    "o[12])\n" LAUNCH_BODY "ld.param.u32 %r6, [o]; add.u32 %r5, %r5, %r6;\n" LAUNCH_END;

static inline pi_program launch_program(void) {
  pi_program program = NULL;
  must(piProgramCreate(w.context, launch_text, sizeof launch_text, &program));
  must(piProgramBuild(program, 1, &w.device, "", NULL, NULL));
  return program;
}

#endif
