/* Generates PTX with any number of constants, in both modes. */
#include "generate.h"
#include "ptx.h"

#include "check.h"

static void begin(ptx_text *text, bool patch) {
  ptx_add(text, ".version 7.0\n.target sm_80\n.address_size 64\n\n");
  ptx_add(text, ".visible .entry value(\n\t.param .u64 value_param_0%s\n)\n{\n",
          patch ? "" : ",\n\t.param .u64 value_param_1");
  ptx_add(text, "\t.reg .b32 \t%%r<2>;\n\t.reg .b64 \t%%rd<3>;\n\n");
  ptx_add(text, "\tld.param.u64 \t%%rd1, [value_param_0];\n");
  if (!patch)
    ptx_add(text, "\tld.param.u64 \t%%rd2, [value_param_1];\n");
  ptx_add(text, "\tmov.u32 \t%%r0, 0;\n");
}

/* Adds the defaults, which equal the ids, eight to a line. */
static void add_defaults(ptx_text *trailer, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    ptx_add(trailer, "%s%02x%02x%02x%02x%s", i % 8 == 0 ? "//!specpi bytes " : "", i & 0xff,
            i >> 8 & 0xff, i >> 16 & 0xff, i >> 24, i % 8 == 7 || i == count - 1 ? "\n" : "");
}

module generate_ptx(uint32_t count) {
  const bool patch = code_in_use == CODE_PTX_PATCH;
  ptx_text text = {0};
  ptx_text trailer = {0};
  ptx_text places = {0};
  begin(&text, patch);
  ptx_add(&trailer, "//!specpi 1 %s %u %u %u %u 1\n", patch ? "patch" : "emulate", count, count,
          4 * count, patch ? count : 0);
  for (uint32_t i = 0; i < count; i++) {
    const bool used = i % generated_step(count) == 0;
    ptx_add(&trailer, "//!specpi constant c%u scalar %u 4 1\n//!specpi leaf %u 0 4\n", i, 4 * i, i);
    if (patch) {
      ptx_add(&text, "\tmov.b32 %%r1, 0x");
      ptx_add(&places, "//!specpi place %u %zu 4\n", i, text.size);
      ptx_add(&text, "%08x; //specpi:%u\n", i, i);
    } else if (used) {
      ptx_add(&text, "\tld.global.u32 \t%%r1, [%%rd2+%u];\n", 4 * i);
    }
    if (used)
      ptx_add(&text, "\tmad.lo.s32 \t%%r0, %%r0, 31, %%r1;\n");
  }
  ptx_add(&text, "\tst.global.u32 \t[%%rd1], %%r0;\n\tret;\n}\n");
  add_defaults(&trailer, count);
  ptx_join(&trailer, &places);
  ptx_add(&trailer, "//!specpi kernel value %s 0 0 0\n", patch ? "-" : "1");
  return ptx_finish(&text, &trailer);
}
