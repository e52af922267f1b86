/* Facts read from PTX and cubins without a driver: kernels, parameters, required sizes. */
#include "../../plugins/code/code_info.h"
#include "../../plugins/code/codegen_frame.h"

#include "../unit/check.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static code_info *read_text(const char *text) {
  code_info *info = code_new();
  assert_non_null(info);
  assert_success(ptx_read_kernels(text, strlen(text), info));
  code_sort(info);
  return info;
}

static void check_parameters(const code_info *info, const char *name, pi_uint32 count,
                             const code_parameter *want) {
  const code_kernel *kernel = code_find(info, name);
  assert_non_null(kernel);
  assert_int_equal(kernel->parameter_count, count);
  for (pi_uint32 i = 0; i < count; i++) {
    assert_int_equal(kernel->parameters[i].offset, want[i].offset);
    assert_int_equal(kernel->parameters[i].size, want[i].size);
  }
}

#define TEXT                                                                                       \
  "// .entry comment(.param .u32 no)\n"                                                            \
  ".version 8.4\n.target sm_90\n.address_size 64\n"                                                \
  "/* .entry comment2() { */ .extern .shared .align 16 .b8 sh[];\n"                                \
  ".global .align 4 .b8 s[12] = {1, 2};\n"                                                         \
  ".func (.param .b32 r) helper(.param .b64 p) { .reg .b32 %r<2>; { ret; } }\n"                    \
  ".visible .entry k(\n"                                                                           \
  "  .param .u64 .ptr .global .align 4 k_param_0,\n"                                               \
  "  .param .align 16 .b8 k_param_1[16], // a comment\n"                                           \
  "  .param .u8 k_param_2, .param .u16 k_param_3,\n"                                               \
  "  .param .align 4 .b8 k_param_4[3][4], .param .f64 k_param_5)\n"                                \
  ".reqntid 8, 4\n.minnctapersm 1\n"                                                               \
  "{ .pragma \"} .entry in_string()\"; ret; }\n"                                                   \
  ".entry k_with_offset(.param .u64 a) .reqntid 2 { ret; }\n"                                      \
  ".weak .entry bare .maxntid 64, 1, 1 { ret; }\n"                                                 \
  ".visible .entry none() { ret; }\n"                                                              \
  ".entry later(.param .u32 a);\n"                                                                 \
  ".entry strange(.param .texref t) { ret; }\n"

TEST(kernels_are_read_from_ptx) {
  code_info *info = read_text(TEXT);
  assert_int_equal(info->count, 5);
  check_parameters(info, "k", 6,
                   (const code_parameter[]){{0, 8}, {16, 16}, {32, 1}, {34, 2}, {36, 12}, {48, 8}});
  const pi_uint32 required[3] = {8, 4, 1};
  assert_memory_equal(code_find(info, "k")->required, required, sizeof required);
  const code_declaration *as = code_find(info, "k")->declarations;
  assert_string_equal(as[0].type, "u64");
  assert_string_equal(as[0].space, "global");
  assert_int_equal(as[0].count, 0);
  assert_string_equal(as[4].type, "b8");
  assert_null(as[4].space);
  assert_int_equal(as[4].count, 12);
  check_parameters(info, "bare", 0, NULL);
  assert_int_equal(code_find(info, "bare")->required[0], 0);
  check_parameters(info, "none", 0, NULL);
  assert_null(code_find(info, "later"));
  assert_int_equal(code_find(info, "strange")->parameter_count, CODE_UNKNOWN);
  assert_int_equal(code_find(info, "k")->buffer_argument, PTX_NONE);
  assert_null(code_find(info, "comment"));
  assert_null(code_find(info, "in_string"));
  assert_null(code_find(info, "k_with"));
  assert_true(code_is_offset_variant(info, code_find(info, "k_with_offset")));
  assert_false(code_is_offset_variant(info, code_find(info, "k")));
  code_release(info);
}

/* Reading succeeds for every truncated or damaged text. */
TEST(damaged_ptx_is_read_to_its_end) {
  const size_t size = strlen(TEXT);
  for (size_t cut = 0; cut <= size; cut++) {
    char *copy = malloc(cut + 1);
    assert_non_null(copy);
    memcpy(copy, TEXT, cut);
    code_info *info = code_new();
    assert_non_null(info);
    assert_success(ptx_read_kernels(copy, cut, info));
    code_release(info);
    free(copy);
  }
  static const char *const texts[] = {".entry",
                                      ".entry k(",
                                      ".entry k(.param",
                                      ".entry k(.param .u32",
                                      ".entry k(.param .u32 a[",
                                      ".entry k(.param .u32 a[99999999999]) {}",
                                      ".entry k(.param .align 3 .b8 a[4]) {}",
                                      ".entry k(.param .align 0x7fffffff .b8 a[4]) {}",
                                      ".entry k(.param .b64 a[0x7fffffff][2]) {}",
                                      ".entry k() .reqntid 0 {}",
                                      ".entry k() .reqntid 1,",
                                      ".entry k() \"",
                                      "/*",
                                      "\"\\",
                                      "{{{{",
                                      ".entry ;"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    code_info *info = read_text(texts[i]);
    for (size_t k = 0; k < info->count; k++)
      assert_int_equal(info->kernels[k].required[0], i == 10 ? 1 : 0);
    code_release(info);
  }
}

TEST(facts_are_merged) {
  code_info *info = code_new();
  code_info *more = read_text(".entry a(.param .u32 x) .reqntid 4 {} .entry b() {}");
  code_kernel *kernel;
  assert_success(code_add_kernel(info, "c", 1, &kernel));
  assert_success(code_add_kernel(info, "a", 1, &kernel));
  kernel->buffer_argument = 0;
  kernel->values_at = 256;
  more->kernels[0].local_memory = 65536;
  code_sort(info);
  assert_success(code_merge(info, more));
  assert_int_equal(info->count, 3);
  check_parameters(info, "a", 1, (const code_parameter[]){{0, 4}});
  assert_int_equal(code_find(info, "a")->buffer_argument, 0);
  assert_int_equal(code_find(info, "a")->values_at, 256);
  assert_int_equal(code_find(info, "a")->required[0], 4);
  assert_int_equal(code_find(info, "a")->local_memory, 65536);
  assert_int_equal(code_find(info, "c")->parameter_count, CODE_UNKNOWN);
  check_parameters(info, "b", 0, NULL);
  code_release(info);
  code_release(more);
  code_release(NULL);
}

/* ---- Cubins ---- */

/* A cubin as ptxas writes it, with a kernel "k" with three parameters and a required size. */
typedef struct small_cubin {
  Elf64_Ehdr header;
  char names[64];
  Elf64_Sym symbols[3];
  unsigned char info[4 * 4 + 3 * 12 + 12];
  Elf64_Shdr sections[3];
} small_cubin;

enum { NAMES, SYMBOLS, INFO, SECTIONS };

static void put_attribute(unsigned char **at, unsigned char name, const void *value, size_t size) {
  (*at)[0] = 4;
  (*at)[1] = name;
  (*at)[2] = (unsigned char)size;
  (*at)[3] = 0;
  memcpy(*at + 4, value, size);
  *at += 4 + size;
}

static void put_parameter(unsigned char **at, pi_uint32 ordinal, pi_uint32 offset, pi_uint32 size) {
  const pi_uint32 value[3] = {0, ordinal | offset << 16, size << 18 | 0x1f000};
  put_attribute(at, 0x17, value, sizeof value);
}

static small_cubin make_cubin(void) {
  static const char names[] = "\0k\0.nv.info.k\0helper";
  small_cubin cubin;
  memset(&cubin, 0, sizeof cubin);
  memcpy(cubin.header.e_ident, ELFMAG, SELFMAG);
  cubin.header.e_ident[EI_CLASS] = ELFCLASS64;
  cubin.header.e_ident[EI_DATA] = ELFDATA2LSB;
  cubin.header.e_machine = 190;
  cubin.header.e_type = ET_EXEC;
  cubin.header.e_shoff = offsetof(small_cubin, sections);
  cubin.header.e_shentsize = sizeof(Elf64_Shdr);
  cubin.header.e_shnum = SECTIONS;
  cubin.header.e_shstrndx = NAMES;
  memcpy(cubin.names, names, sizeof names);
  cubin.symbols[1] = (Elf64_Sym){.st_name = 1, .st_info = STT_FUNC, .st_other = 0x10};
  cubin.symbols[2] = (Elf64_Sym){.st_name = 14, .st_info = STT_FUNC};
  unsigned char *at = cubin.info;
  const pi_uint32 required[3] = {16, 2, 1};
  put_parameter(&at, 2, 16, 24);
  put_parameter(&at, 0, 0, 8);
  put_parameter(&at, 1, 8, 1);
  put_attribute(&at, 0x10, required, sizeof required);
  cubin.sections[NAMES] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                       .sh_offset = offsetof(small_cubin, names),
                                       .sh_size = sizeof cubin.names};
  cubin.sections[SYMBOLS] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                         .sh_offset = offsetof(small_cubin, symbols),
                                         .sh_size = sizeof cubin.symbols,
                                         .sh_link = NAMES};
  cubin.sections[INFO] = (Elf64_Shdr){.sh_name = 3,
                                      .sh_type = 0x70000000,
                                      .sh_offset = offsetof(small_cubin, info),
                                      .sh_size = (Elf64_Xword)(at - cubin.info)};
  return cubin;
}

TEST(kernels_are_read_from_a_cubin) {
  const small_cubin cubin = make_cubin();
  const unsigned char *bytes = (const unsigned char *)&cubin;
  assert_success(cubin_check(bytes, sizeof cubin));
  assert_true(cubin_is_linked(bytes));
  code_info *info = code_new();
  assert_success(cubin_read_kernels(bytes, sizeof cubin, info));
  assert_int_equal(info->count, 1);
  check_parameters(info, "k", 3, (const code_parameter[]){{0, 8}, {8, 1}, {16, 24}});
  const pi_uint32 required[3] = {16, 2, 1};
  assert_memory_equal(code_find(info, "k")->required, required, sizeof required);
  code_release(info);
}

/* A cubin with a changed byte is refused or read safely. A truncated one is refused. */
TEST(damaged_cubins_are_read_safely) {
  const small_cubin good = make_cubin();
  static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  for (size_t at = 0; at < sizeof good; at++)
    for (size_t v = 0; v < sizeof values; v++) {
      const size_t size = sizeof good;
      unsigned char *copy = malloc(size);
      assert_non_null(copy);
      memcpy(copy, &good, size);
      copy[at] = values[v];
      code_info *info = code_new();
      if (cubin_check(copy, sizeof good) == PI_SUCCESS)
        assert_success(cubin_read_kernels(copy, sizeof good, info));
      const code_kernel *k = code_find(info, "k");
      if (k && k->required[0] != 0)
        assert_true(k->required[1] != 0 && k->required[2] != 0);
      code_release(info);
      free(copy);
    }
  for (size_t size = 0; size < sizeof good; size++) {
    unsigned char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, &good, size);
    assert_int_equal(cubin_check(copy, size), PI_ERROR_INVALID_BINARY);
    free(copy);
  }
}

/* If the parameters' ordinals are not 0, 1, 2, ..., the parameters are unknown. */
TEST(wrong_ordinals_make_parameters_unknown) {
  small_cubin cubin = make_cubin();
  cubin.info[8] = 7; /* the ordinal of the first one */
  code_info *info = code_new();
  assert_success(cubin_read_kernels((const unsigned char *)&cubin, sizeof cubin, info));
  assert_int_equal(code_find(info, "k")->parameter_count, CODE_UNKNOWN);
  code_release(info);
}

/* Facts written to a frame are read back; a truncated frame is refused. */
TEST(a_frame_returns_the_same_facts) {
  codegen_frame frame = {0};
  code_info *info = read_text(TEXT);
  info->kernels[0].local_memory = 65536;
  info->kernels[0].sub_group = 8;
  code_info_put(info, &frame);
  assert_false(frame.failed);
  const size_t size = frame.size - CODEGEN_FRAME_HEAD;
  codegen_fields fields = {frame.bytes + CODEGEN_FRAME_HEAD, size};
  code_info *copy = NULL;
  assert_success(code_info_take(&fields, &copy));
  assert_int_equal(fields.size, 0);
  assert_int_equal(copy->count, info->count);
  for (size_t i = 0; i < info->count; i++) {
    const code_kernel *kernel = &info->kernels[i];
    const code_kernel *found = &copy->kernels[i];
    assert_string_equal(found->name, kernel->name);
    assert_memory_equal(found->required, kernel->required, sizeof kernel->required);
    assert_int_equal(found->local_memory, kernel->local_memory);
    assert_int_equal(found->sub_group, kernel->sub_group);
    assert_int_equal(found->buffer_argument, kernel->buffer_argument);
    if (kernel->parameter_count == CODE_UNKNOWN)
      assert_int_equal(found->parameter_count, CODE_UNKNOWN);
    else
      check_parameters(copy, kernel->name, kernel->parameter_count, kernel->parameters);
  }
  code_release(copy);
  for (size_t cut = 0; cut < size; cut++) {
    copy = NULL;
    fields = (codegen_fields){frame.bytes + CODEGEN_FRAME_HEAD, cut};
    assert_int_equal(code_info_take(&fields, &copy), PI_ERROR_INVALID_BINARY);
    assert_null(copy);
  }
  code_release(info);
  free(frame.bytes);
}
