/* Refused texts, whose messages must have the line and the cause; links of several texts. */
#include "check.h"

#include "../../../test/unit/memory.h"

#include <stdlib.h>
#include <string.h>

#define BODY(text)                                                                                 \
  PTX_HEAD ".visible .entry k()\n{\n.reg .b32 a, b; .reg .b64 x; .reg .f32 f;\n"                   \
           ".reg .pred p;\n" text "\n}\n"

typedef struct refusal {
  const char *text, *sentence;
  ptx_status status;
} refusal;

static const refusal refusals[] = {
    {"", "line 1: the text is empty", PTX_INVALID_PTX},
    {"hello", "line 1: the text does not begin with .version", PTX_INVALID_PTX},
    {".version 9.9\n", "line 1: PTX .version 9.9 is not supported, the newest is 8.4",
     PTX_UNSUPPORTED_VERSION},
    {".version 7\n", "line 1: .version wants two numbers such as 7.0, not '7'", PTX_INVALID_PTX},
    {".version 7.8\n.target sm_91\n", "line 2: unknown .target 'sm_91'", PTX_INVALID_PTX},
    {".version 7.8\n.target sm_100\n",
     "line 2: .target sm_100 is not one that a device of sm_90 runs", PTX_UNSUPPORTED_TARGET},
    {".version 7.8\n.target sm_80, other\n", "line 2: unknown option 'other' of .target",
     PTX_INVALID_PTX},
    {".version 7.8\n.target sm_80\n.address_size 32\n",
     "line 3: .address_size 32 is not supported, 64 is", PTX_INVALID_PTX},
    {PTX_HEAD ".nonsense\n", "line 4: unknown directive '.nonsense'", PTX_INVALID_PTX},
    {PTX_HEAD "nonsense\n", "line 4: a directive is expected, not 'nonsense'", PTX_INVALID_PTX},
    {PTX_HEAD ".global .u33 v;\n", "line 4: unknown type '.u33'", PTX_INVALID_PTX},
    {PTX_HEAD ".global .u8 v[2] = {1, 2, 3};\n",
     "line 4: 3 bytes of initial values for the 2 of 'v'", PTX_INVALID_PTX},
    {PTX_HEAD ".global .u64 v = other;\n", "line 4: unknown symbol 'other' in an initial value",
     PTX_INVALID_PTX},
    {PTX_HEAD ".global .u8 v[99999999999];\n",
     "line 4: 99999999999 is too large, the most here is "
     "1073741824",
     PTX_INVALID_PTX},
    {PTX_HEAD ".global .u8 v;\n.global .u8 v;\n", "line 5: 'v' is declared twice", PTX_INVALID_PTX},
    {PTX_HEAD ".entry k()\n{\n", "line 6: the text ends in the function 'k'", PTX_INVALID_PTX},
    {PTX_HEAD ".entry k() .maxnothing 3\n{\n}\n",
     "line 4: unknown directive '.maxnothing' of a function", PTX_INVALID_PTX},
    {BODY("frobnicate.u32 a, b;"), "line 8: unknown instruction 'frobnicate'", PTX_INVALID_PTX},
    {BODY("\n\nadd.fast.u32 a, b, b;"), "line 10: unknown modifier '.fast' in 'add.fast.u32'",
     PTX_INVALID_PTX},
    {BODY("add.uni.u32 a, b, b;"), "line 8: modifier '.uni' does not fit 'add.uni.u32'",
     PTX_INVALID_PTX},
    {BODY("add.u8 a, b, b;"), "line 8: unknown types in 'add.u8'", PTX_INVALID_PTX},
    {BODY("add.u32 a, b;"), "line 8: too few operands", PTX_INVALID_PTX},
    {BODY("add.u32 a, b, b, b;"), "line 8: too many operands of 'add'", PTX_INVALID_PTX},
    {BODY("add.u32 a, b, x;"), "line 8: an operand of type .b64 where .u32 is wanted",
     PTX_INVALID_PTX},
    {BODY("add.u32 a, b, f;"), "line 8: an operand of type .f32 where .u32 is wanted",
     PTX_INVALID_PTX},
    {BODY("add.u32 a, b, c;"), "line 8: unknown symbol 'c'", PTX_INVALID_PTX},
    {BODY("add.u32 a, b, 0f3f800000;"), "line 8: a floating-point literal where .u32 is wanted",
     PTX_INVALID_PTX},
    {BODY("mov.u32 a, %nonsense;"), "line 8: unknown register '%nonsense'", PTX_INVALID_PTX},
    {BODY("mov.u32 a, %tid.q;"), "line 8: unknown register '%tid.q'", PTX_INVALID_PTX},
    {BODY("bra nowhere;"), "line 8: the label 'nowhere' is not defined", PTX_INVALID_PTX},
    {BODY("l: l: ret;"), "line 8: the label 'l' is defined twice", PTX_INVALID_PTX},
    {BODY("@a ret;"), "line 8: 'a' guards an instruction, and is no .pred", PTX_INVALID_PTX},
    {BODY("call nobody;"), "line 8: unknown function 'nobody'", PTX_INVALID_PTX},
    {BODY("div.f32 f, f, f;"), "line 8: 'div' needs a rounding, .approx or .full", PTX_INVALID_PTX},
    {BODY("fma.f32 f, f, f, f;"), "line 8: 'fma' lacks a modifier such as '.rn'", PTX_INVALID_PTX},
    {BODY("cvt.s32.f32 a, f;"), "line 8: 'cvt.s32.f32' needs a rounding such as .rzi",
     PTX_INVALID_PTX},
    {BODY("cvt.f32.s32 f, a;"), "line 8: 'cvt.f32.s32' needs a rounding such as .rn",
     PTX_INVALID_PTX},
    {BODY("cvt.u32.u16x2 a, b;"), "line 8: unknown types in 'cvt.u32.u16x2'", PTX_INVALID_PTX},
    {BODY("setp.ltu.u32 p, a, b;"), "line 8: this comparison is not one of 'setp.u32'",
     PTX_INVALID_PTX},
    {BODY("shfl.idx.b32 a, a, 0, 31;"), "line 8: 'shfl' lacks a modifier such as '.sync'",
     PTX_INVALID_PTX},
    {BODY("ld.global.u32 a, b;"), "line 8: an address in brackets is wanted", PTX_INVALID_PTX},
    {BODY("ld.global.v2.u32 a, [x];"), "line 8: a vector of 2 elements is wanted", PTX_INVALID_PTX},
    {BODY(".shared .b32 s; ld.global.u32 a, [s];"),
     "line 8: 's' is in another state space than the instruction's", PTX_INVALID_PTX},
    {BODY("wmma.load.a.sync.aligned.m16n16k16.row.f16 {a}, [x];"),
     "line 8: unknown instruction 'wmma'", PTX_INVALID_PTX},
    {BODY("add.u32 a, b, b"), "line 9: ';' is expected, not '}'", PTX_INVALID_PTX},
    {BODY("add.u32 a, b, #;"), "line 8: an operand is expected, not '#'", PTX_INVALID_PTX},
    {BODY("mov.u32 a, 18446744073709551616;"),
     "line 8: an operand is expected, not '18446744073709551616'", PTX_INVALID_PTX},
    {BODY(".reg .b32 a;"), "line 8: 'a' is declared twice", PTX_INVALID_PTX},
    {BODY("mov.u32 a, b; /* a comment without an end"),
     "line 10: the text ends in the function 'k'", PTX_INVALID_PTX},
    {BODY("brx.idx a, b;"), "line 8: 'brx.idx' wants the name of .branchtargets before it",
     PTX_INVALID_PTX},
    {BODY("atom.global.add.b32 a, [x], b;"), "line 8: unknown type '.b32' of this atomic operation",
     PTX_INVALID_PTX},
};

TEST(wrong_texts_are_refused_with_line_and_cause) {
  const ptx_limits limits = {84, 90};
  for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
    ptx_module *module = NULL;
    ptx_log log;
    const ptx_status status =
        ptx_parse(refusals[i].text, strlen(refusals[i].text), &limits, &module, &log);
    if (status != refusals[i].status || strcmp(log.text, refusals[i].sentence) != 0)
      fail_msg("'%s' and not '%s': %s", log.text, refusals[i].sentence, refusals[i].text);
    assert_null(module);
    assert_int_equal(ptx_parse(refusals[i].text, strlen(refusals[i].text), &limits, &module, NULL),
                     status);
  }
}

TEST(a_truncated_text_yields_a_module_or_an_error) {
  const char *text =
      BODY("// comment\n/* another */ .loc 1 2 3\nmov.b64 {a, b}, x; @!p bra l; add.u32 a, b, 0x1f;"
           "ld.global.v2.u32 {a, b}, [x+-4]; l: { .reg .b32 a; mov.f32 f, 0f3f800000; } ret;");
  for (size_t size = 0; size <= strlen(text); size++) {
    ptx_module *module = NULL;
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    const ptx_status status = ptx_parse(copy, size, NULL, &module, NULL);
    free(copy);
    assert_int_equal(status == PTX_OK, module != NULL);
    ptx_module_free(module);
  }
}

static ptx_module *parse_text(const char *text) {
  ptx_module *module = NULL;
  ptx_log log;
  if (ptx_parse(text, strlen(text), NULL, &module, &log) != PTX_OK)
    fail_msg("%s", log.text);
  return module;
}

static void expect_link(const char *first, const char *second, ptx_status expected,
                        const char *sentence) {
  ptx_module *modules[2] = {parse_text(first), parse_text(second)};
  ptx_program *program = NULL;
  ptx_log log;
  const ptx_status status = ptx_link(modules, 2, &program, &log);
  assert_int_equal(status, expected);
  assert_string_equal(log.text, sentence);
  ptx_program_free(program);
  if (status == PTX_OK)
    return;
  ptx_module_free(modules[0]);
  ptx_module_free(modules[1]);
}

#define CALLER_BODY                                                                                \
  ".visible .entry k(.param .u64 p0)\n{\n.reg .b32 a, b; .reg .b64 x;\n"                           \
  "ld.param.u64 x, [p0];\n{.param .b32 o; call (o), seven; ld.param.b32 a, [o];}\n"                \
  "ld.global.u32 b, [number];\nadd.u32 a, a, b;\nst.global.u32 [x], a;\n}\n"
#define CALLER                                                                                     \
  PTX_HEAD ".extern .func (.param .b32 r) seven();\n.extern .global .b32 number;\n" CALLER_BODY
#define CALLEE                                                                                     \
  PTX_HEAD ".visible .global .b32 number = 30;\n.visible .func (.param .b32 r) seven()\n{\n"       \
           "st.param.b32 [r], 7;\n}\n"

TEST(a_link_resolves_each_symbol_once) {
  expect_link(CALLER, PTX_HEAD, PTX_UNRESOLVED,
              "unresolved external symbol 'seven', which line 4 declares");
  expect_link(CALLEE, CALLEE, PTX_UNRESOLVED, "the symbol 'number' is defined by two modules");
  expect_link(CALLER, PTX_HEAD ".visible .global .b32 number;\n.visible .func seven()\n{\n}\n",
              PTX_INVALID_PTX, "the declaration of 'seven' in line 4 differs from its definition");
  const char *weak = PTX_HEAD ".weak .global .b32 number = 1;\n.weak .func (.param .b32 r) seven()"
                              "\n{\nst.param.b32 [r], 8;\n}\n";
  const char *texts[3] = {weak, CALLER, CALLEE};
  subject subject;
  subject_load(&subject, texts, 3);
  uint32_t *memory = subject_memory(&subject, 4);
  const uint64_t argument = ADDRESS(memory);
  assert_int_equal(subject_run(&subject, "k", 1, 1, 0, &argument, 1), PTX_OK);
  assert_int_equal(*memory, 37);
  subject_free(&subject);
}

TEST(entries_and_variables_are_described) {
  subject subject;
  subject_load_one(
      &subject, PTX_HEAD
      ".visible .const .align 8 .b32 numbers[2][2] = {{1, 2}, {3, -4}};\n"
      ".global .b8 hidden;\n.visible .global .u64 pointer = generic(numbers)+8;\n"
      ".visible .global .b8 bytes[2] = {0xff(hidden), 0xff00(hidden)};\n"
      ".visible .global .f64 real = 1.5;\n.visible .global .f32 one[] = {0f3f800000, 2.0};\n"
      ".global .texref image;\n"
      ".visible .entry k(.param .u8 a, .param .align 8 .b8 b[12], .param .u64 .ptr .global .align "
      "4 c)\n.reqntid 8, 4\n.minnctapersm 2\n{\n.local .b32 l[5];\nret;\n}\n"
      ".visible .entry j()\n.maxntid 64, 1, 1\n.pragma \"nounroll\";\n{\n}\n");
  const ptx_entry *k = ptx_find_entry(subject.program, "k");
  assert_int_equal(k->parameter_count, 3);
  assert_int_equal(k->parameter_bytes, 32);
  assert_int_equal(k->parameters[1].offset, 8);
  assert_int_equal(k->parameters[1].size, 12);
  assert_int_equal(k->parameters[2].offset, 24);
  assert_true(k->reqntid[0] == 8 && k->reqntid[1] == 4 && k->reqntid[2] == 1);
  assert_true(k->minnctapersm == 2 && k->maxntid[0] == 0 && k->local_bytes == 20);
  assert_true(k->version == 78 && k->target == 90);
  assert_int_equal(ptx_find_entry(subject.program, "j")->maxntid[0], 64);
  assert_null(ptx_find_entry(subject.program, "i"));
  assert_null(ptx_find_variable(subject.program, "hidden"));
  const ptx_variable *numbers = ptx_find_variable(subject.program, "numbers");
  assert_true(numbers->kind == PTX_VARIABLE_CONSTANT && numbers->size == 16 && numbers->align == 8);
  size_t count;
  const ptx_variable *variables = ptx_variables(subject.program, &count);
  assert_int_equal(count, 7);
  assert_int_equal(variables[6].kind, PTX_VARIABLE_TEXTURE);
  subject_free(&subject);
}

TEST(variables_get_their_initial_values) {
  ptx_module *module =
      parse_text(PTX_HEAD ".const .b32 numbers[2][2] = {{1, 2}, {3, -4}};\n.global .b8 hidden;\n"
                          ".global .u64 pointer = generic(numbers)+8;\n"
                          ".global .b8 bytes[3] = {0xff(hidden), 0xff00(hidden), 5};\n"
                          ".global .f64 real = 1.5;\n.global .f32 one[] = {0f3f800000, 2.0};\n"
                          ".global .s16 rest[4] = {-1};\n");
  ptx_program *program = NULL;
  assert_int_equal(ptx_link(&module, 1, &program, NULL), PTX_OK);
  static const int32_t numbers[4] = {1, 2, 3, -4};
  static const int16_t rest[4] = {-1, 0, 0, 0};
  const float one[2] = {1, 2};
  unsigned char memory[7][16];
  ptx_place places[7];
  memset(memory, 0xa5, sizeof(memory));
  for (uint64_t i = 0; i < 7; i++)
    places[i] = (ptx_place){0x1200 + 16 * i, memory[i]};
  ptx_initialise(program, places);
  uint64_t pointer;
  double real;
  memcpy(&pointer, memory[2], sizeof(pointer));
  memcpy(&real, memory[4], sizeof(real));
  assert_memory_equal(memory[0], numbers, sizeof(numbers));
  assert_true(memory[1][0] == 0 && memory[1][1] == 0xa5);
  assert_true(pointer == 0x1208 && real == 1.5);
  assert_memory_equal(memory[3], "\x10\x12\x05", 3);
  assert_memory_equal(memory[5], one, sizeof(one));
  assert_memory_equal(memory[6], rest, sizeof(rest));
  ptx_program_free(program);
}

TEST(a_failed_allocation_in_parsing_leaks_nothing) {
  const char *all = CALLEE ".global .u64 table[3] = {seven, number, 5};\n" CALLER_BODY;
  memory_use use = {.failed = true};
  long fail = 0;
  for (; use.failed; fail++) {
    ptx_module *module = NULL;
    ptx_program *program = NULL;
    memory_watch(fail);
    ptx_status status = ptx_parse(all, strlen(all), NULL, &module, NULL);
    if (status == PTX_OK)
      status = ptx_link(&module, 1, &program, NULL);
    if (status == PTX_OK)
      ptx_program_free(program);
    else
      ptx_module_free(module);
    use = memory_unwatch();
    assert_int_equal(use.held, 0);
    assert_int_equal(status, use.failed ? PTX_OUT_OF_MEMORY : PTX_OK);
  }
  assert_true(fail > 20);
}

/* If memory is exhausted, a launch with calls fails as out of memory, or as a stack overflow. */
TEST(a_failed_allocation_in_a_launch_leaks_nothing) {
  subject subject;
  subject_load_one(&subject, CALLEE CALLER_BODY);
  uint32_t *memory = subject_memory(&subject, 4);
  const uint64_t argument = ADDRESS(memory);
  memory_use use = {.failed = true};
  long fail = 0;
  for (; use.failed; fail++) {
    memory_watch(fail);
    const ptx_status status = subject_run(&subject, "k", 1, 2, 0, &argument, 1);
    use = memory_unwatch();
    assert_int_equal(use.held, 0);
    assert_true(use.failed ? status == PTX_OUT_OF_MEMORY || status == PTX_LAUNCH_STACK
                           : status == PTX_OK);
  }
  assert_true(fail > 6);
  subject_free(&subject);
}
