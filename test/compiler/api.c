/*
 * The library's functions: arguments, errors, results. The program's arguments are modules. The
 * test lowers each and reads the records of its constants as SYCL runtimes do.
 */
#include "class_module.h"

#include "../support/tests.h"

#include <specpi/compiler.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char module_text[] =
    "target triple = \"spir64\"\n"
    "%pair = type { i32, i8 }\n"
    "%id = type { %pair }\n"
    "@n = private constant [5 x i8] c\"name\\00\"\n"
    "@d = internal constant %id { %pair { i32 258, i8 3 } }\n"
    "declare %pair @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_(ptr, ptr, ptr)\n"
    "define void @k(ptr %p) {\n"
    "  %v = call %pair @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_("
    "ptr @n, ptr @d, ptr null)\n"
    "  store %pair %v, ptr %p\n"
    "  ret void\n"
    "}\n";

static int modules_count;
static char **modules;

static int setup(void **state) {
  specpi_compiler compiler;
  if (specpiCompilerCreate(&compiler) != SPECPI_COMPILER_SUCCESS)
    return 1;
  *state = compiler;
  return 0;
}

static int teardown(void **state) {
  specpiCompilerRelease(*state);
  return 0;
}

static specpi_compiler_module read_text(specpi_compiler compiler, const char *text) {
  specpi_compiler_module module = NULL;
  assert_int_equal(specpiCompilerModuleRead(compiler, "text", text, strlen(text), &module),
                   SPECPI_COMPILER_SUCCESS);
  return module;
}

/* The caller frees the text. */
static char *write_text(specpi_compiler_module module) {
  void *text;
  size_t size;
  assert_int_equal(specpiCompilerModuleWrite(module, SPECPI_COMPILER_FORM_LL, &text, &size),
                   SPECPI_COMPILER_SUCCESS);
  return text;
}

TEST_WITH(wrong_arguments_are_refused, setup, teardown) {
  specpi_compiler_module const untouched = (specpi_compiler_module)state;
  specpi_compiler_module module = untouched;
  const int invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  assert_int_equal(specpiCompilerCreate(NULL), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "ret is NULL");
  assert_int_equal(specpiCompilerModuleRead(NULL, "a", "b", 1, &module), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "compiler is NULL");
  assert_int_equal(specpiCompilerModuleRead(*state, NULL, "b", 1, &module), invalid);
  assert_int_equal(specpiCompilerModuleRead(*state, "a", NULL, 1, &module), invalid);
  assert_int_equal(specpiCompilerModuleRead(*state, "a", "b", 1, NULL), invalid);
  assert_int_equal(specpiCompilerModuleReadFile(*state, NULL, &module), invalid);
  assert_int_equal(specpiCompilerModuleReadFile(*state, "/nowhere", &module),
                   SPECPI_COMPILER_ERROR_FILE);
  assert_int_equal(specpiCompilerModuleRead(*state, "empty-handed", "?", 1, &module),
                   SPECPI_COMPILER_ERROR_INVALID_MODULE);
  assert_ptr_equal(module, untouched);
  module = read_text(*state, module_text);
  specpi_compiler_options options = {0};
  specpi_compiler_output output = (specpi_compiler_output)state;
  assert_int_equal(specpiCompilerLower(NULL, &options, &output), invalid);
  assert_int_equal(specpiCompilerLower(module, NULL, &output), invalid);
  assert_int_equal(specpiCompilerLower(module, &options, NULL), invalid);
  assert_int_equal(specpiCompilerModuleOptimize(NULL, SPECPI_COMPILER_OPTIMIZATION_O2), invalid);
  assert_int_equal(specpiCompilerModuleOptimize(module, SPECPI_COMPILER_OPTIMIZATION_UNKNOWN),
                   invalid);
  assert_int_equal(specpiCompilerModuleOptimize(module, (specpi_compiler_optimization)5), invalid);
  assert_string_equal(specpiCompilerGetLastError(),
                      "a module cannot be optimised at level 5, only at O0 to O3");
  options.mode = (specpi_compiler_mode)77;
  assert_int_equal(specpiCompilerLower(module, &options, &output), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "there is no mode 77");
  assert_int_equal(specpiCompilerRegisterVariables(NULL, &output), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "module is NULL");
  assert_int_equal(specpiCompilerRegisterVariables(module, NULL), invalid);
  assert_int_equal(specpiCompilerRegisterVariables(module, &output),
                   SPECPI_COMPILER_ERROR_INVALID_TARGET);
  assert_ptr_equal(output, state);
  specpiCompilerModuleRelease(module);
  specpiCompilerModuleRelease(NULL);
  specpiCompilerOutputRelease(NULL);
  specpiCompilerRelease(NULL);
}

#define LAYOUT "target datalayout = \"e-i64:64-v16:16-v24:32\"\n"

/* LLVM's reassociate would drop the flags, and indvars would count the loop in 64 bits. */
TEST_WITH(optimisation_keeps_what_spirv_can_express, setup, teardown) {
  static const char text[] =
      LAYOUT "target triple = \"spir64\"\n"
             "define spir_kernel void @k(ptr addrspace(1) %p, i32 %n, i32 %x) {\n"
             "  %slot = alloca i32\n"
             "  store i32 0, ptr %slot\n"
             "  br label %loop\n"
             "loop:\n"
             "  %i = load i32, ptr %slot\n"
             "  %a = add nsw i32 %i, 16\n"
             "  %b = add nsw i32 %a, %x\n"
             "  %c = add nsw i32 %b, %n\n"
             "  %at = sext i32 %c to i64\n"
             "  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %at\n"
             "  store i32 %i, ptr addrspace(1) %to\n"
             "  %next = add nsw i32 %i, 1\n"
             "  store i32 %next, ptr %slot\n"
             "  %more = icmp slt i32 %next, %n\n"
             "  br i1 %more, label %loop, label %end\n"
             "end:\n"
             "  ret void\n"
             "}\n";
  specpi_compiler_module module = read_text(*state, text);
  char *before = write_text(module);
  assert_int_equal(specpiCompilerModuleOptimize(module, SPECPI_COMPILER_OPTIMIZATION_O0),
                   SPECPI_COMPILER_SUCCESS);
  char *same = write_text(module);
  assert_string_equal(same, before);
  assert_int_equal(specpiCompilerModuleOptimize(module, SPECPI_COMPILER_OPTIMIZATION_O2),
                   SPECPI_COMPILER_SUCCESS);
  char *after = write_text(module);
  assert_null(strstr(after, "alloca"));
  assert_null(strstr(after, "add i32"));
  assert_null(strstr(after, "phi i64"));
  assert_non_null(strstr(after, "phi i32"));
  assert_non_null(strstr(after, LAYOUT));
  free(after);
  free(same);
  free(before);
  specpiCompilerModuleRelease(module);
}

/* Registering variables leaves the module as it is; the output has no constants. */
TEST_WITH(registering_variables_leaves_the_module_alone, setup, teardown) {
  specpi_compiler_module module =
      read_text(*state, "@a = global i32 0 #0\n"
                        "attributes #0 = { \"sycl-unique-id\"=\"a\" \"sycl-uid-kind\"=\"k\" }\n");
  for (int i = 0; i < 2; i++) {
    specpi_compiler_output output = NULL;
    assert_int_equal(specpiCompilerRegisterVariables(module, &output), SPECPI_COMPILER_SUCCESS);
    const void *data;
    size_t size;
    assert_int_equal(specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_LL, &data, &size),
                     SPECPI_COMPILER_SUCCESS);
    assert_int_equal(strlen(data), size);
    const char *call = strstr(data, "call void @__register_uniquely_identifiable_object");
    assert_non_null(call);
    assert_null(strstr(call + 1, "call void @__register_uniquely_identifiable_object"));
    assert_int_equal(specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_PROP, &data, &size),
                     SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerOutputGetConstantCount(output), 0);
    assert_int_equal(specpiCompilerOutputGetKernelCount(output), 0);
    specpiCompilerOutputRelease(output);
  }
  specpiCompilerModuleRelease(module);
}

TEST_WITH(variables_of_a_class_get_a_unit_s_ids, setup, teardown) {
  static const char text[] = CLASS_MODULE("_ZL1a", "device_global<int>");
  const int invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  specpi_compiler_module module = read_text(*state, text);
  specpi_compiler_unit_options options = {0};
  specpi_compiler_output output = (specpi_compiler_output)state;
  assert_int_equal(specpiCompilerRegisterUnitVariables(module, NULL, &output), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "options is NULL");
  assert_int_equal(specpiCompilerRegisterUnitVariables(module, &options, &output), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "unit_id is NULL");
  options.unit_id = "U";
  assert_int_equal(specpiCompilerRegisterUnitVariables(NULL, &options, &output), invalid);
  assert_int_equal(specpiCompilerRegisterUnitVariables(module, &options, NULL), invalid);
  assert_ptr_equal(output, state);
  for (int i = 0; i < 3; i++) {
    const void *data;
    size_t size;
    options.drop_lines = i == 1;
    options.drop_types = i == 2;
    assert_int_equal(specpiCompilerRegisterUnitVariables(module, &options, &output),
                     SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_LL, &data, &size),
                     SPECPI_COMPILER_SUCCESS);
    assert_non_null(strstr(data, "c\"U____ZL1a\\00\""));
    assert_non_null(strstr(data, "c\"device_global\\00\""));
    assert_int_equal(strstr(data, "!DIGlobalVariable(") != NULL, i == 0);
    assert_int_equal(strstr(data, "emissionKind: LineTablesOnly") != NULL, i == 2);
    specpiCompilerOutputRelease(output);
  }
  specpiCompilerModuleRelease(module);
}

static const char unit_text[] = "target triple = \"spir64\"\n"
                                "@n = private constant [6 x i8] c\"_ZTSK\\00\"\n"
                                "declare void @__specpi_kernel_entry(ptr)\n"
                                "define void @k(ptr byval(i32) align 4 %object) {\n"
                                "  call void @__specpi_kernel_entry(ptr @n)\n"
                                "  ret void\n"
                                "}\n";

static void refuses_unit(specpi_compiler_module unit, const char *id, const char *sentence) {
  const specpi_compiler_unit_options options = {.unit_id = id};
  specpi_compiler_module const untouched = (specpi_compiler_module)&options;
  specpi_compiler_module made = untouched;
  assert_int_equal(specpiCompilerModuleMakeKernels(unit, &options, &made),
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT);
  assert_string_equal(specpiCompilerGetLastError(), sentence);
  assert_ptr_equal(made, untouched);
}

/* A unit can be turned into a module of kernels several times; the module cannot. */
TEST_WITH(a_unit_s_kernels_become_a_module, setup, teardown) {
  static const char longest[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.";
  specpi_compiler_module unit = read_text(*state, unit_text);
  specpi_compiler_module made = NULL;
  specpi_compiler_unit_options options = {.unit_id = longest};
  const int invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  assert_int_equal(specpiCompilerModuleMakeKernels(NULL, &options, &made), invalid);
  assert_string_equal(specpiCompilerGetLastError(), "module is NULL");
  assert_int_equal(specpiCompilerModuleMakeKernels(unit, NULL, &made), invalid);
  assert_int_equal(specpiCompilerModuleMakeKernels(unit, &options, NULL), invalid);
  refuses_unit(unit, NULL, "unit_id is NULL");
  refuses_unit(unit, "", "the unit id '' is not 1 to 64 letters, digits, '_', '-' and '.'");
  refuses_unit(unit, "a b", "the unit id 'a b' is not 1 to 64 letters, digits, '_', '-' and '.'");
  refuses_unit(unit, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._",
               "the unit id '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._' is "
               "not 1 to 64 letters, digits, '_', '-' and '.'");
  for (int i = 0; i < 2; i++) {
    void *text;
    size_t size;
    assert_int_equal(specpiCompilerModuleMakeKernels(unit, &options, &made),
                     SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerModuleWrite(made, SPECPI_COMPILER_FORM_LL, &text, &size),
                     SPECPI_COMPILER_SUCCESS);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "spir_kernel void @_ZTSK("));
    free(text);
    specpi_compiler_module again = made;
    assert_int_equal(specpiCompilerModuleMakeKernels(made, &options, &again),
                     SPECPI_COMPILER_ERROR_CONFLICT);
    assert_ptr_equal(again, made);
    specpiCompilerModuleRelease(made);
  }
  void *data = unit;
  size_t size = 99;
  assert_int_equal(specpiCompilerModuleWrite(NULL, SPECPI_COMPILER_FORM_BC, &data, &size), invalid);
  assert_int_equal(specpiCompilerModuleWrite(unit, SPECPI_COMPILER_FORM_BC, NULL, &size), invalid);
  assert_int_equal(specpiCompilerModuleWrite(unit, SPECPI_COMPILER_FORM_BC, &data, NULL), invalid);
  assert_int_equal(specpiCompilerModuleWrite(unit, SPECPI_COMPILER_FORM_JSON, &data, &size),
                   invalid);
  assert_string_equal(specpiCompilerGetLastError(),
                      "a module cannot be had in form 3, only as ll and bc");
  assert_ptr_equal(data, unit);
  assert_int_equal(size, 99);
  specpiCompilerModuleRelease(unit);
}

TEST_WITH(kernels_keep_no_more_debug_information_than_asked, setup, teardown) {
  static const char *const kept[] = {"emissionKind: FullDebug", "emissionKind: LineTablesOnly",
                                     NULL};
  char text[1024];
  snprintf(text, sizeof text,
           "%s!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
           "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, "
           "emissionKind: FullDebug)\n"
           "!1 = !DIFile(filename: \"a.cpp\", directory: \"/\")\n"
           "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n",
           unit_text);
  specpi_compiler_module unit = read_text(*state, text);
  for (int i = 0; i < 3; i++) {
    const specpi_compiler_unit_options options = {
        .unit_id = "U", .drop_types = i == 1, .drop_lines = i == 2};
    specpi_compiler_module made;
    void *written;
    size_t size;
    assert_int_equal(specpiCompilerModuleMakeKernels(unit, &options, &made),
                     SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerModuleWrite(made, SPECPI_COMPILER_FORM_LL, &written, &size),
                     SPECPI_COMPILER_SUCCESS);
    if (kept[i] != NULL)
      assert_non_null(strstr(written, kept[i]));
    else
      assert_null(strstr(written, "emissionKind"));
    free(written);
    specpiCompilerModuleRelease(made);
  }
  specpiCompilerModuleRelease(unit);
}

TEST(names_are_known) {
  assert_string_equal(specpiCompilerModeGetName(SPECPI_COMPILER_MODE_NATIVE), "native");
  assert_string_equal(specpiCompilerFormGetName(SPECPI_COMPILER_FORM_BC), "bc");
  assert_string_equal(specpiCompilerGetKnownGpu(NULL), "sm_80");
  assert_string_equal(specpiCompilerGetKnownGpu("sm_70"), "sm_70");
  assert_non_null(specpiCompilerGetKnownGpu("sm_121"));
  assert_null(specpiCompilerGetKnownGpu("gfx900"));
  assert_null(specpiCompilerModeGetName(SPECPI_COMPILER_MODE_COUNT));
  assert_null(specpiCompilerFormGetName((specpi_compiler_form)-1));
  assert_string_equal(specpiCompilerResultGetName(SPECPI_COMPILER_ERROR_LIMIT),
                      "SPECPI_COMPILER_ERROR_LIMIT");
  assert_string_equal(specpiCompilerResultGetText((specpi_compiler_result)5), "?");
}

TEST_WITH(an_output_has_constants_records_and_forms, setup, teardown) {
  specpi_compiler_module module = read_text(*state, module_text);
  specpi_compiler_output output;
  specpi_compiler_options options = {.mode = SPECPI_COMPILER_MODE_NATIVE};
  assert_int_equal(specpiCompilerLower(module, &options, &output), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(specpiCompilerOutputGetConstantCount(output), 1);
  assert_null(specpiCompilerOutputGetConstant(output, 1));
  const specpi_compiler_constant *constant = specpiCompilerOutputGetConstant(output, 0);
  assert_string_equal(constant->name, "name");
  assert_int_equal(constant->kind, SPECPI_COMPILER_KIND_COMPOSITE);
  assert_int_equal(constant->size, 8);
  assert_int_equal(constant->position, 0);
  assert_memory_equal(constant->default_data, "\2\1\0\0\3\0\0\0", 8);
  const specpi_compiler_descriptor wanted[] = {
      {0, 0, 4}, {1, 4, 1}, {SPECPI_COMPILER_PADDING, 5, 3}};
  assert_int_equal(constant->descriptor_count, 3);
  assert_memory_equal(constant->descriptors, wanted, sizeof wanted);
  size_t size;
  assert_ptr_equal(specpiCompilerOutputGetDefaults(output, &size), constant->default_data);
  assert_int_equal(size, 8);
  assert_int_equal(specpiCompilerOutputGetWarningCount(output), 0);
  assert_null(specpiCompilerOutputGetWarning(output, 0));

  /* Both forms of the output can be read as a module. A second call returns the same pointer. */
  for (int form = SPECPI_COMPILER_FORM_LL; form <= SPECPI_COMPILER_FORM_BC; form++) {
    const void *data;
    const void *again;
    assert_int_equal(specpiCompilerOutputGetData(output, (specpi_compiler_form)form, &data, &size),
                     SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerOutputGetData(output, (specpi_compiler_form)form, &again, &size),
                     SPECPI_COMPILER_SUCCESS);
    assert_ptr_equal(data, again);
    specpi_compiler_module lowered;
    assert_int_equal(specpiCompilerModuleRead(*state, "lowered", data, size, &lowered),
                     SPECPI_COMPILER_SUCCESS);
    specpiCompilerModuleRelease(lowered);
  }
  const void *data;
  assert_int_equal(specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_COUNT, &data, &size),
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT);

  /* The properties record the optimization level that the caller passed. */
  options.optimization = SPECPI_COMPILER_OPTIMIZATION_O3;
  specpi_compiler_output optimized;
  assert_int_equal(specpiCompilerLower(module, &options, &optimized), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(specpiCompilerOutputGetData(optimized, SPECPI_COMPILER_FORM_PROP, &data, &size),
                   SPECPI_COMPILER_SUCCESS);
  assert_non_null(strstr(data, "[SYCL/misc properties]\noptLevel=1|3\n"));
  specpiCompilerOutputRelease(optimized);
  options.optimization = (specpi_compiler_optimization)5;
  assert_int_equal(specpiCompilerLower(module, &options, &optimized),
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT);
  assert_string_equal(specpiCompilerGetLastError(), "there is no optimization 5");
  options.optimization = SPECPI_COMPILER_OPTIMIZATION_UNKNOWN;

  /* Lowering has not changed the module. */
  specpi_compiler_output inlined;
  options.mode = SPECPI_COMPILER_MODE_DEFAULT;
  assert_int_equal(specpiCompilerLower(module, &options, &inlined), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(specpiCompilerOutputGetConstantCount(inlined), 0);
  assert_null(specpiCompilerOutputGetDefaults(inlined, &size));
  assert_int_equal(size, 0);
  specpiCompilerOutputRelease(inlined);
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(module);
}

/* Returns the 12 bits at a bit position of bitcode. */
static unsigned bits_at(const unsigned char *bytes, size_t position) {
  unsigned value = 0;
  for (size_t i = 0; i < 12; i++)
    value |= (unsigned)(bytes[(position + i) / 8] >> (position + i) % 8 & 1) << i;
  return value;
}

/* Encodes a character as in a record of bitcode: its low 5 bits, a set bit, its high bits. */
static unsigned encode(char c) {
  return ((unsigned char)c & 31u) | 32u | (unsigned)(unsigned char)c >> 5 << 6;
}

/* Replaces a text in bitcode by one of the same length. Texts may start at any bit. */
static void replace_text(unsigned char *bytes, size_t size, const char *from, const char *to) {
  const size_t length = strlen(from);
  for (size_t at = 0; at + 12 * length <= 8 * size; at++) {
    size_t i = 0;
    while (i < length && bits_at(bytes, at + 12 * i) == encode(from[i]))
      i++;
    if (i < length)
      continue;
    for (i = 0; i < 12 * length; i++) {
      const size_t bit = at + i;
      bytes[bit / 8] = (unsigned char)((bytes[bit / 8] & ~(1u << bit % 8)) |
                                       (encode(to[i / 12]) >> i % 12 & 1) << bit % 8);
    }
    return;
  }
  fail_msg("the bitcode has no '%s'", from);
}

/* Checks all kernels: required sizes, and the argument for the buffer of constants. */
TEST_WITH(kernels_are_reported_in_every_mode, setup, teardown) {
  static const char text[] =
      "target triple = \"spir64\"\n"
      "%id = type { i32 }\n"
      "@n = private constant [5 x i8] c\"name\\00\"\n"
      "@d = internal constant %id { i32 1 }\n"
      "declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)\n"
      "define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) !reqd_work_group_size !1 {\n"
      "  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_("
      "ptr @n, ptr @d, ptr null)\n"
      "  store i32 %v, ptr addrspace(1) %p\n"
      "  ret void\n"
      "}\n"
      "define spir_func void @f() {\n"
      "  ret void\n"
      "}\n"
      "declare spir_kernel void @elsewhere()\n"
      "define spir_kernel void @runtime(i32 %x, ptr addrspace(1) "
      "%_arg__specialization_constants_buffer) !reqd_work_group_size !2 "
      "!intel_reqd_sub_group_size !3 {\n"
      "  ret void\n"
      "}\n"
      "define void @marked() !reqd_work_group_size !4 {\n"
      "  ret void\n"
      "}\n"
      "!nvvm.annotations = !{!0, !5, !6}\n"
      "!0 = !{ptr @marked, !\"kernel\", i32 1}\n"
      "!1 = !{i32 8, i32 4, i32 2}\n"
      "!2 = !{i32 64}\n"
      "!3 = !{i32 16}\n"
      "!4 = !{i32 1, i32 2, i32 3, i32 4}\n"
      "!5 = !{ptr @f, !\"maxntidx\", i32 1}\n"
      "!6 = !{ptr @elsewhere, !\"kernel\", i32 1}\n";
  static const specpi_compiler_kernel wanted[] = {
      {"k", 2, {8, 4, 2}, 0, 0},
      {"runtime", 1, {64, 1, 1}, 16, 0},
      {"marked", SPECPI_COMPILER_NO_ARGUMENT, {0, 0, 0}, 0, 0},
  };
  specpi_compiler_module module = read_text(*state, text);
  specpi_compiler_output output;
  for (int mode = 0; mode < SPECPI_COMPILER_MODE_COUNT; mode++) {
    const specpi_compiler_options options = {.mode = (specpi_compiler_mode)mode};
    const specpi_compiler_result result = specpiCompilerLower(module, &options, &output);
    if (result == SPECPI_COMPILER_ERROR_INVALID_TARGET) /* the mode is for another target */
      continue;
    assert_int_equal(result, SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerOutputGetKernelCount(output), 3);
    for (size_t i = 0; i < 3; i++) {
      const specpi_compiler_kernel *kernel = specpiCompilerOutputGetKernel(output, i);
      assert_string_equal(kernel->name, wanted[i].name);
      assert_int_equal(kernel->buffer_argument, mode == SPECPI_COMPILER_MODE_EMULATE
                                                    ? wanted[i].buffer_argument
                                                    : SPECPI_COMPILER_NO_ARGUMENT);
      assert_memory_equal(kernel->required_size, wanted[i].required_size,
                          sizeof kernel->required_size);
      assert_int_equal(kernel->required_sub_group_size, wanted[i].required_sub_group_size);
    }
    assert_null(specpiCompilerOutputGetKernel(output, 3));
    specpiCompilerOutputRelease(output);
  }
  specpiCompilerModuleRelease(module);
}

/* Some versions of LLVM end the process at a bad data layout unless the library prevents that. */
TEST(a_bad_data_layout_is_an_error) {
  specpi_compiler compiler;
  specpi_compiler_module module;
  specpi_compiler_output output = NULL;
  assert_int_equal(specpiCompilerCreate(&compiler), SPECPI_COMPILER_SUCCESS);
  module = read_text(compiler, "target triple = \"spir64\"\ntarget datalayout = \"e-p:64:64\"\n");
  const specpi_compiler_options options = {0};
  assert_int_equal(specpiCompilerLower(module, &options, &output), SPECPI_COMPILER_SUCCESS);
  const void *data;
  size_t size;
  assert_int_equal(specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_BC, &data, &size),
                   SPECPI_COMPILER_SUCCESS);
  unsigned char *bad = malloc(size);
  assert_non_null(bad);
  memcpy(bad, data, size);
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(module);
  replace_text(bad, size, "e-p:64:64", "e-p:63:65");
  const specpi_compiler_result result =
      specpiCompilerModuleRead(compiler, "bad", bad, size, &module);
  assert_int_not_equal(result, SPECPI_COMPILER_SUCCESS);
  assert_string_not_equal(specpiCompilerGetLastError(), "");
  free(bad);
  specpiCompilerRelease(compiler);
}

/*
 * Adds up gaps and sizes like a runtime. The sum is each constant's position in the defaults, and
 * at the end the size of the defaults. The ids ascend.
 */
static void walk(specpi_compiler_output output) {
  size_t at = 0;
  uint32_t next_id = 0;
  for (size_t i = 0; i < specpiCompilerOutputGetConstantCount(output); i++) {
    const specpi_compiler_constant *constant = specpiCompilerOutputGetConstant(output, i);
    assert_int_equal(at, constant->position);
    assert_true(constant->descriptor_count > 0);
    size_t local = 0;
    for (size_t j = 0; j < constant->descriptor_count; j++) {
      const specpi_compiler_descriptor *d = &constant->descriptors[j];
      assert_true(d->offset >= local);
      at += d->offset - local + d->size;
      local = (size_t)d->offset + d->size;
      if (d->id != SPECPI_COMPILER_PADDING) {
        assert_true(d->id >= next_id && local <= constant->size);
        next_id = d->id + 1;
      }
    }
  }
  size_t size;
  specpiCompilerOutputGetDefaults(output, &size);
  assert_int_equal(at, size);
}

/* Writes property sets in a form and reads them again; the caller frees *text. */
static specpi_compiler_properties again(specpi_compiler_properties properties,
                                        specpi_compiler_property_form form, char **text) {
  size_t size;
  assert_int_equal(specpiCompilerPropertiesWrite(properties, form, text, &size),
                   SPECPI_COMPILER_SUCCESS);
  specpi_compiler_properties read;
  assert_int_equal(specpiCompilerPropertiesRead(form, *text, size, &read), SPECPI_COMPILER_SUCCESS);
  return read;
}

/* Checks that the output's property sets survive both forms. */
static void check_properties(specpi_compiler_output output) {
  specpi_compiler_properties sets[3];
  char *texts[3];
  char *last;
  assert_int_equal(specpiCompilerOutputGetProperties(output, &sets[0]), SPECPI_COMPILER_SUCCESS);
  sets[1] = again(sets[0], SPECPI_COMPILER_PROPERTY_FORM_TEXT, &texts[0]);
  sets[2] = again(sets[1], SPECPI_COMPILER_PROPERTY_FORM_JSON, &texts[1]);
  specpiCompilerPropertiesRelease(again(sets[2], SPECPI_COMPILER_PROPERTY_FORM_TEXT, &texts[2]));
  assert_string_equal(texts[0], texts[2]);
  specpiCompilerPropertiesRelease(again(sets[2], SPECPI_COMPILER_PROPERTY_FORM_JSON, &last));
  assert_string_equal(texts[1], last);
  free(last);
  for (size_t i = 0; i < 3; i++) {
    free(texts[i]);
    specpiCompilerPropertiesRelease(sets[i]);
  }
}

TEST(records_lead_to_each_constant) {
  assert_true(modules_count > 0);
  size_t constants = 0;
  for (int i = 0; i < modules_count; i++) {
    static const specpi_compiler_mode modes[] = {SPECPI_COMPILER_MODE_NATIVE,
                                                 SPECPI_COMPILER_MODE_EMULATE};
    specpi_compiler compiler;
    specpi_compiler_module module;
    assert_int_equal(specpiCompilerCreate(&compiler), SPECPI_COMPILER_SUCCESS);
    assert_int_equal(specpiCompilerModuleReadFile(compiler, modules[i], &module),
                     SPECPI_COMPILER_SUCCESS);
    for (size_t j = 0; j < sizeof modes / sizeof modes[0]; j++) {
      specpi_compiler_output output;
      const specpi_compiler_options options = {.mode = modes[j]};
      assert_int_equal(specpiCompilerLower(module, &options, &output), SPECPI_COMPILER_SUCCESS);
      walk(output);
      check_properties(output);
      constants += specpiCompilerOutputGetConstantCount(output);
      specpiCompilerOutputRelease(output);
    }
    specpiCompilerModuleRelease(module);
    specpiCompilerRelease(compiler);
  }
  assert_true(constants >= (size_t)modules_count);
}

int main(int argument_count, char **arguments) {
  modules_count = argument_count - 1;
  modules = arguments + 1;
  return tests_run(NULL, NULL);
}
