/* Single instructions: runs a kernel for every row of instructions.def. */
#include "check.h"

#include <stdio.h>
#include <string.h>

typedef struct row {
  const char *text;
  unsigned bits[4];
  uint64_t values[3], expected;
} row;

static const row rows[] = {
#define ROW(text, d, a, b, c, x, y, z, expected)                                                   \
  {text, {d, a, b, c}, {x, y, z}, UINT64_C(expected)},
#include "instructions.def"
#undef ROW
};

/* Writes a kernel that reads a, b and c, and writes d, at the address in its parameter. */
static void write_kernel(const row *row, char *text, size_t size) {
  snprintf(text, size,
           PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n"
                    ".reg .b64 at;\n.reg .b%u d;\n.reg .b%u a;\n.reg .b%u b;\n.reg .b%u c;\n"
                    "ld.param.u64 at, [p];\n"
                    "ld.global.b%u a, [at+8];\nld.global.b%u b, [at+16];\n"
                    "ld.global.b%u c, [at+24];\n%s\nst.global.b%u [at], d;\nret;\n}\n",
           row->bits[0], row->bits[1], row->bits[2], row->bits[3], row->bits[1], row->bits[2],
           row->bits[3], row->text, row->bits[0]);
}

TEST(each_instruction_has_the_expected_result) {
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    char text[2048];
    subject subject;
    write_kernel(&rows[i], text, sizeof(text));
    subject_load_one(&subject, text);
    uint64_t *memory = subject_memory(&subject, 32);
    memcpy(memory + 1, rows[i].values, sizeof(rows[i].values));
    const uint64_t argument = ADDRESS(memory);
    const ptx_status status = subject_run(&subject, "k", 1, 1, 0, &argument, 1);
    if (status != PTX_OK || memory[0] != rows[i].expected) {
      print_error("%s: %s %s: 0x%llx and not 0x%llx\n", rows[i].text, ptx_status_text(status),
                  subject.log.text, (unsigned long long)memory[0],
                  (unsigned long long)rows[i].expected);
      wrong++;
    }
    subject_free(&subject);
  }
  assert_int_equal(wrong, 0);
}
