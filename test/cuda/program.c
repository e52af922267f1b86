/*
 * Programs over a driver that records what it is passed (stub.h): the text with its values, the
 * block of values, kernels of older builds, refusals, and that failures leak nothing.
 */
#define _GNU_SOURCE /* memmem */
#include "stub.h"

#include "../../plugins/code/generated_form.h"
#include "../../plugins/cuda/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER ".version 7.8\n.target sm_80\n.address_size 64\n"
#define PATCH_TEXT                                                                                 \
  HEADER                                                                                           \
  ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"                                         \
  "mov.b32 %r1, 0x0000002a; //specpi:3\nmov.b16 %rs1, 0x01; //specpi:7\n"                          \
  "mov.b32 %r2, 0x0000002a; //specpi:3\nret;\n}\n"                                                 \
  ".visible .entry k_with_offset(.param .u64 out, .param .u32 n, .param .align 4 .b8 o[12])"       \
  " { ret; }\n"

static const char *patch_lines(void) {
  static char lines[1024];
  const char *text = PATCH_TEXT;
  const size_t first = (size_t)(strstr(text, "0000002a") - text);
  const size_t second = (size_t)(strstr(text, "0x01") + 2 - text);
  const size_t third = (size_t)(strstr(text + first + 1, "0000002a") - text);
  snprintf(lines, sizeof lines,
           "//!specpi 1 patch 2 2 8 3 1\n//!specpi constant a scalar 0 4 1\n//!specpi leaf 3 0 4\n"
           "//!specpi constant b scalar 4 1 1\n//!specpi leaf 7 0 1\n"
           "//!specpi bytes 2a00000001000000\n//!specpi place 3 %zu 4\n//!specpi place 7 %zu 1\n"
           "//!specpi place 3 %zu 4\n//!specpi kernel k - 8 4 1\n",
           first, second, third);
  return lines;
}

#define PROGRAM_TEST(name) TEST_WITH(name, stub_start, stub_end)

#define EMULATE_TEXT                                                                               \
  HEADER ".visible .entry e(.param .u64 out, .param .u64 buffer)\n{ ret; }\n"                      \
         ".visible .entry plain(.param .u64 out)\n{ ret; }\n"
#define EMULATE_LINES                                                                              \
  "//!specpi 1 emulate 2 2 8 0 2\n//!specpi constant a scalar 0 4 1\n//!specpi leaf 0 0 4\n"       \
  "//!specpi constant b scalar 4 4 1\n//!specpi leaf 1 0 4\n"                                      \
  "//!specpi bytes 0100000002000000\n//!specpi kernel e 1 0 0 0\n//!specpi kernel plain - 0 0 0\n"

static void set32(pi_program program, pi_uint32 id, pi_uint32 value) {
  assert_success(piextProgramSetSpecializationConstant(program, id, sizeof value, &value));
}

static void build(pi_program program) {
  assert_success(piProgramBuild(program, 0, NULL, "", NULL, NULL));
}

/* Checks that the driver got the text with these digits in place of the defaults. */
static void check_text(const char *text, const char *a, const char *b) {
  char want[STUB_TEXT_MAX];
  snprintf(want, sizeof want, "%s", text);
  for (char *at = want; (at = strstr(at, "0x0000002a")); at++)
    memcpy(at + 2, a, 8);
  memcpy(strstr(want, "0x01") + 2, b, 2);
  assert_string_equal(stub.text, want);
}

PROGRAM_TEST(values_are_patched_into_the_text) {
  const pi_program program = stub_built(PATCH_TEXT, patch_lines());
  assert_string_equal(stub.text, PATCH_TEXT);
  set32(program, 3, 0xdeadbeef);
  build(program);
  check_text(PATCH_TEXT, "deadbeef", "01");
  const uint8_t byte = 0xff;
  assert_success(piextProgramSetSpecializationConstant(program, 7, 1, &byte));
  set32(program, 3, 7);
  set32(program, 3, 8);
  build(program);
  check_text(PATCH_TEXT, "00000008", "ff");
  assert_int_equal(stub.loads, 3);
  assert_int_equal(stub.links, 3); /* one for each load */
  assert_int_equal(stub.allocations, 0);
  assert_int_equal(stub.modules, 1);
  assert_success(piProgramRelease(program));
}

/* A kernel keeps the build that it was created from, even if a later build fails. */
PROGRAM_TEST(kernels_keep_older_builds) {
  const pi_program program = stub_built(PATCH_TEXT, patch_lines());
  const pi_kernel first = stub_kernel(program, "k");
  set32(program, 3, 5);
  assert_int_equal(stub.modules, 1);
  build(program);
  assert_int_equal(stub.modules, 2);
  const pi_kernel second = stub_kernel(program, "k");
  assert_ptr_not_equal(first->build, second->build);
  assert_ptr_not_equal(first->driver.instances[0].plain.function,
                       second->driver.instances[0].plain.function);
  stub.load_code = CUDA_ERROR_INVALID_PTX;
  stub.log = "ptxas error: no";
  assert_int_equal(piProgramBuild(program, 0, NULL, "", NULL, NULL),
                   PI_ERROR_BUILD_PROGRAM_FAILURE);
  assert_int_equal(stub.modules, 2);
  pi_kernel third = NULL;
  assert_int_equal(piKernelCreate(program, "k", &third), PI_ERROR_INVALID_PROGRAM_EXECUTABLE);
  assert_null(third);
  char log[64];
  assert_success(piProgramGetBuildInfo(program, stub_context.devices[0], PI_PROGRAM_BUILD_INFO_LOG,
                                       sizeof log, log, NULL));
  assert_string_equal(log, "ptxas error: no");
  assert_success(piProgramRelease(program));
  assert_success(piKernelRelease(first));
  assert_int_equal(stub.modules, 1);
  assert_int_equal(stub.syncs, 0);
  /* The release waits for code that may be running. */
  kernel_launched(second);
  assert_success(piKernelRelease(second));
  assert_int_equal(stub.syncs, 1);
}

/* Each build has one copy of the values on the device, which all its kernels share. */
PROGRAM_TEST(kernels_share_a_copy_of_the_values) {
  static const pi_uint32 defaults[2] = {1, 2};
  const pi_program program = stub_built(EMULATE_TEXT, EMULATE_LINES);
  assert_string_equal(stub.text, EMULATE_TEXT);
  assert_int_equal(stub.allocations, 1);
  assert_int_equal(stub.copied_size, sizeof defaults);
  assert_memory_equal(stub.copied, defaults, sizeof defaults);
  const CUdeviceptr first = stub.copied_to;
  const pi_kernel kernels[2] = {stub_kernel(program, "e"), stub_kernel(program, "e")};
  for (int i = 0; i < 2; i++) {
    assert_memory_equal(kernels[i]->driver.pointers[1], &first, sizeof first);
    assert_int_equal(kernels[i]->missing, 1);
  }
  assert_int_equal(stub.allocations, 1);
  set32(program, 1, 99);
  build(program);
  assert_int_equal(stub.allocations, 2);
  assert_int_equal(stub.copies, 2);
  const pi_uint32 changed[2] = {1, 99};
  assert_memory_equal(stub.copied, changed, sizeof changed);
  const pi_kernel later = stub_kernel(program, "e");
  assert_memory_equal(later->driver.pointers[1], &stub.copied_to, sizeof first);
  /* An argument that the application sets replaces the values' pointer. */
  const uint64_t own = 0x1234;
  assert_success(piextKernelSetArgPointer(later, 1, sizeof own, &own));
  assert_memory_equal(later->driver.pointers[1], &own, sizeof own);
  assert_success(piKernelRelease(later));
  assert_success(piKernelRelease(kernels[0]));
  assert_success(piKernelRelease(kernels[1]));
  assert_success(piProgramRelease(program));
}

#define CHECK_REFUSED(text, lines, code, sentence)                                                 \
  do {                                                                                             \
    size_t refused_size;                                                                           \
    char *refused = stub_image(text, lines, &refused_size);                                        \
    pi_program refused_program = (pi_program)(void *)&stub;                                        \
    assert_failure(piProgramCreate(&stub_context, refused, refused_size, &refused_program), code,  \
                   sentence);                                                                      \
    assert_ptr_equal(refused_program, &stub);                                                      \
    free(refused);                                                                                 \
  } while (0)

PROGRAM_TEST(damaged_images_are_refused) {
  CHECK_REFUSED(HEADER ".entry k() { ret; }\n",
                "//!specpi 1 default 0 0 0 0 1\n//!specpi kernel no - 0 0 0\n",
                PI_ERROR_INVALID_BINARY,
                "damaged PTX image: its trailer has kernel no, its text does not");
  CHECK_REFUSED(HEADER ".entry k(.param .u32 a) { ret; }\n",
                "//!specpi 1 emulate 0 0 0 0 1\n//!specpi kernel k 0 0 0 0\n",
                PI_ERROR_INVALID_BINARY,
                "damaged PTX image: argument 0 of kernel k is no pointer to a buffer of constants");
  CHECK_REFUSED(HEADER ".entry k(.param .u64 a) { ret; }\n",
                "//!specpi 1 emulate 0 0 0 0 1\n//!specpi kernel k 1 0 0 0\n",
                PI_ERROR_INVALID_BINARY,
                "damaged PTX image: argument 1 of kernel k is no pointer to a buffer of constants");
  CHECK_REFUSED(HEADER ".entry k(.param .u64 a) { ret; }\n",
                "//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k 0 0 0 0\n",
                PI_ERROR_INVALID_BINARY,
                "damaged PTX image: kernel k has a buffer of constants, which mode emulate alone "
                "has");
  pi_program program = NULL;
  static const char zero[] = HEADER "\0.entry k() { ret; }\n";
  assert_int_equal(piProgramCreate(&stub_context, zero, sizeof zero, &program),
                   PI_ERROR_INVALID_BINARY);
  static const unsigned char spirv[24] = {0x03, 0x02, 0x23, 0x07};
  char sentence[1024];
  snprintf(sentence, sizeof sentence, "the code is SPIR-V, which %s",
           generated_is_possible() ? "" : generated_obstacle());
  assert_failure(
      piProgramCreate(&stub_context, spirv, sizeof spirv, &program), PI_ERROR_INVALID_VALUE,
      generated_is_possible() ? "damaged SPIR-V module: the instruction at word 5 has a length of 0"
                              : sentence);
  assert_int_equal(piProgramCreate(&stub_context, "kernel void k() {}", 18, &program),
                   PI_ERROR_INVALID_VALUE);
  assert_null(program);
}

/* After each refused value the program builds with the former values. */
PROGRAM_TEST(refused_values_change_nothing) {
  const pi_program program = stub_program(PATCH_TEXT, patch_lines());
  const pi_uint32 value = 1;
  set32(program, 3, 0x11);
  assert_failure(piextProgramSetSpecializationConstant(program, 4, 4, &value),
                 PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 4 (it has 2: 3, 7)");
  assert_failure(piextProgramSetSpecializationConstant(program, 3, 8, &value),
                 PI_ERROR_INVALID_VALUE, "constant 3 takes 4 bytes, 8 given");
  assert_failure(piextProgramSetSpecializationConstant(program, 7, 0, &value),
                 PI_ERROR_INVALID_VALUE, "constant 7 takes 1 byte, 0 given");
  assert_failure(piextProgramSetSpecializationConstant(program, 3, 4, NULL), PI_ERROR_INVALID_VALUE,
                 "the value of constant 3 is NULL");
  assert_success(piextProgramSetSpecializationConstant(program, PI_SPEC_ID_ITT, 1, &value));
  build(program);
  check_text(PATCH_TEXT, "00000011", "01");
  assert_success(piProgramRelease(program));

  const pi_program plain = stub_program(HEADER ".entry k() { ret; }\n", NULL);
  assert_failure(piextProgramSetSpecializationConstant(plain, 3, 4, &value),
                 PI_ERROR_INVALID_PROGRAM,
                 "constant 3 of the program cannot be set: its PTX does not say where its "
                 "constants are (it has no //!specpi trailer)");
  assert_success(piextProgramSetSpecializationConstant(plain, PI_SPEC_ID_ITT, 1, &value));
  assert_success(piProgramRelease(plain));
  const pi_program fixed =
      stub_program(HEADER ".entry k() { ret; }\n", "//!specpi 1 default 0 0 0 0 0\n");
  assert_int_equal(piextProgramSetSpecializationConstant(fixed, 3, 4, &value),
                   PI_ERROR_INVALID_PROGRAM);
  assert_success(piProgramRelease(fixed));
}

/* X(options_reach_the_driver, level, registers, line_info, debug_info, verbose). */
#define OPTIONS(X)                                                                                 \
  X(NULL, -1, -1, -1, -1, -1)                                                                      \
  X("", -1, -1, -1, -1, -1)                                                                        \
  X("  -O0\t", 0, -1, -1, -1, -1)                                                                  \
  X("-O3 -lineinfo", 3, -1, 1, -1, -1)                                                             \
  X("-maxrregcount=32 -g", -1, 32, -1, 1, -1)                                                      \
  X("--maxrregcount 255 --verbose", -1, 255, -1, -1, 1)                                            \
  X("-cl-opt-disable", 0, -1, -1, -1, -1)                                                          \
  X("-ze-opt-large-register-file -O1", 1, -1, -1, -1, -1)                                          \
  X("-ftarget-register-alloc-mode=pvc:auto", -1, -1, -1, -1, -1)                                   \
  X("-vc-codegen -disable-finalizer-msg -doubleGRF -O2", 2, -1, -1, -1, -1)                        \
  X("-Xfinalizer '-O0 -g' -igc_opts \"-O0, -g\" -v", -1, -1, -1, -1, 1)                            \
  X("'-ze-opt-level=2' -ze-opt-level 0 -igc_opts='A=1 B' -g", -1, -1, -1, 1, -1)                   \
  X("-DX=1 -D -O0 -I -g -cl-intel-256-GRF-per-thread", -1, -1, -1, -1, -1)                         \
  X("-cl-nv-maxrregcount=3 -maxrregcount=32", -1, 32, -1, -1, -1)                                  \
  X("-cl-fast-relaxed-math -cl-std=CL3.0", -1, -1, -1, -1, -1)

/* The latest warning about an option. */
static char option_note[256];

static void take_note(pi_result code, const char *sentence) {
  if (code == PI_SUCCESS)
    snprintf(option_note, sizeof option_note, "%s", sentence);
}

PROGRAM_TEST(another_backends_option_is_traced) {
  const pi_program program = stub_program(PATCH_TEXT, patch_lines());
  plugin_error_listen(take_note);
  assert_success(piProgramBuild(program, 0, NULL, "-O1 -ze-opt-disable", NULL, NULL));
  plugin_error_listen(NULL);
  assert_string_equal(option_note, "build option -ze-opt-disable means nothing to CUDA, and is "
                                   "ignored");
  assert_success(piProgramRelease(program));
}

PROGRAM_TEST(options_reach_the_driver) {
  const pi_program program = stub_program(PATCH_TEXT, patch_lines());
#define CHECK_OPTIONS(text, o, r, l, g, v)                                                         \
  assert_success(piProgramBuild(program, 0, NULL, text, NULL, NULL));                              \
  assert_int_equal(stub.level, o);                                                                 \
  assert_int_equal(stub.registers, r);                                                             \
  assert_int_equal(stub.line_info, l);                                                             \
  assert_int_equal(stub.debug_info, g);                                                            \
  assert_int_equal(stub.verbose, v);
  OPTIONS(CHECK_OPTIONS)
#undef CHECK_OPTIONS
  const unsigned loads = stub.loads;
  static const char *const bad[] = {"-O5",
                                    "-O",
                                    "-maxrregcount",
                                    "-maxrregcount=",
                                    "-maxrregcount=0",
                                    "-maxrregcount=256",
                                    "-maxrregcount 1x",
                                    "-maxrregcount32",
                                    "--no-such-option",
                                    "-cl-no-such",
                                    "-igc_opts",
                                    "-Xfinalizer 'x",
                                    "''",
                                    "-ze"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(piProgramBuild(program, 0, NULL, bad[i], NULL, NULL),
                     PI_ERROR_INVALID_BUILD_OPTIONS);
  assert_int_equal(stub.loads, loads);
  char text[64];
  assert_success(piProgramGetBuildInfo(program, stub_context.devices[0],
                                       PI_PROGRAM_BUILD_INFO_OPTIONS, sizeof text, text, NULL));
  assert_string_equal(text, "-cl-fast-relaxed-math -cl-std=CL3.0");
  pi_program linked = NULL;
  assert_int_equal(piProgramCompile(program, 0, NULL, "-x", 0, NULL, NULL, NULL, NULL),
                   PI_ERROR_INVALID_COMPILER_OPTIONS);
  assert_int_equal(piProgramLink(&stub_context, 0, NULL, "-x", 1, &program, NULL, NULL, &linked),
                   PI_ERROR_INVALID_LINKER_OPTIONS);
  assert_null(linked);
  assert_success(piProgramRelease(program));
}

/* ---- Binaries ---- */

static unsigned char *binary_of(pi_program program, size_t *size) {
  assert_success(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof *size, size, NULL));
  unsigned char *binary = malloc(*size);
  assert_non_null(binary);
  assert_success(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, sizeof binary, &binary, NULL));
  return binary;
}

static pi_program from_binary(const unsigned char *binary, size_t size) {
  pi_program program = NULL;
  pi_int32 status = 99;
  assert_success(piProgramCreateWithBinary(&stub_context, 1, &stub_context.devices[0], &size,
                                           &binary, 0, NULL, &status, &program));
  assert_int_equal(status, PI_SUCCESS);
  return program;
}

static void check_names(pi_program program, const char *want, size_t want_count) {
  char names[64];
  size_t count = 0;
  assert_success(
      piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, sizeof count, &count, NULL));
  assert_int_equal(count, want_count);
  assert_success(
      piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, sizeof names, names, NULL));
  assert_string_equal(names, want);
}

PROGRAM_TEST(a_binary_has_the_patched_values) {
  const pi_program program = stub_built(PATCH_TEXT, patch_lines());
  set32(program, 3, 0x77);
  size_t size;
  free(binary_of(program, &size));
  assert_int_equal(stub.links, 2);
  assert_string_equal(stub.inputs[0], PATCH_TEXT); /* with the build's values, not later ones */
  build(program);
  assert_int_equal(stub.links, 3);
  unsigned char *binary = binary_of(program, &size);
  assert_int_equal(stub.links, 4);
  free(binary_of(program, &size));
  assert_int_equal(stub.links, 4); /* once for each build */
  check_names(program, "k", 1);
  assert_success(piProgramRelease(program));

  const pi_program again = from_binary(binary, size);
  const pi_uint32 value = 1;
  assert_failure(piextProgramSetSpecializationConstant(again, 3, 4, &value),
                 PI_ERROR_INVALID_PROGRAM,
                 "constant 3 of the program cannot be set: it was created from a cubin, which has "
                 "its constants built in");
  assert_int_equal(piProgramGetInfo(again, PI_PROGRAM_INFO_NUM_KERNELS, 0, NULL, &size),
                   PI_ERROR_INVALID_PROGRAM_EXECUTABLE);
  build(again);
  check_text(PATCH_TEXT, "00000077", "01");
  check_names(again, "k", 1);
  size_t second_size;
  unsigned char *second = binary_of(again, &second_size);
  assert_int_equal(stub.links, 4);
  assert_memory_equal(second, binary, second_size);
  assert_success(piProgramRelease(again));

  /* The hash covers each byte of the trailer. */
  const unsigned char *list = binary;
  const size_t whole = second_size;
  for (size_t at = whole - 100; at < whole; at++) {
    pi_program damaged = NULL;
    pi_int32 status = 0;
    binary[at] ^= 0x04;
    const pi_result result = piProgramCreateWithBinary(&stub_context, 1, &stub_context.devices[0],
                                                       &whole, &list, 0, NULL, &status, &damaged);
    binary[at] ^= 0x04;
    /* Without its last line it is a plain cubin with trailing bytes. */
    assert_true(result == PI_SUCCESS || result == PI_ERROR_INVALID_BINARY);
    if (result == PI_SUCCESS)
      assert_success(piProgramRelease(damaged));
    else
      assert_int_equal(status, PI_ERROR_INVALID_BINARY);
  }
  free(second);
  free(binary);
}

PROGRAM_TEST(a_binary_has_the_values_of_the_buffer) {
  const pi_program program = stub_program(EMULATE_TEXT, EMULATE_LINES);
  set32(program, 0, 41);
  build(program);
  size_t size;
  unsigned char *binary = binary_of(program, &size);
  assert_success(piProgramRelease(program));
  const pi_program again = from_binary(binary, size);
  free(binary);
  assert_success(piProgramBuild(again, 0, NULL, "", NULL, NULL));
  const pi_uint32 want[2] = {41, 2};
  assert_int_equal(stub.copied_size, sizeof want);
  assert_memory_equal(stub.copied, want, sizeof want);
  check_names(again, "e;plain", 2);
  assert_int_equal(code_find(again->code.info, "e")->buffer_argument, 1);
  assert_success(piProgramRelease(again));
}

/* ---- Linking ---- */

#define PART_TEXT HEADER ".visible .entry part(.param .u64 buffer)\n{ ret; }\n"
#define PART_LINES                                                                                 \
  "//!specpi 1 emulate 1 1 4 0 1\n//!specpi constant p scalar 0 4 1\n//!specpi leaf 0 0 4\n"       \
  "//!specpi bytes 09000000\n//!specpi kernel part 0 2 1 1\n"

static void compile(pi_program program) {
  assert_success(piProgramCompile(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
}

static void check_linked(pi_program linked, pi_uint32 first, pi_uint32 second) {
  check_names(linked, "e;part;plain", 3);
  assert_memory_equal(stub.copied, &first, sizeof first);
  assert_memory_equal(stub.copied + code_find(linked->code.info, "part")->values_at, &second,
                      sizeof second);
  assert_int_equal(stub.copied_to % VALUE_BLOCK_ALIGN % 16, 0);
}

/* Each part has a block of its own with the values that it was compiled with. */
PROGRAM_TEST(linked_parts_keep_their_values) {
  pi_program parts[2] = {stub_program(EMULATE_TEXT, EMULATE_LINES),
                         stub_program(PART_TEXT, PART_LINES)};
  pi_program linked = NULL;
  assert_int_equal(piProgramLink(&stub_context, 0, NULL, "", 2, parts, NULL, NULL, &linked),
                   PI_ERROR_INVALID_OPERATION);
  assert_null(linked);
  set32(parts[0], 0, 5);
  set32(parts[1], 0, 6);
  compile(parts[0]);
  compile(parts[1]);
  set32(parts[0], 0, 7);
  assert_success(piProgramLink(&stub_context, 0, NULL, "", 2, parts, NULL, NULL, &linked));
  assert_int_equal(stub.input_count, 2);
  assert_string_equal(stub.inputs[1], PART_TEXT);
  check_linked(linked, 5, 6);
  const pi_kernel kernel = stub_kernel(linked, "part");
  const CUdeviceptr want = stub.copied_to + code_find(linked->code.info, "part")->values_at;
  assert_memory_equal(kernel->driver.pointers[0], &want, sizeof want);
  assert_int_equal(kernel->driver.instances[0].plain.limits.required[0], 2);
  assert_success(piKernelRelease(kernel));
  const pi_uint32 value = 1;
  assert_int_equal(piextProgramSetSpecializationConstant(linked, 0, 4, &value),
                   PI_ERROR_INVALID_PROGRAM);
  assert_int_equal(piProgramBuild(linked, 0, NULL, "", NULL, NULL), PI_ERROR_INVALID_OPERATION);
  size_t size;
  unsigned char *binary = binary_of(linked, &size);
  assert_success(piProgramRelease(linked));
  /* Two trailers describe the blocks, the last one first. */
  const pi_program again = from_binary(binary, size);
  build(again);
  assert_int_equal(again->code.block_count, 2);
  const pi_uint32 five = 5, six = 6;
  assert_memory_equal(stub.copied + code_find(again->code.info, "e")->values_at, &five,
                      sizeof five);
  assert_memory_equal(stub.copied + code_find(again->code.info, "part")->values_at, &six,
                      sizeof six);
  assert_success(piProgramRelease(again));
  free(binary);
  assert_success(piProgramRelease(parts[0]));
  assert_success(piProgramRelease(parts[1]));
}

/* A part without constants has an empty block, at the start of another part's block. */
PROGRAM_TEST(a_part_without_constants_is_linked) {
  pi_program parts[2] = {
      stub_program(HEADER ".visible .entry none()\n{ ret; }\n"
                          ".visible .entry none_with_offset(.param .align 4 .b8 o[12])\n{ ret; }\n",
                   "//!specpi 1 emulate 0 0 0 0 1\n//!specpi kernel none - 0 0 0\n"),
      stub_program(PART_TEXT, PART_LINES)};
  pi_program linked = NULL;
  compile(parts[0]);
  compile(parts[1]);
  assert_success(piProgramLink(&stub_context, 0, NULL, "", 2, parts, NULL, NULL, &linked));
  check_names(linked, "none;part", 2);
  for (int round = 0; round < 2; round++) {
    size_t size;
    unsigned char *binary = binary_of(linked, &size);
    assert_success(piProgramRelease(linked));
    linked = from_binary(binary, size);
    build(linked);
    check_names(linked, "none;part", 2);
    assert_memory_equal(stub.copied + code_find(linked->code.info, "part")->values_at,
                        &(const pi_uint32){9}, sizeof(pi_uint32));
    /* The trailer lists no entries for offsets as kernels (docs/internals/ptx.md). */
    assert_null(memmem(binary, size, "kernel none_with_offset", 23));
    assert_non_null(memmem(binary, size, "kernel none", 11));
    free(binary);
  }
  assert_success(piProgramRelease(linked));
  for (int i = 0; i < 2; i++)
    assert_success(piProgramRelease(parts[i]));
}

PROGRAM_TEST(a_binary_keeps_the_memory_of_variables) {
  size_t size;
  const pi_program program =
      stub_built(HEADER ".visible .entry l()\n{ ret; }\n",
                 "//!specpi 1 default 0 0 0 0 1\n//!specpi kernel l - 0 0 0 0 65536\n");
  unsigned char *binary = binary_of(program, &size);
  const pi_program again = from_binary(binary, size);
  free(binary);
  assert_int_equal(code_find(again->code.info, "l")->local_memory, 65536);
  assert_success(piProgramRelease(again));
  assert_success(piProgramRelease(program));
}

/* A binary has at most as many blocks as the reader accepts. */
PROGRAM_TEST(too_many_blocks_are_not_written) {
  const unsigned char value = 7;
  size_t at;
  size_t size;
  const pi_program part = stub_built(PART_TEXT, PART_LINES);
  unsigned char *values;
  unsigned char *binary = binary_of(part, &size);
  const pi_program many = from_binary(binary, size);
  free(binary);
  while (many->code.block_count < 256)
    assert_success(code_add_block(&many->code, 1, &value, &at));
  assert_success(constants_copy_values(many->code.constants, &values));
  assert_success(cubin_write(many->code.bytes, many->code.size, &many->code, many->code.info,
                             values, &binary, &size));
  const pi_program again = from_binary(binary, size);
  free(binary);
  assert_int_equal(again->code.block_count, 256);
  assert_int_equal(code_find(again->code.info, "part")->buffer_argument, 0);
  assert_success(code_add_block(&many->code, 1, &value, &at));
  free(values);
  assert_success(constants_copy_values(many->code.constants, &values));
  assert_failure(cubin_write(many->code.bytes, many->code.size, &many->code, many->code.info,
                             values, &binary, &size),
                 PI_ERROR_UNSUPPORTED_FEATURE,
                 "the program was linked of 257 images with constants, and its binary can have the "
                 "values of up to 256");
  free(values);
  assert_success(piProgramRelease(again));
  assert_success(piProgramRelease(many));
  assert_success(piProgramRelease(part));
}

PROGRAM_TEST(a_failed_link_leaves_a_log) {
  const pi_program part = stub_program(PART_TEXT, PART_LINES);
  compile(part);
  stub.link_code = CUDA_ERROR_INVALID_IMAGE;
  stub.log = "error: undefined reference to 'f'\nsecond line";
  pi_program linked = NULL;
  assert_failure(piProgramLink(&stub_context, 0, NULL, "", 1, &part, NULL, NULL, &linked),
                 PI_ERROR_LINK_PROGRAM_FAILURE,
                 "the driver does not take the code: error: undefined reference to 'f'");
  assert_non_null(linked);
  char log[128];
  assert_success(piProgramGetBuildInfo(linked, stub_context.devices[0], PI_PROGRAM_BUILD_INFO_LOG,
                                       sizeof log, log, NULL));
  assert_string_equal(log, stub.log);
  pi_kernel kernel = NULL;
  assert_int_equal(piKernelCreate(linked, "part", &kernel), PI_ERROR_INVALID_PROGRAM_EXECUTABLE);
  assert_success(piProgramRelease(linked));
  assert_success(piProgramRelease(part));
}

/* ---- Failures ---- */

/* Does everything that calls the driver; returns whether all of it succeeded. */
static bool everything(const char *text, const char *lines) {
  pi_program program = stub_program(text, lines);
  pi_kernel kernel = (pi_kernel)(void *)&stub;
  size_t size = 77;
  pi_program linked = NULL;
  bool good = piProgramBuild(program, 0, NULL, "", NULL, NULL) == PI_SUCCESS;
  if (good && piKernelCreate(program, lines ? "e" : "k", &kernel) == PI_SUCCESS)
    piKernelRelease(kernel);
  else
    good = false;
  if (!good)
    assert_ptr_equal(kernel, &stub); /* untouched */
  if (good && piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof size, &size, NULL) !=
                  PI_SUCCESS) {
    assert_int_equal(size, 77);
    good = false;
  }
  good = good && (!lines ||
                  piProgramCompile(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL) == PI_SUCCESS);
  if (good && lines) {
    good =
        piProgramLink(&stub_context, 0, NULL, "", 1, &program, NULL, NULL, &linked) == PI_SUCCESS;
    if (linked)
      assert_success(piProgramRelease(linked));
  }
  assert_success(piProgramRelease(program));
  return good;
}

PROGRAM_TEST(failed_calls_leak_nothing) {
  static const struct {
    const char *text, *lines;
  } programs[] = {{EMULATE_TEXT, EMULATE_LINES}, {HEADER ".entry k(.param .u64 a) {}", NULL}};
  for (size_t p = 0; p < 2; p++)
    for (unsigned n = 1;; n++) {
      stub.fail = n;
      stub.failed = false;
      const bool good = everything(programs[p].text, programs[p].lines);
      stub.fail = 0;
      assert_true(good == !stub.failed || (good && stub.ignorable));
      assert_int_equal(stub.modules, 0);
      assert_int_equal(stub.memory, 0);
      assert_int_equal(stub.open_links, 0);
      assert_int_equal(object_references(&stub_context.handle), 1);
      if (!stub.failed)
        break;
    }
}

/* If a build fails for a reason other than its code, the program keeps its former build. */
PROGRAM_TEST(a_failed_build_keeps_the_former_one) {
  const pi_program program = stub_built(EMULATE_TEXT, EMULATE_LINES);
  for (unsigned n = 1; n <= 5; n++) {
    stub.fail = n;
    assert_int_equal(piProgramBuild(program, 0, NULL, "", NULL, NULL), PI_ERROR_OUT_OF_RESOURCES);
    stub.fail = 0;
    assert_success(piKernelRelease(stub_kernel(program, "e")));
    assert_int_equal(stub.modules, 1);
  }
  assert_success(piProgramRelease(program));
}

/* ---- User events ---- */

/* While a user event holds back commands, nothing waits for the device; code is unloaded later. */
PROGRAM_TEST(a_user_event_delays_unloading) {
  const pi_program program = stub_built(EMULATE_TEXT, EMULATE_LINES);
  const pi_kernel kernel = stub_kernel(program, "e");
  kernel_launched(kernel);
  assert_success(piKernelRelease(kernel));
  atomic_store(&gate_closed_count, 1);
  build(program);
  assert_success(piProgramRelease(program));
  assert_int_equal(stub.syncs, 0);
  assert_int_equal(stub.modules, 2);
  atomic_store(&gate_closed_count, 0);
  assert_success(piProgramRelease(stub_built(EMULATE_TEXT, EMULATE_LINES)));
}

/* ---- Metadata ---- */

PROGRAM_TEST(metadata_is_read_and_checked) {
  static unsigned char sizes[8 + 8] = {64, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 2, 0, 0, 0};
  static unsigned char id[8 + 3] = {24, 0, 0, 0, 0, 0, 0, 0, 'v', 'a', 'r'};
  static char size_name[] = "k@reqd_work_group_size", id_name[] = "unique@global_id_mapping";
  pi_device_binary_property_struct required = {size_name, sizes, PI_PROPERTY_TYPE_BYTE_ARRAY,
                                               sizeof sizes};
  pi_device_binary_property_struct global = {id_name, id, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof id};
  const pi_device_binary_property list[] = {&required, &global};
  static const unsigned char text[] = HEADER ".entry k() { ret; }\n";
  const unsigned char *binary = text;
  const size_t size = sizeof text;
  pi_program program = NULL;
  assert_success(piProgramCreateWithBinary(&stub_context, 1, &stub_context.devices[0], &size,
                                           &binary, 2, list, NULL, &program));
  const pi_uint32 want[3] = {16, 2, 1};
  assert_memory_equal(code_find(program->code.info, "k")->required, want, sizeof want);
  assert_string_equal(code_global_name(&program->code, "unique"), "var");
  assert_string_equal(code_global_name(&program->code, "other"), "other");
  assert_success(piProgramRelease(program));
  required.ValSize = 8 + 5;
  program = NULL;
  assert_int_equal(piProgramCreateWithBinary(&stub_context, 1, &stub_context.devices[0], &size,
                                             &binary, 2, list, NULL, &program),
                   PI_ERROR_INVALID_VALUE);
  required.ValSize = 8;
  assert_int_equal(piProgramCreateWithBinary(&stub_context, 1, &stub_context.devices[0], &size,
                                             &binary, 2, list, NULL, &program),
                   PI_ERROR_INVALID_VALUE);
  assert_int_equal(piProgramCreateWithBinary(&stub_context, 1, &stub_context.devices[0], &size,
                                             &binary, 2, NULL, NULL, &program),
                   PI_ERROR_INVALID_VALUE);
  assert_null(program);
}

/* ---- Native handles ---- */

PROGRAM_TEST(a_native_handle_is_its_program) {
  const pi_program program = stub_built(EMULATE_TEXT, EMULATE_LINES);
  pi_native_handle native = 0;
  assert_success(piextProgramGetNativeHandle(program, &native));
  pi_program second = NULL;
  assert_success(piextProgramCreateWithNativeHandle(native, &stub_context, false, &second));
  assert_ptr_equal(second, program);
  assert_int_equal(object_references(&program->handle), 2);
  /* The module's kernels keep their buffer. */
  const pi_kernel kernel = stub_kernel(second, "e");
  assert_memory_equal(kernel->driver.pointers[1], &stub.copied_to, sizeof stub.copied_to);
  check_names(second, "e;plain", 2);
  assert_success(piProgramRelease(second));
  /* With ownership the program takes over the caller's reference. */
  assert_success(piextProgramCreateWithNativeHandle(native, &stub_context, true, &second));
  assert_ptr_equal(second, program);
  assert_success(piKernelRelease(kernel));
  assert_int_equal(object_references(&program->handle), 1);
  assert_int_equal(stub.modules, 1);
  assert_success(piProgramRelease(program));
  /* A module of the application. */
  CUmodule module;
  assert_int_equal(cu.ModuleLoadDataEx(&module, EMULATE_TEXT, 0, NULL, NULL), CUDA_SUCCESS);
  assert_success(piextProgramCreateWithNativeHandle((pi_native_handle)(void *)module, &stub_context,
                                                    true, &second));
  size_t size;
  assert_failure(piProgramGetInfo(second, PI_PROGRAM_INFO_BINARY_SIZES, sizeof size, &size, NULL),
                 PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
                 "the program was created from a native handle, which does not expose its code");
  assert_int_equal(piProgramBuild(second, 0, NULL, "", NULL, NULL), PI_ERROR_INVALID_OPERATION);
  assert_success(piProgramRelease(second));
  assert_int_equal(stub.modules, 0);
}

/* A handle stays known while anybody has a reference, no matter which program returned it. */
PROGRAM_TEST(a_handle_is_known_while_it_has_references) {
  for (int order = 0; order < 2; order++) {
    const pi_program program = stub_built(EMULATE_TEXT, EMULATE_LINES);
    pi_native_handle native = 0;
    pi_program wrapped = NULL;
    pi_program again = NULL;
    assert_success(piextProgramGetNativeHandle(program, &native));
    assert_success(piextProgramCreateWithNativeHandle(native, &stub_context, false, &wrapped));
    assert_success(piextProgramGetNativeHandle(wrapped, &native));
    if (order == 1) /* recorded already */
      assert_success(piextProgramGetNativeHandle(program, &native));
    assert_success(piProgramRelease(wrapped));
    assert_success(piextProgramCreateWithNativeHandle(native, &stub_context, false, &again));
    assert_int_equal(object_references(&program->handle), 2);
    assert_success(piProgramRelease(program));
    assert_int_equal(stub.modules, 1);
    assert_success(piProgramRelease(again));
    assert_int_equal(stub.modules, 0);
  }
}
