/* Kernels: barriers, warps, calls, memory, objects of the driver, failures. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with 32-bit registers a to d, 64-bit registers x to z, predicates p and q; parameter x.
 */
#define KERNEL(name, body)                                                                         \
  ".visible .entry " name "(.param .u64 p0)\n{\n.reg .b32 a, b, c, d;\n.reg .b64 x, y, z;\n"       \
  ".reg .pred p, q;\nld.param.u64 x, [p0];\nmov.u32 a, %tid.x;\nmad.wide.u32 y, a, 4, x;\n" body   \
  "\nret;\n}\n"

/* Runs kernel k with one block over a zeroed array. */
static ptx_status run_one(subject *subject, const char *text, uint32_t threads, uint32_t **ret) {
  subject_load_one(subject, text);
  *ret = subject_memory(subject, 4096);
  const uint64_t argument = ADDRESS(*ret);
  return subject_run(subject, "k", 1, threads, 0, &argument, 1);
}

/* Runs a kernel, and checks that the first count words of its array are the expected ones. */
static void expect_words(const char *text, uint32_t threads, const uint32_t *expected,
                         size_t count) {
  subject subject;
  uint32_t *memory;
  const ptx_status status = run_one(&subject, text, threads, &memory);
  if (status != PTX_OK)
    fail_msg("%s: %s", ptx_status_text(status), subject.log.text);
  for (size_t i = 0; i < count; i++)
    if (memory[i] != expected[i])
      fail_msg("%zu: 0x%x and not 0x%x: %s", i, memory[i], expected[i], text);
  subject_free(&subject);
}

static void expect_failure(const char *text, uint32_t threads, ptx_status status,
                           const char *words) {
  subject subject;
  uint32_t *memory;
  assert_int_equal(run_one(&subject, text, threads, &memory), status);
  if (!strstr(subject.log.text, words))
    fail_msg("'%s' is not in '%s'", words, subject.log.text);
  subject_free(&subject);
}

TEST(barriers_wait_for_all_their_threads) {
  static const uint32_t reversed[] = {63, 62, 61};
  expect_words(PTX_HEAD KERNEL("k",
                               ".shared .b32 s[64]; mov.u64 z, s; mad.wide.u32 z, a, 4, z;"
                               "st.shared.u32 [z], a; bar.sync 0; sub.u32 b, 63, a; mov.u64 z, s;"
                               "mad.wide.u32 z, b, 4, z; ld.shared.u32 c, [z];"
                               "st.global.u32 [y], c;"),
               64, reversed, 3);
  /* Reductions over 70 threads: the number of odd ones, +100 if all are < 100, +1000 if any is 3.
   */
  static const uint32_t counted[] = {35 + 100 + 1000};
  expect_words(PTX_HEAD KERNEL("k",
                               "and.b32 b, a, 1; setp.ne.u32 p, b, 0; bar.red.popc.u32 c, 0, p;"
                               "setp.lt.u32 p, a, 100; barrier.red.and.pred q, 1, p;"
                               "@q add.u32 c, c, 100; setp.eq.u32 p, a, 3; bar.red.or.pred q, 0, p;"
                               "@q add.u32 c, c, 1000; st.global.u32 [y], c;"),
               70, counted, 1);
  /* A barrier does not wait for threads that have ended. */
  static const uint32_t ended[] = {1, 1, 0};
  expect_words(
      PTX_HEAD KERNEL("k", "setp.ge.u32 p, a, 2; @p exit; bar.sync 0; st.global.u32 [y], 1;"), 40,
      ended, 3);
  /* The first warp only arrives; the second one waits for both. */
  static const uint32_t arrived[] = {0, 7};
  expect_words(PTX_HEAD KERNEL("k", "setp.lt.u32 p, a, 32; @p st.global.u32 [x+8], 7;"
                                    "@p bar.arrive 3, 64; @p bra done; bar.sync 3, 64;"
                                    "ld.global.u32 b, [x+8]; st.global.u32 [x+4], b; done:"),
               64, arrived, 2);
}

TEST(lanes_of_a_warp_exchange_values) {
  uint32_t expected[32];
#define EXPECT_LANES(value, text)                                                                  \
  do {                                                                                             \
    for (uint32_t lane = 0; lane < 32; lane++)                                                     \
      expected[lane] = (uint32_t)(value);                                                          \
    expect_words(PTX_HEAD KERNEL("k", text "st.global.u32 [y], c;"), 32, expected, 32);            \
  } while (0)
  EXPECT_LANES(lane >= 3 ? lane - 3 + 100 : lane,
               "shfl.sync.up.b32 c|p, a, 3, 0, 0xffffffff; @p add.u32 c, c, 100;");
  EXPECT_LANES((lane & 7) < 6 ? lane + 2 + 100 : lane,
               "shfl.sync.down.b32 c|p, a, 2, 0x181f, 0xffffffff; @p add.u32 c, c, 100;");
  EXPECT_LANES(lane ^ 5, "shfl.sync.bfly.b32 c, a, 5, 31, -1;");
  EXPECT_LANES((lane & 16) + 3, "shfl.sync.idx.b32 c, a, 3, 0x101f, -1;");
  /* Two halves of a warp at different instructions, each with its own mask. */
  EXPECT_LANES(lane < 16 ? 15 - lane : 16 + (lane + 1) % 16,
               "setp.lt.u32 p, a, 16; @p bra low; add.u32 b, a, 1; and.b32 b, b, 15;"
               "add.u32 b, b, 16; shfl.sync.idx.b32 c, a, b, 31, 0xffff0000; bra end;"
               "low: shfl.sync.bfly.b32 c, a, 15, 31, 0xffff; end:");
  EXPECT_LANES(0x55555555, "and.b32 b, a, 1; setp.eq.u32 p, b, 0;"
                           "vote.sync.ballot.b32 c, p, 0xffffffff;");
  EXPECT_LANES(0 + 2 + 0 + 8,
               "mov.u32 c, 0; setp.lt.u32 p, a, 31; vote.sync.all.pred q, p, -1;"
               "@q add.u32 c, c, 1; vote.sync.any.pred q, p, -1; @q add.u32 c, c, 2;"
               "vote.sync.uni.pred q, p, -1; @q add.u32 c, c, 4; setp.ge.u32 p, a, 0;"
               "vote.sync.uni.pred q, !p, -1; @q add.u32 c, c, 8;");
  EXPECT_LANES(lane & 1 ? 0xaaaaaaaa : 0x55555555, "and.b32 b, a, 1; match.any.sync.b32 c, b, -1;");
  EXPECT_LANES(0xffffffff, "mov.u32 b, 9; match.all.sync.b32 c|p, b, -1; @!p mov.u32 c, 1;");
  EXPECT_LANES(1, "match.all.sync.b32 c|p, a, -1; @!p add.u32 c, c, 1;");
  EXPECT_LANES(496, "redux.sync.add.u32 c, a, -1;");
  EXPECT_LANES(0xfffffff6, "sub.s32 b, a, 10; redux.sync.min.s32 c, b, -1;");
  EXPECT_LANES(31, "redux.sync.or.b32 c, a, -1;");
  EXPECT_LANES(lane < 8 ? 0xff : 0xffffff00,
               "setp.lt.u32 p, a, 8; @p bra low; activemask.b32 c; bra end;"
               "low: activemask.b32 c; end:");
  /* The last lane at a barrier continues first, but the mask still has all lanes. */
  EXPECT_LANES(0xffffffff, "bar.sync 0; activemask.b32 c;");
  EXPECT_LANES(lane == 4 ? 104 : 4, "shr.u32 b, a, 2; mov.u32 c, 4; setp.lt.u32 p, a, 4;"
                                    "@p bra end; elect.sync c|q, 0xfffffff0;"
                                    "@q add.u32 c, c, 100; end:");
#undef EXPECT_LANES
}

TEST(atomics_lose_no_update) {
  subject subject;
  subject_load_one(
      &subject,
      PTX_HEAD KERNEL("k", "atom.global.add.u32 b, [x], 1; red.global.add.f32 [x+4], 0f3f000000;"
                           "red.relaxed.gpu.global.max.s32 [x+8], a; mov.u32 c, %ctaid.x;"
                           "red.global.or.b32 [x+12], c; atom.global.add.f64 z, [x+16],"
                           "0d3ff0000000000000;"));
  uint32_t *memory = subject_memory(&subject, 64);
  double sum;
  float half;
  const uint64_t argument = ADDRESS(memory);
  assert_int_equal(subject_run(&subject, "k", 8, 96, 0, &argument, 1), PTX_OK);
  memcpy(&sum, memory + 4, sizeof(sum));
  memcpy(&half, memory + 1, sizeof(half));
  assert_int_equal(memory[0], 768);
  assert_true(half == 384.0f && sum == 768.0);
  assert_int_equal(memory[2], 95);
  assert_int_equal(memory[3], 7);
  subject_free(&subject);
  /* Each lane of a warp takes a lock. Waiting lanes must not stop the lane that has it. */
  static const uint32_t locked[] = {0, 64};
  expect_words(
      PTX_HEAD KERNEL("k", "again: atom.global.cas.b32 b, [x], 0, 1; setp.ne.u32 p, b, 0;"
                           "@p bra again; ld.global.u32 c, [x+4]; add.u32 c, c, 1;"
                           "st.global.u32 [x+4], c; membar.gl; atom.global.exch.b32 b, [x], 0;"),
      64, locked, 2);
}

/* All blocks wait for each other at an address in global memory. */
TEST(only_cooperative_blocks_wait_for_each_other) {
  subject subject;
  subject_load_one(&subject, PTX_HEAD KERNEL("k", "atom.global.add.u32 b, [x], 1; wait:"
                                                  "ld.acquire.gpu.global.u32 c, [x];"
                                                  "setp.lt.u32 p, c, 192; @p bra wait;"
                                                  "st.global.u32 [x+4], c;"));
  uint32_t *memory = subject_memory(&subject, 64);
  const uint64_t argument = ADDRESS(memory);
  ptx_launch launch = {.entry = ptx_find_entry(subject.program, "k"),
                       .grid = {3, 2, 1},
                       .block = {32, 1, 1},
                       .parameters = &argument,
                       .cooperative = true,
                       .step_limit = 10000000};
  assert_int_equal(ptx_run(subject.program, &launch, &subject.hooks, &subject.log), PTX_OK);
  assert_int_equal(memory[1], 192);
  memory[0] = 0;
  launch.cooperative = false;
  launch.step_limit = 100000;
  assert_int_equal(ptx_run(subject.program, &launch, &subject.hooks, &subject.log),
                   PTX_LAUNCH_TIMEOUT);
  subject_free(&subject);
}

#define FIBONACCI                                                                                  \
  ".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .b32 a, b, c;\n.reg .pred p;\n"               \
  "ld.param.b32 a, [n];\nsetp.lt.u32 p, a, 2;\n@p bra leaf;\nsub.u32 b, a, 1;\n{\n"                \
  ".param .b32 i; .param .b32 o; st.param.b32 [i], b; call.uni (o), fib, (i);\n"                   \
  "ld.param.b32 c, [o];\n}\nsub.u32 b, a, 2;\n{\n.param .b32 i; .param .b32 o;\n"                  \
  "st.param.b32 [i], b; call.uni (o), fib, (i);\nld.param.b32 b, [o];\n}\nadd.u32 a, b, c;\n"      \
  "leaf: st.param.b32 [r], a;\nret;\n}\n"

#define TWICE                                                                                      \
  ".visible .func (.param .b32 r) twice(.param .b32 n)\n{\n.reg .b32 a;\nld.param.b32 a, [n];\n"   \
  "add.u32 a, a, a;\nst.param.b32 [r], a;\nret;\n}\n"                                              \
  ".visible .func (.param .b32 r) negate(.param .b32 n)\n{\n.reg .b32 a;\nld.param.b32 a, [n];\n"  \
  "neg.s32 a, a;\nst.param.b32 [r], a;\nret;\n}\n"

TEST(functions_are_called_by_name_and_address) {
  static const uint32_t numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
  expect_words(PTX_HEAD FIBONACCI KERNEL(
                   "k",
                   "{.param .b32 i; .param .b32 o; st.param.b32 [i], a; call.uni (o), fib, (i);"
                   "ld.param.b32 c, [o];} st.global.u32 [y], c;"),
               10, numbers, 10);
  static const uint32_t results[] = {0, (uint32_t)-1, 4, (uint32_t)-3};
  expect_words(PTX_HEAD TWICE ".global .align 8 .u64 table[2] = {twice, negate};\n" KERNEL(
                   "k", "and.b32 b, a, 1; mov.u64 z, table; mad.wide.u32 z, b, 8, z;"
                        "ld.global.u64 z, [z]; {.param .b32 i; .param .b32 o; st.param.b32 [i], a;"
                        "proto: .callprototype (.param .b32 _) _ (.param .b32 _);"
                        "call (o), z, (i), proto; ld.param.b32 c, [o];} st.global.u32 [y], c;"),
               4, results, 4);
  static const uint32_t branches[] = {10, 20, 30, 10};
  expect_words(PTX_HEAD KERNEL("k", "rem.u32 b, a, 3; t: .branchtargets l0, l1, l2; brx.idx b, t;"
                                    "l0: mov.u32 c, 10; bra end; l1: mov.u32 c, 20; bra end;"
                                    "l2: mov.u32 c, 30; end: st.global.u32 [y], c;"),
               4, branches, 4);
  expect_failure(PTX_HEAD ".func f()\n{\ncall.uni f;\nret;\n}\n" KERNEL("k", "call.uni f;"), 1,
                 PTX_LAUNCH_STACK, "line 6");
  expect_failure(PTX_HEAD KERNEL("k", "mov.u64 z, 0; call z, ();"), 1,
                 PTX_LAUNCH_ILLEGAL_INSTRUCTION, "0x0");
}

TEST(a_failed_kernel_reports_its_cause) {
  expect_failure(PTX_HEAD KERNEL("k", "trap;"), 1, PTX_LAUNCH_ILLEGAL_INSTRUCTION, "trap");
  expect_failure(PTX_HEAD KERNEL("k", "mov.u64 z, 16; ld.global.u32 b, [z];"), 1,
                 PTX_LAUNCH_ILLEGAL_ADDRESS, "load of 4 bytes at 0x10 ");
  expect_failure(PTX_HEAD KERNEL("k", "st.global.u32 [x+4096], a;"), 1, PTX_LAUNCH_ILLEGAL_ADDRESS,
                 "store of 4 bytes");
  expect_failure(PTX_HEAD KERNEL("k", "st.global.u32 [x+2], a;"), 1, PTX_LAUNCH_MISALIGNED_ADDRESS,
                 "misaligned store");
  expect_failure(PTX_HEAD KERNEL("k", ".shared .b32 s; mov.u64 z, s; st.shared.u32 [z+4], a;"), 1,
                 PTX_LAUNCH_ILLEGAL_ADDRESS, "0x4 ");
  expect_failure(PTX_HEAD KERNEL("k", ".local .b32 s; mov.u64 z, s; st.local.u32 [z-4], a;"), 1,
                 PTX_LAUNCH_ILLEGAL_ADDRESS, "store");
  expect_failure(PTX_HEAD KERNEL("k", "mov.u64 z, p0; st.u64 [z], x;"), 1,
                 PTX_LAUNCH_ILLEGAL_ADDRESS, "store");
  expect_failure(PTX_HEAD KERNEL("k", "l: bra l;"), 1, PTX_LAUNCH_TIMEOUT, "10000000");
  expect_failure(PTX_HEAD KERNEL("k", "setp.eq.u32 p, a, 0; @p bar.sync 1; @!p bar.sync 2;"), 64,
                 PTX_LAUNCH_DEADLOCK, "64 threads");
  expect_failure(PTX_HEAD KERNEL("k", "shfl.sync.idx.b32 b, a, 0, 31, 2;"), 1,
                 PTX_LAUNCH_ILLEGAL_INSTRUCTION, "lane 0");
}

static void print_text(void *user, const char *text, size_t size) {
  char *to = user;
  strncat(to, text, size);
}

#define PRINTF                                                                                     \
  ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                         \
  ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n,"         \
  " .param .b64 s);\n"                                                                             \
  ".global .b8 format[] = {37, 100, 32, 37, 46, 50, 102, 32, 37, 115, 33, 37, 37, 10, 0};\n"       \
  ".global .b8 word[] = {104, 105, 0};\n"

typedef struct printer {
  char text[256];
  device_memory *memory;
} printer;

static bool find_of_printer(void *user, uint64_t address, ptx_range *ret) {
  return device_find(((printer *)user)->memory, address, ret);
}

static void print_of_printer(void *user, const char *text, size_t size) {
  print_text(((printer *)user)->text, text, size);
}

TEST(printf_and_failed_asserts_are_printed) {
  subject subject;
  printer to = {.text = ""};
  subject_load_one(
      &subject,
      PTX_HEAD PRINTF KERNEL(
          "k", ".local .align 8 .b8 args[24]; mov.u64 z, args; st.local.u32 [z], -5;"
               "st.local.f64 [z+8], 0d3ff8000000000000; mov.u64 y, word;"
               "cvta.global.u64 y, y; st.local.u64 [z+16], y; cvta.local.u64 z, z;"
               "mov.u64 y, format; cvta.global.u64 y, y; {.param .b64 f; .param .b64 v;"
               ".param .b32 o; st.param.b64 [f], y; st.param.b64 [v], z;"
               "call.uni (o), vprintf, (f, v); ld.param.b32 b, [o];} st.global.u32 [x], b;")
          KERNEL("fails",
                 "{.param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;"
                 "mov.u64 y, word; st.param.b64 [m], y; st.param.b64 [f], y;"
                 "st.param.b32 [l], 12; st.param.b64 [n], y; st.param.b64 [s], 1;"
                 "call.uni __assertfail, (m, f, l, n, s);}"));
  uint32_t *memory = subject_memory(&subject, 64);
  const uint64_t argument = ADDRESS(memory);
  to.memory = &subject.memory;
  subject.hooks = (ptx_hooks){.user = &to, .memory = find_of_printer, .print = print_of_printer};
  assert_int_equal(subject_run(&subject, "k", 1, 1, 0, &argument, 1), PTX_OK);
  assert_string_equal(to.text, "-5 1.50 hi!%\n");
  assert_int_equal(memory[0], 3);
  to.text[0] = '\0';
  assert_int_equal(subject_run(&subject, "fails", 1, 1, 0, &argument, 1), PTX_LAUNCH_ASSERT);
  assert_string_equal(to.text,
                      "hi:12: hi: block: [0,0,0], thread: [0,0,0] Assertion `hi` failed.\n");
  subject_free(&subject);
}

/* Records the calls of the hooks for textures and surfaces. */
typedef struct objects {
  device_memory *memory;
  ptx_texture_access texture;
  ptx_surface_access surface;
  unsigned char written[16];
} objects;

static bool find_of_objects(void *user, uint64_t address, ptx_range *ret) {
  return device_find(((objects *)user)->memory, address, ret);
}

static bool sample(void *user, const ptx_texture_access *access, uint32_t ret[4], char *message,
                   size_t size) {
  ((objects *)user)->texture = *access;
  for (uint32_t i = 0; i < 4; i++)
    ret[i] = 100 + i;
  if (access->texture == 13)
    snprintf(message, size, "no texture 13");
  return access->texture != 13;
}

static bool surface(void *user, const ptx_surface_access *access, char *message, size_t size) {
  objects *objects = user;
  (void)message;
  (void)size;
  objects->surface = *access;
  if (access->write)
    memcpy(objects->written, access->data, access->size);
  else
    memset(access->data, 0x11, access->size);
  return true;
}

static bool query(void *user, uint64_t handle, bool is_surface, ptx_query what, uint32_t *ret,
                  char *message, size_t size) {
  (void)user;
  (void)message;
  (void)size;
  *ret = (uint32_t)handle + (is_surface ? 1000 : 0) + 10 * (uint32_t)what;
  return true;
}

/* Runs a kernel with the handle 7 in x and memory at y. */
static ptx_status run_objects(const char *body, objects *ret, uint32_t *result, ptx_log *log) {
  char text[2048];
  subject subject;
  snprintf(text, sizeof(text),
           PTX_HEAD ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n.reg .b32 a, b, c, d;\n"
                    ".reg .f32 e, f, g, h;\n.reg .b64 x, y;\n.reg .b16 s;\n"
                    "ld.param.u64 x, [p0];\nld.param.u64 y, [p1];\nmov.u32 a, 1;\nmov.u32 b, 2;\n"
                    "mov.u32 c, 3;\nmov.u32 d, 4;\nmov.f32 e, 0f3f800000;\nmov.f32 f, 0f40000000;\n"
                    "mov.f32 g, 0f40400000;\nmov.f32 h, 0f40800000;\n%s\nst.global.u32 [y], b;\n"
                    "ret;\n}\n",
           body);
  subject_load_one(&subject, text);
  uint32_t *memory = subject_memory(&subject, 64);
  const uint64_t arguments[2] = {7, ADDRESS(memory)};
  *ret = (objects){.memory = &subject.memory};
  subject.hooks = (ptx_hooks){ret, find_of_objects, sample, surface, query, NULL, NULL};
  const ptx_status status = subject_run(&subject, "k", 1, 1, 0, arguments, 2);
  *result = memory[0];
  *log = subject.log;
  subject_free(&subject);
  return status;
}

TEST(textures_are_accessed_through_the_hooks) {
  objects objects;
  uint32_t result;
  ptx_log log;
  assert_int_equal(
      run_objects("tex.2d.v4.u32.f32 {a, b, c, d}, [x, {e, f}];", &objects, &result, &log), PTX_OK);
  assert_int_equal(result, 101);
  assert_true(objects.texture.texture == 7 && objects.texture.dimensions == 2 &&
              !objects.texture.integer && objects.texture.at.f[0] == 1 &&
              objects.texture.at.f[1] == 2 && objects.texture.sample == PTX_SAMPLE_BASE &&
              objects.texture.texel == PTX_TEXEL_U32);
  assert_int_equal(run_objects("tex.level.a2d.v4.s32.f32 {a, b, c, d}, [x, {c, f, g, h}], e;",
                               &objects, &result, &log),
                   PTX_OK);
  assert_true(objects.texture.array && objects.texture.layer == 3 && objects.texture.at.f[1] == 3 &&
              objects.texture.sample == PTX_SAMPLE_LEVEL && objects.texture.lod == 1);
  assert_int_equal(
      run_objects("tex.3d.v4.f32.s32 {e, f, g, h}, [x, x, {a, b, c, d}];", &objects, &result, &log),
      PTX_OK);
  assert_true(objects.texture.integer && objects.texture.at.i[2] == 3 &&
              objects.texture.sampler == 7 && objects.texture.texel == PTX_TEXEL_F32);
  assert_int_equal(run_objects("tex.grad.2d.v4.u32.f32 {a, b, c, d}, [x, {e, f}], {e, f}, {g, h};",
                               &objects, &result, &log),
                   PTX_OK);
  assert_true(objects.texture.sample == PTX_SAMPLE_GRADIENT && objects.texture.gradient_x[1] == 2 &&
              objects.texture.gradient_y[0] == 3);
  assert_int_equal(
      run_objects("tld4.b.2d.v4.u32.f32 {a, b, c, d}, [x, {e, f}];", &objects, &result, &log),
      PTX_OK);
  assert_true(objects.texture.sample == PTX_SAMPLE_GATHER && objects.texture.component == 2);
  assert_int_equal(run_objects("txq.height.b32 b, [x];", &objects, &result, &log), PTX_OK);
  assert_int_equal(result, 17);
  assert_int_equal(run_objects("suq.width.b32 b, [x];", &objects, &result, &log), PTX_OK);
  assert_int_equal(result, 1007);
  assert_int_equal(run_objects("mov.u64 x, 13; tex.1d.v4.u32.s32 {a, b, c, d}, [x, {a}];", &objects,
                               &result, &log),
                   PTX_LAUNCH_FAILED);
  assert_non_null(strstr(log.text, "no texture 13"));
}

TEST(surfaces_are_accessed_through_the_hooks) {
  objects objects;
  uint32_t result;
  ptx_log log;
  assert_int_equal(
      run_objects("sust.b.2d.v2.b32.clamp [x, {a, b}], {c, d};", &objects, &result, &log), PTX_OK);
  assert_true(objects.surface.surface == 7 && objects.surface.write &&
              objects.surface.dimensions == 2 && objects.surface.at[0] == 1 &&
              objects.surface.at[1] == 2 && objects.surface.size == 8 &&
              objects.surface.clamp == PTX_CLAMP_EDGE && !objects.surface.formatted);
  assert_memory_equal(objects.written, "\3\0\0\0\4\0\0\0", 8);
  assert_int_equal(
      run_objects("suld.b.a1d.b16.zero s, [x, {c, d}]; cvt.u32.u16 b, s;", &objects, &result, &log),
      PTX_OK);
  assert_true(!objects.surface.write && objects.surface.array && objects.surface.layer == 3 &&
              objects.surface.at[0] == 4 && objects.surface.clamp == PTX_CLAMP_ZERO &&
              objects.surface.size == 2);
  assert_int_equal(result, 0x1111);
  assert_int_equal(run_objects("sust.p.3d.v4.b32.trap [x, {a, b, c, d}], {e, f, g, h};", &objects,
                               &result, &log),
                   PTX_OK);
  assert_true(objects.surface.formatted && objects.surface.components == 4 &&
              objects.surface.at[2] == 3);
}

TEST(shared_memory_has_the_size_of_the_launch) {
  subject subject;
  subject_load_one(&subject, PTX_HEAD
                   ".extern .shared .align 16 .b8 dynamic[];\n.shared .b32 big[1000];\n" KERNEL(
                       "k", ".shared .b32 s[3]; mov.u64 z, dynamic; mad.wide.u32 z, a, 4, z;"
                            "st.shared.u32 [z], a; bar.sync 0; ld.shared.u32 b, [dynamic+4];"
                            "mov.u32 c, %dynamic_smem_size; mad.lo.u32 b, b, 1000, c;"
                            "st.shared.u32 [s+8], b; ld.shared.u32 b, [s+8];"
                            "st.global.u32 [y], b;") KERNEL("other", "st.shared.u32 [big], a;"));
  uint32_t *memory = subject_memory(&subject, 64);
  const uint64_t argument = ADDRESS(memory);
  assert_int_equal(ptx_find_entry(subject.program, "k")->shared_bytes, 12);
  assert_int_equal(ptx_find_entry(subject.program, "other")->shared_bytes, 4000);
  assert_int_equal(subject_run(&subject, "k", 1, 4, 16, &argument, 1), PTX_OK);
  assert_int_equal(memory[3], 1016);
  assert_int_equal(subject_run(&subject, "k", 1, 5, 16, &argument, 1), PTX_LAUNCH_ILLEGAL_ADDRESS);
  assert_int_equal(subject_run(&subject, "k", 1, 4, PTX_SHARED_LIMIT, &argument, 1),
                   PTX_OUT_OF_RESOURCES);
  assert_int_equal(subject_run(&subject, "k", 0, 4, 0, &argument, 1), PTX_INVALID_LAUNCH);
  assert_int_equal(subject_run(&subject, "k", 1, 1025, 0, &argument, 1), PTX_INVALID_LAUNCH);
  subject_free(&subject);
}

/* Threads of a block synchronize at an mbarrier, and copies of cp.async complete before their wait.
 */
TEST(mbarriers_and_copies_are_waited_for) {
  static const uint32_t met[] = {3, 3, 3, 3};
  expect_words(PTX_HEAD KERNEL("k", ".shared .b64 m; .shared .b32 s; setp.eq.u32 p, a, 0;"
                                    "@p mbarrier.init.shared.b64 [m], 40; bar.sync 0;"
                                    "setp.eq.u32 p, a, 3; @p st.shared.u32 [s], a;"
                                    "mbarrier.arrive.shared.b64 z, [m]; wait:"
                                    "mbarrier.try_wait.shared.b64 q, [m], z; @!q bra wait;"
                                    "ld.shared.u32 b, [s]; st.global.u32 [y], b;"),
               40, met, 4);
  static const uint32_t copied[] = {9, 9};
  expect_words(PTX_HEAD KERNEL("k", ".shared .align 16 .b32 s[4]; st.global.u32 [x], 9;"
                                    "cp.async.ca.shared.global [s], [x], 4; cp.async.commit_group;"
                                    "cp.async.wait_group 0; ld.shared.u32 b, [s];"
                                    "st.global.u32 [x+4], b;"),
               1, copied, 2);
}
